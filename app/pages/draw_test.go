package pages_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"golang.org/x/net/html"

	"marketingskills/app/pages"
	"marketingskills/app/pages/prospects"
	"marketingskills/app/pages/upgrade"
)

// everyKind is one page of each kind, all their texts the given one.
func everyKind(s string) []*pages.Page {
	links := []pages.Anchor{{Href: s, Text: s, Note: s}}
	release := pages.ReleaseData{Name: s, Date: s, Breaking: true, Items: []pages.Item{{Markup: "<li data-raw=\"\">x</li>", Skills: []string{s}}}}
	kinds := []*pages.Page{
		{Kind: pages.KindCatalog, Catalog: &pages.CatalogData{
			Cards:      []pages.Card{{Name: s, Title: s, Description: s, Shelf: s, Version: s, Day: s, Date: s, Tokens: s, Old: s, Headings: s}},
			Categories: []pages.Shelf{{ID: s, Name: s, Count: 1}},
			Index:      s,
		}},
		{Kind: pages.KindSkill, Markup: `<article data-article="">x</article>`, Article: &pages.ArticleData{
			Crumbs: links, Lead: s, Contents: links, Install: []pages.Way{{For: s, Command: s}}, Files: links,
			Blocks: []pages.LinkBlock{{Title: s, Links: links}},
		}},
		{Kind: pages.KindReference, Markup: `<article data-article="">x</article>`, Article: &pages.ArticleData{Crumbs: links, Contents: links, Files: links}},
		{Kind: pages.KindChangelog, Changelog: &pages.ChangelogData{
			Releases: []pages.ReleaseData{release}, Renames: []pages.Rename{{Old: s, New: s, Where: s}}, Skills: []string{s},
		}},
		{Kind: pages.KindUpgrade, Upgrade: &pages.UpgradeData{Versions: s, Site: s, Published: []string{s}}},
		{Kind: pages.KindProspects, Prospects: &pages.ProspectsData{API: s}},
		{Kind: pages.KindMissing, Missing: &pages.MissingData{Names: links}},
	}
	for _, p := range kinds {
		p.Base, p.Path, p.Title, p.Release = "/", "x/", s, pages.Release{Version: s, Date: s}
	}
	return kinds
}

// drawn is a page as its own program draws it.
func drawn(p *pages.Page) app.UI {
	for _, program := range []pages.Program{pages.Reading(), upgrade.Program(), prospects.Program()} {
		if program[p.Kind] != nil {
			return program.Root(p)
		}
	}
	panic("no program draws " + p.Kind)
}

// elements lists a page's elements with the names of their attributes.
func elements(t *testing.T, p *pages.Page) []string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(app.HTMLString(drawn(p))))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode {
			var keys []string
			for _, a := range n.Attr {
				keys = append(keys, a.Key)
			}
			slices.Sort(keys)
			all = append(all, n.Data+"("+strings.Join(keys, " ")+")")
		}
	}
	return all
}

// TestPagesEscapeTheirTexts: no text of a page, wherever it comes from, adds
// an element or an attribute to it.
func TestPagesEscapeTheirTexts(t *testing.T) {
	plain := everyKind("word")
	for _, s := range []string{`"><script>alert(1)</script>`, `" onclick="alert(1)" x="`, `</title></article></div>`, `a\" b=\"`, "<!--", "&lt;b&gt;", "a\x00b", "true"} {
		for i, p := range everyKind(s) {
			if got, want := elements(t, p), elements(t, plain[i]); !slices.Equal(got, want) {
				t.Errorf("%s page with %q: got\n%s\nwant\n%s", p.Kind, s, got, want)
			}
		}
	}
}

func TestEveryPageHasItsLandmarks(t *testing.T) {
	for _, p := range everyKind("word") {
		all := strings.Join(elements(t, p), " ")
		for _, part := range []string{"header(class)", "main(class id tabindex)", "footer(class)", "h1(id tabindex)", "nav(aria-label class)"} {
			if n := strings.Count(all, part); n < 1 || n > 1 && part != "nav(aria-label class)" {
				t.Errorf("%s page: %d of %s in %s", p.Kind, n, part, all)
			}
		}
	}
}
