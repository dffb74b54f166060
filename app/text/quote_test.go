package text

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"marketingskills/app/text/texttest"
)

func TestPosixWord(t *testing.T) {
	var words strings.Builder
	for _, name := range texttest.Hostile {
		words.WriteString(" " + PosixWord(name))
	}
	for _, shell := range shells() {
		out, err := exec.Command(shell, "-c", `printf '%s\0'`+words.String()).Output()
		back := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
		if err != nil || len(back) != len(texttest.Hostile) {
			t.Fatalf("%s: %d words of %d, %v", shell, len(back), len(texttest.Hostile), err)
		}
		for i, name := range texttest.Hostile {
			if back[i] != name {
				t.Errorf("%s: %q written as %s comes back as %q", shell, name, PosixWord(name), back[i])
			}
		}
	}
	for _, name := range texttest.Hostile {
		if q := PosixWord(name); strings.ContainsFunc(q, func(r rune) bool { return r != '\n' && unseen(r) }) {
			t.Errorf("%q acts on a terminal", q)
		}
	}
}

// FuzzPosixWord: what a shell reads is what was meant, also when the quoted
// text is quoted again.
func FuzzPosixWord(f *testing.F) {
	for _, name := range texttest.Hostile {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		name = strings.ReplaceAll(name, "\x00", "")
		if len(name) > 2000 {
			return
		}
		quoted := PosixWord(name)
		out, err := exec.Command("sh", "-c", "printf %s "+quoted+"; sh -c "+PosixWord("printf %s "+quoted)).Output()
		if err != nil || string(out) != name+name {
			t.Fatalf("%q written as %s comes back as %q, %v", name, quoted, out, err)
		}
	})
}

// powerShellString reads an expression as PowerShellWord writes it, by the
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

func FuzzPowerShellWord(f *testing.F) {
	for _, name := range texttest.Hostile {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		quoted, ok := PowerShellWord(name)
		if ok != utf8.ValidString(name) {
			t.Fatalf("%q: %v", name, ok)
		}
		if !ok {
			return
		}
		if back, ok := powerShellString(quoted); !ok || back != name {
			t.Fatalf("%q written as %s comes back as %q", name, quoted, back)
		}
		if strings.ContainsFunc(quoted, func(r rune) bool { return r != ' ' && !unicode.IsPrint(r) }) {
			t.Fatalf("%q is not all to be seen", quoted)
		}
	})
}

// shells are the POSIX shells of this machine, each once; sh is always there.
func shells() []string {
	var found []string
	seen := map[string]bool{}
	for _, name := range []string{"sh", "bash", "dash", "zsh", "ksh", "mksh"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		if !seen[path] {
			seen[path] = true
			found = append(found, name)
		}
	}
	return found
}
