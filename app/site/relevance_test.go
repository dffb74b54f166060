package site

import (
	"os"
	"testing"

	"marketingskills/app/search"
	"marketingskills/app/search/relevance"
)

// TestRelevance tries the project's list of queries on the real collection,
// indexed as the site does it.
func TestRelevance(t *testing.T) {
	g := &generator{collection: load(t, content)}
	var names []string
	for _, s := range g.collection.Skills {
		names = append(names, s.Dir)
	}
	data, err := search.Compile(g.skillDocuments())
	if err != nil {
		t.Fatal(err)
	}
	ix, err := search.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	found := func(query string) []string {
		var names []string
		for _, h := range ix.Search(query, "").Hits {
			names = append(names, h.Name)
		}
		return names
	}
	lists := os.DirFS("../search/testdata")

	open, err := relevance.Load(lists, "relevance.txt")
	if err != nil {
		t.Fatal(err)
	}
	r := relevance.Run(found, names, open)
	t.Log("open list:", r)
	for _, m := range r.Missed {
		t.Logf("line %d: %q: want %v, got %v", m.Line, m.Query, m.Expect, m.Got)
	}
	if !r.Reaches(95, 99) {
		t.Error("want right first ≥ 95%, in the first three ≥ 99%")
	}

	// Of the list held back only figures are printed, so that nobody tunes on
	// its queries.
	held, err := relevance.Load(lists, "relevance-held.txt")
	if err != nil {
		t.Fatal(err)
	}
	t.Log("list held back:", relevance.Run(found, names, held))
}
