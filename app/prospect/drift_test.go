package prospect_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/fakehost"
)

// exchange is a host that can become another.
type exchange struct{ *fakehost.Host }

func (e *exchange) Do(r *http.Request) (*http.Response, error) { return e.Host.Do(r) }

// The listing shifted between the end of a run and its going on: people in
// front left or came. Nobody who is in it is lost, for one page more.
func TestGoingOnWithAListingThatShifted(t *testing.T) {
	people := fakehost.Crowd(450)
	newcomers := fakehost.Crowd(40)
	for i := range newcomers {
		newcomers[i].Login = "new-" + newcomers[i].Login
	}
	gone := append([]fakehost.Account{{Gone: true}}, people[1:]...)
	gone[150].Gone = true
	for name, tt := range map[string]struct {
		before, after []fakehost.Account
		mayMiss       int
	}{
		"nothing":          {people, people, 0},
		"one left":         {people, people[1:], 0},
		"forty left":       {people, people[40:], 0},
		"a page left":      {people, people[100:], 0},
		"left in between":  {people, slices.Concat(people[:20], people[30:120], people[170:]), 0},
		"more than a page": {people, people[130:], 30}, // the limit, see [prospect.State]
		"nearly all left":  {people, people[400:], 50}, // too
		"all left":         {people, nil, 0},
		"forty came":       {people, slices.Concat(newcomers, people), 40},
		"gone accounts":    {gone, gone[50:], 0},
	} {
		for _, saving := range []string{"saved", "saved twice", "same job"} {
			t.Run(name+", "+saving, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					host := &exchange{&fakehost.Host{People: tt.before, Quota: 170, Latency: latency}}
					c := client(t, nil, func(c *codehost.Config) { c.Doer = host })
					query := prospect.Query{Source: codehost.Forks, Repo: repo, Enrich: true}
					j := job(t, c, query, prospect.Options{})
					var got collect
					if _, err := j.Run(t.Context(), got.each); err == nil || host.Count().Listing != 2 {
						t.Fatalf("%v, %d pages", err, host.Count().Listing)
					}
					before := j.Counts()
					host.Host = &fakehost.Host{People: tt.after, Latency: latency, Quota: 10_000}
					c = client(t, nil, func(c *codehost.Config) { c.Doer = host })
					switch saving {
					case "saved twice":
						j = job(t, c, query, prospect.Options{State: saved(t, j)})
						fallthrough
					case "saved":
						j = job(t, c, query, prospect.Options{State: saved(t, j)})
						got = collect{}
					case "same job":
						time.Sleep(time.Hour + time.Minute)
					}
					plan, err := j.Plan(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					report, err := j.Run(t.Context(), got.each)
					if err != nil || !report.Complete || report.Counts.Check() != nil {
						t.Fatalf("%v, %+v", err, report.Counts)
					}
					missing := -tt.mayMiss
					for _, p := range tt.after {
						if !p.Gone && !slices.Contains(got.kept(), p.Login) {
							missing++
						}
					}
					if missing > 0 {
						t.Errorf("%d are lost", missing)
					}
					pages := max((len(tt.after)+99)/100-2, 0) + 1
					if n := host.Count().Listing; n > pages || n < 1 {
						t.Errorf("%d pages read, %d would do", n, pages)
					}
					for path, times := range host.Count().ByPath {
						if times > 1 && strings.HasPrefix(path, "/repos") {
							t.Errorf("%s was read %d times", path, times)
						}
					}
					if name == "nothing" && (report.Counts.Duplicates != before.Duplicates || report.Counts.Listed != 450 || plan.Pages != 4 || report.Requests > plan.Requests) {
						t.Errorf("%+v, was %+v; %d requests, planned %d and %d pages", report.Counts, before, report.Requests, plan.Requests, plan.Pages)
					}
					if name == "gone accounts" && report.Counts.FailedBy["gone"] != 2 {
						t.Errorf("%+v", report.Counts)
					}
				})
			})
		}
	}
}

// A run saved while a page is on its way is saved as before that page: its
// people are not in it yet.
func TestSavedWhileAPageArrives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := &fakehost.Host{People: fakehost.Crowd(250), Latency: latency}
		query := prospect.Query{Source: codehost.Forks, Repo: repo, Enrich: true}
		j := job(t, client(t, host, nil), query, prospect.Options{})
		var states []*prospect.State
		if _, err := j.Run(t.Context(), func(e prospect.Event) error {
			if e.Outcome != nil && e.Outcome.Number%10 == 0 {
				time.Sleep(time.Second) // everything asked for arrives, and waits
				states = append(states, saved(t, j))
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		for _, s := range states {
			page := map[int]string{1: "page=2", 2: "page=3", 3: ""}[s.Pages]
			if !strings.HasSuffix(s.Next, page) || (s.Next == "") != (s.Pages == 3) || len(s.People) != min(s.Pages*100, 250) {
				t.Errorf("%d people of %d pages, next %q", len(s.People), s.Pages, s.Next)
			}
		}
	})
}
