// Package skill reads one skill folder: SKILL.md, its references and its
// evals, and checks them against the agent-skills format and the rules of this
// collection.
//
// [Load] parses the texts once; checks and pages work on what it returns. It
// reads as much as it can and reports every problem, not only the first. A
// folder that holds nothing readable still gives a [Skill] with the directory's
// name. Checks that need VERSIONS.md or other skills are in package collection.
package skill

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/markdown"
	"marketingskills/app/text"
)

// Limits of one skill. maxBodyLines is this collection's, the others are the
// agent-skills format's (agentskills.io specification, August 2026).
const (
	maxDescription   = 1024
	maxCompatibility = 500
	maxBodyLines     = 499
)

// The length of a description, in characters. An agent has the descriptions of
// all skills in its context, where there is room for so many of each.
const (
	shortDescription = 110
	longDescription  = 165
)

// Categories are those of the catalog, in its order.
var Categories = []string{
	"Strategy",
	"Content & copy",
	"SEO & discovery",
	"Conversion",
	"Paid & measurement",
	"Messaging & retention",
	"Growth & launch",
	"Sales & prospecting",
}

// MainFile is the file of a skill's instructions.
const MainFile = "SKILL.md"

// Skill is what the files of a skill say, as far as they can be read.
type Skill struct {
	// Dir is the directory's name. The skill is known by it even when its
	// frontmatter cannot be read.
	Dir         string
	Name        string
	Description string
	// Version is as written; package collection compares it with VERSIONS.md.
	// VersionLine is its line in SKILL.md.
	Version     string
	VersionLine int
	Title       string
	Category    string
	// Summary is the paragraph below the title of SKILL.md: what the skill is
	// for, written for people.
	Summary string
	// Keywords are further words by which people look for the skill; only the
	// search reads them. KeywordsLine is their line in SKILL.md.
	Keywords     []string
	KeywordsLine int
	// Texts are SKILL.md and then the references in order, those that could be
	// read.
	Texts []Text
	Evals []Eval
	// Files are the paths of all the folder's files, relative to the folder,
	// in order.
	Files []string
}

// Text is one Markdown file of a skill.
type Text struct {
	// File is the path relative to the skill's folder.
	File string
	// Title is the words of the first heading.
	Title string
	// Body is the Markdown without frontmatter. Lines of Doc are those of the
	// file.
	Body string
	Doc  *markdown.Document
}

// Text returns the text of a file; ok is false when it could not be read.
func (s *Skill) Text(file string) (t Text, ok bool) {
	i := slices.IndexFunc(s.Texts, func(t Text) bool { return t.File == file })
	if i < 0 {
		return Text{Doc: markdown.Parse(nil)}, false
	}
	return s.Texts[i], true
}

// Has tells whether the folder has a file of that path.
func (s *Skill) Has(file string) bool { return slices.Contains(s.Files, file) }

// References returns the texts beside SKILL.md.
func (s *Skill) References() []Text {
	if len(s.Texts) > 0 && s.Texts[0].File == MainFile {
		return s.Texts[1:]
	}
	return s.Texts
}

// Load reads the skill in directory dir of fsys. Findings name files by their
// path in fsys.
func Load(fsys fs.FS, dir string) (*Skill, []finding.Finding) {
	l := &loader{fsys: fsys, dir: dir, skill: &Skill{Dir: path.Base(dir)}, unusable: map[string]string{}}
	if !l.walk(".") {
		// Whether a file is missing cannot be told.
		return l.skill, l.report.All()
	}
	slices.Sort(l.skill.Files)
	if n := len(l.skill.Files); n > maxFiles {
		l.listFor(".").Errorf(0, "file-count", fmt.Sprintf("stay within %d", maxFiles), "the skill has %d files, more than installers accept", n)
	}
	l.readMain()
	l.readReferences()
	l.readEvals()
	return l.skill, l.report.All()
}

// addText adds the text whose Markdown begins on a line of its file.
func (l *loader) addText(file, body string, line int) {
	l.skill.Texts = append(l.skill.Texts, NewText(file, body, line))
}

// NewText parses the Markdown that begins on a line of a file.
func NewText(file, body string, line int) Text {
	// Empty lines in place of the frontmatter keep the line numbers of the file.
	t := Text{File: file, Body: body, Doc: markdown.Parse([]byte(strings.Repeat("\n", line-1) + body))}
	if len(t.Doc.Headings) > 0 {
		t.Title = t.Doc.Headings[0].Text
	}
	return t
}

func (l *loader) readMain() {
	list := l.listFor(MainFile)
	if !l.requireFile(MainFile, "skill-missing", "add it or remove the directory", list) {
		return
	}
	source, ok := l.readText(MainFile, list)
	if !ok {
		return
	}
	front, body, line := splitFrontmatter(source)
	l.addText(MainFile, body, line)
	if blocks := l.skill.Texts[0].Doc.Blocks; len(blocks) > 1 && blocks[1].Kind == markdown.KindParagraph {
		l.skill.Summary = blocks[1].Text
	}
	switch {
	case line > 1:
		readFrontmatter(front, l.skill, list)
	case strings.HasPrefix(source, "---\n"):
		list.Errorf(1, "frontmatter-missing", "put a line of three hyphens, and nothing else, below the fields",
			"the frontmatter that starts here does not end")
	default:
		list.Errorf(1, "frontmatter-missing", "start the file with a line of three hyphens, the fields, and three hyphens again",
			"the file has no frontmatter")
	}
	if n := len(slices.Collect(strings.Lines(body))); n > maxBodyLines {
		list.Errorf(line+maxBodyLines, "body-lines", fmt.Sprintf("move detail into references/: at most %d lines", maxBodyLines),
			"the body has %d lines", n)
	}
}

// splitFrontmatter cuts a text at its frontmatter. line is the file line at
// which body starts: 1 when there is no frontmatter.
func splitFrontmatter(text string) (front, body string, line int) {
	rest, opened := strings.CutPrefix(text, "---\n")
	// The closing hyphens may follow at once, and may be the end of the text.
	front, body, closed := strings.Cut("\n"+rest+"\n", "\n---\n")
	if !opened || !closed {
		return "", text, 1
	}
	return strings.TrimPrefix(front, "\n"), strings.TrimSuffix(body, "\n"), strings.Count(front, "\n") + 3
}

func (l *loader) readReferences() {
	for _, file := range l.skill.Files {
		rest, ok := strings.CutPrefix(file, "references/")
		if !ok {
			continue
		}
		list := l.listFor(file)
		name, isMarkdown := strings.CutSuffix(rest, ".md")
		switch {
		case strings.Contains(rest, "/"):
			list.Errorf(0, "reference-place", "put it straight into references/", "references are one level deep")
		case !isMarkdown:
			list.Errorf(0, "reference-type", "write references as Markdown files ending in .md", "this is not a Markdown file")
		case !text.IsSkillName(name):
			list.Errorf(0, "reference-name", rightName+", and .md", "the file's name becomes an address, and %q cannot", name)
		default:
			source, ok := l.readText(file, list)
			if !ok {
				break
			}
			_, body, line := splitFrontmatter(source)
			if line > 1 {
				list.Errorf(1, "reference-frontmatter", "start with the title", "references carry no frontmatter")
			}
			l.addText(file, body, line)
		}
	}
}

const rightName = "use " + text.SkillName
