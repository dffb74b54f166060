package plan

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"marketingskills/app/text/texttest"
	"marketingskills/app/upgrade"
)

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

// TestHostilePlan moves folders with such names to the backup, and back.
func TestHostilePlan(t *testing.T) {
	for _, shell := range shells(t) {
		root := t.TempDir()
		in := upgrade.Installation{Places: []upgrade.Place{{Path: "place with 'quotes' $x"}}}
		for _, name := range texttest.Hostile {
			if movable(name) && (utf8.ValidString(name) || shell.name != "pwsh") {
				f := upgrade.Folder{Name: name, Front: &upgrade.Frontmatter{Name: "cro", Version: "1.0.0"}}
				in.Places[0].Folders = append(in.Places[0].Folders, f)
			}
		}
		write(t, root, in)
		place := filepath.Join(root, in.Places[0].Path)
		before := snapshot(t, place)
		commands := shell.shell.Script(planOf(t, in, Options{}))
		out, ok := shell.run(t, root, commands)
		if entries, err := os.ReadDir(place); !ok || err != nil || len(entries) != 0 {
			t.Fatalf("%s: %v, %v left\n%s", shell.name, ok, entries, out)
		}
		if strings.ContainsAny(commands, "\x1b\x07\r") {
			t.Errorf("%s: the commands act on a terminal", shell.name)
		}
		if undo(t, root, in.Places[0].Path); snapshot(t, place) != before {
			t.Errorf("%s: renaming back does not restore the folders", shell.name)
		}
	}
}

// TestHostilePowerShell: every line of the plan is one of its commands with
// words that read back; nothing escapes from the quotes.
func TestHostilePowerShell(t *testing.T) {
	in := upgrade.Installation{Places: []upgrade.Place{{Path: `C:\a 'b' $x`}}}
	for _, name := range texttest.Hostile {
		in.Places[0].Folders = append(in.Places[0].Folders, upgrade.Folder{Name: name, Front: &upgrade.Frontmatter{Name: "cro", Version: "1.0.0"}})
	}
	commands := PowerShell.Script(planOf(t, in, Options{}))
	moves := 0
	for line := range strings.Lines(commands) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "# ") || strings.HasPrefix(line, `if (Test-Path -LiteralPath 'C:\a ''b'' $x') { New-Item `) {
			continue
		}
		said, ok := readCommand(Move.powerShell, line)
		if !ok {
			t.Fatalf("an odd line: %s", line)
		}
		moves++
		if _, inside := strings.CutPrefix(said["from"], `C:\a 'b' $x\`); !inside || said["skillfile"] != said["from"]+`\SKILL.md` ||
			said["into"] != `C:\.a 'b' $x-backup-2026-06-01-120000` {
			t.Errorf("%s: %q", line, said)
		}
	}
	if moves < 50 {
		t.Errorf("only %d moves", moves)
	}
	in.Places[0].Path = "a[b]"
	if do := PowerShell.Script(planOf(t, in, Options{})); strings.Contains(do, "Move-Item") || !strings.Contains(do, "# Skipped: ") {
		t.Errorf("a place that PowerShell takes for a pattern: %s", do)
	}
}

// readCommand reads what stands for the placeholders of a command; ok is false
// for a line that is another command, or says two things of one placeholder.
func readCommand(command, line string) (said map[string]string, ok bool) {
	said = map[string]string{}
	for _, part := range regexp.MustCompile(`[{<][a-z]+[}>]|.`).FindAllString(command, -1) {
		if len(part) == 1 {
			if line, ok = strings.CutPrefix(line, part); !ok {
				return said, false
			}
			continue
		}
		end := expressionEnd(line)
		if end < 0 {
			return said, false
		}
		name := part[1 : len(part)-1]
		word, ok := powerShellString(line[:end])
		if before, again := said[name]; !ok || again && word != before {
			return said, false
		}
		said[name], line = word, line[end:]
	}
	return said, line == ""
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
