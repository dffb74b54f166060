package pages

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/ui"
)

// MissingData is what the page for unknown addresses knows: every address
// there is, by the names people may have typed.
type MissingData struct {
	// Names are the last parts of addresses, old 1.x names among them, with
	// the page each leads to.
	Names []Anchor `json:"names"`
}

// missingPage draws the page for unknown addresses. The file is one and the
// same for all of them; a script that every page carries looks at the address
// and puts the nearest page forward.
func missingPage(p *Page) []app.UI {
	return []app.UI{
		app.Div().Class("Missing").Body(
			app.H1().ID("title").TabIndex(-1).Text(p.Title),
			app.P().Class("Lead").Text("The address leads to no page. A skill may have been renamed in 2.0.0."),
			app.P().ID("nearest").Class("Missing-nearest").Role("status"),
			app.P().Body(
				ui.Link(p.Href(""), "See all skills"),
				ui.Span("", " or "),
				ui.Link(p.Href("changelog/#renames"), "the table of old names"),
			),
		),
	}
}
