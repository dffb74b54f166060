package main

import (
	"strings"

	"marketingskills/tools/clis/internal/spelling"
)

// nearest is the known word that was probably meant, or empty.
func nearest(given string, known []string) string {
	given = strings.ToLower(given)
	best, least := "", 3
	for _, word := range known {
		bare := strings.TrimLeft(word, "-")
		if d := spelling.Edits(strings.TrimLeft(given, "-"), strings.ToLower(bare)); d < least && d < len(bare) {
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
