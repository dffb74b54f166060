package example

import (
	"strings"
	"unicode"
)

// adLength returns the length of an ad's text as the ad platforms count it
// against their limits: a character counts 1, one of double width (Chinese,
// Japanese, Korean, fullwidth forms, most emoji) counts 2, and a keyword
// insertion, {KeyWord:Default}, counts as its default text.
//
// Sources: support.google.com/admob/answer/6177141 (limits halved for
// double-width languages); Microsoft's "Update to the maximum character limit
// check" (each character counted by its own width, whatever the language).
func adLength(text string) int {
	text, _ = expand(text)
	length := 0
	for _, r := range text {
		length++
		if unicode.Is(wide, r) {
			length++
		}
	}
	return length
}

// expand replaces each keyword insertion by its default text. It returns false
// when one is not closed, and stays, or has no default.
func expand(text string) (expanded string, ok bool) {
	const opening = "{keyword:"
	ok = true
	if !strings.Contains(text, "{") {
		return text, ok
	}
	var out strings.Builder
	for {
		i := strings.IndexByte(text, '{')
		if i < 0 {
			break
		}
		out.WriteString(text[:i])
		text = text[i:]
		if len(text) < len(opening) || !strings.EqualFold(text[:len(opening)], opening) {
			out.WriteByte('{')
			text = text[1:]
			continue
		}
		end := strings.IndexByte(text, '}')
		if end < 0 {
			ok = false
			break
		}
		value := text[len(opening):end]
		ok = ok && strings.TrimSpace(value) != ""
		out.WriteString(value)
		text = text[end+1:]
	}
	out.WriteString(text)
	return out.String(), ok
}

// wide holds the characters of East_Asian_Width W or F. Source: Unicode 14.0,
// EastAsianWidth.txt (Unicode Standard Annex #11), with neighbours joined where
// only code points lie between them that had no character, and the block of
// new emoji, U+1FA70 to U+1FAFF, whole.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1100, 0x115F, 1}, {0x231A, 0x231B, 1}, {0x2329, 0x232A, 1}, {0x23E9, 0x23EC, 1},
		{0x23F0, 0x23F0, 1}, {0x23F3, 0x23F3, 1}, {0x25FD, 0x25FE, 1}, {0x2614, 0x2615, 1},
		{0x2648, 0x2653, 1}, {0x267F, 0x267F, 1}, {0x2693, 0x2693, 1}, {0x26A1, 0x26A1, 1},
		{0x26AA, 0x26AB, 1}, {0x26BD, 0x26BE, 1}, {0x26C4, 0x26C5, 1}, {0x26CE, 0x26CE, 1},
		{0x26D4, 0x26D4, 1}, {0x26EA, 0x26EA, 1}, {0x26F2, 0x26F3, 1}, {0x26F5, 0x26F5, 1},
		{0x26FA, 0x26FA, 1}, {0x26FD, 0x26FD, 1}, {0x2705, 0x2705, 1}, {0x270A, 0x270B, 1},
		{0x2728, 0x2728, 1}, {0x274C, 0x274C, 1}, {0x274E, 0x274E, 1}, {0x2753, 0x2755, 1},
		{0x2757, 0x2757, 1}, {0x2795, 0x2797, 1}, {0x27B0, 0x27B0, 1}, {0x27BF, 0x27BF, 1},
		{0x2B1B, 0x2B1C, 1}, {0x2B50, 0x2B50, 1}, {0x2B55, 0x2B55, 1}, {0x2E80, 0x303E, 1},
		{0x3041, 0x3247, 1}, {0x3250, 0x4DBF, 1}, {0x4E00, 0xA4C6, 1}, {0xA960, 0xA97C, 1},
		{0xAC00, 0xD7A3, 1}, {0xF900, 0xFAFF, 1}, {0xFE10, 0xFE19, 1}, {0xFE30, 0xFE6B, 1},
		{0xFF01, 0xFF60, 1}, {0xFFE0, 0xFFE6, 1},
	},
	R32: []unicode.Range32{
		{0x16FE0, 0x1B2FB, 1}, {0x1F004, 0x1F004, 1}, {0x1F0CF, 0x1F0CF, 1}, {0x1F18E, 0x1F18E, 1},
		{0x1F191, 0x1F19A, 1}, {0x1F200, 0x1F320, 1}, {0x1F32D, 0x1F335, 1}, {0x1F337, 0x1F37C, 1},
		{0x1F37E, 0x1F393, 1}, {0x1F3A0, 0x1F3CA, 1}, {0x1F3CF, 0x1F3D3, 1}, {0x1F3E0, 0x1F3F0, 1},
		{0x1F3F4, 0x1F3F4, 1}, {0x1F3F8, 0x1F43E, 1}, {0x1F440, 0x1F440, 1}, {0x1F442, 0x1F4FC, 1},
		{0x1F4FF, 0x1F53D, 1}, {0x1F54B, 0x1F54E, 1}, {0x1F550, 0x1F567, 1}, {0x1F57A, 0x1F57A, 1},
		{0x1F595, 0x1F596, 1}, {0x1F5A4, 0x1F5A4, 1}, {0x1F5FB, 0x1F64F, 1}, {0x1F680, 0x1F6C5, 1},
		{0x1F6CC, 0x1F6CC, 1}, {0x1F6D0, 0x1F6D2, 1}, {0x1F6D5, 0x1F6DF, 1}, {0x1F6EB, 0x1F6EC, 1},
		{0x1F6F4, 0x1F6FC, 1}, {0x1F7E0, 0x1F7F0, 1}, {0x1F90C, 0x1F93A, 1}, {0x1F93C, 0x1F945, 1},
		{0x1F947, 0x1F9FF, 1}, {0x1FA70, 0x1FAFF, 1}, {0x20000, 0x3FFFD, 1},
	},
}
