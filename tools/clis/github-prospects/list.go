package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/export"
	"marketingskills/app/text"
	"marketingskills/tools/internal/console"
	"marketingskills/tools/internal/outfile"
)

func (c *command) list(ctx context.Context) error {
	if c.dry {
		job, err := c.job()
		if err != nil {
			return err
		}
		return c.plan(ctx, job)
	}
	if err := c.sameFiles(); err != nil {
		return err
	}
	k, err := c.claim()
	if err != nil {
		return err
	}
	defer k.release()
	job, err := c.job()
	if err != nil {
		return err
	}
	k.job = job
	out, err := outfile.Open(c.output, c.stdout)
	if err != nil {
		return console.Refuse("--output %s: %w", c.output, err)
	}
	defer out.Discard()
	if k.taken != "" {
		c.tell("A saved run exists. This is a new run. To resume the saved one instead: %s", c.resumeCommand(k.taken))
	}
	if c.hasPurpose() && c.format != "json" && c.preset == "" && !out.Regular() {
		c.tell("Plain CSV does not include purpose and countries. " +
			"Use --format json, --preset, or --output FILE, which also writes FILE.about.json.")
	}
	m := c.meter()
	data := export.New(out, c.query, c.file())
	report, err := job.Run(ctx, func(e prospect.Event) error {
		m.event(e)
		k.event(e, c.now())
		if e.Outcome == nil || e.Outcome.Record == nil {
			return nil
		}
		return data.Write(*e.Outcome.Record)
	})
	m.bar.Clear()
	if nothingYet(report) {
		k.drop()
		return err
	}
	if !errors.Is(err, prospect.ErrOutput) {
		if err := c.finish(out, data, report); err != nil {
			report.Complete = false
			report.Stop = prospect.NewStop(fmt.Errorf("%w: %w", prospect.ErrOutput, err))
		} else {
			m.summary(report, out)
		}
	}
	return c.end(k, report)
}

// job puts together what a run needs; it sends nothing.
func (c *command) job() (*prospect.Job, error) {
	if c.query.WithEmail && !c.client.HasToken() {
		return nil, console.Refuse("--with-email needs a token: GitHub shows email addresses only to requests with a token; " +
			"set GITHUB_TOKEN (no permissions needed) or leave out --with-email")
	}
	suppress, err := readSuppression(c.suppress)
	if err != nil {
		return nil, err
	}
	state, err := readOption("--resume", c.resume, prospect.ReadState)
	if err != nil {
		return nil, err
	}
	if state != nil && c.query.Purpose == "" {
		c.query.Purpose, c.query.LawfulBasis = state.Query.Purpose, state.Query.LawfulBasis
	}
	if state != nil && c.query.Countries == nil {
		c.query.Countries = state.Query.Countries
	}
	job, err := prospect.NewJob(c.client, c.query, prospect.Options{Concurrency: c.concurrency, Suppress: suppress, State: state})
	switch {
	case err == nil:
		return job, nil
	case state != nil && searchOf(state.Query) != searchOf(c.query):
		return nil, console.Refuse("--resume %s: this run was saved with other options: %s; "+
			"use the same options, or leave out --resume to start a new run", c.resume, searchOf(state.Query))
	}
	return nil, console.Usage(err)
}

// hasPurpose tells whether there is anything that a CSV has no place for.
func (o options) hasPurpose() bool { return o.query.Purpose != "" || len(o.query.Countries) > 0 }

// nothingYet tells whether a run failed before it had anything to keep.
// An interrupted run is saved all the same.
func nothingYet(r prospect.Report) bool {
	return r.Stop != nil && !r.Stop.Interrupted() && r.Counts.Listed+r.Counts.Unreached == 0
}

// finish ends the output and gives it its name. Results that are incomplete
// replace no earlier ones, unless told to.
func (c *command) finish(out *outfile.Sink, data export.Writer, report prospect.Report) error {
	if err := data.Close(report); err != nil {
		return outfile.Bare(err)
	}
	if !report.Complete && !c.overwrite {
		out.BesideOlder()
	}
	if err := out.Commit(); err != nil {
		return err
	}
	if !out.Regular() || c.format == "json" || c.preset != "" || !c.hasPurpose() {
		return nil
	}
	return outfile.Write(out.Name+".about.json", func(w io.Writer) error { return export.About(w, report) })
}

// end saves what is not finished and says how to go on.
func (c *command) end(k *autosave, report prospect.Report) error {
	stop := report.Stop
	temporary := report.Counts.Temporary()
	switch {
	case stop == nil && temporary == 0 && !k.resumed:
		k.drop()
		return nil
	case stop != nil && !stop.Resumable:
		k.drop()
		c.say("github-prospects: incomplete: %s", stop.Message)
		return console.ErrIncomplete
	}
	path, err := k.path, k.save()
	switch {
	case err != nil && stop != nil:
		return fmt.Errorf("%s; %w", stop.Message, err)
	case err != nil:
		return err
	case stop == nil && temporary > 0:
		c.tell("%s failed with a temporary error. To retry: %s", text.Count(temporary, "profile"), c.resumeCommand(path))
		return nil
	case stop == nil:
		c.tell("Run complete. %s contains the whole run; delete it when you no longer need it.", path)
		return nil
	}
	message := stop.Message
	if stop.Interrupted() {
		message = "interrupted; results so far are kept"
	}
	c.say("github-prospects: incomplete: %s", message)
	when := "To resume"
	if wait := stop.RetryAt.Sub(c.now()); !stop.RetryAt.IsZero() && wait > 0 {
		when = fmt.Sprintf("To resume in %s, or now with --wait", console.Short(wait))
	}
	c.say("The run is saved as %s. %s: %s", path, when, c.resumeCommand(path))
	return console.ErrIncomplete
}
