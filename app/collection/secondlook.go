package collection

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/markdown"
)

// The section that every SKILL.md repeats, and the file it is copied from.
const (
	secondLookFile    = skillsDir + "/LOOK.md"
	secondLookHeading = "How to answer"
)

// readSecondLook returns the section of skills/LOOK.md, "" if it is not there.
func (l *loader) readSecondLook(fsys fs.FS) string {
	list := l.report.On(secondLookFile)
	source, ok := list.ReadText(fsys, "add it, with the section "+secondLookHeading)
	if !ok {
		return ""
	}
	_, section, _, ok := cutSecondLook(source)
	if !ok {
		list.Errorf(0, "look", "add it", "there is no section %q", secondLookHeading)
	}
	return section
}

// checkSecondLook compares the section of a SKILL.md with that of skills/LOOK.md.
// That a section is missing is reported by checkOutline.
func (l *loader) checkSecondLook(main Text, list *finding.List) {
	_, section, _, ok := cutSecondLook(main.Body)
	if !ok || l.collection.SecondLook == "" || section == l.collection.SecondLook {
		return
	}
	line := 0
	for _, h := range main.Doc.Headings {
		if h.Text == secondLookHeading {
			line = h.Line
			break
		}
	}
	list.Errorf(line+firstDifference(section, l.collection.SecondLook), "look", "run make sync; change the text in "+secondLookFile+" only",
		"the section %q differs from that of %s from here", secondLookHeading, secondLookFile)
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

// WithSecondLook returns a SKILL.md with its section replaced by that of
// skills/LOOK.md. It fails if the text has no such section.
func WithSecondLook(main, section string) (string, error) {
	above, _, below, ok := cutSecondLook(main)
	if !ok {
		return "", fmt.Errorf("there is no section %q; add the line ## %[1]s above ## %s", secondLookHeading, referencesHeading)
	}
	if section == "" {
		return "", errors.New("the section to copy is missing in " + secondLookFile)
	}
	return above + section + below, nil
}

// cutSecondLook cuts a text before and after the section, which begins with its
// heading and ends with its last line that is not blank.
func cutSecondLook(source string) (above, section, below string, ok bool) {
	doc := markdown.Parse([]byte(source))
	from, to := -1, len(source)
	lines := strings.SplitAfter(source, "\n")
	start := func(line int) int { return len(strings.Join(lines[:line-1], "")) }
	for _, h := range doc.Headings {
		switch {
		case from < 0 && h.Level == 2 && h.Text == secondLookHeading:
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
