package prospects

import (
	"fmt"
	"io"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/prospect"
	"marketingskills/app/prospect/sample"
	apptext "marketingskills/app/text"
	"marketingskills/app/ui"
)

// openRun reads a saved run and prepares to go on with it.
func (x *extraction) openRun(app.Context, app.Event) {
	if name, content, ok := browser.ChosenFile(savedFile); ok {
		x.readRun(name, content)
	}
}

func (x *extraction) readRun(name string, content io.Reader) {
	_, request := x.ask("Reading " + name + ".")
	x.ctx.Async(func() {
		state, err := prospect.ReadState(content)
		x.ctx.Dispatch(func(app.Context) {
			if x.request != request {
				return
			}
			x.status = ""
			base := x.Page.Prospects.API
			switch {
			case err != nil:
				x.problem = "Nothing was opened. " + sentence(err)
			case state.Base == sample.Base:
				x.sample, x.client, x.terms = true, nil, sampleTerms()
				x.resume(state)
			case state.Base != base:
				x.problem = "Nothing was opened: " + name + " was saved by a run at " + apptext.Plain(state.Base) + ", and this page asks " + base + ". Go on with the command github-prospects."
			default:
				x.resume(state)
			}
		})
	})
}

// resume goes on with a saved run: one that is finished is shown at once, for
// the rest of another a plan is made first.
func (x *extraction) resume(state *prospect.State) {
	x.saved = state
	// A run does not say whom it was to leave out.
	leaveOut := x.fields["suppress"]
	if typed, ok := browser.Value("suppress"); ok {
		leaveOut = typed
	}
	x.fields = fieldsOf(state.Query)
	x.fields["suppress"] = leaveOut
	x.terms = termsOf(state.Query, x.terms)
	suppress, wrong := prospect.ParseSuppression(strings.NewReader(leaveOut))
	if !state.Finished() || wrong != nil {
		x.goTo(atSource)
		return
	}
	client, err := x.theClient()
	if err == nil {
		x.job, err = prospect.NewJob(client, state.Query, prospect.Options{Concurrency: x.concurrency(), Suppress: suppress, State: state})
	}
	if err != nil {
		x.problem = sentence(err)
		return
	}
	x.query, x.planned = state.Query, false
	if state.Query.Purpose == "" {
		// The command asks for none; here nothing is exported without one.
		x.goTo(atPurpose)
		return
	}
	x.newRun()
	x.run.opened = true
}

func (x *extraction) dropSaved(app.Context, app.Event) {
	x.forget()
	x.saved, x.carried = nil, false
	x.guard()
	x.goTo(atSource)
}

// asSaved gives a query the moment of a saved one, of which the form shows the
// day, unless the day was changed.
func asSaved(q prospect.Query, fields map[string]string, saved *prospect.State) prospect.Query {
	if saved != nil && fields["since"] == fieldsOf(saved.Query)["since"] {
		q.StarredSince = saved.Query.StarredSince
	}
	return q
}

// savedBanner says what a saved run holds.
func (x *extraction) savedBanner() app.UI {
	s := x.saved
	considered, kept := 0, 0
	for _, e := range s.People {
		if e.Verdict != prospect.Waiting && !e.Again {
			considered++
		}
		if e.Verdict == prospect.Matched {
			kept++
		}
	}
	return app.Div().Class("Banner").Body(
		app.P().Text(fmt.Sprintf("Going on with a run saved on %s: %s considered, %s kept. What it has is not asked for again.",
			s.SavedAt.Local().Format("2 January 2006, 15:04"), people(considered), ui.Number(kept))),
		plainButton("Start afresh instead", x.dropSaved),
	)
}

// changeToken goes on with what the run has, and with another token.
func (x *extraction) changeToken(app.Context, app.Event) {
	state, kept := x.run.job.State(), x.run.kept
	x.run = nil
	x.dropToken()
	x.carried = !kept
	x.guard()
	x.resume(state)
}
