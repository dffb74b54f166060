package listing

import (
	"strings"
	"unicode/utf8"

	"marketingskills/app/upgrade"
	"marketingskills/app/upgrade/paths"
)

// paths reads one path a line: find, with or without the files below, and
// dir /s /b.
func (l *listing) paths() bool {
	found, nested, others := 0, 0, 0
	for _, line := range l.lines {
		if line == "" {
			continue
		}
		path := shellWord(line)
		if !pathLike(path) {
			others++
			l.skip(line)
			continue
		}
		found++
		e := entry{}
		for len(path) > 1 && paths.IsSeparator(path, len(path)-1) && !(len(path) == 3 && path[1] == ':') {
			path = path[:len(path)-1]
			e.kind = upgrade.Directory
		}
		e.name = paths.Base(path)
		e.dir = strings.TrimSuffix(path, e.name)
		if n := len(e.dir); n > 1 && paths.IsSeparator(e.dir, n-1) && !(n == 3 && e.dir[1] == ':') {
			e.dir = e.dir[:n-1]
		}
		if e.dir != "" {
			nested++
		}
		if found == 1 {
			l.roots = append(l.roots, path)
		}
		if e.name == "." || e.name == ".." || e.name == "" || len(e.name) > maxName {
			continue
		}
		l.add(e, e.dir)
	}
	return nested > 0 && nested*2 >= found && others*4 <= found
}

// pathLike tells whether a line can be a path: parts that are like names.
func pathLike(s string) bool {
	if s == "" || !fits(s) || strings.Contains(s, "://") {
		return false
	}
	odd, parts := 0, 0
	drive := hasDrive(s)
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '/' || r == '\\' && paths.IsWindows(s) }) {
		parts++
		if !nameLike(part) && !(drive && parts == 1) && part != "." && part != ".." {
			odd++
		}
	}
	return parts > 0 && odd*3 <= parts
}

// names reads names alone, one a line or in columns.
func (l *listing) names() bool {
	cells, like := 0, 0
	for _, line := range l.lines {
		l.slashes = l.slashes || strings.HasSuffix(line, "/") || strings.Contains(line, "/ ")
		l.links = l.links || strings.HasSuffix(line, "@") || strings.Contains(line, "@ ")
	}
	for _, line := range l.lines {
		all, good := l.columns(line, l.place, false)
		cells, like = cells+all, like+good
	}
	return cells > 0 && like*5 >= cells*4
}

// columns reads a line of names, and counts those that look like names; only
// these count when it is strict.
func (l *listing) columns(line, dir string, strict bool) (cells, like int) {
	for _, cell := range cellsOf(line) {
		cells++
		e := l.unmarked(l.marked(cell))
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

// unmarked drops the signs of ls -F that are evident: a listing with
// slashes has them for all.
func (l *listing) unmarked(e entry) entry {
	if !l.slashes && !l.links || e.kind != "" {
		return e
	}
	for _, mark := range []string{"@", "*", "|", "="} {
		if plain, ok := strings.CutSuffix(e.name, mark); ok && plain != "" {
			e.name, e.kind = plain, upgrade.RegularFile
			if mark == "@" {
				e.kind = upgrade.Symlink
			}
			return e
		}
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
		if rest[0] == '\'' || rest[0] == '"' {
			word := rest[:min(len(rest), maxPath)]
			if _, after, ok := cutShellWord(word); ok && len(after) < len(word) {
				end := len(word) - len(after)
				cells = append(cells, rest[:end])
				rest = strings.TrimLeft(rest[end:], " \t")
				continue
			}
		}
		end := 0
		for end < len(rest) && rest[end] != '\t' && !strings.HasPrefix(rest[end:], "  ") {
			end++
		}
		cells = append(cells, rest[:end])
		rest = strings.TrimLeft(rest[end:], " \t")
	}
	return cells
}

// nameLike tells whether a text looks like the name of a folder or a file: one
// word of letters, digits and the signs usual in names.
func nameLike(s string) bool {
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
		case strings.ContainsRune("-_.+@~()[]&'\"$%#^", r):
		default:
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
