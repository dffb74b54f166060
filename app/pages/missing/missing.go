// Package missing draws the page for unknown URLs.
package missing

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/pages"
	"marketingskills/app/ui"
)

// Data is what the page for unknown URLs knows: every page there is, by the
// names people may have typed.
type Data struct {
	Names []Name `json:"names"`
}

// Name is the last part of a URL and the page it leads to.
type Name struct {
	Href string `json:"href"`
	Text string `json:"text"`
	// Change, Skill and Release are set for a 1.x name: "renamed to" or "merged
	// into", the skill of today, and the release that changed it.
	Change  string `json:"change,omitempty"`
	Skill   string `json:"skill,omitempty"`
	Release string `json:"release,omitempty"`
}

// Draw draws the page for unknown addresses. The file is one and the
// same for all of them; a script that every page carries looks at the address
// and offers the pages that may be meant, or the search.
func Draw(p *pages.Page, _ string, _ int) []app.UI {
	return []app.UI{
		app.Div().Class("Missing").Body(
			app.H1().ID("title").TabIndex(-1).Text(p.Title),
			app.P().Class("Lead").Text("There is no page at this URL. The skill may have been renamed in 2.0.0."),
			app.P().ID("meant").Class("Missing-meant").Role("status"),
			app.Form().Class("Missing-search").Method("get").Action(ui.Attr(p.Href(""))).Role("search").Body(
				app.Label().For("missing-search").Text("Search the skills"),
				app.Input().ID("missing-search").Name("q").Class("Field-input").Type("search").Placeholder("Task, keyword or old skill name"),
				app.Button().Class("Missing-go").Type("submit").Text("Search"),
			),
			app.P().Body(
				ui.Link(p.Href(""), "See all skills"),
				ui.Span("", " or "),
				ui.Link(p.Href(pages.PathChangelog+"#renames"), "the list of renamed skills"),
			),
		),
	}
}
