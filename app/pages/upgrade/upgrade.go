// Package upgrade is the upgrade page. The visitor shows it a skills folder, by
// dropping, choosing or pasting its listing; it shows what every folder is,
// what it became, and the commands that bring it up to date. No file leaves
// the page.
//
// What is shown is decided in view.go and drawn in result.go.
package upgrade

import (
	"fmt"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/collection/manifest"
	"marketingskills/app/pages"
	"marketingskills/app/text"
	"marketingskills/app/ui"
	"marketingskills/app/upgrade"
	"marketingskills/app/upgrade/listing"
	"marketingskills/app/upgrade/plan"
	"marketingskills/app/upgrade/scan"
)

// The IDs of the page's fields and of the places it scrolls to.
const (
	pasteBox     = "listing"
	pasteForm    = "paste"
	folderInput  = "folder"
	resultTitle  = "result"
	planID       = "plan-text"
	undoID       = "undo"
	moreSentinel = "more"
	// lastCheck names what was read for the result that shows, so that Back leads
	// to it.
	lastCheck = "upgrade"
	// rowBatch is how many rows are drawn at a time: the next ones when the end
	// of the list comes near.
	rowBatch = 60
	// mostStepsListed is how many steps of a plan are said in words; the commands
	// have all.
	mostStepsListed = 200
)

// Draw draws the upgrade page.
func Draw(p *pages.Page, _ string, _ int) []app.UI { return []app.UI{&page{Page: p}} }

// page is the component. What the visitor shows it stays in it.
type page struct {
	app.Compo
	Page *pages.Page

	manifest *manifest.Manifest
	loading  browser.Loading
	initial  string
	pasted   string
	// waiting is what the visitor asked for before the manifest was there.
	waiting func(app.Context)
	// status is what happens, problem what went wrong with what was shown.
	status  string
	problem string
	result  *result
	// job counts what was asked for; an answer to an earlier job is dropped.
	job       int
	filter    string
	drawn     int
	shell     *plan.Shell
	unseen    bool
	stopWatch func()
}

// result is one finished check: what was read, and what was found.
type result struct {
	read   listing.Result
	report upgrade.Report
	plan   plan.Plan
}

// OnInit keeps what the visitor showed the page before the application ran.
func (u *page) OnInit() {
	u.initial, _ = browser.Value(pasteBox)
	u.pasted = u.initial
	if f := browser.Chosen(folderInput); f != nil {
		u.waiting = func(ctx app.Context) { u.checkFolder(ctx, f) }
	} else if browser.Asked(pasteForm) {
		u.waiting = u.checkListing
	}
	u.shell = plan.POSIX
	if browser.Windows() {
		u.shell = plan.PowerShell
	}
	u.filter = filterAll
}

// OnMount fetches the manifest, before anything of the visitor's is read.
func (u *page) OnMount(ctx app.Context) {
	u.loading = browser.Started
	browser.Fetch(ctx, pages.Content[Data](u.Page).Versions, func(ctx app.Context, body []byte, err error) {
		if err == nil {
			u.manifest, err = manifest.Decode(body)
		}
		if err != nil {
			u.loading = browser.Failed
			u.status, u.problem = "", noVersions
			return
		}
		u.loading = browser.Loaded
		if found := (listing.Result{}); u.waiting == nil && browser.Kept(lastCheck, &found) {
			u.waiting = func(ctx app.Context) { u.check(ctx, "", func(func(string)) listing.Result { return found }) }
		}
		if u.waiting != nil {
			u.waiting(ctx)
		}
	})
}

// OnDismount stops watching the end of the list.
func (u *page) OnDismount() {
	u.job++
	if u.stopWatch != nil {
		u.stopWatch()
	}
}

// noVersions is said when there is nothing to compare with.
const noVersions = "VERSIONS.md could not be loaded. Check your connection and reload the page."

// check reads what the visitor shows, compares it with the manifest, which it
// waits for, and shows the result. Reading gives the browser its turns, so that
// the page stays alive and can tell how far it is.
func (u *page) check(ctx app.Context, status string, read func(tell func(status string)) listing.Result) {
	u.job++
	u.status, u.problem, u.result, u.waiting = status, "", nil, nil
	switch {
	case u.loading == browser.Failed:
		u.status, u.problem = "", noVersions
		return
	case u.manifest == nil:
		u.status = "Loading VERSIONS.md."
		u.waiting = func(ctx app.Context) { u.check(ctx, status, read) }
		return
	}
	job := u.job
	dispatch := func(do func(app.Context)) {
		ctx.Dispatch(func(ctx app.Context) {
			if u.job == job {
				do(ctx)
			}
		})
	}
	ctx.Async(func() {
		browser.Yield()
		found := read(func(status string) { dispatch(func(app.Context) { u.status = status }) })
		if len(found.Places) == 0 {
			dispatch(func(app.Context) { u.status, u.problem = "", strings.Join(found.Notes, " ") })
			return
		}
		browser.Yield()
		report := upgrade.Analyze(found.Installation, u.manifest)
		browser.Yield()
		dispatch(func(ctx app.Context) {
			u.status, u.filter, u.drawn = "", filterAll, rowBatch
			u.result = &result{read: found, report: report}
			browser.Keep(lastCheck, found)
			u.unseen = fromBefore(report)
			u.plan()
			ctx.Defer(u.arrived)
		})
	})
}

// checkFolder checks a folder.
func (u *page) checkFolder(ctx app.Context, f *browser.Folder) {
	u.check(ctx, "Reading the folder.", func(tell func(string)) listing.Result {
		told := 0
		label := func(place string) string {
			if place == "." {
				return ""
			}
			return place
		}
		in := scan.Folder(f, label, scan.Options{Known: upgrade.Known(u.manifest), Progress: func(done, total int) {
			if done-told >= 250 {
				told = done
				tell(fmt.Sprintf("Reading %d of %d folders.", done, total))
			}
		}})
		in.Here = f.Name()
		return listing.Result{Installation: in}
	})
}

// checkListing checks a pasted listing or an old manifest.
func (u *page) checkListing(ctx app.Context) {
	pasted := u.pasted
	u.check(ctx, "Reading the listing.", func(func(string)) listing.Result { return listing.Parse(pasted) })
}

func (u *page) plan() {
	var err error
	u.result.plan, err = plan.New(u.result.report, plan.Options{
		Time:   time.Now(),
		Source: plan.Source{Site: pages.Content[Data](u.Page).Site, Only: pages.Content[Data](u.Page).Published},
		Here:   u.result.read.Here,
		Unseen: u.unseen,
	})
	if err != nil {
		u.problem = "The plan could not be created: " + err.Error() + "."
	}
}

// arrived brings the visitor to the result.
func (u *page) arrived(ctx app.Context) {
	browser.FocusOn(resultTitle)
	if u.stopWatch != nil {
		u.stopWatch()
	}
	u.stopWatch = browser.WhenNear(moreSentinel, func() {
		ctx.Dispatch(func(app.Context) { u.drawn += rowBatch })
	})
}

func (u *page) pick(ctx app.Context, _ app.Event) {
	browser.PickFolder(ctx, func(ctx app.Context, f *browser.Folder) {
		if f != nil {
			u.checkFolder(ctx, f)
		}
	})
}

func (u *page) chosen(ctx app.Context, _ app.Event) {
	if f := browser.Chosen(folderInput); f != nil {
		u.checkFolder(ctx, f)
	}
}

func (u *page) dropped(ctx app.Context, e app.Event) {
	e.PreventDefault()
	if f := browser.Dropped(e); f != nil {
		u.checkFolder(ctx, f)
		return
	}
	u.job++
	u.status, u.result, u.waiting = "", nil, nil
	u.problem = "That is not a folder. Drop your skills folder, or paste a folder listing below."
}

func (u *page) typed(ctx app.Context, _ app.Event) {
	u.pasted = browser.SourceOf(ctx).Value
}

func (u *page) choose(ctx app.Context, _ app.Event) {
	u.filter, u.drawn = browser.SourceOf(ctx).Value, rowBatch
}

func (u *page) chooseShell(ctx app.Context, _ app.Event) {
	for _, shell := range plan.Shells {
		if shell.ID == browser.SourceOf(ctx).Value {
			u.shell = shell
		}
	}
}

func (u *page) withUnseen(ctx app.Context, _ app.Event) {
	u.unseen = browser.SourceOf(ctx).Ticked
	u.plan()
}

func (u *page) downloadJSON(app.Context, app.Event) {
	browser.Download("skills-report.json", "application/json", upgrade.JSON(u.result.report))
}

// Render draws the page.
func (u *page) Render() app.UI {
	parts := []app.UI{
		app.H1().ID("title").TabIndex(-1).Text(u.Page.Title),
		app.P().Class("Lead").Text("Check your installed skills: which are outdated, renamed or merged, and the commands to update them. " +
			"Your files are not uploaded, and nothing is deleted."),
		app.P().Class("Unscripted").Body(
			ui.Span("", "The upgrade checker needs JavaScript. Turn it on, or compare your folders with "),
			ui.Link(u.Page.Href("changelog/#renames"), "the list of renamed skills"),
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
func (u *page) ways() app.UI {
	return app.Div().Class("Ways").Body(
		app.Section().Class("Way").Body(
			app.H2().Text("Choose your skills folder"),
			app.Div().Class("Drop").OnDragOver(func(_ app.Context, e app.Event) { e.PreventDefault() }).OnDrop(u.dropped).Body(
				app.P().Text("Drop your skills folder or your project folder here."),
				app.Button().ID("pick").Class("Button", "Drop-pick").Type("button").
					DataSet("starting", "Still loading. Choose the folder again in a moment.").OnClick(u.pick).Text("Choose folder"),
				app.Label().Class("Drop-plain").Body(
					app.Span().Text("Choose folder"),
					app.Input().ID(folderInput).Type("file").Attr("webkitdirectory", "yes").OnChange(u.chosen),
				),
			),
			app.P().Class("Soft").Text("Usual skills folders: "+text.List(upgrade.Places)+", in a project or in your home directory."),
		),
		app.Form().ID(pasteForm).Class("Way").DataSet("starting", "Loading.").OnSubmit(func(ctx app.Context, e app.Event) {
			e.PreventDefault()
			u.checkListing(ctx)
		}).Body(
			app.H2().Text("Or paste a folder listing"),
			app.Label().For(pasteBox).Class("Soft").Text("Output of ls, find, tree or dir, or an old VERSIONS.md"),
			app.Textarea().ID(pasteBox).Class("Paste").Rows(6).Spellcheck(false).
				Attr("placeholder", "page-cro  email-sequence  cro").
				OnInput(u.typed).Text(u.initial),
			app.Button().Class("Button").Type("submit").Text("Check listing"),
		),
	)
}
