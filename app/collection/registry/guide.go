package registry

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/markdown"
	"marketingskills/app/collection/skill"
	"marketingskills/app/text"
)

// Guide says how to use one tool.
type Guide struct {
	skill.Text
	// Purpose and NotFor are the first two paragraphs, as inline Markdown.
	Purpose string
	NotFor  string
	// Access has a row for each of [Ways].
	Access []Access
	// Skills are those of the collection that use the tool.
	Skills []string
	// Checked is the day on which the facts were looked up, YYYY-MM-DD.
	Checked string
	// Sources are the pages that back claims which age.
	Sources []Source
}

// Source is a page that backs claims of a guide: its line there says which.
type Source struct {
	URL  string
	Read string // the month, YYYY-MM
	Line int
}

// Access is one way to reach the tool. Details is inline Markdown.
type Access struct {
	Way       string
	Supported bool
	Details   string
}

// guideSections are the sections of every guide, in their order.
var guideSections = []string{
	"Access", "Authentication", "Operations", "Limits and errors", "Data and terms",
	"Cost", "Without it", "Recipes", "Skills", "Version", sectionSources,
}

const (
	sectionSources = "Sources"

	notFor = "**Not for:**"
	// A guide has this many words, code and sources not counted.
	minWords, maxWords = 350, 800
	// The number of operations that a guide describes; without an API, at least
	// minOperationsByHand.
	minOperations, maxOperations = 5, 8
	minOperationsByHand          = 2
)

func (g Guide) supports(way string) bool {
	return slices.ContainsFunc(g.Access, func(a Access) bool { return a.Way == way && a.Supported })
}

// readGuide reads a guide and reports what is wrong with its form.
func readGuide(t skill.Text, list *finding.List) Guide {
	g := Guide{Text: t}
	g.readOpening(list)
	var parts []string
	for _, h := range t.Doc.Headings {
		if h.Level == 2 {
			parts = append(parts, h.Text)
		}
	}
	if !slices.Equal(parts, guideSections) {
		list.Errorf(0, "guide-parts", "give it exactly these sections, in this order: "+strings.Join(guideSections, ", "),
			"the sections are %s", strings.Join(parts, ", "))
		return g
	}
	g.readAccess(list)
	g.checkOperations(list)
	g.readSkills(list)
	g.readVersion(list)
	g.readSources(list)
	g.checkUnconfirmed(list)
	body, _, _ := strings.Cut(t.Doc.Text(), "\n"+sectionSources+"\n")
	if n := len(strings.Fields(body)); n < minWords || n > maxWords {
		list.Errorf(0, "guide-words", fmt.Sprintf("stay between %d and %d, code and sources not counted", minWords, maxWords),
			"the guide has %d words", n)
	}
	return g
}

// readOpening reads the text above the first section: what the tool is for, what
// it is not for, and the first thing to type.
func (g *Guide) readOpening(list *finding.List) {
	kinds := []markdown.Kind{markdown.KindHeading, markdown.KindParagraph, markdown.KindParagraph, markdown.KindCode}
	blocks := g.Doc.Blocks[:min(len(kinds), len(g.Doc.Blocks))]
	if !slices.EqualFunc(blocks, kinds, func(b markdown.Block, k markdown.Kind) bool { return b.Kind == k }) ||
		!strings.HasPrefix(blocks[2].Text, notFor) {
		list.Errorf(0, "guide-opening", "begin with the title, what it is for, a paragraph that begins "+notFor+", and a block of code to try",
			"the guide begins otherwise")
		return
	}
	g.Purpose = blocks[1].Text
	g.NotFor = strings.TrimSpace(strings.TrimPrefix(blocks[2].Text, notFor))
}

func (g *Guide) readAccess(list *finding.List) {
	var found []string
	for _, b := range g.Doc.Section("Access") {
		if b.Kind != markdown.KindTableRow || len(b.Cells) != 3 {
			continue
		}
		found = append(found, b.Cells[0])
		a := Access{Way: b.Cells[0], Supported: b.Cells[1] == yes, Details: b.Cells[2]}
		g.Access = append(g.Access, a)
		switch {
		case !a.Supported && b.Cells[1] != no:
			list.Errorf(b.Line, "guide-access", "write "+yes+" or "+no, "the mark of %s is %s", a.Way, text.Quote(b.Cells[1]))
		case a.Supported && !strings.Contains(a.Details, "](http") && (a.Way != "CLI" || !strings.Contains(a.Details, "`")):
			list.Errorf(b.Line, "guide-access", "link the vendor's page about it, or name the command",
				"nothing shows that there is a way %s", a.Way)
		}
	}
	if !slices.Equal(found, Ways) {
		list.Errorf(0, "guide-access", "write a table Way | Mark | Details with the rows "+strings.Join(Ways, ", "),
			"the table below Access has other rows")
	}
}

// checkOperations checks how many headings are below Operations.
func (g *Guide) checkOperations(list *finding.List) {
	n := 0
	for _, b := range g.Doc.Section("Operations") {
		if b.Kind == markdown.KindHeading {
			n++
		}
	}
	least := minOperations
	if !g.supports("API") {
		least = minOperationsByHand
	}
	if n < least || n > maxOperations {
		list.Errorf(0, "guide-operations", fmt.Sprintf("describe %d to %d, each below a heading of level 3", least, maxOperations),
			"the guide has %s", text.Count(n, "operation"))
	}
}

// readSkills reads the links below Skills, which have the form
// [name](../../skills/name/SKILL.md).
func (g *Guide) readSkills(list *finding.List) {
	for _, block := range g.Doc.Section("Skills") {
		for _, link := range block.Links {
			dir, file := path.Split(path.Join(path.Dir(g.File), link.Target))
			name, ok := strings.CutPrefix(path.Clean(dir), "skills/")
			if ok && file == skill.MainFile && !slices.Contains(g.Skills, name) {
				g.Skills = append(g.Skills, name)
			}
		}
	}
	if len(g.Skills) == 0 {
		list.Errorf(0, "guide-skills", "list skills as [name](../../skills/name/SKILL.md): what for",
			"no skill is named below Skills")
	}
}

var checkedOn = regexp.MustCompile(`\bChecked on (\S+?)\.?(?:\s|$)`)

func (g *Guide) readVersion(list *finding.List) {
	for _, b := range g.Doc.Section("Version") {
		if match := checkedOn.FindStringSubmatch(b.Text); match != nil {
			g.Checked = match[1]
		}
	}
	if !manifest.IsDate(g.Checked) {
		list.Errorf(0, "guide-checked", "write Checked on 2026-11-22. below Version",
			"nothing says when the facts were looked up")
	}
}

var sourceLine = regexp.MustCompile(`^\[[^\]]+\]\((https://[^)\s]+)\), (\S+): \S`)

// readSources reads the list below Sources: for each page the month in which it was
// read, and what it backs.
func (g *Guide) readSources(list *finding.List) {
	seen := map[string]bool{}
	for _, b := range g.Doc.Section(sectionSources) {
		match := sourceLine.FindStringSubmatch(b.Text)
		switch {
		case b.Kind != markdown.KindItem || match == nil:
			list.Errorf(b.Line, "guide-sources", "write - [page](https://address), 2026-11: what it backs", "this does not name a source")
			continue
		case !manifest.IsDate(match[2] + "-01"):
			list.Errorf(b.Line, "guide-sources", "write the month in which it was read, such as 2026-11",
				"%s is not a month", text.Quote(match[2]))
		case seen[match[1]]:
			list.Errorf(b.Line, "guide-sources", "say on one line what the page backs", "%s stands here twice", match[1])
		}
		seen[match[1]] = true
		g.Sources = append(g.Sources, Source{URL: match[1], Read: match[2], Line: b.Line})
	}
	if len(g.Sources) == 0 {
		list.Errorf(0, "guide-sources", "list the pages that back limits, prices, endpoints and ways of access", "the guide names no source")
	}
}

var (
	notConfirmed = regexp.MustCompile(`(?i)\bnot confirmed\b`)
	whereToLook  = regexp.MustCompile(`(?i)\b(look|print)\b`)
)

// checkUnconfirmed reports what is left open without a reason or a place to look.
func (g *Guide) checkUnconfirmed(list *finding.List) {
	for _, b := range g.Doc.Blocks {
		if strings.Contains(b.Text, "(not confirmed)") || notConfirmed.MatchString(b.Text) && !whereToLook.MatchString(b.Text) {
			list.Errorf(b.Line, "guide-unconfirmed", "say why, and where to look, such as (not confirmed: the page needs a login; look in Settings)",
				"something is not confirmed, and the reader is left with it")
		}
	}
}
