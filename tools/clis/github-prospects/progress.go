package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/text"
)

// Where the command writes. Data goes to standard output and nothing else does, except
// what user, rate-limit and a dry run are asked for. Progress, summary and
// what goes wrong go to standard error; errors begin with "github-prospects: "
// and a small letter and end without a full stop, everything else is a
// sentence. Every line passes command.printable. The bar needs no more of a
// terminal than a carriage return.

const (
	barEvery   = 100 * time.Millisecond
	plainEvery = 10 * time.Second
	lineWidth  = 78
	barWidth   = 12
	mostFailed = 10 // people named
)

type meter struct {
	c      *command
	query  prospect.Query
	quiet  bool
	shown  time.Time
	drawn  int // columns of the bar on the screen
	failed int
	emails int
}

func (m *meter) event(e prospect.Event) {
	if e.Outcome != nil && e.Outcome.Record != nil && e.Outcome.Record.Email != "" {
		m.emails++
	}
	if m.quiet {
		return
	}
	if n := e.Notice; n != nil {
		m.clear()
		if n.Kind == codehost.NoticeWaiting {
			m.c.say("Waiting %s: %s", short(n.Until.Sub(m.c.now())), n.Why)
		} else {
			m.c.say("Retrying: %s", n.Why)
		}
	}
	if o := e.Outcome; o != nil && o.Verdict == prospect.Failed {
		if m.failed++; m.failed <= mostFailed {
			m.clear()
			m.c.say("Failed: %s", o.Detail)
		}
	}
	now := m.c.now()
	every := plainEvery
	if m.c.terminal {
		every = barEvery
	}
	if now.Sub(m.shown) < every {
		return
	}
	m.shown = now
	if !m.c.terminal {
		m.c.say("%s of %s: %s", m.query.Source, m.query.Repo, progressText(e.Progress))
		return
	}
	line := bar(e.Progress) + " " + progressText(e.Progress) // ASCII
	line = line[:min(len(line), lineWidth)]
	fmt.Fprint(m.c.stderr, "\r"+line+strings.Repeat(" ", max(m.drawn-len(line), 0)))
	m.drawn = len(line)
}

func (m *meter) clear() {
	if m.drawn > 0 {
		fmt.Fprint(m.c.stderr, "\r"+strings.Repeat(" ", m.drawn)+"\r")
		m.drawn = 0
	}
}

// share is how far a run is, from 0 to 1.
func share(p prospect.Progress) float64 {
	var done float64
	if p.People > 0 {
		done = float64(p.Listed) / float64(p.People)
	}
	if p.Target > 0 {
		done = max(done, float64(p.Matches)/float64(p.Target))
	}
	return min(done, 1)
}

func bar(p prospect.Progress) string {
	full := int(share(p) * barWidth)
	return "[" + strings.Repeat("#", full) + strings.Repeat(".", barWidth-full) + "]"
}

// progressText has the matches first: what is cut off matters least.
func progressText(p prospect.Progress) string {
	matches := text.Count(p.Matches, "match")
	if p.Target > 0 {
		matches = text.Number(p.Matches) + "/" + text.Count(p.Target, "match")
	}
	parts := []string{
		matches,
		text.Number(p.Listed) + "/" + text.Number(p.People) + " people",
		text.Count(p.Requests, "request"),
	}
	if p.Quota.Known {
		parts = append(parts, "quota "+text.Number(p.Quota.Remaining))
	}
	if p.TimeLeft >= 0 {
		parts = append(parts, short(p.TimeLeft)+" remaining")
	}
	return strings.Join(parts, ", ")
}

func (m *meter) summary(r prospect.Report, out *sink) {
	if out.kept != "" {
		m.c.say("%s was not replaced, because this run is incomplete. Its results are in %s. To replace older files: --overwrite.",
			out.kept, out.name)
	}
	if m.quiet {
		return
	}
	say := m.c.say
	if m.failed > mostFailed {
		say("%d more failed.", m.failed-mostFailed)
	}
	if r.Complete {
		r.Counts.Unreached = 0 // nobody asked for more
	}
	say("%s", r.Counts)
	line := fmt.Sprintf("%s in %s.", text.Count(r.Requests, "request"), short(r.Finished.Sub(r.Started)))
	if r.Quota.Known {
		line += " API quota: " + quotaText(r.Quota, m.c.now()) + "."
	}
	say("%s", line)
	if out.name != "" && out.kept == "" {
		say("Saved to %s.", out.name)
	}
	if m.emails > 0 {
		say("The output has %s. GitHub forbids unsolicited email to people found through its API; see --help.",
			text.Count(m.emails, "email address"))
	}
}

func quotaText(q codehost.Quota, now time.Time) string {
	line := fmt.Sprintf("%s of %s requests remaining", text.Number(q.Remaining), text.Number(q.Limit))
	if wait := q.Reset.Sub(now); wait > 0 {
		line += fmt.Sprintf(", resets in %s", short(wait))
	}
	return line
}

// lines writes a text of the command's own to standard output.
func (c *command) lines(lines ...string) error {
	for i := range lines {
		line := strings.TrimLeft(lines[i], " ")
		lines[i] = lines[i][:len(lines[i])-len(line)] + c.printable(line)
	}
	_, err := io.WriteString(c.stdout, strings.Join(lines, "\n")+"\n")
	return err
}
