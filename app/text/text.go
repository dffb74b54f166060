// Package text has what every part of the product does with texts: showing text
// from outside safely, quoting it for shells and spreadsheets, writing numbers
// and durations for people, and telling how alike two words are. It uses the
// standard library only.
//
// There are two ways of showing text from outside. [Printable] and [Name] keep
// every character and write the dangerous ones as escapes: they are for names
// that somebody must recognise. [Plain] and [Line] leave the dangerous ones out:
// they are for sentences that somebody reads.
package text

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns s with everything that would act on a terminal, break the
// line or cannot be seen written as an escape: \n, \u202e, and \xff for a byte
// that is not UTF-8.
func Printable(s string) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, unseen) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case unseen(r):
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		default:
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// unseen reports whether r acts on a terminal or cannot be seen. The ordinary
// space is seen.
func unseen(r rune) bool { return r != ' ' && !unicode.IsPrint(r) }

// longestName is how much of a name [Name] shows, in bytes.
const longestName = 120

// Name returns the name of a file or folder for reading: as it is when it is
// letters, digits and the usual signs; otherwise in quotes with escapes, and
// cut after 120 bytes.
func Name(name string) string {
	if name != "" && len(name) <= longestName && strings.Trim(name, letters+digits+`-._/~:\@+`) == "" {
		return name
	}
	cut := Clip(name, longestName)
	if len(cut) == len(name) {
		return strconv.Quote(name)
	}
	return strconv.Quote(strings.TrimSuffix(cut, "…")) + "…"
}

// Quote returns a text from outside in quotes, with everything that cannot be
// seen as an escape, and cut after 80 bytes.
func Quote(s string) string { return strconv.Quote(Clip(s, 80)) }

const (
	lower   = "abcdefghijklmnopqrstuvwxyz"
	letters = lower + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits  = "0123456789"
)

// Clip returns s if it has at most so many bytes, otherwise its beginning, cut
// between characters, and "…".
func Clip(s string, maxBytes int) string {
	if len(s) <= maxBytes {
		return s
	}
	cut := maxBytes
	for cut > max(0, maxBytes-utf8.UTFMax) && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// Plain makes text from outside harmless to show: valid UTF-8, no control
// characters (terminal escapes, NUL), no characters that turn the direction
// of writing or are invisible; line breaks become "\n", tabs a space; no
// white space around it. Joiners stay, emoji and Persian need them.
func Plain(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\r\n", "\n")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\v' || r == '\f' || r == '\u0085' || r == '\u2028' || r == '\u2029':
			return '\n'
		case r == '\t':
			return ' '
		case unicode.IsControl(r), invisible(r):
			return -1
		}
		return r
	}, s))
}

// invisible reports the marks, embeddings, overrides and isolates of
// bidirectional text, and characters without width.
func invisible(r rune) bool {
	return r == '\u061c' || r == '\u200b' || r == '\u200e' || r == '\u200f' || '\u202a' <= r && r <= '\u202e' ||
		'\u2060' <= r && r <= '\u206f' || r == '\ufeff' || r == '\u00ad' || r == '\u180e' || '\ufff9' <= r && r <= '\ufffb'
}

// Line is [Plain] on a single line, cut after at most so many bytes.
func Line(s string, maxBytes int) string {
	return Clip(strings.ReplaceAll(Plain(s), "\n", " "), maxBytes)
}

// SkillName describes the names that [IsSkillName] accepts.
const SkillName = "1 to 64 lower-case letters, digits and single hyphens"

// IsSkillName reports whether s can be the name of a skill: [SkillName], with no
// hyphen at either end. Source: the agent-skills specification.
func IsSkillName(s string) bool {
	return s != "" && len(s) <= 64 && strings.Trim(s, lower+digits+"-") == "" &&
		s[0] != '-' && s[len(s)-1] != '-' && !strings.Contains(s, "--")
}
