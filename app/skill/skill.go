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
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"marketingskills/app/finding"
)

// Limits of one skill. MaxDescription and MaxName are the agent-skills
// format's (agentskills.io specification, August 2026), MaxBodyLines is this
// collection's.
const (
	MaxName        = 64
	MaxDescription = 1024
	MaxBodyLines   = 499
	// maxFile bounds what is read of any one file, in bytes: fifty times the
	// longest text the collection has use for.
	maxFile = 1 << 20
	// maxFiles bounds how many files one skill may hold, as installers do.
	maxFiles = 1000
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
	Body string
}

// Path returns the reference's path relative to the skill's folder.
func (r Reference) Path() string { return "references/" + r.Name + ".md" }

// Load reads the skill in directory dir of fsys. Findings name files by their
// path in fsys.
func Load(fsys fs.FS, dir string) (*Skill, []finding.Finding) {
	l := &loader{fsys: fsys, dir: dir, skill: &Skill{Dir: path.Base(dir)}}
	l.walk(".")
	slices.Sort(l.skill.Files)
	l.main()
	l.references()
	l.evals()
	return l.skill, l.findings
}

type loader struct {
	fsys     fs.FS
	dir      string
	skill    *Skill
	findings []finding.Finding
}

func (l *loader) list(file string) *finding.List {
	return &finding.List{File: path.Join(l.dir, file)}
}

func (l *loader) take(list *finding.List) {
	l.findings = append(l.findings, list.All...)
}

// walk lists the folder's files. It follows no links: an installer copies a
// skill to other machines, where a link leads nowhere or in a circle.
func (l *loader) walk(dir string) {
	if len(l.skill.Files) > maxFiles {
		return
	}
	entries, err := fs.ReadDir(l.fsys, path.Join(l.dir, dir))
	if err != nil {
		list := l.list(dir)
		list.Errorf(0, "unreadable", "make the directory readable", "the directory cannot be listed: %v", cause(err))
		l.take(list)
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case e.IsDir():
			l.walk(name)
		case e.Type().IsRegular():
			l.skill.Files = append(l.skill.Files, name)
		default:
			list := l.list(name)
			list.Errorf(0, "plain-files", "put the file itself here", "this is %s, and skills are copied as plain files", kind(e.Type()))
			l.take(list)
		}
	}
}

func kind(mode fs.FileMode) string {
	if mode&fs.ModeSymlink != 0 {
		return "a symbolic link"
	}
	return "not a regular file"
}

// text reads one file of the folder as text and reports what every text of a
// skill must be: small, UTF-8, without a byte order mark.
func (l *loader) text(file string, list *finding.List) (string, bool) {
	f, err := l.fsys.Open(path.Join(l.dir, file))
	if err != nil {
		list.Errorf(0, "unreadable", "make the file readable", "the file cannot be opened: %v", cause(err))
		return "", false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		list.Errorf(0, "unreadable", "make the file readable", "the file cannot be read: %v", cause(err))
		return "", false
	}
	if len(data) > maxFile {
		list.Errorf(0, "file-size", fmt.Sprintf("stay below %d KiB", maxFile>>10), "the file is larger than a text of a skill can be, and was not read")
		return "", false
	}
	s := string(data)
	if rest, ok := strings.CutPrefix(s, "\uFEFF"); ok {
		list.Errorf(1, "byte-order-mark", "save as UTF-8 without a byte order mark", "the file starts with a byte order mark, which some agents refuse")
		s = rest
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if !utf8.ValidString(s) {
		line := 1
		for part := range strings.SplitSeq(s, "\n") {
			if !utf8.ValidString(part) {
				break
			}
			line++
		}
		list.Errorf(line, "utf-8", "save the file as UTF-8", "the line holds bytes that are not UTF-8")
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	return s, true
}

func cause(err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err
	}
	return err
}

func (l *loader) main() {
	list := l.list("SKILL.md")
	defer func() { l.take(list) }()
	if !slices.Contains(l.skill.Files, "SKILL.md") {
		list.Errorf(0, "skill-missing", "add SKILL.md or remove the directory", "the directory has no SKILL.md")
		return
	}
	text, ok := l.text("SKILL.md", list)
	if !ok {
		return
	}
	front, body, line := splitFrontmatter(text)
	l.skill.Body, l.skill.BodyLine = body, line
	if line == 1 {
		list.Errorf(1, "frontmatter-missing", "start the file with a line of three hyphens, the fields, and three hyphens again", "the file has no frontmatter")
	} else {
		readFrontmatter(front, l.skill, list)
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
			list.Errorf(0, "reference-name", "use lower-case letters, digits and single hyphens", "the file's name becomes an address, and %q cannot", name)
		default:
			text, ok := l.text(file, list)
			if !ok {
				break
			}
			if strings.HasPrefix(text, "---\n") {
				list.Errorf(1, "reference-frontmatter", "start with the title", "references carry no frontmatter")
			}
			l.skill.References = append(l.skill.References, Reference{Name: name, Body: text})
		}
		l.take(list)
	}
}

// validName tells whether s is a name by the agent-skills format: lower-case
// letters, digits and single hyphens, none at the ends, 1 to 64 characters.
func validName(s string) bool {
	if s == "" || len(s) > MaxName || s[0] == '-' || s[len(s)-1] == '-' || strings.Contains(s, "--") {
		return false
	}
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}
