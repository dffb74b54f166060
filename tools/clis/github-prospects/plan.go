package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
)

// plan finds out what a run would cost, and prints it.
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
	people := thousands(p.People)
	if !p.Exact {
		people = "at most " + people
	}
	requests := thousands(p.Requests)
	if p.Least < p.Requests {
		requests = fmt.Sprintf("%s to %s: it ends with %s kept", thousands(p.Least), requests, thousands(q.Target))
	}
	lines := []string{
		"Plan: " + searchOf(q),
		"  people    " + people,
		"  pages     " + thousands(p.Pages) + " to read",
		"  requests  " + requests,
	}
	if p.Quota.Known {
		lines = append(lines, fmt.Sprintf("  quota     %.1f%% of an hour's; %s", p.Share*100, quotaText(p.Quota, now)))
	} else {
		lines = append(lines, "  quota     this host keeps none")
	}
	pace := "under a minute"
	if p.PacedTime > 0 {
		pace = "at least " + short(p.PacedTime)
	}
	lines = append(lines, fmt.Sprintf("  time      %s, at %s requests a minute", pace, thousands(client.PointsPerMinute())))
	if !p.Fits {
		text := fmt.Sprintf("It does not fit into what is left of the quota. The run would stop after about %s and be saved; with --wait it waits for a new hour %s.",
			count(p.Quota.Remaining, "request"), count(p.Resets, "time"))
		if !client.HasToken() {
			text += " With GITHUB_TOKEN there are 5,000 requests an hour."
		}
		lines = append(lines, text)
	}
	return append(lines, fmt.Sprintf("This plan cost %s. GitHub forbids unsolicited mail to people found through its API; see --help.", count(p.Spent, "request")))
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
	}{"prospects-plan", p.Query, p.People, p.Exact, p.Pages, p.Requests, p.Least, quota, p.Share, p.Fits, p.Resets, p.PacedTime.Seconds(), p.Spent})
	if err == nil {
		_, err = fmt.Fprint(c.stdout, b.String())
	}
	return err
}
