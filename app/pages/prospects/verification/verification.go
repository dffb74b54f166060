// Package verification finds out on the prospects page, or on a page of its
// own, which emails can be written to: by free checks that run in the browser,
// and by asking a verifier through a proxy.
//
// [Panel] takes a list through the checks and holds what was found; a page owns
// one and puts its drawing among its own. What is shown is decided by the pure
// functions of view.go (the emails), choice.go (what to export) and trouble.go
// (what went wrong), and drawn in draw.go and results.go. proxy.go is the way to
// the verifier, sample.go stands in for it with the sample data. page.go has what
// both pages do alike, and desk.go is the page of its own. Emails live in memory,
// and in the query of the calls to the proxy, and nowhere else.
package verification

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/text"
	"marketingskills/app/ui"
	"marketingskills/app/verify"
)

const (
	// lookEvery is how often the page looks at what a running job found, and
	// lookSeldom with so many emails that looking takes its time.
	lookEvery  = 200 * time.Millisecond
	lookSeldom = time.Second
	many       = 2000
	// stopWait is how long a stopped run waits for answers that are paid for.
	stopWait = 35 * time.Second
)

// Config is what the site's settings say.
type Config struct {
	Disposable string `json:"disposable"` // URL of the list of throwaway domains
	Proxy      string `json:"proxy"`      // URL of the proxy, "" for the site's own host
}

// Panel takes a list of emails through the checks. It belongs to the UI
// goroutine; only its job is shared.
type Panel struct {
	page   Page
	config Config
	proxy  proxy
	choice choice

	emails  []string // as they were given
	job     *verify.Job
	entries []verify.Entry // of the job, when the page looked last
	tally   *tally         // of entries
	phase   phase
	cancel  context.CancelFunc // ends what the job does
	err     error              // how its last run ended
	// used tells that the visitor wants what was found to count: a run was
	// started, or the free checks are enough.
	used bool
	// sample has a made-up verifier answer, in the page.
	sample bool

	disposable verify.Domains
	list       browser.Loading // of disposable
	filter     string
	drawn      int
}

// New makes an empty panel.
func New(page Page, config Config) *Panel {
	p := &Panel{page: page, config: config}
	p.proxy.panel, p.choice.panel = p, p
	p.proxy.form = ui.Form{ID: "verifier-form", Order: []string{tokenField}}
	p.Clear()
	return p
}

// Clear forgets the list, and what was chosen for it.
func (p *Panel) Clear() {
	p.Leave()
	p.emails, p.job, p.phase, p.err, p.used = nil, nil, idle, nil, false
	p.take(nil)
	p.filter, p.drawn = everyState, step
	p.choice.reset()
}

// Leave ends what is going on.
func (p *Panel) Leave() {
	if p.cancel != nil {
		p.cancel()
	}
	p.proxy.forget()
}

// Hide takes what was typed before the panel goes out of view.
func (p *Panel) Hide() { p.proxy.take() }

// Fill makes the fields say what is known, once they are drawn.
func (p *Panel) Fill() {
	p.page.UI().Defer(func(app.Context) {
		p.choice.fill()
		browser.SetFields(filterForm, map[string]string{"show": p.filter})
		browser.SetValue(tokenField, "")
	})
}

// Open takes a list of emails, and begins with the free checks. Of emails it
// had before it knows the answers still, known are those of an earlier run. With
// sample no email leaves the page.
func (p *Panel) Open(emails []string, known []verify.Result, sample bool) {
	job := verify.NewJob(emails)
	for _, r := range known {
		p.used = job.Know(r.Address, r) || p.used
	}
	for _, e := range p.entries {
		if e.Asked {
			job.Know(e.Address, e.Result)
		}
	}
	if p.cancel != nil {
		p.cancel()
	}
	p.emails, p.job, p.sample, p.phase, p.err = emails, job, sample, checking, nil
	p.look()
	p.proxy.open()
	p.loadList()
}

// loadList fetches the throwaway domains, once, and then makes the free checks:
// without the list, if it is not to be had.
func (p *Panel) loadList() {
	job := p.job
	switch p.list {
	case browser.Loaded, browser.Failed:
		p.check(job)
		return
	case browser.Started:
		return
	}
	p.list = browser.Started
	browser.Fetch(p.page.UI(), p.config.Disposable, func(_ app.Context, body []byte, err error) {
		p.list, p.disposable = browser.Loaded, verify.Domains(body)
		if err != nil {
			p.list = browser.Failed
		}
		if p.job != nil {
			p.check(p.job)
		}
	})
}

// check makes the free checks of a job, in a goroutine of its own.
func (p *Panel) check(job *verify.Job) {
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	checker := verify.Checker{Disposable: p.disposable}
	p.page.UI().Async(func() {
		var y browser.Yielder
		err := job.Check(ctx, checker, y.Step)
		p.page.UI().Dispatch(func(app.Context) {
			if p.job == job && err == nil {
				p.phase = ready
				p.look()
			}
		})
	})
}

// retryList loads the list of throwaway domains again.
func (p *Panel) retryList(app.Context, app.Event) {
	p.list = 0
	p.Open(p.emails, nil, p.sample)
}

// look takes what the job has found into what is shown.
func (p *Panel) look() { p.take(p.job.Entries()) }

// take counts the emails once for all that is said of them: there may be many.
func (p *Panel) take(entries []verify.Entry) { p.entries, p.tally = entries, tallyOf(entries) }

type phase int

const (
	idle     phase = iota // there is no list
	checking              // the free checks are being made
	ready                 // nothing is under way
	running               // the verifier is asked, or paused
	stopping              // it is not asked any more; answers under way are waited for
)

// Busy tells whether the verifier is being asked.
func (p *Panel) Busy() bool { return p.phase == running || p.phase == stopping }

// start asks the verifier about all emails that are open, from the beginning or
// from where it stopped.
func (p *Panel) start(app.Context, app.Event) {
	asker, ok := p.proxy.connect()
	if p.phase != ready || !ok {
		return
	}
	job := p.job
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	job.Resume()
	before := p.used
	p.phase, p.err, p.used = running, nil, true
	p.page.Learned() // answers will come
	p.page.Tell("", "")
	browser.Say("Verification started.")
	p.page.UI().Async(func() {
		err := job.Run(ctx, asker, func() {})
		cancel()
		p.page.UI().Dispatch(func(app.Context) {
			if p.job == job {
				p.ended(err, before)
			}
		})
	})
	p.watch(ctx, job)
}

// watch shows what the job found, again and again while it runs.
func (p *Panel) watch(ctx context.Context, job *verify.Job) {
	if p.job != job || ctx.Err() != nil {
		return
	}
	before := p.tally
	p.look()
	if p.tally.answered > before.answered {
		p.page.Learned()
	}
	if !slices.Equal(p.tally.order, before.order) {
		p.Fill()
	}
	every := lookEvery
	if len(p.entries) > many {
		every = lookSeldom
	}
	p.page.UI().After(every, func(app.Context) { p.watch(ctx, job) })
}

// ended shows how a run ended. Where the token was refused at once it is as if
// it had not begun.
func (p *Panel) ended(err error, usedBefore bool) {
	p.phase, p.err = ready, err
	p.look()
	p.Fill()
	p.page.Learned()
	p.page.Tell("", "")
	if errors.Is(err, verify.ErrKey) {
		p.used = usedBefore || p.tally.answered > 0
		p.proxy.reject(err)
		return
	}
	said := p.endText()
	browser.Say(said.what + " " + said.next)
}

// pause is what “Pause” does: no request is started from here on.
func (p *Panel) pause(_ app.Context, e app.Event) {
	if !ui.SecondClick(e) {
		p.job.Pause()
		p.page.Tell("Paused. Requests already sent will finish.", "")
	}
}

// unpause is what “Resume” does to a run that is paused.
func (p *Panel) unpause(_ app.Context, e app.Event) {
	if !ui.SecondClick(e) {
		p.job.Resume()
		p.page.Tell("", "")
		browser.Say("Verification resumed.")
	}
}

// stop is what “Stop” does: answers under way are waited for, since they are
// paid for.
func (p *Panel) stop(app.Context, app.Event) {
	p.phase = stopping
	p.page.Tell("Stopping. Requests already sent will finish.", "")
	p.job.Stop()
	job, cancel := p.job, p.cancel
	p.page.UI().After(stopWait, func(app.Context) {
		if p.job == job && p.phase == stopping {
			cancel()
		}
	})
}

// settle is what “Use free checks only” does.
func (p *Panel) settle(app.Context, app.Event) {
	p.used = true
	p.page.Learned()
	p.Fill()
	p.page.UI().Defer(func(app.Context) { browser.FocusOn(resultTitle) })
}

// submit hands the whole list to the verifier, which sends no results here.
func (p *Panel) submit(app.Context, app.Event) {
	var open []string
	for _, e := range p.entries {
		if e.Open() {
			open = append(open, e.Address)
		}
	}
	emails := text.Count(len(open), "email")
	asker, ok := p.proxy.connect()
	client, real := asker.(*verify.Client)
	if !ok || !real || !browser.Confirm("Submit "+emails+"? This uses up to "+text.Count(len(open), "credit")+
		". The results arrive at the verifier’s own dashboard, not on this page.") {
		return
	}
	p.proxy.errand.Run(p.page, "Submitting "+emails+".", func(ctx context.Context) func() {
		sent, err := submitAll(ctx, client, open)
		return func() {
			if err != nil {
				t := p.proxy.trouble(err)
				p.page.Tell("", fmt.Sprintf("%s %s of %s were submitted. %s", t.what, text.Number(sent), emails, t.next))
				return
			}
			p.page.Tell("Submitted "+emails+". The results arrive at the verifier’s own dashboard, not on this page.", "")
		}
	})
}
