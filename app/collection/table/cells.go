package table

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// space is what may surround a cell, line ends included.
const space = " \t\v\f\r\n"

// Split returns the cells of one row. Spaces around a cell are dropped, and so
// are the outer pipes; \| becomes |.
func Split(line string) []string {
	bounds := cellBounds(line)
	cells := make([]string, len(bounds))
	for i, b := range bounds {
		cells[i] = strings.ReplaceAll(strings.Trim(line[b.start:b.end], space), `\|`, "|")
	}
	return cells
}

// bound is where a cell lies in its line, from behind one pipe up to the next.
type bound struct{ start, end int }

func cellBounds(line string) []bound {
	end := len(strings.TrimRight(line, space))
	start := len(line) - len(strings.TrimLeft(line, space))
	if start < end && line[start] == '|' {
		start++
	}
	var bounds []bound
	for i := start; i < end; i++ {
		// Whatever stands before the backslash, \| is a pipe: GitHub looks no
		// further back either.
		if line[i] == '|' && (i == 0 || line[i-1] != '\\') {
			bounds = append(bounds, bound{start, i})
			start = i + 1
		}
	}
	if start < end {
		bounds = append(bounds, bound{start, end})
	}
	return bounds
}

// SetCell returns the line with cell i changed to text and everything else as
// it was. Where there is room, the cell keeps its width, so that an aligned
// table stays aligned. It returns the line unchanged and false when the row has
// no such cell, or when the row could not hold the text without changing
// another cell, as an empty last cell in a row without an outer pipe.
func SetCell(line string, i int, text string) (string, bool) {
	bounds := cellBounds(line)
	if i < 0 || i >= len(bounds) {
		return line, false
	}
	old := line[bounds[i].start:bounds[i].end]
	set := line[:bounds[i].start] + refill(old, escape(text)) + line[bounds[i].end:]

	want := Split(line)
	want[i] = oneLine(text)
	if !slices.Equal(Split(set), want) {
		return line, false
	}
	return set, true
}

// refill puts text where the content of an old cell stood: the spaces on its
// left remain, those on its right give way or fill up. A cell with a wide
// margin on its left only is taken for one set to the right, the other way
// round.
func refill(old, text string) string {
	left, content, right := margins(old)
	room := utf8.RuneCountInString(content) - utf8.RuneCountInString(text)
	if right == "" && strings.HasSuffix(text, `\`) {
		right = " " // the pipe that follows must not look escaped
		room--
	}
	setRight := len(left) > 1 && len(right) <= 1
	switch {
	case room >= 0 && setRight:
		return left + strings.Repeat(" ", room) + text + right
	case room >= 0 && right != "":
		return left + text + strings.Repeat(" ", room) + right
	case setRight:
		return left[:max(1, len(left)+room)] + text + right
	case len(right) > 1:
		return left + text + right[:max(1, len(right)+room)]
	}
	return left + text + right
}

// margins cuts a cell into its content and the spaces on either side. The
// spaces of an empty cell are on its right, but for the first.
func margins(cell string) (left, content, right string) {
	content = strings.Trim(cell, space)
	start := len(cell) - len(strings.TrimLeft(cell, space))
	if content == "" {
		start = min(1, len(cell))
	}
	return cell[:start], content, cell[start+len(content):]
}

// escape returns the text of a cell as it is written.
func escape(text string) string {
	return strings.ReplaceAll(oneLine(text), "|", `\|`)
}

// oneLine turns line ends into spaces, which is the most a cell can hold.
func oneLine(text string) string {
	if strings.ContainsAny(text, "\r\n") {
		text = strings.NewReplacer("\r\n", " ", "\r", " ", "\n", " ").Replace(text)
	}
	return strings.Trim(text, space)
}
