package facts

import (
	"fmt"
	"strings"

	"marketingskills/app/text"
)

// Reference is the path, in a skill's folder, of the file with the facts it uses.
const Reference = "references/facts.md"

// Text returns the content of a skill's [Reference]; "" if it uses no facts.
func (l Ledger) Text(skill string) string {
	all := l.For(skill)
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("# Facts\n\nOpen when a law, a platform's rule, a price or a date decides. Each line begins with what an answer may say, " +
		"and goes on with what holds. Correct that sentence if yours says it; otherwise the line is not for your answer.\n\n")
	for _, f := range all {
		fmt.Fprintf(&b, "- *%s* %s (%s)\n", sentence(f.Said), sentence(f.Holds), strings.Join(f.scope(), "; "))
	}
	return b.String()
}

// scope says for whom and where a fact holds, and where it was read.
func (f *Fact) scope() []string {
	var all []string
	if f.For != "" {
		all = append(all, f.For)
	}
	if where := text.List(f.Where); where != Worldwide {
		all = append(all, where)
	}
	s := f.Sources[0]
	return append(all, fmt.Sprintf("[%s](%s), %s", s.Host(), s.URL, FormatDate(s.Read)))
}

// sentence ends words with a full stop if they have no end.
func sentence(words string) string {
	if strings.ContainsAny(words[len(words)-1:], ".?!") || strings.HasSuffix(words, ".”") {
		return words
	}
	return words + "."
}
