package main

import "strings"

// nearest is the known word that was probably meant, or empty.
func nearest(given string, known []string) string {
	given = strings.ToLower(given)
	best, least := "", 3
	for _, word := range known {
		bare := strings.TrimLeft(word, "-")
		if d := edits(strings.TrimLeft(given, "-"), strings.ToLower(bare)); d < least && d < len(bare) {
			best, least = word, d
		}
	}
	return best
}

// didYouMean is a suggestion to end a message with, or the other text.
func didYouMean(given string, known []string, otherwise string) string {
	if word := nearest(given, known); word != "" {
		return "did you mean " + word + "?"
	}
	return otherwise
}

// edits counts what must be typed otherwise: letters missing, extra, other, or
// two in the wrong order.
func edits(a, b string) int {
	if len(a) > 40 {
		return len(a)
	}
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	var beforeThat []int
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		beforeThat, before, row = before, row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			row[j] = before[j-1]
			if a[i-1] != b[j-1] {
				row[j]++
			}
			row[j] = min(row[j], before[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], beforeThat[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
