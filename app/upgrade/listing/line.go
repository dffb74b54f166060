package listing

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"marketingskills/app/upgrade"
	"marketingskills/app/upgrade/paths"
)

var (
	// branchForm is a name in a tree, on any system, behind what is drawn
	// between it and the margin.
	branchForm = regexp.MustCompile("^(?:[├└]──[─ \u00a0]|[|`]-- |[+\\\\]--[- ])(.+)$")
	// longForm is a line of ls -l. The name is what stands behind the time or
	// the year, and the size in PowerShell on Unix; where those stand depends on
	// the language.
	longForm = regexp.MustCompile(`^([-dlbcpsD])[-rwxsStTlL]{9}[.+@]?` +
		`(?:(?: +[^ ]+){2,12}? +\d?\d:[\d:.]{2,}(?: +[-+]\d{4})?|(?: +[^ ]+){5,10}? +(?:19|20)\d\d) +(?:[\d.,]+ +)?(.*)$`)
	// windowsForm is a line of dir and Get-ChildItem: a mode (Get-ChildItem
	// only), date, time, half of the day, then a kind or a size or nothing, and
	// the name.
	windowsForm = regexp.MustCompile(`^(?:([-darhsl]{5,7}) +)?\d\d?\d?\d?[./-][\d./-]*(?: +\d[\d.]*){0,3}` +
		` +\d?\d:[\d:.]{2,}(?: +(?i:[ap]|[ap]?\.?\x{a0}?m)\.?)* +(?:(<[A-Z]+>|[\d.,'\x{a0}\x{202f}’]+) +)?([^ ].*)$`)
	// headingForm finds the path in a line that announces a folder, as
	// "    Directory: C:\Users\me" does in every language.
	headingForm = regexp.MustCompile(`^ .*(?:[ \x{a0}]([A-Za-z]:\\.*|\\\\[^\\].*)|: +(/.*))$`)
	// noiseForm are lines between entries: rules, titles, volumes, and sums, as
	// "total 48" in any language.
	noiseForm = regexp.MustCompile(`^[-─│| \x{a0}\t]*$|UnixMode|^Mode |^ Volume ` +
		`|^[^ ]+ [\d.,]+[KMGTPE]?$|^\s*\d+ (?:director|[A-Z].*\d)`)
	columns = regexp.MustCompile(`\t+ *|  +`)
)

// branch is a name in a tree. Its indentation is in characters.
type branch struct {
	indent int
	path   string
}

// read reads one line; false when it is not understood.
func (l *listing) read(line string) bool {
	start := len(line) - len(strings.TrimLeft(line, "│| \u00a0\t"))
	if start > 0 && line[start-1] == '|' {
		start-- // it belongs to the branch
	}
	if m := branchForm.FindStringSubmatch(line[start:]); m != nil {
		return l.readBranch(utf8.RuneCountInString(line[:start]), m[1])
	}
	short := line[:min(len(line), 2*maxPath)]
	if m := longForm.FindStringSubmatch(short); m != nil {
		return l.readName(m[2], unixKinds[m[1]])
	}
	if m := windowsForm.FindStringSubmatch(short); m != nil && m[1]+m[2] != "" {
		return l.readName(m[3], windowsKind(m[1], m[2]))
	}
	if m := headingForm.FindStringSubmatch(short); m != nil {
		l.dir = m[1] + m[2]
		return true
	}
	if heading, ok := strings.CutSuffix(line, ":"); ok && isPath(unquoted(heading)) {
		l.dir = unquoted(heading)
		return true
	}
	return l.readCells(line)
}

var unixKinds = map[string]upgrade.Kind{"-": upgrade.RegularFile, "d": upgrade.Directory, "l": upgrade.Symlink}

func windowsKind(mode, column string) upgrade.Kind {
	switch {
	case strings.HasPrefix(column, "<SYMLINK") || column == "<JUNCTION>" || strings.Contains(mode, "l"):
		return upgrade.Symlink
	case column == "<DIR>" || strings.HasPrefix(mode, "d"):
		return upgrade.Directory
	}
	return upgrade.RegularFile
}

// readBranch reads a name in a tree. How far it is indented tells what it is
// in; the first ones are in the folder that the line before them names.
func (l *listing) readBranch(indent int, name string) bool {
	for len(l.tree) > 0 && l.tree[len(l.tree)-1].indent >= indent {
		l.tree = l.tree[:len(l.tree)-1]
	}
	if l.last != "" {
		l.dir, l.last = l.last, ""
		if n := len(l.entries); n > 0 && paths.Below(l.entries[n-1].dir, l.entries[n-1].name) == paths.Trim(l.dir) {
			l.entries = l.entries[:n-1] // it is the root, no entry
		}
	}
	dir := l.dir
	if len(l.tree) > 0 {
		dir = l.tree[len(l.tree)-1].path
	}
	name, kind, ok := cleaned(name, upgrade.Directory)
	path := paths.Below(dir, name)
	if !ok || !fits(path) {
		return false
	}
	l.tree = append(l.tree, branch{indent, path})
	l.add(path, kind)
	return true
}

// readName reads what stands at the end of a long line. Behind a heading it is
// in that folder.
func (l *listing) readName(name string, kind upgrade.Kind) bool {
	name, kind, ok := cleaned(name, kind)
	if name == "." || name == ".." {
		return true
	}
	path, isPath := l.inHeading(name)
	if !ok || !isPath {
		return false
	}
	l.add(path, kind)
	return true
}

// readCells reads a line of names or paths: one, or several in columns, of
// which some may not be names.
func (l *listing) readCells(line string) bool {
	read, unread := 0, []string{}
	for _, cell := range columns.Split(strings.TrimSpace(line), -1) {
		name, kind, ok := cleaned(cell, upgrade.Directory)
		if ok && (name == "." || name == "..") {
			l.last = name
			read++
			continue
		}
		// Words are a name only in quotes, or in what begins as paths do.
		words := strings.Contains(name, " ") && !strings.ContainsAny(cell[:1], `'"./~`) && !paths.HasDrive(name)
		path, isPath := l.inHeading(name)
		if !ok || words || !isPath {
			unread = append(unread, cell)
			continue
		}
		read++
		l.last = path
		l.add(path, kind)
	}
	if read == 0 {
		return false
	}
	for _, cell := range unread {
		l.skip(cell)
	}
	return true
}

// inHeading returns the path of something by its name or path: behind a heading a
// name is in that folder.
func (l *listing) inHeading(name string) (path string, ok bool) {
	if l.dir == "" || paths.Parent(name) != "" {
		return name, isPath(name)
	}
	path = paths.Below(l.dir, name)
	return path, fits(path)
}

// cleaned takes off a name what ls and tree add to it: facts in front, quotes, a
// mark or an arrow behind. It is ok when it can be the name of something.
func cleaned(s string, kind upgrade.Kind) (name string, _ upgrade.Kind, ok bool) {
	if strings.HasPrefix(s, "[") {
		_, s, _ = strings.Cut(s, "]  ") // tree -p, -s and the like
	}
	if before, _, found := strings.Cut(s, " -> "); found {
		s, kind = before, upgrade.Symlink
	} else if before, _, found := strings.Cut(s, " ["); found { // of dir; tree: could not be opened
		s = strings.TrimRight(before, " ")
	}
	plain := strings.TrimRight(s, "@*|=")
	switch {
	case plain == "" || len(s)-len(plain) > 1:
		return "", kind, false
	case strings.HasSuffix(s, "@"):
		kind = upgrade.Symlink
	case plain != s:
		kind = upgrade.RegularFile
	}
	name = unquoted(paths.Trim(plain))
	last := paths.Base(name)
	return name, kind, last == "." || last == ".." || isName(last) && !strings.Contains(name, "$'")
}

// unquoted takes off quotes around a name.
func unquoted(s string) string {
	if last := len(s) - 1; last > 1 && (s[0] == '\'' || s[0] == '"') && s[last] == s[0] && strings.Count(s, s[:1]) == 2 {
		return s[1:last]
	}
	return s
}

// isName tells whether a text can be the name of a folder or a file: letters,
// digits and the signs usual in names.
func isName(s string) bool {
	const signs = "-_.+@~()&'$%# "
	letters := false
	for _, r := range s {
		switch {
		case r == utf8.RuneError:
			return false
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r >= 0x80:
			letters = true
		case !strings.ContainsRune(signs, r):
			return false
		}
	}
	return letters && len(s) <= maxName && (s[len(s)-1] != '.' || strings.HasPrefix(s, "."))
}

// fits tells whether a path is at most as long as file systems allow.
func fits(path string) bool {
	return path != "" && len(path) <= maxPath && strings.Count(path, "/")+strings.Count(path, `\`) <= maxParts
}

// isPath tells whether a text can be a path: one that fits, of parts that are
// names.
func isPath(s string) bool {
	if !fits(s) {
		return false
	}
	rest := s
	if paths.HasDrive(s) {
		rest = s[2:]
	}
	isSeparator := func(r rune) bool { return r == '/' || r == '\\' && paths.IsWindows(s) }
	for part := range strings.FieldsFuncSeq(rest, isSeparator) {
		if part != "." && part != ".." && part != "~" && !isName(part) {
			return false
		}
	}
	return true
}
