package upgrade

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// capital makes the first letter of a sentence a capital, unless the first
// word is a name.
func capital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	word, _, _ := strings.Cut(s, " ")
	switch word {
	case "its", "it", "the", "no", "not", "version":
		return strings.ToUpper(string(first)) + s[size:]
	}
	return s
}

// summarize writes the sentences at the top.
func (r *Report) summarize() string {
	sentences := []string{r.firstSentence()}
	if n := r.Counts[DidYouMean]; n > 0 {
		sentences = append(sentences, count(n, "name")+" may be "+choose(n, "a misspelt one", "misspelt ones")+" of ours.")
	}
	for _, l := range r.Locks {
		if n := len(l.Names); n > 0 {
			sentences = append(sentences, Show(l.Path)+" still names "+count(n, "old skill")+".")
		}
	}
	if r.Context.Legacy != "" {
		sentences = append(sentences, "The product context file has its old name, which is still read.")
	}
	for _, p := range r.Places {
		if p.Problem != "" {
			sentences = append(sentences, showPlace(p.Path)+" could not be read.")
		}
	}
	return printable(strings.Join(sentences, " "))
}

func (r *Report) firstSentence() string {
	total, findings := len(r.Rows), 0
	var parts []string
	for _, s := range States {
		if n := r.Counts[s]; n > 0 && s.NeedsAttention() {
			findings += n
			parts = append(parts, strconv.Itoa(n)+" "+s.Title())
		}
	}
	ours, ahead := total-r.Counts[NotOurs]-r.Counts[DidYouMean], r.Counts[Ahead]
	switch {
	case total == 0:
		return "No folders were found."
	case findings > 0:
		return strconv.Itoa(findings) + " of " + count(total, "folder") + " " + choose(findings, "needs", "need") + " attention: " + list(parts) + "."
	case ours == 0:
		return choose(total, "The only folder is no skill", "None of the "+count(total, "folder")+" is a skill") + " of this collection."
	case ahead > 0 && ours == 1:
		return "The one skill of this collection is newer than this manifest."
	case ahead > 0:
		return "Nothing to do; " + strconv.Itoa(ahead) + " of the " + count(ours, "skill") + " of this collection " + choose(ahead, "is", "are") + " newer than this manifest."
	}
	return choose(ours, "The one skill of this collection is current.", "All "+count(ours, "skill")+" of this collection are current.")
}

func choose(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
