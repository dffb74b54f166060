package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/text"
)

// plan finds out what a run would need, and prints it.
func (c *command) plan(ctx context.Context, job *prospect.Job, client *codehost.Client, o options) error {
	p, err := job.Plan(ctx)
	if err != nil {
		return err
	}
	if o.format == "json" {
		return c.planJSON(p)
	}
	return c.lines(planLines(p, client, c.now())...)
}

func planLines(p prospect.Plan, client *codehost.Client, now time.Time) []string {
	q := p.Query
	people := text.Number(p.People)
	if !p.Exact {
		people = "at most " + people
	}
	requests := text.Number(p.Requests)
	if p.Least < p.Requests {
		requests = fmt.Sprintf("%s to %s (stops after %s)", text.Number(p.Least), requests, text.Count(q.Target, "match"))
	}
	lines := []string{
		"Plan: " + searchOf(q),
		"  people    " + people,
		"  pages     " + text.Number(p.Pages) + " to read",
		"  requests  " + requests,
	}
	if p.Quota.Known {
		lines = append(lines, fmt.Sprintf("  quota     %.1f%% of one hour's API quota; %s", p.Share*100, quotaText(p.Quota, now)))
	} else {
		lines = append(lines, "  quota     this server has no API quota")
	}
	pace := "under a minute"
	if p.PacedTime > 0 {
		pace = "at least " + short(p.PacedTime)
	}
	lines = append(lines, fmt.Sprintf("  time      %s, at %s requests a minute", pace, text.Number(client.PointsPerMinute())))
	if !p.Fits {
		tooSmall := fmt.Sprintf("The remaining API quota is too small. The run would stop after about %s and be saved; "+
			"with --wait it waits for a reset %s.",
			text.Count(p.Quota.Remaining, "request"), text.Count(p.Resets, "time"))
		if !client.HasToken() {
			tooSmall += " With GITHUB_TOKEN you have 5,000 requests an hour."
		}
		lines = append(lines, tooSmall)
	}
	return append(lines, fmt.Sprintf("This plan used %s. GitHub forbids unsolicited email to people found through its API; see --help.",
		text.Count(p.Spent, "request")))
}

func (c *command) planJSON(p prospect.Plan) error {
	var quota *codehost.Quota
	if p.Quota.Known {
		quota = &p.Quota
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	err := e.Encode(struct {
		Format   string          `json:"format"`
		Query    prospect.Query  `json:"query"`
		People   int             `json:"people"`
		Exact    bool            `json:"exact"`
		Pages    int             `json:"pages"`
		Requests int             `json:"requests"`
		Least    int             `json:"least_requests"`
		Quota    *codehost.Quota `json:"rate_limit"`
		Share    float64         `json:"share_of_quota"`
		Fits     bool            `json:"fits"`
		Resets   int             `json:"resets"`
		Seconds  float64         `json:"least_seconds"`
		Spent    int             `json:"spent"`
	}{"prospects-plan", p.Query, p.People, p.Exact, p.Pages, p.Requests, p.Least,
		quota, p.Share, p.Fits, p.Resets, p.PacedTime.Seconds(), p.Spent})
	if err == nil {
		_, err = fmt.Fprint(c.stdout, b.String())
	}
	return err
}
