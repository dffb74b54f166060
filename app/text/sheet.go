package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxCell is the longest text of a cell, in characters. A spreadsheet puts what is
// beyond 32,767 into the next row, where it could begin a formula.
const maxCell = 32_000

// SafeCell returns a text for a cell of a spreadsheet: [Plain], on one line, with
// at most 32,000 characters, and with an apostrophe before what a spreadsheet
// would run as a formula ('@acme can still be read). A formula can begin at the
// start, and after a semicolon, which separates cells in German, French and many
// other spreadsheets; there, quotation marks before it do not help.
func SafeCell(s string) string {
	s = strings.TrimSpace(strings.ReplaceAll(Plain(s), "\n", " "))
	if utf8.RuneCountInString(s) > maxCell {
		s = strings.TrimSpace(string([]rune(s)[:maxCell-1])) + "…"
	}
	parts := strings.Split(s, ";")
	for i, part := range parts {
		if formula(part) || i > 0 && formula(strings.ReplaceAll(part, `"`, "")) {
			parts[i] = "'" + part
		}
	}
	return strings.Join(parts, ";")
}

// CSVCell is [SafeCell] as it stands in a CSV file (RFC 4180), whether its
// separator is a comma, a semicolon or a tab. Cells with a semicolon are quoted
// in any file, because spreadsheets may take it for the separator.
func CSVCell(s string) string {
	s = SafeCell(s)
	if strings.ContainsAny(s, `,;"`) {
		s = `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// formula tells whether the first visible character starts a formula: = + - @ and
// their full-width and small forms.
func formula(s string) bool {
	for _, r := range s {
		switch {
		case unicode.IsSpace(r), unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			continue
		}
		return strings.ContainsRune("=+-@＝＋－＠﹦﹢﹣﹫", r)
	}
	return false
}
