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

// outcome is the result: a sentence, the plan, why it is so, folder by folder,
// and files to keep.
func (u *page) outcome() app.UI {
	r := u.result.report
	parts := []app.UI{
		app.H2().ID(resultTitle).TabIndex(-1).Text("Result"),
		app.P().Class("Outcome-summary").Text(r.Summary),
	}
	for _, note := range slices.Concat(u.result.read.Notes, reportNotes(r)) {
		parts = append(parts, app.P().Class("Soft").Text(note))
	}
	if n := u.result.read.UnreadCount; n > 0 {
		parts = append(parts, unread(u.result.read.Unread, n))
	}
	keep := app.Div().Class("Outcome-keep").Body(
		app.Button().Class("Button", "Button--plain").Type("button").OnClick(u.downloadJSON).Text("Download report (JSON)"),
	)
	parts = append(parts, u.todo(), keep, app.H2().Text("Folders"), u.list())
	return app.Section().Class("Outcome").Aria("labelledby", resultTitle).Body(parts...)
}

// unread are the lines of a listing that were not recognised.
func unread(lines []string, count int) app.UI {
	items := each(lines, func(line string) app.UI { return app.Li().Body(app.Code().Text(line)) })
	if rest := count - len(lines); rest > 0 {
		items = append(items, app.Li().Text(text.Count(rest, "more line")))
	}
	return folded("Not recognised: "+text.Count(count, "line"), items).ID("unread").Open(count <= 3)
}

// each draws all of a kind.
func each[T any](all []T, draw func(T) app.UI) []app.UI {
	drawn := make([]app.UI, 0, len(all))
	for _, one := range all {
		drawn = append(drawn, draw(one))
	}
	return drawn
}

// folded is a list that opens when its title is pressed.
func folded(title string, items []app.UI) app.HTMLDetails {
	return app.Details().Class("Finding-changes").Body(app.Summary().Text(title), app.Ul().Body(items...))
}

func (u *page) list() app.UI {
	v := viewOf(u.result.report, u.filter, u.drawn)
	options := each(v.filters, func(f stateFilter) app.UI {
		input := app.Input().Type("radio").Name("state").Value(f.id).OnChange(u.choose)
		return choice(input, "state-"+f.id, f.id == u.filter, ui.Span("", f.title), ui.Span("Filter-count", fmt.Sprint(f.count)))
	})
	parts := []app.UI{
		app.FieldSet().Class("Filters").Body(append([]app.UI{app.Legend().Class("Hidden").Text("Show")}, options...)...),
		app.Ul().Class("Rows", "Findings").Body(each(v.rows, u.row)...),
	}
	more := app.Div().ID(moreSentinel).Class("More")
	if v.more > 0 {
		more = more.Body(app.Button().Class("Button", "Button--plain").Type("button").
			OnClick(func(app.Context, app.Event) { u.drawn += rowBatch }).
			Text("Show more (" + text.Number(v.more) + " remaining)"))
	}
	return app.Div().Body(append(parts, more)...)
}

func (u *page) row(r upgrade.Row) app.UI {
	class := "Finding-state"
	if r.State.NeedsAttention() {
		class += " Finding-state--todo"
	}
	middle := []app.UI{app.P().Class("Finding-evidence").Text(r.Evidence)}
	advice := r.Advice
	planned := func(s plan.Step) bool { return s.Place == r.Place && s.Folder == r.Folder }
	if unseen(r) && slices.ContainsFunc(u.result.plan.Moves(), planned) {
		advice = "The plan replaces it, and keeps the old copy in the backup folder."
	}
	if advice != "" {
		middle = append(middle, app.P().Text(advice))
	}
	for _, note := range r.Notes {
		middle = append(middle, app.P().Class("Soft").Text(note))
	}
	if len(r.Changes) > 0 {
		changes := each(r.Changes, func(c upgrade.Change) app.UI { return app.Li().Text(c.Line()) })
		middle = append(middle, folded("Changes since your version", changes))
	}
	return app.Li().Class("Finding").Body(
		app.Div().Class("Finding-name").Body(
			app.Span().Class(class).Text(r.State.Title()),
			app.Code().Text(placed(r)),
			app.Span().Class("Soft").Body(u.became(r)...),
		),
		app.Div().Class("Finding-middle").Body(middle...),
	)
}

// became says in a few words what a folder became, with a link to the skill.
func (u *page) became(r upgrade.Row) []app.UI {
	b := becameOf(r)
	parts := []app.UI{ui.Span("", b.before)}
	if b.name != "" {
		parts = append(parts, ui.Link(u.Page.Href("skills/"+u.manifest.Current(b.name)+"/"), b.name))
	}
	return append(parts, ui.Span("", b.after))
}

// todo is the plan: its steps in words, and as commands to copy.
func (u *page) todo() app.UI {
	p := u.result.plan
	parts := []app.UI{app.H2().Text("Plan")}
	if len(p.Steps) == 0 {
		parts = append(parts, app.P().Text("There are no steps to run."))
	} else {
		parts = append(parts,
			app.P().Text(where(u.result.report)+" Old folders are moved to a backup folder next to your skills folder, "+
				"and the latest skills are installed. Nothing is deleted."),
			steps(p),
			app.Div().Class("Filters").Role("group").Aria("label", "Shell").Body(each(plan.Shells, u.shellChoice)...),
			copied(planID, u.shell.Script(p)),
			app.P().ID(undoID).Text(undoing(p, u.shell, u.result.read.Here)),
		)
	}
	if unseenRows(u.result.report) {
		box := app.Input().Type("checkbox").OnChange(u.withUnseen)
		parts = append(parts, choice(box, "unseen", u.unseen, ui.Span("", "Also replace skills whose version is unknown")))
	}
	if len(p.Left) > 0 {
		left := each(p.Left, func(l plan.Left) app.UI {
			return app.Li().Body(app.Code().Text(text.Name(l.Folder)), ui.Span("", ": "+l.Why))
		})
		parts = append(parts, folded("Not in the plan: "+text.Number(len(p.Left)), left))
	}
	return app.Section().Class("Todo").Body(parts...)
}

func steps(p plan.Plan) app.UI {
	items := each(p.Steps[:min(len(p.Steps), mostStepsListed)], func(s plan.Step) app.UI { return app.Li().Text(s.String()) })
	if rest := len(p.Steps) - len(items); rest > 0 {
		items = append(items, app.Li().Text(text.Count(rest, "more step")+"; see the commands below"))
	}
	return app.Ol().Class("Steps").TabIndex(0).Body(items...)
}

// copied are commands with a button that copies them.
func copied(id, commands string) app.UI {
	return app.Div().Class("Plan").Body(
		app.Button().Class("Plan-copy", "Copy").Type("button").DataSet("copy-from", id).Body(
			app.Span().Class("Copy-idle").Text("Copy"),
			app.Span().Class("Copy-done").Text("Copied"),
		),
		app.Pre().Class("Plan-text").ID(id).TabIndex(0).Text(commands),
	)
}

func (u *page) shellChoice(shell *plan.Shell) app.UI {
	input := app.Input().Type("radio").Name("shell").Value(shell.ID).OnChange(u.chooseShell)
	return choice(input, shell.ID, shell == u.shell, ui.Span("", shell.Name))
}

// choice is a box or button to tick, with its label.
func choice(input app.HTMLInput, id string, chosen bool, label ...app.UI) app.UI {
	input = input.ID(id)
	if chosen {
		input = input.Checked(true)
	}
	return app.Label().Class("Filter").For(id).Body(append([]app.UI{input}, label...)...)
}
