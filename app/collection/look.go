package collection

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/markdown"
)

// The section that every SKILL.md repeats, and the file that is its home.
const (
	lookFile    = skillsDir + "/LOOK.md"
	lookHeading = "How to answer"
)

// readLook returns the section of skills/LOOK.md; "", with a finding, when
// there is none.
func (c *checks) readLook(fsys fs.FS) string {
	list := c.On(lookFile)
	source, ok := list.ReadText(fsys, "add it, with the section "+lookHeading)
	if !ok {
		return ""
	}
	_, look, _, ok := cutLook(source)
	if !ok {
		list.Errorf(0, "look", "add it", "there is no section %q", lookHeading)
	}
	return look
}

// checkLook compares the section of a SKILL.md with that of skills/LOOK.md. A
// section that is missing is a finding of the outline.
func (c *checks) checkLook(main Text, list *finding.List) {
	_, section, _, ok := cutLook(main.Body)
	if !ok || c.Look == "" || section == c.Look {
		return
	}
	line := 0
	for _, h := range main.Doc.Headings {
		if h.Text == lookHeading {
			line = h.Line
			break
		}
	}
	list.Errorf(line+firstDifference(section, c.Look), "look", "run make sync; change the text in "+lookFile+" only",
		"the section %q differs from that of %s from here", lookHeading, lookFile)
}

// firstDifference returns how many lines two texts share before they differ.
func firstDifference(a, b string) int {
	rest := strings.Split(b, "\n")
	n := 0
	for line := range strings.SplitSeq(a, "\n") {
		if n == len(rest) || line != rest[n] {
			break
		}
		n++
	}
	return n
}

// WithLook puts the section of skills/LOOK.md into a SKILL.md in place of its
// own. It fails where the text has no such section.
func WithLook(main, look string) (string, error) {
	above, _, below, ok := cutLook(main)
	if !ok {
		return "", fmt.Errorf("there is no section %q; add the line ## %[1]s above ## %s", lookHeading, references)
	}
	if look == "" {
		return "", errors.New("the section to copy is missing in " + lookFile)
	}
	return above + look + below, nil
}

// cutLook cuts a text around the section: its heading up to the last line with
// words before the next section.
func cutLook(source string) (above, section, below string, ok bool) {
	doc := markdown.Parse([]byte(source))
	from, to := -1, len(source)
	lines := strings.SplitAfter(source, "\n")
	start := func(line int) int { return len(strings.Join(lines[:line-1], "")) }
	for _, h := range doc.Headings {
		switch {
		case from < 0 && h.Level == 2 && h.Text == lookHeading:
			from = start(h.Line)
		case from >= 0 && h.Level <= 2:
			to = min(to, start(h.Line))
		}
	}
	if from < 0 {
		return "", "", "", false
	}
	section = strings.TrimRight(source[from:to], "\n")
	return source[:from], section, source[from+len(section):], true
}
