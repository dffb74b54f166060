package markdown

import (
	"fmt"
	"strings"
	"unicode"
)

// slugs hands out anchors that are unique within one document. It holds those
// given, each with the number that its next repetition gets.
type slugs map[string]int

// unique returns the anchor for a heading: its letters and digits in lower case,
// joined by hyphens. A repeated heading gets a number, so that an anchor only
// changes when its own heading does or one with the same words is put above.
func (s slugs) unique(heading string) string {
	base := Slug(heading)
	id := base
	for s[id] > 0 {
		s[base]++
		id = fmt.Sprintf("%s-%d", base, s[base])
	}
	s[id] = 1
	return id
}

// Slug returns the letters and digits of a text in lower case, runs of
// anything else as one hyphen. A text without any gives "section".
func Slug(heading string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(heading) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
		case r != '\'' && r != '’':
			gap = true
		}
	}
	if b.Len() == 0 {
		return "section"
	}
	return b.String()
}
