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
	referencesHeading = "References"
	twoAnswers        = skill.TwoAnswers
)

// lengthLimits bound the length of a skill. Words are those of [countWords].
type lengthLimits struct {
	maxMainWords      int // of SKILL.md
	maxReferences     int // files
	maxReferenceWords int // of all references together
}

const minReferences = 2

// limitsOf returns the limits of a skill: those of skills/WRITING.md, with more
// room where docs/rules.md itself asks for more parts.
func limitsOf(name string) lengthLimits {
	f := lengthLimits{maxMainWords: 500, maxReferences: 6, maxReferenceWords: 5000}
	switch name {
	case "prospecting": // five phases, a branch picker, and a file per branch
		f = lengthLimits{maxMainWords: 900, maxReferences: 8, maxReferenceWords: 7000}
	case "sms": // a text for every sequence
		f.maxReferences = 8
	}
	return f
}

// templateLibraries are references that hold one template beside the other, each
// with what it is for. They are long for that reason, and their words do not
// count.
var templateLibraries = map[string]string{
	"sms/references/sequence-templates.md": "texts with true lengths for every sequence of rule 7",
	"emails/references/flows.md":           "mails for every flow",
}

// checkForm checks a skill against skills/WRITING.md.
func (l *loader) checkForm(s *Skill) {
	main, ok := s.Text(skill.MainFile)
	if !ok {
		return
	}
	list := l.listFor(s, skill.MainFile)
	if n, most := countWords(main.Doc.Blocks), limitsOf(s.Dir).maxMainWords; n > most {
		list.Errorf(0, "skill-words", fmt.Sprintf("write at most %d", most), "SKILL.md has %s", text.Count(n, "word"))
	}
	checkSummary(s, main, list)
	l.checkSecondLook(main, list)
	checkReferenceList(s, main, list)
	l.checkReferences(s)
	l.checkFacts(s)
	l.checkTwoAnswers(s)
}

// checkFacts compares the reference of a skill's facts with the ledger.
func (l *loader) checkFacts(s *Skill) {
	want := l.collection.Facts.Text(s.Dir)
	list := l.listFor(s, facts.Reference)
	switch t, ok := s.Text(facts.Reference); {
	case want == "" && s.Has(facts.Reference):
		list.Errorf(0, "fact-reference", "remove it", "the skill uses no fact of "+facts.Dir)
	case want != "" && (!ok || t.Body != want):
		list.Errorf(0, "fact-reference", "run make sync; change facts in "+facts.Dir+" only", "this is not what "+facts.Dir+" says for the skill")
	}
}

// countWords counts the words of blocks, without code.
func countWords(blocks []markdown.Block) int {
	n := 0
	for _, b := range blocks {
		if b.Kind != markdown.KindCode {
			n += len(strings.FieldsFunc(b.Text, func(r rune) bool { return r == ' ' || r == '|' || r == '\t' }))
		}
	}
	return n
}

// firstLine returns the line on which a section begins; 0 if it is empty.
func firstLine(section []markdown.Block) int {
	if len(section) == 0 {
		return 0
	}
	return section[0].Line
}

// checkSummary asks for one sentence below the title. Lists show it, where a
// longer one would not fit and two would not be read.
func checkSummary(s *Skill, main Text, list *finding.List) {
	const least, most = 40, 110
	n, blocks := utf8.RuneCountInString(s.Summary), main.Doc.Blocks
	if len(blocks) == 0 || blocks[0].Level != 1 || // which checkStructure reports
		n >= least && n <= most && strings.HasSuffix(s.Summary, ".") && !strings.Contains(s.Summary, ". ") {
		return
	}
	list.Errorf(blocks[0].Line, "summary", fmt.Sprintf("write one sentence of %d to %d characters below the title", least, most),
		"what follows the title, with %s, is not such a sentence", text.Count(n, "character"))
}

var openWhen = regexp.MustCompile(`(?i)\bopen when\b`)

// checkReferenceList asks for one line for each reference, which says when to
// open it. The two answers are for people, and no agent is sent there.
func checkReferenceList(s *Skill, main Text, list *finding.List) {
	blocks := main.Doc.Section(referencesHeading)
	if blocks == nil {
		return
	}
	listed := map[string]bool{}
	for _, b := range blocks {
		if b.Kind != markdown.KindItem {
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

// checkReferences checks number, length and beginning of the references.
func (l *loader) checkReferences(s *Skill) {
	list := l.listFor(s, "references")
	f := limitsOf(s.Dir)
	files, total := len(s.References()), 0
	for _, t := range s.References() {
		if t.File == twoAnswers || t.File == facts.Reference {
			continue
		}
		if templateLibraries[path.Join(s.Dir, t.File)] == "" {
			total += countWords(t.Doc.Blocks)
		}
		of := l.listFor(s, t.File)
		i := slices.IndexFunc(t.Doc.Blocks, func(b markdown.Block) bool { return b.Kind == markdown.KindParagraph })
		if len(t.Doc.Blocks) > 0 && (i < 0 || !strings.HasPrefix(t.Doc.Blocks[i].Text, "Open when") || i > 1) {
			line := 0
			if i >= 0 {
				line = t.Doc.Blocks[i].Line
			}
			of.Warnf(line, "reference-open-when", `begin the first paragraph with "Open when"`, "the reference does not say first when to open it")
		}
		checkUndatedLimits(t, of)
	}
	if files < minReferences || files > f.maxReferences {
		list.Errorf(0, "reference-count", fmt.Sprintf("write %d to %d", minReferences, f.maxReferences), "the skill has %s", text.Count(files,
			"reference"))
	}
	if total > f.maxReferenceWords {
		list.Errorf(0, "reference-words", "write at most "+text.Number(f.maxReferenceWords), "the references have %s together",
			text.Count(total, "word"))
	}
}

// checkTwoAnswers asks for two requests as quotations, each with an answer
// below.
func (l *loader) checkTwoAnswers(s *Skill) {
	list := l.listFor(s, twoAnswers)
	t, ok := s.Text(twoAnswers)
	if !ok {
		if !slices.Contains(s.Files, twoAnswers) {
			list.Errorf(0, "two-answers", "write one answer to a thin and one to a rich request", "the skill has no %s", twoAnswers)
		}
		return
	}
	answered := s.AnsweredRequests()
	for _, heading := range []string{"Thin request", "Rich request"} {
		if !slices.ContainsFunc(answered, func(a skill.AnsweredRequest) bool { return a.Heading == heading }) {
			list.Errorf(firstLine(t.Doc.Section(heading)), "two-answers", "write ## "+heading+", the request as a quotation, then the answer",
				"there is no section %q with a request and its answer", heading)
		}
	}
}
