package prospect_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/text"
)

func from(companies, places []string) *prospect.Summary {
	var g prospect.Summary
	for _, company := range companies {
		g.Add(prospect.Record{User: codehost.User{Company: company}})
	}
	for _, place := range places {
		g.Add(prospect.Record{User: codehost.User{Location: place}})
	}
	return &g
}

func TestCompaniesAreCountedTogether(t *testing.T) {
	for _, tt := range []struct {
		want  string
		texts []string
	}{
		{"Studio Ro", []string{"Studio Ro", "@studio_ro", "studio-ro", "StudioRo, Inc."}},
		{"acme", []string{"@acme", "@acme @other", "ACME", " Acme, Inc.", "acme inc", "Acme GmbH", "Acme GmbH & Co. KG", "Acme Co., Ltd.", "acme s.a.",
			"Acme S.p.A.", "Acme A/S", "\"Acme\"", "(Acme)", "Acme Corp.", "@ acme", "@Acme, @other", "@acme and @other", "@acme/@other", "'@acme' @other", "@acme\n@other", "Acme\u00a0LLC", "acme ", "acme!", "Acme B.V.", "@acme "}},
		{"Yahoo!", []string{"Yahoo!"}},
		{".NET Foundation", []string{".NET Foundation"}},
		{"Notepad++", []string{"Notepad++"}},
		{"Acme Inc.", []string{"Acme Inc."}},
		{"AG", []string{"AG", "@ag"}},
		{"& Co", []string{"& Co"}},
		{"Straße 日本", []string{"Straße 日本", "straße 日本 KK"}},
		{"गूगल", []string{"गूगल", "@गूगल"}},
		{"Acme @other", []string{"Acme @other"}}, // could as well be a job at other
		{"", []string{"", " ", "@", "-", "...", "🦄", "@ @", "\n"}},
	} {
		g := from(tt.texts, nil)
		var want []prospect.Share
		if tt.want != "" {
			want = []prospect.Share{{Name: tt.want, Count: len(tt.texts)}}
		}
		if got := g.Companies(5); !slices.Equal(got, want) || len(want) > 0 && g.WithCompany != len(tt.texts) || len(want) == 0 && g.WithCompany != 0 {
			t.Errorf("%q: %v, %d with a company", tt.texts, got, g.WithCompany)
		}
		if g.People != len(tt.texts) || g.WithLocation != 0 {
			t.Errorf("%+v", g)
		}
	}
}

func TestPlacesAreCountedTogether(t *testing.T) {
	for want, texts := range map[string][]string{
		"Berlin":         {"Berlin", "berlin, Germany", "Berlin / Lisbon", "Berlin - Germany", "BERLIN 🇩🇪", "🇩🇪 Berlin", "Berlin.", "Berlin (Germany)", "Berlin – Kreuzberg", "Berlin\nGermany", "❤️ Berlin ❤️", "Berlin; Paris"},
		"Washington D.C": {"Washington D.C.", "washington d.c"},
		"दिल्ली":         {"दिल्ली", "दिल्ली, भारत"},
		"Île-de-France":  {"Île-de-France"},
		"東京":             {"東京、日本", "東京，日本"},
		"": {"Remote", "remote", "Remote, Germany", "Earth", "the Internet", "Planet Earth", "127.0.0.1", "::1", "localhost", "localhost:8080", "/dev/null", "~/", "everywhere",
			"Anywhere!", "(Remote) Berlin", "37.77, -122.4", "🌍", "", "N/A", "Worldwide", "The Milky Way", "127.0.0.1:80, Home"},
	} {
		g := from(nil, texts)
		var all []prospect.Share
		if want != "" {
			all = []prospect.Share{{Name: want, Count: len(texts)}}
		}
		if got := g.Locations(5); !slices.Equal(got, all) || want == "" && g.WithLocation != 0 || want != "" && g.WithLocation != len(texts) {
			t.Errorf("%q: %v, %d with a place", texts, got, g.WithLocation)
		}
	}
}

func TestSummaryShowsTheSpellingMetFirst(t *testing.T) {
	g := from([]string{"acme", "Acme", "ACME", "@Acme", "beta", "Gamma", "gamma", "zeta", "zeta", "Alpha", "none of it"}, nil)
	want := []prospect.Share{{Name: "acme", Count: 4}, {Name: "Gamma", Count: 2}, {Name: "zeta", Count: 2}, {Name: "Alpha", Count: 1}}
	for n := range 5 {
		if got := g.Companies(n); !slices.Equal(got, want[:n]) {
			t.Errorf("%d: %v", n, got)
		}
	}
	if g.Companies(-1) != nil || len(g.Companies(100)) != 6 || g.Locations(3) != nil {
		t.Error("more, or fewer, than there are")
	}
	for _, company := range []string{"@Acme", "Acme", "zeta", "zeta", "none of it"} {
		g.Remove(prospect.Record{User: codehost.User{Company: company}})
	}
	want = []prospect.Share{{Name: "Gamma", Count: 2}, {Name: "acme", Count: 2}, {Name: "Alpha", Count: 1}, {Name: "beta", Count: 1}}
	if got := g.Companies(9); !slices.Equal(got, want) || g.People != 6 || g.WithCompany != 6 {
		t.Errorf("after removing: %v, %+v", got, g)
	}
	var zero prospect.Summary
	r := prospect.Record{User: codehost.User{Email: "a@b.example", Company: "x", Location: "Rome"}}
	zero.Add(r)
	if zero.People != 1 || zero.WithEmail != 1 || zero.WithCompany != 1 || zero.WithLocation != 1 {
		t.Errorf("%+v", zero)
	}
	zero.Remove(r)
	if zero.People != 0 || zero.WithEmail != 0 || zero.WithCompany != 0 || zero.WithLocation != 0 || zero.Companies(3) != nil || zero.Locations(3) != nil {
		t.Errorf("%+v", zero)
	}
}

// What is shown reads as itself: else the same company would be counted
// twice, depending on the order of the records.
func FuzzSummary(f *testing.F) {
	f.Add("@acme @other, Inc.")
	f.Add("🇩🇪 Berlin - Mitte (Germany)")
	f.Fuzz(func(t *testing.T, given string) {
		given = text.Plain(given)
		r := prospect.Record{User: codehost.User{Company: given, Location: given}}
		var g prospect.Summary
		g.Add(r)
		g.Add(r)
		check := func(top []prospect.Share, again func(shown string) []prospect.Share) {
			t.Helper()
			if len(top) == 0 {
				return
			}
			if len(top) != 1 || top[0].Count != 2 || top[0].Name == "" || strings.ContainsAny(top[0].Name, "\n\r") {
				t.Fatalf("%q: %v", given, top)
			}
			if read := again(top[0].Name); len(read) != 1 || read[0].Name != top[0].Name {
				t.Errorf("%q is shown as %q, which reads as %v", given, top[0].Name, read)
			}
		}
		check(g.Companies(2), func(shown string) []prospect.Share { return from([]string{shown}, nil).Companies(1) })
		check(g.Locations(2), func(shown string) []prospect.Share { return from(nil, []string{shown}).Locations(1) })
		g.Remove(r)
		g.Remove(r)
		if g.People != 0 || g.WithCompany != 0 || g.WithLocation != 0 || g.Companies(1) != nil || g.Locations(1) != nil {
			t.Errorf("%q: %+v is left", given, g)
		}
	})
}

func BenchmarkSummary10000(b *testing.B) {
	records := make([]prospect.Record, 10_000)
	for i := range records {
		records[i] = prospect.Record{User: codehost.User{Company: fmt.Sprintf("@Company %d, Inc.", i%3000), Location: fmt.Sprintf("City %d, Country", i%2000), Email: "a@b.example"}}
	}
	b.ReportAllocs()
	for b.Loop() {
		var g prospect.Summary
		for i, r := range records {
			g.Add(r)
			if i%1000 == 0 {
				g.Companies(10)
				g.Locations(10)
			}
		}
	}
}
