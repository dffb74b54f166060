package collection

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/markdown"
	"marketingskills/app/collection/skill"
	"marketingskills/app/text"
)

// The sections that close every SKILL.md.
const (
	deliverable = "Deliverable"
	references  = "References"
	twoAnswers  = "references/two-answers.md"
)

// form is how long a skill is. Words are those of [words].
type form struct {
	// mainWords is the most words of SKILL.md, minMainWords the least.
	mainWords int
	// files and words are the most references and the most words in them.
	files, words int
}

const (
	minMainWords      = 250
	minReferences     = 2
	minReferenceWords = 800
)

// formOf returns the form of a skill: that of skills/WRITING.md, with more
// room where the specification itself asks for more parts.
func formOf(name string) form {
	f := form{mainWords: 700, files: 5, words: 5000}
	switch name {
	case "prospecting": // five phases, a branch picker, and a file per branch
		f = form{mainWords: 1400, files: 8, words: 7000}
	case "sms": // a text for every sequence
		f.files = 8
	case "ads": // the search-ad output
		f.mainWords = 800
	}
	return f
}

// templateLibraries are references that are longer because they hold one
// template beside the other; their words do not count.
var templateLibraries = map[string]string{
	"sms/references/sequence-templates.md": "texts with true lengths for every sequence of the specification",
	"emails/references/flows.md":           "mails for every flow",
}

// form holds a skill against skills/WRITING.md.
func (c *checks) form(s *Skill) {
	main, ok := s.Text(skill.Main)
	if !ok {
		return
	}
	list := c.of(s, skill.Main)
	if n, most := words(main.Doc.Blocks), formOf(s.Dir).mainWords; n < minMainWords || n > most {
		list.Errorf(0, "skill-words", fmt.Sprintf("write %d to %d", minMainWords, most), "SKILL.md has %s", text.Count(n, "word"))
	}
	checkDeliverable(main, list)
	checkReferenceList(s, main, list)
	checkBookkeeping(main, list)
	c.references(s)
	c.answers(s)
}

// words counts the words of blocks, code left out.
func words(blocks []markdown.Block) int {
	n := 0
	for _, b := range blocks {
		if b.Kind != markdown.CodeBlock {
			n += len(strings.FieldsFunc(b.Text, func(r rune) bool { return r == ' ' || r == '|' || r == '\t' }))
		}
	}
	return n
}

// firstLine is that of a section; 0 if it is empty.
func firstLine(section []markdown.Block) int {
	if len(section) == 0 {
		return 0
	}
	return section[0].Line
}

// checkDeliverable wants a table of kinds of request. A section that is
// missing is a finding of the outline.
func checkDeliverable(t Text, list *finding.List) {
	const right = "write a table with a row per kind of request and a column of words"
	blocks := t.Doc.Section(deliverable)
	if blocks == nil {
		return
	}
	line := firstLine(blocks)
	head, rows, ok := markdown.Table(blocks)
	if !ok {
		list.Errorf(line, "deliverable", right, "Deliverable has no table")
		return
	}
	column := slices.IndexFunc(head.Cells, func(c string) bool { return strings.Contains(strings.ToLower(c), "words") })
	if column < 0 {
		list.Errorf(head.Line, "deliverable", right, "the table has no column of words")
		return
	}
	thin := false
	for _, b := range rows {
		thin = thin || strings.Contains(strings.ToLower(b.Cells[0]), "almost nothing given")
		if column >= len(b.Cells) || !strings.ContainsAny(b.Cells[column], "0123456789") {
			list.Errorf(b.Line, "deliverable", "write how many words the answer has",
				"the kind of request %s has no number of words", text.Quote(b.Cells[0]))
		}
	}
	if len(rows) < 2 {
		list.Errorf(line, "deliverable", right, "the table has %s", text.Count(len(rows), "row"))
	}
	if !thin {
		list.Errorf(line, "deliverable", `add the kind "Almost nothing given"`, "no row says what the reader gets for almost nothing given")
	}
}

var openWhen = regexp.MustCompile(`(?i)\bopen when\b`)

// checkReferenceList wants one line for each reference that says when to open
// it.
func checkReferenceList(s *Skill, main Text, list *finding.List) {
	blocks := main.Doc.Section(references)
	if blocks == nil {
		return
	}
	listed := map[string]bool{}
	for _, b := range blocks {
		if b.Kind != markdown.Item {
			list.Errorf(b.Line, "references-list", "write a list with one line per file", "this is not a line of the list")
			continue
		}
		file := ""
		if len(b.Links) > 0 {
			file, _ = markdown.SplitTarget(b.Links[0].Target)
		}
		switch {
		case file == "":
			list.Errorf(b.Line, "references-list", "begin the line with a link to the file", "the line has no link")
		case listed[file]:
			list.Errorf(b.Line, "references-list", "keep one line per file", "%s is listed twice", text.Quote(file))
		case !openWhen.MatchString(b.Text):
			list.Errorf(b.Line, "references-list", `say "open when …"`, "the line of %s does not say when to open it", text.Quote(file))
		}
		listed[file] = true
	}
	for _, t := range s.References() {
		if !listed[t.File] {
			list.Errorf(firstLine(blocks), "references-list", "add a line for it", "%s is not in the list", text.Quote(t.File))
		}
	}
}

// references holds the references of a skill against the form.
func (c *checks) references(s *Skill) {
	list := c.of(s, "references")
	f := formOf(s.Dir)
	files, total := len(s.References()), 0
	for _, t := range s.References() {
		if templateLibraries[path.Join(s.Dir, t.File)] == "" {
			total += words(t.Doc.Blocks)
		}
		of := c.of(s, t.File)
		i := slices.IndexFunc(t.Doc.Blocks, func(b markdown.Block) bool { return b.Kind == markdown.Paragraph })
		if len(t.Doc.Blocks) > 0 && (i < 0 || !strings.HasPrefix(t.Doc.Blocks[i].Text, "Open when") || i > 1) {
			line := 0
			if i >= 0 {
				line = t.Doc.Blocks[i].Line
			}
			of.Warnf(line, "reference-open-when", `begin the first paragraph with "Open when"`, "the reference does not say first when to open it")
		}
		if t.File != twoAnswers {
			checkDates(t, of)
		}
	}
	if files < minReferences || files > f.files {
		list.Errorf(0, "reference-count", fmt.Sprintf("write %d to %d", minReferences, f.files), "the skill has %s", text.Count(files,
			"reference"))
	}
	if total < minReferenceWords || total > f.words {
		list.Errorf(0, "reference-words", fmt.Sprintf("write %s to %s", text.Number(minReferenceWords), text.Number(f.words)),
			"the references have %s together", text.Count(total, "word"))
	}
}

// answers are the sections of two-answers.md, with the words an answer of that
// kind may have. The rich request is anything from a question to a plan.
var answers = []struct {
	heading     string
	least, most int
}{
	{"Thin request", 250, 500},
	{"Rich request", 250, 1100},
}

// answers wants two requests as quotations, each with a complete answer below.
func (c *checks) answers(s *Skill) {
	list := c.of(s, twoAnswers)
	t, ok := s.Text(twoAnswers)
	if !ok {
		if !slices.Contains(s.Files, twoAnswers) {
			list.Errorf(0, "two-answers", "write one answer to a thin and one to a rich request", "the skill has no %s", twoAnswers)
		}
		return
	}
	for _, a := range answers {
		blocks := t.Doc.Section(a.heading)
		if len(blocks) == 0 {
			list.Errorf(0, "two-answers", "add ## "+a.heading+", the request as a quotation, and the answer",
				"there is no section %q with an answer", a.heading)
			continue
		}
		if blocks[0].Kind != markdown.Quotation {
			list.Errorf(blocks[0].Line, "two-answers", "begin the section with the request as a quotation",
				"%q does not begin with the request", a.heading)
		}
		if n := answerWords(blocks); n < a.least || n > a.most {
			list.Errorf(blocks[0].Line, "two-answers-length", fmt.Sprintf("write %d to %s", a.least, text.Number(a.most)),
				"the answer below %q has %s", a.heading, text.Count(n, "word"))
		}
	}
}

// answerWords counts the words of an answer below its request. What stands in
// code or in quotations is the text that was asked for: it makes a short
// answer long enough and no answer too long.
func answerWords(blocks []markdown.Block) int {
	for len(blocks) > 0 && blocks[0].Kind == markdown.Quotation {
		blocks = blocks[1:]
	}
	around, wanted := 0, 0
	for _, b := range blocks {
		switch b.Kind {
		case markdown.Quotation, markdown.CodeBlock:
			wanted += len(strings.Fields(b.Text))
		default:
			around += words([]markdown.Block{b})
		}
	}
	return max(around, min(around+wanted, answers[0].least))
}
