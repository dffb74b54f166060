package markdown

import (
	"fmt"
	"strings"
	"unicode"
)

// slugs makes anchors that are unique within a document. It has those made so far,
// each with the number of its last repetition.
type slugs map[string]int

// unique returns the anchor of the next heading: its [Slug], with a number if an
// earlier heading has the same. So an anchor changes only when its own heading
// does, or when one with the same words is put above it.
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
