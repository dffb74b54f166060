package csvfile

import (
	"bufio"
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
		a := answer(row)
		put(r, []string{string(a.State), string(a.SubState), a.DidYouMean, a.VerifiedAt})
	}
	out.Write(f.data[done:])
	return out.Flush() // it returns the first error of all
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
