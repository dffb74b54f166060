package relevance_test

import (
	"strings"
	"testing"

	"marketingskills/app/search/relevance"
)

const list = `# A list.

By name
query: ads
expect: ads

By a second name
query: paid: traffic
expect: social | ads

Not indexed
query: video
expect: video

Not found
query: nothing of the kind
expect: ads`

func TestRun(t *testing.T) {
	cases, err := relevance.Parse(list)
	if err != nil {
		t.Fatal(err)
	}
	search := func(query string) []string {
		return map[string][]string{"ads": {"ads", "sms"}, "paid: traffic": {"ads"}}[query]
	}
	r := relevance.Run(search, []string{"ads", "sms"}, cases)
	if r.Total != 3 || r.Skipped != 1 || r.First != 2 || r.Three != 2 || len(r.Missed) != 1 || r.Missed[0].Line != 15 {
		t.Errorf("got %+v", r)
	}
	if got, want := r.String(), "3 queries (1 skipped): first 2 (66.7%), in the first three 2 (66.7%)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if r.Reaches(70, 60) || r.Reaches(60, 70) || !r.Reaches(60, 60) || !(relevance.Report{}).Reaches(100, 100) {
		t.Error("Reaches is wrong")
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Title\nquery: a", `line 1: "Title" needs`},
		{"Title\nexpect: a\n\n", `line 1: "Title" needs`},
		{"\nTitle\nquery: a\nexpects: b", "line 4: neither"},
		{"Title\nstray", "line 2: neither"},
		{"Title\nquery: a\nexpect: b | ", "line 3: an empty name"},
	} {
		if _, err := relevance.Parse(c.text); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %s …", c.text, err, c.want)
		}
	}
}
