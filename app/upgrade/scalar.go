package upgrade

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// uncommented returns a plain value without the comment behind it and without
// the space around it.
func uncommented(s string) string {
	for i := range len(s) {
		if s[i] == '#' && (i == 0 || s[i-1] == ' ' || s[i-1] == '\t') {
			s = s[:i]
			break
		}
	}
	return strings.Trim(s, " \t")
}

func isItem(s string) bool {
	return s == "-" || strings.HasPrefix(s, "- ") || strings.HasPrefix(s, "-\t")
}

// cutKey cuts a line of a map into its key and what stands behind the colon.
func cutKey(line string) (key, rest string, ok bool) {
	switch line[0] {
	case '"', '\'':
		key, rest, ok = unquote(line)
		if !ok {
			return "", "", false
		}
		rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " \t"), ":")
		if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
			return "", "", false
		}
		return key, rest, true
	case '[', ']', '{', '}', ',', '#', '&', '*', '!', '|', '>', '%', '@', '`', '\t':
		return "", "", false
	}
	if isItem(line) || line == "?" || strings.HasPrefix(line, "? ") {
		return "", "", false
	}
	for i := range len(line) {
		switch {
		case line[i] == '#' && i > 0 && (line[i-1] == ' ' || line[i-1] == '\t'):
			return "", "", false
		case line[i] == ':' && (i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '\t'):
			return strings.TrimRight(line[:i], " \t"), line[i+1:], true
		}
	}
	return "", "", false
}

// closes tells whether a text behind an opening quote has the closing one.
func closes(s string, quote byte) bool {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quote == '"':
			i++
		case s[i] == quote && quote == '\'' && i+1 < len(s) && s[i+1] == quote:
			i++
		case s[i] == quote:
			return true
		}
	}
	return false
}

// unquote reads the quoted text that s begins with, and returns what follows.
// It refuses a text that does not end on the line.
func unquote(s string) (text, after string, ok bool) {
	quote := s[0]
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == quote && quote == '\'' && i+1 < len(s) && s[i+1] == quote:
			b.WriteByte(c)
			i++
		case c == quote:
			return b.String(), s[i+1:], true
		case c == '\\' && quote == '"':
			size, ok := escape(s[i+1:], &b)
			if !ok {
				return "", "", false
			}
			i += size
		default:
			b.WriteByte(c)
		}
	}
	return "", "", false
}

// escape writes what the escape behind a backslash stands for and returns its
// length.
func escape(s string, b *strings.Builder) (size int, ok bool) {
	if s == "" {
		return 0, false
	}
	digits := 0
	switch s[0] {
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	default:
		i := strings.IndexByte("0abtnvfre \t\"'/\\N_LP", s[0])
		if i < 0 {
			return 0, false
		}
		b.WriteString([]string{"\x00", "\a", "\b", "\t", "\n", "\v", "\f", "\r", "\x1b", " ", "\t", `"`, "'", "/", `\`, "\u0085", "\u00a0", "\u2028", "\u2029"}[i])
		return 1, true
	}
	if len(s) <= digits {
		return 0, false
	}
	n, err := strconv.ParseUint(s[1:1+digits], 16, 32)
	if err != nil || !utf8.ValidRune(rune(n)) || n > utf8.MaxRune {
		return 0, false
	}
	b.WriteRune(rune(n))
	return 1 + digits, true
}

// flow steps over a list or map in brackets, which may go on below.
func (r *reader) flow(rest string) {
	depth, quote := 0, byte(0)
	for {
		for i := 0; i < len(rest); i++ {
			switch c := rest[i]; {
			case quote != 0:
				if c == '\\' && quote == '"' {
					i++
				} else if c == quote {
					quote = 0
				}
			case c == '#' && (i == 0 || rest[i-1] == ' ' || rest[i-1] == '\t'):
				i = len(rest)
			case (c == '"' || c == '\'') && (i == 0 || strings.IndexByte(" \t,[{:", rest[i-1]) >= 0):
				quote = c
			case c == '[' || c == '{':
				depth++
			case c == ']' || c == '}':
				if depth--; depth <= 0 {
					return
				}
			}
		}
		if r.at == len(r.lines) {
			return
		}
		rest = r.lines[r.at]
		r.at++
	}
}

// flowVersion reads the version out of a map in braces that ends on its line
// and holds nothing but plain and quoted texts.
func flowVersion(s string) (version string, ok bool) {
	s, seen := s[1:], false
	for {
		s = strings.TrimLeft(s, " \t")
		if after, end := strings.CutPrefix(s, "}"); end {
			return version, uncommented(" "+after) == ""
		}
		key, rest, plain, ok := flowText(s)
		rest, colon := strings.CutPrefix(strings.TrimLeft(rest, " \t"), ":")
		if !ok || !colon || key == "" || plain && !strings.HasPrefix(rest, " ") {
			return "", false
		}
		value, rest, plain, ok := flowText(strings.TrimLeft(rest, " \t"))
		rest = strings.TrimLeft(rest, " \t")
		if !ok || rest == "" || rest[0] != ',' && rest[0] != '}' {
			return "", false
		}
		if plain && (value == "~" || strings.EqualFold(value, "null")) {
			value = ""
		}
		if key == "version" && !seen {
			version, seen = value, true
		}
		s = strings.TrimPrefix(rest, ",")
	}
}

// flowText reads one text inside braces.
func flowText(s string) (text, rest string, plain, ok bool) {
	if s == "" || strings.IndexByte("[]{}#&*!|>%@`,?:-", s[0]) >= 0 {
		return "", "", false, false
	}
	if s[0] == '"' || s[0] == '\'' {
		text, rest, ok = unquote(s)
		return text, rest, false, ok
	}
	end := strings.IndexAny(s, ",[]{}:#\"'")
	if end < 0 {
		return "", "", false, false
	}
	return strings.TrimRight(s[:end], " \t"), s[end:], true, true
}
