// Package versionsfile reads and checks VERSIONS.md, the file that says which
// version of each skill is current, what each release changed, and what the
// skills of earlier releases are called today.
//
// [Parse] is the way in: from the bytes of the file to a [manifest.Manifest] and
// everything that is wrong with the file. [Read] also returns what the file
// collects for the next release.
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
// that begins with **Breaking:** asks something of those who upgrade. One that
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
// 50,000 cells and bullets of more than 10,000 bytes are not read either; they
// are beyond what anybody writes. Parse takes time in proportion to the size
// of its input (times its logarithm, to sort), whatever the input.
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
	changesTitle = "Recent Changes"
	nextTitle    = "Unreleased"
	renamedTitle = "Renamed in"

	skillColumn   = "Skill"
	versionColumn = "Version"
	updatedColumn = "Last Updated"
	oldColumn     = "Old name"
	newColumn     = "New name"
	kindColumn    = "Kind"
	whereColumn   = "Where the content went"

	// maxFindings bounds a report: what has more problems is not a manifest.
	maxFindings = 10_000
)

// Parse reads VERSIONS.md. It always returns a manifest, with all that could
// be read, and reports everything that is wrong, in the order of the lines.
func Parse(data []byte) (*manifest.Manifest, []finding.Finding) {
	m, _, found := Read(data)
	return m, found
}

// Read is [Parse], and also returns what is collected for the next release, nil
// for nothing.
func Read(data []byte) (*manifest.Manifest, *Next, []finding.Finding) {
	list := &finding.List{File: manifest.File, Most: maxFindings}
	checkEncoding(data, list)
	r := &reader{
		List: list, document: markdown.Parse(bytes.TrimPrefix(data, []byte("\ufeff"))),
		rows: []manifest.Row{}, renames: []manifest.Rename{}, releases: []manifest.Release{},
	}
	for i, b := range r.document.Blocks {
		r.read(b, i)
	}
	r.endSection()
	if !r.hasRows {
		r.Errorf(0, "manifest-no-table", "write a table with the columns Skill, Version and Last Updated",
			"there is no table of current versions")
	}
	if !r.hasChanges {
		r.Errorf(0, "manifest-no-changes", "write a section ## "+changesTitle, "there is no section on releases")
	}
	m := manifest.New(r.rows, r.releases, r.renames)
	attribute(m)
	check(m, r.next, list)
	list.Close(0, "manifest-too-many")
	finding.Sort(list.All)
	return m, r.next, list.All
}

// checkEncoding reports the lines that JSON and browsers could not repeat.
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

// attribute turns the code spans of each change into the skills they name,
// each once.
func attribute(m *manifest.Manifest) {
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

// section is what stands under a heading of level 1 or 2.
type section int

const (
	prose   section = iota // may hold the table of current versions
	renamed                // Renamed in X.Y.Z
	changes                // Recent Changes
)

// reader takes the blocks of the document one by one.
type reader struct {
	*finding.List
	document *markdown.Document

	rows     []manifest.Row
	renames  []manifest.Rename
	releases []manifest.Release
	next     *Next

	hasRows, hasChanges bool

	section section
	line    int // the heading of the section
	// found is set once the section has what it is for.
	found bool
	// version is that of a section on renames.
	version manifest.Version
	table   table
	// open is set while the last release takes bullets, nextOpen while the
	// entry for the next one does.
	open, nextOpen bool
}

// table is the one whose rows come next.
type table struct {
	line    int
	head    []string
	columns []int // where the titled columns stand; nil when rows are not read
}

func (r *reader) read(b markdown.Block, index int) {
	switch {
	case b.Kind == markdown.Title && b.Depth == 0 && b.Level <= 2:
		r.endSection()
		r.beginSection(b)
	case r.section == changes:
		r.readRelease(b, index)
	case b.Kind == markdown.TableHead && b.Depth == 0:
		r.beginTable(b, index)
	case b.Kind == markdown.TableRow && b.Depth == 0 && r.table.columns != nil:
		r.readRow(b)
	}
}

func (r *reader) beginSection(b markdown.Block) {
	r.endEntry(b.Line)
	r.section, r.line, r.found = prose, b.Line, false
	if strings.EqualFold(b.Text, changesTitle) {
		r.section = changes
		if r.hasChanges {
			r.Errorf(b.Line, "manifest-second-section", "keep all releases in one section", "this is another section %s", changesTitle)
		}
		r.hasChanges = true
		return
	}
	name := b.Text[:min(len(b.Text), len(renamedTitle))]
	version := b.Text[len(name):]
	if strings.EqualFold(name, renamedTitle) && (version == "" || version[0] == ' ') {
		r.section, r.version = renamed, manifest.Version(strings.TrimSpace(version))
		if why := r.version.Problem(); why != "" {
			r.Errorf(b.Line, "manifest-rename-heading", "write ## "+renamedTitle+" and the version of the release, as 2.0.0",
				"%s is not a version: %s", text.Quote(string(r.version)), why)
		}
	}
}

// endSection reports what the section lacks.
func (r *reader) endSection() {
	switch {
	case r.found:
	case r.section == renamed:
		r.Errorf(r.line, "manifest-rename-table",
			"write a table with the columns Old name, New name, Kind and Where the content went",
			"the section has no table of renames")
	case r.section == changes:
		r.Errorf(r.line, "manifest-no-changes", "give each release a heading ### 2.2.0 (2026-05-26)", "the section lists no release")
	}
}

func (r *reader) beginTable(b markdown.Block, index int) {
	r.table = table{line: b.Line, head: b.Cells}
	isRename := text.Column(b.Cells, oldColumn) >= 0 || text.Column(b.Cells, newColumn) >= 0
	switch {
	case r.section == renamed && isRename:
		r.found = true
		r.findColumns(oldColumn, newColumn, kindColumn, whereColumn)
	case r.section == renamed:
	case isRename:
		r.Errorf(b.Line, "manifest-rename-heading", "move it below a heading ## "+renamedTitle+" 2.0.0",
			"a table of renames stands in another section and is not read")
	case text.Column(b.Cells, skillColumn) >= 0 && (text.Column(b.Cells, versionColumn) >= 0 || text.Column(b.Cells, updatedColumn) >= 0):
		if r.hasRows {
			r.Errorf(b.Line, "manifest-second-table", "keep all rows in one table", "this is another table of current versions")
		}
		r.hasRows = true
		r.findColumns(skillColumn, versionColumn, updatedColumn)
		if next := index + 1; next == len(r.document.Blocks) || r.document.Blocks[next].Kind != markdown.TableRow {
			r.Errorf(b.Line, "manifest-no-rows", "give each skill a row", "the table of current versions is empty")
		}
	}
}

// findColumns notes where the titled columns stand, and reports those that are
// missing or there twice.
func (r *reader) findColumns(titles ...string) {
	for _, title := range titles {
		at := text.Column(r.table.head, title)
		switch {
		case at < 0:
			r.Errorf(r.table.line, "manifest-column", "add the column", "the table has no column %s", title)
		case text.Column(r.table.head[at+1:], title) >= 0:
			r.Errorf(r.table.line, "manifest-column", "keep one of them; the first is read", "the table has two columns %s", title)
		}
		r.table.columns = append(r.table.columns, at)
	}
}

func (r *reader) readRow(b markdown.Block) {
	if len(b.Cells) > len(r.table.head) {
		r.Errorf(b.Line, "manifest-row-cells", `write a pipe inside a cell as \|`,
			"the row has %d cells, the table %d columns", len(b.Cells), len(r.table.head))
	}
	cell := func(i int) string {
		if at := r.table.columns[i]; at >= 0 && at < len(b.Cells) {
			return b.Cells[at]
		}
		return ""
	}
	if r.section == renamed {
		r.renames = append(r.renames, manifest.Rename{
			Old: cell(0), New: cell(1), Kind: manifest.Kind(cell(2)), Where: cell(3), Release: r.version, Line: b.Line,
		})
		return
	}
	r.rows = append(r.rows, manifest.Row{Skill: cell(0), Version: manifest.Version(cell(1)), Updated: cell(2), Line: b.Line})
}
