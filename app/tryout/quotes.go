package tryout

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// together is how many words in a row a reason and a line must share to be a
// quotation.
const together = 5

// FindQuotes finds the lines of skills of which readers quoted words in their
// reasons, given the lines of each skill: the answer had them from there. Only
// verdicts on answers with the skill count.
func (t *Trial) FindQuotes(lines map[string][]string) {
	counts := map[[2]string]*Quote{}
	runs := map[string]map[string][]string{}
	for skill, all := range lines {
		runs[skill] = map[string][]string{}
		for _, line := range all {
			for _, run := range runsOf(line) {
				runs[skill][run] = append(runs[skill][run], strings.TrimSpace(line))
			}
		}
	}
	for _, v := range t.Verdicts {
		r := t.request(v.Request)
		if r == nil || plain(v.Condition) {
			continue
		}
		var quoted []string
		for _, run := range runsOf(v.Reason) {
			quoted = append(quoted, runs[r.Skill][run]...)
		}
		slices.Sort(quoted)
		for _, line := range slices.Compact(quoted) {
			q := counts[[2]string{r.Skill, line}]
			if q == nil {
				q = &Quote{Skill: r.Skill, Line: line}
				counts[[2]string{r.Skill, line}] = q
			}
			switch v.Better {
			case v.Condition:
				q.Won++
			case v.Against:
				q.Lost++
			}
		}
	}
	t.Quotes = nil
	for _, q := range counts {
		t.Quotes = append(t.Quotes, *q)
	}
	slices.SortFunc(t.Quotes, func(a, b Quote) int {
		return cmp.Or(b.Won+b.Lost-a.Won-a.Lost, cmp.Compare(a.Skill, b.Skill), cmp.Compare(a.Line, b.Line))
	})
}

// runsOf returns every run of words that makes a quotation.
func runsOf(s string) (runs []string) {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i := 0; i+together <= len(words); i++ {
		runs = append(runs, strings.Join(words[i:i+together], " "))
	}
	return runs
}
