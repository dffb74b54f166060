package upgrade

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"marketingskills/app/text"
)

// lookalikes are characters that pass for a letter, a digit or a hyphen of
// skill names. Source: Unicode Technical Standard 39, confusables.txt,
// reduced to what stands for a to z, 0 to 9 and the hyphen in the scripts
// that keyboards have.
var lookalikes = map[rune]byte{
	// Cyrillic
	'а': 'a', 'с': 'c', 'ԁ': 'd', 'е': 'e', 'һ': 'h', 'і': 'i', 'ј': 'j', 'к': 'k', 'ӏ': 'l', 'м': 'm', 'п': 'n',
	'о': 'o', 'р': 'p', 'ԛ': 'q', 'г': 'r', 'ѕ': 's', 'т': 't', 'у': 'y', 'ѵ': 'v', 'ԝ': 'w', 'х': 'x',
	'А': 'a', 'В': 'b', 'С': 'c', 'Е': 'e', 'Н': 'h', 'І': 'i', 'Ј': 'j', 'К': 'k', 'М': 'm', 'О': 'o', 'Р': 'p',
	'Ѕ': 's', 'Т': 't', 'У': 'y', 'Х': 'x',
	// Greek
	'α': 'a', 'ε': 'e', 'ι': 'i', 'κ': 'k', 'ν': 'v', 'ο': 'o', 'ρ': 'p', 'τ': 't', 'υ': 'u', 'χ': 'x', 'γ': 'y',
	'Α': 'a', 'Β': 'b', 'Ε': 'e', 'Ζ': 'z', 'Η': 'h', 'Ι': 'i', 'Κ': 'k', 'Μ': 'm', 'Ν': 'n', 'Ο': 'o', 'Ρ': 'p',
	'Τ': 't', 'Υ': 'y', 'Χ': 'x', 'ϲ': 'c',
	// Latin
	'ı': 'i', 'ɑ': 'a', 'ɡ': 'g', 'ſ': 's', 'ⅰ': 'i', 'ⅼ': 'l', 'ⅽ': 'c', 'ⅾ': 'd', 'ⅿ': 'm', 'ⅴ': 'v', 'ⅹ': 'x',
	'á': 'a', 'à': 'a', 'â': 'a', 'ä': 'a', 'å': 'a', 'ç': 'c', 'é': 'e', 'è': 'e', 'ê': 'e', 'ë': 'e', 'í': 'i',
	'ì': 'i', 'î': 'i', 'ï': 'i', 'ñ': 'n', 'ó': 'o', 'ò': 'o', 'ô': 'o', 'ö': 'o', 'ø': 'o', 'ú': 'u', 'ù': 'u',
	'û': 'u', 'ü': 'u', 'ý': 'y', 'ÿ': 'y',
	// Armenian
	'օ': 'o', 'ս': 'u', 'հ': 'h', 'ց': 'g',
	// Hyphens
	'‐': '-', '‑': '-', '‒': '-', '–': '-', '—': '-', '―': '-', '−': '-', '﹣': '-', '⁃': '-',
}

// skeleton returns what a name looks like: look-alikes become what they pass
// for, and what is not seen is dropped. It is empty when something else is
// left that is not ASCII.
func skeleton(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch like, ok := lookalikes[r]; {
		case ok:
			b.WriteByte(like)
		case r >= '！' && r <= '～': // full width
			b.WriteByte(byte(r - '！' + '!'))
		case r == '\u00a0' || r == '\u3000':
			b.WriteByte(' ')
		case !unicode.IsPrint(r) && r != utf8.RuneError || unicode.Is(unicode.Mn, r):
			// not seen
		case r < utf8.RuneSelf:
			b.WriteByte(byte(r))
		default:
			return ""
		}
	}
	return b.String()
}

// strangers names the characters of a name that are not printable ASCII, each
// once, at most five.
func strangers(name string) string {
	var all []string
	for _, r := range name {
		if ' ' <= r && r <= '~' {
			continue
		}
		if code := fmt.Sprintf("U+%04X", r); !slices.Contains(all, code) {
			all = append(all, code)
		}
	}
	if len(all) > 5 {
		all = append(all[:5:5], "others")
	}
	return text.List(all)
}
