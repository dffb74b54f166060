package listing

import (
	"strings"

	"marketingskills/app/upgrade"
)

// windowsDir reads what dir prints. Its words are translated, the order of
// its columns is not: date, time, <DIR> or size, name.
func (l *listing) windowsDir() bool {
	dir := ""
	found, folders, others := 0, 0, 0
	for _, line := range l.lines {
		if e, ok := dirLine(line); ok {
			found++
			if e.kind != upgrade.RegularFile {
				folders++
			}
			if e.name != "." && e.name != ".." {
				e.dir = dir
				l.entries = append(l.entries, e)
			}
			continue
		}
		if path, ok := windowsPathIn(line); ok && !isDigit(line[0]) {
			dir = path
			l.roots = append(l.roots, path)
			continue
		}
		if isDigit(first(line)) {
			others++
			l.skip(line)
		}
		// What else there is begins with a space: the volume, the sums.
	}
	return found > others && (folders > 0 || dir != "")
}

func first(s string) byte {
	if s == "" {
		return 0
	}
	return s[0]
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// dirLine reads one line of dir.
func dirLine(line string) (entry, bool) {
	if !isDigit(first(line)) {
		return entry{}, false
	}
	words, ends := fieldsWithEnds(line)
	if len(words) < 3 || !isDate(words[0]) {
		return entry{}, false
	}
	at := 1
	for at < len(words) && at < 4 && isDate(words[at]+".") && !isTime(words[at]) {
		at++ // "2026. 05. 27."
	}
	if at >= len(words) || !isTime(words[at]) {
		return entry{}, false
	}
	for at++; at < len(words) && isHalfDay(words[at]); at++ {
	}
	if at+1 > len(words)-1 {
		return entry{}, false
	}
	e := entry{}
	switch mark := words[at]; mark {
	case "<DIR>":
		e.kind = upgrade.Directory
	case "<SYMLINKD>", "<JUNCTION>":
		e.kind = upgrade.Symlink
	case "<SYMLINK>":
		e.kind = upgrade.RegularFile
	default:
		if !isNumber(mark) {
			return entry{}, false
		}
		e.kind = upgrade.RegularFile
	}
	e.name = strings.TrimLeft(line[ends[at]:], " ")
	if e.kind == upgrade.Symlink || words[at] == "<SYMLINK>" {
		if before, after, ok := strings.Cut(e.name, " ["); ok {
			e.name, e.target = before, strings.TrimSuffix(after, "]")
		}
	}
	return e, validWindowsName(e.name)
}

func validWindowsName(s string) bool {
	return s != "" && len(s) <= maxName && !strings.ContainsAny(s, `/\:*?"<>|`)
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

// powerShell reads what Get-ChildItem prints: mode, date, time, size of
// files, name.
func (l *listing) powerShell() bool {
	dir := ""
	found, others := 0, 0
	for _, line := range l.lines {
		if strings.TrimSpace(line) == "" || isRule(line) && !strings.HasPrefix(line, " ") {
			continue
		}
		if e, ok := powerShellLine(line); ok {
			found++
			e.dir = dir
			l.entries = append(l.entries, e)
			continue
		}
		if path, ok := announced(line); ok {
			dir = path
			l.roots = append(l.roots, path)
			continue
		}
		if strings.HasPrefix(line, "Mode ") {
			continue
		}
		others++
		l.skip(line)
	}
	return found > 0 && found >= others
}

// announced returns the folder of the line "    upgrade.Directory: C:\Users\me", which
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

func powerShellLine(line string) (entry, bool) {
	words, ends := fieldsWithEnds(line)
	if len(words) < 4 {
		return entry{}, false
	}
	mode := words[0]
	if len(mode) < 5 || len(mode) > 7 || strings.Trim(mode, "-darhsl") != "" || !isDate(words[1]) || !isTime(words[2]) {
		return entry{}, false
	}
	at := 3
	for at < len(words)-1 && isHalfDay(words[at]) {
		at++
	}
	e := entry{kind: upgrade.RegularFile}
	switch {
	case strings.Contains(mode, "l"):
		e.kind = upgrade.Symlink
		if isNumber(words[at]) && at < len(words)-1 {
			at++
		}
	case mode[0] == 'd':
		e.kind = upgrade.Directory
	default:
		if !isNumber(words[at]) || at == len(words)-1 {
			return entry{}, false
		}
		at++
	}
	e.name = strings.TrimLeft(line[ends[at-1]:], " ")
	if before, after, ok := strings.Cut(e.name, " -> "); ok && e.kind == upgrade.Symlink {
		e.name, e.target = before, after
	}
	return e, e.name != "" && len(e.name) <= maxName && !strings.ContainsAny(e.name, `/\`)
}
