// Package verification finds out on the prospects page, or on a page of its
// own, which emails can be written to: by free checks that run in the browser,
// and by asking a verifier through a proxy.
//
// [Panel] takes a list through the checks and holds what was found; a page owns
// one and puts its drawing among its own. What is shown is decided by the pure
// functions of view.go (the emails), choice.go (what to export) and trouble.go
// (what went wrong), and drawn in draw.go and results.go. proxy.go is the way to
// the verifier, submission.go hands it a whole list, and listpage.go is the page of
// its own. Emails live in memory, and in the calls to the proxy, and nowhere else.
package verification

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/pages"
	"marketingskills/app/ui"
	"marketingskills/app/verify"
)

const (
	// refreshEvery is how often the page shows what a running job found, and
	// refreshSeldom with so many emails that this takes its time.
	refreshEvery  = 200 * time.Millisecond
	refreshSeldom = time.Second
	many          = 2000
	// stopWait is how long a stopped run waits for answers that are paid for.
	stopWait = 35 * time.Second
)

// Page is where a panel is.
type Page interface {
	pages.Component
	// Learned is told of answers that are in no file yet.
	Learned()
}

// Config is what the site's settings say.
type Config struct {
	Disposable string `json:"disposable"` // URL of the list of throwaway domains
	Proxy      string `json:"proxy"`      // URL of the proxy, "" for the site's own host
}

// Panel takes a list of emails through the checks. It belongs to the UI
// goroutine; only its job is shared.
type Panel struct {
	page       Page
	config     Config
	proxy      proxy
	choice     choice
	submission submission

	emails  []string // as they were given
	job     *verify.Job
	entries []verify.Entry  // of the job, when the page looked last
	tally   *tally          // of entries
	unsent  []string        // of entries, what can be submitted as a list
	checks  pages.Operation // the free ones
	checked bool            // they are made
	work    pages.Work      // asks the verifier
	err     error           // how that ended last
	// used tells that the visitor wants what was found to count: a run was
	// started, or the free checks are enough.
	used bool
	// Always has what was found count from the first.
	Always bool
	// Correct, if not nil, puts other emails in place of those for which meant has
	// one, and opens the list again.
	Correct func(meant func(email string) string)
	// heard are the verifier's answers about this list so far: what is corrected
	// and put back is not paid for twice.
	heard map[string]verify.Result
	// focus is the ID of what has the focus once the list is checked again.
	focus string

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
	p.emails, p.job, p.checked, p.err, p.used = nil, nil, false, nil, false
	p.take(nil)
	p.filter, p.drawn, p.heard = everyState, step, map[string]verify.Result{}
	p.choice.reset()
}

// Leave ends what is going on.
func (p *Panel) Leave() {
	p.checks.GiveUp()
	p.work.Leave()
	p.proxy.operation.GiveUp()
	p.submission.operation.GiveUp()
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
// had before it knows the answers still, known are those of an earlier run.
func (p *Panel) Open(emails []string, known []verify.Result) {
	job := verify.NewJob(emails)
	for _, r := range known {
		p.used = job.Know(r.Address, r) || p.used
	}
	for _, e := range p.entries {
		if e.Asked {
			p.heard[e.Address] = e.Result
		}
	}
	for address, r := range p.heard {
		job.Know(address, r)
	}
	p.checks.GiveUp()
	p.work.Leave()
	p.emails, p.job, p.checked, p.err = emails, job, false, nil
	p.look()
	p.proxy.open()
	p.loadList()
}

// loadList fetches the throwaway domains, once, and then makes the free checks:
// without the list, if it is not to be had.
func (p *Panel) loadList() {
	switch p.list {
	case browser.Loaded, browser.Failed:
		p.check()
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
			p.check()
		}
	})
}

// check makes the free checks.
func (p *Panel) check() {
	job, checker := p.job, verify.Checker{Disposable: p.disposable}
	p.checks.Run(p.page, "", func(ctx context.Context) func() {
		var y browser.Yielder
		err := job.Check(ctx, checker, y.Step)
		return func() {
			p.checked, p.used = err == nil, p.used || p.Always
			p.look()
			p.Fill()
			if p.focus != "" {
				id := p.focus
				p.focus = ""
				p.page.UI().Defer(func(app.Context) { browser.FocusOn(id) })
			}
		}
	})
}

// retryList loads the list of throwaway domains again.
func (p *Panel) retryList(app.Context, app.Event) {
	p.list = 0
	p.Open(p.emails, nil)
}

// correctOne takes the suggestion for the email whose button was pressed.
func (p *Panel) correctOne(ctx app.Context, _ app.Event) {
	only := browser.SourceOf(ctx).Value
	p.correct(func(e *verify.Entry) bool { return ui.Attr(e.Address) == only })
}

// correctAll takes all suggestions.
func (p *Panel) correctAll(app.Context, app.Event) {
	p.correct(func(*verify.Entry) bool { return true })
}

func (p *Panel) correct(these func(*verify.Entry) bool) {
	if p.work.On || !p.checked {
		return
	}
	meant := map[string]string{}
	for i := range p.entries {
		if e := &p.entries[i]; these(e) {
			meant[verify.Key(e.Address)] = correction(e)
		}
	}
	p.focus = resultTitle
	p.Correct(func(email string) string { return meant[verify.Key(email)] })
}

// look takes what the job has found into what is shown.
func (p *Panel) look() { p.take(p.job.Entries()) }

// take counts the emails once for all that is said of them: there may be many.
func (p *Panel) take(entries []verify.Entry) {
	p.entries, p.tally, p.unsent = entries, tallyOf(entries), p.submission.unsent(entries)
}

// start asks the verifier about all emails that are open, from the beginning or
// from where it stopped.
func (p *Panel) start(app.Context, app.Event) {
	client, ok := p.proxy.connect()
	if !p.checked || p.work.On || !ok {
		return
	}
	job, before := p.job, p.used
	p.err, p.used = nil, true
	p.page.Learned() // answers will come
	p.page.Tell("", "")
	p.work.Start(p.page, pages.Task{
		Name: "Verification",
		Job:  job,
		Run: func(ctx context.Context) func() {
			err := job.Run(ctx, client.Verify, func() {})
			return func() { p.ended(err, before) }
		},
		Refresh:  p.watch,
		Patience: func() time.Duration { return stopWait },
	})
}

// watch shows what the running job found.
func (p *Panel) watch() (again time.Duration) {
	before := p.tally
	p.look()
	if p.tally.answered > before.answered {
		p.page.Learned()
	}
	if !slices.Equal(p.tally.order, before.order) {
		p.Fill()
	}
	if len(p.entries) > many {
		return refreshSeldom
	}
	return refreshEvery
}

// ended shows how a run ended. Where the token was refused at once it is as if
// it had not begun.
func (p *Panel) ended(err error, usedBefore bool) {
	p.err = err
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

// settle is what “Use free checks only” does.
func (p *Panel) settle(app.Context, app.Event) {
	p.used = true
	p.page.Learned()
	p.Fill()
	p.page.UI().Defer(func(app.Context) { browser.FocusOn(resultTitle) })
}
