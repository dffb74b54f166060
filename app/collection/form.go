package collection

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"marketingskills/app/collection/facts"
	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/markdown"
	"marketingskills/app/collection/skill"
	"marketingskills/app/text"
)

const (
	references = "References"
	twoAnswers = skill.TwoAnswers
)

// form is how long a skill is. Words are those of [words].
type form struct {
	// mainWords is the most words of SKILL.md.
	mainWords int
	// files and words are the most references and the most words in them.
	files, words int
}

const minReferences = 2

// formOf returns the form of a skill: that of skills/WRITING.md, with more
// room where docs/rules.md itself asks for more parts.
func formOf(name string) form {
	f := form{mainWords: 500, files: 6, words: 5000}
	switch name {
	case "prospecting": // five phases, a branch picker, and a file per branch
		f = form{mainWords: 900, files: 8, words: 7000}
	case "sms": // a text for every sequence
		f.files = 8
	}
	return f
}

// templateLibraries are references that are longer because they hold one
// template beside the other; their words do not count.
var templateLibraries = map[string]string{
	"sms/references/sequence-templates.md": "texts with true lengths for every sequence of rule 7",
	"emails/references/flows.md":           "mails for every flow",
}

// form holds a skill against skills/WRITING.md.
func (c *checks) form(s *Skill) {
	main, ok := s.Text(skill.Main)
	if !ok {
		return
	}
	list := c.of(s, skill.Main)
	if n, most := words(main.Doc.Blocks), formOf(s.Dir).mainWords; n > most {
		list.Errorf(0, "skill-words", fmt.Sprintf("write at most %d", most), "SKILL.md has %s", text.Count(n, "word"))
	}
	checkSummary(s, main, list)
	c.checkLook(main, list)
	checkReferenceList(s, main, list)
	c.references(s)
	c.checkFacts(s)
	c.answers(s)
}

// checkFacts compares the reference of a skill's facts with the ledger.
func (c *checks) checkFacts(s *Skill) {
	want := c.Facts.Text(s.Dir)
	list := c.of(s, facts.Reference)
	switch t, ok := s.Text(facts.Reference); {
	case want == "" && s.Has(facts.Reference):
		list.Errorf(0, "fact-reference", "remove it", "the skill uses no fact of "+facts.Dir)
	case want != "" && (!ok || t.Body != want):
		list.Errorf(0, "fact-reference", "run make sync; change facts in "+facts.Dir+" only", "this is not what "+facts.Dir+" says for the skill")
	}
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

// checkSummary wants the sentence that people see of a skill: it stands in lists,
// where a longer one would not fit and two would not be read.
func checkSummary(s *Skill, main Text, list *finding.List) {
	const least, most = 40, 110
	n, blocks := utf8.RuneCountInString(s.Summary), main.Doc.Blocks
	if len(blocks) == 0 || blocks[0].Level != 1 || // which is a finding of its own
		n >= least && n <= most && strings.HasSuffix(s.Summary, ".") && !strings.Contains(s.Summary, ". ") {
		return
	}
	list.Errorf(blocks[0].Line, "summary", fmt.Sprintf("write one sentence of %d to %d characters below the title", least, most),
		"what follows the title, with %s, is not such a sentence", text.Count(n, "character"))
}

var openWhen = regexp.MustCompile(`(?i)\bopen when\b`)

// checkReferenceList wants one line for each reference that says when to open
// it. The two answers are for people, and no agent is sent there.
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
		if t.File != twoAnswers && !listed[t.File] {
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
		if t.File == twoAnswers || t.File == facts.Reference {
			continue
		}
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
		checkDates(t, of)
	}
	if files < minReferences || files > f.files {
		list.Errorf(0, "reference-count", fmt.Sprintf("write %d to %d", minReferences, f.files), "the skill has %s", text.Count(files,
			"reference"))
	}
	if total > f.words {
		list.Errorf(0, "reference-words", "write at most "+text.Number(f.words), "the references have %s together",
			text.Count(total, "word"))
	}
}

// answers wants two requests as quotations, each with an answer below.
func (c *checks) answers(s *Skill) {
	list := c.of(s, twoAnswers)
	t, ok := s.Text(twoAnswers)
	if !ok {
		if !slices.Contains(s.Files, twoAnswers) {
			list.Errorf(0, "two-answers", "write one answer to a thin and one to a rich request", "the skill has no %s", twoAnswers)
		}
		return
	}
	answered := s.Answered()
	for _, heading := range []string{"Thin request", "Rich request"} {
		if !slices.ContainsFunc(answered, func(a skill.Answered) bool { return a.Heading == heading }) {
			list.Errorf(firstLine(t.Doc.Section(heading)), "two-answers", "write ## "+heading+", the request as a quotation, then the answer",
				"there is no section %q with a request and its answer", heading)
		}
	}
}
