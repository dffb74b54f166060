package csvfile

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"strings"
	"time"

	"marketingskills/app/text"
	"marketingskills/app/verify"
)

// Write writes the file with the answer for each row, from 0; the zero Result
// leaves the row's new cells empty. An error is the writer's.
func (f *File) Write(w io.Writer, answer func(row int) verify.Result) error {
	return f.WriteRows(w, answer, func(int) bool { return true })
}

// WriteRows does what Write does, and leaves out the rows that are not to be
// kept, with their line ends.
func (f *File) WriteRows(w io.Writer, answer func(row int) verify.Result, keep func(row int) bool) error {
	out := bufio.NewWriter(w)
	done := 0 // bytes of the file
	put := func(r record, appended []string) {
		end, cells := f.own(r)
		out.Write(f.data[done:end])
		done = r.end
		for range f.width - cells {
			out.WriteByte(f.separator)
		}
		for _, cell := range appended {
			out.WriteByte(f.separator)
			out.WriteString(text.CSVCell(cell))
		}
	}
	if f.header != nil {
		put(*f.header, Columns)
	}
	for row, r := range f.records {
		if !keep(row) {
			out.Write(f.data[done:r.start])
			done = f.lineEnd(r.end)
			continue
		}
		if email, ok := f.corrected[row]; ok {
			start, end := f.place(r, f.column)
			out.Write(f.data[done:start])
			out.WriteString(text.CSVCell(email))
			done = end
		}
		a := answer(row)
		put(r, []string{string(a.State), string(a.SubState), a.DidYouMean, a.VerifiedAt})
	}
	out.Write(f.data[done:])
	return out.Flush() // it returns the first error of all
}

// lineEnd is behind the line end at a place.
func (f *File) lineEnd(at int) int {
	if bytes.HasPrefix(f.data[at:], []byte("\r\n")) {
		return at + 2
	}
	return min(at+1, len(f.data))
}

// resultOf reads the appended cells.
func resultOf(cells []string) verify.Result {
	return verify.Result{State: verify.State(cells[0]), SubState: verify.SubState(cells[1]),
		DidYouMean: unsafeCell(cells[2]), VerifiedAt: cells[3]}
}

// isAnswer tells whether a result looks like one that was written: one word for
// the state and a time, or nothing at all. A verifier may send other states than
// are known, and then the time must be there.
func isAnswer(r verify.Result) bool {
	if r.State == "" {
		return r == verify.Result{}
	}
	_, err := time.Parse(time.RFC3339, r.VerifiedAt)
	return strings.Trim(string(r.State+verify.State(r.SubState)), "abcdefghijklmnopqrstuvwxyz_") == "" &&
		(err == nil || r.VerifiedAt == "" && slices.Contains(verify.States, r.State))
}

// unsafeCell takes back the apostrophe that [text.SafeCell] puts in front of
// what looks like a formula: +tag@example.com is an address.
func unsafeCell(cell string) string {
	if rest, ok := strings.CutPrefix(cell, "'"); ok && text.SafeCell(rest) == cell {
		return rest
	}
	return cell
}
