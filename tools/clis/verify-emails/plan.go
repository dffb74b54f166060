package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"marketingskills/app/text"
	"marketingskills/app/verify"
	"marketingskills/tools/internal/console"
	"marketingskills/tools/internal/pace"
	"marketingskills/tools/internal/verifiers"
)

// estimate is what a dry run finds out without sending anything.
type estimate struct {
	Format     string  `json:"format"`
	Emails     int     `json:"emails"` // different ones
	Duplicates int     `json:"duplicates"`
	Known      int     `json:"known"` // have an answer in the earlier output
	Invalid    int     `json:"invalid"`
	Disposable int     `json:"disposable"`
	Role       int     `json:"role"`
	Credits    int     `json:"credits"` // at most
	PerSecond  int     `json:"requests_per_second"`
	Seconds    float64 `json:"least_seconds"`
}

// plan prints what a run would do. The check for mail servers asks the domain
// name system, and is left out.
func (c *command) plan(ctx context.Context, in *input) error {
	service, err := verifiers.Find(c.service)
	if err != nil {
		return err
	}
	limit, err := service.Limit()
	if err != nil {
		return err
	}
	if err := in.job.Check(ctx, c.checker(), func() {}); err != nil {
		return err
	}
	p := estimate{Format: "verify-emails-plan", Emails: in.job.Len(), Duplicates: in.given - in.job.Len(), Credits: in.job.Credits(),
		PerSecond: limit}
	for _, e := range in.job.Entries() {
		switch {
		case e.Asked:
			p.Known++
		case e.Local.State == verify.EmailInvalid:
			p.Invalid++
		case e.Local.SubState == verify.IsDisposable:
			p.Disposable++
		case e.Local.SubState == verify.IsRole:
			p.Role++
		}
	}
	p.Seconds = (time.Duration(max(p.Credits-1, 0)/limit) * pace.Span).Seconds()
	if c.json {
		e := json.NewEncoder(c.stdout)
		e.SetIndent("", "  ")
		return e.Encode(p)
	}
	return c.printPlan(in, p)
}

func (c *command) printPlan(in *input, p estimate) error {
	source := "list of emails"
	if c.csv != "" {
		source = fmt.Sprintf("%s, column %s", text.Name(c.csv), text.Name(in.file.Column()))
	}
	took := "under a minute"
	if p.Seconds >= 60 {
		took = "at least " + console.Short(time.Duration(p.Seconds*float64(time.Second)))
	}
	lines := "Plan: " + source + "\n" +
		"  emails      " + text.Number(p.Emails) + "\n" +
		"  duplicates  " + text.Number(p.Duplicates) + "\n"
	if c.resume != "" {
		lines += "  known       " + text.Number(p.Known) + ", from --resume\n"
	}
	lines += "  invalid     " + text.Number(p.Invalid) + "\n" +
		"  disposable  " + text.Number(p.Disposable) + "\n" +
		"  role        " + text.Number(p.Role) + "\n" +
		"  credits     " + text.Number(p.Credits) + " at most\n" +
		"  time        " + took + ", at " + text.Number(p.PerSecond) + " requests a second\n" +
		"Nothing was sent. A run also asks DNS for mail servers, which may save credits.\n"
	_, err := fmt.Fprint(c.stdout, lines)
	return err
}
