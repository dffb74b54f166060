package upgrade

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
)

// hostile are names that a shell, a terminal or a careless program would trip
// over. All of them can be the name of a folder.
var hostile = []string{
	"plain-name", "with space", "  two  spaces  ", "-rf", "--", "-", "it's", `"quoted"`, `'"'"'`, "$HOME", "${x}", "$(touch x)", "`touch x`",
	"a;b", "a&&b", "a|b", "a>b", "a*b?", "[x]", "{a,b}", "~", "~root", "#hash", "!history", "!!", "100%", "%s%n%x", `back\slash`, `\`, `trail\`,
	"new\nline", "\n", "ends\n", "a\n\nb\n\n", "tab\tbed", "\x1b[31mred", "\x07", "\x01\x02\x7f", "cr\rlf", "сго", "日本語", "e\u0301", "\u202egnp.exe", "zero\u200bwidth",
	"\xff\xfe", "half\xc3", "‘smart’", "‚low‛", "“double”", "en–dash", "nbsp\u00a0", "\U0001f600", "\U000e0041tag", "=x", "a=b", "^caret", "@(x)", "(x)", "<x>", "",
}

// powerShellString reads an expression as text.PowerShellWord writes it, by the
// rules of PowerShell and not by those of the code that wrote it.
func powerShellString(s string) (string, bool) {
	if rest, ok := strings.CutPrefix(s, "(-join("); ok {
		rest, ok = strings.CutSuffix(rest, "))")
		var b strings.Builder
		for ok && rest != "" {
			switch {
			case rest[0] == '\'':
				text, after, closed := powerShellLiteral(rest)
				b.WriteString(text)
				rest, ok = after, closed
			case strings.HasPrefix(rest, "[char]0x") && len(rest) >= 12:
				n, err := strconv.ParseUint(rest[8:12], 16, 16)
				b.WriteRune(rune(n))
				rest, ok = rest[12:], err == nil && !utf16.IsSurrogate(rune(n))
			case strings.HasPrefix(rest, "[char]::ConvertFromUtf32(0x"):
				hex, after, closed := strings.Cut(rest[27:], ")")
				n, err := strconv.ParseUint(hex, 16, 32)
				b.WriteRune(rune(n))
				rest, ok = after, closed && err == nil
			default:
				return "", false
			}
			rest = strings.TrimPrefix(rest, ",")
		}
		return b.String(), ok
	}
	text, rest, ok := powerShellLiteral(s)
	return text, ok && rest == ""
}

// powerShellLiteral reads a string in single quotes. All five characters that
// PowerShell takes for a single quote end it, unless doubled.
func powerShellLiteral(s string) (text, rest string, ok bool) {
	isQuote := func(r rune) bool { return r == '\'' || r >= '\u2018' && r <= '\u201b' }
	runes := []rune(s)
	if len(runes) == 0 || !isQuote(runes[0]) {
		return "", s, false
	}
	var b strings.Builder
	for i := 1; i < len(runes); i++ {
		if isQuote(runes[i]) {
			if i+1 == len(runes) || !isQuote(runes[i+1]) {
				return b.String(), string(runes[i+1:]), true
			}
			i++
		}
		b.WriteRune(runes[i])
	}
	return "", "", false
}

// TestHostilePlan moves folders with such names aside, and back.
func TestHostilePlan(t *testing.T) {
	for _, shell := range shells() {
		root := t.TempDir()
		var in Installation
		in.Places = []Place{{Path: "place with 'quotes' $x"}}
		for _, name := range hostile {
			if !movable(name) {
				continue
			}
			f := Folder{Name: name, Front: &Frontmatter{Name: "cro", Version: "1.0.0"}}
			in.Places[0].Folders = append(in.Places[0].Folders, f)
		}
		write(t, root, in)
		place := filepath.Join(root, in.Places[0].Path)
		before := snapshot(t, place)
		out, ok := run(t, shell, root, acting(planOf(t, in, PlanOptions{}).POSIX()))
		if entries, err := os.ReadDir(place); !ok || err != nil || len(entries) != 0 {
			t.Fatalf("%s: %v, %v left\n%s", shell, ok, entries, out)
		}
		if strings.ContainsAny(out, "\x1b\x07\r") {
			t.Errorf("%s: the output acts on a terminal: %q", shell, out)
		}
		_, undo, _ := strings.Cut(out, "folder:\n")
		if out, ok := run(t, shell, root, "set -e\n"+undo); !ok || snapshot(t, place) != before {
			t.Errorf("%s: undo: %v\n%s", shell, ok, out)
		}
	}
}

// TestHostilePowerShell: every line of the plan is one of its commands with
// words that read back; nothing escapes from the quotes.
func TestHostilePowerShell(t *testing.T) {
	in := Installation{Places: []Place{{Path: `C:\a 'b' $x`}}}
	for _, name := range hostile {
		in.Places[0].Folders = append(in.Places[0].Folders, Folder{Name: name, Front: &Frontmatter{Name: "cro", Version: "1.0.0"}})
	}
	text := planOf(t, in, PlanOptions{Source: Source{Site: "https://skills.example"}}).PowerShell()
	if !strings.HasPrefix(text, "$DryRun = $true\n") || !strings.HasSuffix(text, powerShellTail) {
		t.Fatalf("%s", text)
	}
	body := strings.TrimSuffix(strings.TrimPrefix(text, powerShellHead), powerShellTail)
	moves := 0
	for line := range strings.Lines(body) {
		command, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		var words []string
		for rest != "" {
			end := expressionEnd(rest)
			if end < 0 {
				t.Fatalf("%s: not a word: %s", line, rest)
			}
			words = append(words, rest[:end])
			rest = strings.TrimPrefix(rest[end:], " ")
		}
		switch {
		case command == "Aside" && len(words) == 6:
			moves++
			from, ok := powerShellString(words[0])
			name, inside := strings.CutPrefix(from, `C:\a 'b' $x\`)
			if to, _ := powerShellString(words[2]); !ok || !inside || to != `C:\a 'b' $x-backup-2026-06-01\old\`+name {
				t.Errorf("%s", line)
			}
		case command == "Place" && len(words) == 2, command == "Say" && len(words) == 1, command == "FetchZip" && len(words) == 4, command == "Install" && len(words) == 4:
		default:
			t.Errorf("an odd line: %s", line)
		}
	}
	if moves < 50 {
		t.Errorf("only %d moves", moves)
	}
}

// expressionEnd finds the end of the expression that s begins with.
func expressionEnd(s string) int {
	switch {
	case strings.HasPrefix(s, "$true"):
		return 5
	case strings.HasPrefix(s, "$false"):
		return 6
	case s[0] == '\'':
		_, rest, ok := powerShellLiteral(s)
		if ok {
			return len(s) - len(rest)
		}
	case strings.HasPrefix(s, "(-join("):
		for i := 7; i < len(s); {
			if s[i] == '\'' {
				_, rest, ok := powerShellLiteral(s[i:])
				if !ok {
					return -1
				}
				i = len(s) - len(rest)
				continue
			}
			if strings.HasPrefix(s[i:], "))") && !strings.HasPrefix(s[i:], ")),") {
				return i + 2
			}
			i++
		}
	}
	return -1
}
