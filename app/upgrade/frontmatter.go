package upgrade

import (
	"errors"
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
// It reads fields of one line: plain, or in quotes without escapes. Values
// over several lines, maps in braces, anchors and whatever else is unusual it
// leaves empty. Wherever it gives a value for a text that is YAML, a YAML
// library gives the same. Where other fields are not in order, as when an
// unquoted description holds a colon, it still reads the ones it is after.
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
		r := reader{lines: lines[1 : end+1]}
		if strings.ContainsAny(strings.Join(r.lines, ""), "\r\u0085\u2028\u2029") {
			return Frontmatter{}, nil // YAML ends a line there, editors do not
		}
		return r.fields(), nil
	}
	return Frontmatter{}, errUnended
}

// reader goes through the lines of a frontmatter.
type reader struct {
	lines []string
	at    int
}

// fields reads the fields it knows and steps over all others, so that nothing
// inside a longer text is taken for a field.
func (r *reader) fields() Frontmatter {
	var f Frontmatter
	// The indentation of the fields, and of those in metadata once known.
	root, inside := -1, -1
	inMetadata := false
	read := map[string]string{}
	for r.at < len(r.lines) {
		indent, content := indentation(r.lines[r.at])
		r.at++
		if blank(content) {
			continue
		}
		if root < 0 {
			root = indent
		}
		if indent < root || indent == root && (strings.HasPrefix(content, "...") || strings.IndexByte("?&*!", content[0]) >= 0) {
			break
		}
		key, value, isField := r.line(indent, content)
		switch {
		case indent == root && isField:
			inMetadata = key == "metadata" && read[key] == ""
			inside = -1
		case inMetadata && inside < 0:
			inside = indent
			inMetadata = isField
		}
		if !isField || indent != root && (!inMetadata || indent != inside) {
			continue
		}
		if indent != root {
			key = "metadata." + key
		}
		if _, twice := read[key]; !twice {
			read[key] = value
		}
		if key == "metadata" {
			read[key] = "read"
		}
	}
	f.Name, f.Version, f.TopVersion = read["name"], read["metadata.version"], read["version"]
	return f
}

// line reads what begins on a line: a field, or anything else.
func (r *reader) line(indent int, content string) (key, value string, isField bool) {
	column, parent := indent, indent
	for isItem(content) {
		rest := strings.TrimLeft(content[1:], " \t")
		parent, column, content = column, column+len(content)-len(rest), rest
	}
	if blank(content) {
		return "", "", false
	}
	key, rest, isField := cutKey(content)
	if !isField {
		r.value(parent, content)
		return "", "", false
	}
	return key, r.value(column, rest), column == indent
}

// indentation is the number of spaces that a line begins with, and the rest.
func indentation(line string) (int, string) {
	content := strings.TrimLeft(line, " ")
	return len(line) - len(content), content
}

// blank reports whether there is nothing but space and a comment.
func blank(s string) bool {
	s = strings.TrimLeft(s, " \t")
	return s == "" || s[0] == '#'
}

func isItem(s string) bool {
	return s == "-" || strings.HasPrefix(s, "- ") || strings.HasPrefix(s, "-\t")
}

// cutKey cuts a field into its key and what stands behind the colon.
func cutKey(line string) (key, value string, ok bool) {
	from := 0
	if line[0] == '"' || line[0] == '\'' {
		from = quoteEnd(line)
	}
	if from < 0 || strings.IndexByte("[]{},&*!|>%@`?\t", line[0]) >= 0 {
		return "", "", false
	}
	for i := from; i < len(line); i++ {
		if i > 0 && line[i] == '#' && (line[i-1] == ' ' || line[i-1] == '\t') {
			break
		}
		if line[i] == ':' && (i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '\t') {
			key = strings.TrimRight(line[:i], " \t")
			if from > 0 {
				key = key[1 : len(key)-1]
			}
			return key, line[i+1:], true
		}
	}
	return "", "", false
}

// value reads a value and steps over the lines that belong to it; it returns
// "" for one that it does not read. Lines indented more than the column go on
// with it. Where it cannot tell what belongs to a value it reads no further.
func (r *reader) value(column int, s string) string {
	s = strings.Trim(s, " \t")
	if blank(s) {
		return ""
	}
	switch s[0] {
	case '"', '\'':
		return r.quoted(s)
	case '[', '{', '&', '!':
		if !closed(s) {
			r.at = len(r.lines)
		}
	}
	long := false
	for ; r.at < len(r.lines); r.at++ {
		indent, content := indentation(r.lines[r.at])
		if !blank(content) && indent <= column {
			break
		}
		long = long || !blank(content)
	}
	if i := strings.Index(s, " #"); i >= 0 {
		s = strings.TrimRight(s[:i], " \t")
	}
	if long || strings.IndexByte("|>[{&!*%@`,]}?", s[0]) >= 0 || isItem(s) || strings.HasSuffix(s, ":") || strings.Contains(s, ": ") ||
		strings.Contains(s, "\t") || s == "~" || strings.EqualFold(s, "null") {
		return ""
	}
	return s
}

// quoted reads a value in quotes, and steps over one of several lines.
func (r *reader) quoted(s string) string {
	end := quoteEnd(s)
	if end < 0 {
		for r.at < len(r.lines) && quoteEnd(s[:1]+r.lines[r.at]) < 0 {
			r.at++
		}
		r.at++
		return ""
	}
	after := strings.TrimLeft(s[end:], " \t")
	switch {
	case strings.Contains(s, `\`), after != "" && after[0] != '#':
		return ""
	case s[0] == '\'':
		return strings.ReplaceAll(s[1:end-1], "''", "'")
	}
	return s[1 : end-1]
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
		before := s[max(i-1, 0)]
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
