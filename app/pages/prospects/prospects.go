// Package prospects is the extraction page: it lists the people around a
// public repository and hands the list out as a file. The engine is
// app/prospect, the same as the command's.
//
// The work goes through six steps. Each is a type in a file of its own, with
// its data, its drawing and what its buttons do:
//
//	source.go   Source   which list and filters; saved.go: a saved run instead
//	plan.go     Plan     how many people, requests and minutes
//	purpose.go  Purpose  what the list is for, and what the visitor promises
//	run.go      Run      the job, and how it ended; numbers.go, table.go: results
//	verify.go   Verify   which emails can be written to; drawn by verification
//	export.go   Export   the files
//
// steps.go lists them, shows one, says which are open, and draws the list. What
// Pause and Stop do stands in app/pages/work.go. token.go holds the token, in
// memory only. A running job and the page share a feed, see run.go; all else
// belongs to the UI goroutine.
package prospects

import (
	"errors"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/pages"
	"marketingskills/app/pages/prospects/verification"
	"marketingskills/app/prospect"
	"marketingskills/app/text"
	"marketingskills/app/ui"
)

// Data is what the prospects page is generated with.
type Data struct {
	// API is the URL of the code host's API, the only one that the page's
	// policy lets it ask.
	API string `json:"api"`
	// Sample is the URL of the sample data.
	Sample string `json:"sample"`
	// Verification says where the email verification finds what it needs.
	Verification verification.Config `json:"verification"`
}

// Draw draws the prospects page.
func Draw(p *pages.Page, _ string, _ int) []app.UI { return []app.UI{newExtraction(p)} }

// extraction is the page's component: the six steps and what they share. The
// steps stay the same objects as long as the page is open, because go-app keeps
// the event handlers of an element that it draws over.
type extraction struct {
	app.Compo
	Page *pages.Page

	here    stepNumber
	source  sourceStep
	plan    planStep
	purpose purposeStep
	run     runStep
	verify  verifyStep
	export  exportStep
	access  access
	trail   trail
	says    messages

	// ctx is the component's own. The context given to a handler ends with the
	// element it belongs to, and most steps take away the element that led to
	// them.
	ctx       app.Context
	operation pages.Operation
	// waiting is what the visitor asked for before the program ran, secret the
	// token typed until then. Both are gone after the first drawing.
	waiting func()
	secret  string
}

// messages is what the page says at its lower edge.
type messages struct {
	status     string // what happens
	problem    string // what went wrong with the step as a whole
	restricted bool   // the problem: GitHub does not show this list
}

func newExtraction(p *pages.Page) *extraction {
	x := &extraction{Page: p}
	x.access.page = x
	x.trail.page = x
	x.source = sourceStep{page: x, form: ui.Form{ID: sourceForm, Order: sourceOrder, Fields: defaultSource()}}
	x.plan.page = x
	x.purpose = purposeStep{page: x, form: ui.Form{ID: termsForm, Order: termsOrder}}
	x.run.page, x.verify.page = x, x
	x.verify.panel = verification.New(x, pages.Content[Data](p).Verification)
	x.export = exportStep{page: x, form: ui.Form{ID: suppressForm, Order: []string{suppressField}}}
	return x
}

// OnInit keeps what the visitor typed and asked for before the program ran.
func (x *extraction) OnInit() {
	x.source.form.Read()
	x.secret, _ = browser.Value(tokenField)
	name, content, chosen := browser.ChosenFile(savedFile)
	switch {
	case chosen:
		x.waiting = func() { x.source.openRun(name, content) }
	case browser.Asked(sourceForm):
		x.waiting = x.source.submit
	case browser.Asked(sampleButton):
		x.waiting = x.source.openSample
	}
}

// OnMount does what was asked for before.
func (x *extraction) OnMount(ctx app.Context) {
	x.ctx = ctx
	x.trail.follow()
	browser.SetValue(tokenField, x.secret)
	x.secret = ""
	if waiting := x.waiting; waiting != nil {
		x.waiting = nil
		waiting()
	}
}

// OnDismount ends what is going on.
func (x *extraction) OnDismount() {
	browser.OnBack(nil)
	x.forget()
	x.verify.panel.Leave()
	x.run.clear()
}

// UI is the page's context.
func (x *extraction) UI() app.Context { return x.ctx }

// Tell shows what happens and what went wrong.
func (x *extraction) Tell(status, problem string) {
	x.says = messages{status: status, problem: problem}
}

// Learned notes that answers about emails are in no file yet.
func (x *extraction) Learned() {
	if r := x.run.current; r != nil {
		r.inFile = false
		x.guard()
	}
}

// forget gives up what was asked for. It does not touch the run.
func (x *extraction) forget() {
	x.says.status = ""
	x.operation.GiveUp()
}

// refuse marks what is wrong with the fields of a form and leads to the first
// of them.
func (x *extraction) refuse(f *ui.Form, wrong map[string]string) {
	x.forget()
	x.says, f.Wrong = messages{}, wrong
	if first := slices.IndexFunc(f.Order, func(name string) bool { return wrong[name] != "" }); first >= 0 {
		x.ctx.Defer(func(app.Context) { browser.FocusOn(f.Order[first]) })
	}
}

// fillForms makes the forms say what they are to say: go-app draws one form
// into the elements of another, and what was typed stays in them.
func (x *extraction) fillForms() {
	x.source.form.Fill()
	x.purpose.form.Fill()
	browser.SetValue(tokenField, "")
	x.verify.panel.Fill()
}

// unsaved tells whether leaving would end a run, or lose results that are in
// no file yet.
func (x *extraction) unsaved() bool {
	r := x.run.current
	return x.source.unsaved || r != nil && !x.access.sample && (r.active() || !r.inFile && len(r.found.all) > 0)
}

// guard has the browser ask before unsaved work is left.
func (x *extraction) guard() { browser.AskBeforeLeaving(x.unsaved()) }

// newRun leads back to the first step. Results that are in no file yet are
// asked about first.
func (x *extraction) newRun(app.Context, app.Event) {
	if x.unsaved() && !confirmDiscard(len(x.run.current.found.all)) {
		return
	}
	x.startOver()
}

// startOver empties the page, but for the token and, unless they belong to the
// sample, the first form and what the list is for.
func (x *extraction) startOver() {
	if x.access.sample {
		x.access.useSample(false)
		x.source.form.Fields, x.purpose.form.Fields = defaultSource(), nil
	}
	// The promise was for another list.
	delete(x.purpose.form.Fields, "pledge")
	x.plan.clear()
	x.verify.clear()
	x.run.clear()
	x.source.resumed, x.export.downloaded = nil, ""
	x.guard()
	x.show(atSource)
}

// Render draws the page.
func (x *extraction) Render() app.UI {
	middle := []app.UI{
		app.H1().ID("title").TabIndex(-1).Text(x.title()),
		ui.P("Lead", x.lead()),
	}
	return ui.Div("Prospects",
		x.stepList(),
		ui.Div("Prospects-middle", append(middle, x.steps()[x.here].draw()...)...),
		x.messageLines(),
	)
}

func (x *extraction) title() string {
	if x.here == atSource {
		return x.Page.Title
	}
	return text.Capital(string(x.plan.query.Source)) + " of " + x.plan.query.Repo.String()
}

func (x *extraction) lead() string {
	const requests = "Requests go from your browser to GitHub only."
	switch {
	case x.access.sample:
		return "Sample data: these people do not exist. No requests are sent to GitHub."
	case x.here == atSource:
		return "List the people who forked, starred, watch or contribute to a public GitHub repository. " + requests
	case x.here == atVerify:
		return "Find out which emails would bounce. A working address is not permission to email it."
	case x.verify.used() && x.verify.panel.Sent():
		return "Requests go from your browser to GitHub and to the verification proxy only."
	default:
		return requests
	}
}

func (x *extraction) messageLines() app.UI {
	var ways []app.UI
	if x.says.restricted {
		ways = append(ways, x.source.otherLists())
	}
	return pages.Messages(x.says.status, x.says.problem, ways...)
}

// sentence makes a sentence of an error. Of a problem with the settings it
// says the problem alone: it stands beside the field.
func sentence(err error) string {
	words := err.Error()
	if query, ok := errors.AsType[*prospect.QueryError](err); ok {
		words = query.Problem
	}
	return text.Sentence(words)
}

func people(n int) string { return text.Count(n, "person") }
