package upgrade

import (
	"errors"
	"slices"
	"strings"
)

// HeadSize is how much of a SKILL.md [ReadFrontmatter] looks at, in bytes. A
// caller need not read more; a real frontmatter has about one thousand.
const HeadSize = 64 << 10

// Frontmatter is what this package wants to know of a SKILL.md.
type Frontmatter struct {
	// Name is the field name; empty when there is none that can be read.
	Name string
	// Version is metadata.version as written; empty when there is none that
	// can be read.
	Version string
	// TopVersion is a field version outside metadata, where it does not
	// belong. Nothing but a note comes of it.
	TopVersion string
}

// Why a frontmatter could not be read.
var (
	errNoFrontmatter = errors.New("SKILL.md has no frontmatter; its first line must be ---")
	errUnended       = errors.New("the frontmatter of SKILL.md does not end within its first 64 KiB")
)

// ReadFrontmatter reads the name and the version out of the beginning of a
// stranger's SKILL.md, without a YAML library, which the browser's program
// has no room for.
//
// It reads fields of one line that begin at the margin, and those in metadata:
// plain, or in quotes without escapes. Other values it leaves empty, and where
// it cannot tell what belongs to a value it reads no further. Wherever it
// gives a value for a text that is YAML, a YAML library gives the same. Where
// other fields are not in order, as when an unquoted description holds a
// colon, it still reads the ones it is after.
func ReadFrontmatter(head []byte) (Frontmatter, error) {
	text := strings.TrimPrefix(string(head[:min(len(head), HeadSize)]), "\uFEFF")
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if strings.TrimRight(lines[0], " \t") != "---" {
		return Frontmatter{}, errNoFrontmatter
	}
	for end, line := range lines[1:] {
		if strings.TrimRight(line, " \t") != "---" {
			continue
		}
		if lines = lines[1 : end+1]; strings.ContainsAny(strings.Join(lines, ""), "\r\u0085\u2028\u2029") {
			return Frontmatter{}, nil // YAML ends a line there, editors do not
		}
		read := fields(lines)
		return Frontmatter{read["name"], read["metadata.version"], read["version"]}, nil
	}
	return Frontmatter{}, errUnended
}

// fields reads fields that stand below one another, and the version in
// metadata. Of two with one name the first counts.
func fields(lines []string) map[string]string {
	read := map[string]string{}
	lines = dedented(lines)
	for at := 0; at < len(lines); {
		line := lines[at]
		at++
		key, value, ok := cutKey(line)
		if blank(line) || !ok && strings.IndexByte("?&*!.-[{\"'", line[0]) < 0 && closed(line) {
			continue
		}
		if !ok {
			break
		}
		from := at
		for at < len(lines) && (blank(lines[at]) || lines[at][0] == ' ' || isItem(lines[at])) {
			at++
		}
		below := lines[from:at]
		_, twice := read[key]
		switch {
		case value == "" || strings.IndexByte("[{&!*", value[0]) >= 0:
			if !closed(value) || slices.ContainsFunc(below, func(line string) bool { return !closed(line) }) {
				return read
			}
			if key == "metadata" && value == "" && !twice {
				read["metadata.version"] = fields(below)["version"]
			}
		case strings.IndexByte("\"'", value[0]) >= 0 && quoteEnd(value) < 0:
			for at = from; at < len(lines) && quoteEnd(value[:1]+lines[at]) < 0; at++ {
			}
			at++
			value = ""
		case slices.ContainsFunc(below, func(line string) bool { return !blank(line) }):
			value = "" // it goes on below
		}
		if !twice {
			read[key] = scalar(value)
		}
	}
	return read
}

// dedented takes off the indentation of the first line, and what comes after
// a line with less.
func dedented(lines []string) []string {
	first := slices.IndexFunc(lines, func(line string) bool { return !blank(line) })
	if first < 0 {
		return nil
	}
	indent := lines[first][:len(lines[first])-len(strings.TrimLeft(lines[first], " "))]
	var cut []string
	for _, line := range lines[first:] {
		rest, ok := strings.CutPrefix(line, indent)
		if !ok && !blank(line) {
			break
		}
		cut = append(cut, rest)
	}
	return cut
}

// blank reports whether there is nothing but space and a comment.
func blank(s string) bool {
	s = strings.TrimLeft(s, " \t")
	return s == "" || s[0] == '#'
}

func isItem(s string) bool {
	return s == "-" || strings.HasPrefix(s, "- ") || strings.HasPrefix(s, "-\t")
}

// cutKey cuts a field into its key, one word, and what stands behind the
// colon; "" for a comment.
func cutKey(line string) (key, value string, ok bool) {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
	key, value, ok = strings.Cut(line, ":")
	key = strings.TrimRight(key, " ")
	if n := len(key); n > 2 && (key[0] == '"' || key[0] == '\'') && key[n-1] == key[0] {
		key = key[1 : n-1]
	}
	if !ok || key == "" || key[0] == '-' || strings.Trim(key, letters) != "" || value != "" && value[0] != ' ' && value[0] != '\t' {
		return "", "", false
	}
	if value = strings.Trim(value, " \t"); blank(value) {
		value = ""
	}
	return key, value, true
}

// scalar reads a value of one line; "" for one that it does not read.
func scalar(s string) string {
	if s == "" {
		return ""
	}
	if s[0] == '"' || s[0] == '\'' {
		end := quoteEnd(s)
		if end < 0 || strings.Contains(s, `\`) || !blank(s[end:]) {
			return ""
		}
		if s[0] == '\'' {
			return strings.ReplaceAll(s[1:end-1], "''", "'")
		}
		return s[1 : end-1]
	}
	if i := strings.Index(s, " #"); i >= 0 {
		s = strings.TrimRight(s[:i], " \t")
	}
	if strings.IndexByte("|>[{&!*%@`,]}?", s[0]) >= 0 || isItem(s) || strings.HasSuffix(s, ":") || strings.Contains(s, ": ") ||
		strings.Contains(s, "\t") || s == "~" || strings.EqualFold(s, "null") {
		return ""
	}
	return s
}

// quoteEnd returns where the quoted text ends that s begins with, behind the
// closing quote; -1 when it does not.
func quoteEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && s[0] == '"', s[0] == '\'' && strings.HasPrefix(s[i:], "''"):
			i++
		case s[i] == s[0]:
			return i + 1
		}
	}
	return -1
}

// closed reports whether nothing that a value opens goes on below: brackets
// and, inside of them, quotes.
func closed(s string) bool {
	depth := 0
	for i := 0; i < len(s); i++ {
		before := byte(' ')
		if i > 0 {
			before = s[i-1]
		}
		switch c := s[i]; {
		case c == '#' && (before == ' ' || before == '\t'):
			return depth == 0
		case (c == '"' || c == '\'') && strings.IndexByte(" \t,[{:", before) >= 0:
			end := quoteEnd(s[i:])
			if end < 0 {
				return false
			}
			i += end - 1
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		}
	}
	return depth == 0
}
