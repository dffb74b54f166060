package manifest

import (
	"slices"
	"strings"

	"marketingskills/app/collection/table"
)

// editor is a document about to be changed.
type editor struct {
	*document
	bom string
}

func (m *Manifest) edit() *editor {
	e := &editor{document: newDocument(m.source)}
	if strings.HasPrefix(m.source, bom) {
		e.bom = bom
	}
	return e
}

// apply reads the edited text back and, if it says what was intended, makes it
// the manifest.
func (m *Manifest) apply(e *editor, intended func(*Manifest) bool) error {
	got, _ := Parse([]byte(e.bom + strings.Join(e.lines, "")))
	if !intended(got) || len(got.Renames) != len(m.Renames) {
		return ErrForm
	}
	*m = *got
	return nil
}

// insert puts lines before the given one, counted from 0, each with the line
// end that the file uses there.
func (e *editor) insert(at int, lines ...string) {
	end := "\n"
	for _, near := range []int{at - 1, at, at - 2} {
		if near >= 0 && near < len(e.lines) && lineEnd(e.lines[near]) != "" {
			end = lineEnd(e.lines[near])
			break
		}
	}
	if at > 0 && lineEnd(e.lines[at-1]) == "" {
		// Only the last line of a file has no end. It gets one, and the new
		// last line has none in its place.
		e.lines[at-1] += end
		lines = slices.Clone(lines)
		for i := range lines[:len(lines)-1] {
			lines[i] += end
		}
		e.lines = append(e.lines, lines...)
		return
	}
	whole := make([]string, len(lines))
	for i, line := range lines {
		whole[i] = line + end
	}
	e.lines = slices.Insert(e.lines, at, whole...)
}

func lineEnd(line string) string { return line[len(strings.TrimRight(line, "\r\n")):] }

// lastText returns the last line of a section that is not blank, counted from
// 0; that of its heading when the section is empty.
func (e *editor) lastText(s section) int {
	last := s.end - 1
	for last >= s.start && strings.TrimSpace(e.lines[last]) == "" {
		last--
	}
	return last
}

// versionTable returns the first table of current versions, or nil.
func (e *editor) versionTable() *table.Table {
	for _, s := range e.sections {
		for _, t := range s.tables {
			if s.kind == prose && isVersionTable(t) {
				return &t
			}
		}
	}
	return nil
}

// tableAt returns the table with a row on the given line, or nil.
func (e *editor) tableAt(line int) *table.Table {
	for _, s := range e.sections {
		for _, t := range s.tables {
			if slices.ContainsFunc(t.Rows, func(r table.Row) bool { return r.Line == line }) {
				return &t
			}
		}
	}
	return nil
}

// place finds where in a table the row of a new skill goes: before the at-th
// row, on the line of the row returned.
func (e *editor) place(t table.Table, skill string) (at int, row Row) {
	name := t.Column(skillColumn)
	for i, r := range t.Rows {
		if r.Cell(name) > skill {
			return i, Row{Line: r.Line}
		}
	}
	// Rows follow the header and the delimiter line without a gap.
	return len(t.Rows), Row{Line: t.Line + 2 + len(t.Rows)}
}

// newRow writes a row in the manner of one that the table has, or in a manner
// of its own if the table has none. The line has no line end.
func (e *editor) newRow(t table.Table, row Row) (string, bool) {
	line := "|" + strings.Repeat("  |", len(t.Header))
	if len(t.Rows) > 0 {
		model := e.lines[t.Rows[max(0, row.Line-t.Line-3)].Line-1]
		if len(table.Split(model)) == len(t.Header) {
			line = strings.TrimRight(model, "\r\n")
		}
	}
	for i := range table.Split(line) {
		if i == t.Column(skillColumn) || i == t.Column(versionColumn) || i == t.Column(updatedColumn) {
			continue
		}
		empty, ok := table.SetCell(line, i, "")
		if !ok { // without an outer pipe the last cell cannot be empty
			empty, ok = table.SetCell(line, i, "-")
		}
		if !ok {
			return "", false
		}
		line = empty
	}
	return setRow(line, t, row)
}
