// Package relevance runs lists of queries with the skills they ought to find,
// so that the quality of search is data which anyone can edit.
//
// A list is a text file of blocks parted by blank lines:
//
//	What this query stands for
//	query: paid-ads
//	expect: ads | ad-creative
//
// The names after expect are equally right. Lines that begin with # are
// comments. [Load] or [Parse] read a list, [Run] tries it on a search.
package relevance

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Case is one query and what it ought to find.
type Case struct {
	Title string
	Query string
	// Expect holds at least one name; any of them is right.
	Expect []string
	// Line is where the case starts in its list, counted from 1.
	Line int
}

// Load reads a list from a file of fsys.
func Load(fsys fs.FS, path string) ([]Case, error) {
	data, err := fs.ReadFile(fsys, path)
	if err != nil {
		return nil, err
	}
	cases, err := Parse(string(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return cases, nil
}

// Parse reads a list.
func Parse(text string) ([]Case, error) {
	var cases []Case
	var open *Case
	number := 0
	for line := range strings.Lines(text + "\n\n") {
		number++
		line = strings.TrimRight(line, "\r\n")
		key, value, _ := strings.Cut(line, ": ")
		switch {
		case strings.HasPrefix(line, "#"):
		case line == "":
			if open != nil && (open.Query == "" || len(open.Expect) == 0) {
				return nil, fmt.Errorf("line %d: %q needs a query and an expect line", open.Line, open.Title)
			}
			open = nil
		case open == nil:
			cases = append(cases, Case{Title: line, Line: number})
			open = &cases[len(cases)-1]
		case key == "query":
			open.Query = value
		case key == "expect":
			for name := range strings.SplitSeq(value, "|") {
				if name = strings.TrimSpace(name); name == "" {
					return nil, fmt.Errorf("line %d: an empty name", number)
				}
				open.Expect = append(open.Expect, name)
			}
		default:
			return nil, fmt.Errorf("line %d: neither query nor expect: %q", number, line)
		}
	}
	return cases, nil
}

// Report counts how a list went.
type Report struct {
	// Total counts the cases tried, Skipped those whose skill is not indexed.
	Total, Skipped int
	// First and Three count the cases with a right skill first, and among the
	// first three.
	First, Three int
	// Missed are the cases without a right skill first.
	Missed []Miss
}

// Miss is a case that did not find a right skill first.
type Miss struct {
	Case
	// Got holds up to three names found.
	Got []string
}

// Run tries the cases whose skills are among the given names. search returns
// the names of the skills it finds for a query, best first.
func Run(search func(query string) []string, names []string, cases []Case) Report {
	var r Report
	for _, c := range cases {
		if !slices.ContainsFunc(c.Expect, func(n string) bool { return slices.Contains(names, n) }) {
			r.Skipped++
			continue
		}
		r.Total++
		got := search(c.Query)
		got = got[:min(3, len(got))]
		at := slices.IndexFunc(got, func(n string) bool { return slices.Contains(c.Expect, n) })
		if at >= 0 {
			r.Three++
		}
		if at == 0 {
			r.First++
		} else {
			r.Missed = append(r.Missed, Miss{c, got})
		}
	}
	return r
}

// String gives the figures without the queries, fit for a list held back.
func (r Report) String() string {
	return fmt.Sprintf("%d queries (%d skipped): first %d (%.1f%%), in the first three %d (%.1f%%)",
		r.Total, r.Skipped, r.First, percent(r.First, r.Total), r.Three, percent(r.Three, r.Total))
}

// Reaches reports whether at least so many percent are right first and in the
// first three. An empty report reaches everything.
func (r Report) Reaches(first, three float64) bool {
	return percent(r.First, r.Total) >= first && percent(r.Three, r.Total) >= three
}

func percent(n, of int) float64 {
	if of == 0 {
		return 100
	}
	return 100 * float64(n) / float64(of)
}
