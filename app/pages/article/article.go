// Package article draws every page that is mostly a text: a skill, a reference,
// the guide of a tool, the news, and how the skills were tried. The text itself
// is markup that the generator made ([pages.Page.Markup]).
package article

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/pages"
	"marketingskills/app/ui"
)

// Data is what such a page shows around its article.
type Data struct {
	// Crumbs are the pages above this one, the outermost first.
	Crumbs []pages.Anchor `json:"crumbs"`
	// Lead is the sentence below the title.
	Lead string `json:"lead,omitempty"`
	// Command installs the skill; "" for what is no skill.
	Command string `json:"command,omitempty"`
	// Contents are the article's sections.
	Contents []pages.Anchor `json:"contents"`
	// Files are downloads and raw texts.
	Files []pages.Anchor `json:"files"`
	// Details are, for instance, the version and the length.
	Details []ui.Property `json:"details"`
	// LinkLists lead to other pages, such as related skills or the tools that a
	// skill uses.
	LinkLists []LinkList `json:"link_lists"`
}

// LinkList is a list of links with a title.
type LinkList struct {
	Title string         `json:"title"`
	Links []pages.Anchor `json:"links"`
}

// Draw draws the page: where you are on the left, the article in the middle,
// details on the right.
func Draw(p *pages.Page, _ string, _ int) []app.UI {
	a := pages.Content[Data](p)
	var column []app.UI
	if len(a.Crumbs) > 0 {
		column = append(column, crumbs(a.Crumbs))
	}
	column = append(column, app.H1().ID("title").TabIndex(-1).Text(p.Title))
	if a.Lead != "" {
		column = append(column, app.P().Class("Lead").Text(a.Lead))
	}
	if a.Command != "" {
		column = append(column, app.Div().Class("Quick").Body(ui.Command(a.Command)))
	}
	column = append(column, app.P().Class("Jump").Body(app.A().Href("#about").Text("Details and links")))
	return []app.UI{
		contents(a.Contents),
		app.Div().Class("Article-column").Body(append(column, app.Raw(p.Markup))...),
		app.Aside().ID("about").Class("Facts-column").Aria("label", "About this page").Body(side(a)...),
	}
}

func contents(sections []pages.Anchor) app.UI {
	return app.Nav().Class("Contents").Aria("labelledby", "contents-label").DataSet("spy", "contents").Body(
		app.H2().ID("contents-label").Class("Label").Text("On this page"),
		anchors(sections),
	)
}

func crumbs(links []pages.Anchor) app.UI {
	items := make([]app.UI, 0, len(links))
	for _, l := range links {
		items = append(items, app.Li().Body(ui.Link(l.Href, l.Text)))
	}
	return app.Nav().Class("Crumbs").Aria("label", "Breadcrumb").Body(app.Ol().Body(items...))
}

func side(a *Data) []app.UI {
	blocks := []app.UI{ui.Block("Details", ui.Properties(a.Details))}
	if len(a.Files) > 0 {
		blocks = append(blocks, ui.Block("Files", anchors(a.Files)))
	}
	for _, b := range a.LinkLists {
		blocks = append(blocks, ui.Block(b.Title, anchors(b.Links)))
	}
	return blocks
}

func anchors(links []pages.Anchor) app.UI {
	items := make([]app.UI, 0, len(links))
	for _, l := range links {
		parts := []app.UI{ui.Link(l.Href, l.Text)}
		if l.Note != "" {
			parts = append(parts, ui.Span("Links-note", l.Note))
		}
		items = append(items, app.Li().Body(parts...))
	}
	return app.Ul().Class("Links").Body(items...)
}
