package listing

import (
	"strings"

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
		printed := shellWord(line)
		if !pathLike(printed) {
			others++
			l.skip(line)
			continue
		}
		found++
		path := paths.Trim(printed)
		e := entry{name: paths.Base(path)}
		if path != printed {
			e.kind = upgrade.Directory
		}
		if e.dir = paths.Trim(strings.TrimSuffix(path, e.name)); e.dir != "" {
			nested++
		}
		if found == 1 {
			l.roots = append(l.roots, path)
		}
		if e.name != "." && e.name != ".." && e.name != "" && len(e.name) <= maxName {
			l.add(e, e.dir)
		}
	}
	return nested > 0 && nested*2 >= found && others*4 <= found
}

// pathLike tells whether a line can be a path: parts that are like names.
func pathLike(s string) bool {
	if s == "" || !fits(s) || strings.Contains(s, "://") {
		return false
	}
	odd, parts := 0, 0
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '/' || r == '\\' && paths.IsWindows(s) }) {
		parts++
		if !nameLike(part) && !(parts == 1 && paths.HasDrive(s)) && part != "." && part != ".." {
			odd++
		}
	}
	return parts > 0 && odd*3 <= parts
}
