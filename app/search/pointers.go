package search

import "strings"

// pointers are the words after which a description names the skill that is
// meant instead, as in "account creation: see signup".
var pointers = []string{"see", "use", "→", "("}

// elsewhere finds the clauses of a description that send the reader to
// another skill. Their words are about that skill, so they are shown and
// marked but add nothing to this one.
func elsewhere(d Document, names map[string]bool) []Range {
	var out []Range
	start := 0
	for start < len(d.Description) {
		end := start + clauseEnd(d.Description[start:])
		if pointsAway(d.Description[start:end], d.Name, names) {
			out = append(out, Range{start, end})
		}
		start = end
	}
	return out
}

// clauseEnd is the length of the first clause of a text, sign included.
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

func pointsAway(clause, own string, names map[string]bool) bool {
	lower := strings.ToLower(clause)
	for _, p := range pointers {
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
