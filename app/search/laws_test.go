package search

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// checkLaws holds what is true of every result. Marks are checked against the
// texts if docs are given.
func checkLaws(t *testing.T, docs []Document, r Result) {
	t.Helper()
	if !utf8.ValidString(r.Query) || len(r.Query) > maxQuery {
		t.Errorf("searched %q", r.Query)
	}
	if len(r.Hits) > 0 && r.Suggestions != nil {
		t.Errorf("%d hits, suggestions %v", len(r.Hits), r.Suggestions)
	}
	for i, h := range r.Hits {
		if math.IsNaN(h.Score) || math.IsInf(h.Score, 0) || h.Score < 0 {
			t.Errorf("%s scores %v", h.Name, h.Score)
		}
		if i > 0 {
			p := r.Hits[i-1]
			if p.Score < h.Score || p.Score == h.Score && (p.Name > h.Name || p.Name == h.Name && p.Doc >= h.Doc) {
				t.Errorf("%s (%v) stands before %s (%v)", p.Name, p.Score, h.Name, h.Score)
			}
		}
		if docs == nil {
			continue
		}
		d := docs[h.Doc]
		for _, m := range []struct {
			text  string
			marks []Range
		}{{d.Title, h.TitleMarks}, {d.Description, h.ShownMarks}} {
			at := 0
			for _, g := range m.marks {
				if g.Start < at || g.End <= g.Start || g.End > len(m.text) ||
					!utf8.RuneStart(m.text[g.Start]) || g.End < len(m.text) && !utf8.RuneStart(m.text[g.End]) {
					t.Errorf("marks %v do not fit %q", m.marks, m.text)
					break
				}
				at = g.End
			}
		}
	}
}

var seeds = []string{
	"", " ", "pricing", "page-cro", "pagecro", "people abandon checkout on the form", "prospcting", "a/b",
	"sign up", "p", "how do I", "zzzzqq", "🚀", "\x00", "\xff\xfe", "Ærø ŁÓDŹ", "e\u0301", "-", "a-b-c-d-e", "10dlc",
}

// FuzzSearch holds that no query breaks the laws, and that results repeat.
func FuzzSearch(f *testing.F) {
	docs := catalog(f)
	ix := index(f, docs)
	for _, s := range seeds {
		f.Add(s, "")
		f.Add(s, "Conversion")
	}
	f.Fuzz(func(t *testing.T, query, category string) {
		r := ix.Search(query, category)
		checkLaws(t, docs, r)
		if again := ix.Search(query, category); !reflect.DeepEqual(r, again) {
			t.Errorf("%q: %+v, then %+v", query, r, again)
		}
		for _, h := range r.Hits {
			if category != "" && docs[h.Doc].Category != category {
				t.Errorf("%s is not in %q", h.Name, category)
			}
		}
	})
}

// FuzzDocuments holds the same for documents of any text.
func FuzzDocuments(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, seeds[(i+3)%len(seeds)], seeds[(i+7)%len(seeds)], "see a. "+s)
	}
	f.Fuzz(func(t *testing.T, query, name, text, description string) {
		fix := func(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
		docs := []Document{
			{Name: name, Title: text, Description: description, Keywords: strings.Split(text, ","), Headings: []string{name}, Body: description},
			{Name: "a", Title: name, Description: text, OldNames: []OldName{{Name: text, Release: "1"}}, Body: name + " " + query},
		}
		data, err := Compile(docs)
		if errors.Is(err, errFormat) {
			t.Skip("beyond the limits")
		}
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Compile(docs); err != nil || !bytes.Equal(data, again) {
			t.Errorf("the same documents give other bytes (%v)", err)
		}
		ix, err := Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		for i := range docs {
			docs[i].Name, docs[i].Title, docs[i].Description = fix(docs[i].Name), fix(docs[i].Title), fix(docs[i].Description)
		}
		checkLaws(t, docs, ix.Search(query, ""))
	})
}

// FuzzDecode holds that nothing makes Decode panic, that its errors are
// errFormat, and that what it accepts can be searched.
func FuzzDecode(f *testing.F) {
	data, err := Compile(small)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	for _, s := range garbage(string(data)) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		ix, err := Decode(data)
		if err != nil {
			if !errors.Is(err, errFormat) || ix != nil {
				t.Errorf("got %v, %v", ix, err)
			}
			return
		}
		for _, q := range []string{"", "pricing", "newsleter", "email-sequence"} {
			checkLaws(t, nil, ix.Search(q, ""))
		}
	})
}

// garbage breaks one thing of a good file at a time.
func garbage(good string) []string {
	change := func(from, to string) string { return strings.Replace(good, from, to, 1) }
	return []string{
		"", "\n", "{}", "skill-search 1", "skill-search 1\n", "skill-search 2\n0 0\n",
		"skill-search 1\n-1 0\n", "skill-search 1\n0 -1\n", "skill-search 1\n5001 0\n",
		"skill-search 1\n0 99999999999999999999\n", "skill-search 1\n1 30000000\n{\"name\":\"a\"}\n",
		"skill-search 1\n0 1\na A\n",     // a use without documents
		"skill-search 1\n1 1\n{}\na ~\n", // not a digit
		"skill-search 1\n1 1\n{}\na g\n", // a number that does not end
		"skill-search 1\n1 1\n{}\na gggggggggggggA\n",
		"skill-search 1\n1 2\n{}\nb\na\n",
		"skill-search 1\n1 2\n{}\na\na\n",
		"skill-search 1\n1 1\n{}\n\n",
		"skill-search 1\n1 1\n{}\n\xff\n",
		"skill-search 1\n1 1\n{\"length\":-1}\na\n",
		"skill-search 1\n1 1\n{\"old_names\":[" + strings.Repeat("{},", maxNames) + "{}]}\na\n",
		"skill-search 1\n1 1\n{\"keywords\":[" + strings.Repeat("\"\",", maxNames) + "\"\"]}\na\n",
		"skill-search 1\n1 1\n{\"name\":\"" + strings.Repeat("a", maxRecord) + "\"}\na\n",
		good[:len(good)-1], good[:len(good)/2], good + "zzz A", good + "zzz\n",
		change("\"name\":\"sms\"", "\"name\":\"unheard\""),
		change("\n3 ", "\n2 "), change("\n3 ", "\n4 "), change("{", "["),
	}
}

func TestDecodeRefusesGarbage(t *testing.T) {
	data, err := Compile(small)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range garbage(string(data)) {
		if s == string(data) {
			t.Error("a change had no effect")
		}
		if _, err := Decode([]byte(s)); !errors.Is(err, errFormat) {
			t.Errorf("%.60q: got %v", s, err)
		}
	}
}

func TestDecodeTakesLittleMemory(t *testing.T) {
	bombs := map[string]string{
		"terms promised":  "skill-search 1\n0 33000000\n",
		"empty keywords":  "skill-search 1\n5000 0\n" + strings.Repeat("{\"keywords\":["+strings.Repeat("\"\",", 10000)+"\"\"]}\n", 100),
		"empty old names": "skill-search 1\n5000 0\n" + strings.Repeat("{\"old_names\":["+strings.Repeat("{},", 10000)+"{}]}\n", 100),
		"uses":            "skill-search 1\n1 2\n{}\na " + strings.Repeat("A", 3<<20) + "\nb\n",
	}
	for name, bomb := range bombs {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		Decode([]byte(bomb))
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20+40*uint64(len(bomb)) {
			t.Errorf("%s: %d bytes took %d", name, len(bomb), took)
		}
	}
}

func TestCompileKeepsTheLimits(t *testing.T) {
	long := slices.Clone(small)
	long[0].Description = strings.Repeat("word ", maxRecord/5+1)
	if _, err := Compile(long); !errors.Is(err, errFormat) {
		t.Errorf("a long description: got %v", err)
	}
	if _, err := Compile(make([]Document, maxDocuments+1)); !errors.Is(err, errFormat) {
		t.Errorf("too many documents: got %v", err)
	}
}

func TestSearchTogether(t *testing.T) {
	ix := index(t, catalog(t))
	want := ix.Search("customer interviews", "")
	done := make(chan Result)
	for range 8 {
		go func() { done <- ix.Search("customer interviews", "") }()
	}
	for range 8 {
		if got := <-done; !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}
