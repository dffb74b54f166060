package manifest

import (
	"strings"

	"marketingskills/app/text"
)

// ReadRows returns the rows of the table of current versions in a VERSIONS.md
// or a piece of one, for the browser, which has no Markdown library. It knows
// tables and fenced code and takes the rest for prose. Package versionsfile
// reads such a file whole, and says what is wrong with it.
func ReadRows(source string) []Row {
	source = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\ufeff", "").Replace(source)
	var rows []Row
	var columns []int // where skill, version and date stand; nil outside the table
	fence := ""
	line := 0
	for row := range strings.SplitSeq(source, "\n") {
		line++
		row = strings.TrimSpace(row)
		mark := row[:min(3, len(row))]
		switch {
		case fence != "":
			if mark == fence {
				fence = ""
			}
		case mark == "```" || mark == "~~~":
			fence, columns = mark, nil
		case !strings.Contains(row, "|"):
			columns = nil
		case columns == nil:
			columns = versionColumns(text.Cells(row))
		case strings.Trim(row, "|:- \t") != "":
			cells := text.Cells(row)
			cell := func(i int) string {
				if at := columns[i]; at >= 0 && at < len(cells) {
					return cells[at]
				}
				return ""
			}
			rows = append(rows, Row{Skill: cell(0), Version: Version(cell(1)), Updated: cell(2), Line: line})
		}
	}
	return rows
}

// versionColumns returns where a table with this head has the skill, its
// version and the date, -1 for a missing date; nil when it is another table.
func versionColumns(head []string) []int {
	at := make([]int, 3)
	for i, title := range []string{"skill", "version", "last updated"} {
		at[i] = text.Column(head, title)
	}
	if at[0] < 0 || at[1] < 0 {
		return nil
	}
	return at
}
