package main

import (
	"context"
	"encoding/json"
	"fmt"

	"marketingskills/app/prospect"
	"marketingskills/app/text"
	"marketingskills/tools/internal/console"
)

func (c *command) plan(ctx context.Context, job *prospect.Job) error {
	p, err := job.Plan(ctx)
	if err != nil {
		return err
	}
	if c.format == "json" {
		return c.planJSON(p)
	}
	return c.lines(c.planLines(p)...)
}

func (c *command) planLines(p prospect.Plan) []string {
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
		"  pages     " + text.Number(p.Pages) + " to fetch",
		"  requests  " + requests,
	}
	if p.Quota.Known {
		lines = append(lines, fmt.Sprintf("  quota     %.1f%% of one hour's API quota; %s", p.Share*100, quotaText(p.Quota, c.now())))
	} else {
		lines = append(lines, "  quota     this server has no API quota")
	}
	pace := "under a minute"
	if p.PacedTime > 0 {
		pace = "at least " + console.Short(p.PacedTime)
	}
	lines = append(lines, fmt.Sprintf("  time      %s, at %s requests a minute", pace, text.Number(c.client.PointsPerMinute())))
	if !p.Fits {
		tooSmall := fmt.Sprintf("The remaining API quota is too small. The run would stop after about %s and be saved; "+
			"with --wait it waits for a reset %s.",
			text.Count(p.Quota.Remaining, "request"), text.Count(p.Resets, "time"))
		if !c.client.HasToken() {
			tooSmall += " With GITHUB_TOKEN you have 5,000 requests an hour."
		}
		lines = append(lines, tooSmall)
	}
	return append(lines, fmt.Sprintf("This plan used %s. GitHub forbids unsolicited email to people found through its API; see --help.",
		text.Count(p.Spent, "request")))
}

func (c *command) planJSON(p prospect.Plan) error {
	e := json.NewEncoder(c.stdout)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Format string `json:"format"`
		prospect.Plan
		Seconds float64 `json:"least_seconds"`
	}{"prospects-plan", p, p.PacedTime.Seconds()})
}
