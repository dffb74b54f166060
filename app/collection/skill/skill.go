// Package skill reads one skill folder: SKILL.md, its references and its
// evals, and checks them against the agent-skills format and the rules of this
// collection.
//
// Load reads as much as it can and reports everything it finds; it never
// stops at the first problem, and a folder that holds nothing readable still
// gives a Skill with its directory's name. What needs the manifest or other
// skills to judge is the collection's business.
package skill

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"marketingskills/app/collection/finding"
)

// Limits of one skill. MaxBodyLines is this collection's, the others are the
// agent-skills format's (agentskills.io specification, August 2026).
const (
	MaxName          = 64
	MaxDescription   = 1024
	MaxCompatibility = 500
	MaxBodyLines     = 499
)

// Descriptions are listed together in an agent's context, so each gets a
// share: this many characters, counted as runes.
const (
	shortDescription = 110
	longDescription  = 165
)

// Categories are the eight shelves of the catalog, in the order shown.
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

// Skill is one skill as its files state it.
type Skill struct {
	// Dir is the directory's name, by which the skill is known even when its
	// frontmatter cannot be read.
	Dir         string
	Name        string
	Description string
	License     string
	// Version is as written; the collection compares it with the manifest.
	Version  string
	Title    string
	Category string
	// Keywords are words people type that stand nowhere else; only search
	// reads them.
	Keywords []string
	// Body is SKILL.md below its frontmatter. BodyLine is the line of the file
	// at which it starts.
	Body        string
	BodyLine    int
	VersionLine int
	References  []Reference
	Evals       []Eval
	// Files are the paths of all the folder's files, relative to the folder,
	// in order.
	Files []string
}

// Reference is one file below references/.
type Reference struct {
	// Name is the file's name without .md, also the last part of its address.
	Name string
	// Body is the whole file. Frontmatter, which does not belong here, leaves
	// empty lines, so that all others keep their numbers.
	Body string
}

// Path returns the reference's path relative to the skill's folder.
func (r Reference) Path() string { return "references/" + r.Name + ".md" }

// Load reads the skill in directory dir of fsys. Findings name files by their
// path in fsys.
func Load(fsys fs.FS, dir string) (*Skill, []finding.Finding) {
	l := &loader{fsys: fsys, dir: dir, skill: &Skill{Dir: path.Base(dir)}, other: map[string]string{}}
	if !l.walk(".") {
		// What cannot be seen cannot be called missing.
		return l.skill, l.findings
	}
	slices.Sort(l.skill.Files)
	l.checkCount()
	l.main()
	l.references()
	l.evals()
	return l.skill, l.findings
}

func (l *loader) main() {
	list := l.list("SKILL.md")
	defer func() { l.take(list) }()
	if !l.has("SKILL.md", "skill-missing", "add it or remove the directory", list) {
		return
	}
	text, ok := l.text("SKILL.md", list)
	if !ok {
		return
	}
	front, body, line := splitFrontmatter(text)
	l.skill.Body, l.skill.BodyLine = body, line
	switch {
	case line > 1:
		readFrontmatter(front, l.skill, list)
	case strings.HasPrefix(text, "---\n"):
		list.Errorf(1, "frontmatter-missing", "put a line of three hyphens, and nothing else, below the fields", "the frontmatter that starts here does not end")
	default:
		list.Errorf(1, "frontmatter-missing", "start the file with a line of three hyphens, the fields, and three hyphens again", "the file has no frontmatter")
	}
	if n := countLines(body); n > MaxBodyLines {
		list.Errorf(line+MaxBodyLines, "body-lines", fmt.Sprintf("move detail into references/: at most %d lines", MaxBodyLines), "the body has %d lines", n)
	}
}

// splitFrontmatter cuts a text at its frontmatter. line is the file line at
// which body starts: 1 when there is no frontmatter.
func splitFrontmatter(text string) (front, body string, line int) {
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return "", text, 1
	}
	if after, ok := strings.CutPrefix(rest, "---\n"); ok {
		return "", after, 3
	}
	front, body, ok = strings.Cut(rest, "\n---\n")
	if !ok {
		if front, ok = strings.CutSuffix(rest, "\n---"); !ok {
			return "", text, 1
		}
		body = ""
	}
	return front, body, strings.Count(front, "\n") + 4
}

func countLines(s string) int {
	if s == "" {
		return 0
	}
	n := strings.Count(s, "\n")
	if !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

func (l *loader) references() {
	for _, file := range l.skill.Files {
		rest, ok := strings.CutPrefix(file, "references/")
		if !ok {
			continue
		}
		list := l.list(file)
		name, isMarkdown := strings.CutSuffix(rest, ".md")
		switch {
		case strings.Contains(rest, "/"):
			list.Errorf(0, "reference-place", "put it straight into references/", "references are one level deep")
		case !isMarkdown:
			list.Errorf(0, "reference-type", "write references as Markdown files ending in .md", "this is not a Markdown file")
		case !validName(name):
			list.Errorf(0, "reference-name", rightName+", and .md", "the file's name becomes an address, and %q cannot", name)
		default:
			text, ok := l.text(file, list)
			if !ok {
				break
			}
			if _, body, line := splitFrontmatter(text); line > 1 {
				list.Errorf(1, "reference-frontmatter", "start with the title", "references carry no frontmatter")
				text = strings.Repeat("\n", line-1) + body
			}
			l.skill.References = append(l.skill.References, Reference{Name: name, Body: text})
		}
		l.take(list)
	}
}

// rightName says what validName wants.
const rightName = "use 1 to 64 lower-case letters, digits and single hyphens"

// validName tells whether s is a name by the agent-skills format: lower-case
// letters, digits and single hyphens, none at the ends, 1 to 64 characters.
func validName(s string) bool {
	if s == "" || len(s) > MaxName || s[0] == '-' || s[len(s)-1] == '-' || strings.Contains(s, "--") {
		return false
	}
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}
