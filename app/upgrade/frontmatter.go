package upgrade

import (
	"errors"
	"strings"
)

// HeadSize is how much of a SKILL.md ReadFrontmatter looks at, in bytes. A
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
	// belong. Nothing but a remark comes of it.
	TopVersion string
}

// Why a frontmatter could not be read.
var (
	ErrNoFrontmatter = errors.New("SKILL.md does not begin with a line of three hyphens")
	ErrUnended       = errors.New("the frontmatter of SKILL.md does not end within its first 64 KiB")
)

// ReadFrontmatter reads the name and the version out of the beginning of a
// SKILL.md, with a reader small enough for the browser.
//
// It reads block-style YAML: one field a line, metadata as an indented map or
// as one {…} on its line, values plain or in single or double quotes on one
// line, comments, any line ends, a byte order mark. Wherever it gives a value
// for a text that is YAML, a YAML library gives the same. Of what it does not
// read (values over several lines, anchors, tags, aliases) it gives none.
// Where other fields are not in order, as when an unquoted description holds a
// colon, it still reads the ones it is after.
func ReadFrontmatter(head []byte) (Frontmatter, error) {
	text := string(head[:min(len(head), HeadSize)])
	lines := splitLines(strings.TrimPrefix(text, "\uFEFF"))
	if len(lines) == 0 || strings.TrimRight(lines[0], " \t") != "---" {
		return Frontmatter{}, ErrNoFrontmatter
	}
	end := 1
	for end < len(lines) && strings.TrimRight(lines[end], " \t") != "---" {
		end++
	}
	if end == len(lines) {
		return Frontmatter{}, ErrUnended
	}
	r := &reader{lines: lines[1:end]}
	return r.root(), nil
}

// splitLines cuts a text where YAML does.
func splitLines(text string) []string {
	var lines []string
	start := 0
	for i := 0; i < len(text); i++ {
		size := 1
		switch {
		case text[i] == '\n':
		case text[i] == '\r':
			if strings.HasPrefix(text[i:], "\r\n") {
				size = 2
			}
		case strings.HasPrefix(text[i:], "\u0085"):
			size = 2
		case strings.HasPrefix(text[i:], "\u2028"), strings.HasPrefix(text[i:], "\u2029"):
			size = 3
		default:
			continue
		}
		lines = append(lines, text[start:i])
		i += size - 1
		start = i + 1
	}
	return append(lines, text[start:])
}

// reader goes through the lines of a frontmatter.
type reader struct {
	lines []string
	at    int
}

// next steps over empty lines and comments and returns the indentation and
// the content of the line it stands at, which stays unread.
func (r *reader) next() (indent int, content string, ok bool) {
	for ; r.at < len(r.lines); r.at++ {
		line := r.lines[r.at]
		content = strings.TrimLeft(line, " ")
		if c := strings.TrimLeft(content, "\t"); c == "" || c[0] == '#' {
			continue
		}
		return len(line) - len(content), content, true
	}
	return 0, "", false
}

// skipDeeper steps over the lines indented more than that, which belong to
// what came before.
func (r *reader) skipDeeper(indent int) {
	for {
		depth, content, ok := r.next()
		if !ok || depth <= indent {
			return
		}
		r.at++
		r.step(depth, content)
	}
}

// step steps over the rest of what begins on a line that has been read: an
// item, a field or a text.
func (r *reader) step(depth int, content string) {
	parent := depth
	for isItem(content) {
		parent = depth
		trimmed := strings.TrimLeft(content[1:], " \t")
		depth += len(content) - len(trimmed)
		content = trimmed
	}
	if uncommented(content) == "" {
		return
	}
	if _, rest, ok := cutKey(content); ok {
		r.value(depth, rest)
	} else {
		r.value(parent, content)
	}
}

// skipText does the same as skipDeeper where the lines are text whatever they
// look like.
func (r *reader) skipText(indent int) {
	for {
		depth, _, ok := r.next()
		if !ok || depth <= indent {
			return
		}
		r.at++
	}
}

func (r *reader) root() Frontmatter {
	var f Frontmatter
	root, _, _ := r.next()
	seen := map[string]bool{}
	r.fields(root, func(key, rest string) {
		first := !seen[key]
		seen[key] = true
		switch {
		case key == "metadata" && first:
			f.Version = r.metadata(root, rest)
		case key == "name" && first:
			f.Name = r.value(root, rest)
		case key == "version" && first:
			f.TopVersion = r.value(root, rest)
		default:
			r.value(root, rest)
		}
	})
	return f
}

// fields walks the fields of a map that is indented that much. The function
// is called when the field's line has been read, and reads the rest of it.
func (r *reader) fields(indent int, field func(key, rest string)) {
	for {
		depth, content, ok := r.next()
		if !ok || depth < indent || strings.HasPrefix(content, "...") && depth == 0 {
			return
		}
		r.at++
		if key, rest, ok := cutKey(content); ok && depth == indent {
			field(key, rest)
		} else {
			r.step(depth, content) // an item of a list, or what it goes on with
		}
	}
}

func (r *reader) metadata(root int, rest string) string {
	rest = strings.TrimLeft(rest, " \t")
	if strings.HasPrefix(rest, "{") {
		at := r.at
		version, ok := flowVersion(rest)
		if r.at = at; !ok {
			r.value(root, rest)
		}
		return version
	}
	if uncommented(rest) != "" {
		r.value(root, rest)
		return ""
	}
	depth, content, ok := r.next()
	if !ok || depth <= root {
		return ""
	}
	if _, _, ok := cutKey(content); !ok {
		r.skipDeeper(root)
		return ""
	}
	version, seen := "", false
	r.fields(depth, func(key, rest string) {
		v := r.value(depth, rest)
		if key == "version" && !seen {
			version, seen = v, true
		}
	})
	return version
}

// value reads the scalar behind a key, whose line has been read, and steps
// over everything that belongs to it. It returns "" for what it does not read.
func (r *reader) value(indent int, rest string) string {
	rest = strings.TrimLeft(rest, " \t")
	if uncommented(rest) == "" {
		depth, content, ok := r.next()
		if !ok || depth <= indent {
			return ""
		}
		if _, _, isKey := cutKey(content); isKey || isItem(content) {
			r.skipDeeper(indent)
			return ""
		}
		r.at++
		rest = strings.TrimLeft(content, " \t")
	}
	switch rest[0] {
	case '"', '\'':
		return r.quoted(rest)
	case '[', '{':
		r.flow(rest)
		return ""
	case '|', '>':
		r.skipText(indent)
		return ""
	case '&', '!':
		for rest != "" && (rest[0] == '&' || rest[0] == '!') {
			_, rest, _ = strings.Cut(rest, " ")
			rest = strings.TrimLeft(rest, " \t")
		}
		r.value(indent, rest)
		return ""
	case '*', '%', '@', '`', ',', ']', '}':
		r.skipDeeper(indent)
		return ""
	}
	text := uncommented(rest)
	if depth, ok := r.continuation(); ok && depth > indent && text == strings.TrimRight(rest, " \t") {
		r.skipText(indent)
		return ""
	}
	if strings.Contains(text, ": ") || strings.Contains(text, ":\t") || strings.HasSuffix(text, ":") || isItem(text) || text == "?" || strings.HasPrefix(text, "? ") {
		return "" // not YAML
	}
	switch text {
	case "~", "null", "Null", "NULL":
		return ""
	}
	return text
}

// continuation returns the indentation of the next line that is not empty,
// unless it is a comment, with which a plain text ends.
func (r *reader) continuation() (indent int, ok bool) {
	for _, line := range r.lines[r.at:] {
		content := strings.TrimLeft(line, " ")
		if c := strings.TrimLeft(content, "\t"); c != "" {
			return len(line) - len(content), c[0] != '#'
		}
	}
	return 0, false
}

// quoted reads a value in quotes. One over several lines is stepped over.
func (r *reader) quoted(rest string) string {
	text, after, ok := unquote(rest)
	if ok {
		if uncommented(after) != "" {
			return "" // not YAML
		}
		return text
	}
	if !closes(rest[1:], rest[0]) {
		for r.at < len(r.lines) {
			line := r.lines[r.at]
			r.at++
			if closes(line, rest[0]) {
				break
			}
		}
	}
	return ""
}
