package table

import "strings"

// Hidden tells for each line whether it belongs to fenced code or to an HTML
// block, where nothing is a table, a heading or a list. An unclosed block runs
// to the end of the text, as it does on GitHub.
func Hidden(lines []string) []bool {
	hidden := make([]bool, len(lines))
	for i := 0; i < len(lines); i++ {
		closes := opens(lines[i])
		if closes == nil {
			continue
		}
		hidden[i] = true
		// An HTML block may close on the line that opens it; a fence cannot.
		if !isFence(lines[i]) && closes(lines[i]) {
			continue
		}
		for i++; i < len(lines); i++ {
			hidden[i] = true
			if closes(lines[i]) {
				break
			}
		}
	}
	return hidden
}

// opens returns how to tell the last line of the hidden block that begins on
// the given line, or nil when none begins there.
func opens(line string) func(line string) bool {
	if indent(line) > 3 {
		return nil
	}
	s := strings.TrimLeft(line, space)
	if s == "" {
		return nil
	}
	switch s[0] {
	case '`', '~':
		return opensFence(s)
	case '<':
		return opensHTML(s)
	}
	return nil
}

func isFence(line string) bool {
	s := strings.TrimLeft(line, space)
	return s[0] == '`' || s[0] == '~'
}

// opensFence is opens for a line that begins with a backtick or a tilde.
func opensFence(s string) func(string) bool {
	mark := s[:1]
	rest := strings.TrimLeft(s, mark)
	length := len(s) - len(rest)
	if length < 3 || mark == "`" && strings.Contains(rest, mark) {
		return nil
	}
	return func(line string) bool {
		if indent(line) > 3 {
			return false
		}
		line = strings.Trim(line, space)
		return len(line) >= length && strings.Trim(line, mark) == ""
	}
}

// opensHTML is opens for a line that begins with an angle bracket. It knows
// every kind of HTML block that may interrupt a paragraph.
func opensHTML(s string) func(string) bool {
	until := func(end string) func(string) bool {
		return func(line string) bool { return strings.Contains(line, end) }
	}
	switch {
	case strings.HasPrefix(s, "<!--"):
		return until("-->")
	case strings.HasPrefix(s, "<?"):
		return until("?>")
	case strings.HasPrefix(s, "<![CDATA["):
		return until("]]>")
	case len(s) > 2 && s[1] == '!' && isLetter(s[2]):
		return until(">")
	}
	name, closing := tagName(s)
	switch {
	case !closing && rawTags[name]:
		return func(line string) bool { return containsRawEnd(line) }
	case blockTags[name]:
		return isBlank
	}
	return nil
}

// tagName returns the lower-case name of the tag that a line begins with, or
// nothing when it begins with no tag.
func tagName(s string) (name string, closing bool) {
	rest, closing := strings.CutPrefix(s[1:], "/")
	end := 0
	for end < len(rest) && (isLetter(rest[end]) || end > 0 && '0' <= rest[end] && rest[end] <= '9') {
		end++
	}
	after := strings.TrimLeft(rest[end:], space)
	if len(after) == len(rest[end:]) && after != "" && after[0] != '>' && !strings.HasPrefix(after, "/>") {
		return "", closing
	}
	if end > len("blockquote") {
		return "", closing
	}
	return strings.ToLower(rest[:end]), closing
}

// containsRawEnd reports whether one of the tags that keep their content raw
// is closed on the line.
func containsRawEnd(line string) bool {
	line = strings.ToLower(line)
	for name := range rawTags {
		if strings.Contains(line, "</"+name+">") {
			return true
		}
	}
	return false
}

var (
	rawTags   = set("pre script style textarea")
	blockTags = set("address article aside base basefont blockquote body caption center col " +
		"colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form frame " +
		"frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem " +
		"nav noframes ol optgroup option p param search section summary table tbody td tfoot th " +
		"thead title tr track ul")
)

func set(names string) map[string]bool {
	all := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		all[name] = true
	}
	return all
}

// endsTable reports whether a line ends the table above it: it is blank, or
// another block begins there.
func endsTable(line string) bool {
	s := strings.Trim(line, space)
	if s == "" {
		return true
	}
	if indent(line) > 3 {
		return false
	}
	return s[0] == '>' || beginsHeading(s) || beginsListItem(s) || isRule(s) || opens(line) != nil
}

func beginsHeading(s string) bool {
	rest := strings.TrimLeft(s, "#")
	level := len(s) - len(rest)
	return 1 <= level && level <= 6 && (rest == "" || strings.Contains(space, rest[:1]))
}

// beginsListItem reports whether s begins a list item that may interrupt a
// paragraph: one with content, and number 1 if it is numbered.
func beginsListItem(s string) bool {
	for _, mark := range []string{"-", "*", "+", "1.", "1)"} {
		if rest, ok := strings.CutPrefix(s, mark); ok {
			return rest != "" && strings.Contains(space, rest[:1])
		}
	}
	return false
}

// isRule reports whether s, already trimmed, is a thematic break.
func isRule(s string) bool {
	mark := s[:1]
	return strings.Contains("-*_", mark) && strings.Count(s, mark) >= 3 && strings.Trim(s, mark+" \t") == ""
}

func isBlank(line string) bool { return strings.Trim(line, space) == "" }

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

// indent returns the columns of white space that a line begins with.
func indent(line string) int {
	columns := 0
	for i := range len(line) {
		switch line[i] {
		case ' ':
			columns++
		case '\t':
			columns += 4 - columns%4
		default:
			return columns
		}
	}
	return columns
}
