package upgrade

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestShown is how much of a name is shown, in bytes.
const longestShown = 120

// Show returns a name for reading: as it is when it is letters, digits and
// the usual signs; otherwise in quotes, with whatever would act on a terminal
// or not be seen written as an escape, and shortened.
func Show(name string) string {
	if plain(name) {
		return name
	}
	cut := name
	if len(cut) > longestShown {
		n := longestShown
		for n > longestShown-utf8.UTFMax && !utf8.RuneStart(cut[n]) {
			n--
		}
		cut = cut[:n]
	}
	quoted := strconv.Quote(cut)
	if len(cut) < len(name) {
		quoted += "…"
	}
	return quoted
}

func plain(name string) bool {
	if name == "" || len(name) > longestShown {
		return false
	}
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9',
			c == '-', c == '.', c == '_', c == '/', c == '~', c == ':', c == '\\', c == '@', c == '+':
		default:
			return false
		}
	}
	return true
}

// showPlace names a place for reading.
func showPlace(path string) string {
	if path == "" {
		return "the folder that was listed"
	}
	return Show(path)
}

// printable makes a sentence safe to show: what would act on a terminal or
// cannot be seen is written as an escape.
func printable(s string) string {
	if !strange(s) || utf8.ValidString(s) && !strings.ContainsFunc(s, unseen) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, `\x%02x`, s[i])
		} else if unseen(r) {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		} else {
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// unseen tells the characters that act on a terminal or cannot be seen.
func unseen(r rune) bool { return r != ' ' && !unicode.IsPrint(r) }

// unmarked returns inline Markdown as plain words.
func unmarked(s string) string { return printable(strings.ReplaceAll(s, "`", "")) }

// list joins words as a sentence does: a, b and c.
func list(words []string) string {
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
}

// few shows at most n names, and how many are left out.
func few(names []string, n int) string {
	var shown []string
	for _, name := range names[:min(n, len(names))] {
		shown = append(shown, Show(name))
	}
	if rest := len(names) - n; rest > 0 {
		shown = append(shown, strconv.Itoa(rest)+" more")
	}
	return list(shown)
}

// count writes a number with its noun.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
