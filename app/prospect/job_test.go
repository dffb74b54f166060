package prospect_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/export"
	"marketingskills/app/prospect/fakehost"
	"marketingskills/app/rest"
)

func TestQueriesAreCheckedBeforeAnythingIsSpent(t *testing.T) {
	host := &fakehost.Host{People: fakehost.Crowd(10)}
	anonymous := client(t, host, func(c *codehost.Config) { c.Token = rest.Secret{} })
	good := prospect.Query{Source: "forks", Repo: repo}
	for want, change := range map[string]func(*prospect.Query){
		"use a token":        func(q *prospect.Query) { q.WithEmail = true },
		"unknown list":       func(q *prospect.Query) { q.Source = "fans" },
		"no repository":      func(q *prospect.Query) { q.Repo = codehost.Repo{} },
		"target -3":          func(q *prospect.Query) { q.Target = -3 },
		"limit -1":           func(q *prospect.Query) { q.Limit = -1 },
		"User or Organ":      func(q *prospect.Query) { q.Type = "user" },
		"only stargazers":    func(q *prospect.Query) { q.StarredSince = time.Now() },
		"one short sentence": func(q *prospect.Query) { q.Purpose = strings.Repeat("x", 3000) },
		"61 countries":       func(q *prospect.Query) { q.Countries = countries(61) },
		"separate countrie":  func(q *prospect.Query) { q.Countries = []string{"Peru", strings.Repeat("é", 41)} },
	} {
		q := good
		change(&q)
		_, err := prospect.NewJob(anonymous, q, prospect.Options{})
		if _, ok := errors.AsType[*prospect.QueryError](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if _, err := prospect.NewJob(anonymous, good, prospect.Options{Concurrency: 101}); err == nil {
		t.Error("101 at once")
	}
	if host.Count().Requests != 0 {
		t.Error("something was spent")
	}
}

func countries(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("Country %d", i))
	}
	return names
}

// TestCountriesGoWherePurposeGoes: into the saved run, into what goes on with
// it, and into the outputs; cleaned, and without a say in who is kept.
func TestCountriesGoWherePurposeGoes(t *testing.T) {
	c := client(t, &fakehost.Host{People: fakehost.Crowd(3)}, nil)
	given := []string{" Côte d\u202e'Ivoire\n", "\x1b", "Peru", "Peru", "United\n States", strings.Repeat("\xff", 80) + "\x00"}
	if _, err := prospect.NewJob(c, prospect.Query{Source: "forks", Repo: repo, Countries: given}, prospect.Options{}); err != nil {
		t.Error("80 bytes that are no text are one replacement:", err)
	}
	j := job(t, c, prospect.Query{Source: "forks", Countries: given[:5], Purpose: "P", LawfulBasis: "consent"}, prospect.Options{})
	if given[0] != " Côte d\u202e'Ivoire\n" {
		t.Error("the caller's names were changed")
	}
	report, err := j.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Côte d'Ivoire", "Peru", "United States"}
	state := saved(t, j)
	if !slices.Equal(report.Query.Countries, want) || !slices.Equal(state.Query.Countries, want) {
		t.Errorf("%q, saved %q", report.Query.Countries, state.Query.Countries)
	}
	other := state.Query
	other.Countries = countries(60)
	if _, err := prospect.NewJob(c, other, prospect.Options{State: state}); err != nil {
		t.Error("other countries are no other search:", err)
	}
	var about strings.Builder
	if err := export.About(&about, report); err != nil || !strings.Contains(about.String(), `"countries":["Côte d'Ivoire","Peru","United States"]`) {
		t.Errorf("%v: %s", err, about.String())
	}
	for preset, cell := range map[string]string{
		"hubspot":    `,"P (lawful basis: consent; countries: Côte d'Ivoire, Peru, United States)"`,
		"salesforce": ` P (lawful basis: consent; countries: Côte d'Ivoire, Peru, United States)"`,
	} {
		var b strings.Builder
		f, _ := export.Named(preset)
		if err := export.New(&b, report.Query, f).Write(prospect.Record{User: codehost.User{Login: "x"}}); err != nil || !strings.Contains(b.String(), cell) {
			t.Errorf("%s: %v: %s", preset, err, b.String())
		}
	}
	var b strings.Builder
	if err := state.Write(&b); err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(b.String(), `"Peru"`, `" Pe\u001bru\r\n","",""`, 1)
	if s, err := prospect.ReadState(strings.NewReader(text)); err != nil || !slices.Equal(s.Query.Countries, want) {
		t.Errorf("%v: %q", err, s.Query.Countries)
	}
	text = strings.Replace(b.String(), `"Peru"`, `"`+strings.Repeat("x", 81)+`"`, 1)
	if _, err := prospect.ReadState(strings.NewReader(text)); err == nil {
		t.Error("a name of 81 bytes was read")
	}
}

func TestPlan(t *testing.T) { synctest.Test(t, testPlan) }

func testPlan(t *testing.T) {
	host := &fakehost.Host{People: fakehost.Crowd(1950)}
	j := job(t, client(t, host, nil), prospect.Query{Enrich: true}, prospect.Options{})
	p, err := j.Plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if c := host.Count(); c.Listing != 1 || c.Requests != 2 || c.Profiles != 0 {
		t.Errorf("the plan cost %s", total(c))
	}
	if p.People != 2000 || p.Exact || p.Pages != 19 || p.Requests != 2019 || p.Least != 2019 || p.Share != 2019.0/5000 || !p.Fits || p.PacedTime != 2*time.Minute || p.Quota.Remaining != 4999 || p.Spent != 1 {
		t.Errorf("%+v", p)
	}
	var got collect
	if _, err := j.Run(t.Context(), got.each); err != nil || len(got.kept()) != 1950 || host.Count().ByPath["/repos/octo/tool/stargazers?per_page=100"] != 1 {
		t.Errorf("the run after the plan: %v, %s", err, total(host.Count()))
	}
	for _, tt := range []struct {
		query prospect.Query
		want  [5]int // people, pages, requests, least, resets
	}{
		{prospect.Query{}, [5]int{2000, 19, 19, 19, 0}},
		{prospect.Query{Enrich: true, Limit: 150}, [5]int{150, 1, 151, 151, 0}},
		{prospect.Query{WithEmail: true, Target: 50}, [5]int{2000, 19, 2019, 50, 0}},
		{prospect.Query{WithEmail: true, Target: 150}, [5]int{2000, 19, 2019, 151, 0}},
		{prospect.Query{Target: 150}, [5]int{2000, 19, 19, 1, 0}},
	} {
		p, err := job(t, client(t, &fakehost.Host{People: host.People}, nil), tt.query, prospect.Options{}).Plan(t.Context())
		if got := [5]int{p.People, p.Pages, p.Requests, p.Least, p.Resets}; err != nil || got != tt.want {
			t.Errorf("%+v: %v, want %v, %v", tt.query, got, tt.want, err)
		}
	}
	small := &fakehost.Host{People: host.People, Quota: 60}
	if p, err := job(t, client(t, small, nil), prospect.Query{Enrich: true}, prospect.Options{}).Plan(t.Context()); err != nil || p.Fits || p.Resets != 33 {
		t.Errorf("%+v, %v", p, err)
	}
	closed := &fakehost.Host{People: host.People, Restriction: fakehost.RestrictedNotFound}
	if _, err := job(t, client(t, closed, nil), prospect.Query{}, prospect.Options{}).Plan(t.Context()); !errors.Is(err, codehost.ErrRestricted) {
		t.Error(err)
	}
}

// leastFor is the least possible number of requests for a target, when
// profiles are fetched in order: the pages and the profiles up to the last
// match.
func leastFor(people []fakehost.Account, target int) int {
	for i, p := range people {
		if p.Email != "" {
			if target--; target == 0 {
				return i + 1 + i/100 + 1
			}
		}
	}
	return -1
}

func TestTargetStopsEarly(t *testing.T) {
	people := fakehost.Crowd(1000)
	for _, concurrency := range []int{1, 3, 10} {
		for _, target := range []int{1, 19, 20, 21, 50, 100} {
			synctest.Test(t, func(t *testing.T) {
				host := &fakehost.Host{People: people, Latency: latency}
				var got collect
				report, err := job(t, client(t, host, nil), prospect.Query{WithEmail: true, Target: target}, prospect.Options{Concurrency: concurrency}).Run(t.Context(), got.each)
				least := leastFor(people, target)
				if err != nil || len(got.kept()) != target || report.Requests > least+concurrency-1 || host.Count().Requests > report.Requests {
					t.Errorf("target %d, %d at once: %d requests, least %d; %v", target, concurrency, report.Requests, least, err)
				}
				got.lawful(t, report)
			})
		}
	}
	synctest.Test(t, func(t *testing.T) { // nothing can fall through: not one too many
		host := &fakehost.Host{People: people, Latency: latency}
		report, err := job(t, client(t, host, nil), prospect.Query{Enrich: true, Target: 50}, prospect.Options{}).Run(t.Context(), nil)
		if err != nil || report.Requests != 51 {
			t.Errorf("%d requests for 50 people, %v", report.Requests, err)
		}
	})
}

func TestFiltersAndSuppression(t *testing.T) {
	people := fakehost.Crowd(60)
	list := "# people who asked\nPERSON-00004  # comment\n@person-00005\nhttps://github.com/person-00006\np9@mail.example\n*.p3.example\nhttps://code.example.com/person-00007\n"
	s, err := prospect.ParseSuppression(strings.NewReader(list))
	if err != nil || s.Len() != 7 {
		t.Fatalf("%d entries, %v", s.Len(), err)
	}
	host := &fakehost.Host{People: people}
	query := prospect.Query{Enrich: true, Type: "User", StarredSince: people[2].StarredAt}
	var got collect
	report, err := job(t, client(t, host, nil), query, prospect.Options{Suppress: s}).Run(t.Context(), got.each)
	got.lawful(t, report)
	c := report.Counts
	if err != nil || c.FilteredBy["type"] != 6 || c.FilteredBy["starred-since"] != 2 || c.SuppressedBy["login"] != 4 || c.SuppressedBy["domain"] != 1 || c.Matches != 47 {
		t.Errorf("%+v, %v", c, err)
	}
	if n := host.Count().Profiles; n != 48 {
		t.Errorf("%d profiles fetched: those known beforehand need none", n)
	}
	all, err := prospect.ParseSuppression(strings.NewReader("mail.example\n"))
	if err != nil {
		t.Fatal(err)
	}
	report, err = job(t, client(t, host, nil), prospect.Query{WithEmail: true}, prospect.Options{Suppress: all}).Run(t.Context(), nil)
	if err != nil || report.Counts.Matches != 0 || report.Counts.Suppressed != 12 {
		t.Errorf("%+v, %v", report.Counts, err)
	}
	for _, bad := range []string{"two words", "a@b", "a/b", "@", ".", "x@.example"} {
		if _, err := prospect.ParseSuppression(strings.NewReader("ok\n" + bad)); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestResumeRefusesAnotherRun(t *testing.T) { synctest.Test(t, testResume) }

func testResume(t *testing.T) {
	host := &fakehost.Host{People: fakehost.Crowd(150), Quota: 60, Latency: latency}
	c := client(t, host, nil)
	query := prospect.Query{Source: "forks", Repo: repo, Enrich: true, Type: "User"}
	j := job(t, c, query, prospect.Options{})
	if _, err := j.Run(t.Context(), nil); err == nil {
		t.Fatal("the quota did not end it")
	}
	state := saved(t, j)
	for name, change := range map[string]func(*prospect.Query){
		"source": func(q *prospect.Query) { q.Source = "contributors" }, "repository": func(q *prospect.Query) { q.Repo.Name = "x" },
		"enrichment": func(q *prospect.Query) { q.Enrich = false }, "filters": func(q *prospect.Query) { q.Type = "" },
	} {
		q := query
		change(&q)
		if _, err := prospect.NewJob(c, q, prospect.Options{State: state}); err == nil || !strings.Contains(err.Error(), "different settings ("+name+")") {
			t.Errorf("%s: %v", name, err)
		}
	}
	s, _ := prospect.ParseSuppression(strings.NewReader("person-00001"))
	var got collect
	report, err := job(t, client(t, &fakehost.Host{People: host.People}, nil), query, prospect.Options{State: state, Suppress: s}).Run(t.Context(), got.each)
	got.lawful(t, report)
	if err != nil || report.Counts.SuppressedBy["login"] != 1 || report.Counts.Matches != 134 || report.Requests > 91 {
		t.Errorf("%+v, %d requests, %v, first %+v", report.Counts, report.Requests, err, got.outcomes[0])
	}
}

func TestSavedRunsAreNotTrusted(t *testing.T) {
	good := `{"format":"prospects-run","version":1,"saved_at":"2026-11-01T00:00:00Z","base":"https://api.codehost.test","query":{"source":"forks","repo":"octo/tool","enrich":true,"with_email":false,"with_company":false,"with_blog":false},"pages":1,"duplicates":0,"people":[{"login":"a","page":"https://h.example/x","verdict":"kept","record":{"login":"a","name":"A\u001b[2J\u202e","public_repos":1,"followers":2,"html_url":"javascript:alert(1)","fetched_at":"2026-11-01T00:00:00Z"}}]}`
	s, err := prospect.ReadState(strings.NewReader(good))
	if err != nil || s.People[0].Record.Name != "A[2J" || s.People[0].Record.HTMLURL != "" || s.People[0].Record.SourceRepo != "octo/tool" {
		t.Fatalf("%+v, %v", s, err)
	}
	for from, to := range map[string]string{
		`"version":1`: `"version":2`, `prospects-run`: `prospects`, `"verdict":"kept"`: `"verdict":"won"`, `"pages":1`: `"pages":-1`,
		`"people":[`: `"people":[{"login":"A","page":""},`, `"login":"a","name"`: `"login":"../b","name"`, `octo/tool`: `octo`,
		`"duplicates":0`: `"duplicates":0,"else":1`, `]}`: `]}{}`, `"source":"forks"`: `"source":"fans"`, `"verdict":"kept",`: `"verdict":"failed",`,
	} {
		if _, err := prospect.ReadState(strings.NewReader(strings.Replace(good, from, to, 1))); err == nil || !strings.Contains(err.Error(), "saved run") && !strings.Contains(err.Error(), "run was saved") {
			t.Errorf("%s: %v", to, err)
		}
	}
	for cut := 0; cut < len(good); cut += 7 {
		if _, err := prospect.ReadState(strings.NewReader(good[:cut])); err == nil {
			t.Errorf("cut off at %d it was taken", cut)
		}
	}
	s.Next = "https://evil.example/repos/octo/tool/forks?page=2"
	if _, err := prospect.NewJob(client(t, &fakehost.Host{}, nil), s.Query, prospect.Options{State: s}); err == nil {
		t.Error("a position on another host was taken")
	}
	s.Base = "https://evil.example"
	if _, err := prospect.NewJob(client(t, &fakehost.Host{}, nil), s.Query, prospect.Options{State: s}); err == nil {
		t.Error("another host was taken")
	}
}

func FuzzReadState(f *testing.F) {
	f.Add(`{"format":"prospects-run","version":1,"saved_at":"2026-11-01T00:00:00Z","base":"b","query":{"source":"forks","repo":"o/t"},"pages":1,"people":[{"login":"a","page":""}]}`)
	f.Add(`{"people":[{"login":"a","page":""},{"login":"a\u200b","page":""}],"format":"prospects-run","version":1,"query":{"source":"forks","repo":"o/t"}}`)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := prospect.ReadState(strings.NewReader(text))
		if err != nil {
			return
		}
		var b strings.Builder
		if err := s.Write(&b); err != nil {
			t.Fatal(err)
		}
		if _, err := prospect.ReadState(strings.NewReader(b.String())); err != nil {
			t.Errorf("what was read does not read again: %v\n%s", err, b.String())
		}
	})
}
