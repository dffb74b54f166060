package prospect_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/fakehost"
	"marketingskills/app/rest"
)

var repo = codehost.Repo{Owner: "octo", Name: "tool"}

func client(t testing.TB, h *fakehost.Host, change func(*codehost.Config)) *codehost.Client {
	t.Helper()
	config := codehost.Config{Base: fakehost.Base, Doer: h, Token: rest.NewSecret(fakehost.Token)}
	if change != nil {
		change(&config)
	}
	c, err := codehost.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func job(t testing.TB, c *codehost.Client, q prospect.Query, o prospect.Options) *prospect.Job {
	t.Helper()
	if q.Repo.Owner == "" {
		q.Repo = repo
	}
	if q.Source == "" {
		q.Source = codehost.Stargazers
	}
	j, err := prospect.NewJob(c, q, o)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// collect gathers outcomes and holds them against the law: in order, each
// once, the totals add up.
type collect struct {
	outcomes []prospect.Outcome
	notices  int
	last     prospect.Progress
}

func (c *collect) each(e prospect.Event) error {
	c.last = e.Progress
	if e.Outcome != nil {
		c.outcomes = append(c.outcomes, *e.Outcome)
	}
	if e.Notice != nil {
		c.notices++
	}
	return nil
}

func (c *collect) kept() (logins []string) {
	for _, o := range c.outcomes {
		if o.Verdict == prospect.Matched {
			logins = append(logins, o.Login)
		}
	}
	return logins
}

func (c *collect) lawful(t *testing.T, r prospect.Report) {
	t.Helper()
	if err := r.Counts.Check(); err != nil {
		t.Error(err)
	}
	if len(c.outcomes) != r.Counts.Listed || len(c.kept()) != r.Counts.Matches {
		t.Errorf("%d outcomes, %d kept; the report says %+v", len(c.outcomes), len(c.kept()), r.Counts)
	}
	before := 0
	for _, o := range c.outcomes {
		if o.Number <= before {
			t.Errorf("outcome %d after %d: out of order or twice", o.Number, before)
		}
		before = o.Number
		if (o.Verdict == prospect.Matched) != (o.Record != nil) || (o.Verdict != prospect.Matched) != (o.Cause != "") {
			t.Errorf("half an outcome: %+v", o)
		}
	}
	if r.Complete != (r.Stop == nil) {
		t.Errorf("complete %v, but stopped by %+v", r.Complete, r.Stop)
	}
}

// saved writes and reads a state, as a file would.
func saved(t *testing.T, j *prospect.Job) *prospect.State {
	t.Helper()
	var b bytes.Buffer
	if err := j.State().Write(&b); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "MustNeverBeSeen") {
		t.Error("the token is in the saved run")
	}
	s, err := prospect.ReadState(&b)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func total(c fakehost.Count) string {
	return fmt.Sprintf("%d requests (%d pages, %d profiles)", c.Requests, c.Listing, c.Profiles)
}

const latency = 80 * time.Millisecond
