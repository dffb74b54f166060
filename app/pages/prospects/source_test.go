package prospects

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"marketingskills/app/pages"
	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
)

var engine = codehost.Repo{Owner: "acme", Name: "engine"}

// with is a copy of a form with some fields changed: name, value, name, value.
func with(form map[string]string, changes ...string) map[string]string {
	form = maps.Clone(form)
	for i := 0; i < len(changes); i += 2 {
		form[changes[i]] = changes[i+1]
	}
	return form
}

// fieldsIn names the fields something is wrong with.
func fieldsIn(wrong map[string]string) string {
	return strings.Join(slices.Sorted(maps.Keys(wrong)), " ")
}

func TestParseSource(t *testing.T) {
	form := map[string]string{"repo": "acme/engine", "source": "forks", "type": "any", "enrich": "yes"}
	good := prospect.Query{Repo: engine, Source: codehost.Forks, Enrich: true}
	for _, c := range []struct {
		change []string
		want   func(q *prospect.Query)
	}{
		{nil, func(*prospect.Query) {}},
		{[]string{"enrich", ""}, func(q *prospect.Query) { q.Enrich = false }},
		{[]string{"with-email", "yes"}, func(q *prospect.Query) { q.WithEmail = true }},
		{[]string{"with-company", "yes"}, func(q *prospect.Query) { q.WithCompany = true }},
		{[]string{"with-blog", "yes"}, func(q *prospect.Query) { q.WithBlog = true }},
		{[]string{"type", "User"}, func(q *prospect.Query) { q.Type = "User" }},
		{[]string{"type", "Organization"}, func(q *prospect.Query) { q.Type = "Organization" }},
		{[]string{"target", "50", "limit", " 1,500 "}, func(q *prospect.Query) { q.Target, q.Limit = 50, 1500 }},
		{[]string{"source", "watchers"}, func(q *prospect.Query) { q.Source = codehost.Watchers }},
		{[]string{"source", "stargazers", "since", "2026-05-31"}, func(q *prospect.Query) {
			q.Source, q.StarredSince = codehost.Stargazers, time.Date(2026, 5, 31, 0, 0, 0, 0, time.UTC)
		}},
		{[]string{"since", "2026-05-31"}, func(*prospect.Query) {}}, // left over from another source
		{[]string{"since", "yesterday"}, func(*prospect.Query) {}},
	} {
		want := good
		c.want(&want)
		got, _, wrong := parseSource(with(form, c.change...), "")
		if !reflect.DeepEqual(got, want) || len(wrong) > 0 {
			t.Errorf("%q: got %+v, %v; want %+v", c.change, got, wrong, want)
		}
	}
}

func TestParseSourceRefuses(t *testing.T) {
	form := map[string]string{"repo": "acme/engine", "source": "stargazers"}
	for _, c := range []struct {
		change []string
		wrong  string
	}{
		{[]string{"repo", ""}, "repo"},
		{[]string{"repo", " \t"}, "repo"},
		{[]string{"repo", "acme"}, "repo"},
		{[]string{"repo", "acme/"}, "repo"},
		{[]string{"repo", "ac me/engine"}, "repo"},
		{[]string{"repo", "https://github.com/"}, "repo"},
		{[]string{"repo", "https://elsewhere.example/acme/engine"}, "repo"},
		{[]string{"repo", "git@elsewhere.example:acme/engine.git"}, "repo"},
		{[]string{"repo", "javascript:alert(1)"}, "repo"},
		{[]string{"target", "-3"}, "target"},
		{[]string{"limit", "abc"}, "limit"},
		{[]string{"since", "31.05.2026"}, "since"},
		{[]string{"since", "2026-02-30"}, "since"},
		{[]string{"suppress", "octocat\nnot a login"}, "suppress"},
		{[]string{"repo", "x", "target", "0", "limit", "0", "since", "x", "suppress", "a b"}, "limit repo since suppress target"},
	} {
		q, s, wrong := parseSource(with(form, c.change...), "")
		if got := fieldsIn(wrong); got != c.wrong || !reflect.DeepEqual(q, prospect.Query{}) || s != nil {
			t.Errorf("%q: wrong are %q, want %q; and %+v", c.change, got, c.wrong, q)
		}
		for _, name := range strings.Fields(c.wrong) {
			if !slices.Contains(sourceOrder, name) {
				t.Errorf("%s: nothing leads there", name)
			}
			if said := wrong[name]; !strings.HasSuffix(said, ".") || strings.Contains(said, "codehost:") {
				t.Errorf("%s: %q is no sentence", name, said)
			}
		}
	}
}

// pageAt is the page of a site generated for a code host.
func pageAt(t *testing.T, api string) *pages.Page {
	t.Helper()
	p := &pages.Page{}
	if err := pages.SetContent(p, &Data{API: api}); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestRepositoriesAsPeopleWriteThem(t *testing.T) {
	for _, repo := range []string{
		" acme/engine\n", "https://github.com/acme/engine", "http://www.github.com/acme/engine/", "github.com/acme/engine?tab=readme-ov-file#top",
		"https://github.com/acme/engine.git", "git@github.com:acme/engine.git", "ssh://git@github.com/acme/engine",
		"https://github.com/acme/engine/stargazers", "https://api.github.com/repos/acme/engine/forks?page=2",
		"https://code.example/acme/engine", "git@code.example:acme/engine.git",
	} {
		q, _, wrong := parseSource(map[string]string{"repo": repo}, "https://api.code.example:8443/v3")
		if q.Repo != engine || len(wrong) > 0 {
			t.Errorf("%q: got %v, %v", repo, q.Repo, wrong)
		}
	}
}

func TestParseSourceReadsTheSuppressionList(t *testing.T) {
	_, s, _ := parseSource(map[string]string{"repo": "acme/engine", "suppress": "@Octocat # objected\r\nann@mail.example\n\n*.acme.example\n"}, "")
	for by, r := range map[string]prospect.Record{
		"":        {User: codehost.User{Login: "octo"}},
		"login":   {User: codehost.User{Login: "octocat"}},
		"address": {User: codehost.User{Login: "a", Email: "Ann@mail.example"}},
		"domain":  {User: codehost.User{Login: "b", Blog: "shop.acme.example/x"}},
	} {
		if got := s.Cause(r); got != by {
			t.Errorf("%+v is suppressed by %q, want %q", r, got, by)
		}
	}
}

func TestWholeNumber(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "  ": 0, "1": 1, "050": 50, "1,500": 1500, "40 000": 40000, "40\u202f000": 40000, "40\u00a0000": 40000, "40,000": 40000,
		"0": -1, "-3": -1, "100,000": 100000, "1.5": -1, "1e3": -1, "0x10": -1, "abc": -1, "12 people": -1, "99999999999999999999": -1,
	} {
		got, err := wholeNumber(s)
		if err != nil {
			got = -1
		}
		if got != want {
			t.Errorf("%q: got %d, %v; want %d", s, got, err, want)
		}
	}
}

// Whoever adds a source gives it a name and a note here.
func TestEverySourceIsOffered(t *testing.T) {
	for _, source := range codehost.Sources {
		i := slices.IndexFunc(sources, func(s struct {
			source     codehost.Source
			name, note string
		}) bool {
			return s.source == source
		})
		if i < 0 || sources[i].name == "" || sources[i].note == "" {
			t.Errorf("%s has no name and note in sources, source.go", source)
		}
	}
}

// again is a query once it has been through the form.
func again(t *testing.T, q prospect.Query) prospect.Query {
	t.Helper()
	got, _, wrong := parseSource(fieldsOf(q), "")
	if len(wrong) > 0 {
		t.Errorf("%+v: wrong are %v", q, wrong)
	}
	return got
}

func TestQueriesRoundTrip(t *testing.T) {
	may := time.Date(2026, 5, 31, 0, 0, 0, 0, time.UTC)
	for _, source := range codehost.Sources {
		for _, kind := range []string{"", "User", "Organization"} {
			for i, n := range []int{0, 1, 50, prospect.MaxPeople} {
				for boxes := range 16 {
					q := prospect.Query{Repo: engine, Source: source, Type: kind, Target: n, Limit: (n * 7) % (prospect.MaxPeople + 1),
						Enrich: boxes&1 > 0, WithEmail: boxes&2 > 0, WithCompany: boxes&4 > 0, WithBlog: boxes&8 > 0}
					if source == codehost.Stargazers && i%2 == 0 {
						q.StarredSince = may
					}
					if got := again(t, q); !reflect.DeepEqual(got, q) {
						t.Errorf("%+v became %+v", q, got)
					}
				}
			}
		}
	}
}

// What the command saved, the page goes on with: the command takes times, and
// numbers above what the host lists.
func TestQueriesOfTheCommandRoundTrip(t *testing.T) {
	for _, q := range []prospect.Query{
		{Repo: engine, Source: codehost.Stargazers, StarredSince: time.Date(2026, 1, 11, 5, 0, 0, 0, time.UTC)},
		{Repo: engine, Source: codehost.Forks, Target: 100_000},
	} {
		saved := &prospect.State{Query: q}
		if got := asSaved(again(t, q), fieldsOf(q), saved); !reflect.DeepEqual(got, q) {
			t.Errorf("%+v became %+v", q, got)
		}
	}
	q := prospect.Query{Repo: engine, Source: codehost.Stargazers, StarredSince: time.Date(2026, 1, 11, 5, 0, 0, 0, time.UTC)}
	changed := fieldsOf(q)
	changed["since"] = "2026-02-01"
	got, _, _ := parseSource(changed, "")
	if got = asSaved(got, changed, &prospect.State{Query: q}); got.StarredSince.Month() != time.February {
		t.Errorf("a changed date became %s", got.StarredSince)
	}
}
