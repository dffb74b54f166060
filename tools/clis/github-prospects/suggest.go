package main

import "marketingskills/app/text"

// didYouMean is a suggestion to end a message with, or the other text.
func didYouMean(given string, known []string, otherwise string) string {
	if word := text.Nearest(given, known, 2); word != "" {
		return "did you mean " + word + "?"
	}
	return otherwise
}
