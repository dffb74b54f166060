package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"marketingskills/app/text"
	"marketingskills/app/verify"
	"marketingskills/tools/internal/console"
	"marketingskills/tools/internal/outfile"
)

const mostFailed = 10 // emails named

// meter shows how far a run is. Its methods may be called from many goroutines.
type meter struct {
	c  *command
	in *input
	k  *autosave

	mu      sync.Mutex
	bar     console.Bar
	started time.Time // of the phase
	all     int       // to do in it
	done    int
	paced   *paced
	until   time.Time // of the wait that was told last
	ended   bool
}

func (c *command) meter(in *input, k *autosave) *meter {
	m := &meter{c: c, in: in, k: k, started: c.now(), all: in.job.Len(),
		bar: console.Bar{Out: c.stderr, Terminal: c.terminal, Now: c.now}}
	m.bar.Due() // not at once
	return m
}

// checked counts an email that the free checks have seen.
func (m *meter) checked() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done++
	m.show("checked")
}

// verifying begins the second phase.
func (m *meter) verifying(p *paced) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.paced, m.started, m.all, m.done = p, m.c.now(), m.in.job.Credits(), 0
}

// answered counts an email that the verifier has answered about, or failed at.
func (m *meter) answered() {
	m.k.due()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done++
	m.show("verified")
}

func (m *meter) show(what string) {
	if m.c.quiet || m.ended || !m.bar.Due() {
		return
	}
	line := fmt.Sprintf("%s/%s %s", text.Number(m.done), text.Count(m.all, "email"), what)
	if took := m.c.now().Sub(m.started); took > time.Second && m.done > 0 {
		line += ", " + console.Short(took/time.Duration(m.done)*time.Duration(m.all-m.done)) + " remaining"
	}
	if m.c.terminal {
		m.bar.Draw(float64(m.done)/float64(max(m.all, 1)), line)
	} else {
		m.c.say("%s", line)
	}
}

// limited tells that the run waits, since the verifier wants a pause: once for all
// that it told it, and not if the run ends with that.
func (m *meter) limited(limit *verify.LimitError) {
	m.mu.Lock()
	defer m.mu.Unlock()
	until := m.c.now().Add(limit.Wait)
	if m.c.quiet || m.ended || limit.Wait > verify.Patience || !until.After(m.until.Add(time.Second)) {
		return
	}
	m.until = until
	m.bar.Clear()
	m.c.say("Waiting %s: %s", console.Short(limit.Wait), limit)
}

// interrupted tells what the first Ctrl-C does, and saves, since the second one
// saves nothing.
func (m *meter) interrupted() {
	if m.in.open() < m.in.job.Len() {
		_ = m.k.save() // the last one counts, and tells
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.c.quiet || m.ended || m.paced == nil {
		return
	}
	m.bar.Clear()
	m.c.say("Stopping after the requests under way. To end at once: Ctrl-C again.")
}

// end removes the bar; nothing is shown after it.
func (m *meter) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ended = true
	m.bar.Clear()
}

// summary tells the counts.
func (m *meter) summary(out *outfile.Sink) {
	if m.c.quiet {
		return
	}
	say := m.c.say
	failed := 0
	for _, e := range m.in.job.Entries() {
		if e.Err == nil || e.Asked {
			continue
		}
		if failed++; failed <= mostFailed {
			say("Failed: %s: %s", e.Address, e.Err)
		}
	}
	if failed > mostFailed {
		say("%d more failed.", failed-mostFailed)
	}
	var parts []string
	states := m.in.states()
	known := append(slices.Clone(verify.States), slices.Sorted(maps.Keys(states))...)
	for i, state := range known {
		if n := states[state]; n > 0 && slices.Index(known, state) == i {
			parts = append(parts, text.Number(n)+" "+string(state))
		}
	}
	if n := m.in.open(); n > 0 {
		parts = append(parts, text.Number(n)+" without a result")
	}
	line := text.Count(m.in.job.Len(), "email")
	if n := m.in.given - m.in.job.Len(); n > 0 {
		line += " (" + text.Count(n, "duplicate") + ")"
	}
	if len(parts) > 0 {
		line += ": " + strings.Join(parts, ", ")
	}
	say("%s.", line)
	m.circumstances()
	if out.Name != "" && out.Kept == "" {
		say("Saved to %s.", out.Name)
	}
}

// circumstances are what is good to know beside the counts.
func (m *meter) circumstances() {
	if m.paced != nil {
		m.c.say("%s in %s.", text.Count(int(m.paced.requests.Load()), "request"), console.Short(m.c.now().Sub(m.started)))
		if n := int(m.paced.free.Load()); n > 0 {
			m.c.say("The proxy answered about %s from free checks only. With a key, it would ask a verifier.", text.Count(n, "email"))
		}
	}
	if n := m.c.mail.Failed(); n > 0 && !m.c.noDNS {
		m.c.say("DNS gave no answer for %s; mail servers there were not checked.", text.Count(n, "domain"))
	}
	notUnderstood := 0
	for _, e := range m.in.job.Entries() {
		if errors.Is(e.Err, verify.ErrRequest) {
			notUnderstood++
		}
	}
	if notUnderstood > 0 {
		m.c.say("The verifier did not understand %s; the output has what the free checks say.", text.Count(notUnderstood, "email"))
	}
	if m.c.local {
		m.c.say("Only the free checks were made. They cannot tell whether a mailbox exists: \"unknown\" is what they say of good emails, too.")
	}
}
