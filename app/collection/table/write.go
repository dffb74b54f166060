package table

import (
	"strings"
	"unicode/utf8"
)

const (
	// minWidth is the shortest a column may be: a delimiter of three dashes.
	minWidth = 3
	// maxWidth bounds the padding. One long cell sticks out; it does not blow
	// up every other line of the file.
	maxWidth = 60
)

// String writes the table with its columns aligned and \n at the end of each
// line. A table without columns is the empty string. Rows shorter than the
// widest one are filled with empty cells, the header too. Widths are counted in
// characters.
func (t Table) String() string {
	columns := len(t.Header)
	for _, r := range t.Rows {
		columns = max(columns, len(r.Cells))
	}
	if columns == 0 {
		return ""
	}
	header := escapeAll(t.Header)
	rows := make([][]string, len(t.Rows))
	for i, r := range t.Rows {
		rows[i] = escapeAll(r.Cells)
	}
	align := append(make([]Align, 0, columns), t.Align[:min(len(t.Align), columns)]...)
	align = align[:columns]
	width := widths(columns, header, rows)

	var b strings.Builder
	writeRow(&b, header, align, width)
	for i, w := range width {
		b.WriteString("| " + dashes(align[i], w) + " ")
	}
	b.WriteString("|\n")
	for _, cells := range rows {
		writeRow(&b, cells, align, width)
	}
	return b.String()
}

func escapeAll(cells []string) []string {
	escaped := make([]string, len(cells))
	for i, c := range cells {
		escaped[i] = escape(c)
	}
	return escaped
}

// widths returns the width of each column: that of its widest cell, of those
// that do not exceed maxWidth.
func widths(columns int, header []string, rows [][]string) []int {
	width := make([]int, columns)
	for i := range width {
		width[i] = minWidth
	}
	widen := func(cells []string) {
		for i, c := range cells {
			if n := utf8.RuneCountInString(c); n <= maxWidth {
				width[i] = max(width[i], n)
			}
		}
	}
	widen(header)
	for _, cells := range rows {
		widen(cells)
	}
	return width
}

func writeRow(b *strings.Builder, cells []string, align []Align, width []int) {
	for i, w := range width {
		cell := ""
		if i < len(cells) {
			cell = cells[i]
		}
		left, right := 0, max(0, w-utf8.RuneCountInString(cell))
		switch align[i] {
		case Right:
			left, right = right, 0
		case Center:
			left = right / 2
			right -= left
		}
		b.WriteString("| ")
		b.WriteString(strings.Repeat(" ", left))
		b.WriteString(cell)
		b.WriteString(strings.Repeat(" ", right))
		b.WriteByte(' ')
	}
	b.WriteString("|\n")
}

// dashes returns a delimiter cell of the given width.
func dashes(align Align, width int) string {
	switch align {
	case Left:
		return ":" + strings.Repeat("-", width-1)
	case Center:
		return ":" + strings.Repeat("-", width-2) + ":"
	case Right:
		return strings.Repeat("-", width-1) + ":"
	}
	return strings.Repeat("-", width)
}
