package search

import "strings"

// handoverWords are the words after which a description names another skill that
// is meant instead, as in "account creation: see signup".
var handoverWords = []string{"see", "use", "→", "("}

// handovers returns the clauses of a description that send the reader to another
// skill. Their words are about that one, so they are shown and marked but do not
// find this document.
func handovers(d Document, names map[string]bool) []Range {
	var out []Range
	start := 0
	for start < len(d.Description) {
		end := start + clauseEnd(d.Description[start:])
		if handsOver(d.Description[start:end], d.Name, names) {
			out = append(out, Range{start, end})
		}
		start = end
	}
	return out
}

// clauseEnd returns the length of the first clause of a text, with its full stop
// or other sign.
func clauseEnd(text string) int {
	for i := range len(text) {
		switch text[i] {
		case ';', '!', '?':
			return i + 1
		case '.':
			if i+1 == len(text) || text[i+1] == ' ' {
				return i + 1
			}
		}
	}
	return len(text)
}

func handsOver(clause, own string, names map[string]bool) bool {
	lower := strings.ToLower(clause)
	for _, p := range handoverWords {
		for rest := lower; ; {
			i := strings.Index(rest, p)
			if i < 0 {
				break
			}
			before := i == 0 || kindOf(rune(rest[i-1])) != letter || p == "→" || p == "("
			rest = rest[i+len(p):]
			name := strings.Trim(strings.TrimLeft(rest, " :`"), " ")
			if j := strings.IndexAny(name, " ,;:.!?)`"); j >= 0 {
				name = name[:j]
			}
			if before && name != own && names[name] {
				return true
			}
		}
	}
	return false
}
