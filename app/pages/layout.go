package pages

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/ui"
)

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
	own, _ := EntryOf(p.Kind)
	var nav []app.UI
	for _, e := range registry {
		if e.Navigation == "" {
			continue
		}
		here := p.Kind == e.Kind || own.In == e.Kind
		nav = append(nav, ui.Current(ui.Link(p.Href(e.Path), e.Navigation), here))
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
		return app.A().Class("Header-release").Attr("href", ui.Attr(p.Href(PathChangelog))).Body(
			ui.Span("Header-word", "Release "), ui.Span("", p.Release.Version),
			ui.Span("Header-date", " · "+p.Release.Date),
		)
	}
	return app.A().ID("find-link").Class("Header-find").Attr("href", ui.Attr(p.Href("#find"))).Body(
		ui.Span("", "Search"),
		app.Kbd().Aria("hidden", "true").Text("/"),
	)
}

// themeSwitch steps through the system's theme, light and dark. The page
// script remembers the choice, and the style sheet shows the word for the
// present one, so the button is the same before and after take-over.
func themeSwitch() app.UI {
	return app.Button().Class("Theme").Type("button").DataSet("theme-switch", "next").Body(
		app.Span().Class("Theme-word").Text("Theme: "),
		app.Span().Class("Theme-auto").Text("Auto"),
		app.Span().Class("Theme-light").Text("Light"),
		app.Span().Class("Theme-dark").Text("Dark"),
	)
}

// offline offers to keep the whole site in the browser. The page script does
// it, and says in the output how far it has come.
func offline(p *Page) app.UI {
	return app.P().Class("Footer-offline").Body(
		app.Button().Class("Footer-keep").Type("button").DataSet("keep-everything", "yes").
			Text("Save all pages for offline use ("+p.OfflineSize+")"),
		app.Output().ID("offline-status"),
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
			ui.Link(p.Href("facts.json"), "facts.json"),
			ui.Span("", " · "),
			ui.Link(p.Href("feed.xml"), "Release feed"),
		),
		offline(p),
		app.P().Text("MIT License. No tracking."),
	)
}
