package pages

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/ui"
)

// ArticleData is what a skill's or a reference's page shows beside its
// article.
type ArticleData struct {
	Crumbs []Anchor `json:"crumbs"`
	Lead   string   `json:"lead,omitempty"`
	// Contents are the article's sections.
	Contents []Anchor `json:"contents"`
	Install  []Way    `json:"install,omitempty"`
	// Files are downloads and raw texts.
	Files []Anchor  `json:"files"`
	Facts []ui.Fact `json:"facts"`
	// Blocks are lists of links: references, evals, related skills, history.
	Blocks []LinkBlock `json:"blocks"`
}

// Anchor is a link: an address, ready to use, and its text.
type Anchor struct {
	Href string `json:"href"`
	Text string `json:"text"`
	// Note stands behind the link in soft ink.
	Note string `json:"note,omitempty"`
}

// Way is one way to install a skill.
type Way struct {
	For     string `json:"for"`
	Command string `json:"command"`
}

// LinkBlock is a titled list of links.
type LinkBlock struct {
	Title string   `json:"title"`
	Links []Anchor `json:"links"`
}

// articlePage draws a skill or one of its references: where you are on the
// left, the article in the middle, facts on the right.
func articlePage(p *Page) []app.UI {
	a := p.Article
	column := []app.UI{
		crumbs(a.Crumbs),
		app.H1().ID("title").TabIndex(-1).Text(p.Title),
	}
	if a.Lead != "" {
		column = append(column, app.P().Class("Lead").Text(a.Lead))
	}
	column = append(column, app.P().Class("Jump").Body(app.A().Href("#about").Text("Install, facts and references")))
	return []app.UI{
		contents(a.Contents),
		app.Div().Class("Article-column").Body(append(column, app.Raw(p.Markup))...),
		app.Aside().ID("about").Class("Facts-column").Aria("label", "About this text").Body(side(a)...),
	}
}

func contents(sections []Anchor) app.UI {
	links := make([]app.UI, 0, len(sections))
	for _, s := range sections {
		links = append(links, ui.Link(s.Href, s.Text))
	}
	return app.Nav().Class("Contents").Aria("labelledby", "contents-label").DataSet("spy", "contents").Body(
		app.H2().ID("contents-label").Class("Label").Text("On this page"),
		ui.Links(links...),
	)
}

func crumbs(links []Anchor) app.UI {
	items := make([]app.UI, 0, len(links))
	for _, l := range links {
		items = append(items, app.Li().Body(ui.Link(l.Href, l.Text)))
	}
	return app.Nav().Class("Crumbs").Aria("label", "Breadcrumb").Body(app.Ol().Body(items...))
}

func side(a *ArticleData) []app.UI {
	var blocks []app.UI
	if len(a.Install) > 0 {
		blocks = append(blocks, takeHome(a))
	} else {
		blocks = append(blocks, ui.Block("Take it home", anchors(a.Files)))
	}
	blocks = append(blocks, ui.Block("Facts", ui.Facts(a.Facts)))
	for _, b := range a.Blocks {
		blocks = append(blocks, ui.Block(b.Title, anchors(b.Links)))
	}
	return blocks
}

func takeHome(a *ArticleData) app.UI {
	parts := make([]app.UI, 0, 2*len(a.Install)+1)
	for _, w := range a.Install {
		parts = append(parts, app.P().Class("Soft").Text(w.For), ui.Command(w.Command))
	}
	return ui.Block("Take it home", append(parts, anchors(a.Files))...)
}

func anchors(links []Anchor) app.UI {
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

// Eval is one evaluation case as a page shows it.
type Eval struct {
	Prompt     string
	Expected   string
	Assertions []string
}

// Evals draws a skill's evaluation cases in full. It becomes part of the
// article when the site is generated.
func Evals(cases []Eval) app.UI {
	parts := []app.UI{app.H2().ID("evals").Text("Evals")}
	for _, c := range cases {
		facts := make([]app.UI, 0, len(c.Assertions))
		for _, a := range c.Assertions {
			facts = append(facts, app.Li().Text(a))
		}
		parts = append(parts, app.Details().Class("Eval").Body(
			app.Summary().Text(c.Prompt),
			app.H3().Text("A good answer"),
			app.P().Text(c.Expected),
			app.H3().Text("Checked facts"),
			app.Ul().Body(facts...),
		))
	}
	return app.Section().Class("Evals").Body(parts...)
}
