package text

import "strings"

// longestWord is the most bytes of a word that [Edits] compares.
const longestWord = 100

// Edits counts the letters added, left out, changed or swapped with their
// neighbour between two words, in bytes (the optimal string alignment
// distance): the slips of fingers on a keyboard, in which a swap is one slip.
// It is written out because commands that are given a token link no library;
// search has one. Words of more than 100 bytes are not compared: the length of
// the longer one is the answer.
func Edits(a, b string) int {
	if max(len(a), len(b)) > longestWord {
		return max(len(a), len(b))
	}
	var rows [3][longestWord + 1]uint8
	twoBefore, before, row := &rows[0], &rows[1], &rows[2]
	for j := range row {
		row[j] = uint8(j)
	}
	for i := 1; i <= len(a); i++ {
		twoBefore, before, row = before, row, twoBefore
		row[0] = uint8(i)
		for j := 1; j <= len(b); j++ {
			row[j] = before[j-1]
			if a[i-1] != b[j-1] {
				row[j]++
			}
			row[j] = min(row[j], before[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], twoBefore[j-2]+1)
			}
		}
	}
	return int(row[len(b)])
}

// Nearest returns the known word that was probably meant, "" when none is
// within so many edits or all of its letters would have to change. Case and
// leading hyphens do not count; of two as near, the first wins.
func Nearest(given string, known []string, most int) string {
	bare := func(s string) string { return strings.ToLower(strings.TrimLeft(s, "-")) }
	best, least := "", most+1
	given = bare(given)
	for _, word := range known {
		// Most words differ in length alone by more.
		if gap := len(given) - len(bare(word)); gap > most || -gap > most {
			continue
		}
		if d := Edits(given, bare(word)); d < least && d < len(bare(word)) {
			best, least = word, d
		}
	}
	return best
}
