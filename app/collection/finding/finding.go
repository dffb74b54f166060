// Package finding is how every check in this project speaks: one value per
// problem, with the place, the rule that was broken, and what would be right.
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

const (
	// severe content is wrong and must not be published.
	severe = "error"
	// mild means that the content works and could serve its readers better.
	mild = "warning"
)

// Finding is one problem in one file.
type Finding struct {
	// File is slash-separated and relative to the root of the collection.
	File string `json:"file"`
	// Line counts from 1; 0 stands for the file as a whole.
	Line int `json:"line"`
	// Rule is the name of one of [Rules]; scripts may match on it.
	Rule     string `json:"rule"`
	Severity string `json:"severity"` // "error" or "warning"
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
	rule := f.Rule
	if f.Severity == mild {
		rule += " (warning)"
	}
	return text.Printable(fmt.Sprintf("%s: %s: %s; %s", place, rule, f.Wrong, f.Right))
}

// List collects findings about one file. The zero value is not useful: set
// File first.
type List struct {
	File string
	All  []Finding
	// Most is how many findings are kept, 0 for all. Content with more is not
	// content gone wrong but something else, and millions would only fill the
	// memory.
	Most int

	dropped int
}

// Close adds, under rule, how many findings were not kept.
func (l *List) Close(line int, rule string) {
	if l.dropped > 0 {
		l.Most = 0
		l.Errorf(line, rule, "correct those first, then check again", "%d more problems are not listed", l.dropped)
	}
}

// Errorf adds an error. right says what would satisfy the rule; the format
// and its arguments say what was found.
func (l *List) Errorf(line int, rule, right, format string, args ...any) {
	l.add(line, rule, severe, right, format, args)
}

// Warnf adds a warning, as Errorf adds an error.
func (l *List) Warnf(line int, rule, right, format string, args ...any) {
	l.add(line, rule, mild, right, format, args)
}

func (l *List) add(line int, rule, severity, right, format string, args []any) {
	if l.Most > 0 && len(l.All) >= l.Most {
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
		if f.Severity == mild {
			warnings++
		} else {
			errors++
		}
	}
	return errors, warnings
}
