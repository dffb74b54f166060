package upgrade

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/collection/manifest"
	"marketingskills/app/pages"
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

// Program draws the upgrade checker.
func Program() pages.Program {
	return pages.Program{pages.KindUpgrade: func(p *pages.Page, _ string, _ int) []app.UI {
		return []app.UI{&checker{Page: p}}
	}}
}

// checker is the page's component. What the visitor shows it stays in it.
type checker struct {
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
func (u *checker) OnInit() {
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
func (u *checker) OnMount(ctx app.Context) {
	u.loading = browser.Started
	browser.Fetch(ctx, u.Page.Upgrade.Versions, func(ctx app.Context, body []byte, err error) {
		if err == nil {
			u.manifest, err = manifest.Decode(body)
		}
		if err != nil {
			u.loading = browser.Failed
			u.status, u.problem = "", noVersions
			return
		}
		u.loading = browser.Loaded
		if u.waiting != nil {
			u.waiting(ctx)
		}
	})
}

// OnDismount stops watching the end of the list.
func (u *checker) OnDismount() {
	u.job++
	if u.stopWatch != nil {
		u.stopWatch()
	}
}

// noVersions is said when there is nothing to compare with.
const noVersions = "The list of versions could not be fetched. Check your connection and load the page again."

// begin starts a check and returns its number. While the manifest is not
// there it answers false, and again is called once it is.
func (u *checker) begin(again func(app.Context)) (job int, ok bool) {
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

func (u *checker) ours(name string, front *upgrade.Frontmatter) bool {
	known := func(name string) bool {
		_, current := u.manifest.Row(name)
		_, _, old := u.manifest.Resolve(name)
		return current || old
	}
	return known(name) || front != nil && known(front.Name)
}

// read checks a folder. Reading waits for the browser, piece by piece, so the
// page stays alive and tells how far it is.
func (u *checker) read(ctx app.Context, f *browser.Folder) {
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
func (u *checker) check(ctx app.Context, job int, in upgrade.Installation, remarks []string) {
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

func (u *checker) plan() {
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
func (u *checker) arrived(ctx app.Context) {
	browser.FocusOn(resultTitle)
	if u.stopWatch != nil {
		u.stopWatch()
	}
	u.stopWatch = browser.WhenNear(moreSentinel, func() {
		ctx.Dispatch(func(app.Context) { u.drawn += step })
	})
}

func (u *checker) pick(ctx app.Context, _ app.Event) {
	browser.PickFolder(ctx, func(ctx app.Context, f *browser.Folder) {
		if f != nil {
			u.read(ctx, f)
		}
	})
}

func (u *checker) chosen(ctx app.Context, _ app.Event) {
	if f := browser.Chosen(folderInput); f != nil {
		u.read(ctx, f)
	}
}

func (u *checker) dragged(_ app.Context, e app.Event) { e.PreventDefault() }

func (u *checker) dropped(ctx app.Context, e app.Event) {
	e.PreventDefault()
	if f := browser.Dropped(e); f != nil {
		u.read(ctx, f)
		return
	}
	u.job++
	u.status, u.result, u.waiting = "", nil, nil
	u.problem = "That was not a folder. Drop the folder that holds your skills, or paste its listing below."
}

func (u *checker) typed(ctx app.Context, _ app.Event) {
	u.pasted = ctx.JSSrc().Get("value").String()
}

// paste checks a listing or an old manifest.
func (u *checker) paste(ctx app.Context, e app.Event) {
	e.PreventDefault()
	u.readListing(ctx)
}

func (u *checker) readListing(ctx app.Context) {
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

func (u *checker) choose(ctx app.Context, _ app.Event) {
	u.filter, u.drawn = ctx.JSSrc().Get("value").String(), step
}

func (u *checker) shell(ctx app.Context, _ app.Event) {
	u.windows = ctx.JSSrc().Get("value").String() == "powershell"
}

func (u *checker) withUnseen(ctx app.Context, _ app.Event) {
	u.unseen = ctx.JSSrc().Get("checked").Bool()
	u.plan()
}

func (u *checker) dryRun(ctx app.Context, _ app.Event) {
	u.earnest = !ctx.JSSrc().Get("checked").Bool()
}

func (u *checker) moreRows(app.Context, app.Event) { u.drawn += step }

func (u *checker) downloadJSON(app.Context, app.Event) {
	browser.Download("skills-report.json", "application/json", u.result.report.JSON())
}

func (u *checker) downloadMarkdown(app.Context, app.Event) {
	browser.Download("skills-report.md", "text/markdown", []byte(u.result.report.Markdown()))
}

// Render draws the page.
func (u *checker) Render() app.UI {
	parts := []app.UI{
		app.H1().ID("title").TabIndex(-1).Text(u.Page.Title),
		app.P().Class("Lead").Text("See for every skill folder what it is, what it became, and exactly what to type. No file leaves this page, and nothing is deleted."),
		app.P().Class("Unscripted").Body(
			ui.Span("", "The checker needs JavaScript. Without it, compare your folders with "),
			ui.Link(u.Page.Href("changelog/#renames"), "the table of old names"),
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
func (u *checker) ways() app.UI {
	return app.Div().Class("Ways").Body(
		app.Section().Class("Way").Body(
			app.H2().Text("Show the folder"),
			app.Div().Class("Drop").OnDragOver(u.dragged).OnDrop(u.dropped).Body(
				app.P().Text("Drop your skills folder here: the one that holds a folder per skill, or the project around it."),
				app.Button().ID("pick").Class("Button", "Drop-pick").Type("button").
					DataSet("starting", "The checker is starting. Choose again in a moment.").OnClick(u.pick).Text("Choose a folder"),
				app.Label().Class("Drop-plain").Body(
					app.Span().Text("Choose a folder"),
					app.Input().ID(folderInput).Type("file").Attr("webkitdirectory", "yes").OnChange(u.chosen),
				),
			),
			app.P().Class("Soft").Text("Agents read .agents/skills, .claude/skills, .codex/skills, .cursor/skills and .github/skills, in a project and in your home directory."),
		),
		app.Form().ID(pasteForm).Class("Way").DataSet("starting", "Starting the checker.").OnSubmit(u.paste).Body(
			app.H2().Text("Or paste its listing"),
			app.Label().For(pasteBox).Class("Soft").Text("What ls, find, tree or dir prints, or an old VERSIONS.md"),
			app.Textarea().ID(pasteBox).Class("Paste").Rows(6).Spellcheck(false).
				Attr("placeholder", "page-cro  email-sequence  cro").
				OnInput(u.typed).Text(u.initial),
			app.Button().Class("Button").Type("submit").Text("Check the listing"),
		),
	)
}
