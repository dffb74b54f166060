package upgrade

import (
	"fmt"
	"strconv"
	"strings"

	"marketingskills/app/text"
)

// summarize writes the sentences at the top.
func (r *Report) summarize() string {
	sentences := []string{r.firstSentence()}
	if n := r.Counts[DidYouMean]; n > 0 {
		sentences = append(sentences, text.Count(n, "folder name")+" may be misspelt.")
	}
	for _, l := range r.Locks {
		if n := len(l.Names); n > 0 {
			sentences = append(sentences, text.Name(l.Path)+" still lists "+text.Count(n, "old skill name")+".")
		}
	}
	if r.Context.Legacy != "" {
		sentences = append(sentences, "The product context file has its old name. It still works.")
	}
	for _, p := range r.Places {
		if p.Problem != "" {
			name := text.Name(p.Path)
			if p.Path == "" {
				name = text.Capital(PlaceName(""))
			}
			sentences = append(sentences, name+" could not be read.")
		}
	}
	return text.Printable(strings.Join(sentences, " "))
}

func (r *Report) firstSentence() string {
	total, findings := len(r.Rows), 0
	var parts []string
	for _, s := range States {
		if n := r.Counts[s]; n > 0 && s.NeedsAttention() {
			findings += n
			parts = append(parts, strconv.Itoa(n)+" "+s.inSentence())
		}
	}
	installed, ahead := total-r.Counts[NotOurs]-r.Counts[DidYouMean], r.Counts[Ahead]
	switch {
	case total == 0:
		return "No skill folders were found. Check a skills folder, or a project that has one."
	case findings > 0:
		need := " need attention: "
		if findings == 1 {
			need = " needs attention: "
		}
		return text.Number(findings) + " of " + text.Count(total, "folder") + need + text.List(parts) + "."
	case installed == 0 && total == 1:
		return "The only folder is not a skill from this collection."
	case installed == 0:
		return "None of the " + text.Count(total, "folder") + " is a skill from this collection."
	case ahead == 1 && installed == 1:
		return "Your skill is newer than this VERSIONS.md."
	case ahead > 0:
		are := "are"
		if ahead == 1 {
			are = "is"
		}
		return fmt.Sprintf("Nothing to do. Of the %s from this collection, %d %s newer than this VERSIONS.md.",
			text.Count(installed, "installed skill"), ahead, are)
	case installed == 1:
		return "The only installed skill from this collection is up to date."
	}
	return "All " + text.Count(installed, "installed skill") + " from this collection are up to date."
}
