package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
)

// Rules of speech. Data goes to standard output and nothing else does, except
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

// meter shows how a run goes.
type meter struct {
	c         *command
	query     prospect.Query
	quiet     bool
	shown     time.Time
	drawn     int // columns of the bar on the screen
	failed    int
	addresses int
}

func (m *meter) event(e prospect.Event) {
	if e.Outcome != nil && e.Outcome.Record != nil && e.Outcome.Record.Email != "" {
		m.addresses++
	}
	if m.quiet {
		return
	}
	if n := e.Notice; n != nil {
		m.clear()
		if n.Kind == codehost.NoticeWaiting {
			m.c.say("Waiting %s: %s", short(n.Until.Sub(m.c.now())), n.Why)
		} else {
			m.c.say("Trying again: %s", n.Why)
		}
	}
	if o := e.Outcome; o != nil && o.Verdict == prospect.Failed {
		if m.failed++; m.failed <= mostFailed {
			m.clear()
			m.c.say("Not had: %s", o.Detail)
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
	line := fit(bar(e.Progress)+" "+progressText(e.Progress), lineWidth)
	width := utf8.RuneCountInString(line)
	fmt.Fprint(m.c.stderr, "\r"+line+strings.Repeat(" ", max(m.drawn-width, 0)))
	m.drawn = width
}

// clear takes the bar off the screen.
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
	matches := thousands(p.Matches)
	if p.Target > 0 {
		matches += "/" + thousands(p.Target)
	}
	parts := []string{
		matches + " kept",
		thousands(p.Listed) + "/" + thousands(p.People) + " people",
		count(p.Requests, "request"),
	}
	if p.Quota.Known {
		parts = append(parts, "quota "+thousands(p.Quota.Remaining))
	}
	if p.TimeLeft >= 0 {
		parts = append(parts, short(p.TimeLeft)+" left")
	}
	return strings.Join(parts, ", ")
}

func fit(s string, width int) string {
	if r := []rune(s); len(r) > width {
		return string(r[:width])
	}
	return s
}

// summary tells how everybody ended.
func (m *meter) summary(r prospect.Report, o options) {
	if m.quiet {
		return
	}
	say, k := m.c.say, r.Counts
	if m.failed > mostFailed {
		say("Not had, too: %d more.", m.failed-mostFailed)
	}
	line := fmt.Sprintf("%s listed: %d kept, %d filtered%s, %d suppressed%s, %d failed%s.", count(k.Listed, "person"),
		k.Matches, k.Filtered, causes(k.FilteredBy), k.Suppressed, causes(k.SuppressedBy), k.Failed, causes(k.FailedBy))
	if k.Duplicates > 0 {
		line += fmt.Sprintf(" Listed again by the host, and left out: %d.", k.Duplicates)
	}
	if k.Unreached > 0 && !r.Complete {
		line += fmt.Sprintf(" Not reached: %d.", k.Unreached)
	}
	say("%s", line)
	line = fmt.Sprintf("%s in %s.", count(r.Requests, "request"), short(r.Finished.Sub(r.Started)))
	if r.Quota.Known {
		line += " Quota: " + quotaText(r.Quota, m.c.now()) + "."
	}
	say("%s", line)
	if o.output != "" {
		say("Written: %s.", o.output)
	}
	if m.addresses > 0 {
		say("%s in it: GitHub forbids unsolicited mail to people found through its API; see --help.", count(m.addresses, "address"))
	}
}

func causes(by map[string]int) string {
	if len(by) == 0 {
		return ""
	}
	var parts []string
	for _, cause := range slices.Sorted(maps.Keys(by)) {
		parts = append(parts, cause+" "+strconv.Itoa(by[cause]))
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

func quotaText(q codehost.Quota, now time.Time) string {
	text := fmt.Sprintf("%s of %s left", thousands(q.Remaining), thousands(q.Limit))
	if wait := q.Reset.Sub(now); wait > 0 {
		text += fmt.Sprintf(", all of it again in %s", short(wait))
	}
	return text
}

func count(n int, noun string) string {
	if n != 1 {
		switch noun {
		case "person":
			noun = "people"
		case "address":
			noun = "addresses"
		default:
			noun += "s"
		}
	}
	return thousands(n) + " " + noun
}

// thousands writes 12345 as 12,345.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// lines writes a text of the command's own to standard output.
func (c *command) lines(lines ...string) error {
	for i := range lines {
		text := strings.TrimLeft(lines[i], " ")
		lines[i] = lines[i][:len(lines[i])-len(text)] + c.printable(text)
	}
	_, err := io.WriteString(c.stdout, strings.Join(lines, "\n")+"\n")
	return err
}
