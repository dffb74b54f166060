package prospects

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/text"
)

func TestPlanFacts(t *testing.T) {
	for _, c := range []struct {
		name string
		plan prospect.Plan
		want string
	}{
		{"exact", prospect.Plan{People: 250, Exact: true, Pages: 2, Requests: 252, Least: 252, Spent: 1},
			"250; 252 (2 more list pages, 250 profiles); 1; under 1 minute"},
		{"the last page may be short", prospect.Plan{People: 40_000, Pages: 399, Requests: 40_399, Least: 40_399, Spent: 1, PacedTime: 44 * time.Minute},
			"at most 40,000; at most 40,399 (399 more list pages, 40,000 profiles); 1; at least 44 minutes"},
		{"with a target", prospect.Plan{People: 1_300, Pages: 12, Requests: 1_312, Least: 50, PacedTime: time.Minute},
			"at most 1,300; 50 to 1,312 (12 more list pages, 1,300 profiles); at least 1 minute"},
		{"one of each", prospect.Plan{People: 101, Exact: true, Pages: 1, Requests: 2, Least: 2}, "101; 2 (1 more list page, 1 profile); under 1 minute"},
		{"profiles only", prospect.Plan{People: 30, Exact: true, Requests: 30, Least: 30}, "30; 30; under 1 minute"},
		{"pages only", prospect.Plan{People: 300, Pages: 2, Requests: 2, Least: 2}, "at most 300; at most 2; under 1 minute"},
		{"all there already", prospect.Plan{People: 100}, "at most 100; 0; under 1 minute"},
	} {
		var values []string
		for _, f := range planFacts(c.plan) {
			values = append(values, f.Value)
		}
		if got := strings.Join(values, "; "); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestPlanRemarks(t *testing.T) {
	reset := time.Now().Add(time.Hour)
	fits := prospect.Plan{People: 10, Exact: true, Fits: true, Query: prospect.Query{WithBlog: true}}
	for _, c := range []struct {
		name   string
		change func(p *prospect.Plan)
		token  bool
		want   []string
	}{
		{"nothing to say", func(*prospect.Plan) {}, true, nil},
		{"nobody", func(p *prospect.Plan) { p.People, p.Exact = 0, false }, false, []string{"This list is empty"}},
		{"not exact", func(p *prospect.Plan) { p.Exact = false }, true, []string{"these numbers are maximums"}},
		{"no token", func(*prospect.Plan) {}, false, []string{"60 requests an hour and shows no email addresses"}},
		{"no profiles", func(p *prospect.Plan) { p.Query.WithBlog = false }, true, []string{"no names, companies, emails or locations"}},
		{"one more hour", func(p *prospect.Plan) { p.Fits, p.Resets, p.Quota.Reset = false, 1, reset }, true,
			[]string{"It resets at " + reset.Local().Format("15:04") + ". The run stops when the quota is used up"}},
		{"three more hours, and all the rest", func(p *prospect.Plan) { *p = prospect.Plan{People: 10, Resets: 3, Quota: codehost.Quota{Reset: reset}} }, false,
			[]string{"maximums", "stops 3 times", "60 requests", "no names"}},
	} {
		plan := fits
		c.change(&plan)
		got := planRemarks(plan, c.token)
		for i, want := range c.want {
			if i >= len(got) || !strings.Contains(got[i], want) {
				t.Errorf("%s: nothing says %q in %q", c.name, want, got)
			}
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: got %q", c.name, got)
		}
	}
}

func TestShareText(t *testing.T) {
	for share, want := range map[float64]string{0: "none", 0.0002: "less than 1%", 0.01: "at most 1%", 0.25: "at most 25%", 1: "at most 100%", 8.5: "at most 850%"} {
		if got := shareText(share); !strings.Contains(got, want) {
			t.Errorf("%v: got %q, want %q", share, got, want)
		}
	}
}

// A percentage that is called the most is rounded up.
func TestShareTextIsNoLess(t *testing.T) {
	for n := 50; n <= 20_000; n += 10 {
		text := shareText(float64(n) / 5000)
		_, after, _ := strings.Cut(text, "at most ")
		percent, _, _ := strings.Cut(after, "%")
		if most, err := strconv.Atoi(percent); err != nil || most*50 < n || most*50 > n+100 {
			t.Fatalf("%d of 5,000: got %q", n, text)
		}
	}
}

func TestQuotaText(t *testing.T) {
	soon := time.Now().Add(30 * time.Minute)
	for _, c := range []struct {
		quota codehost.Quota
		want  string
	}{
		{codehost.Quota{Limit: 5000, Remaining: 4999, Reset: soon}, "API quota: 4,999 of 5,000 requests remaining, resets at " + soon.Local().Format("15:04")},
		{codehost.Quota{Limit: 60, Remaining: 60, Reset: soon}, "API quota: 60 of 60 requests remaining"},
		{codehost.Quota{Limit: 60, Remaining: 0, Reset: time.Now().Add(-time.Second)}, "API quota: 0 of 60 requests remaining"},
		{codehost.Quota{Limit: 60, Remaining: 3}, "API quota: 3 of 60 requests remaining"},
	} {
		if got := quotaText(c.quota); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestGauge(t *testing.T) {
	for _, c := range []struct {
		limit, remaining, requests int
		want                       string
	}{
		{5000, 4000, 500, "20.00% 10.00% 70.00%"},
		{5000, 4000, 9000, "20.00% 80.00% 0.00%"},
		{60, 0, 10, "100.00% 0.00% 0.00%"},
		{60, 60, 0, "0.00% 0.00% 100.00%"},
	} {
		p := prospect.Plan{Requests: c.requests, Quota: codehost.Quota{Known: true, Limit: c.limit, Remaining: c.remaining}}
		if got := strings.Join(widths(t, gauge(p)), " "); got != c.want {
			t.Errorf("%+v: got %s", c, got)
		}
	}
}

func TestDurations(t *testing.T) {
	for _, c := range []struct {
		d     time.Duration
		words string
		clock string
	}{
		{-time.Minute, "1 minute", "0:00"},
		{400 * time.Millisecond, "1 minute", "0:00"},
		{59600 * time.Millisecond, "1 minute", "1:00"},
		{2*time.Minute + 5*time.Second, "2 minutes", "2:05"},
		{59*time.Minute + 59600*time.Millisecond, "1 hour", "1:00:00"},
		{time.Hour + 10*time.Minute, "1 hour 10 minutes", "1:10:00"},
		{2*time.Hour + time.Minute + time.Second, "2 hours 1 minute", "2:01:01"},
		{1000 * time.Hour, "1,000 hours", "1000:00:00"},
	} {
		if got := fmt.Sprint(text.Duration(c.d), ", ", text.Countdown(c.d)); got != c.words+", "+c.clock {
			t.Errorf("%v: got %s, want %s, %s", c.d, got, c.words, c.clock)
		}
	}
}
