package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Number writes a number with commas between thousands: 12,345.
func Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Count writes a number with a noun, which is given in the singular: "1 match",
// "12,345 people".
func Count(n int, noun string) string {
	if n != 1 {
		noun = plural(noun)
	}
	return Number(n) + " " + noun
}

// plural is right for the nouns that pages and commands count.
func plural(noun string) string {
	switch {
	case strings.HasSuffix(noun, "person"):
		return strings.TrimSuffix(noun, "person") + "people"
	case strings.HasSuffix(noun, "s"), strings.HasSuffix(noun, "ch"):
		return noun + "es"
	case strings.HasSuffix(noun, "ry"), strings.HasSuffix(noun, "ly"):
		return strings.TrimSuffix(noun, "y") + "ies"
	}
	return noun + "s"
}

// List joins words as a sentence does: "a, b and c".
func List(words []string) string { return join(words, " and ") }

// Either joins words of which one is meant: "a, b or c".
func Either(words []string) string { return join(words, " or ") }

func join(words []string, last string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + last + words[n-1]
	}
	return strings.Join(words, "")
}

// Capital returns s with its first letter as a capital.
func Capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}

// Sentence makes a sentence of the text of an error.
func Sentence(words string) string { return strings.TrimSuffix(Capital(words), ".") + "." }
