package site

import (
	"strings"
	"time"
	"unicode/utf8"

	"marketingskills/app/collection"
	"marketingskills/app/text"
)

// day writes a date as people do: 2026-05-26 becomes 26 May 2026. What is not
// a date stays as it is; a skill without one waits for its first release.
func day(date string) string {
	if date == "" {
		return "not released yet"
	}
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date
	}
	return t.Format("2 January 2006")
}

// aboutTokens estimates how many tokens a text costs, at four characters each,
// rounded so that nobody takes it for a count.
func aboutTokens(s string) string {
	n := utf8.RuneCountInString(s) / 4
	step := 100
	if n < 200 {
		step = 10
	}
	return text.Number((n + step/2) / step * step)
}

func words(t collection.Text) int { return len(strings.Fields(t.Doc.Text())) }

var (
	ones = []string{"No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten",
		"Eleven", "Twelve", "Thirteen", "Fourteen", "Fifteen", "Sixteen", "Seventeen", "Eighteen", "Nineteen"}
	tens = []string{"", "", "Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety"}
)

// inCount writes a number in words up to ninety-nine, in figures above.
func inCount(n int) string {
	switch {
	case n < len(ones):
		return ones[n]
	case n >= 100:
		return text.Number(n)
	case n%10 == 0:
		return tens[n/10]
	default:
		return tens[n/10] + "-" + strings.ToLower(ones[n%10])
	}
}

// inWords counts things in words.
func inWords(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return inCount(n) + " " + noun
}
