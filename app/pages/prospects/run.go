package prospects

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/ui"
)

// A run tells the page a few times a second what has happened, and lets the
// browser draw when it has worked for as long as a frame or two last.
const (
	tellEvery  = 200 * time.Millisecond
	yieldAfter = 12 * time.Millisecond
	aTurn      = 3 * time.Millisecond
	// patience is how long a run that is told to stop may wait for the answers
	// under way, which are paid for.
	patience = 3 * time.Second
)

// run is one extraction as the page shows it. What is above the line is shared
// with the goroutine that runs the job; the rest is the page's.
type run struct {
	mu       sync.Mutex
	outcomes []prospect.Outcome
	progress prospect.Progress
	notice   *codehost.Notice
	// ---
	job             *prospect.Job
	active, ticking bool // the job runs; what it tells is taken over
	stop            context.CancelFunc
	report          prospect.Report // of when it ran last
	// end is how it ended, why what went wrong then, both for people.
	end, why string
	counts   prospect.Counts
	now      prospect.Progress
	rate     rate
	waits    *codehost.Notice
	waitsAt  int // requests sent when it began to wait
	found    *found
	version  int             // of found
	failed   map[int]failure // by place in the listing: who is gone has no login
	glance   prospect.Summary
	// again has the run go on by itself once a limit is over.
	again bool
	// kept tells that the visitor has all of this in a file; opened that it
	// comes from one.
	kept, opened bool
}

// failure is somebody who could not be had, and why.
type failure struct{ login, why string }

// newRun shows the step of the run and starts it.
func (x *extraction) newRun() {
	x.run = &run{job: x.job, found: &found{}, failed: map[int]failure{}}
	x.run.now.TimeLeft = -1
	// What is left of the quota changes from here on.
	x.kept, x.saved, x.carried, x.owner = "", nil, false, ""
	x.goTo(atRun)
	x.goOn()
}

// goOn starts or continues the job.
func (x *extraction) goOn() {
	r := x.run
	if r.active {
		return
	}
	x.forget()
	x.problem = ""
	browser.Say("The run has started.")
	jobContext, stop := context.WithCancel(context.Background())
	r.job.Resume()
	r.active, r.stop, r.waits, r.report, r.rate = true, stop, nil, prospect.Report{}, rate{}
	x.guard()
	x.ctx.Async(func() {
		var worked worked
		report, err := r.job.Run(jobContext, func(e prospect.Event) error {
			r.mu.Lock()
			r.progress = e.Progress
			if e.Outcome != nil {
				r.outcomes = append(r.outcomes, *e.Outcome)
			}
			if e.Notice != nil && e.Notice.Kind == codehost.NoticeWaiting {
				r.notice = e.Notice
			}
			r.mu.Unlock()
			worked.yield()
			return nil
		})
		stop()
		x.ctx.Dispatch(func(app.Context) {
			r.active, r.report = false, report
			if x.run == r {
				x.ended(err)
			}
		})
	})
	if !r.ticking {
		r.ticking = true
		x.tick(r)
	}
}

// worked is how long a goroutine has kept the browser from drawing. Between
// two answers of a host the browser has had its turn anyway, and asking for
// another one is slow in a page that nobody looks at.
type worked struct{ since, last time.Time }

func (w *worked) yield() {
	now := time.Now()
	if now.Sub(w.last) > aTurn {
		w.since = now
	}
	if w.last = now; now.Sub(w.since) > yieldAfter {
		browser.Yield()
		w.since, w.last = time.Now(), time.Now()
	}
}

// tick takes over what the job has told, as long as it runs.
func (x *extraction) tick(r *run) {
	if x.run != r || !r.active {
		r.ticking = false
		return
	}
	x.take(r)
	x.ctx.After(tellEvery, func(app.Context) { x.tick(r) })
}

// take moves what the job has told into what is shown.
func (x *extraction) take(r *run) {
	r.mu.Lock()
	outcomes, notice := r.outcomes, r.notice
	r.outcomes, r.notice, r.now = nil, nil, r.progress
	r.mu.Unlock()
	r.counts = r.job.Counts()
	r.rate.note(time.Now(), r.now.Requests)
	if notice != nil {
		r.waits, r.waitsAt = notice, r.now.Requests
	}
	if r.waits != nil && (r.now.Requests > r.waitsAt || !time.Now().Before(r.waits.Until)) {
		r.waits = nil
	}
	if len(outcomes) == 0 {
		return
	}
	for _, o := range outcomes {
		delete(r.failed, o.Number)
		switch o.Verdict {
		case prospect.Matched:
			r.found.add(o.Number, o.Record)
			r.glance.Add(*o.Record)
			r.kept = false
		case prospect.Failed:
			r.failed[o.Number] = failure{o.Login, o.Detail}
		}
	}
	r.found.arrangeSoon(!r.active)
	r.version++
	x.guard()
}

// guard has the browser ask before a run is given up, or results are lost that
// are in no file yet.
func (x *extraction) guard() { browser.AskBeforeLeaving(x.unsaved()) }

func (x *extraction) unsaved() bool {
	r := x.run
	return x.carried || r != nil && !x.sample && (r.active || !r.kept && len(r.found.all) > 0)
}

// ended says how the run ended.
func (x *extraction) ended(err error) {
	r := x.run
	opened := r.opened
	x.take(r)
	// A finished run that was opened is in its file already.
	r.kept, r.opened = r.kept || opened && r.report.Complete, false
	x.guard()
	r.waits = nil
	x.status = ""
	r.end, r.why = endText(r.report, r.counts), ""
	if stop := r.report.Stop; err != nil && stop != nil && stop.Reason != "interrupted" {
		r.why = limitText(err, x.token.Present())
		if !stop.RetryAt.IsZero() {
			r.why = "" // the clock says it
			x.watchClock(r)
		}
	}
	browser.Say(r.end + " " + r.why)
}

// watchClock counts down to the end of a limit, and goes on then if told to.
func (x *extraction) watchClock(r *run) {
	switch {
	case x.run != r || r.active || r.report.Stop == nil:
	case r.again && !r.limited() && x.stage == atRun:
		x.goOn()
	case r.again || r.limited():
		x.ctx.After(time.Second, func(app.Context) { x.watchClock(r) })
	}
}

// endText is how a run ended, in a sentence or two.
func endText(report prospect.Report, counts prospect.Counts) string {
	kept := people(counts.Matches) + " kept of " + ui.Number(counts.Listed) + "."
	again := counts.Temporary()
	switch {
	case report.Complete && again > 0:
		return "Finished. " + kept + " " + plural(again, "profile", "profiles") + " could not be had for a passing reason."
	case report.Complete && report.Query.Target > 0 && counts.Matches >= report.Query.Target:
		return "Finished: the target is reached. " + kept
	case report.Complete:
		return "Finished. " + kept
	case report.Stop != nil && report.Stop.Reason == "interrupted":
		return "Stopped. " + kept + " Nothing is lost: the run can go on from here."
	default:
		return "The run is incomplete. " + kept + " Nothing is lost."
	}
}

// runSaid is the run in a few words.
func (x *extraction) runSaid() string {
	if x.run == nil || x.stage == atRun {
		return ""
	}
	return ui.Number(x.run.counts.Matches) + " kept"
}

// secondClick tells the second click of two, which was meant for the button
// that was there before.
func secondClick(e app.Event) bool { return e.Get("detail").Int() > 1 }

func (x *extraction) pause(_ app.Context, e app.Event) {
	if !secondClick(e) {
		x.run.job.Pause()
		x.status = "Paused. What is under way still arrives."
	}
}

func (x *extraction) unpause(_ app.Context, e app.Event) {
	if !secondClick(e) {
		x.run.job.Resume()
		x.status = ""
		browser.Say("The run goes on.")
	}
}

func (x *extraction) stopRun(app.Context, app.Event) {
	r := x.run
	x.status = "Stopping."
	r.job.Resume()
	r.job.Stop()
	stop := r.stop
	if r.waits != nil {
		stop()
		return
	}
	x.ctx.After(patience, func(app.Context) { stop() })
}

func (x *extraction) runOn(app.Context, app.Event) { x.goOn() }

func (x *extraction) byItself(ctx app.Context, _ app.Event) {
	x.run.again = ctx.JSSrc().Get("checked").Bool()
}

func (x *extraction) runStep() []app.UI {
	r := x.run
	end, why := app.P().Class("Run-end"), app.P().Class("Problem")
	if !r.active {
		end, why = end.Text(r.end), why.Text(r.why)
	}
	parts := []app.UI{
		app.Section().Class("Progress").Aria("label", "Progress").Body(
			app.Div().Class("Progress-numbers").Body(progressBar(r), numbers(r)),
			app.Div().Class("Actions").Body(x.controls()...),
		),
		app.P().Class("Quota").Text(x.quotaLine()),
		end, why, x.limit(),
	}
	if len(r.found.all) > 0 {
		parts = append(parts, glanceOf(r, x.query), &table{Found: r.found, Version: r.version})
	} else if !r.active && r.report.Complete {
		parts = append(parts, app.P().Class("Remark").Text("Nobody was kept. "+filteredText(r.counts)))
	}
	return append(parts, failures(r)...)
}

// total is how many people there are to consider, as far as is known.
func total(r *run) int { return max(r.now.People, r.counts.Listed) }

// progressBar is how far the run is: by people considered, or by the target
// when that is nearer.
func progressBar(r *run) app.UI {
	whole := float64(max(total(r), 1))
	if t := r.now.Target; t > 0 && r.counts.Matches > 0 {
		// At this rate the target is reached after so many people.
		whole = min(whole, float64(t)*float64(r.counts.Listed)/float64(r.counts.Matches))
	}
	part := func(class string, n int) ui.Part { return ui.Part{Class: class, Share: float64(n) / whole} }
	c := r.counts
	return ui.Bar(part("Bar-kept", c.Matches), part("Bar-filtered", c.Filtered+c.Suppressed), part("Bar-failed", c.Failed))
}

// numbers are those of the run, one beside the other.
func numbers(r *run) app.UI {
	c := r.counts
	list := []ui.Fact{{Name: "kept", Value: ui.Number(c.Matches)}, {Name: "filtered", Value: ui.Number(c.Filtered)}}
	if c.Suppressed > 0 {
		list = append(list, ui.Fact{Name: "suppressed", Value: ui.Number(c.Suppressed)})
	}
	list = append(list, ui.Fact{Name: "failed", Value: ui.Number(c.Failed)})
	if r.active || !r.report.Complete {
		togo := ui.Fact{Name: "to go", Value: ui.Number(max(total(r)-c.Listed, 0))}
		if !r.now.Exact {
			togo.Name = "to go, at most"
		}
		list = append(list, togo)
	}
	if r.active {
		left := ui.Fact{Name: "left", Value: "–"}
		if r.now.TimeLeft >= 0 {
			left.Value = countdown(r.now.TimeLeft)
		}
		list = append(list, left)
	}
	entries := make([]app.UI, 0, len(list))
	for _, n := range list {
		entries = append(entries, app.Div().Class("Number").Body(
			app.Dt().Text(n.Name),
			app.Dd().Text(n.Value),
		))
	}
	return app.Dl().Class("Numbers").Body(entries...)
}

func (x *extraction) controls() []app.UI {
	r := x.run
	exported := firstButton("Export", x.toExport)
	saved := plainButton("Save the run", x.saveRun)
	switch stop := r.report.Stop; {
	case r.active && r.job.Paused():
		return []app.UI{firstButton("Go on", x.unpause), plainButton("Stop and keep", x.stopRun)}
	case r.active:
		return []app.UI{firstButton("Pause", x.pause), plainButton("Stop and keep", x.stopRun)}
	case stop != nil && (stop.Reason == "token" || stop.Reason == "quota" && !x.token.Present() && !x.sample):
		return []app.UI{firstButton("Go on with a token", x.changeToken), plainButton("Export", x.toExport), saved}
	case r.report.Complete && r.counts.Temporary() == 0, stop != nil && !stop.Resumable, r.limited():
		return []app.UI{exported, saved}
	case r.report.Complete:
		return []app.UI{exported, plainButton("Ask again for those", x.runOn), saved}
	default:
		return []app.UI{firstButton("Go on", x.runOn), plainButton("Export", x.toExport), saved}
	}
}

func firstButton(text string, act app.EventHandler) app.HTMLButton {
	return app.Button().Class("Button").Type("button").OnClick(act, app.EventScope(text)).Text(text)
}

func plainButton(text string, act app.EventHandler) app.HTMLButton {
	return app.Button().Class("Button", "Button--plain").Type("button").OnClick(act, app.EventScope(text)).Text(text)
}

// limited tells whether the run ended at a limit that is not over.
func (r *run) limited() bool {
	return !r.active && r.report.Stop != nil && time.Now().Before(r.report.Stop.RetryAt)
}

// quotaLine is what is left of the quota, and what the run still needs of it.
func (x *extraction) quotaLine() string {
	r := x.run
	text := "The host names no quota."
	if r.now.Quota.Known {
		text = quotaText(r.now.Quota) + "."
	}
	if togo := total(r) - r.counts.Listed; togo > 0 && x.query.Enriches() && r.now.Target == 0 {
		text += " This run needs about " + ui.Number(togo) + " more."
	}
	if r.now.Requests > 0 {
		text += " " + requests(r.now.Requests) + " sent"
		if a := r.rate.aSecond(); r.active && a > 0 {
			text += fmt.Sprintf(", %.0f a second", a)
		}
		text += "."
	}
	return text
}

// rate is how many requests leave in a second, over the last ten.
type rate struct {
	at   [50]time.Time // a ring: ten seconds at the pace the page is told
	sent [50]int
	n    int
}

func (r *rate) note(now time.Time, sent int) {
	r.at[r.n%len(r.at)], r.sent[r.n%len(r.at)] = now, sent
	r.n++
}

// aSecond is 0 until two seconds were watched.
func (r *rate) aSecond() float64 {
	if r.n < 2 {
		return 0
	}
	newest, oldest := (r.n-1)%len(r.at), max(r.n-len(r.at), 0)%len(r.at)
	watched := r.at[newest].Sub(r.at[oldest]).Seconds()
	if watched < 2 {
		return 0
	}
	return float64(r.sent[newest]-r.sent[oldest]) / watched
}

// limit is a wait, with a clock. It is always there, and empty most of the
// time: what stands behind it must not move to another place, where it would
// be drawn anew.
func (x *extraction) limit() app.UI {
	r := x.run
	box := app.Div().Class("Limit")
	timer := func(until time.Time, sentence string) []app.UI {
		return []app.UI{
			app.P().Class("Limit-clock").Role("timer").Text(countdown(time.Until(until))),
			app.P().Text(sentence + " Nothing is asked until then."),
		}
	}
	stop := r.report.Stop
	switch {
	case r.active && r.waits != nil:
		return box.Body(timer(r.waits.Until, "The host asks for a pause. The run goes on by itself at "+clock(r.waits.Until)+".")...)
	case r.active || stop == nil || stop.RetryAt.IsZero():
		return box
	case !r.limited():
		return box.Body(app.P().Text("The limit is over. The run can go on."))
	}
	what := "The hour’s quota is used up. It is whole again at "
	if stop.Reason == "penalty" {
		what = "The host asks for a long pause, until "
	}
	again := app.Input().Type("checkbox").ID("again").OnChange(x.byItself)
	if r.again {
		again = again.Checked(true)
	}
	return box.Body(append(timer(stop.RetryAt, what+clock(stop.RetryAt)+"."),
		app.Label().Class("Filter").For("again").Body(again, ui.Span("", "Go on by itself then, while this page is open")))...)
}

// failures are those who could not be had, and why.
func failures(r *run) []app.UI {
	if len(r.failed) == 0 {
		return nil
	}
	const most = 50
	numbers := slices.Sorted(maps.Keys(r.failed))
	items := make([]app.UI, 0, min(len(numbers), most)+1)
	for _, number := range numbers[:min(len(numbers), most)] {
		f := r.failed[number]
		if f.login == "" {
			items = append(items, app.Li().Text(capital(f.why)))
			continue
		}
		items = append(items, app.Li().Body(app.Code().Text(f.login), ui.Span("Soft", f.why)))
	}
	if more := len(numbers) - most; more > 0 {
		items = append(items, app.Li().Text(fmt.Sprintf("and %s more, all in the saved run", ui.Number(more))))
	}
	return []app.UI{app.Details().Class("Failures").Body(
		app.Summary().Text(plural(len(numbers), "person", "people")+" could not be had"),
		app.Ul().Body(items...),
	)}
}

// filteredText is why people were not kept.
func filteredText(c prospect.Counts) string {
	var said []string
	for _, cause := range slices.Sorted(maps.Keys(c.FilteredBy)) {
		said = append(said, causeName(cause)+" "+ui.Number(c.FilteredBy[cause]))
	}
	for _, cause := range slices.Sorted(maps.Keys(c.SuppressedBy)) {
		said = append(said, "suppressed by "+cause+" "+ui.Number(c.SuppressedBy[cause]))
	}
	if len(said) == 0 {
		return ""
	}
	return "Left out: " + strings.Join(said, ", ") + "."
}

func causeName(cause string) string {
	if name := causeNames[cause]; name != "" {
		return name
	}
	return cause
}

// causeNames are the filters in words.
var causeNames = map[string]string{
	"type": "other accounts", "starred-since": "starred earlier", "with-email": "no address",
	"with-company": "no company", "with-blog": "no website",
}
