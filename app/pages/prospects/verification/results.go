package verification

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/text"
	"marketingskills/app/ui"
	"marketingskills/app/verify"
)

// step is how many lines of the list are drawn at a time.
const step = 30

// longest is how much of an email is shown, in bytes; no mail server takes as much.
const longest = 320

// The IDs of the title of what was found, and of the choice of what to list.
const (
	resultTitle = "email-status"
	filterForm  = "filter"
)

// results are what was found: a picture, what to export, and the list.
func (p *Panel) results(t *tally, onward []app.UI) []app.UI {
	parts := []app.UI{
		app.H2().ID(resultTitle).Class("Section").TabIndex(-1).Text("Email status"),
		confirmed(t),
		chart(t),
		p.drawCorrections(t),
		app.Dl().Class("Meanings").Body(meanings(t)...),
	}
	if p.used {
		parts = append(append(parts, p.choice.draw(t)), onward...)
	}
	return append(parts, p.drawList(t)...)
}

// confirmed is what the free checks alone leave to be said; a run says it at its
// end.
func confirmed(t *tally) app.UI {
	if t.answered > 0 {
		return ui.P("Confirmed", "")
	}
	return ui.P("Confirmed", t.confirmedText())
}

// drawCorrections offers to make all corrections at once.
func (p *Panel) drawCorrections(t *tally) app.UI {
	if p.Correct == nil || t.corrections < 2 || p.work.On {
		return app.Div().Class("Corrections")
	}
	const label = "Fix all"
	return app.Div().Class("Corrections", "Actions").Body(
		ui.PlainButton(label, p.correctAll).Text(label + " " + text.Number(t.corrections)))
}

func chart(t *tally) app.UI {
	bars, keys := make([]ui.Part, 0, len(t.order)), make([]app.UI, 0, len(t.order))
	for _, s := range t.order {
		of := statusOf(s)
		bars = append(bars, ui.Part{Class: "Bar-" + of.class, Share: float64(t.states[s]) / float64(max(t.different, 1))})
		keys = append(keys, ui.Key("Bar-"+of.class, text.Number(t.states[s]), of.name))
	}
	return app.Div().Class("Gauge", "Gauge--wide").Body(ui.Bar(bars...), app.Ul().Class("Key").Body(keys...))
}

func meanings(t *tally) []app.UI {
	all := make([]app.UI, 0, len(t.order))
	for _, s := range t.order {
		of := statusOf(s)
		all = append(all, ui.Div("Meaning",
			app.Dt().Body(badge(of)),
			app.Dd().Body(ui.Span("", of.means), ui.Span("Soft", of.todo)),
		))
	}
	return all
}

func badge(of *status) app.UI {
	return app.Span().Class("Badge", "Badge--"+of.class).Body(
		app.Span().Class("Badge-mark").Aria("hidden", "true").Text(of.mark),
		ui.Span("", of.name),
	)
}

// draw asks which emails to export, and says what will probably come of it.
func (c *choice) draw(t *tally) app.UI {
	set := []app.UI{ui.Legend("Emails to export")}
	if !t.byVerifier {
		set = append(set, ui.P("Field-note", "Free checks cannot confirm an email, so nothing is ticked. "+
			"You decide whether to export emails that nobody verified."))
	}
	for _, s := range t.order {
		of := statusOf(s)
		label := of.name + " (" + text.Number(t.states[s]) + ")"
		switch {
		case !mayChoose(s):
			set = append(set, ui.P("Choice-never", label+": never exported."))
		case s == verify.OK:
			set = append(set, ui.Box(choiceOf+idOf(s), label, "", c.has(s), c.toggle))
		default:
			set = append(set, ui.Box(choiceOf+idOf(s), label, c.consequence(t, s), c.has(s), c.toggle))
		}
	}
	return app.Form().ID(choiceForm).Class("Form", "Include").Method("dialog").Body(
		app.FieldSet().Class("Choices").Body(set...),
		c.drawBounce(t),
	)
}

func (c *choice) drawBounce(t *tally) app.UI {
	b := c.bounce(t)
	parts := []app.UI{app.H3().Class("Field-label").Text("Predicted bounce share")}
	if b.emails == 0 {
		parts = append(parts, ui.P("Bounce-share", "–"), ui.P("Soft", "No emails are chosen."))
	} else {
		parts = append(parts,
			ui.P("Bounce-share", percent(b.share)),
			ui.P("Bounce-sum", b.sum),
			ui.P("Soft", judge(b.share)))
	}
	var guesses []app.UI
	for _, s := range t.guessFields() {
		id := guessOf + string(s)
		guesses = append(guesses, ui.Div("Guess",
			app.Label().For(id).Text(statusOf(s).name),
			app.Input().ID(id).Name(id).Class("Field-input").Type("number").Attr("min", "0").Attr("max", "100").
				Value(strconv.Itoa(c.guess(s))).OnInput(c.setGuess),
			app.Span().Aria("hidden", "true").Text("%"),
		))
	}
	if len(guesses) > 0 {
		parts = append(parts, app.FieldSet().Class("Guesses").Body(append([]app.UI{
			app.Legend().Class("Soft").Text("How many of them bounce, in percent: guesses, change them"),
		}, guesses...)...))
	}
	return ui.Div("Bounce", parts...)
}

// drawList is the list of emails, and what it shows.
func (p *Panel) drawList(t *tally) []app.UI {
	filters := []app.UI{app.Legend().Class("Hidden").Text("Show")}
	for _, f := range t.filters() {
		id := "show-" + f.id
		input := app.Input().ID(id).Type("radio").Name("show").Value(f.id).OnChange(p.choose)
		if f.id == p.filter {
			input = input.Checked(true)
		}
		filters = append(filters, app.Label().Class("Filter").For(id).Body(
			input, ui.Span("", f.title), ui.Span("Filter-count", text.Number(f.count))))
	}
	shown, more := rows(p.entries, p.filter, p.drawn)
	lines := make([]app.UI, 0, len(shown))
	for _, r := range shown {
		lines = append(lines, p.drawRow(r))
	}
	below := app.Div().Class("More")
	if more > 0 {
		below = below.Body(ui.PlainButton("Show more", p.showMore).Text("Show more (" + text.Number(more) + " remaining)"))
	}
	return []app.UI{
		app.Form().ID(filterForm).Method("dialog").Body(app.FieldSet().Class("Filters").Body(filters...)),
		app.Ul().Class("Emails").Body(lines...),
		below,
	}
}

func (p *Panel) drawRow(r row) app.UI {
	why := []app.UI{}
	if r.detail != "" {
		why = append(why, ui.Span("", r.detail))
	}
	if r.meant != "" {
		words := "Did you mean " + r.meant + "?"
		if p.Correct == nil || p.work.On || r.status.state == verify.OK {
			why = append(why, app.Span().Class("Email-meant").Text(words))
		} else {
			why = append(why, app.Button().Class("Email-meant").Type("button").Value(ui.Attr(r.email)).Text(words).OnClick(p.correctOne))
		}
	}
	return app.Li().Class("Email").Body(
		ui.Span("Email-text", text.Clip(r.email, longest)+r.times),
		badge(r.status),
		app.Span().Class("Email-why").Body(why...),
	)
}

func (p *Panel) choose(ctx app.Context, _ app.Event) {
	p.filter, p.drawn = browser.SourceOf(ctx).Value, step
}

func (p *Panel) showMore(app.Context, app.Event) { p.drawn += step }
