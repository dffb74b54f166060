package pages

import (
	"context"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/ui"
)

// Task is a job that a page has done while the visitor goes on.
type Task struct {
	Name string // to begin a sentence
	Job  interface {
		Pause()
		Paused() bool
		Resume()
		Stop()
	}
	// Run does the job, outside the UI goroutine. What it returns is called on
	// the UI goroutine, unless the page was left.
	Run func(context.Context) (ended func())
	// Refresh shows what the job did so far, and tells when to do so again.
	Refresh func() (again time.Duration)
	// Patience is how long a job that was stopped may wait for answers under way;
	// 0: there are none.
	Patience func() time.Duration
}

// Work is a task at work; the zero value is none. A page has one Work for all of
// its tasks, one after the other: go-app keeps the handlers of a button that it
// draws over with another.
type Work struct {
	Task
	On       bool // the job is running, or paused
	Stopping bool // no request is started, answers under way are waited for

	page   Component
	ctx    context.Context
	cancel context.CancelFunc // ends the job without waiting for answers
}

// Start begins a task, or goes on with it.
func (w *Work) Start(v Component, t Task) {
	w.Leave()
	ctx, cancel := context.WithCancel(context.Background())
	*w = Work{Task: t, On: true, page: v, ctx: ctx, cancel: cancel}
	t.Job.Resume()
	browser.Say(t.Name + " started.")
	v.UI().Async(func() {
		ended := t.Run(ctx)
		cancel()
		v.UI().Dispatch(func(app.Context) {
			if w.ctx == ctx {
				w.On, w.Stopping = false, false
				ended()
			}
		})
	})
	w.refresh(ctx)
}

// refresh shows what the job did, again and again while it runs.
func (w *Work) refresh(ctx context.Context) {
	if w.ctx == ctx && ctx.Err() == nil {
		w.page.UI().After(w.Refresh(), func(app.Context) { w.refresh(ctx) })
	}
}

// Leave ends the job; nothing more of it is shown.
func (w *Work) Leave() {
	if w.cancel != nil {
		w.cancel()
	}
	*w = Work{}
}

// Buttons are what can be done while the job is at work.
func (w *Work) Buttons() []app.UI {
	first := ui.Button("Pause", w.pause)
	if w.Job.Paused() {
		first = ui.Button("Resume", w.resume)
	}
	return []app.UI{first, ui.PlainButton("Stop", w.stop)}
}

// pause is what “Pause” does: no request is started from here on.
func (w *Work) pause(_ app.Context, e app.Event) {
	if !ui.SecondClick(e) {
		w.Job.Pause()
		w.page.Tell("Paused. Requests already sent will finish.", "")
	}
}

// resume is what “Resume” does to a job that is paused.
func (w *Work) resume(_ app.Context, e app.Event) {
	if !ui.SecondClick(e) {
		w.Job.Resume()
		w.page.Tell("", "")
		browser.Say(w.Name + " resumed.")
	}
}

// stop is what “Stop” does: answers under way are waited for, but not for ever.
func (w *Work) stop(app.Context, app.Event) {
	w.Stopping = true
	patience, status := w.Patience(), "Stopping."
	if patience > 0 {
		status += " Requests already sent will finish."
	}
	w.page.Tell(status, "")
	w.Job.Stop()
	cancel := w.cancel
	w.page.UI().After(patience, func(app.Context) { cancel() })
}
