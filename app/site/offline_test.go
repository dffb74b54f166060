package site

import (
	"bytes"
	"maps"
	"path"
	"regexp"
	"slices"
	"testing"
)

var sizes = regexp.MustCompile(`\b[0-9,.]+ [kKMG]i?B\b`)

// TestSizesInTexts: a page names every size that its text names, whatever the
// size of the site is.
func TestSizesInTexts(t *testing.T) {
	files := build(t, testConfig("/"))
	checked := 0
	for _, s := range load(t, content).Skills {
		for _, text := range s.Texts {
			at := skillPath(s.Dir)
			if text.File != "SKILL.md" {
				at = referencePath(s.Dir, text.File)
			}
			drawn := sizes.FindAllString(string(files[at+"index.html"]), -1)
			for _, size := range sizes.FindAllString(text.Body, -1) {
				checked++
				if !slices.Contains(drawn, size) {
					t.Errorf("%s of %s names %s, its page does not", text.File, s.Dir, size)
				}
			}
		}
	}
	if checked == 0 {
		t.Error("no text names a size")
	}
}

// TestOfflineSizeChangesNothingElse: it comes into the footer and the data of
// each page, and no other byte of the site changes.
func TestOfflineSizeChangesNothingElse(t *testing.T) {
	g, err := newGenerator(load(t, content), content, testConfig("/"))
	if err != nil {
		t.Fatal(err)
	}
	if err := g.addFiles(web, wasm); err != nil {
		t.Fatal(err)
	}
	drawn := maps.Clone(g.files)
	g.fillInOfflineSize()
	size := regexp.MustCompile(`Save all pages for offline use \(([1-9][0-9]* MB, about [1-9][0-9]* MB to download)\)`).FindSubmatch(g.files["index.html"])
	if size == nil {
		t.Fatal("the home page does not say how much is kept for offline")
	}
	for name, before := range drawn {
		want := before
		if path.Ext(name) == ".html" {
			for _, place := range []string{"Save all pages for offline use (", `"offline_size":"`} {
				before, after, ok := bytes.Cut(want, []byte(place+g.offlineSize))
				if !ok {
					t.Fatalf("%s has no place for the size behind %s", name, place)
				}
				want = slices.Concat(before, []byte(place), size[1], after)
			}
		}
		if !bytes.Equal(g.files[name], want) {
			t.Errorf("%s changed elsewhere", name)
		}
	}
}
