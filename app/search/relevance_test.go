package search

import (
	"os"
	"testing"

	"marketingskills/app/search/relevance"
)

func namesOf(docs []Document) []string {
	var names []string
	for _, d := range docs {
		names = append(names, d.Name)
	}
	return names
}

func finding(ix *Index) func(query string) []string {
	return func(query string) []string { return names(ix.Search(query, "").Hits) }
}

func run(t *testing.T, docs []Document, list string) relevance.Report {
	t.Helper()
	cases, err := relevance.Load(os.DirFS("."), list)
	if err != nil {
		t.Fatal(err)
	}
	return relevance.Run(finding(index(t, docs)), namesOf(docs), cases)
}

func TestRelevance(t *testing.T) {
	r := run(t, catalog(t), "testdata/relevance.txt")
	t.Log(r)
	for _, m := range r.Missed {
		t.Logf("line %d: %q: want %v, got %v", m.Line, m.Query, m.Expect, m.Got)
	}
	if !r.Reaches(95, 99) {
		t.Error("want right first ≥ 95%, in the first three ≥ 99%")
	}
}

// TestRelevanceWithLongBodies shows that bodies of real size, which speak of
// everything, do not drown what the short fields say.
func TestRelevanceWithLongBodies(t *testing.T) {
	r := run(t, padded(catalog(t)), "testdata/relevance.txt")
	t.Log(r)
	if !r.Reaches(93, 97) {
		t.Error("want right first ≥ 93%, in the first three ≥ 97%")
	}
}

// TestRelevanceHeldBack says nothing about single queries, so that nobody
// tunes on them.
func TestRelevanceHeldBack(t *testing.T) {
	r := run(t, catalog(t), "testdata/relevance-held.txt")
	t.Log(r)
	if !r.Reaches(90, 97) {
		t.Error("want right first ≥ 90%, in the first three ≥ 97%")
	}
	t.Log("with long bodies:", run(t, padded(catalog(t)), "testdata/relevance-held.txt"))
}
