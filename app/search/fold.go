package search

import (
	"unicode"
	"unicode/utf8"
)

// latinBase has the letters U+00C0 to U+017F without their accents, in two bytes
// each. golang.org/x/text does this for every script, but its tables would be
// part of what the browser downloads.
const latinBase = "" +
	"a a a a a a aec e e e e i i i i " + // À
	"d n o o o o o   o u u u u y thss" + // Ð
	"a a a a a a aec e e e e i i i i " + // à
	"d n o o o o o   o u u u u y thy " + // ð
	"a a a a a a c c c c c c c c d d " + // Ā
	"d d e e e e e e e e e e g g g g " + // Đ
	"g g g g h h h h i i i i i i i i " + // Ġ
	"i i ijijj j k k k l l l l l l l " + // İ
	"l l l n n n n n n n n n o o o o " + // ŀ
	"o o oeoer r r r r r s s s s s s " + // Ő
	"s s t t t t t t u u u u u u u u " + // Š
	"u u u u w w y y y z z z z z z s " // Ű

// appendFolded adds a letter or digit in its searchable spelling: lower case,
// Latin letters without accents, ligatures and full-width forms undone.
func appendFolded(dst []byte, r rune) []byte {
	switch {
	case r < utf8.RuneSelf:
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return append(dst, byte(r))
	case 0xC0 <= r && r <= 0x17F:
		pair := latinBase[2*(r-0xC0):][:2]
		if pair[1] == ' ' {
			return append(dst, pair[0])
		}
		return append(dst, pair...)
	case 0xFF01 <= r && r <= 0xFF5E:
		return appendFolded(dst, r-0xFF01+'!')
	case r == 'ﬁ':
		return append(dst, "fi"...)
	case r == 'ﬂ':
		return append(dst, "fl"...)
	}
	return utf8.AppendRune(dst, unicode.ToLower(r))
}

// runeKind says what a rune does to a word.
type runeKind uint8

const (
	separator  runeKind = iota // ends a word
	letter                     // belongs to a word
	joiner                     // links two words if it stands directly between them
	ignored                    // leaves no trace: accents apart, soft hyphens
	apostrophe                 // vanishes inside a word, ends it otherwise
)

func kindOf(r rune) runeKind {
	if r < utf8.RuneSelf {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			return letter
		case r == '\'':
			return apostrophe
		case r == '-', r == '/', r == '.', r == '_', r == '&', r == '+':
			return joiner
		}
		return separator
	}
	switch r {
	case '×', '÷', utf8.RuneError:
		return separator
	case '’', 'ʼ':
		return apostrophe
	case '‐', '‑': // typographic hyphens; dashes break
		return joiner
	case '\u00AD', '\u200B', '\u200C', '\u200D', '\u2060', '\uFEFF':
		return ignored
	}
	switch {
	case unicode.IsLetter(r), unicode.IsNumber(r):
		return letter
	case unicode.Is(unicode.Mn, r):
		return ignored
	}
	return separator
}
