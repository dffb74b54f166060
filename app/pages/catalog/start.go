package catalog

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/ui"
)

// hero is what stands above the search: the heading, and on the home page what
// this is and how to begin. It is as many elements on every page, so that the
// search below stays the same element from one page to the other.
func (c *Catalog) hero() []app.UI {
	d := c.data()
	words := []app.UI{
		app.H1().ID("title").TabIndex(-1).Text(c.Page.Title),
		app.P().Class("Lead").Text(d.Lead),
	}
	s := d.Start
	if s == nil {
		return []app.UI{app.Div().Class("Hero").Body(words...), app.Section().Class("Steps").Hidden(true)}
	}
	words = append(words, ui.Command(s.Command))
	return []app.UI{
		app.Div().Class("Hero", "Hero--start").Body(
			app.Div().Class("Hero-words").Body(words...),
			app.Figure().Class("Hero-example").Body(
				app.FigCaption().Class("Label").Text("Asked"),
				app.P().Class("Hero-request").Text(s.Request),
				app.P().Class("Label").Text("Answered, with the skill "+s.Skill),
				app.P().Text(s.Answer),
				app.P().Body(ui.Link(c.Page.Href(s.Path+"#example"), "Read the whole answer")),
			),
		),
		newToSkills(),
	}
}

// steps explain a skill to somebody who never heard of one, each with a small
// picture.
var steps = []struct{ picture, title, words string }{
	{
		`<path d="M4 10h12l4 4h24v26H4z"/><path d="M12 23h24M12 29h24M12 35h14"/>`,
		"A skill is a folder", "It holds instructions that your AI assistant opens when your request fits.",
	},
	{
		`<path d="M24 6v22M15 20l9 9 9-9M6 34v8h36v-8"/>`,
		"Install it once", "One command or a zip file. Claude Code, Codex, Cursor, Copilot, Gemini CLI and others read it.",
	},
	{
		`<path d="M6 8h36v24H22l-9 9v-9H6z"/><path d="M14 16h20M14 23h12"/>`,
		"Ask as usual",
		"Type what you need in your own words. Answers take about twice as long: the assistant checks its draft before you see it.",
	},
}

func newToSkills() app.UI {
	items := make([]app.UI, 0, len(steps))
	for _, s := range steps {
		items = append(items, app.Li().Class("Steps-step").Body(
			app.Raw(`<svg class="Steps-picture" viewBox="0 0 48 48" aria-hidden="true">`+s.picture+`</svg>`),
			app.Div().Body(
				app.H3().Class("Steps-title").Text(s.title),
				app.P().Class("Soft").Text(s.words),
			),
		))
	}
	return app.Section().Class("Steps").Aria("labelledby", "new").Body(
		app.H2().ID("new").Class("Label").Text("New to skills?"),
		app.Ol().Class("Steps-list").Body(items...),
	)
}
