package listing

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"marketingskills/app/upgrade"
)

var (
	// longForm is a line of ls -l. The name is what stands behind the time or
	// the year; where those stand depends on the language.
	longForm = regexp.MustCompile(`^([-dlbcpsD])[-rwxsStTlL]{9}[.+@]?` +
		`(?:(?: +[^ ]+){2,12}? +\d?\d:[\d:.]{2,}(?: +[-+]\d{4})?|(?: +[^ ]+){5,10}? +(?:19|20)\d\d) (.*)$`)
	// unixSize stands before the name where PowerShell on Unix prints it.
	unixSize = regexp.MustCompile(`^ *(?:[\d.,]+ +)?`)
	// headingForm is a line between entries: rules, titles, "total 48" in any
	// language.
	headingForm = regexp.MustCompile(`^[- ]*$|^ .*:$|UnixMode|^Mode |^[^ ]+ +[\d.,]+[KMGTPE]?$`)
)

// ls reads what ls prints: names alone, one a line or in columns; the long
// form, also among names; and either of them for several folders, each below
// its path and a colon.
func (l *listing) ls() bool {
	long := slices.ContainsFunc(l.lines, func(line string) bool {
		_, ok := longLine(line, false)
		return ok
	})
	for _, line := range l.lines {
		if _, isHeader := header(line); !long && !isHeader {
			l.slashes = l.slashes || strings.HasSuffix(line, "/") || strings.Contains(line, "/ ")
			l.links = l.links || strings.HasSuffix(line, "@") || strings.Contains(line, "@ ")
		}
	}
	dir, before := "", ""
	cells, odd := 0, 0
	unixMode, quotes := false, false
	for _, line := range l.lines {
		e, isLong := longLine(line, unixMode)
		path, isHeader := header(line)
		switch {
		case isLong:
			quotes = quotes || strings.HasSuffix(line, "'") || strings.HasSuffix(line, `"`)
			if name := strings.TrimPrefix(e.name, " "); name != "." && name != ".." {
				l.add(e, cmp.Or(e.dir, dir))
			}
		case isHeader && (long || before == ""):
			dir = path
			l.roots = append(l.roots, path)
		case long && headingForm.MatchString(line):
			unixMode = unixMode || strings.Contains(line, "UnixMode")
		default:
			all, like := l.columns(line, dir, long)
			cells, odd = cells+all, odd+all-like
		}
		before = line
	}
	for i := range l.entries {
		if e := &l.entries[i]; quotes && len(e.name) > 1 {
			e.name = strings.TrimPrefix(e.name, " ") // ls makes room for quotes
		}
	}
	if long {
		return len(l.entries) >= odd
	}
	share := 5 // of the cells may be odd, a fifth; a fourth where folders are announced
	if len(l.roots) > 0 {
		share = 4
	}
	return cells > 0 && odd*share <= cells
}

// header returns the folder that a line of ls -R announces.
func header(line string) (string, bool) {
	path, ok := strings.CutSuffix(line, ":")
	if !ok || path == "" || !fits(path) {
		return "", false
	}
	path = shellWord(path)
	return path, !strings.Contains(path, " ") || strings.ContainsAny(path, `/\`)
}

// longLine reads one line of ls -l.
func longLine(line string, unixMode bool) (entry, bool) {
	m := longForm.FindStringSubmatch(line[:min(len(line), 2*maxPath)])
	if m == nil {
		return entry{}, false
	}
	name := m[2]
	if unixMode {
		name = unixSize.ReplaceAllString(name, "")
	}
	e := entry{kind: upgrade.RegularFile}
	mark := "*"
	switch m[1] {
	case "d":
		e.kind, mark = upgrade.Directory, "/"
	case "l":
		e.kind, mark = upgrade.Symlink, "@"
		name, e.target = cutArrow(name)
	}
	if plain, ok := strings.CutSuffix(name, mark); ok && plain != "" {
		name = plain
	}
	e.name = shellWord(name)
	if i := strings.LastIndexByte(e.name, '/'); i >= 0 { // ls -ld skills/*
		e.dir, e.name = e.name[:max(i, 1)], e.name[i+1:]
	}
	return e, e.name != "" && len(e.name) <= maxName
}

// columns reads a line of names, and counts those that look like names; only
// these count when it is strict.
func (l *listing) columns(line, dir string, strict bool) (cells, like int) {
	for _, cell := range cellsOf(line) {
		cells++
		e := l.unmarked(marked(cell))
		isName := nameLike(e.name) || cell != e.name
		if e.name == "" || len(e.name) > 100 || !isName && (strict || e.kind == "" && isSentence(e.name)) {
			l.skip(cell)
			continue
		}
		if isName {
			like++
		}
		if e.name != "." && e.name != ".." {
			l.add(e, dir)
		}
	}
	return cells, like
}

// marked reads a name with what ls and tree add to it: a slash behind folders,
// an arrow behind links, a complaint. It has no name when none is left.
func marked(name string) entry {
	e := entry{}
	if facts, rest, ok := strings.Cut(name, "]  "); ok && facts[:min(1, len(facts))] == "[" {
		// tree -p, -s and the like put facts before the name.
		name = rest
		if strings.HasPrefix(facts, "[d") && len(facts) > 10 {
			e.kind = upgrade.Directory
		}
	}
	if before, _, ok := strings.Cut(name, "  [error opening dir]"); ok {
		name, e.kind = before, upgrade.Unreadable
	}
	if strings.Contains(name, " -> ") {
		e.kind = upgrade.Symlink
		name, e.target = cutArrow(name)
	}
	if plain, ok := strings.CutSuffix(name, "/"); ok && plain != "" {
		name, e.kind = plain, cmp.Or(e.kind, upgrade.Directory)
	}
	if name = shellWord(name); len(name) <= maxName && !strings.Contains(name, "/") {
		e.name = name
	}
	return e
}

// cutArrow cuts a link into its name and where it leads.
func cutArrow(s string) (name, target string) {
	name, target, _ = strings.Cut(s, " -> ")
	return name, shellWord(strings.TrimSuffix(target, "/"))
}

// unmarked drops the signs of ls -F that are evident: a listing with
// slashes has them for all.
func (l *listing) unmarked(e entry) entry {
	if !l.slashes && !l.links || e.kind != "" {
		return e
	}
	if plain := strings.TrimRight(e.name, "@*|="); plain != "" && len(plain) == len(e.name)-1 {
		kind := upgrade.RegularFile
		if e.name[len(plain)] == '@' {
			kind = upgrade.Symlink
		}
		return entry{name: plain, kind: kind}
	}
	if l.slashes {
		e.kind = upgrade.RegularFile
	}
	return e
}

// cellsOf cuts a line at the gaps between columns. Names with single spaces
// stay whole, and so do those in quotes.
func cellsOf(line string) []string {
	var cells []string
	rest := strings.Trim(line, " \t")
	for rest != "" {
		end := len(wordForm.FindString(rest[:min(len(rest), maxPath)]))
		if end == 0 || rest[0] != '\'' && rest[0] != '"' || end < len(rest) && rest[end] != ' ' && rest[end] != '\t' {
			end = 0
			for end < len(rest) && rest[end] != '\t' && !strings.HasPrefix(rest[end:], "  ") {
				end++
			}
		}
		cells = append(cells, rest[:end])
		rest = strings.TrimLeft(rest[end:], " \t")
	}
	return cells
}

// The quotes that ls puts around names that need them, and a word of a shell
// with such quotes in it.
const quotes = `'[^']*'|\$'[^']*'|"(?:[^"\\]|\\.)*"|\\'`

var (
	quotesForm = regexp.MustCompile(quotes)
	wordForm   = regexp.MustCompile(`^(?:` + quotes + `|[^ \t'"])+`)
	// unslasher undoes the escapes that ls uses.
	unslasher = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "\r", `\\`, `\`, `\"`, `"`, `\ `, " ")
)

// shellWord undoes the quotes of a name. One that is not quoted, or not
// rightly, stays as it is.
func shellWord(s string) string {
	if s == "" || s[0] != '\'' && s[0] != '"' || len(wordForm.FindString(s)) < len(s) {
		return s
	}
	return quotesForm.ReplaceAllStringFunc(s, func(quoted string) string {
		switch last := len(quoted) - 1; quoted[0] {
		case '\'':
			return quoted[1:last]
		case '"':
			return unslasher.Replace(quoted[1:last])
		case '$':
			return unslasher.Replace(quoted[2:last])
		default:
			return "'"
		}
	})
}

// nameLike tells whether a text looks like the name of a folder or a file: one
// word of letters, digits and the signs usual in names.
func nameLike(s string) bool {
	const signs = "-_.+@~()[]&'\"$%#^"
	if s == "" || len(s) > 100 {
		return false
	}
	solid := false
	for _, r := range s {
		switch {
		case r == utf8.RuneError:
			return false
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r >= 0x80:
			solid = true
		case !strings.ContainsRune(signs, r):
			return false
		}
	}
	last := s[len(s)-1]
	return solid && last != '.' && !(s[0] == '[' && last == ']') && !(s[0] == '(' && last == ')')
}

// isSentence tells running text from a name with spaces.
func isSentence(s string) bool {
	return strings.ContainsAny(s, "<>{};|=") || strings.Count(s, " ") > 4 ||
		strings.Contains(s, " ") && strings.IndexByte(".,:;!?", s[len(s)-1]) >= 0 || strings.Contains(s, ", ")
}
