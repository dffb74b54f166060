package listing

import (
	"strings"
	"unicode/utf8"

	"marketingskills/app/upgrade"
	"marketingskills/app/upgrade/paths"
)

// treeMarks are what stands before a name in the trees that are drawn with
// lines, on any system.
var treeMarks = []string{
	"├── ", "└── ", "├──\u00a0", "└──\u00a0", "|-- ", "`-- ", "├───", "└───", "+---", `\---`, "+-- ", `\-- `,
}

// tree reads what tree prints. How far a name is indented tells what it is in.
func (l *listing) tree() bool {
	type level struct {
		indent int
		path   string
	}
	root := ""
	var open []level
	found, others := 0, 0
	for _, line := range l.lines {
		indent, name, ok := treeLine(line)
		switch {
		case ok:
		case strings.TrimSpace(strings.Trim(line, "│| \u00a0")) == "":
			continue
		case found == 0 && looksLikePath(strings.TrimSpace(line)):
			root = strings.TrimSpace(line)
			if unslashed := strings.TrimRight(root, "/"); unslashed != "" {
				root = unslashed
			}
			continue
		default:
			if others++; !isTreeSum(line) {
				l.skip(line)
			}
			continue
		}
		found++
		for len(open) > 0 && open[len(open)-1].indent >= indent {
			open = open[:len(open)-1]
		}
		e := l.marked(name)
		dir := root
		if len(open) > 0 {
			dir = open[len(open)-1].path
		}
		if e.name == "" {
			l.skip(line)
			continue
		}
		l.add(e, dir)
		if fits(dir) {
			open = append(open, level{indent, joinPrinted(dir, e.name)})
		}
	}
	l.roots = append(l.roots, root)
	return found > 0 && found >= others
}

// treeLine takes a line apart at its mark. The indentation is in characters.
func treeLine(line string) (indent int, name string, ok bool) {
	start := 0
	for start < len(line) {
		r, size := utf8.DecodeRuneInString(line[start:])
		if r == '│' || r == ' ' || r == '\u00a0' || r == '\t' {
			start += size
			continue
		}
		for _, mark := range treeMarks {
			if name, ok := strings.CutPrefix(line[start:], mark); ok {
				return utf8.RuneCountInString(line[:start]), name, name != ""
			}
		}
		if r != '|' {
			return 0, "", false
		}
		start += size
	}
	return 0, "", false
}

func isTreeSum(line string) bool {
	line = strings.TrimSpace(line)
	return line != "" && line[0] >= '0' && line[0] <= '9' && strings.Contains(line, "director")
}

func looksLikePath(s string) bool {
	return s != "" && (strings.ContainsAny(s, `/\`) || s[0] == '.' || s[0] == '~' || !strings.Contains(s, " "))
}

// marked reads a name with what ls and tree add to it: a slash behind folders,
// an arrow behind links, a complaint.
func (l *listing) marked(name string) entry {
	e := entry{}
	if inner, rest, ok := cutBracket(name); ok {
		// tree -p, -s and the like put facts before the name.
		name = rest
		if inner != "" && inner[0] == 'd' && len(inner) >= 10 {
			e.kind = upgrade.Directory
		}
	}
	if before, _, ok := strings.Cut(name, "  [error opening dir]"); ok {
		name, e.kind = before, upgrade.Unreadable
	}
	if before, after, ok := strings.Cut(name, " -> "); ok {
		name, e.target, e.kind = before, strings.TrimSuffix(after, "/"), upgrade.Symlink
	}
	if plain, ok := strings.CutSuffix(name, "/"); ok && plain != "" {
		name = plain
		if e.kind == "" {
			e.kind = upgrade.Directory
		}
	}
	e.name = shellWord(name)
	if len(e.name) > maxName || strings.Contains(e.name, "/") {
		e.name = ""
	}
	return e
}

func cutBracket(s string) (inner, rest string, ok bool) {
	if !strings.HasPrefix(s, "[") {
		return "", s, false
	}
	inner, rest, ok = strings.Cut(s[1:], "]  ")
	if !ok {
		return "", s, false
	}
	return inner, rest, true
}

// joinPrinted puts a name behind a path as it was printed.
func joinPrinted(dir, name string) string {
	if dir == "" {
		return name
	}
	if paths.IsSeparator(dir, len(dir)-1) {
		return dir + name
	}
	return dir + paths.Separator(dir) + name
}

// shellWord undoes the quotes that ls puts around names that need them. A
// name that is not quoted, or not rightly, stays as it is.
func shellWord(s string) string {
	if s == "" || s[0] != '\'' && s[0] != '"' {
		return s
	}
	word, rest, ok := cutShellWord(s)
	if !ok || rest != "" {
		return s
	}
	return word
}

// unslasher undoes the escapes that ls uses.
var unslasher = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "\r", `\\`, `\`, `\"`, `"`, `\ `, " ")

// cutShellWord reads the quoted word that s begins with.
func cutShellWord(s string) (word, rest string, ok bool) {
	var b strings.Builder
	for s != "" && s[0] != ' ' && s[0] != '\t' {
		switch {
		case s[0] == '\'':
			inner, after, closed := strings.Cut(s[1:], "'")
			if !closed {
				return "", "", false
			}
			b.WriteString(inner)
			s = after
		case s[0] == '"':
			i := 1
			for i < len(s) && s[i] != '"' {
				if s[i] == '\\' && i+1 < len(s) { // ls -Q
					i++
				}
				i++
			}
			if i >= len(s) {
				return "", "", false
			}
			b.WriteString(unslasher.Replace(s[1:i]))
			s = s[i+1:]
		case strings.HasPrefix(s, `\'`):
			b.WriteByte('\'')
			s = s[2:]
		case strings.HasPrefix(s, `$'`):
			inner, after, closed := strings.Cut(s[2:], "'")
			if !closed {
				return "", "", false
			}
			b.WriteString(unslasher.Replace(inner))
			s = after
		default:
			b.WriteByte(s[0])
			s = s[1:]
		}
	}
	return b.String(), s, true
}
