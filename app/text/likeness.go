package text

import (
	"strings"
	"unicode/utf8"
)

// longestWord is the most bytes of a word that [Edits] compares.
const longestWord = 100

// Edits counts the letters added, left out, changed or swapped with their
// neighbour between two words (the optimal string alignment distance). Words of
// more than 100 bytes are not compared: it returns the length of the longer one.
//
// The project measures the likeness of words only with this function; callers
// decide how many edits they allow. It is not taken from a library, because those
// count a swap, which is one slip of the fingers, as two edits, and because
// commands that are given a token use no libraries. A test compares it with one.
func Edits(a, b string) int {
	if max(len(a), len(b)) > longestWord {
		return max(len(a), len(b))
	}
	x, y := []rune(a), []rune(b)
	var rows [3][longestWord + 1]uint8
	twoBefore, before, row := &rows[0], &rows[1], &rows[2]
	for j := range row[:len(y)+1] {
		row[j] = uint8(j)
	}
	for i := range x {
		twoBefore, before, row = before, row, twoBefore
		row[0] = uint8(i + 1)
		for j := range y {
			least := before[j]
			if x[i] != y[j] {
				least = 1 + min(before[j], before[j+1], row[j])
			}
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				least = min(least, 1+twoBefore[j-1])
			}
			row[j+1] = least
		}
	}
	return int(row[len(y)])
}

// Likeness is the share of letters that stand in both words in the same order,
// as [Edits] counts them: 1 for the same word, 0 if every letter differs.
func Likeness(a, b string) float64 {
	longer := max(utf8.RuneCountInString(a), utf8.RuneCountInString(b))
	if longer == 0 {
		return 1
	}
	return max(0, 1-float64(Edits(a, b))/float64(longer))
}

// Nearest returns the known word that was probably meant, "" when none is within
// maxEdits or all of its letters would have to change. Case and leading hyphens do
// not count; of two that are equally near, it returns the first.
func Nearest(given string, known []string, maxEdits int) string {
	bare := func(s string) string { return strings.ToLower(strings.TrimLeft(s, "-")) }
	best, least := "", maxEdits+1
	given = bare(given)
	for _, word := range known {
		if d := Edits(given, bare(word)); d < least && d < utf8.RuneCountInString(bare(word)) {
			best, least = word, d
		}
	}
	return best
}
