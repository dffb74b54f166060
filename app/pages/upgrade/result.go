package upgrade

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/ui"
	"marketingskills/app/upgrade"
)

// outcome is the result: a sentence, the rows, the plan, and files to keep.
func (u *checker) outcome() app.UI {
	r := u.result.report
	parts := []app.UI{
		app.H2().ID(resultTitle).TabIndex(-1).Text("What it is"),
		app.P().Class("Outcome-summary").Text(r.Summary),
	}
	for _, remark := range append(append([]string{}, u.remarks...), asides(r)...) {
		parts = append(parts, app.P().Class("Soft").Text(remark))
	}
	parts = append(parts, u.list(), u.todo(), app.Div().Class("Outcome-keep").Body(
		app.Button().Class("Button", "Button--plain").Type("button").OnClick(u.downloadJSON).Text("Download as JSON"),
		app.Button().Class("Button", "Button--plain").Type("button").OnClick(u.downloadMarkdown).Text("Download as Markdown"),
	))
	return app.Section().Class("Outcome").Aria("labelledby", resultTitle).Body(parts...)
}

func (u *checker) list() app.UI {
	v := upgradeOf(u.result.report, u.filter, u.drawn)
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
		more = more.Body(app.Button().Class("Button", "Button--plain").Type("button").OnClick(u.moreRows).Text(fmt.Sprintf("Show more: %d below", v.more)))
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
			changes = append(changes, app.Li().Text(changeText(c)))
		}
		middle = append(middle, app.Details().Class("Finding-changes").Body(
			app.Summary().Text("What changed since"),
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

// todo is the plan: its steps in words, and as text to copy.
func (u *checker) todo() app.UI {
	plan := u.result.plan
	parts := []app.UI{app.H2().Text("What to do")}
	if len(plan.Steps) == 0 {
		parts = append(parts, app.P().Text("Nothing: there is no step to take."))
	} else {
		parts = append(parts, app.P().Text(where(u.result.report)+" It moves old folders beside the skills folder, where agents do not read, and puts the current skills in their place. It deletes nothing and prints how to undo it."), steps(plan))
		parts = append(parts, u.commands()...)
	}
	if unseenRows(u.result.report) {
		parts = append(parts, check("unseen", "Replace skills whose version the listing does not show as well", u.unseen, u.withUnseen))
	}
	if len(plan.Left) > 0 {
		left := make([]app.UI, 0, len(plan.Left))
		for _, l := range plan.Left {
			left = append(left, app.Li().Body(app.Code().Text(upgrade.Show(l.Folder)), ui.Span("", ": "+l.Why)))
		}
		parts = append(parts, app.Details().Class("Finding-changes").Body(
			app.Summary().Text(fmt.Sprintf("Left for you: %d", len(plan.Left))),
			app.Ul().Body(left...),
		))
	}
	return app.Section().Class("Todo").Body(parts...)
}

func steps(plan upgrade.Cleanup) app.UI {
	items := make([]app.UI, 0, len(plan.Steps))
	for _, s := range plan.Steps[:min(len(plan.Steps), maxSteps)] {
		items = append(items, app.Li().Text(stepText(s)))
	}
	if rest := len(plan.Steps) - len(items); rest > 0 {
		items = append(items, app.Li().Text(fmt.Sprintf("%d more steps, all in the commands below", rest)))
	}
	return app.Ol().Class("Steps").TabIndex(0).Body(items...)
}

// commands is the plan for the chosen shell.
func (u *checker) commands() []app.UI {
	return []app.UI{
		app.Div().Class("Filters").Role("group").Aria("label", "Shell").Body(
			u.shellChoice("posix", "macOS and Linux", !u.windows),
			u.shellChoice("powershell", "Windows PowerShell", u.windows),
		),
		check("dry", "Only print what it would do; clear this and copy again to do it", !u.earnest, u.dryRun),
		app.Div().Class("Plan").Body(
			app.Button().Class("Plan-copy", "Command-copy").Type("button").DataSet("copy-from", planID).Body(
				app.Span().Class("Command-idle").Text("Copy"),
				app.Span().Class("Command-done").Text("Copied"),
			),
			app.Pre().Class("Plan-text").ID(planID).TabIndex(0).Text(planText(u.result.plan, u.windows, !u.earnest)),
		),
	}
}

// check is a box to tick, with its label.
func check(id, label string, on bool, changed app.EventHandler) app.UI {
	box := app.Input().Type("checkbox").ID(id).OnChange(changed)
	if on {
		box = box.Checked(true)
	}
	return app.Label().Class("Filter").For(id).Body(box, ui.Span("", label))
}

func (u *checker) shellChoice(id, title string, chosen bool) app.UI {
	input := app.Input().Type("radio").Name("shell").ID(id).Value(id).OnChange(u.shell)
	if chosen {
		input = input.Checked(true)
	}
	return app.Label().Class("Filter").For(id).Body(input, ui.Span("", title))
}
