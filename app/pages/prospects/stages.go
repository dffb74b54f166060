package prospects

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/ui"
)

// stage is a step of the work.
type stage int

const (
	atSource stage = iota
	atPlan
	atPurpose
	atRun
	atExport
)

// goTo shows a step and leads the visitor to its title.
func (x *extraction) goTo(s stage) {
	switch x.stage {
	case atSource:
		x.readToken()
	case atPurpose:
		x.readTerms()
	}
	x.stage, x.status, x.problem, x.refusal, x.wrong = s, "", "", nil, nil
	x.ctx.Defer(func(app.Context) {
		x.fillForms()
		browser.FocusOn("title")
		browser.Reveal(hereID)
	})
}

// stages is the way through the work: where you are, what was decided, and
// what can be gone back to.
func (x *extraction) stages() app.UI {
	items := make([]app.UI, 0, 5)
	for _, s := range []struct {
		stage stage
		name  string
		said  string
		act   app.EventHandler
	}{
		{atSource, "Source", x.sourceSaid(), x.toSource},
		{atPlan, "Plan", x.planSaid(), x.toPlan},
		{atPurpose, "Purpose", x.purposeSaid(), x.toPurpose},
		{atRun, "Run", x.runSaid(), x.toRun},
		{atExport, "Export", x.kept, x.toExport},
	} {
		number := app.Span().Class("Stage-number").Text(int(s.stage) + 1)
		var name app.UI = ui.Span("Stage-name", s.name)
		if s.stage != x.stage && x.open(s.stage) {
			name = app.Button().Class("Stage-name", "Stage-go").Type("button").OnClick(s.act).Text(s.name)
		}
		item := app.Li().Class("Stage")
		if s.stage == x.stage {
			item = item.ID(hereID).Class("Stage--here").Aria("current", "step")
		}
		parts := []app.UI{number, name}
		if s.said != "" {
			parts = append(parts, ui.Span("Stage-said", s.said))
		}
		items = append(items, item.Body(parts...))
	}
	return app.Nav().Class("Stages").Aria("label", "Steps").Body(app.Ol().Body(items...))
}

// open tells whether a step can be gone to now. While a run goes on, what it
// was started with stands.
func (x *extraction) open(s stage) bool {
	switch s {
	case atSource, atPlan, atPurpose:
		if x.run != nil {
			return false
		}
		return s == atSource || x.job != nil && x.stage > s && (s != atPlan || x.planned)
	case atRun:
		return x.run != nil
	default:
		return x.run != nil && !x.run.active
	}
}

func (x *extraction) toSource(app.Context, app.Event)  { x.forget(); x.goTo(atSource) }
func (x *extraction) toPlan(app.Context, app.Event)    { x.goTo(atPlan) }
func (x *extraction) toPurpose(app.Context, app.Event) { x.goTo(atPurpose) }
func (x *extraction) toRun(app.Context, app.Event)     { x.goTo(atRun) }
func (x *extraction) toExport(app.Context, app.Event)  { x.goTo(atExport) }
