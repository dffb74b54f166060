package listing

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"marketingskills/app/upgrade/paths"
)

// branchForm is a name in a tree, on any system, with the line drawn to it.
var branchForm = regexp.MustCompile("^(?:[├└]──[─ \u00a0]|[|`]-- |[+\\\\]--[- ])(.+)$")

var treeSum = regexp.MustCompile(`^\s*\d.*director`)

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
		case strings.Trim(line, "│| \u00a0\t") == "":
			continue
		case found == 0 && looksLikePath(strings.TrimSpace(line)):
			root = paths.Trim(strings.TrimSpace(line))
			continue
		default:
			if others++; !treeSum.MatchString(line) {
				l.skip(line)
			}
			continue
		}
		found++
		for len(open) > 0 && open[len(open)-1].indent >= indent {
			open = open[:len(open)-1]
		}
		e := marked(name)
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
			open = append(open, level{indent, paths.Below(dir, e.name)})
		}
	}
	l.roots = append(l.roots, root)
	return found > 0 && found >= others
}

// treeLine takes a line apart at its branch. The indentation is in characters.
func treeLine(line string) (indent int, name string, ok bool) {
	start := len(line) - len(strings.TrimLeft(line, "│| \u00a0\t"))
	if start > 0 && line[start-1] == '|' {
		start-- // it belongs to the branch
	}
	m := branchForm.FindStringSubmatch(line[start:])
	if m == nil {
		return 0, "", false
	}
	return utf8.RuneCountInString(line[:start]), m[1], true
}

func looksLikePath(s string) bool {
	return s != "" && (strings.ContainsAny(s, `/\`) || s[0] == '.' || s[0] == '~' || !strings.Contains(s, " "))
}
