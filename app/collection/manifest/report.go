package manifest

import "marketingskills/app/collection/finding"

// maxFindings bounds a report. A file with more problems than this is not a
// manifest, and a list of millions would only exhaust the browser.
const maxFindings = 10_000

// report collects findings about VERSIONS.md.
type report struct {
	list    finding.List
	dropped int
}

func newReport() *report { return &report{list: finding.List{File: File}} }

func (r *report) errorf(line int, rule, right, format string, args ...any) {
	if !r.full() {
		r.list.Errorf(line, rule, right, format, args...)
	}
}

func (r *report) warnf(line int, rule, right, format string, args ...any) {
	if !r.full() {
		r.list.Warnf(line, rule, right, format, args...)
	}
}

// full counts the finding that there is no room for.
func (r *report) full() bool {
	if len(r.list.All) < maxFindings {
		return false
	}
	r.dropped++
	return true
}

// sorted returns what was found, in the order of the lines.
func (r *report) sorted() []finding.Finding {
	if r.dropped > 0 {
		r.list.Errorf(0, "manifest-too-many", "check that this is the right file",
			"%d more problems were found than the %d listed", r.dropped, maxFindings)
	}
	finding.Sort(r.list.All)
	return r.list.All
}
