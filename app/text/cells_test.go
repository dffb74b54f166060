package text

import (
	"slices"
	"strings"
	"testing"
)

func TestCells(t *testing.T) {
	for row, want := range map[string][]string{
		"| a | b |": {"a", "b"}, "a|b": {"a", "b"}, " | a | ": {"a"}, "|": {""}, "": {""}, "||": {""}, "| a || b |": {"a", "", "b"},
		`| a \| b | c\|`: {"a | b", "c|"}, `a \\| b`: {`a \| b`}, "\t|a|b|\r": {"a", "b"}, "a|b|": {"a", "b"},
	} {
		if got := Cells(row); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", row, got, want)
		}
	}
}

func TestQuote(t *testing.T) {
	for s, want := range map[string]string{
		"ads": `"ads"`, "": `""`, "a\x1b[2J\n": `"a\x1b[2J\n"`, "\u202e": `"\u202e"`,
		strings.Repeat("é", 50): `"` + strings.Repeat("é", 40) + `…"`,
	} {
		if got := Quote(s); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
}
