package listing

import (
	"cmp"
	"slices"
	"strings"

	"marketingskills/app/upgrade"
)

// isMode tells the first column of ls -l.
func isMode(word string) bool {
	if len(word) < 10 || len(word) > 11 || strings.IndexByte("-dlbcpsD", word[0]) < 0 {
		return false
	}
	if len(word) == 11 && strings.IndexByte(".+@", word[10]) < 0 {
		return false
	}
	return strings.Trim(word[1:10], "-rwxsStTlL") == ""
}

// header returns the folder that a line of ls -R announces.
func header(line string) (string, bool) {
	path, ok := strings.CutSuffix(line, ":")
	if !ok || path == "" || !fits(path) {
		return "", false
	}
	path = shellWord(path)
	if path != "." && path != ".." && strings.Contains(path, " ") && !strings.ContainsAny(path, `/\`) {
		return "", false
	}
	return path, true
}

// long reads ls -l, with or without -R.
func (l *listing) long() bool {
	dir := ""
	found, others := 0, 0
	unixMode, quotes := false, false
	for _, line := range l.lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if path, ok := header(line); ok && !strings.HasPrefix(line, "total ") {
			dir = path
			l.roots = append(l.roots, path)
			continue
		}
		words := strings.Fields(line)
		if len(words) == 2 && line[0] != ' ' && !isMode(words[0]) && isNumber(strings.TrimRight(words[1], "KMGTPE")) {
			continue // "total 48", in any language
		}
		if strings.Contains(line, "UnixMode") {
			unixMode = true
			continue
		}
		if isRule(line) {
			continue
		}
		e, ok := longLine(line, unixMode)
		if !ok {
			cells, like := l.columns(line, dir, true)
			others += cells - like
			continue
		}
		found++
		quotes = quotes || strings.ContainsAny(line[len(line)-1:], `'"`)
		l.add(e, cmp.Or(e.dir, dir))
	}
	l.entries = slices.DeleteFunc(l.entries, func(e entry) bool {
		name := strings.TrimPrefix(e.name, " ")
		return name == "." || name == ".."
	})
	for i := range l.entries {
		if e := &l.entries[i]; quotes && len(e.name) > 1 {
			e.name = strings.TrimPrefix(e.name, " ") // ls makes room for quotes
		}
	}
	return found > 0 && len(l.entries) >= others
}

func isRule(line string) bool {
	return strings.Trim(line, "- ") == "" || strings.HasSuffix(strings.TrimSpace(line), ":") && strings.HasPrefix(line, " ")
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789.,'\u00a0\u202f\u2019") == ""
}

// longLine reads one line of ls -l. The name is what stands behind the time
// or the year; where those stand depends on the language.
func longLine(line string, unixMode bool) (entry, bool) {
	word, _, _ := strings.Cut(line, " ")
	if !isMode(word) {
		return entry{}, false
	}
	words, ends := fieldsWithEnds(line)
	at := -1
	for i := 3; i < len(words) && i < 14; i++ {
		if isTime(words[i]) {
			at = i
			break
		}
	}
	for i := 5; at < 0 && i < len(words)-1 && i < 12; i++ {
		if len(words[i]) == 4 && isNumber(words[i]) && (words[i][:2] == "19" || words[i][:2] == "20") && i >= 6 {
			at = i
		}
	}
	if at < 0 || at+1 >= len(words) {
		return entry{}, false
	}
	if next := words[at+1]; len(next) == 5 && (next[0] == '+' || next[0] == '-') && isNumber(next[1:]) && at+2 < len(words) {
		at++ // a time zone
	}
	if unixMode && at+2 < len(words) && isNumber(words[at+1]) {
		at++ // PowerShell on Unix has the size here
	}
	name := line[ends[at]:]
	if unixMode {
		name = strings.TrimLeft(name, " ")
	} else {
		name = name[1:] // one space; others belong to the name
	}
	e := entry{kind: upgrade.RegularFile}
	switch word[0] {
	case 'd':
		e.kind = upgrade.Directory
	case 'l':
		e.kind = upgrade.Symlink
		if before, after, ok := strings.Cut(name, " -> "); ok {
			name, e.target = before, shellWord(strings.TrimSuffix(after, "/"))
		}
	}
	mark := map[upgrade.Kind]string{upgrade.Directory: "/", upgrade.Symlink: "@", upgrade.RegularFile: "*"}[e.kind]
	if plain, ok := strings.CutSuffix(name, mark); ok && plain != "" {
		name = plain
	}
	e.name = shellWord(name)
	if i := strings.LastIndexByte(e.name, '/'); i >= 0 { // ls -ld skills/*
		e.dir, e.name = e.name[:max(i, 1)], e.name[i+1:]
	}
	return e, e.name != "" && len(e.name) <= maxName
}

func fieldsWithEnds(line string) (words []string, ends []int) {
	start := -1
	for i := 0; i <= len(line); i++ {
		if i < len(line) && line[i] != ' ' {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			words, ends = append(words, line[start:i]), append(ends, i)
			start = -1
			if len(words) == 16 {
				break // the name has begun
			}
		}
	}
	return words, ends
}

// isTime tells 9:30, 09:30 and 09:30:00.123.
func isTime(s string) bool {
	hour, rest, ok := strings.Cut(s, ":")
	return ok && len(hour) >= 1 && len(hour) <= 2 && isNumber(hour) && len(rest) >= 2 && strings.Trim(rest, "0123456789:.") == ""
}

// recursive reads ls -R: a path and a colon, then the names in it.
func (l *listing) recursive() bool {
	headers := 0
	for i, line := range l.lines {
		if _, ok := header(line); ok && (i == 0 || l.lines[i-1] == "") {
			headers++
		}
	}
	if headers == 0 || headers == 1 && len(l.lines) < 2 {
		return false
	}
	dir, before := "", ""
	cells, odd := 0, 0
	for _, line := range l.lines {
		path, ok := header(line)
		switch {
		case ok && before == "":
			dir = path
			l.roots = append(l.roots, path)
		case line == "":
		default:
			all, like := l.columns(line, dir, false)
			cells, odd = cells+all, odd+all-like
		}
		before = line
	}
	return cells > 0 && odd*4 <= cells
}
