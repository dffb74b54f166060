// Package table reads and writes GitHub-style pipe tables in Markdown text,
// with the standard library alone, so that the browser can afford it.
//
// Most callers need two things: [Find], which returns every table of a text
// together with the line of each row, and [Table.String], which writes one
// with its columns aligned. [SetCell] changes a single cell and leaves the
// rest of its line as it was.
//
// # What is a table
//
// A header line, below it a delimiter line with as many cells, then rows up to
// the first blank line or the first line that begins another block. Outer
// pipes may be missing. A pipe that stands for itself is written \| everywhere,
// code spans included: a row is split before anything in it is interpreted.
// A row may have fewer or more cells than the header; it is returned as found.
// Tables in fenced code and in HTML blocks, comments among them, are not
// tables. Neither are tables nested in quotations or indented by four spaces.
//
// Cells are returned trimmed, with \| turned into |, and otherwise as the
// Markdown they are. Writing turns | into \| again, so a cell survives a trip
// through a file whatever it contains, except that it cannot hold a line end.
package table

import "strings"

// Align is how the cells of a column are set, as its delimiter cell says.
type Align string

const (
	None   Align = ""       // ---
	Left   Align = "left"   // :--
	Center Align = "center" // :-:
	Right  Align = "right"  // --:
)

// Table is one table of a text.
type Table struct {
	// Line is where the header stands, counted from 1.
	Line int `json:"line"`
	// Header holds the titles of the columns, Align their setting. Find
	// returns as many of one as of the other.
	Header []string `json:"header"`
	Align  []Align  `json:"align"`
	Rows   []Row    `json:"rows"`
}

// Row is one row below the delimiter line.
type Row struct {
	// Line is where the row stands, counted from 1. Writing ignores it.
	Line int `json:"line"`
	// Cells may be fewer or more than the columns of the table.
	Cells []string `json:"cells"`
}

// Cell returns the cell of column i, or nothing when the row is too short or
// i is negative.
func (r Row) Cell(i int) string {
	if i < 0 || i >= len(r.Cells) {
		return ""
	}
	return r.Cells[i]
}

// Column returns the index of the first column with the given title, or -1.
// Case and the amount of white space make no difference.
func (t Table) Column(title string) int {
	for i, h := range t.Header {
		if strings.EqualFold(strings.Join(strings.Fields(h), " "), title) {
			return i
		}
	}
	return -1
}

// Lines cuts text after every line end: \n, \r\n or \r. Each line keeps its
// own, so the lines joined are the text again. The functions of this package
// take lines with or without their ends.
func Lines(text string) []string {
	lines := make([]string, 0, strings.Count(text, "\n")+1)
	for text != "" {
		end := strings.IndexAny(text, "\r\n")
		switch {
		case end < 0:
			end = len(text)
		case strings.HasPrefix(text[end:], "\r\n"):
			end += 2
		default:
			end++
		}
		lines = append(lines, text[:end])
		text = text[end:]
	}
	return lines
}

// Find returns the tables of a text in the order in which they stand.
func Find(lines []string) []Table {
	var tables []Table
	hidden := Hidden(lines)
	for i := 1; i < len(lines); i++ {
		if hidden[i] || hidden[i-1] {
			continue
		}
		align := delimiter(lines[i])
		header := headerCells(lines[i-1])
		if align == nil || header == nil {
			continue
		}
		if len(header) != len(align) {
			// GitHub looks no further in this paragraph.
			for i+1 < len(lines) && !hidden[i+1] && !endsTable(lines[i+1]) {
				i++
			}
			continue
		}
		t := Table{Line: i, Header: header, Align: align, Rows: []Row{}}
		for i++; i < len(lines) && !hidden[i] && !endsTable(lines[i]); i++ {
			t.Rows = append(t.Rows, Row{Line: i + 1, Cells: Split(lines[i])})
		}
		tables = append(tables, t)
	}
	return tables
}

// headerCells returns the cells of a line that may head a table, else nil.
func headerCells(line string) []string {
	if indent(line) > 3 || endsTable(line) {
		return nil
	}
	return Split(line)
}

// delimiter returns the alignments of a delimiter line, nil for any other.
func delimiter(line string) []Align {
	s := strings.Trim(line, space)
	// Dashes alone underline a heading or draw a rule.
	if indent(line) > 3 || !strings.ContainsAny(s, "|:") || strings.Trim(s, "|:-"+space) != "" {
		return nil
	}
	if beginsListItem(s) {
		return nil
	}
	s = strings.TrimPrefix(s, "|")
	s = strings.TrimSuffix(s, "|")
	var all []Align
	for cell := range strings.SplitSeq(s, "|") {
		align, ok := alignOf(strings.Trim(cell, space))
		if !ok {
			return nil
		}
		all = append(all, align)
	}
	return all
}

// alignOf reads one cell of a delimiter line.
func alignOf(cell string) (Align, bool) {
	dashes := strings.TrimSuffix(strings.TrimPrefix(cell, ":"), ":")
	if dashes == "" || strings.Trim(dashes, "-") != "" {
		return None, false
	}
	left, right := cell[0] == ':', cell[len(cell)-1] == ':'
	switch {
	case left && right:
		return Center, true
	case left:
		return Left, true
	case right:
		return Right, true
	}
	return None, true
}
