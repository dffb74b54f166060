package search

import (
	"unicode"
	"unicode/utf8"
)

// latinBase spells the letters U+00C0 to U+017F without their accents, one
// field of two bytes each: golang.org/x/text does this for every script but
// would add its tables to the browser's download.
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

// kind sorts runes by what they do to a word.
type kind uint8

const (
	breaks    kind = iota // ends a word
	letter                // belongs to a word
	joins                 // links two words if it stands directly between them
	vanishes              // leaves no trace: accents apart, soft hyphens
	apostroph             // vanishes inside a word, ends it otherwise
)

func kindOf(r rune) kind {
	if r < utf8.RuneSelf {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			return letter
		case r == '\'':
			return apostroph
		case r == '-', r == '/', r == '.', r == '_', r == '&', r == '+':
			return joins
		}
		return breaks
	}
	switch r {
	case '×', '÷', utf8.RuneError:
		return breaks
	case '’', 'ʼ':
		return apostroph
	case '‐', '‑': // typographic hyphens; dashes break
		return joins
	case '\u00AD', '\u200B', '\u200C', '\u200D', '\u2060', '\uFEFF':
		return vanishes
	}
	switch {
	case unicode.IsLetter(r), unicode.IsNumber(r):
		return letter
	case unicode.Is(unicode.Mn, r):
		return vanishes
	}
	return breaks
}
