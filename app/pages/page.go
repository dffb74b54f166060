// Package pages draws the site: one file per route, and here what they share.
//
// A Page is plain data. The generator fills it, draws it with Root into a file,
// and puts the same data into the document as JSON; the browser reads it from
// there, so that its first drawing equals what the visitor already sees. Each
// page decides in a pure function what to show and only then lays it out.
package pages

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/ui"
)

// Kind tells which of a Page's parts is filled and how the page is laid out.
type Kind string

// The kinds of pages.
const (
	KindCatalog   Kind = "catalog"
	KindSkill     Kind = "skill"
	KindReference Kind = "reference"
	KindChangelog Kind = "changelog"
	KindUpgrade   Kind = "upgrade"
	KindProspects Kind = "prospects"
	KindMissing   Kind = "missing"
)

// The paths of the pages people work on. What a visitor does there is lost
// with the page, so that going there and leaving it is always the browser's
// business, which can ask before.
const (
	PathUpgrade   = "upgrade/"
	PathProspects = "prospects/"
)

var toWorkOn = []string{PathUpgrade, PathProspects}

// Page is everything one page shows, but for its article.
type Page struct {
	Kind Kind `json:"kind"`
	// Base is the path the site lives under: it begins and ends with a slash.
	Base string `json:"base"`
	// Path is the page's own path below Base, without a leading slash: "" for
	// the catalog, "skills/sms/" for a skill.
	Path string `json:"path"`
	// Title is the heading; DocumentTitle and Description describe the page to
	// browsers, search engines and link previews.
	Title         string `json:"title"`
	DocumentTitle string `json:"-"`
	Description   string `json:"-"`
	// Build names the program and the style sheet the page was made for: one
	// program does not draw another one's pages.
	Build string `json:"build"`
	// Release is the newest release of the collection.
	Release Release `json:"release"`

	Catalog   *CatalogData   `json:"catalog,omitempty"`
	Article   *ArticleData   `json:"article,omitempty"`
	Changelog *ChangelogData `json:"changelog,omitempty"`
	Upgrade   *UpgradeData   `json:"upgrade,omitempty"`
	Prospects *ProspectsData `json:"prospects,omitempty"`
	Missing   *MissingData   `json:"missing,omitempty"`

	// Markup is the article's safe HTML: one element, drawn as it is. It lives
	// in the document, not in the JSON, so that it is sent once.
	Markup string `json:"-"`
}

// UpgradeData is what the upgrade page is generated with.
type UpgradeData struct {
	// Versions is the address of the manifest.
	Versions string `json:"versions"`
	// Site is the address skills can be fetched from, Published the names of
	// those it has.
	Site      string   `json:"site"`
	Published []string `json:"published"`
}

// ProspectsData is what the extraction page is generated with.
type ProspectsData struct {
	// API is the address of the code host's API, the only one the page's
	// policy lets it ask.
	API string `json:"api"`
}

// Release names a version and its day as people write it ("26 May 2026").
type Release struct {
	Version string `json:"version"`
	Date    string `json:"date"`
}

// Href returns the address of a page or file of the site.
func (p *Page) Href(path string) string { return p.Base + path }

// layout draws a page: header, the given middle, footer.
func layout(p *Page, middle ...app.UI) app.UI {
	return app.Div().Class("Page").Body(
		app.A().Class("Skip").Href("#main").Text("Skip to content"),
		header(p),
		app.Main().ID("main").TabIndex(-1).Class("Main", "Main--"+string(p.Kind)).Body(middle...),
		footer(p),
	)
}

// header is the line at the top of every page.
func header(p *Page) app.UI {
	nav := make([]app.UI, 0, 4)
	for _, l := range []struct{ path, text string }{
		{"", "Catalog"},
		{"changelog/", "Changelog"},
		{PathUpgrade, "Upgrade"},
		{PathProspects, "Prospects"},
	} {
		here := p.Path == l.path && p.Kind != KindMissing ||
			l.path == "" && strings.HasPrefix(p.Path, "skills/")
		nav = append(nav, ui.Current(ui.Link(p.Href(l.path), l.text), here))
	}
	return app.Header().Class("Header").Body(
		app.Div().Class("Header-inside").Body(
			ui.Link(p.Href(""), "Marketing Skills").Class("Header-name"),
			app.Nav().Class("Header-nav").Aria("label", "Site").Body(nav...),
			app.Div().Class("Header-end").Body(
				headerEnd(p),
				themeSwitch(),
			),
		),
	)
}

func headerEnd(p *Page) app.UI {
	if p.Kind == KindCatalog {
		return app.A().Class("Header-release").Attr("href", ui.Attr(p.Href("changelog/"))).Body(
			ui.Span("", p.Release.Version),
			ui.Span("Header-date", " · "+p.Release.Date),
		)
	}
	return app.A().ID("find-link").Class("Header-find").Attr("href", ui.Attr(p.Href("#find"))).Body(
		ui.Span("", "Find"),
		app.Kbd().Aria("hidden", "true").Text("/"),
	)
}

// themeSwitch steps through the system's theme, light and dark. The page
// script remembers the choice, and the style sheet shows the word for the
// present one, so the button is the same before and after take-over.
func themeSwitch() app.UI {
	return app.Button().Class("Theme").Type("button").DataSet("theme-switch", "next").Body(
		app.Span().Class("Hidden").Text("Colours: "),
		app.Span().Class("Theme-auto").Text("Auto"),
		app.Span().Class("Theme-light").Text("Light"),
		app.Span().Class("Theme-dark").Text("Dark"),
	)
}

func footer(p *Page) app.UI {
	return app.Footer().Class("Footer").Body(
		app.P().Body(
			ui.Span("", "For agents: "),
			ui.Link(p.Href("llms.txt"), "llms.txt"),
			ui.Span("", " · "),
			ui.Link(p.Href("catalog.json"), "catalog.json"),
			ui.Span("", " · "),
			ui.Link(p.Href("VERSIONS.md"), "VERSIONS.md"),
			ui.Span("", " · "),
			ui.Link(p.Href("feed.xml"), "feed of releases"),
		),
		app.P().Text("MIT licence. Nothing here tracks you."),
	)
}
