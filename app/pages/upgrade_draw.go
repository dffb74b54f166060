package pages

import (
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/manifest"
	"marketingskills/app/ui"
	"marketingskills/app/upgrade"
)

// The IDs of the page's fields and of the places it scrolls to.
const (
	pasteBox     = "listing"
	pasteForm    = "paste"
	folderInput  = "folder"
	resultTitle  = "result"
	planID       = "plan-text"
	moreSentinel = "more"
	// step is how many rows are drawn at a time: the next ones when the end
	// of the list comes near.
	step = 60
	// maxSteps is how many steps of a plan are spelt out.
	maxSteps = 200
)

// Upgrade draws the upgrade checker. What the visitor shows it stays in this
// component.
type Upgrade struct {
	app.Compo
	Page *Page

	manifest *manifest.Manifest
	loading  browser.Loading
	initial  string
	pasted   string
	// waiting is what the visitor asked for before the manifest was there.
	waiting func(app.Context)
	// status is what happens, problem what went wrong with what was shown.
	status  string
	problem string
	remarks []string
	result  *checked
	// job counts what was asked for; an answer to an earlier job is dropped.
	job       int
	filter    string
	drawn     int
	windows   bool
	unseen    bool
	earnest   bool
	stopWatch func()
}

// checked is one finished check.
type checked struct {
	report upgrade.Report
	plan   upgrade.Cleanup
}

// OnInit keeps what the visitor showed the page before the application ran.
func (u *Upgrade) OnInit() {
	u.initial, _ = browser.Value(pasteBox)
	u.pasted = u.initial
	if f := browser.Chosen(folderInput); f != nil {
		u.waiting = func(ctx app.Context) { u.read(ctx, f) }
	} else if browser.Asked(pasteForm) {
		u.waiting = u.readListing
	}
	u.windows = browser.Windows()
	u.filter = filterAll
}

// OnMount fetches the manifest, before anything of the visitor's is read.
func (u *Upgrade) OnMount(ctx app.Context) {
	u.loading = browser.Started
	browser.Fetch(ctx, u.Page.Upgrade.Versions, func(ctx app.Context, body []byte, err error) {
		if err != nil {
			u.loading = browser.Failed
			u.status, u.problem = "", noVersions
			return
		}
		u.manifest, _ = manifest.Parse(body)
		u.loading = browser.Loaded
		if u.waiting != nil {
			u.waiting(ctx)
		}
	})
}

// OnDismount stops watching the end of the list.
func (u *Upgrade) OnDismount() {
	u.job++
	if u.stopWatch != nil {
		u.stopWatch()
	}
}

// noVersions is said when there is nothing to compare with.
const noVersions = "The list of versions could not be fetched. Check your connection and load the page again."

// begin starts a check and returns its number. While the manifest is not
// there it answers false, and again is called once it is.
func (u *Upgrade) begin(again func(app.Context)) (job int, ok bool) {
	u.job++
	u.problem, u.status, u.remarks, u.result = "", "", nil, nil
	switch {
	case u.manifest != nil:
		return u.job, true
	case u.loading == browser.Failed:
		u.problem = noVersions
	default:
		u.status, u.waiting = "Waiting for the list of versions.", again
	}
	return u.job, false
}

func (u *Upgrade) ours(name string, front *upgrade.Frontmatter) bool {
	known := func(name string) bool {
		_, current := u.manifest.Row(name)
		_, _, old := u.manifest.Resolve(name)
		return current || old
	}
	return known(name) || front != nil && known(front.Name)
}

// read checks a folder. Reading waits for the browser, piece by piece, so the
// page stays alive and tells how far it is.
func (u *Upgrade) read(ctx app.Context, f *browser.Folder) {
	job, ok := u.begin(func(ctx app.Context) { u.read(ctx, f) })
	if !ok {
		return
	}
	u.status = "Reading the folder."
	ctx.Async(func() {
		said := 0
		in := upgrade.ScanBelow(f, func(place string) string {
			if place == "." {
				return ""
			}
			return place
		}, upgrade.ScanOptions{Files: u.ours, Progress: func(done, total int) {
			if done-said >= 250 {
				said = done
				ctx.Dispatch(func(app.Context) {
					if u.job == job {
						u.status = progress(done, total)
					}
				})
			}
		}})
		u.check(ctx, job, in, nil)
	})
}

// check analyses what was found and shows it.
func (u *Upgrade) check(ctx app.Context, job int, in upgrade.Installation, remarks []string) {
	browser.Yield()
	report := upgrade.Analyze(in, u.manifest)
	browser.Yield()
	ctx.Dispatch(func(ctx app.Context) {
		if u.job != job {
			return
		}
		u.status, u.remarks = "", remarks
		u.result = &checked{report: report}
		u.filter, u.drawn = filterAll, step
		u.plan()
		ctx.Defer(u.arrived)
	})
}

func (u *Upgrade) plan() {
	plan, err := upgrade.Plan(u.result.report, upgrade.PlanOptions{
		Date:   browser.Today(),
		Source: upgrade.Source{Site: u.Page.Upgrade.Site, Only: u.Page.Upgrade.Published},
		Unseen: u.unseen,
	})
	if err != nil {
		u.problem = "The plan could not be made: " + err.Error() + "."
	}
	u.result.plan = plan
}

// arrived brings the visitor to the result.
func (u *Upgrade) arrived(ctx app.Context) {
	browser.FocusOn(resultTitle)
	if u.stopWatch != nil {
		u.stopWatch()
	}
	u.stopWatch = browser.WhenNear(moreSentinel, func() {
		ctx.Dispatch(func(app.Context) { u.drawn += step })
	})
}

func (u *Upgrade) pick(ctx app.Context, _ app.Event) {
	browser.PickFolder(ctx, func(ctx app.Context, f *browser.Folder) {
		if f != nil {
			u.read(ctx, f)
		}
	})
}

func (u *Upgrade) chosen(ctx app.Context, _ app.Event) {
	if f := browser.Chosen(folderInput); f != nil {
		u.read(ctx, f)
	}
}

func (u *Upgrade) dragged(_ app.Context, e app.Event) { e.PreventDefault() }

func (u *Upgrade) dropped(ctx app.Context, e app.Event) {
	e.PreventDefault()
	if f := browser.Dropped(e); f != nil {
		u.read(ctx, f)
		return
	}
	u.job++
	u.status, u.result, u.waiting = "", nil, nil
	u.problem = "That was not a folder. Drop the folder that holds your skills, or paste its listing below."
}

func (u *Upgrade) typed(ctx app.Context, _ app.Event) {
	u.pasted = ctx.JSSrc().Get("value").String()
}

// paste checks a listing or an old manifest.
func (u *Upgrade) paste(ctx app.Context, e app.Event) {
	e.PreventDefault()
	u.readListing(ctx)
}

func (u *Upgrade) readListing(ctx app.Context) {
	job, ok := u.begin(u.readListing)
	if !ok {
		return
	}
	text := u.pasted
	u.status = "Reading the text."
	ctx.Async(func() {
		browser.Yield()
		in, _, remarks := upgrade.ParseListing(text)
		if len(in.Places) > 0 {
			u.check(ctx, job, in, remarks)
			return
		}
		ctx.Dispatch(func(app.Context) {
			if u.job == job {
				u.status, u.problem = "", strings.Join(remarks, " ")
			}
		})
	})
}

func (u *Upgrade) choose(ctx app.Context, _ app.Event) {
	u.filter, u.drawn = ctx.JSSrc().Get("value").String(), step
}

func (u *Upgrade) shell(ctx app.Context, _ app.Event) {
	u.windows = ctx.JSSrc().Get("value").String() == "powershell"
}

func (u *Upgrade) withUnseen(ctx app.Context, _ app.Event) {
	u.unseen = ctx.JSSrc().Get("checked").Bool()
	u.plan()
}

func (u *Upgrade) dryRun(ctx app.Context, _ app.Event) {
	u.earnest = !ctx.JSSrc().Get("checked").Bool()
}

func (u *Upgrade) moreRows(app.Context, app.Event) { u.drawn += step }

func (u *Upgrade) downloadJSON(app.Context, app.Event) {
	browser.Download("skills-report.json", "application/json", u.result.report.JSON())
}

func (u *Upgrade) downloadMarkdown(app.Context, app.Event) {
	browser.Download("skills-report.md", "text/markdown", []byte(u.result.report.Markdown()))
}

// Render draws the page.
func (u *Upgrade) Render() app.UI {
	parts := []app.UI{
		app.H1().ID("title").TabIndex(-1).Text(u.Page.Title),
		app.P().Class("Lead").Text("See for every skill folder what it is, what it became, and exactly what to type. No file leaves this page, and nothing is deleted."),
		app.P().Class("Unscripted").Body(
			ui.Span("", "The checker needs JavaScript. Without it, compare your folders with "),
			ui.Link(u.Page.href("changelog/#renames"), "the table of old names"),
			ui.Span("", "."),
		),
		u.ways(),
		app.P().ID("status").Class("Upgrade-status").Role("status").Text(u.status),
		app.P().ID("problem").Class("Problem").Role("alert").Text(u.problem),
	}
	if u.result != nil {
		parts = append(parts, u.outcome())
	}
	return app.Div().Class("Upgrade").Body(parts...)
}

// ways are the three ways in.
func (u *Upgrade) ways() app.UI {
	return app.Div().Class("Ways").Body(
		app.Section().Class("Way").Body(
			app.H2().Text("Show the folder"),
			app.Div().Class("Drop").OnDragOver(u.dragged).OnDrop(u.dropped).Body(
				app.P().Text("Drop your skills folder here: the one that holds a folder per skill, or the project around it."),
				app.Button().ID("pick").Class("Button", "Drop-pick").Type("button").OnClick(u.pick).Text("Choose a folder"),
				app.Label().Class("Drop-plain").Body(
					app.Span().Text("Choose a folder"),
					app.Input().ID(folderInput).Type("file").Attr("webkitdirectory", "yes").OnChange(u.chosen),
				),
			),
			app.P().Class("Soft").Text("Agents read .agents/skills, .claude/skills, .codex/skills, .cursor/skills and .github/skills, in a project and in your home directory."),
		),
		app.Form().ID(pasteForm).Class("Way").OnSubmit(u.paste).Body(
			app.H2().Text("Or paste its listing"),
			app.Label().For(pasteBox).Class("Soft").Text("What ls, find, tree or dir prints, or an old VERSIONS.md"),
			app.Textarea().ID(pasteBox).Class("Paste").Rows(6).Spellcheck(false).
				Attr("placeholder", "page-cro  email-sequence  cro").
				OnInput(u.typed).Text(u.initial),
			app.Button().Class("Button").Type("submit").Text("Check the listing"),
		),
	)
}

// outcome is the result: a sentence, the rows, the plan, and files to keep.
func (u *Upgrade) outcome() app.UI {
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

func (u *Upgrade) list() app.UI {
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
func (u *Upgrade) todo() app.UI {
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
func (u *Upgrade) commands() []app.UI {
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

func (u *Upgrade) shellChoice(id, title string, chosen bool) app.UI {
	input := app.Input().Type("radio").Name("shell").ID(id).Value(id).OnChange(u.shell)
	if chosen {
		input = input.Checked(true)
	}
	return app.Label().Class("Filter").For(id).Body(input, ui.Span("", title))
}
