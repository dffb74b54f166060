// Package versionsfile reads and checks VERSIONS.md, the file that says which
// version of each skill is current, what each release changed, and what the
// skills of earlier releases are called today.
//
// [Parse] turns the bytes of the file into a [manifest.Manifest] and reports
// everything that is wrong with the file. [ParseWithUnreleased] also returns the
// entry that collects changes for the next release.
//
// # Format
//
// VERSIONS.md is Markdown. A title and prose may say anything; three kinds of
// section hold data.
//
//	| Skill | Version | Last Updated |
//	| ----- | ------- | ------------ |
//	| ads   | 2.0.1   | 2026-05-26   |
//
// The table of current versions is the one with these columns, wherever it
// stands: one row per skill, in alphabetical order. Skill is the name of the
// directory below skills/, Version is MAJOR.MINOR.PATCH and equals
// metadata.version in SKILL.md, Last Updated is YYYY-MM-DD. More columns are
// allowed, here and below, and ignored.
//
//	## Renamed in 2.0.0
//
//	| Old name | New name | Kind    | Where the content went |
//	| -------- | -------- | ------- | ---------------------- |
//	| paid-ads | ads      | renamed | `skills/ads/`          |
//
// Any number of such sections may exist, one per release that renamed
// something. Kind is renamed, when the skill lives on under another name, or
// merged, when it became part of another. New name is always the name of
// today: renaming a skill again means correcting the older rows as well.
//
//	## Recent Changes
//
//	### 2.2.0 (2026-05-26)
//
//	- **Breaking:** `paid-ads` has a new name.
//	- The skill `prospecting` is new.
//	- Total: 42 skills.
//
// One heading per release, the newest first: version and date, or the date
// alone. "2.0.1 - 2026-05-18" and the like are read too. Bullets follow. One
// that begins with **Breaking:** asks something of those who upgrade; **New:**,
// **Changed:** and **Fixed:** say what kind of change another is. One that
// says "Total: 42 skills." and nothing else is the size of the collection
// after the release. Skill names in backticks attribute the change to those
// skills; an old name counts for the skill it became.
//
// Above the releases, an entry may collect what the next one will say:
//
//	### Unreleased
//
//	- `ads` (2.0.2) counts characters as the platform does.
//
// Every skill that it names in backticks changes, and has the version that it
// gets behind its name, at least once. The rows stay those of the newest
// release until then; a new skill needs none. The total comes with the release.
//
// What stands in code, quotations or HTML is not read. Tables of more than
// 50,000 cells and bullets of more than 10,000 bytes are not read either; nobody
// writes such. Parse takes time in proportion to the size of its input (times
// its logarithm, to sort), whatever the input.
package versionsfile

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/markdown"
	"marketingskills/app/text"
)

const (
	changesTitle    = "Recent Changes"
	unreleasedTitle = "Unreleased"
	renamedTitle    = "Renamed in"

	skillColumn   = "Skill"
	versionColumn = "Version"
	updatedColumn = "Last Updated"
	oldColumn     = "Old name"
	newColumn     = "New name"
	kindColumn    = "Kind"
	whereColumn   = "Where the content went"

	// maxFindings is how many findings are listed. A file with more of them was
	// not meant to be a VERSIONS.md.
	maxFindings = 10_000
)

// Parse reads VERSIONS.md. It always returns a manifest, with all that could
// be read, and reports everything that is wrong, in the order of the lines.
func Parse(data []byte) (*manifest.Manifest, []finding.Finding) {
	m, _, found := ParseWithUnreleased(data)
	return m, found
}

// ParseWithUnreleased is [Parse], and also returns the entry for the next release,
// nil if there is none.
func ParseWithUnreleased(data []byte) (*manifest.Manifest, *Unreleased, []finding.Finding) {
	list := &finding.List{File: manifest.File, Max: maxFindings}
	checkEncoding(data, list)
	r := &reader{list: list, rows: []manifest.Row{}, renames: []manifest.Rename{}, releases: []manifest.Release{}}
	for _, s := range splitSections(markdown.Parse(bytes.TrimPrefix(data, []byte("\ufeff"))).Blocks, 2, 0) {
		r.readSection(s)
	}
	if !r.rowsSeen {
		r.list.Errorf(0, "manifest-no-table", "write a table with the columns Skill, Version and Last Updated",
			"there is no table of current versions")
	}
	if !r.releasesSeen {
		r.list.Errorf(0, "manifest-no-changes", "write a section ## "+changesTitle, "there is no section on releases")
	}
	m := manifest.New(r.rows, r.releases, r.renames)
	resolveSkills(m)
	check(m, r.unreleased, list)
	list.ReportDropped(0, "manifest-too-many")
	finding.Sort(list.All)
	return m, r.unreleased, list.All
}

// checkEncoding reports lines that are not UTF-8, which JSON and pages could not
// show as they are.
func checkEncoding(data []byte, list *finding.List) {
	if utf8.Valid(data) {
		return
	}
	data = bytes.ReplaceAll(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
	line := 0
	for part := range bytes.SplitSeq(data, []byte("\n")) {
		if line++; !utf8.Valid(part) {
			list.Errorf(line, "manifest-encoding", "save the file as UTF-8", "the line is not UTF-8: %s", text.Quote(string(bytes.TrimSpace(part))))
		}
	}
}

// resolveSkills replaces the code spans in the Skills of each change by the
// present names of the skills that they name, each once.
func resolveSkills(m *manifest.Manifest) {
	for _, release := range m.Releases {
		for i := range release.Changes {
			c := &release.Changes[i]
			skills := []string{}
			for _, name := range c.Skills {
				if skill := m.Current(name); skill != "" && !slices.Contains(skills, skill) {
					skills = append(skills, skill)
				}
			}
			c.Skills = skills
		}
	}
}

// section is a heading and the blocks below it.
type section struct {
	heading markdown.Block // empty for the blocks above the first heading
	below   []markdown.Block
	end     int // the line of the next heading, 0 for none
}

// splitSections cuts blocks at their headings of a level or a higher one, those in
// lists and quotations excepted. end is the line of what follows the blocks.
func splitSections(blocks []markdown.Block, level, end int) []section {
	parts := []section{{}}
	for _, b := range blocks {
		last := &parts[len(parts)-1]
		if b.Kind == markdown.KindHeading && b.Depth == 0 && b.Level <= level {
			last.end = b.Line
			parts = append(parts, section{heading: b})
		} else {
			last.below = append(last.below, b)
		}
	}
	parts[len(parts)-1].end = end
	return parts
}

// reader collects the data in the sections of the file.
type reader struct {
	list       *finding.List
	rows       []manifest.Row
	renames    []manifest.Rename
	releases   []manifest.Release
	unreleased *Unreleased

	rowsSeen, releasesSeen bool
}

// readSection reads a section with a heading of level 1 or 2.
func (r *reader) readSection(s section) {
	title := s.heading.Text[:min(len(s.heading.Text), len(renamedTitle))]
	version := s.heading.Text[len(title):]
	switch {
	case strings.EqualFold(s.heading.Text, changesTitle):
		r.readReleases(s)
	case strings.EqualFold(title, renamedTitle) && (version == "" || version[0] == ' '):
		r.readRenames(manifest.Version(strings.TrimSpace(version)), s)
	default:
		r.readOtherSection(s)
	}
}

// readRenames reads the section on the renames of a release.
func (r *reader) readRenames(version manifest.Version, s section) {
	if why := version.Problem(); why != "" {
		r.list.Errorf(s.heading.Line, "manifest-rename-heading", "write ## "+renamedTitle+" and the version of the release, as 2.0.0",
			"%s is not a version: %s", text.Quote(string(version)), why)
	}
	found := false
	for _, table := range tables(s.below) {
		if !table.has(oldColumn) && !table.has(newColumn) {
			continue
		}
		found = true
		for _, row := range r.rowsOf(table, oldColumn, newColumn, kindColumn, whereColumn) {
			r.renames = append(r.renames, manifest.Rename{
				Old: row.cells[0], New: row.cells[1], Kind: manifest.Kind(row.cells[2]), Where: row.cells[3], Release: version, Line: row.line,
			})
		}
	}
	if !found {
		r.list.Errorf(s.heading.Line, "manifest-rename-table",
			"write a table with the columns Old name, New name, Kind and Where the content went",
			"the section has no table of renames")
	}
}

// readOtherSection reads the table of current versions, which may be in any other
// section.
func (r *reader) readOtherSection(s section) {
	for _, table := range tables(s.below) {
		switch line := table[0].Line; {
		case table.has(oldColumn) || table.has(newColumn):
			r.list.Errorf(line, "manifest-rename-heading", "move it below a heading ## "+renamedTitle+" 2.0.0",
				"a table of renames stands in another section and is not read")
			continue
		case !table.has(skillColumn) || !table.has(versionColumn) && !table.has(updatedColumn):
			continue
		case r.rowsSeen:
			r.list.Errorf(line, "manifest-second-table", "keep all rows in one table", "this is another table of current versions")
		}
		r.rowsSeen = true
		if len(table) == 1 {
			r.list.Errorf(table[0].Line, "manifest-no-rows", "give each skill a row", "the table of current versions is empty")
		}
		for _, row := range r.rowsOf(table, skillColumn, versionColumn, updatedColumn) {
			r.rows = append(r.rows, manifest.Row{
				Skill: row.cells[0], Version: manifest.Version(row.cells[1]), Updated: row.cells[2], Line: row.line,
			})
		}
	}
}

// table is the head and the rows of a table.
type table []markdown.Block

func (t table) has(column string) bool { return text.Column(t[0].Cells, column) >= 0 }

// tables returns the tables that stand in no list and no quotation.
func tables(blocks []markdown.Block) []table {
	var all []table
	for _, b := range blocks {
		switch {
		case b.Depth > 0:
		case b.Kind == markdown.KindTableHead:
			all = append(all, table{b})
		case b.Kind == markdown.KindTableRow:
			all[len(all)-1] = append(all[len(all)-1], b)
		}
	}
	return all
}

// row is a line of a table, with the cells of some of its columns.
type row struct {
	line  int
	cells []string
}

// rowsOf returns the rows of a table with the cells below these titles, and
// reports columns that are missing or there twice.
func (r *reader) rowsOf(t table, titles ...string) []row {
	head := t[0]
	var columns []int
	for _, title := range titles {
		at := text.Column(head.Cells, title)
		switch {
		case at < 0:
			r.list.Errorf(head.Line, "manifest-column", "add the column", "the table has no column %s", title)
		case text.Column(head.Cells[at+1:], title) >= 0:
			r.list.Errorf(head.Line, "manifest-column", "keep one of them; the first is read", "the table has two columns %s", title)
		}
		columns = append(columns, at)
	}
	var rows []row
	for _, b := range t[1:] {
		if len(b.Cells) > len(head.Cells) {
			r.list.Errorf(b.Line, "manifest-row-cells", `write a pipe inside a cell as \|`,
				"the row has %d cells, the table %d columns", len(b.Cells), len(head.Cells))
		}
		cells := make([]string, len(columns))
		for i, at := range columns {
			if at >= 0 && at < len(b.Cells) {
				cells[i] = b.Cells[at]
			}
		}
		rows = append(rows, row{b.Line, cells})
	}
	return rows
}
