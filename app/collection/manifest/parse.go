package manifest

import (
	"strings"
	"unicode/utf8"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/table"
)

// Parse reads VERSIONS.md. It always returns a manifest, with all that could
// be read, and reports everything that is wrong, in the order of the lines.
func Parse(data []byte) (*Manifest, []finding.Finding) {
	m := &Manifest{
		Rows: []Row{}, Releases: []Release{}, Renames: []Rename{},
		source: string(data),
	}
	r := &reader{m: m, report: newReport(), document: newDocument(m.source)}
	r.checkEncoding()
	for _, s := range r.sections {
		switch s.kind {
		case prose:
			r.readRows(s)
		case renamed:
			r.readRenames(s)
		case changes:
			r.readReleases(s)
		}
	}
	if !r.hasRows {
		r.errorf(0, "manifest-no-table", "write a table with the columns Skill, Version and Last Updated",
			"there is no table of current versions")
	}
	if !r.hasChanges {
		r.errorf(0, "manifest-no-changes", "write a section ## "+changesTitle,
			"there is no section on releases")
	}
	names := newNames(m)
	m.attribute(names)
	check(m, names, r.report)
	return m, r.report.sorted()
}

// reader turns the document into a manifest.
type reader struct {
	*document
	*report
	m                   *Manifest
	hasRows, hasChanges bool
}

// checkEncoding reports the lines that JSON and browsers could not repeat.
func (r *reader) checkEncoding() {
	if utf8.ValidString(r.m.source) {
		return
	}
	for i, line := range r.lines {
		if !utf8.ValidString(line) {
			r.errorf(i+1, "manifest-encoding", "save the file as UTF-8", "the line is not UTF-8: %s", quote(strings.TrimSpace(line)))
		}
	}
}

const (
	skillColumn   = "Skill"
	versionColumn = "Version"
	updatedColumn = "Last Updated"
	oldColumn     = "Old name"
	newColumn     = "New name"
	kindColumn    = "Kind"
	whereColumn   = "Where the content went"
)

// isVersionTable reports whether a table is one of current versions, if
// perhaps one that lacks a column.
func isVersionTable(t table.Table) bool {
	return t.Column(skillColumn) >= 0 && (t.Column(versionColumn) >= 0 || t.Column(updatedColumn) >= 0)
}

// isRenameTable reports whether a table is one of renames.
func isRenameTable(t table.Table) bool {
	return t.Column(oldColumn) >= 0 || t.Column(newColumn) >= 0
}

func (r *reader) readRows(s section) {
	for _, t := range s.tables {
		if isRenameTable(t) {
			r.errorf(t.Line, "manifest-rename-heading", "move it below a heading ## "+renamedTitle+" 2.0.0",
				"a table of renames stands in another section and is not read")
		}
		if !isVersionTable(t) {
			continue
		}
		if r.hasRows {
			r.errorf(t.Line, "manifest-second-table", "keep all rows in one table", "this is another table of current versions")
		}
		r.hasRows = true
		at := r.columns(t, skillColumn, versionColumn, updatedColumn)
		for _, row := range t.Rows {
			r.checkWidth(t, row)
			r.m.Rows = append(r.m.Rows, Row{
				Skill: row.Cell(at[0]), Version: Version(row.Cell(at[1])), Updated: row.Cell(at[2]), Line: row.Line,
			})
		}
		if len(t.Rows) == 0 {
			r.errorf(t.Line, "manifest-no-rows", "give each skill a row", "the table of current versions is empty")
		}
	}
}

func (r *reader) readRenames(s section) {
	words := strings.Fields(s.title)
	version := Version(strings.Join(words[2:], " ")) // behind "Renamed in"
	if _, why := strict(string(version)); why != "" {
		r.errorf(s.line(), "manifest-rename-heading", "write ## "+renamedTitle+" and the version of the release, as 2.0.0",
			"%s is no version: %s", quote(string(version)), why)
	}
	found := false
	for _, t := range s.tables {
		if !isRenameTable(t) {
			continue
		}
		found = true
		at := r.columns(t, oldColumn, newColumn, kindColumn, whereColumn)
		for _, row := range t.Rows {
			r.checkWidth(t, row)
			r.m.Renames = append(r.m.Renames, Rename{
				Old: row.Cell(at[0]), New: row.Cell(at[1]), Kind: Kind(row.Cell(at[2])), Where: row.Cell(at[3]),
				Release: version, Line: row.Line,
			})
		}
	}
	if !found {
		r.errorf(s.line(), "manifest-rename-table",
			"write a table with the columns Old name, New name, Kind and Where the content went",
			"the section has no table of renames")
	}
}

// columns returns where the titled columns stand in a table, -1 for a missing
// one, and reports those that are missing or there twice.
func (r *reader) columns(t table.Table, titles ...string) []int {
	at := make([]int, len(titles))
	for i, title := range titles {
		at[i] = t.Column(title)
		rest := table.Table{Header: t.Header[at[i]+1:]}
		switch {
		case at[i] < 0:
			r.errorf(t.Line, "manifest-column", "add the column", "the table has no column %s", title)
		case rest.Column(title) >= 0:
			r.errorf(t.Line, "manifest-column", "keep one of them; the first is read", "the table has two columns %s", title)
		}
	}
	return at
}

// checkWidth reports a row whose last cells no reader of the page would see.
func (r *reader) checkWidth(t table.Table, row table.Row) {
	if len(row.Cells) > len(t.Header) {
		r.errorf(row.Line, "manifest-row-cells", `write a pipe inside a cell as \|`,
			"the row has %d cells, the table %d columns", len(row.Cells), len(t.Header))
	}
}
