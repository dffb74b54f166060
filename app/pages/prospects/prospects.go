// Package prospects draws the extraction page: a repository and filters, what
// the run will cost, what it is for, the run itself, and the way out as a
// file. The engine is app/prospect, the same as the command's.
//
// The token and what was found live in the component and nowhere else: not in
// the address, not in any storage of the browser, and they are gone with the
// page.
package prospects

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/pages"
	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/sample"
)

// Draw draws the prospects page.
func Draw(p *pages.Page, _ string, _ int) []app.UI {
	return []app.UI{&extraction{Page: p, fields: newcomer()}}
}

// newcomer is the first form as a newcomer finds it.
func newcomer() map[string]string {
	return map[string]string{"source": string(codehost.Forks), "enrich": "yes"}
}

// extraction is the page's component.
type extraction struct {
	app.Compo
	Page *pages.Page

	stage stage
	// status is what happens, problem what went wrong with the step as a
	// whole, wrong what is wrong with single fields, by their names.
	status  string
	problem string
	wrong   map[string]string
	// refusal is why no plan could be made.
	refusal error
	// waiting is what the visitor asked for before the program ran, secret the
	// token typed until then; both are gone after the first drawing.
	waiting func()
	secret  string
	// ctx is the component's own. What a handler is given ends with the element
	// it belongs to, and most steps take the element away that led to them.
	ctx app.Context

	// fields is the first form as it was last read, without the token.
	fields map[string]string
	token  codehost.Token
	owner  string // what is known of the token, in a sentence
	sample bool
	// client is kept as long as the token is: it knows about limits.
	client *codehost.Client

	query prospect.Query
	saved *prospect.State // the saved run that is to go on
	// carried tells that it is in no file: it goes on with another token.
	carried bool
	job     *prospect.Job
	plan    prospect.Plan
	planned bool // plan is that of job
	// request counts what was asked of the host; an answer to an earlier
	// request is dropped. cancel ends the present one.
	request int
	cancel  context.CancelFunc

	terms map[string]string // the form of the third step as it was last read
	run   *run
	// kept is what this page gave the visitor to keep of the present results.
	kept string
}

// OnInit keeps what the visitor has typed and asked for before the program ran.
func (x *extraction) OnInit() {
	if typed := browser.Fields(sourceForm); typed != nil {
		x.fields = typed
	}
	x.secret, _ = browser.Value(tokenField)
	name, content, chosen := browser.ChosenFile(savedFile)
	switch {
	case chosen:
		x.waiting = func() { x.readRun(name, content) }
	case browser.Asked(sourceForm):
		x.waiting = x.makePlan
	case browser.Asked(sampleButton):
		x.waiting = x.startSample
	}
}

// OnMount goes on with what was asked for.
func (x *extraction) OnMount(ctx app.Context) {
	x.ctx = ctx
	browser.SetValue(tokenField, x.secret)
	x.secret = ""
	if waiting := x.waiting; waiting != nil {
		x.waiting = nil
		waiting()
	}
}

// OnDismount ends what is going on.
func (x *extraction) OnDismount() {
	x.forget()
	if x.run != nil {
		x.run.stop()
	}
}

// forget gives up what was asked of the host, but for the run.
func (x *extraction) forget() {
	x.request++
	x.status = ""
	if x.cancel != nil {
		x.cancel()
		x.cancel = nil
	}
}

// ask starts something that waits for the host, and returns its context and
// its number.
func (x *extraction) ask(what string) (context.Context, int) {
	x.forget()
	ctx, cancel := context.WithCancel(context.Background())
	x.cancel = cancel
	x.status, x.problem, x.refusal = what, "", nil
	return ctx, x.request
}

// fillForms makes the forms say what they are to say: go-app draws one form
// into the elements of another, and what was typed stays in them.
func (x *extraction) fillForms() {
	browser.SetFields(sourceForm, x.fields)
	browser.SetValue(tokenField, "")
	browser.SetFields(termsForm, x.terms)
}

// refuse marks what is wrong with the fields of a form and leads to the first
// of them.
func (x *extraction) refuse(wrong map[string]string, order []string) {
	x.forget()
	x.wrong, x.problem, x.refusal = wrong, "", nil
	for _, name := range order {
		if wrong[name] != "" {
			x.ctx.Defer(func(app.Context) { browser.FocusOn(name) })
			return
		}
	}
}

// hosts are those whose addresses name repositories, beside github.com.
func (x *extraction) hosts() []string {
	base, err := url.Parse(pages.Content[Data](x.Page).API)
	if err != nil {
		return nil
	}
	return []string{base.Hostname(), strings.TrimPrefix(base.Hostname(), "api.")}
}

// startSample plans a run over people who do not exist.
func (x *extraction) startSample() {
	x.sample, x.client, x.saved = true, nil, nil
	x.fields = map[string]string{
		"repo": sample.Repo.String(), "source": string(codehost.Forks), "enrich": "yes", "with-company": "yes",
	}
	x.terms = sampleTerms()
	x.ctx.Defer(func(app.Context) { x.fillForms() })
	x.planFields()
}

// leaveSample puts the page back to where a newcomer finds it.
func (x *extraction) leaveSample(app.Context, app.Event) { x.startAfresh() }

func (x *extraction) startAfresh() {
	x.forget()
	if x.sample {
		x.client = nil
		x.fields, x.terms = newcomer(), nil
	}
	// What was promised was for another list.
	delete(x.terms, "pledge")
	x.sample, x.saved, x.job, x.planned, x.run, x.kept = false, nil, nil, false, nil, ""
	x.guard()
	x.goTo(atSource)
}

// makePlan reads the form and plans what it says.
func (x *extraction) makePlan() {
	if fields := browser.Fields(sourceForm); fields != nil {
		x.fields = fields
	}
	x.readToken()
	x.planFields()
}

func (x *extraction) planFields() {
	query, suppress, wrong := parseSource(x.fields, x.hosts()...)
	if len(wrong) > 0 {
		x.refuse(wrong, sourceOrder)
		return
	}
	x.wrong, x.query = nil, asSaved(query, x.fields, x.saved)
	client, err := x.theClient()
	if err != nil {
		x.badToken(err)
		return
	}
	if x.query.WithEmail && !client.HasToken() {
		x.refuse(map[string]string{tokenField: "Addresses are shown only to requests with a token, so that nobody could be found. Paste one, or do not ask for people with an address."}, sourceOrder)
		return
	}
	job, err := prospect.NewJob(client, x.query, prospect.Options{Concurrency: x.concurrency(), Suppress: suppress, State: x.saved})
	if err != nil {
		x.problem = sentence(err)
		return
	}
	asked, request := x.ask("Asking what this will cost.")
	asked = codehost.WithNotices(asked, func(n codehost.Notice) {
		if n.Kind == codehost.NoticeWaiting {
			x.ctx.Dispatch(func(app.Context) {
				if x.request == request {
					x.status = "The host asks for a pause until " + clock(n.Until) + ". The plan comes after it."
				}
			})
		}
	})
	x.ctx.Async(func() {
		plan, err := job.Plan(asked)
		x.ctx.Dispatch(func(app.Context) {
			if x.request != request {
				return
			}
			x.status = ""
			switch {
			case errors.Is(err, codehost.ErrBadToken):
				x.badToken(err)
				return
			case err != nil:
				x.problem, x.refusal = limitText(err, x.token.Present()), err
				return
			}
			x.job, x.plan, x.planned = job, plan, true
			x.goTo(atPlan)
		})
	})
}

// concurrency of the sample is low, so that there is something to watch.
func (x *extraction) concurrency() int {
	if x.sample {
		return 5
	}
	return prospect.DefaultConcurrency
}

// instead plans another source of the same repository.
func (x *extraction) instead(source codehost.Source) app.EventHandler {
	return func(app.Context, app.Event) {
		if fields := browser.Fields(sourceForm); fields != nil {
			x.fields = fields
		}
		x.readToken()
		x.fields["source"] = string(source)
		x.fillForms()
		x.planFields()
	}
}

// chooseSource keeps the form true to the source: only stars have times.
func (x *extraction) chooseSource(ctx app.Context, _ app.Event) {
	x.fields["source"] = ctx.JSSrc().Get("value").String()
}

// Render draws the page.
func (x *extraction) Render() app.UI {
	middle := []app.UI{
		app.H1().ID("title").TabIndex(-1).Text(x.title()),
		app.P().Class("Lead").Text(x.lead()),
	}
	switch x.stage {
	case atSource:
		middle = append(middle, x.sourceStep()...)
	case atPlan:
		middle = append(middle, x.planStep()...)
	case atPurpose:
		middle = append(middle, x.purposeStep()...)
	case atRun:
		middle = append(middle, x.runStep()...)
	case atExport:
		middle = append(middle, x.exportStep()...)
	}
	return app.Div().Class("Prospects").Body(
		x.stages(),
		app.Div().Class("Prospects-middle").Body(middle...),
		x.messages(),
	)
}

func (x *extraction) title() string {
	if x.stage == atSource {
		return x.Page.Title
	}
	return capital(string(x.query.Source)) + " of " + x.query.Repo.String()
}

func (x *extraction) lead() string {
	switch {
	case x.sample:
		return "Sample run on invented people. Nothing leaves this page."
	case x.stage == atSource:
		return "A small, lawful list of the people around a public repository, made here with your own token. Nothing leaves this page but requests to the code host."
	default:
		return "Nothing leaves this page but requests to the code host."
	}
}

// messages are the places where the page says what happens and what went
// wrong. They are always there, and the same: a screen reader hears only what
// changes. They stay in view at the lower edge, wherever on the page the
// button was that led to them.
func (x *extraction) messages() app.UI {
	return app.Div().Class("Messages").Body(append([]app.UI{
		app.P().ID("status").Role("status").Text(x.status),
		app.P().ID(problemLine).Class("Problem").Role("alert").Text(x.problem),
	}, x.ifRefused()...)...)
}

// The IDs of the line that says what went wrong, and of the present step.
const (
	problemLine = "problem"
	hereID      = "step"
)

// sentence makes a sentence of an error.
func sentence(err error) string {
	text := strings.TrimPrefix(err.Error(), "codehost: ")
	text = strings.TrimPrefix(text, prospect.ErrQuery.Error()+": ")
	return strings.TrimSuffix(capital(text), ".") + "."
}

func capital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

// clock is a time of the visitor's day.
func clock(t time.Time) string {
	if time.Until(t).Abs() < 10*time.Minute {
		return t.Local().Format("15:04:05")
	}
	return t.Local().Format("15:04")
}
