package upgrade

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Limits of what counts as a slip. A short word with a slip is another word,
// and other people's skills have short and ordinary names; so silence wins
// wherever a word could be meant as it stands.
const (
	longestName = 100 // bytes; nothing longer is compared
	shortWord   = 5   // words below that must be right, but for a plural in a longer name
	longWord    = 8   // words from that may hold two slips
	soleWord    = 7   // a name of a single word must have that to be compared at all
	longName    = 11  // names from that, hyphens not counted, may hold two slips
)

// suggestion is a name that may be meant.
type suggestion struct {
	name string // "" for none
	why  string // a half sentence
	// lookalike is set for a name that only looks like ours, and says which
	// characters differ.
	lookalike string
}

// candidate is a name that is ours, made ready for comparing.
type candidate struct {
	name  string
	words []string
	size  int // without hyphens
}

// suggester finds near names.
type suggester struct {
	// joined finds a name by its letters alone.
	joined map[string]string
	// byWords are the names with so many words.
	byWords map[int][]candidate
	cache   map[string]suggestion
}

// newSuggester takes the names in the order in which they win among equals.
func newSuggester(names []string) *suggester {
	s := &suggester{
		joined:  make(map[string]string, len(names)),
		byWords: map[int][]candidate{},
		cache:   map[string]suggestion{},
	}
	for _, name := range names {
		words := wordsOf(name)
		if len(words) == 0 {
			continue
		}
		joined := strings.Join(words, "")
		if _, taken := s.joined[joined]; !taken {
			s.joined[joined] = name
		}
		s.byWords[len(words)] = append(s.byWords[len(words)], candidate{name, words, len(joined)})
	}
	return s
}

// wordsOf cuts a name at what people put between words, in lower case.
func wordsOf(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return r == '-' || r == '_' || r == ' ' || r == '.'
	})
}

// near returns the name that may be meant by one that is not ours.
func (s *suggester) near(name string) suggestion {
	if name == "" || len(name) > longestName {
		return suggestion{}
	}
	found, ok := s.cache[name]
	if !ok {
		found = s.find(name)
		s.cache[name] = found
	}
	return found
}

func (s *suggester) find(name string) suggestion {
	if strange(name) {
		bare := skeleton(name)
		if ours := s.joined[strings.Join(wordsOf(bare), "")]; ours != "" {
			return suggestion{ours, "it only looks like " + ours, strangers(name)}
		}
		return suggestion{}
	}
	words := wordsOf(name)
	joined := strings.Join(words, "")
	if ours := s.joined[joined]; ours != "" {
		return suggestion{name: ours, why: "it is " + ours + " but for case, hyphens or spaces"}
	}
	if base := uncopied(name); base != "" {
		if ours := s.joined[strings.Join(wordsOf(base), "")]; ours != "" {
			return suggestion{name: ours, why: "it is named like a copy of " + ours}
		}
	}
	if best, slips := s.nearest(words, len(joined)); best != "" {
		return suggestion{name: best, why: "it is " + count(slips, "letter") + " away from " + best}
	}
	if len(words) >= 2 {
		for _, c := range s.byWords[len(words)+1] {
			if begins(words, c.words) {
				return suggestion{name: c.name, why: "it is the beginning of " + c.name}
			}
		}
	}
	return suggestion{}
}

func begins(words, longer []string) bool {
	for i := range words {
		if words[i] != longer[i] {
			return false
		}
	}
	return true
}

// nearest compares with all names of as many words; the first of the nearest
// wins.
func (s *suggester) nearest(words []string, size int) (best string, slips int) {
	slips = 3
	for i := range s.byWords[len(words)] {
		c := &s.byWords[len(words)][i]
		most := 1
		if min(size, c.size) >= longName {
			most = 2
		}
		if gap := size - c.size; gap > most || -gap > most || len(words) == 1 && min(size, c.size) < soleWord {
			continue
		}
		most = min(most, slips-1)
		if n := between(words, c.words, most); n <= most {
			best, slips = c.name, n
		}
	}
	return best, slips
}

// between counts the slips between two names of as many words, most+1 or more
// when there are more than that.
func between(a, b []string, most int) int {
	total := 0
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		total += slips(a[i], b[i], most-total, len(a) > 1)
		if total > most {
			return most + 1
		}
	}
	return total
}

// slips counts the slips between two words; too many, and words of which one
// cannot be a slip for the other, count as most+1. Neighbours exchanged are
// one slip. A plural is a slip only in a name of several words: a single one
// in the other number is an ordinary word.
func slips(a, b string, most int, compound bool) int {
	short := min(len(a), len(b))
	if strings.TrimSuffix(a, "s") == strings.TrimSuffix(b, "s") {
		if compound && most >= 1 {
			return 1
		}
		return most + 1
	}
	if short < shortWord || a[0] != b[0] {
		return most + 1
	}
	if short < longWord {
		most = min(most, 1)
	}
	if gap := len(a) - len(b); gap > most || -gap > most {
		return 3
	}
	n := levenshtein.ComputeDistance(a, b)
	if n == 2 && exchanged(a, b) {
		n = 1
	}
	if n > most {
		return 3
	}
	return n
}

// exchanged tells whether two words are the same but for two neighbours.
func exchanged(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	i := 0
	for a[i] == b[i] {
		i++
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// uncopied returns what a name is a copy of, by the endings that systems and
// people give to copies; "" when it has none.
func uncopied(name string) string {
	lower := strings.ToLower(name)
	for _, ending := range []string{" - copy", " copy", " (copy)", ".bak", ".old", ".orig", ".backup", "~"} {
		if base := strings.TrimSuffix(lower, ending); base != lower {
			return base
		}
	}
	if base := strings.TrimRight(lower, "0123456789()"); base != lower && strings.HasSuffix(base, " ") {
		return strings.TrimSpace(base) // "cro 2", "cro (1)"
	}
	for _, ending := range []string{"-old", "-bak", "-backup", "_old", "_bak", "_backup"} {
		// A single word before it makes an ordinary name: image-backup.
		if base := strings.TrimSuffix(lower, ending); base != lower && strings.Contains(base, "-") {
			return base
		}
	}
	return ""
}
