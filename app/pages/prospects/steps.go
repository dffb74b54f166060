package prospects

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/text"
	"marketingskills/app/ui"
)

type stepNumber int

const (
	atSource stepNumber = iota
	atPlan
	atPurpose
	atRun
	atVerify
	atExport
	afterLast
)

// step is a step of the work. open tells whether a click in the list of steps
// leads to it.
type step struct {
	name string
	open bool
	draw func() []app.UI
}

// steps are all of them, in their order. A run keeps the settings it was started
// with, so nothing before it can be changed.
func (x *extraction) steps() []step {
	r := x.run.current
	begun, ended := r != nil, r != nil && !r.active()
	return []step{
		atSource:  {"Source", !begun, x.source.draw},
		atPlan:    {"Plan", !begun && x.plan.plan != nil && x.here == atPurpose, x.plan.draw},
		atPurpose: {"Purpose", false, x.purpose.draw},
		atRun:     {"Run", begun, x.run.draw},
		atVerify:  {"Verify", ended, x.verify.draw},
		atExport:  {"Export", ended, x.export.draw},
	}
}

// leads has a button show a step.
func (x *extraction) leads(b app.HTMLButton, to stepNumber) app.HTMLButton {
	return b.OnClick(func(app.Context, app.Event) { x.show(to) }, app.EventScope("leads", int(to)))
}

// show leads to a step, which gets an entry of the history.
func (x *extraction) show(n stepNumber) {
	x.turnTo(n)
	browser.AddEntry(x.trail.address())
}

// turnTo shows a step.
func (x *extraction) turnTo(n stepNumber) {
	switch x.here {
	case atSource:
		x.access.take()
	case atPurpose:
		x.purpose.form.Read()
	case atVerify:
		x.verify.panel.Hide()
	}
	switch n {
	case atVerify:
		x.verify.open()
	case atExport:
		x.verify.reopen()
	}
	x.forget()
	x.here, x.says = n, messages{}
	x.source.form.Wrong, x.purpose.form.Wrong, x.export.form.Wrong = nil, nil, nil
	x.ctx.Defer(func(app.Context) {
		x.fillForms()
		browser.FocusOn("title")
		browser.Reveal(hereID)
	})
}

const hereID = "step"

// summaries are what was decided in the steps, each in a few words.
func (x *extraction) summaries() (s [afterLast]string) {
	if x.here == atSource {
		return s
	}
	q := x.plan.query
	s[atSource] = string(q.Source) + " of " + q.Repo.String()
	if p := x.plan.plan; p != nil {
		s[atPlan] = people(p.People) + ", " + text.Count(p.Requests, "request")
	}
	if r := x.run.current; r != nil {
		s[atPurpose] = purposeText(q)
		if x.here != atRun {
			s[atRun] = text.Count(r.counts.Matches, "match")
		}
	}
	if x.run.current != nil && x.verify.used() && x.here != atVerify {
		with, _, _ := x.verify.split()
		s[atVerify] = text.Count(with, "email") + " to export"
	}
	s[atExport] = x.export.downloaded
	return s
}

// stepList is the way through the work: where the visitor is, what was
// decided, and where a click leads.
func (x *extraction) stepList() app.UI {
	items, summaries := make([]app.UI, 0, afterLast), x.summaries()
	for i, step := range x.steps() {
		n, item := stepNumber(i), app.Li().Class("Step")
		name := ui.Span("Step-name", step.name)
		switch {
		case n == x.here:
			item = item.ID(hereID).Class("Step--here").Aria("current", "step")
		case step.open:
			name = app.Button().Class("Step-name", "Step-go").Type("button").
				OnClick(func(app.Context, app.Event) { x.show(n) }, app.EventScope(step.name)).Text(step.name)
		}
		parts := []app.UI{app.Span().Class("Step-number").Text(i + 1), name}
		if summary := summaries[n]; summary != "" {
			parts = append(parts, ui.Span("Step-summary", summary))
		}
		items = append(items, item.Body(parts...))
	}
	return app.Nav().Class("Step-list").Aria("label", "Steps").Body(app.Ol().Body(items...))
}
