package upgrade

import (
	"regexp"
	"slices"
	"strings"

	"marketingskills/app/text"
)

// longestName is the most bytes of a name that is compared.
const longestName = 100

// suggester finds the names that others may be meant for.
type suggester struct {
	names []nearName
	// joined finds a name by its letters alone.
	joined map[string]string
}

// nearName is a name of the collection, ready for comparing.
type nearName struct {
	name, joined string
	words        []string
}

// newSuggester takes the names in the order in which they win among equals.
func newSuggester(names []string) *suggester {
	s := &suggester{joined: make(map[string]string, len(names))}
	for _, name := range names {
		words := wordsOf(name)
		joined := strings.Join(words, "")
		if joined == "" {
			continue
		}
		if s.joined[joined] == "" {
			s.joined[joined] = name
		}
		s.names = append(s.names, nearName{name, joined, words})
	}
	return s
}

// wordsOf cuts a name at what people put between words, in lower case.
func wordsOf(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return r == '-' || r == '_' || r == ' ' || r == '.'
	})
}

// near returns the name that may be meant by one that is not from the
// collection; "" for none. Other people's skills have short and ordinary names,
// so a name that could be meant as it stands brings no suggestion.
func (s *suggester) near(name string) string {
	if len(name) > longestName || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' }) {
		return ""
	}
	for _, like := range []string{name, copyOf(name)} {
		if same := s.joined[strings.Join(wordsOf(like), "")]; same != "" {
			return same
		}
	}
	words := wordsOf(name)
	if best := s.nearest(words); best != "" {
		return best
	}
	if best := s.described(words); best != "" {
		return best
	}
	for _, n := range s.names {
		if last := len(n.words) - 1; last >= 2 && slices.Equal(n.words[:last], words) {
			return n.name
		}
	}
	return ""
}

// generic are words that people add to a name to say what kind of thing it is.
var generic = []string{"guide", "marketing", "skill", "skills", "strategy"}

// described returns the name that is left without generic words: sms of
// sms-marketing.
func (s *suggester) described(words []string) string {
	left := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(generic, w) })
	if len(left) == 0 || len(left) == len(words) {
		return ""
	}
	return s.joined[strings.Join(left, "")]
}

// nearest returns the name with the fewest slips of the keyboard between; the
// first of the nearest wins.
func (s *suggester) nearest(words []string) string {
	best, joined := "", strings.Join(words, "")
	edits := 3 // one more than a name may hold
	for _, n := range s.names {
		most := min(slips(words, joined), slips(n.words, n.joined), edits-1)
		gap := len(joined) - len(n.joined)
		if gap > most || -gap > most || len(words) != len(n.words) || joined[0] != n.joined[0] {
			continue
		}
		if len(words) == 1 && strings.TrimSuffix(joined, "s") == strings.TrimSuffix(n.joined, "s") {
			continue // the other number of one ordinary word is another word
		}
		if d := text.Edits(joined, n.joined); d <= most {
			best, edits = n.name, d
		}
	}
	return best
}

// slips is how many slips a name may hold: a short word with a slip is another
// word.
func slips(words []string, joined string) int {
	switch n := len(joined); {
	case n >= 11:
		return 2
	case n >= 7, n >= 6 && len(words) > 1:
		return 1
	}
	return 0
}

// copyForm are the names that systems and people give to copies. Behind a
// single word a hyphen and an ending make an ordinary name: image-backup.
var copyForm = regexp.MustCompile(`(?i)^(?:(.+?)(?: - copy| copy| \(copy\)|\.bak|\.old|\.orig|\.backup|~| [0-9()]+)` +
	`|(.*-.*)[-_](?:old|bak|backup))$`)

// copyOf returns what a name is a copy of; "" when it does not say.
func copyOf(name string) string {
	if m := copyForm.FindStringSubmatch(name); m != nil {
		return m[1] + m[2]
	}
	return ""
}
