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

// Sections says what is known from a trial, of which comparisons are what
// [Trial.Compare] counted.
func (t *Trial) Sections(comparisons []Comparison) []Section {
	all := []Section{t.overview(comparisons)}
	chance := []string{"Of twenty rows, chance alone makes about one look sure."}
	kinds := Section{Title: "By kind of request", Notes: chance, Head: append([]string{"kind"}, columns...)}
	skills := Section{Title: "By skill", Notes: chance, Head: append([]string{"skill"}, columns...)}
	for _, c := range comparisons {
		for _, k := range c.Kinds {
			kinds.Rows = append(kinds.Rows, c.row(k, k.Group))
		}
		for _, s := range c.Skills {
			skills.Rows = append(skills.Rows, c.row(s, s.Group))
		}
	}
	slices.SortStableFunc(skills.Rows, func(a, b []string) int { return cmp.Compare(a[0], b[0]) })
	all = append(all, t.conditions(), kinds, skills, t.lengths(), t.found(), t.missing(), t.quotes())
	rest := slices.DeleteFunc(all[1:], func(s Section) bool { return len(s.Rows) == 0 })
	return append(all[:1], rest...)
}

var columns = []string{"comparison", "requests won–lost–tied", "verdicts", "share", "95% interval", "what it says"}

func (c Comparison) row(t Tally, first ...string) []string {
	name := c.Condition + " against " + c.Against
	if c.Control {
		name = "control: " + name
	}
	verdicts := fmt.Sprintf("%d–%d", t.Verdicts[0], t.Verdicts[1])
	if t.Verdicts[2] > 0 {
		verdicts += fmt.Sprintf("–%d", t.Verdicts[2])
	}
	return append(first, name, fmt.Sprintf("%d–%d–%d", t.Won, t.Lost, t.Tied), verdicts, percent(t.Share),
		percent(t.Low)+" to "+percent(t.High), t.Result)
}

func percent(share float64) string { return fmt.Sprintf("%.0f%%", 100*share) }

func (t *Trial) overview(comparisons []Comparison) Section {
	readers := map[string]bool{}
	for _, v := range t.Verdicts {
		readers[v.Reader] = true
	}
	day, _ := time.Parse(Day, t.Date)
	s := Section{Title: t.Name, Head: append(slices.Clone(columns), "readers agreed", "words")}
	s.Notes = append(s.Notes, fmt.Sprintf("%s: %s, %s by %s.", day.Format("2 January 2006"),
		text.Count(len(t.Requests), "request"), text.Count(len(t.Verdicts), "verdict"), text.Count(len(readers), "reader")))
	for _, line := range t.Lines {
		s.Notes = append(s.Notes, "The line on trial: "+line)
	}
	control := false
	for _, c := range comparisons {
		control = control || c.Control
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
	if len(comparisons) > 0 && !control {
		s.Notes = append(s.Notes, "There is no control: nobody read two answers without a skill against each other.")
	}
	if n := Needed(comparisons); n > 0 {
		s.Notes = append(s.Notes, "To tell a share of 60% from one of 50%, four times in five, takes "+text.Count(n, "request")+
			" with verdicts that vary as these do.")
	}
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
		if r.Kind == "" {
			continue
		}
		words[a.Condition][r.Kind] = append(words[a.Condition][r.Kind], float64(a.Words))
		if !slices.Contains(kinds, r.Kind) {
			kinds = append(kinds, r.Kind)
		}
	}
	slices.SortStableFunc(kinds, func(a, b string) int { return cmp.Compare(slices.Index(Kinds, a), slices.Index(Kinds, b)) })
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
			fmt.Fprintln(w, text.Line(note, 400))
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
				fmt.Fprint(columns, text.Line(cell, 200))
			}
			fmt.Fprintln(columns)
		}
		if err := columns.Flush(); err != nil {
			return err
		}
	}
	return nil
}
