package skill

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"marketingskills/app/collection/finding"
)

// maxFile is the most bytes of a file, maxFiles the most files of a skill, which
// is what installers accept.
const (
	maxFile  = finding.MaxText
	maxFiles = 1000
)

// loader reads one skill and reports what is wrong with it.
type loader struct {
	fsys   fs.FS
	dir    string
	skill  *Skill
	report finding.Report
	// unusable says what is at a path instead of a file that can be read.
	unusable map[string]string
}

// What can be in the place of a file that can be read.
const (
	isDirectory = "a directory"
	isSymlink   = "a symbolic link"
	isIrregular = "not a regular file"
	isTooLarge  = "too large"
)

// listFor returns a list for findings about a file of the folder.
func (l *loader) listFor(file string) *finding.List { return l.report.On(path.Join(l.dir, file)) }

// walk lists the files in dir and below, and returns false when it cannot list
// dir. It follows no symbolic links: an installer copies a skill to other
// machines, where a link leads nowhere or in a circle.
func (l *loader) walk(dir string) bool {
	entries, err := fs.ReadDir(l.fsys, path.Join(l.dir, dir))
	if err != nil {
		l.listFor(dir).Errorf(0, "unreadable", "make the directory readable", "the directory cannot be listed: %v", finding.Cause(err))
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case e.IsDir():
			l.unusable[name] = isDirectory
			l.walk(name)
		case e.Type().IsRegular():
			l.skill.Files = append(l.skill.Files, name)
			// If the size is not known, reading the file will tell.
			if info, err := e.Info(); err == nil && info.Size() > maxFile {
				l.unusable[name] = isTooLarge
				l.listFor(name).TooLarge(info.Size(), maxFile)
			}
			if !strings.HasPrefix(name, "references/") && !slices.Contains(fileTypes, path.Ext(name)) {
				l.listFor(name).Errorf(0, "file-type", "use one of "+strings.Join(fileTypes, " "), "a skill holds no files of this type")
			}
		default:
			l.unusable[name] = isIrregular
			if e.Type()&fs.ModeSymlink != 0 {
				l.unusable[name] = isSymlink
			}
			l.listFor(name).Errorf(0, "plain-files", "put the file itself here",
				"this is %s, and skills are copied as plain files", l.unusable[name])
		}
	}
	return err == nil || len(entries) > 0
}

// fileTypes are what a skill may hold beside its references. The site
// publishes every file of a skill under its own address, so nothing is allowed
// that a browser would run there, as it runs the scripts of an .html or .svg.
var fileTypes = []string{".md", ".txt", ".json", ".csv", ".tsv", ".yaml", ".yml", ".toml", ".py", ".sh"}

// requireFile tells whether the folder has a file. If not, it reports under the
// rule what there is instead.
func (l *loader) requireFile(file string, rule finding.Rule, right string, list *finding.List) bool {
	if slices.Contains(l.skill.Files, file) {
		return true
	}
	like := slices.IndexFunc(l.skill.Files, func(f string) bool { return strings.EqualFold(f, file) })
	switch {
	case l.unusable[file] == isDirectory:
		list.Errorf(0, rule, "put a file of that name in its place", "%s is a directory", file)
	case l.unusable[file] != "":
		// walk has reported it.
	case like >= 0:
		list.Errorf(0, rule, "rename it", "the directory has %s instead of %s", l.skill.Files[like], file)
	default:
		list.Errorf(0, rule, right, "the directory has no %s", file)
	}
	return false
}

// readText reads one file of the folder as text.
func (l *loader) readText(file string, list *finding.List) (string, bool) {
	if l.unusable[file] == isTooLarge {
		return "", false
	}
	return list.ReadText(l.fsys, "add it")
}
