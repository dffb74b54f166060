package upgrade

import (
	"fmt"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/text"
	"marketingskills/app/ui"
	"marketingskills/app/upgrade"
	"marketingskills/app/upgrade/plan"
)

// outcome is the result: a sentence, the rows, the plan, and files to keep.
func (u *page) outcome() app.UI {
	r := u.result.report
	parts := []app.UI{
		app.H2().ID(resultTitle).TabIndex(-1).Text("Result"),
		app.P().Class("Outcome-summary").Text(r.Summary),
	}
	for _, note := range slices.Concat(u.result.read.Notes, asides(r)) {
		parts = append(parts, app.P().Class("Soft").Text(note))
	}
	if n := u.result.read.UnreadCount; n > 0 {
		parts = append(parts, unread(u.result.read.Unread, n))
	}
	parts = append(parts, u.list(), u.todo(), app.Div().Class("Outcome-keep").Body(
		app.Button().Class("Button", "Button--plain").Type("button").OnClick(u.downloadJSON).Text("Download report (JSON)"),
		app.Button().Class("Button", "Button--plain").Type("button").OnClick(u.downloadMarkdown).Text("Download report (Markdown)"),
	))
	return app.Section().Class("Outcome").Aria("labelledby", resultTitle).Body(parts...)
}

// unread are the lines of a listing that were not recognised.
func unread(lines []string, count int) app.UI {
	items := make([]app.UI, 0, len(lines)+1)
	for _, line := range lines {
		items = append(items, app.Li().Body(app.Code().Text(line)))
	}
	if rest := count - len(lines); rest > 0 {
		items = append(items, app.Li().Text(text.Count(rest, "more line")))
	}
	return app.Details().ID("unread").Class("Finding-changes").Open(count <= 3).Body(
		app.Summary().Text("Not recognised: "+text.Count(count, "line")),
		app.Ul().Body(items...),
	)
}

func (u *page) list() app.UI {
	v := viewOf(u.result.report, u.filter, u.drawn)
	options := make([]app.UI, 0, len(v.filters))
	for _, f := range v.filters {
		input := app.Input().Type("radio").Name("state").ID("state-" + f.id).Value(f.id).OnChange(u.choose)
		if f.id == u.filter {
			input = input.Checked(true)
		}
		options = append(options, app.Label().Class("Filter").For("state-"+f.id).Body(
			input,
			ui.Span("", f.title),
			ui.Span("Filter-count", fmt.Sprint(f.count)),
		))
	}
	rows := make([]app.UI, 0, len(v.rows))
	for _, r := range v.rows {
		rows = append(rows, upgradeRow(r))
	}
	parts := []app.UI{
		app.FieldSet().Class("Filters").Body(append([]app.UI{app.Legend().Class("Hidden").Text("Show")}, options...)...),
		app.Ul().Class("Rows", "Findings").Body(rows...),
	}
	more := app.Div().ID(moreSentinel).Class("More")
	if v.more > 0 {
		more = more.Body(app.Button().Class("Button", "Button--plain").Type("button").
			OnClick(func(app.Context, app.Event) { u.drawn += step }).
			Text("Show more (" + text.Number(v.more) + " remaining)"))
	}
	return app.Div().Body(append(parts, more)...)
}

func upgradeRow(r upgrade.Row) app.UI {
	class := "Finding-state"
	if r.State.NeedsAttention() {
		class += " Finding-state--todo"
	}
	middle := []app.UI{app.P().Class("Finding-evidence").Text(r.Evidence)}
	if r.Advice != "" {
		middle = append(middle, app.P().Text(r.Advice))
	}
	for _, n := range notesOf(r) {
		middle = append(middle, app.P().Class("Soft").Text(n.Text))
	}
	if len(r.Changes) > 0 {
		changes := make([]app.UI, 0, len(r.Changes))
		for _, c := range r.Changes {
			changes = append(changes, app.Li().Text(c.Line()))
		}
		middle = append(middle, app.Details().Class("Finding-changes").Body(
			app.Summary().Text("Changes since your version"),
			app.Ul().Body(changes...),
		))
	}
	return app.Li().Class("Finding").Body(
		app.Div().Class("Finding-name").Body(
			app.Span().Class(class).Text(r.State.Title()),
			app.Code().Text(placed(r)),
			ui.Span("Soft", replacement(r)),
		),
		app.Div().Class("Finding-middle").Body(middle...),
	)
}

// todo is the plan: its steps in words, and as commands to copy.
func (u *page) todo() app.UI {
	p := u.result.plan
	parts := []app.UI{app.H2().Text("Plan")}
	if len(p.Steps) == 0 {
		parts = append(parts, app.P().Text("There are no steps to run."))
	} else {
		commands := p.POSIX()
		if u.windows {
			commands = p.PowerShell()
		}
		parts = append(parts,
			app.P().Text(where(u.result.report)+" Old folders are moved to a backup folder next to your skills folder, "+
				"and the latest skills are installed. Nothing is deleted."),
			steps(p),
			app.Div().Class("Filters").Role("group").Aria("label", "Shell").Body(
				u.shellChoice("posix", "macOS and Linux", !u.windows),
				u.shellChoice("powershell", "Windows PowerShell", u.windows),
			),
			copied(planID, commands.Do),
			app.P().Text("To undo it, run these commands in the same folder:"),
			copied(undoID, commands.Undo),
		)
	}
	if unseenRows(u.result.report) {
		box := app.Input().Type("checkbox").OnChange(u.withUnseen)
		parts = append(parts, choice(box, "unseen", "Also replace skills whose version is unknown", u.unseen))
	}
	if len(p.Left) > 0 {
		left := make([]app.UI, 0, len(p.Left))
		for _, l := range p.Left {
			left = append(left, app.Li().Body(app.Code().Text(text.Name(l.Folder)), ui.Span("", ": "+l.Why)))
		}
		parts = append(parts, app.Details().Class("Finding-changes").Body(
			app.Summary().Text("Not in the plan: "+text.Number(len(p.Left))),
			app.Ul().Body(left...),
		))
	}
	return app.Section().Class("Todo").Body(parts...)
}

func steps(p plan.Plan) app.UI {
	items := make([]app.UI, 0, len(p.Steps))
	for _, s := range p.Steps[:min(len(p.Steps), maxSteps)] {
		items = append(items, app.Li().Text(stepText(s)))
	}
	if rest := len(p.Steps) - len(items); rest > 0 {
		items = append(items, app.Li().Text(text.Count(rest, "more step")+"; see the commands below"))
	}
	return app.Ol().Class("Steps").TabIndex(0).Body(items...)
}

// copied are commands with a button that copies them.
func copied(id, commands string) app.UI {
	return app.Div().Class("Plan").Body(
		app.Button().Class("Plan-copy", "Command-copy").Type("button").DataSet("copy-from", id).Body(
			app.Span().Class("Command-idle").Text("Copy"),
			app.Span().Class("Command-done").Text("Copied"),
		),
		app.Pre().Class("Plan-text").ID(id).TabIndex(0).Text(commands),
	)
}

func (u *page) shellChoice(id, title string, chosen bool) app.UI {
	return choice(app.Input().Type("radio").Name("shell").Value(id).OnChange(u.shell), id, title, chosen)
}

// choice is a box or button to tick, with its label.
func choice(input app.HTMLInput, id, label string, chosen bool) app.UI {
	input = input.ID(id)
	if chosen {
		input = input.Checked(true)
	}
	return app.Label().Class("Filter").For(id).Body(input, ui.Span("", label))
}
