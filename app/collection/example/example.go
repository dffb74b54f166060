// Package example checks the worked examples of the collection: fenced code
// blocks whose info string says that a program checks them. A text message that
// states a wrong number of segments, or a headline that is longer than the
// platform takes, is a finding.
//
// Most callers need one function, [Check]: it takes a block's kind, its body
// and the line of the file where the body begins, and adds what is wrong to a
// [finding.List]. Pages that draw a text message call [ParseSMS] for its value.
//
// Functions depend on nothing but their arguments and are safe for concurrent
// use, as long as each goroutine has a list of its own. Any input is allowed:
// nothing panics, and time and memory grow in proportion to the size of the
// block.
//
// # Findings
//
// Every problem is reported, not only the first, and every finding names a
// line of the block. After 500 findings the rest is counted in one last
// finding. Where a part is missing, only that is reported, not what cannot be
// checked without it. The rules are those of [finding.Rules] that begin with
// example-, sms-, search-ad- and json-.
package example

import (
	"iter"
	"strings"
	"unicode/utf8"

	"marketingskills/app/collection/finding"
	"marketingskills/app/text"
)

// The kinds of checked example, as the info string of the fence spells them,
// beside the fields of a search ad ([AdLabel]).
const (
	KindSMS  = "sms"
	KindJSON = "json"
)

// Kinds lists all of them.
func Kinds() []string {
	kinds := []string{KindSMS, KindJSON}
	for _, f := range adFields {
		kinds = append(kinds, f.kind)
	}
	return kinds
}

// maxFindings is how many problems of one block are listed one by one. Examples
// have about a hundred lines at most.
const maxFindings = 500

// Check adds to into what is wrong with an example. body is the text between the
// fences, firstLine the line of the file on which it begins, counted from 1.
// Lines may end in LF or CR LF. Check returns false, and adds nothing, when kind
// is not one of [Kinds].
func Check(kind, body string, firstLine int, into *finding.List) bool {
	switch kind {
	case KindSMS:
		ParseSMS(body, firstLine, into)
	case KindJSON:
		checkJSON(body, firstLine, into)
	default:
		return checkAd(kind, body, firstLine, into)
	}
	return true
}

// block is an example that is being checked. Line numbers inside the package are
// indexes of lines.
type block struct {
	lines     []string
	firstLine int           // in the file
	found     finding.List  // at most maxFindings
	into      *finding.List // which report adds found to
}

// newBlock cuts body into lines and reports those that are not valid UTF-8. It has
// at least one line, on which an empty block is reported.
func newBlock(body string, firstLine int, into *finding.List) *block {
	b := &block{firstLine: firstLine, into: into, found: finding.List{File: into.File, Max: maxFindings}}
	b.lines = strings.Split(strings.TrimSuffix(body, "\n"), "\n")
	for i, line := range b.lines {
		b.lines[i] = strings.TrimSuffix(line, "\r")
		if !utf8.ValidString(line) {
			b.errorf(i, "example-utf8", "save the file as UTF-8", "%s is not valid UTF-8", text.Quote(line))
		}
	}
	return b
}

func (b *block) errorf(line int, rule finding.Rule, right, format string, args ...any) {
	b.found.Errorf(b.firstLine+line, rule, right, format, args...)
}

func (b *block) warnf(line int, rule finding.Rule, right, format string, args ...any) {
	b.found.Warnf(b.firstLine+line, rule, right, format, args...)
}

// report adds the findings to the list that the caller passed.
func (b *block) report() {
	b.found.ReportDropped(b.firstLine, "example-findings")
	b.into.All = append(b.into.All, b.found.All...)
}

// lastIndex returns the index of the last line.
func (b *block) lastIndex() int { return len(b.lines) - 1 }

// rows yields the lines that are not blank, by index, without the space around
// them.
func (b *block) rows() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for i, line := range b.lines {
			if row := strings.TrimSpace(line); row != "" && !yield(i, row) {
				return
			}
		}
	}
}
