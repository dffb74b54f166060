package prospect_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/fakehost"
)

// Every cause has a title and happens; whoever adds one adds a case.
func TestCauses(t *testing.T) {
	profile := func(f fakehost.Fault) *fakehost.Host {
		f.Path = "/users/ann"
		return &fakehost.Host{People: []fakehost.Account{{Login: "ann"}}, Faults: []*fakehost.Fault{&f}}
	}
	ann := func(a fakehost.Account) *fakehost.Host {
		a.Login = "ann"
		return &fakehost.Host{People: []fakehost.Account{a}}
	}
	cases := map[string]struct {
		host     *fakehost.Host
		query    prospect.Query
		suppress string
	}{
		"type":          {host: ann(fakehost.Account{}), query: prospect.Query{Type: "Organization"}},
		"starred-since": {host: ann(fakehost.Account{}), query: prospect.Query{StarredSince: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}},
		"with-email":    {host: ann(fakehost.Account{}), query: prospect.Query{WithEmail: true}},
		"with-company":  {host: ann(fakehost.Account{}), query: prospect.Query{WithCompany: true}},
		"with-blog":     {host: ann(fakehost.Account{}), query: prospect.Query{WithBlog: true}},
		"login":         {host: ann(fakehost.Account{}), suppress: "ann"},
		"address":       {host: ann(fakehost.Account{Email: "ann@mail.example"}), suppress: "ann@mail.example"},
		"domain":        {host: ann(fakehost.Account{Blog: "https://ann.example"}), suppress: "ann.example"},
		"gone":          {host: ann(fakehost.Account{Gone: true})},
		"missing":       {host: ann(fakehost.Account{Deleted: true})},
		"taken-down":    {host: profile(fakehost.Fault{Kind: fakehost.Answer, Status: 451})},
		"network":       {host: profile(fakehost.Fault{Kind: fakehost.Drop})},
		"time-out":      {host: profile(fakehost.Fault{Kind: fakehost.Hang})},
		"host":          {host: profile(fakehost.Fault{Kind: fakehost.Answer, Status: 502})},
		"other":         {host: profile(fakehost.Fault{Kind: fakehost.Garbage})},
	}
	for _, cause := range prospect.Causes {
		c, ok := cases[cause.Name]
		if !ok {
			t.Errorf("the cause %s has no case here", cause.Name)
			continue
		}
		if cause.Title == "" || strings.HasSuffix(cause.Title, ".") || prospect.CauseTitle(cause.Name) != cause.Title {
			t.Errorf("%s: the title is %q", cause.Name, cause.Title)
		}
		synctest.Test(t, func(t *testing.T) {
			suppress, err := prospect.ParseSuppression(strings.NewReader(c.suppress))
			if err != nil {
				t.Fatal(err)
			}
			c.query.Enrich = true
			var got collect
			j := job(t, client(t, c.host, nil), c.query, prospect.Options{Suppress: suppress})
			report, _ := j.Run(t.Context(), got.each)
			got.lawful(t, report)
			if len(got.outcomes) != 1 || got.outcomes[0].Cause != cause.Name || got.outcomes[0].Verdict != cause.Verdict ||
				got.outcomes[0].Again != cause.Temporary || report.Counts.Temporary() != map[bool]int{true: 1}[cause.Temporary] {
				t.Errorf("%s: %+v", cause.Name, got.outcomes)
			}
		})
	}
	if got := prospect.CauseTitle("unheard-of"); got != "unheard-of" {
		t.Errorf("a cause of another version is shown as %q", got)
	}
}
