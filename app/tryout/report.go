package tryout

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"marketingskills/app/text"
)

// Section is a part of a report: a heading, sentences, and a table.
type Section struct {
	Title string
	Notes []string
	Head  []string
	Rows  [][]string
}

// Legend says what the columns of a report mean.
var Legend = Section{Title: "How to read the figures", Notes: []string{
	"Comparison: the first answer against the second.",
	"Control: two answers that were both given without a skill, read like the others. Its share should be near 50%; what it shows is chance.",
	"Requests won, lost and tied: those with more verdicts for the first answer, for the second, or with as many for each. " +
		"Readers of a pair nearly always agree, so the request is the unit, not the verdict.",
	"Share: each request scores the mean of its verdicts, a tie counting half; the share is the mean over requests. " +
		"Its 95% interval is drawn from the requests (Bayesian bootstrap, one request won and one lost more, so that few requests do not " +
		"look certain). Where it holds 50%, too few requests were read to tell, whichever side has more.",
	"Agreed: of the pairs that were read more than once, on how many all verdicts were the same. A command that reads pairs several times " +
		"is one reader.",
	"Words: those of the first answer divided by those of the second, in the median.",
}}

// Sections says what is known from a trial, of which comparisons are what
// [Trial.Compare] counted.
func (t *Trial) Sections(comparisons []Comparison) []Section {
	all := []Section{t.overview(comparisons)}
	kinds := Section{Title: "By kind of request", Head: append([]string{"kind"}, columns...)}
	skills := Section{Title: "By skill", Head: append([]string{"skill"}, columns...)}
	for _, c := range comparisons {
		for _, k := range c.Kinds {
			kinds.Rows = append(kinds.Rows, c.row(k, k.Group))
		}
		for _, s := range c.Skills {
			skills.Rows = append(skills.Rows, c.row(s, s.Group))
		}
	}
	slices.SortStableFunc(skills.Rows, func(a, b []string) int { return cmp.Compare(a[0], b[0]) })
	for _, s := range []*Section{&kinds, &skills} {
		if n := len(s.Rows); n >= 20 {
			s.Notes = []string{fmt.Sprintf("Of %d rows, chance alone makes about %d look sure.", n, (n+10)/20)}
		}
	}
	all = append(all, t.conditions(), kinds, skills, t.reasons(), t.lengths(), t.found(), t.missing(), t.quotes())
	rest := slices.DeleteFunc(all[1:], func(s Section) bool { return len(s.Rows) == 0 })
	return append(all[:1], rest...)
}

var columns = []string{"comparison", "requests won–lost–tied", "verdicts", "share", "95% interval", "what it says"}

func (c Comparison) name() string {
	name := c.Condition + " against " + c.Against
	if c.Control {
		name = "control: " + name
	}
	return name
}

func (c Comparison) row(t Tally, first ...string) []string {
	verdicts := fmt.Sprintf("%d–%d", t.Verdicts[0], t.Verdicts[1])
	if t.Verdicts[2] > 0 {
		verdicts += fmt.Sprintf("–%d", t.Verdicts[2])
	}
	return append(first, c.name(), fmt.Sprintf("%d–%d–%d", t.Won, t.Lost, t.Tied), verdicts, percent(t.Share),
		percent(t.Low)+" to "+percent(t.High), t.Result)
}

func percent(share float64) string { return fmt.Sprintf("%.0f%%", 100*share) }

func (t *Trial) overview(comparisons []Comparison) Section {
	readers, readings := map[string]bool{}, map[[2]string]bool{}
	for _, v := range t.Verdicts {
		readers[v.Reader], readings[[2]string{v.Reader, fmt.Sprint(v.Turn)}] = true, true
	}
	s := Section{Title: t.Name, Head: append(slices.Clone(columns), "agreed", "words")}
	first := inWords(t.Date) + ": " + text.Count(len(t.Requests), "request")
	if t.Asked != "" && t.Asked != t.Date {
		first += ", asked as of " + inWords(t.Asked)
	}
	first += ", " + text.Count(len(t.Verdicts), "verdict") + " by " + text.Count(len(readers), "reader")
	if len(readings) > len(readers) {
		first += " in " + text.Count(len(readings), "reading")
	}
	s.Notes = append(s.Notes, first+".")
	for _, line := range t.Lines {
		s.Notes = append(s.Notes, "The line on trial: "+line)
	}
	control := false
	for _, c := range comparisons {
		control = control || c.Control
		if c.Control && c.Result != TooFew {
			s.Notes = append(s.Notes, "Warning: the interval of the control does not hold 50%. Readers preferred one of two answers that "+
				"were made alike; what caused that, chance or a difference in how they were made, may be in the other rows, too.")
		}
		agreed, words := "not known", "not known"
		if c.Pairs > 0 {
			agreed = fmt.Sprintf("%d of %d", c.Agreed, c.Pairs)
		}
		if c.Longer > 0 {
			words = fmt.Sprintf("× %.2f", c.Longer)
		}
		s.Rows = append(s.Rows, append(c.row(c.Tally), agreed, words))
	}
	if len(comparisons) == 0 {
		s.Notes = append(s.Notes, "Nobody has read a pair yet.")
	}
	if t.Unread > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("Readers who began have %s to go.", text.Count(t.Unread, "verdict")))
	}
	if t.Changed > 0 {
		s.Notes = append(s.Notes, "Not counted: "+text.Count(t.Changed, "verdict")+" about answers that have changed since; "+
			"try-skill judge has those pairs read again.")
	}
	if len(comparisons) > 0 && !control {
		s.Notes = append(s.Notes, "There is no control: nobody read two answers without a skill against each other.")
	}
	if n := Needed(comparisons); n > 0 {
		s.Notes = append(s.Notes, "To tell a share of 60% from one of 50%, four times in five, takes about "+text.Count(n, "request")+
			" with verdicts that vary as these do.")
	}
	return s
}

func inWords(date string) string {
	day, err := time.Parse(Day, date)
	if err != nil {
		return date
	}
	return day.Format("2 January 2006")
}

// reasons has, for each request that lost a verdict, the first reason.
func (t *Trial) reasons() Section {
	s := Section{Title: "Why answers lost", Head: []string{"request", "comparison", "verdicts lost", "the first reason"}}
	lost, at := map[[2]string]int{}, map[[2]string]int{}
	for _, v := range t.Verdicts {
		c := Comparison{Condition: v.Condition, Against: v.against()}
		if v.Better != v.Against || v.Reason == "" || plain(v.Condition) {
			continue
		}
		key := [2]string{v.Request, c.name()}
		if lost[key]++; lost[key] == 1 {
			reason := v.Reader + ": " + text.Clip(v.Reason, 200)
			if v.X != "" {
				reason += " (X was " + v.X + ")"
			}
			at[key] = len(s.Rows)
			s.Rows = append(s.Rows, []string{key[0], key[1], "", reason})
		}
		s.Rows[at[key]][2] = fmt.Sprint(lost[key])
	}
	slices.SortStableFunc(s.Rows, func(a, b []string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	return s
}

func (t *Trial) conditions() Section {
	s := Section{Title: "What the conditions are", Head: []string{"condition", "what it is"}}
	for _, name := range slices.Sorted(maps.Keys(t.Conditions)) {
		s.Rows = append(s.Rows, []string{name, t.Conditions[name]})
	}
	return s
}

// lengths has the median words of answers by condition and kind.
func (t *Trial) lengths() Section {
	s := Section{Title: "Words of answers, median", Head: []string{"condition", "answers", "all"}}
	words := map[string]map[string][]float64{}
	var kinds []string
	for _, a := range t.Answers {
		r := t.request(a.Request)
		if r == nil || a.Words == 0 {
			continue
		}
		if words[a.Condition] == nil {
			words[a.Condition] = map[string][]float64{}
		}
		words[a.Condition][""] = append(words[a.Condition][""], float64(a.Words))
		words[a.Condition][r.kind()] = append(words[a.Condition][r.kind()], float64(a.Words))
		if !slices.Contains(kinds, r.kind()) {
			kinds = append(kinds, r.kind())
		}
	}
	slices.SortStableFunc(kinds, func(a, b string) int {
		return cmp.Compare(slices.Index(kindsInOrder, a), slices.Index(kindsInOrder, b))
	})
	s.Head = append(s.Head, kinds...)
	for _, condition := range slices.Sorted(maps.Keys(words)) {
		row := []string{condition, fmt.Sprint(len(words[condition][""]))}
		for _, kind := range append([]string{""}, kinds...) {
			row = append(row, text.Number(int(median(words[condition][kind]))))
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}

// found has what a program found in answers, by condition.
func (t *Trial) found() Section {
	s := Section{Title: "What a program found in answers", Head: []string{"condition", "answers with findings", "an example"}}
	answers, with, examples := map[string]int{}, map[string]int{}, map[string]string{}
	for _, a := range t.Answers {
		if answers[a.Condition]++; len(a.Findings) > 0 {
			with[a.Condition]++
			examples[a.Condition] = a.Request + ": " + a.Findings[0]
		}
	}
	for _, condition := range slices.Sorted(maps.Keys(with)) {
		share := fmt.Sprintf("%d of %d", with[condition], answers[condition])
		s.Rows = append(s.Rows, []string{condition, share, examples[condition]})
	}
	return s
}

func (t *Trial) missing() Section {
	s := Section{Title: "Answers that nobody could read", Head: []string{"request", "condition", "why"}}
	for _, a := range t.Answers {
		if a.Missing != "" {
			s.Rows = append(s.Rows, []string{a.Request, a.Condition, a.Missing})
		}
	}
	return s
}

func (t *Trial) quotes() Section {
	s := Section{Title: "Lines of skills that readers quoted", Head: []string{"skill", "line", "verdicts won–lost"}}
	for _, q := range t.Quotes {
		s.Rows = append(s.Rows, []string{q.Skill, q.Line, fmt.Sprintf("%d–%d", q.Won, q.Lost)})
	}
	return s
}

// Markdown writes sections, with headings of a level.
func Markdown(w io.Writer, sections []Section, level int) error {
	var b strings.Builder
	for i, s := range sections {
		if i > 0 {
			b.WriteByte('\n')
		}
		// The sections after the first belong to it.
		fmt.Fprintf(&b, "%s %s\n\n", strings.Repeat("#", level+min(i, 1)), s.Title)
		for _, note := range s.Notes {
			fmt.Fprintf(&b, "%s\n\n", text.Printable(note))
		}
		if len(s.Rows) == 0 {
			continue
		}
		rule := slices.Repeat([]string{"---"}, len(s.Head))
		for _, row := range append([][]string{s.Head, rule}, s.Rows...) {
			for _, cell := range row {
				b.WriteString("| " + strings.ReplaceAll(text.Line(cell, 400), "|", `\|`) + " ")
			}
			b.WriteString("|\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Plain writes sections for a terminal.
func Plain(w io.Writer, sections []Section) error {
	for i, s := range sections {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, text.Line(s.Title, 400))
		for _, note := range s.Notes {
			fmt.Fprintln(w, text.Line(note, 1000))
		}
		if len(s.Rows) == 0 {
			continue
		}
		columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, row := range append([][]string{s.Head}, s.Rows...) {
			for j, cell := range row {
				if j > 0 {
					fmt.Fprint(columns, "\t")
				}
				fmt.Fprint(columns, text.Line(cell, 240))
			}
			fmt.Fprintln(columns)
		}
		if err := columns.Flush(); err != nil {
			return err
		}
	}
	return nil
}
