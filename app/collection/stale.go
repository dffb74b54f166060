package collection

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"marketingskills/app/collection/facts"
	"marketingskills/app/collection/finding"
)

// Stale reports the facts, guides of tools, their sources, and tables of vendors
// that were last checked before a month, YYYY-MM. Each finding says where to read it again.
func (c *Collection) Stale(before string) []finding.Finding {
	var report finding.Report
	stale := func(file string, line int, what, checked, right string) {
		if checked != "" && checked < before {
			report.On(file).Errorf(line, "stale", right, "%s was looked up in %s", what, facts.FormatDate(checked[:len("2006-01")]))
		}
	}
	for _, f := range c.Facts {
		var pages []string
		for _, s := range f.Sources {
			pages = append(pages, s.URL)
		}
		stale(facts.FileOf(f.Channel), f.Line, fmt.Sprintf("the fact %q", f.ID), f.LastRead(), "read it again at "+strings.Join(pages, " or "))
	}
	for _, t := range c.Tools.Tools {
		stale(t.Guide.File, 0, "the guide of "+t.Name, t.Guide.Checked, "read it again at the pages that it links, then write the day")
		for _, s := range t.Guide.Sources {
			stale(t.Guide.File, s.Line, "a source of "+t.Name, s.Read, "read it again at "+s.URL+", then write the month")
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.Vendors)) {
		t := c.Vendors[id]
		stale(vendorTables+"/"+id+".json", 0, "the table of "+t.Name, t.Checked, "read it again at "+t.Docs)
	}
	return report.All()
}
