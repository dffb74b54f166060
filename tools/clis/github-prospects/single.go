package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"time"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/tools/internal/console"
	"marketingskills/tools/internal/outfile"
)

// user writes one profile, in the same shape as a listing. Whoever is on the
// suppression list is not in it; a login that is on it is not asked for.
func (c *command) user(ctx context.Context) error {
	suppress, err := readSuppression(c.suppress)
	if err != nil {
		return err
	}
	if err := c.sameFiles(); err != nil {
		return err
	}
	requests, started := 0, c.now()
	ctx = codehost.WithNotices(ctx, func(n codehost.Notice) {
		switch n.Kind {
		case codehost.NoticeSent:
			requests++ // one at a time
		case codehost.NoticeWaiting:
			c.tell("Waiting %s: %s", console.Short(n.Until.Sub(c.now())), n.Why)
		}
	})
	record := prospect.Record{User: codehost.User{Login: c.login}}
	by := suppress.Cause(record)
	if by == "" {
		profile, err := c.client.User(ctx, c.login)
		if err != nil {
			return err
		}
		record = prospect.UserRecord(profile, c.client.Base()+"/users/"+url.PathEscape(c.login), c.now())
		by = suppress.Cause(record)
	}
	records, counts := []prospect.Record{record}, prospect.Counts{Listed: 1, Matches: 1}
	if by != "" {
		records, counts = nil, prospect.Counts{Listed: 1, Suppressed: 1, SuppressedBy: map[string]int{by: 1}}
	}
	report := prospect.Report{Query: prospect.Query{Source: cmdUser, Enrich: true}, Counts: counts,
		Requests: requests, Quota: c.client.Quota(), Complete: true, Started: started, Finished: c.now()}
	err = c.write(func(w io.Writer) error { return c.file().Write(w, records, report) })
	switch {
	case err != nil:
		return err
	case by != "":
		c.tell("%s is on the suppression list (by %s) and was left out.", c.login, prospect.CauseTitle(by))
	case !c.client.HasToken():
		c.tell("Without a token, GitHub shows no email addresses, so the email column is empty.")
	}
	return nil
}

// rateLimit writes the quota: in words, or as CSV or JSON if asked to.
func (c *command) rateLimit(ctx context.Context) error {
	q, err := c.client.RateLimit(ctx)
	if err != nil {
		return err
	}
	text, err := c.quota(q)
	if err != nil {
		return err
	}
	return c.write(func(w io.Writer) error {
		_, err := fmt.Fprintln(w, text)
		return err
	})
}

func (c *command) write(write func(io.Writer) error) error {
	out, err := outfile.Open(c.output, c.stdout)
	if err != nil {
		return console.Refuse("--output %s: %w", c.output, err)
	}
	defer out.Discard()
	if err = write(out); err == nil {
		err = out.Commit()
	}
	if err != nil {
		return fmt.Errorf("could not write the output: %w", outfile.Bare(err))
	}
	return nil
}

func (c *command) quota(q codehost.Quota) (string, error) {
	switch {
	case c.format == "json":
		text, err := json.Marshal(map[string]any{"authenticated": c.client.HasToken(), "rate_limit": q})
		return string(text), err
	case c.format == "csv" && q.Known:
		return fmt.Sprintf("limit,remaining,reset\r\n%d,%d,%s\r", q.Limit, q.Remaining, q.Reset.UTC().Format(time.RFC3339)), nil
	case c.format == "csv":
		return "limit,remaining,reset\r", nil
	case !q.Known:
		return "This server has no API quota.", nil
	}
	with := "With a token"
	more := ""
	if !c.client.HasToken() {
		with, more = "Without a token", " With GITHUB_TOKEN you have 5,000 requests an hour."
	}
	return fmt.Sprintf("API quota: %s.\n%s, at %s. Resets at %s.%s", quotaText(q, c.now()), with, c.printable(c.client.Base()),
		q.Reset.Local().Format("15:04"), more), nil
}
