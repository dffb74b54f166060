package upgrade

import (
	"errors"
	"regexp"
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
	isFence := func(line string) bool { return strings.TrimRight(line, " \t") == "---" }
	if !isFence(lines[0]) {
		return Frontmatter{}, errNoFrontmatter
	}
	end := slices.IndexFunc(lines[1:], isFence)
	if end < 0 {
		return Frontmatter{}, errUnended
	}
	lines = lines[1 : end+1]
	if strings.ContainsAny(strings.Join(lines, ""), "\r\u0085\u2028\u2029") {
		return Frontmatter{}, nil // YAML ends a line there, editors do not
	}
	read := fields(lines)
	return Frontmatter{read["name"], read["metadata.version"], read["version"]}, nil
}

var (
	field = regexp.MustCompile(`^(["']?)(\w[\w-]*)(["']?) *:(?:[ \t](.*))?$`)
	// quoted is a quoted text that ends; simple one without escapes, and
	// nothing behind it.
	quoted = regexp.MustCompile(`^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')`)
	simple = regexp.MustCompile(`^(?:"([^"\\]*)"|'((?:[^'\\]|'')*)')[ \t]*(?:#.*)?$`)
	// apart are quoted texts and comments within a line, opening a quote that
	// is left when they are taken out.
	apart   = regexp.MustCompile(`(^|[ \t,\[{:])(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|(?:^|[ \t])#.*`)
	opening = regexp.MustCompile(`(?:^|[ \t,\[{:])["']`)
)

// fields reads fields that stand below one another, and the version in
// metadata. Of two with one name the first counts.
func fields(lines []string) map[string]string {
	read := map[string]string{}
	lines = dedented(lines)
	for at := 0; at < len(lines); {
		line := lines[at]
		at++
		m := field.FindStringSubmatch(line)
		if blank(line) || m == nil && strings.IndexByte("?&*!.-[{\"'", line[0]) < 0 && closed(line) {
			continue
		}
		if m == nil || m[1] != m[3] {
			break
		}
		key, value := m[2], strings.Trim(m[4], " \t")
		if blank(value) {
			value = ""
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
		case strings.IndexByte("\"'", value[0]) >= 0 && !quoted.MatchString(value):
			for at = from; at < len(lines) && !quoted.MatchString(value[:1]+lines[at]); at++ {
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

// scalar reads a value of one line; "" for one that it does not read.
func scalar(s string) string {
	if m := simple.FindStringSubmatch(s); m != nil {
		return m[1] + strings.ReplaceAll(m[2], "''", "'")
	}
	if i := strings.Index(s, " #"); i >= 0 {
		s = strings.TrimRight(s[:i], " \t")
	}
	if s == "" || strings.IndexByte("\"'|>[{&!*%@`,]}?", s[0]) >= 0 || isItem(s) || strings.HasSuffix(s, ":") ||
		strings.Contains(s, ": ") || strings.Contains(s, "\t") || s == "~" || strings.EqualFold(s, "null") {
		return ""
	}
	return s
}

// closed reports whether nothing that a value opens goes on below: brackets
// and, inside of them, quotes.
func closed(s string) bool {
	s = apart.ReplaceAllString(s, "$1")
	opened := strings.Count(s, "[") + strings.Count(s, "{")
	return !opening.MatchString(s) && opened == strings.Count(s, "]")+strings.Count(s, "}")
}
