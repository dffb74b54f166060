package prospects

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/pages"
	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/ui"
)

const (
	// refreshEvery is how often the page shows what a running job did.
	refreshEvery = 200 * time.Millisecond
	// stopWait is how long a run that is told to stop may wait for responses
	// to requests that are used already.
	stopWait = 3 * time.Second
)

// runStep is the fourth step: the job at work, and what it found.
type runStep struct {
	page    *extraction
	current *run       // nil before the first, and after “New run”
	atWork  pages.Work // the current run's job, while it runs
}

// run is one extraction: the job, and what the page knows of it.
type run struct {
	job  *prospect.Job
	feed feed

	work   *pages.Work     // that of the step; nil: it has not begun
	report prospect.Report // how it ended last
	// autoResume has the run go on by itself once a limit is over.
	autoResume bool

	counts   prospect.Counts
	progress prospect.Progress
	wait     *codehost.Notice // the pause that GitHub asked for; nil: none
	waitFrom int              // requests sent when it began
	found    *found
	version  int                    // of found
	failed   map[int]prospect.Entry // by place in the listing: who is gone has no login
	summary  prospect.Summary
	// inFile tells that the visitor has all of this in a file, opened that it
	// comes from one and was not gone through yet.
	inFile, opened bool
}

func newRun(job *prospect.Job) *run {
	r := &run{job: job, found: &found{}, failed: map[int]prospect.Entry{}}
	r.progress.TimeLeft = -1 // not known yet
	return r
}

// start shows the step and starts the job that was planned.
func (s *runStep) start() {
	x := s.page
	s.current = newRun(x.plan.job)
	s.current.work = &s.atWork
	x.verify.clear()
	x.source.resumed, x.source.unsaved, x.export.downloaded = nil, false, ""
	x.access.owner = "" // it says how much of the quota remains
	x.show(atRun)
	s.work()
}

// feed is what has happened since the page looked last, and all that a running
// job shares with the page: the job's goroutine puts in, the UI goroutine takes
// out.
type feed struct {
	mu     sync.Mutex
	events []prospect.Event
}

func (f *feed) put(e prospect.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.events = append(f.events, e)
}

func (f *feed) take() (events []prospect.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	events, f.events = f.events, nil
	return events
}

// clear gives up the run, if there is one.
func (s *runStep) clear() {
	if s.current != nil {
		s.atWork.Leave()
		s.current = nil
	}
}

// work has the job run, from its beginning or from where it stopped. What “Pause”,
// “Resume” and “Stop” do meanwhile stands in app/pages/work.go.
func (s *runStep) work() {
	x, r := s.page, s.current
	if r.active() {
		return
	}
	x.forget()
	x.says.problem = ""
	r.wait, r.report = nil, prospect.Report{}
	s.atWork.Start(x, pages.Task{
		Name: "Run",
		Job:  r.job,
		Run: func(ctx context.Context) func() {
			var y browser.Yielder
			report, _ := r.job.Run(ctx, func(e prospect.Event) error {
				r.feed.put(e)
				y.Step()
				return nil
			})
			return func() {
				r.report = report
				s.ended()
			}
		},
		Refresh: func() time.Duration {
			s.update(r)
			return refreshEvery
		},
		Patience: func() time.Duration {
			if r.wait != nil {
				return 0 // nothing is under way
			}
			return stopWait
		},
	})
}

func (s *runStep) update(r *run) {
	r.take(time.Now())
	s.page.guard()
}

// take moves the news of the job into what is shown.
func (r *run) take(now time.Time) {
	outcomes := 0
	for _, e := range r.feed.take() {
		r.progress = e.Progress
		if n := e.Notice; n != nil && n.Kind == codehost.NoticeWaiting {
			r.wait, r.waitFrom = n, e.Progress.Requests
		}
		if e.Outcome != nil {
			outcomes++
			r.takeOutcome(e.Outcome)
		}
	}
	r.counts = r.job.Counts()
	if r.wait != nil && (r.progress.Requests > r.waitFrom || !now.Before(r.wait.Until)) {
		r.wait = nil
	}
	if outcomes > 0 {
		r.found.arrangeSoon(!r.active())
		r.version++
	}
}

func (r *run) takeOutcome(o *prospect.Outcome) {
	delete(r.failed, o.Number)
	switch o.Verdict {
	case prospect.Matched:
		r.found.add(o.Number, o.Record)
		r.summary.Add(*o.Record)
		r.inFile = false
	case prospect.Failed:
		r.failed[o.Number] = o.Entry
	}
}

// remove takes people out who were suppressed after they had been found.
func (r *run) remove(records []prospect.Record) {
	logins := make(map[string]bool, len(records))
	for _, record := range records {
		logins[record.Login] = true
		r.summary.Remove(record)
	}
	r.found.remove(logins)
	r.version++
	if len(records) > 0 {
		r.inFile = false
	}
}

func (s *runStep) ended() {
	x, r := s.page, s.current
	s.update(r)
	// A finished run that was opened is in its file already.
	r.inFile, r.opened = r.inFile || r.opened && r.report.Complete, false
	x.guard()
	r.wait, x.says.status = nil, ""
	s.watchLimit(r)
	browser.Say(endText(r.report, r.counts) + " " + whyText(r.report.Stop))
}

// watchLimit counts down to the end of a limit, and resumes then if told to.
func (s *runStep) watchLimit(r *run) {
	switch stop := r.report.Stop; {
	case s.current != r || r.active() || stop == nil || stop.RetryAt.IsZero():
	case r.autoResume && !r.limited(time.Now()) && s.page.here == atRun:
		s.work()
	case r.autoResume || r.limited(time.Now()):
		s.page.ctx.After(time.Second, func(app.Context) { s.watchLimit(r) })
	}
}

// active tells whether the job is running, or paused.
func (r *run) active() bool { return r.work != nil && r.work.On }

// limited tells whether the run ended at a limit that is not over.
func (r *run) limited(now time.Time) bool {
	return !r.active() && r.report.Stop != nil && now.Before(r.report.Stop.RetryAt)
}

// resume is what “Resume” does to a run that has stopped, and “Retry”.
func (s *runStep) resume(app.Context, app.Event) { s.work() }

func (s *runStep) enterToken(app.Context, app.Event) { s.page.source.withAnotherToken(s.current) }

func (s *runStep) setAutoResume(ctx app.Context, _ app.Event) {
	s.current.autoResume = browser.SourceOf(ctx).Ticked
}

// buttons are what can be done with the run now.
func (s *runStep) buttons() []app.UI {
	r, stop := s.current, s.current.report.Stop
	export := func(b app.HTMLButton) app.UI { return s.page.leads(b, atExport) }
	save := ui.PlainButton("Save run", s.page.export.saveRun)
	needsToken := stop != nil && (errors.Is(stop.Err, codehost.ErrBadToken) ||
		errors.Is(stop.Err, codehost.ErrQuota) && !s.page.access.authenticated())
	switch {
	case r.active():
		return r.work.Buttons()
	case needsToken:
		return []app.UI{ui.Button("Enter a token to resume", s.enterToken), export(ui.PlainButton("Export", nil)), save}
	case r.limited(time.Now()): // it can be resumed later
	case r.report.Complete && r.counts.Temporary() > 0:
		return []app.UI{export(ui.Button("Export", nil)), ui.PlainButton("Retry failed profiles", s.resume), save}
	case !r.report.Complete && (stop == nil || stop.Resumable):
		return []app.UI{ui.Button("Resume", s.resume), export(ui.PlainButton("Export", nil)), save}
	}
	if r.summary.WithEmail > 0 {
		return []app.UI{s.page.leads(ui.Button("Verify emails", nil), atVerify), export(ui.PlainButton("Export", nil)), save}
	}
	return []app.UI{export(ui.Button("Export", nil)), save}
}

func (s *runStep) draw() []app.UI {
	x, r := s.page, s.current
	end, why := app.P().Class("Run-end"), app.P().Class("Problem")
	if !r.active() {
		end, why = end.Text(endText(r.report, r.counts)), why.Text(whyText(r.report.Stop))
	}
	parts := []app.UI{
		app.Section().Class("Progress").Aria("label", "Progress").Body(
			ui.Div("Progress-numbers", progressBar(r), ui.Numbers(numbers(r))),
			ui.Actions(s.buttons()...),
		),
		ui.P("Quota", quotaLine(r, x.plan.query)),
		end, why,
		s.drawWait(waitOf(r, time.Now())),
	}
	if len(r.found.all) > 0 {
		parts = append(parts, drawSummary(r, x.plan.query), &table{Found: r.found, Version: r.version})
	} else if !r.active() && r.report.Complete {
		parts = append(parts, ui.Remark("No matches. Start a new run with fewer filters. "+r.counts.String()),
			ui.Actions(ui.PlainButton("New run", x.newRun)))
	}
	return append(parts, drawFailures(r.failed)...)
}

// drawWait is always there, and empty most of the time: what stands behind it
// must not move to another place, where go-app would mount it again.
func (s *runStep) drawWait(w waitView) app.UI {
	box := app.Div().Class("Limit")
	var parts []app.UI
	if w.clock != "" {
		parts = append(parts, app.P().Class("Limit-clock").Role("timer").Text(w.clock))
	}
	if w.words != "" {
		parts = append(parts, app.P().Text(w.words))
	}
	if w.offer {
		tick := app.Input().Type("checkbox").ID("again").OnChange(s.setAutoResume)
		if s.current.autoResume {
			tick = tick.Checked(true)
		}
		parts = append(parts, app.Label().Class("Filter").For("again").Body(tick, ui.Span("", "Resume automatically (keep this page open)")))
	}
	return box.Body(parts...)
}
