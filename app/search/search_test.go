package search

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func names(hits []Hit) []string {
	var out []string
	for _, h := range hits {
		out = append(out, h.Name)
	}
	return out
}

// catalog reads the fixture: 42 skills in short, independent of the real
// collection and of the queries.
func catalog(t testing.TB) []Document {
	t.Helper()
	data, err := os.ReadFile("testdata/catalog.json")
	if err != nil {
		t.Fatal(err)
	}
	var docs []Document
	if err := json.Unmarshal(data, &docs); err != nil {
		t.Fatal(err)
	}
	return docs
}

// index compiles documents and reads the file.
func index(t testing.TB, docs []Document) *Index {
	t.Helper()
	data, err := Compile(docs)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

func first(t *testing.T, ix *Index, query string) Hit {
	t.Helper()
	r := ix.Search(query, "")
	if len(r.Hits) == 0 {
		t.Fatalf("%q finds nothing", query)
	}
	return r.Hits[0]
}

// marked writes a text with its marks in brackets.
func marked(text string, marks []Range) string {
	var b strings.Builder
	at := 0
	for _, m := range marks {
		fmt.Fprintf(&b, "%s[%s]", text[at:m.Start], text[m.Start:m.End])
		at = m.End
	}
	return b.String() + text[at:]
}

// slips lists a name with every letter left out, doubled, or exchanged with
// the next one.
func slips(name string) []string {
	var out []string
	for i := 1; i < len(name); i++ {
		out = append(out, name[:i]+name[i+1:], name[:i]+name[i-1:])
		if i+1 < len(name) {
			out = append(out, name[:i]+name[i+1:i+2]+name[i:i+1]+name[i+2:])
		}
	}
	return out
}

func TestNamesComeFirst(t *testing.T) {
	docs := catalog(t)
	ix := index(t, docs)
	for _, d := range docs {
		for _, q := range []string{
			d.Name, strings.ToUpper(d.Name), strings.ReplaceAll(d.Name, "-", ""),
			strings.ReplaceAll(d.Name, "-", " "), " " + d.Name + " ",
		} {
			if h := first(t, ix, q); h.Name != d.Name || h.Note != "" {
				t.Errorf("%q: got %s (%s)", q, h.Name, h.Note)
			}
		}
		if len(d.Name) >= 5 {
			for _, q := range slips(d.Name) {
				if h := first(t, ix, q); h.Name != d.Name {
					t.Errorf("%q: got %s, want %s", q, h.Name, d.Name)
				}
			}
		}
		for n := 4; n < len(d.Name); n++ {
			got := names(ix.Search(d.Name[:n], "").Hits)
			if !slices.Contains(got[:min(5, len(got))], d.Name) {
				t.Errorf("%q: got %v, want %s among them", d.Name[:n], got, d.Name)
			}
		}
	}
}

func TestOldNamesFindTheirSuccessor(t *testing.T) {
	docs := catalog(t)
	ix := index(t, docs)
	count := 0
	for _, d := range docs {
		for _, o := range d.OldNames {
			count++
			want := fmt.Sprintf("%s was %s %s in %s", o.Name,
				map[string]string{"renamed": "renamed to", "merged": "merged into"}[o.Kind], d.Name, o.Release)
			tries := []string{o.Name, strings.ReplaceAll(o.Name, "-", ""), strings.ReplaceAll(o.Name, "-", " ")}
			for _, q := range append(tries, slips(o.Name)...) {
				if h := first(t, ix, q); h.Name != d.Name || h.Note != want {
					t.Errorf("%q: got %s, note %q", q, h.Name, h.Note)
				}
			}
		}
	}
	if count != 19 {
		t.Errorf("the fixture has %d old names, want 19", count)
	}
}

func TestOldNameInsideAQuery(t *testing.T) {
	ix := index(t, catalog(t))
	if h := first(t, ix, "what became of form-cro please"); h.Name != "cro" || h.Note != "form-cro was merged into cro in 2.0.0" {
		t.Errorf("got %s, note %q", h.Name, h.Note)
	}
	if h := first(t, ix, "page"); h.Note != "" {
		t.Errorf("half an old name gives note %q", h.Note)
	}
}

var small = []Document{
	{Name: "sms", Title: "SMS Marketing", Category: "Messaging", Description: "Plan text messages & sign‑ups. E-mail: see emails.",
		Keywords: []string{"text messages", "abandoned cart"}, Headings: []string{"Quiet hours"}, Body: "Carriers filter unregistered traffic."},
	{Name: "emails", Title: "Email Marketing", Category: "Messaging", Description: "Write newsletters for cafés.",
		Keywords: []string{"newsletter"}, OldNames: []OldName{{Name: "email-sequence", Kind: "renamed", Release: "2.0.0"}},
		Headings: []string{"Welcome flow"}, Body: "Carriers do not matter here, flows do. Flows!"},
	{Name: "pricing", Title: "Pricing", Category: "Strategy", Description: "Decide what to charge.", Body: "Margin."},
}

func TestMarks(t *testing.T) {
	ix := index(t, small)
	for _, c := range []struct {
		query, name, description string
	}{
		{"quiet", "sms", ""},
		{"margins", "pricing", ""},
		{"abandoned cart", "sms", ""},
		{"signup", "sms", "Plan text messages & [sign‑ups]. E-mail: see emails."},
		{"charging ", "pricing", "Decide what to [charge]."},
		{"CAFE", "emails", "Write newsletters for [cafés]."},
		{"newsleter", "emails", "Write [newsletters] for cafés."},
	} {
		h := first(t, ix, c.query)
		if h.Name != c.name {
			t.Errorf("%q: got %s, want %s", c.query, h.Name, c.name)
		}
		if got := marked(small[h.Doc].Description, h.ShownMarks); c.description != "" && got != c.description {
			t.Errorf("%q: got %s, want %s", c.query, got, c.description)
		}
	}
	if h := first(t, ix, "email"); marked(small[h.Doc].Title, h.TitleMarks) != "[Email] Marketing" {
		t.Errorf("got %v", h.TitleMarks)
	}
}

func TestPointersToOthersDoNotCount(t *testing.T) {
	r := index(t, small).Search("emails", "")
	if got := names(r.Hits); !slices.Equal(got, []string{"emails"}) {
		t.Errorf("got %v: sms only points to emails", got)
	}
}

func TestCategories(t *testing.T) {
	ix := index(t, small)
	r := ix.Search("marketing", "Messaging")
	if got := names(r.Hits); len(got) != 2 || !slices.Contains(got, "emails") || !slices.Contains(got, "sms") || r.InOtherCategories != 0 {
		t.Errorf("got %v, %d elsewhere", got, r.InOtherCategories)
	}
	r = ix.Search("newsletter", "Strategy")
	if len(r.Hits) != 0 || r.InOtherCategories != 1 || r.Suggestions != nil {
		t.Errorf("got %v, %d elsewhere, suggestions %v", names(r.Hits), r.InOtherCategories, r.Suggestions)
	}
	for _, q := range []string{"", "  \t", "how do the "} {
		if got := names(ix.Search(q, "").Hits); !slices.Equal(got, []string{"emails", "pricing", "sms"}) {
			t.Errorf("%q: got %v, want all by name", q, got)
		}
	}
}

func TestTypingOn(t *testing.T) {
	ix := index(t, catalog(t))
	const typed = "subscription cancelling"
	for n := len("subscription canc"); n <= len(typed); n++ {
		if h := first(t, ix, typed[:n]); h.Name != "churn-prevention" {
			t.Errorf("%q: got %s", typed[:n], h.Name)
		}
	}
	if r := ix.Search("z ", ""); len(r.Hits) != 0 {
		t.Errorf("a finished letter finds %v", names(r.Hits))
	}
}

func TestMissingSpaces(t *testing.T) {
	ix := index(t, catalog(t))
	for q, want := range map[string]string{
		"cancelflow": "churn-prevention", "objectionhandling": "sales-enablement",
		"pricingpackages": "pricing", "interviewsurvey": "customer-research",
	} {
		if h := first(t, ix, q); h.Name != want {
			t.Errorf("%q: got %s, want %s", q, h.Name, want)
		}
	}
}

func TestSuggestions(t *testing.T) {
	ix := index(t, catalog(t))
	for _, c := range []struct{ query, want string }{
		{"prosspekttinng", "prospecting"}, {"sgnupp", "signup"}, {"marktphsycology", "marketing-psychology"},
		{"refrrrals", "referrals"},
	} {
		r := ix.Search(c.query, "")
		found := slices.Contains(names(r.Hits), c.want)
		for _, s := range r.Suggestions {
			if (s.Query == "") == (s.Name == "") {
				t.Errorf("%q: suggestion %+v", c.query, s)
			}
			if s.Query != "" && len(ix.Search(s.Query, "").Hits) == 0 {
				t.Errorf("%q: suggested %q finds nothing", c.query, s.Query)
			}
			found = found || s.Name == c.want
		}
		if !found {
			t.Errorf("%q: got hits %v, suggestions %v; want %s", c.query, names(r.Hits), r.Suggestions, c.want)
		}
	}
	if r := ix.Search("🚀🚀", ""); len(r.Hits)+len(r.Suggestions) != 0 {
		t.Errorf("signs alone give %v, %v", names(r.Hits), r.Suggestions)
	}
}

func TestHostileQueries(t *testing.T) {
	docs := padded(catalog(t))
	ix := index(t, docs)
	for _, q := range []string{
		strings.Repeat("a", 10000), strings.Repeat("pricing ", 2000), strings.Repeat("a-", 5000),
		strings.Repeat("🚀", 3000), strings.Repeat("\x00\x1b[31m", 500), strings.Repeat("\xff", 10000),
		strings.Repeat("abcdefg hijklmn ", 600), strings.Repeat("é", 9999), strings.Repeat("ab", 128),
		"\u202Egnicirp", "''''", "- - / . &", "\xf0\x9f", strings.Repeat("e\u0301", 500),
	} {
		r := ix.Search(q, "")
		if len(r.Query) > maxQuery || !utf8.ValidString(r.Query) {
			t.Errorf("%.20q: searched %d bytes: %q", q, len(r.Query), r.Query)
		}
		checkLaws(t, docs, r)
	}
}

func TestEmptyCollections(t *testing.T) {
	for _, docs := range [][]Document{nil, {{}}, {{Name: "\xff", Description: "a\xffb", Keywords: []string{"", "\xfe"}}}, {{Name: "a"}, {Name: "a"}}} {
		ix := index(t, docs)
		for _, q := range []string{"", "a", "b", "zzz"} {
			r := ix.Search(q, "")
			checkLaws(t, nil, r)
			if q == "" && len(r.Hits) != len(docs) {
				t.Errorf("%d of %d documents", len(r.Hits), len(docs))
			}
		}
	}
}

func ExampleIndex_Search() {
	data, err := Compile([]Document{
		{Name: "cro", Title: "Conversion Rate Optimization", Description: "Fix pages and forms.",
			OldNames: []OldName{{Name: "page-cro", Kind: "merged", Release: "2.0.0"}}},
		{Name: "pricing", Title: "Pricing", Description: "Decide what to charge."},
	})
	if err != nil {
		panic(err)
	}
	ix, err := Decode(data)
	if err != nil {
		panic(err)
	}
	for _, query := range []string{"pagecro", "how much do I chrage"} {
		h := ix.Search(query, "").Hits[0]
		fmt.Println(h.Name, h.Note)
	}
	// Output:
	// cro page-cro was merged into cro in 2.0.0
	// pricing
}

// TestNumbers: how many of something there are does not decide, and a number
// alone is a word like others.
func TestNumbers(t *testing.T) {
	ix := index(t, []Document{
		{Name: "checker", Title: "Check emails", Body: "It asks a server each time."},
		{Name: "sender", Title: "Write emails", Body: "At most 5,000 go out daily."},
	})
	for query, want := range map[string]string{"5,000 emails": "checker", "emails 5000": "checker", "5,000 daily": "sender", "5,000": "sender"} {
		if got := first(t, ix, query).Name; got != want {
			t.Errorf("%q finds %s first, want %s", query, got, want)
		}
	}
	if r := ix.Search("404", ""); len(r.Hits) > 0 {
		t.Errorf("a number that stands nowhere finds %v", names(r.Hits))
	}
}
