package listing

import (
	"regexp"
	"strings"

	"marketingskills/app/upgrade"
)

var (
	// windowsForm is a line of dir and Get-ChildItem. Their words are
	// translated, the order of their columns is not: a mode (Get-ChildItem
	// only), date, time, half of the day, then a kind or a size or nothing, and
	// the name.
	windowsForm = regexp.MustCompile(`^(?:([-darhsl]{5,7}) +)?\d\d?\d?\d?[./-][\d./-]*(?: +\d[\d.]*){0,3}` +
		` +\d?\d:[\d:.]{2,}(?: +(?i:[ap]|[ap]?\.?\x{a0}?m)\.?)* +(.+)$`)
	sizeForm = regexp.MustCompile(`^[\d.,'\x{a0}\x{202f}’]+$`)
	// placeForm finds the path in a line that announces a folder, as
	// "    Directory: C:\Users\me" does in every language.
	placeForm = regexp.MustCompile(`[ \x{a0}]([A-Za-z]:\\.*|\\\\[^\\].*)|: +(/.*)`)
)

// windows reads what dir and Get-ChildItem print.
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
		} else if strings.HasPrefix(line, " ") {
			// What announces no folder is the volume, or sums.
			if m := placeForm.FindStringSubmatch(line); m != nil {
				dir = m[1] + m[2]
				l.roots = append(l.roots, dir)
			}
		} else if !headingForm.MatchString(line) {
			others++
			l.skip(line)
		}
	}
	return found > others && (folders > 0 || dir != "")
}

// windowsLine reads one line of dir or Get-ChildItem.
func windowsLine(line string) (entry, bool) {
	m := windowsForm.FindStringSubmatch(line[:min(len(line), 2*maxPath)])
	if m == nil {
		return entry{}, false
	}
	mode, rest := m[1], m[2]
	column, name, _ := strings.Cut(rest, " ")
	e := entry{name: strings.TrimLeft(name, " "), kind: upgrade.RegularFile}
	switch {
	case column == "<DIR>":
		e.kind = upgrade.Directory
	case column == "<SYMLINKD>" || column == "<JUNCTION>":
		e.kind = upgrade.Symlink
	case column == "<SYMLINK>":
	case strings.Contains(mode, "l"):
		e.kind = upgrade.Symlink
		if !sizeForm.MatchString(column) || e.name == "" {
			e.name = rest // there is no such column
		}
	case strings.HasPrefix(mode, "d"):
		e.kind, e.name = upgrade.Directory, rest
	case !sizeForm.MatchString(column):
		return entry{}, false
	}
	open, end, bad := " [", "]", `/\:*?"<>|`
	if mode != "" {
		open, end, bad = " -> ", "", `/\` // there is PowerShell on other systems
	}
	if before, after, ok := strings.Cut(e.name, open); ok && (e.kind == upgrade.Symlink || column == "<SYMLINK>") {
		e.name, e.target = before, strings.TrimSuffix(after, end)
	}
	return e, e.name != "" && len(e.name) <= maxName && !strings.ContainsAny(e.name, bad)
}
