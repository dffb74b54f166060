package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/export"
)

// list runs one of the four listings.
func (c *command) list(ctx context.Context, client *codehost.Client, o options) error {
	job, err := c.job(client, &o)
	if err != nil {
		return err
	}
	if o.dry {
		return c.plan(ctx, job, client, o)
	}
	if err := o.sameFiles(); err != nil {
		return err
	}
	out, err := openSink(o.output, c.stdout)
	if err != nil {
		return refuse("--output %s: %w", o.output, err)
	}
	defer out.discard()
	path, taken := o.savePath()
	k := &keeper{job: job, path: path, at: c.now()}
	if taken != "" && !o.quiet {
		c.say("There is a saved run already, and this one starts afresh. To go on with that one instead: %s", o.again(taken))
	}
	if o.saysWhatFor() && o.format != "json" && o.preset == "" && out.path == "" && !o.quiet {
		c.say("A CSV has no place for the purpose and the countries: use --format json or a preset, or --output, which puts them into a file beside.")
	}
	m := &meter{c: c, query: o.query, quiet: o.quiet}
	data := o.writer(out, o.query)
	report, err := job.Run(ctx, func(e prospect.Event) error {
		m.event(e)
		k.event(e, c.now())
		if e.Outcome == nil || e.Outcome.Record == nil {
			return nil
		}
		return data.Write(*e.Outcome.Record)
	})
	m.clear()
	if nothingYet(report) {
		if o.resume == "" {
			k.drop()
		}
		return err
	}
	if !errors.Is(err, prospect.ErrOutput) {
		if err := finish(out, data, report, o); err == nil {
			m.summary(report, o)
		} else {
			report.Complete = false
			report.Stop = &prospect.Stop{Reason: "output", Message: "output failed: " + err.Error(), Resumable: true, Err: err}
		}
	}
	return c.end(k, o, report)
}

// job puts together what a run needs; it sends nothing.
func (c *command) job(client *codehost.Client, o *options) (*prospect.Job, error) {
	if o.query.WithEmail && !client.HasToken() {
		return nil, refuse("--with-email needs a token: GitHub shows addresses to authenticated requests only, so that nobody could be found; set GITHUB_TOKEN (a token without any permission will do), or leave --with-email out")
	}
	suppress, err := readSuppression(o.suppress)
	if err != nil {
		return nil, err
	}
	state, err := readState(o.resume)
	if err != nil {
		return nil, err
	}
	if state != nil && o.query.Purpose == "" {
		o.query.Purpose, o.query.LawfulBasis = state.Query.Purpose, state.Query.LawfulBasis
	}
	if state != nil && o.query.Countries == nil {
		o.query.Countries = state.Query.Countries
	}
	job, err := prospect.NewJob(client, o.query, prospect.Options{Concurrency: o.concurrency, Suppress: suppress, State: state, Now: c.now})
	switch {
	case err == nil:
		return job, nil
	case state != nil && searchOf(state.Query) != searchOf(o.query):
		return nil, refuse("--resume %s: that run was another search: %s; give it the same way, or start afresh", o.resume, searchOf(state.Query))
	}
	return nil, wrong{err}
}

// saysWhatFor tells whether there is anything that a CSV has no place for.
func (o options) saysWhatFor() bool { return o.query.Purpose != "" || len(o.query.Countries) > 0 }

// nothingYet tells whether a run failed before it had anything to keep.
// Whoever interrupts it gets what there is, all the same.
func nothingYet(r prospect.Report) bool {
	return r.Stop != nil && r.Stop.Reason != "interrupted" && r.Counts.Listed+r.Counts.Unreached == 0
}

// finish ends the output and gives it its name.
func finish(out *sink, data export.Writer, report prospect.Report, o options) error {
	if err := data.Close(report); err != nil {
		return bare(err)
	}
	if err := out.commit(); err != nil {
		return err
	}
	if out.path == "" || o.format == "json" || o.preset != "" || !o.saysWhatFor() {
		return nil
	}
	return writeFile(o.output+".about.json", func(w io.Writer) error { return export.About(w, report) })
}

// end saves what is not finished and says how to go on.
func (c *command) end(k *keeper, o options, report prospect.Report) error {
	stop := report.Stop
	again := report.Counts.Temporary()
	switch {
	case stop == nil && again == 0 && o.resume == "":
		k.drop()
		return nil
	case stop != nil && !stop.Resumable:
		if o.resume == "" {
			k.drop()
		}
		c.say("github-prospects: incomplete: %s", stop.Message)
		return errIncomplete
	}
	path, err := k.path, k.save()
	switch {
	case err != nil && stop != nil:
		return fmt.Errorf("%s; %w", stop.Message, err)
	case err != nil:
		return err
	case stop == nil && again > 0:
		if !o.quiet {
			c.say("%s could not be fetched for a passing reason. To ask again: %s", count(again, "profile"), o.again(path))
		}
		return nil
	case stop == nil:
		if !o.quiet {
			c.say("The run is finished. %s holds all of it; delete it when you need it no longer.", path)
		}
		return nil
	}
	message := stop.Message
	if stop.Reason == "interrupted" {
		message = "interrupted; what was found is kept"
	}
	c.say("github-prospects: incomplete: %s", message)
	when := "To go on"
	if wait := stop.RetryAt.Sub(c.now()); !stop.RetryAt.IsZero() && wait > 0 {
		when = fmt.Sprintf("To go on, in %s, or at once with --wait", short(wait))
	}
	c.say("The run is saved as %s. %s: %s", path, when, o.again(path))
	return errIncomplete
}

// short is a time in words that are short.
func short(d time.Duration) string {
	switch d = d.Round(time.Second); {
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
}
