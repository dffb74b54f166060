package text

import (
	"slices"
	"strings"
)

// Cells cuts a row of a Markdown table at its pipes. Outer pipes and the
// spaces around a cell are dropped, and \| becomes |.
func Cells(row string) []string {
	row = strings.TrimPrefix(strings.TrimSpace(row), "|")
	if strings.HasSuffix(row, "|") && !strings.HasSuffix(row, `\|`) {
		row = row[:len(row)-1]
	}
	var cells []string
	start := 0
	for i := 0; i <= len(row); i++ {
		if i == len(row) || row[i] == '|' && (i == 0 || row[i-1] != '\\') {
			cells = append(cells, strings.ReplaceAll(strings.TrimSpace(row[start:i]), `\|`, "|"))
			start = i + 1
		}
	}
	return cells
}

// Column returns the index of a title in the head of a table, -1 if it is not
// there. Case and space do not count.
func Column(head []string, title string) int {
	return slices.IndexFunc(head, func(h string) bool { return strings.EqualFold(strings.Join(strings.Fields(h), " "), title) })
}
