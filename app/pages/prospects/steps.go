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
)

var stepNames = [...]string{atSource: "Source", atPlan: "Plan", atPurpose: "Purpose", atRun: "Run", atVerify: "Verify", atExport: "Export"}

// open tells whether a click in the list of steps leads to a step. A run keeps
// the settings it was started with, so nothing before it can be changed.
func (x *extraction) open(n stepNumber) bool {
	r := x.run.current
	switch n {
	case atSource:
		return r == nil
	case atPlan:
		return r == nil && x.plan.made && x.here == atPurpose
	case atRun:
		return r != nil
	case atVerify, atExport:
		return r != nil && !r.work.On
	}
	return false
}

// leads has a button show a step.
func (x *extraction) leads(b app.HTMLButton, to stepNumber) app.HTMLButton {
	return b.OnClick(func(app.Context, app.Event) { x.show(to) }, app.EventScope("leads", int(to)))
}

func (x *extraction) show(n stepNumber) {
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

func (x *extraction) drawStep() []app.UI {
	draw := [...]func() []app.UI{
		atSource: x.source.draw, atPlan: x.plan.draw, atPurpose: x.purpose.draw, atRun: x.run.draw,
		atVerify: x.verify.draw, atExport: x.export.draw,
	}
	return draw[x.here]()
}

// summaries are what was decided in the steps, each in a few words.
func (x *extraction) summaries() (s [len(stepNames)]string) {
	if x.here == atSource {
		return s
	}
	q := x.plan.query
	s[atSource] = string(q.Source) + " of " + q.Repo.String()
	if x.plan.made {
		s[atPlan] = people(x.plan.plan.People) + ", " + text.Count(x.plan.plan.Requests, "request")
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
	items := make([]app.UI, 0, len(stepNames))
	for i, summary := range x.summaries() {
		n, item := stepNumber(i), app.Li().Class("Step")
		name := ui.Span("Step-name", stepNames[n])
		switch {
		case n == x.here:
			item = item.ID(hereID).Class("Step--here").Aria("current", "step")
		case x.open(n):
			name = app.Button().Class("Step-name", "Step-go").Type("button").
				OnClick(func(app.Context, app.Event) { x.show(n) }, app.EventScope(stepNames[n])).Text(stepNames[n])
		}
		parts := []app.UI{app.Span().Class("Step-number").Text(i + 1), name}
		if summary != "" {
			parts = append(parts, ui.Span("Step-summary", summary))
		}
		items = append(items, item.Body(parts...))
	}
	return app.Nav().Class("Step-list").Aria("label", "Steps").Body(app.Ol().Body(items...))
}
