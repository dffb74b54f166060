package site

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"golang.org/x/net/html"

	"marketingskills/app/pages"
	"marketingskills/app/pages/article"
	"marketingskills/app/pages/catalog"
	"marketingskills/app/pages/changelog"
	"marketingskills/app/pages/missing"
	"marketingskills/app/pages/prospects"
	"marketingskills/app/pages/prospects/verification"
	"marketingskills/app/pages/upgrade"
	"marketingskills/app/ui"
	"marketingskills/app/ui/drawtest"
)

// kindSample is the content of a page of a kind.
type kindSample struct {
	kind    pages.Kind
	content any
}

// everyContent has each kind once, with every text the given one.
func everyContent(s string) []kindSample {
	links := []pages.Anchor{{Href: s, Text: s, Note: s}}
	facts := []ui.Property{{Name: s, Value: s}}
	release := changelog.Release{Name: s, Date: s, Breaking: true, Items: []changelog.Item{{Markup: "<li data-raw=\"\">x</li>", Skills: []string{s}}}}
	config := verification.Config{Disposable: s, Proxy: s}
	return []kindSample{
		{pages.KindCatalog, &catalog.Data{
			Noun: s, Below: s, Lead: s, Hint: s, Dated: true, Characters: 1,
			Start:      &catalog.Start{Command: s, Request: s, Answer: s, Skill: s, Path: s},
			Cards:      []catalog.Card{{Name: s, Title: s, Description: s, CategoryID: s, Changed: s, Details: []string{s}, Day: s, Old: s, Words: s}},
			Categories: []catalog.Category{{ID: s, Name: s, Count: 1}},
			Index:      s,
			Map:        s,
			Also:       &catalog.Also{Noun: s, Path: s, Index: s},
		}},
		{pages.KindTools, &catalog.Data{
			Noun: s, Below: s, Lead: s, Hint: s, Ways: []string{s}, Skills: []string{s},
			Tasks: []catalog.TaskGroup{{ID: s, Name: s, Tasks: []catalog.Task{{
				ID: s, Name: s, First: `<p data-raw="">x</p>`, Free: `<p data-raw="">x</p>`, NotWhen: `<p data-raw="">x</p>`,
				Also: links, Tools: []string{s}, Words: s,
			}}}},
			TaskIndex:  s,
			Cards:      []catalog.Card{{Name: s, Title: s, Description: s, CategoryID: s, Details: []string{s}, For: links, Ways: []string{s}, Skills: []string{s}}},
			Categories: []catalog.Category{{ID: s, Name: s, Count: 1, Picture: `<b data-raw="">x</b>`, Advice: []ui.Property{{Name: s, Value: s}, {Name: s, Value: s}}}},
			Index:      s,
		}},
		{pages.KindTool, &article.Data{Crumbs: links, Contents: links, Files: links, Details: facts}},
		{pages.KindSkill, &article.Data{
			Crumbs: links, Lead: s, Contents: links, Command: s, Files: links, Details: facts,
			LinkLists: []article.LinkList{{Title: s, Links: links}},
		}},
		{pages.KindReference, &article.Data{Crumbs: links, Contents: links, Files: links, Details: facts}},
		{pages.KindNews, &article.Data{Lead: s, Contents: links, Files: links, Details: facts}},
		{pages.KindTryouts, &article.Data{Crumbs: links, Contents: links, Details: facts}},
		{pages.KindMap, &article.Data{Lead: s, Crumbs: links, Contents: links, Details: facts}},
		{pages.KindChangelog, &changelog.Data{
			Releases: []changelog.Release{release}, Renames: []changelog.Rename{{Old: s, New: s, Where: s}}, Skills: []string{s},
		}},
		{pages.KindUpgrade, &upgrade.Data{Versions: s, Site: s, Published: []string{s}}},
		{pages.KindProspects, &prospects.Data{API: s, Sample: s, Verification: config}},
		{pages.KindVerify, &config},
		{pages.KindMissing, &missing.Data{Names: []missing.Name{{Href: s, Text: s, Change: s, Skill: s, Release: s}}}},
	}
}

// everyKind is one page of each kind, all their texts the given one.
func everyKind(t *testing.T, s string) []*pages.Page {
	t.Helper()
	var all []*pages.Page
	for _, sample := range everyContent(s) {
		p := &pages.Page{
			Kind: sample.kind, Base: "/", Path: "x/", Title: s, Release: pages.Release{Version: s, Date: s},
			Markup: `<article data-article="">x</article>`,
		}
		if err := pages.SetContent(p, &sample.content); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// TestSampleIsComplete: a field that no sample fills would be drawn by no test
// of this file.
func TestSampleIsComplete(t *testing.T) {
	filled := map[string]bool{}
	var visit func(v reflect.Value)
	visit = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			visit(v.Elem())
		case reflect.Slice:
			for i := range v.Len() {
				visit(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				name := v.Type().String() + "." + v.Type().Field(i).Name
				if filled[name] = filled[name] || !v.Field(i).IsZero(); !v.Field(i).IsZero() {
					visit(v.Field(i))
				}
			}
		}
	}
	for _, sample := range everyContent("word") {
		visit(reflect.ValueOf(sample.content))
	}
	for name, ok := range filled {
		if !ok {
			t.Errorf("no page of everyContent has %s", name)
		}
	}
}

// TestEveryKindIsDrawn names the part of a new kind of page that was
// forgotten.
func TestEveryKindIsDrawn(t *testing.T) {
	sample := everyKind(t, "word")
	for _, e := range pages.Registry() {
		if drawFunctions[e.Kind] == nil {
			t.Errorf("no package draws pages of the kind %s; add it to drawFunctions in app/site/assets.go and to the main below wasm", e.Kind)
		}
		if !slices.ContainsFunc(sample, func(p *pages.Page) bool { return p.Kind == e.Kind }) {
			t.Errorf("the tests have no page of the kind %s; add one to everyContent", e.Kind)
		}
		if e.Program == "" || e.Start == "" || e.Many && e.Path != "" {
			t.Errorf("the registry's row for %s lacks its program or its start, or has a path although there are many", e.Kind)
		}
	}
}

// elements lists a page's elements with the names of their attributes.
func elements(t *testing.T, p *pages.Page) []string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(app.HTMLString(drawFunctions.Root(p))))
	if err != nil {
		t.Fatal(err)
	}
	return drawtest.Shape(doc)
}

// TestPagesEscapeTheirTexts: no text of a page, wherever it comes from, adds
// an element or an attribute to it.
func TestPagesEscapeTheirTexts(t *testing.T) {
	plain := everyKind(t, "word")
	for _, s := range []string{`"><script>alert(1)</script>`, `" onclick="alert(1)" x="`, `</title></article></div>`, `a\" b=\"`, "<!--", "&lt;b&gt;", "a\x00b", "true"} {
		for i, p := range everyKind(t, s) {
			if got, want := elements(t, p), elements(t, plain[i]); !slices.Equal(got, want) {
				t.Errorf("%s page with %q: got\n%s\nwant\n%s", p.Kind, s, got, want)
			}
		}
	}
}

func TestEveryPageHasItsLandmarks(t *testing.T) {
	for _, p := range everyKind(t, "word") {
		all := strings.Join(elements(t, p), " ")
		for _, part := range []string{"header(class)", "main(class id tabindex)", "footer(class)", "h1(id tabindex)", "nav(aria-label class)"} {
			if n := strings.Count(all, part); n < 1 || n > 1 && part != "nav(aria-label class)" {
				t.Errorf("%s page: %d of %s in %s", p.Kind, n, part, all)
			}
		}
	}
}
