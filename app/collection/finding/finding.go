// Package finding is what the checks of the collection report: one value per
// problem, with its place, the rule that was broken, and what would be right.
//
// Checks collect findings and carry on; nothing stops at the first. A finding
// is not an error: errors say that a check could not run at all. Reading a file
// is a check, too: [List.Read] says what is wrong with it.
package finding

import (
	"cmp"
	"fmt"
	"slices"

	"marketingskills/app/text"
)

// Severity says how much a finding matters.
type Severity string

const (
	// Error means that the content is wrong and must not be published.
	Error Severity = "error"
	// Warning means that the content works and could serve its readers better.
	Warning Severity = "warning"
)

// Finding is one problem in one file.
type Finding struct {
	// File is slash-separated and relative to the root of the collection.
	File string `json:"file"`
	// Line counts from 1; 0 stands for the file as a whole.
	Line int `json:"line"`
	// Rule is one of [Rules]; scripts may match on it.
	Rule     Rule     `json:"rule"`
	Severity Severity `json:"severity"`
	// Wrong says what was found, Right what would satisfy the rule.
	Wrong string `json:"wrong"`
	Right string `json:"right"`
}

// String prints the finding on one line: file:line: rule: wrong; right. What
// would break the line or act on a terminal is shown escaped, since file names
// and texts can hold anything.
func (f Finding) String() string {
	place := f.File
	if f.Line > 0 {
		place = fmt.Sprintf("%s:%d", f.File, f.Line)
	}
	rule := string(f.Rule)
	if f.Severity == Warning {
		rule += " (warning)"
	}
	return text.Printable(fmt.Sprintf("%s: %s: %s; %s", place, rule, f.Wrong, f.Right))
}

// List collects findings about one file. The zero value is not useful: set
// File first.
type List struct {
	File string
	All  []Finding
	// Max is how many findings are kept, 0 for all. A file with thousands of
	// problems was not meant to be what it is checked as, and listing them all
	// would only fill the memory.
	Max int

	dropped int
}

// ReportDropped adds, under rule, how many findings were not kept, if any.
func (l *List) ReportDropped(line int, rule Rule) {
	if l.dropped > 0 {
		l.Max = 0
		l.Errorf(line, rule, "correct those first, then check again", "%d more problems are not listed", l.dropped)
	}
}

// Errorf adds an error. right says what would satisfy the rule; the format
// and its arguments say what was found.
func (l *List) Errorf(line int, rule Rule, right, format string, args ...any) {
	l.add(line, rule, Error, right, format, args)
}

// Warnf adds a warning, as Errorf adds an error.
func (l *List) Warnf(line int, rule Rule, right, format string, args ...any) {
	l.add(line, rule, Warning, right, format, args)
}

func (l *List) add(line int, rule Rule, severity Severity, right, format string, args []any) {
	if l.Max > 0 && len(l.All) >= l.Max {
		l.dropped++
		return
	}
	l.All = append(l.All, Finding{
		File: l.File, Line: line, Rule: rule, Severity: severity,
		Wrong: text.Clip(fmt.Sprintf(format, args...), maxText), Right: text.Clip(right, maxText),
	})
}

// Report collects the findings about many files. The zero value is an empty
// report.
type Report struct{ lists []*List }

// On returns an empty list for findings about a file.
func (r *Report) On(file string) *List {
	list := &List{File: file}
	r.lists = append(r.lists, list)
	return list
}

// Add takes over findings of another report.
func (r *Report) Add(found []Finding) { r.lists = append(r.lists, &List{All: found}) }

// All returns the findings, sorted.
func (r *Report) All() []Finding {
	var all []Finding
	for _, list := range r.lists {
		all = append(all, list.All...)
	}
	Sort(all)
	return all
}

// maxText is how long a text of a finding gets, in bytes. Findings quote what
// they found, and that can be a whole file written on one line.
const maxText = 400

// Sort orders findings by file, line and rule, so that reports are stable.
func Sort(all []Finding) {
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Rule, b.Rule),
		)
	})
}

// Count returns how many of the findings are errors and how many warnings.
func Count(all []Finding) (errors, warnings int) {
	for _, f := range all {
		if f.Severity == Warning {
			warnings++
		} else {
			errors++
		}
	}
	return errors, warnings
}
