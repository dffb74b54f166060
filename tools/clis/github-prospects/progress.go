package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/text"
	"marketingskills/tools/internal/console"
	"marketingskills/tools/internal/outfile"
)

// Where the command writes. Data goes to standard output and nothing else does, except
// what user, rate-limit and a dry run are asked for. Progress, summary and
// what goes wrong go to standard error; errors begin with "github-prospects: "
// and a small letter and end without a full stop, everything else is a
// sentence. Every line passes command.printable. The bar needs no more of a
// terminal than a carriage return.

const mostFailed = 10 // people named

type meter struct {
	c      *command
	bar    console.Bar
	failed int
	emails int
}

func (c *command) meter() *meter {
	return &meter{c: c, bar: console.Bar{Out: c.stderr, Terminal: c.terminal, Now: c.now}}
}

func (m *meter) event(e prospect.Event) {
	if e.Outcome != nil && e.Outcome.Record != nil && e.Outcome.Record.Email != "" {
		m.emails++
	}
	if m.c.quiet {
		return
	}
	if n := e.Notice; n != nil {
		m.bar.Clear()
		if n.Kind == codehost.NoticeWaiting {
			m.c.say("Waiting %s: %s", console.Short(n.Until.Sub(m.c.now())), n.Why)
		} else {
			m.c.say("Retrying: %s", n.Why)
		}
	}
	if o := e.Outcome; o != nil && o.Verdict == prospect.Failed {
		if m.failed++; m.failed <= mostFailed {
			m.bar.Clear()
			m.c.say("Failed: %s", o.Detail)
		}
	}
	switch {
	case !m.bar.Due():
	case m.c.terminal:
		m.bar.Draw(share(e.Progress), progressText(e.Progress))
	default:
		m.c.say("%s of %s: %s", m.c.query.Source, m.c.query.Repo, progressText(e.Progress))
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
		parts = append(parts, console.Short(p.TimeLeft)+" remaining")
	}
	return strings.Join(parts, ", ")
}

func (m *meter) summary(r prospect.Report, out *outfile.Sink) {
	if out.Kept != "" {
		m.c.say("%s was not replaced, because this run is incomplete. Its results are in %s. To replace older files: --overwrite.",
			out.Kept, out.Name)
	}
	if m.c.quiet {
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
	line := fmt.Sprintf("%s in %s.", text.Count(r.Requests, "request"), console.Short(r.Finished.Sub(r.Started)))
	if r.Quota.Known {
		line += " API quota: " + quotaText(r.Quota, m.c.now()) + "."
	}
	say("%s", line)
	if out.Name != "" && out.Kept == "" {
		say("Saved to %s.", out.Name)
	}
	if m.emails > 0 {
		say("The output has %s. GitHub forbids unsolicited email to people found through its API; see --help.",
			text.Count(m.emails, "email address"))
	}
}

func quotaText(q codehost.Quota, now time.Time) string {
	line := fmt.Sprintf("%s of %s requests remaining", text.Number(q.Remaining), text.Number(q.Limit))
	if wait := q.Reset.Sub(now); wait > 0 {
		line += fmt.Sprintf(", resets in %s", console.Short(wait))
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
