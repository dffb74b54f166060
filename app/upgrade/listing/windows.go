package listing

import (
	"strings"

	"marketingskills/app/upgrade"
)

// windows reads what dir and Get-ChildItem print. Their words are translated,
// the order of their columns is not: a mode (Get-ChildItem only), date, time,
// <DIR> or a size or nothing, name.
func (l *listing) windows() bool {
	dir := ""
	found, folders, others := 0, 0, 0
	for _, line := range l.lines {
		if e, ok := windowsLine(line); ok {
			found++
			if e.kind != upgrade.RegularFile {
				folders++
			}
			if e.name != "." && e.name != ".." {
				l.add(e, dir)
			}
		} else if path, ok := announced(line); ok {
			dir = path
			l.roots = append(l.roots, path)
		} else if line != "" && line[0] != ' ' && !isRule(line) && !strings.HasPrefix(line, "Mode ") {
			// What begins with a space is the volume, or sums.
			others++
			l.skip(line)
		}
	}
	return found > others && (folders > 0 || dir != "")
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// windowsLine reads one line of dir or Get-ChildItem.
func windowsLine(line string) (entry, bool) {
	words, ends := fieldsWithEnds(line)
	if line == "" || line[0] == ' ' || len(words) < 3 {
		return entry{}, false
	}
	at, mode := 0, ""
	if n := len(words[0]); n >= 5 && n <= 7 && strings.Trim(words[0], "-darhsl") == "" {
		at, mode = 1, words[0]
	}
	if !isDate(words[at]) {
		return entry{}, false
	}
	for at++; at < len(words) && at < 5 && isDate(words[at]+".") && !isTime(words[at]); at++ {
		// "2026. 05. 27."
	}
	if at >= len(words) || !isTime(words[at]) {
		return entry{}, false
	}
	for at++; at < len(words)-1 && isHalfDay(words[at]); at++ {
	}
	if at >= len(words) {
		return entry{}, false
	}
	e := entry{kind: upgrade.RegularFile}
	column := words[at]
	switch {
	case column == "<DIR>":
		e.kind = upgrade.Directory
	case column == "<SYMLINKD>" || column == "<JUNCTION>":
		e.kind = upgrade.Symlink
	case column == "<SYMLINK>":
	case strings.Contains(mode, "l"):
		e.kind = upgrade.Symlink
		if !isNumber(column) || at == len(words)-1 {
			at-- // there is no such column
		}
	case strings.HasPrefix(mode, "d"):
		e.kind = upgrade.Directory
		at--
	case !isNumber(column):
		return entry{}, false
	}
	e.name = strings.TrimLeft(line[ends[at]:], " ")
	open, end := " [", "]"
	if mode != "" {
		open, end = " -> ", ""
	}
	if before, after, ok := strings.Cut(e.name, open); ok && (e.kind == upgrade.Symlink || column == "<SYMLINK>") {
		e.name, e.target = before, strings.TrimSuffix(after, end)
	}
	bad := `/\:*?"<>|`
	if mode != "" {
		bad = `/\` // there is PowerShell on other systems
	}
	return e, e.name != "" && len(e.name) <= maxName && !strings.ContainsAny(e.name, bad)
}

// isDate tells 27.05.2026, 05/27/2026, 2026-05-27, 27/05/26 and "2026.".
func isDate(s string) bool {
	return len(s) >= 2 && len(s) <= 11 && isDigit(s[0]) && strings.Trim(s, "0123456789./-") == "" && strings.ContainsAny(s, "./-")
}

func isHalfDay(s string) bool {
	switch strings.ToLower(strings.Trim(s, ".")) {
	case "am", "pm", "a", "p", "m", "a.m", "p.m", "a.\u00a0m", "p.\u00a0m":
		return true
	}
	return false
}

// windowsPathIn finds the path in a line that announces a folder.
func windowsPathIn(line string) (string, bool) {
	for i := 0; i+2 < len(line); i++ {
		if hasDrive(line[i:]) && (i == 0 || line[i-1] == ' ' || line[i-1] == '\u00a0'&0xff) {
			return strings.TrimRight(line[i:], " "), true
		}
		if strings.HasPrefix(line[i:], `\\`) && i+3 < len(line) && line[i+2] != '\\' && i > 0 && line[i-1] == ' ' {
			return strings.TrimRight(line[i:], " "), true
		}
	}
	return "", false
}

// announced returns the folder of the line "    Directory: C:\Users\me", which
// has another word in every language.
func announced(line string) (string, bool) {
	if !strings.HasPrefix(line, " ") {
		return "", false
	}
	if path, ok := windowsPathIn(line); ok {
		return path, true
	}
	if _, path, ok := strings.Cut(line, ": "); ok && strings.HasPrefix(strings.TrimSpace(path), "/") {
		return strings.TrimSpace(path), true
	}
	return "", false
}
