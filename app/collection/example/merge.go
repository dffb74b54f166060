package example

import (
	"iter"
	"strings"
)

// pieces cuts text into the names of merge fields (true) and what stands
// between them (false).
func pieces(text string) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		start := 0
		for i := 0; i < len(text); {
			n := fieldLen(text[i:])
			if n == 0 {
				i++
				continue
			}
			if start < i && !yield(text[start:i], false) || !yield(text[i+1:i+n-1], true) {
				return
			}
			i += n
			start = i
		}
		if start < len(text) {
			yield(text[start:], false)
		}
	}
}

// isField returns whether text is one merge field and nothing else.
func isField(text string) bool { return fieldLen(text) == len(text) }

// fieldLen returns the length of the merge field that text begins with, braces
// included, or 0. It stops at the first byte that cannot belong to one, a
// second brace among them, so that looking everywhere takes linear time.
func fieldLen(text string) int {
	if len(text) < 3 || text[0] != '{' || text[1] < 'a' || text[1] > 'z' {
		return 0
	}
	for i := 2; i < len(text); i++ {
		switch c := text[i]; {
		case c == '}':
			return i + 1
		case c != '_' && (c < 'a' || c > 'z') && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}

// fill puts values into the merge fields of text; what a value holds is not
// read again. It returns false, and builds nothing, when the result would be
// longer than can be sent: a small block could otherwise ask for gigabytes.
func fill(text string, values map[string]string) (string, bool) {
	size := 0
	for piece := range filled(text, values) {
		if size += len(piece); size > maxBytes {
			return "", false
		}
	}
	var message strings.Builder
	message.Grow(size)
	for piece := range filled(text, values) {
		message.WriteString(piece)
	}
	return message.String(), true
}

func filled(text string, values map[string]string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for piece, isField := range pieces(text) {
			if isField {
				piece = values[piece]
			}
			if !yield(piece) {
				return
			}
		}
	}
}
