package csvfile

import (
	"bytes"
	"fmt"
	"strings"

	"marketingskills/app/text"
)

// separators are those that are looked for; of two that are as likely, the
// first one wins.
var separators = []byte(",;\t")

// sample is how many rows the separator is guessed from.
const sample = 50

// namedSeparator reads a first line such as sep=; and tells whether there is
// one.
func (f *File) namedSeparator() bool {
	line, _, _ := bytes.Cut(f.data[f.start:min(len(f.data), f.start+16)], []byte("\n"))
	name, found := strings.CutPrefix(strings.ToLower(strings.TrimRight(string(line), "\r")), "sep=")
	if !found || len(name) != 1 || !bytes.Contains(separators, []byte(name)) {
		return false
	}
	f.separator = name[0]
	f.start += min(len(line)+1, len(f.data)-f.start)
	return true
}

// guessSeparator takes the one that gives most rows as many cells as the first
// row has; of two such, the one with more cells.
func (f *File) guessSeparator() {
	best, bestRows, bestCells := separators[0], 0, 1
	for _, f.separator = range separators {
		rows, cells := 0, 0
		for at, n := f.start, 0; at < len(f.data) && n < sample; {
			r, next, err := f.next(at)
			if err != nil {
				break // split says it
			}
			at = next
			if r.cells == 0 {
				continue
			}
			if n++; n == 1 {
				cells = r.cells
			}
			if r.cells == cells {
				rows++
			}
		}
		if cells > 1 && (rows > bestRows || rows == bestRows && cells > bestCells) {
			best, bestRows, bestCells = f.separator, rows, cells
		}
	}
	f.separator = best
}

// split finds the rows.
func (f *File) split() error {
	for at := f.start; at < len(f.data); {
		r, next, err := f.next(at)
		if err != nil {
			return err
		}
		if r.cells > 0 {
			f.records = append(f.records, r)
		}
		if len(f.records) > MaxRows {
			return errTooManyRows
		}
		at = next
	}
	return nil
}

// next finds the row that starts at a place, and where the next one does. A
// blank line has no cells.
func (f *File) next(at int) (r record, next int, err error) {
	r.start = at
	for {
		end, err := f.cellEnd(at)
		if err != nil {
			return r, 0, err
		}
		if r.cells++; r.cells > maxCells+len(Columns) {
			return r, 0, f.tooManyCells(r)
		}
		r.end = end
		switch {
		case end == len(f.data):
			next = end
		case f.data[end] == f.separator:
			at = end + 1
			continue
		case f.data[end] == '\r' && end+1 < len(f.data) && f.data[end+1] == '\n':
			next = end + 2
		default:
			next = end + 1
		}
		if r.start == r.end {
			r.cells = 0
		}
		return r, next, nil
	}
}

// cellEnd is where the cell that starts at a place ends: at a separator, a line
// end or the end of the file.
func (f *File) cellEnd(at int) (int, error) {
	start := at
	if at < len(f.data) && f.data[at] == '"' {
		for at++; ; at += 2 { // over a quotation mark that is doubled
			i := bytes.IndexByte(f.data[at:], '"')
			if i < 0 {
				return 0, fmt.Errorf(`line %s: a quotation mark (") opens a cell and is not closed; close or remove it`,
					text.Number(f.line(start)))
			}
			at += i
			if at+1 >= len(f.data) || f.data[at+1] != '"' {
				at++
				break
			}
		}
	}
	for at < len(f.data) && f.data[at] != f.separator && f.data[at] != '\n' && f.data[at] != '\r' {
		at++
	}
	return at, nil
}

// line is the number of the line that a place is in, from 1.
func (f *File) line(at int) int {
	before := f.data[:at]
	return 1 + bytes.Count(before, []byte("\n")) + bytes.Count(before, []byte("\r")) - bytes.Count(before, []byte("\r\n"))
}

// cells are the texts of a row.
func (f *File) cells(r record) []string {
	cells := make([]string, 0, r.cells)
	for at := r.start; len(cells) < r.cells; {
		end, _ := f.cellEnd(at) // split has been here
		cells = append(cells, unquoted(f.data[at:end]))
		at = end + 1
	}
	return cells
}

// cell is the text of one cell of a row, "" if the row is too short.
func (f *File) cell(r record, column int) string {
	start, end := f.place(r, column)
	return unquoted(f.data[start:end])
}

// place is where one cell of a row begins and ends, the end of the row if it is
// too short.
func (f *File) place(r record, column int) (start, end int) {
	for at, i := r.start, 0; i < r.cells; i++ {
		end, _ := f.cellEnd(at)
		if i == column {
			return at, end
		}
		at = end + 1
	}
	return r.end, r.end
}

// own is where a row ends without the columns that an earlier Write appended,
// and how many cells it has up to there.
func (f *File) own(r record) (end, cells int) {
	if !f.answered || r.cells <= f.width {
		return r.end, r.cells
	}
	end = r.start - 1
	for range f.width {
		end, _ = f.cellEnd(end + 1)
	}
	return end, f.width
}

// unquoted is the text of a cell. What follows a closing quotation mark belongs
// to it as it is.
func unquoted(cell []byte) string {
	if len(cell) == 0 || cell[0] != '"' {
		return string(cell)
	}
	var b strings.Builder
	rest := string(cell[1:])
	for {
		part, after, _ := strings.Cut(rest, `"`)
		b.WriteString(part)
		if !strings.HasPrefix(after, `"`) {
			return b.String() + after
		}
		b.WriteByte('"')
		rest = after[1:]
	}
}
