package search_test

import (
	"encoding/json"
	"os"
	"testing"

	"marketingskills/app/search"
	"marketingskills/app/search/relevance"
)

// catalog reads the fixture: 42 skills in short, independent of the real
// collection and of the queries.
func catalog(t testing.TB) []search.Document {
	t.Helper()
	data, err := os.ReadFile("testdata/catalog.json")
	if err != nil {
		t.Fatal(err)
	}
	var docs []search.Document
	if err := json.Unmarshal(data, &docs); err != nil {
		t.Fatal(err)
	}
	return docs
}

func namesOf(docs []search.Document) []string {
	var names []string
	for _, d := range docs {
		names = append(names, d.Name)
	}
	return names
}

func run(t *testing.T, docs []search.Document, list string) relevance.Report {
	t.Helper()
	cases, err := relevance.Load(os.DirFS("."), list)
	if err != nil {
		t.Fatal(err)
	}
	return relevance.Run(search.Compile(docs), namesOf(docs), cases)
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
