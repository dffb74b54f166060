package site

import (
	"strings"
	"testing"

	"marketingskills/app/pages"
)

// TestOwnPagesAreFound: every page that there is one of can be searched for,
// under words that no other page has.
func TestOwnPagesAreFound(t *testing.T) {
	listed := map[string]bool{}
	owner := map[string]string{}
	for _, e := range ownPages {
		listed[e.Path] = true
		for name := range strings.Lines(e.Title + "\n" + e.Words) {
			name = strings.ToLower(strings.TrimSpace(name))
			if name == "" || owner[name] != "" {
				t.Errorf("%s: the name %q is empty or belongs to %s", e.Title, name, owner[name])
			}
			owner[name] = e.Title
		}
	}
	for _, e := range pages.Registry() {
		if !e.Many && e.Kind != pages.KindMissing && !listed[e.Path] {
			t.Errorf("the search does not list /%s", e.Path)
		}
	}
}

// TestReferencesSayWhenToOpenThem: without a word about it, a result says
// nothing.
func TestReferencesSayWhenToOpenThem(t *testing.T) {
	g := &generator{collection: load(t, content)}
	documents := g.referenceDocuments()
	if len(documents) < 100 {
		t.Errorf("%d references", len(documents))
	}
	for _, d := range documents {
		if d.Description == "" || d.Title == "" || strings.TrimSpace(d.Body) == "" {
			t.Errorf("%s: title %q, description %q, %d bytes", d.Name, d.Title, d.Description, len(d.Body))
		}
	}
}
