package site

import (
	"strings"
	"time"
	"unicode/utf8"

	"marketingskills/app/collection"
	"marketingskills/app/text"
)

// day writes a date, YYYY-MM-DD, for people: 26 May 2026. Other texts stay as they
// are. A skill without a date was not released yet.
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

// aboutTokens estimates the number of tokens of a text, at four characters each. It
// is rounded, so that nobody takes it for a count.
func aboutTokens(s string) string {
	n := utf8.RuneCountInString(s) / 4
	step := 100
	if n < 200 {
		step = 10
	}
	return text.Number((n + step/2) / step * step)
}

func wordCount(t collection.Text) int { return len(strings.Fields(t.Doc.Text())) }

var (
	ones = []string{"No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten",
		"Eleven", "Twelve", "Thirteen", "Fourteen", "Fifteen", "Sixteen", "Seventeen", "Eighteen", "Nineteen"}
	tens = []string{"", "", "Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety"}
)

// numberInWords writes a number in words up to ninety-nine, in figures above.
func numberInWords(n int) string {
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

// countInWords writes a number in words with its noun: "Five skills".
func countInWords(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return numberInWords(n) + " " + noun
}
