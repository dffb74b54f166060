// Package example checks the worked examples of the collection: fenced code
// blocks whose info string promises that a program has counted them. A text
// message that claims one segment, or a headline that is longer than the
// platform takes, fails the build.
//
// Most callers need one function, [Check]: it takes a block's kind, its body
// and the line of the file where the body begins, and adds what is wrong to a
// [finding.List]. Pages that draw a text message call [ParseSMS]
// for its value.
//
// Everything here is a pure function of its input and safe for concurrent
// use, as long as each goroutine has a list of its own. Any input is allowed:
// nothing panics, and time and memory grow in proportion to the size of the
// block.
//
// # Promises about findings
//
// Every problem is reported, not only the first, and every finding names a
// line of the block. A block that has hundreds of problems is not an example
// gone wrong but something else: after 500 the rest is counted in one last
// finding. What a missing part makes impossible to judge is not reported on
// top of the missing part. The rules are those of [finding.Rules] that begin
// with example-, sms-, search-ad- and json-.
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

// maxFindings is how many problems of one block are listed one by one. The
// largest honest example has about a hundred lines.
const maxFindings = 500

// Check adds to into what is wrong with one example. body is what stands
// between the fences, firstLine the line of the file on which it begins,
// counted from 1. Lines may end in LF or CR LF. Check returns false, and adds
// nothing, when kind is not one of the kinds above.
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

// block is one example being read: its lines, and the way to report on them.
// Line numbers inside the package are indexes into lines.
type block struct {
	lines []string
	first int
	into  *finding.List
	list  finding.List
}

// newBlock cuts body into lines and reports those that are not valid UTF-8.
// There is at least one line, so that an empty block can be reported on.
func newBlock(body string, firstLine int, into *finding.List) *block {
	b := &block{first: firstLine, into: into, list: finding.List{File: into.File, Max: maxFindings}}
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
	b.list.Errorf(b.first+line, rule, right, format, args...)
}

func (b *block) warnf(line int, rule finding.Rule, right, format string, args ...any) {
	b.list.Warnf(b.first+line, rule, right, format, args...)
}

// close hands over what was found.
func (b *block) close() {
	b.list.ReportDropped(b.first, "example-findings")
	b.into.All = append(b.into.All, b.list.All...)
}

// last is the index of the last line.
func (b *block) last() int { return len(b.lines) - 1 }

// rows yields the lines that are not blank, without the space around them.
func (b *block) rows() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for i, line := range b.lines {
			if row := strings.TrimSpace(line); row != "" && !yield(i, row) {
				return
			}
		}
	}
}
