package skill

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"marketingskills/app/collection/finding"
)

// maxFile bounds any one file, in bytes; maxFiles how many one skill may hold, as
// installers do.
const (
	maxFile  = finding.MaxText
	maxFiles = 1000
)

// loader reads one skill and collects what is wrong with it.
type loader struct {
	fsys   fs.FS
	dir    string
	skill  *Skill
	report finding.Report
	// other says what stands at a path where no readable file does.
	other map[string]string
}

// What can stand where a file should.
const (
	directory = "a directory"
	symlink   = "a symbolic link"
	irregular = "not a regular file"
	oversize  = "too large"
)

// on returns a list for findings about a file of the folder.
func (l *loader) on(file string) *finding.List { return l.report.On(path.Join(l.dir, file)) }

// walk lists the folder's files, and returns false when it cannot list dir. It
// follows no links: an installer copies a skill to other machines, where a
// link leads nowhere or in a circle.
func (l *loader) walk(dir string) bool {
	entries, err := fs.ReadDir(l.fsys, path.Join(l.dir, dir))
	if err != nil {
		l.on(dir).Errorf(0, "unreadable", "make the directory readable", "the directory cannot be listed: %v", finding.Cause(err))
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case e.IsDir():
			l.other[name] = directory
			l.walk(name)
		case e.Type().IsRegular():
			l.skill.Files = append(l.skill.Files, name)
			// Without a size, reading the file will tell.
			if info, err := e.Info(); err == nil && info.Size() > maxFile {
				l.other[name] = oversize
				l.on(name).TooLarge(info.Size(), maxFile)
			}
			if !strings.HasPrefix(name, "references/") && !slices.Contains(fileTypes, path.Ext(name)) {
				l.on(name).Errorf(0, "file-type", "use one of "+strings.Join(fileTypes, " "), "a skill holds no files of this type")
			}
		default:
			l.other[name] = irregular
			if e.Type()&fs.ModeSymlink != 0 {
				l.other[name] = symlink
			}
			l.on(name).Errorf(0, "plain-files", "put the file itself here", "this is %s, and skills are copied as plain files", l.other[name])
		}
	}
	return err == nil || len(entries) > 0
}

// fileTypes are what a skill may hold beside its references. The site
// publishes every file of a skill under its own address, so nothing is allowed
// that a browser would run there, as it runs the scripts of an .html or .svg.
var fileTypes = []string{".md", ".txt", ".json", ".csv", ".tsv", ".yaml", ".yml", ".toml", ".py", ".sh"}

// has tells whether the folder has a file of that name. If not, it reports
// what there is instead under the rule.
func (l *loader) has(file string, rule finding.Rule, right string, list *finding.List) bool {
	if slices.Contains(l.skill.Files, file) {
		return true
	}
	like := slices.IndexFunc(l.skill.Files, func(f string) bool { return strings.EqualFold(f, file) })
	switch {
	case l.other[file] == directory:
		list.Errorf(0, rule, "put a file of that name in its place", "%s is a directory", file)
	case l.other[file] != "":
		// It was reported when the folder was listed.
	case like >= 0:
		list.Errorf(0, rule, "rename it", "the directory has %s instead of %s", l.skill.Files[like], file)
	default:
		list.Errorf(0, rule, right, "the directory has no %s", file)
	}
	return false
}

// text reads one file of the folder as text.
func (l *loader) text(file string, list *finding.List) (string, bool) {
	if l.other[file] == oversize {
		return "", false
	}
	return list.ReadText(l.fsys, "add it")
}
