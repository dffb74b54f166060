// Package csvfile puts answers about email addresses into somebody's CSV file
// and leaves the rest of it alone.
//
// [Read] takes a file apart: it finds separator, header and the column with the
// email addresses. [File.Write] writes it back with [Columns] appended. Every
// other byte stays: byte order mark, quotation marks, line ends, blank lines,
// the missing end of the last line. Cells that are appended cannot run as
// formulas: see [text.CSVCell].
//
// The appended columns stand under their headings in every row. Rows that are
// shorter than the longest one, the header included, get empty cells up to
// there; so where one row is longer than the header, the header gets cells
// without a name. A file that ends in these columns already, because this
// package wrote it, gets new ones in their place, and [File.Answer] reads them.
//
// Lines end with LF, CR LF or CR. A quotation mark that opens a cell must be
// closed, any other is text. A first line such as "sep=;", which Excel writes,
// names the separator. The file is UTF-8 or at least agrees with ASCII.
package csvfile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"strings"

	"marketingskills/app/text"
	"marketingskills/app/verify"
)

const (
	// MaxBytes is the most that [Read] takes of a stranger's file.
	MaxBytes = 50 << 20
	// MaxOutputBytes is the most that [Read] takes of a file that it has
	// written, which is larger than the stranger's was.
	MaxOutputBytes = 4 * MaxBytes
	// MaxRows and maxCells are the most rows of a file, and cells of a row, that
	// [Read] takes: as many as a spreadsheet has.
	MaxRows  = 1 << 20
	maxCells = 1 << 14
	// maxPadding is the most empty cells that one long row may cost the others.
	maxPadding = 10 << 20
)

// Columns are the headings of what is appended.
var Columns = []string{"email_state", "email_sub_state", "did_you_mean", "verified_at"}

// File is a CSV file taken apart. It does not change.
type File struct {
	data      []byte
	separator byte
	start     int // of the first record, behind byte order mark and sep=
	header    *record
	records   []record
	column    int
	width     int            // cells of a row in front of the appended ones
	answered  bool           // it ends in Columns
	corrected map[int]string // emails that stand for others, by row
}

// record is where a row is in the file. Blank lines are none.
type record struct {
	start, end int // without the line end
	cells      int
}

// ColumnError says that the column with the email addresses was not found.
type ColumnError struct {
	Wanted  string   // as it was asked for, "" if it was not
	Columns []string // the headings, or the cells of the first row
}

func (e *ColumnError) Error() string {
	const most = 20
	names := make([]string, 0, most)
	for i, name := range e.Columns[:min(len(e.Columns), most)] {
		names = append(names, fmt.Sprintf("%d %s", i+1, text.Quote(name)))
	}
	if more := len(e.Columns) - most; more > 0 {
		names = append(names, text.Number(more)+" more")
	}
	if e.Wanted != "" {
		return fmt.Sprintf("there is no column %s; the columns are %s", text.Quote(e.Wanted), text.List(names))
	}
	return "no column with email addresses was found; the columns are " + text.List(names)
}

// Read takes a file apart, which must not be changed from then on. The column
// is that with the email addresses, by heading (case does not count) or, from
// 1, by number; if it is empty, the column is found by its heading, or else by
// what is in it. An error is one line about the file, without a name for it;
// that about the column is a [*ColumnError].
func Read(data []byte, column string) (*File, error) {
	if err := readable(data); err != nil {
		return nil, err
	}
	f := &File{data: data}
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		f.start = 3
	}
	if !f.namedSeparator() {
		f.guessSeparator()
	}
	if err := f.split(); err != nil {
		return nil, err
	}
	if len(f.records) == 0 {
		return nil, errors.New("the file is empty")
	}
	if err := f.measure(); err != nil {
		return nil, err
	}
	if err := f.findColumn(strings.TrimSpace(column)); err != nil {
		return nil, err
	}
	return f, nil
}

// FromList makes a file of addresses, with the one column "email" and a row for
// each of them, in order.
func FromList(addresses iter.Seq[string]) (*File, error) {
	var b bytes.Buffer
	b.WriteString("email\r\n")
	rows := 1
	for address := range addresses {
		if rows++; rows > MaxRows {
			return nil, errTooManyRows
		}
		// A blank line would be no row.
		b.WriteString(cmp.Or(text.CSVCell(address), `""`) + "\r\n")
	}
	return Read(b.Bytes(), "email")
}

var (
	errTooLarge    = fmt.Errorf("the file is larger than %d MiB; split it", MaxBytes>>20)
	errTooManyRows = errors.New("the file has more than " + text.Number(MaxRows) + " rows; split it")
)

func (f *File) tooManyCells(r record) error {
	return fmt.Errorf("line %s has more than %s; correct it or remove columns", text.Number(f.line(r.start)), text.Count(maxCells, "cell"))
}

// readable refuses what is no CSV file, in words that help.
func readable(data []byte) error {
	const utf8Please = "; save it as CSV UTF-8"
	head := string(data[:min(len(data), 4)])
	switch {
	case len(data) > MaxOutputBytes:
		return errTooLarge
	case strings.HasPrefix(head, "PK\x03\x04"), strings.HasPrefix(head, "\xd0\xcf\x11\xe0"):
		return errors.New("this is a workbook, not CSV" + utf8Please)
	case strings.HasPrefix(head, "\xff\xfe"), strings.HasPrefix(head, "\xfe\xff"),
		len(head) == 4 && (head[0] == 0) != (head[1] == 0) && (head[0] == 0) == (head[2] == 0) && (head[1] == 0) == (head[3] == 0):
		return errors.New("the file is in UTF-16" + utf8Please)
	}
	return nil
}

// measure finds out how wide the file is, and whether it has been through
// Write before.
func (f *File) measure() error {
	longest, all := 0, 0
	for i, r := range f.records {
		if r.cells > f.records[longest].cells {
			longest = i
		}
		all += r.cells
	}
	f.width = f.records[longest].cells
	if f.width*len(f.records)-all > maxPadding {
		return fmt.Errorf("line %s has %s, far more than the others; correct it", text.Number(f.line(f.records[longest].start)),
			text.Count(f.width, "cell"))
	}
	if own := f.width - len(Columns); own > 0 && f.isAnswered(own) {
		f.width, f.answered = own, true
	}
	switch {
	case len(f.data) > MaxBytes && !f.answered:
		return errTooLarge
	case f.width > maxCells:
		return f.tooManyCells(f.records[longest])
	}
	return nil
}

// isAnswered tells whether the cells from number own on were written by Write:
// they have its headings or, in a file without a header, its values in all
// rows.
func (f *File) isAnswered(own int) bool {
	first := f.cells(f.records[0])
	if len(first) < f.width {
		return false
	}
	named := true
	for i, name := range Columns {
		named = named && first[own+i] == name
	}
	if named {
		return true
	}
	answers := 0
	for _, r := range f.records {
		cells := f.cells(r)
		if len(cells) != f.width {
			return false
		}
		a := resultOf(cells[own:])
		if !isAnswer(a) {
			return false
		}
		if a.State != "" {
			answers++
		}
	}
	return answers > 0
}

// Len is the number of rows, the header and blank lines not counted.
func (f *File) Len() int { return len(f.records) }

// HasHeader tells whether the first row holds headings.
func (f *File) HasHeader() bool { return f.header != nil }

// Column names the column with the addresses: its heading or, without one,
// "column 3".
func (f *File) Column() string {
	if f.header != nil {
		if name := strings.TrimSpace(f.cell(*f.header, f.column)); name != "" {
			return name
		}
	}
	return fmt.Sprintf("column %d", f.column+1)
}

// Email is the text in a row's cell for the address, without the apostrophe
// that [text.SafeCell] may have put there; "" if the row is too short.
func (f *File) Email(row int) string {
	if email, ok := f.corrected[row]; ok {
		return email
	}
	return unsafeCell(f.cell(f.records[row], f.column))
}

// Correct returns the file with other emails in place of those for which meant
// has one. What an earlier Write said of these rows no longer counts.
func (f *File) Correct(meant func(email string) string) *File {
	of := *f
	of.corrected = map[int]string{}
	maps.Copy(of.corrected, f.corrected)
	for row := range f.records {
		if email := f.Email(row); email != "" {
			if to := meant(email); to != "" && to != email {
				of.corrected[row] = to
			}
		}
	}
	return &of
}

// Emails are those of all rows, in order, without empty ones.
func (f *File) Emails() []string {
	emails := make([]string, 0, len(f.records))
	for row := range f.records {
		if email := f.Email(row); strings.TrimSpace(email) != "" {
			emails = append(emails, email)
		}
	}
	return emails
}

// Answered tells whether the file has been through Write before.
func (f *File) Answered() bool { return f.answered }

// Answer reads what an earlier Write put into a row; ok is false where there is
// nothing. The result has what stands in the columns, and the address.
func (f *File) Answer(row int) (r verify.Result, ok bool) {
	if _, other := f.corrected[row]; other || !f.answered {
		return r, false
	}
	cells := f.cells(f.records[row])
	if len(cells) < f.width+len(Columns) {
		return r, false
	}
	r = resultOf(cells[f.width:])
	r.Address = strings.TrimSpace(f.Email(row))
	return r, r.State != ""
}
