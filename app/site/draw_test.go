package site

import (
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

// everyKind is one page of each kind, all their texts the given one.
func everyKind(t *testing.T, s string) []*pages.Page {
	t.Helper()
	links := []pages.Anchor{{Href: s, Text: s, Note: s}}
	release := changelog.Release{Name: s, Date: s, Breaking: true, Items: []changelog.Item{{Markup: "<li data-raw=\"\">x</li>", Skills: []string{s}}}}
	kinds := []*pages.Page{
		pageOf(t, pages.KindCatalog, &catalog.Data{
			Noun: s, Below: s, Lead: s, Hint: s, Dated: true, Characters: 1,
			Start:      &catalog.Start{Command: s, Request: s, Answer: s, Skill: s, Path: s},
			Cards:      []catalog.Card{{Name: s, Title: s, Description: s, Shelf: s, Facts: []string{s}, Day: s, Old: s, Words: s}},
			Categories: []catalog.Shelf{{ID: s, Name: s, Count: 1}},
			Index:      s,
			Also:       &catalog.Also{Noun: s, Path: s, Index: s},
		}),
		pageOf(t, pages.KindTools, &catalog.Data{
			Noun: s, Below: s, Lead: s, Hint: s, Ways: []string{s}, Skills: []string{s},
			Tasks: []catalog.TaskGroup{{ID: s, Name: s, Tasks: []catalog.Task{{
				ID: s, Name: s, First: `<p data-raw="">x</p>`, Free: `<p data-raw="">x</p>`, NotWhen: `<p data-raw="">x</p>`,
				Also: links, Tools: []string{s}, Words: s,
			}}}},
			TaskIndex:  s,
			Cards:      []catalog.Card{{Name: s, Title: s, Description: s, Shelf: s, Facts: []string{s}, For: links, Ways: []string{s}, Skills: []string{s}}},
			Categories: []catalog.Shelf{{ID: s, Name: s, Count: 1, Advice: []ui.Fact{{Name: s, Value: s}, {Name: s, Value: s}}}},
			Index:      s,
		}),
		pageOf(t, pages.KindTool, &article.Data{Crumbs: links, Contents: links, Files: links}),
		pageOf(t, pages.KindSkill, &article.Data{
			Crumbs: links, Lead: s, Contents: links, Command: s, Files: links,
			Blocks: []article.LinkBlock{{Title: s, Links: links}},
		}),
		pageOf(t, pages.KindReference, &article.Data{Crumbs: links, Contents: links, Files: links}),
		pageOf(t, pages.KindNews, &article.Data{Lead: s, Contents: links, Files: links}),
		pageOf(t, pages.KindTryouts, &article.Data{Crumbs: links, Contents: links}),
		pageOf(t, pages.KindChangelog, &changelog.Data{
			Releases: []changelog.Release{release}, Renames: []changelog.Rename{{Old: s, New: s, Where: s}}, Skills: []string{s},
		}),
		pageOf(t, pages.KindUpgrade, &upgrade.Data{Versions: s, Site: s, Published: []string{s}}),
		pageOf(t, pages.KindProspects, &prospects.Data{API: s}),
		pageOf(t, pages.KindVerify, &verification.Config{Disposable: s, Proxy: s}),
		pageOf(t, pages.KindMissing, &missing.Data{Names: []missing.Name{{Href: s, Text: s, Change: s, Skill: s, Release: s}}}),
	}
	for _, p := range kinds {
		p.Base, p.Path, p.Title, p.Release = "/", "x/", s, pages.Release{Version: s, Date: s}
		p.Markup = `<article data-article="">x</article>`
	}
	return kinds
}

func pageOf[T any](t *testing.T, kind pages.Kind, content *T) *pages.Page {
	t.Helper()
	p := &pages.Page{Kind: kind}
	if err := pages.SetContent(p, content); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestEveryKindIsDrawn names the part of a new kind of page that was
// forgotten.
func TestEveryKindIsDrawn(t *testing.T) {
	sample := everyKind(t, "word")
	for _, e := range pages.Registry() {
		if drawers[e.Kind] == nil {
			t.Errorf("no package draws pages of the kind %s; add it to drawers in app/site/assets.go and to the main below wasm", e.Kind)
		}
		if !slices.ContainsFunc(sample, func(p *pages.Page) bool { return p.Kind == e.Kind }) {
			t.Errorf("the tests have no page of the kind %s; add one to everyKind", e.Kind)
		}
		if e.Program == "" || e.Start == "" || e.Many && e.Path != "" {
			t.Errorf("the registry's row for %s lacks its program or its start, or has a path although there are many", e.Kind)
		}
	}
}

// elements lists a page's elements with the names of their attributes.
func elements(t *testing.T, p *pages.Page) []string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(app.HTMLString(drawers.Root(p))))
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
