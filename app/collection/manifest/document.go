package manifest

import (
	"strings"

	"marketingskills/app/collection/table"
)

// bom may begin a file that an editor for Windows has saved.
const bom = "\ufeff"

// document is the file cut into what the format is made of.
type document struct {
	lines    []string // without the byte order mark, each with its line end
	hidden   []bool   // the lines in code and HTML
	sections []section
}

// section is what stands under one heading of the first or second level.
type section struct {
	kind  sectionKind
	title string
	// start and end are the lines of the section, counted from 0, without its
	// heading and up to the next one.
	start, end int
	tables     []table.Table
}

type sectionKind int

const (
	prose   sectionKind = iota // may hold the table of current versions
	renamed                    // Renamed in X.Y.Z
	changes                    // Recent Changes
)

const (
	renamedTitle = "Renamed in"
	changesTitle = "Recent Changes"
)

func newDocument(source string) *document {
	lines := table.Lines(strings.TrimPrefix(source, bom))
	d := &document{lines: lines, hidden: table.Hidden(lines)}
	current := section{}
	for i, line := range lines {
		level, title := heading(line)
		if d.hidden[i] || level == 0 || level > 2 {
			continue
		}
		current.end = i
		d.sections = append(d.sections, current)
		current = section{kind: kindOf(title), title: title, start: i + 1}
	}
	current.end = len(lines)
	d.sections = append(d.sections, current)

	tables := table.Find(lines)
	for i := range d.sections {
		s := &d.sections[i]
		n := 0
		for n < len(tables) && tables[n].Line <= s.end {
			n++
		}
		s.tables, tables = tables[:n], tables[n:]
	}
	return d
}

// line returns the number of the heading of a section; 0 for the text before
// the first heading.
func (s section) line() int { return s.start }

func kindOf(title string) sectionKind {
	words := strings.Join(strings.Fields(title), " ")
	switch {
	case strings.EqualFold(words, changesTitle):
		return changes
	case strings.EqualFold(words, renamedTitle), len(words) > len(renamedTitle) &&
		strings.EqualFold(words[:len(renamedTitle)+1], renamedTitle+" "):
		return renamed
	}
	return prose
}

// heading returns the level and the text of a heading, level 0 for any other
// line.
func heading(line string) (level int, text string) {
	s := strings.TrimLeft(line, " ")
	if len(line)-len(s) > 3 {
		return 0, ""
	}
	rest := strings.TrimLeft(s, "#")
	level = len(s) - len(rest)
	if level == 0 || level > 6 || rest != "" && !strings.Contains(" \t\r\n", rest[:1]) {
		return 0, ""
	}
	text = strings.TrimSpace(rest)
	if open := strings.TrimRight(text, "#"); open == "" || strings.HasSuffix(open, " ") || strings.HasSuffix(open, "\t") {
		text = strings.TrimSpace(open)
	}
	return level, text
}
