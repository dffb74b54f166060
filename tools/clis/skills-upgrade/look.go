package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"marketingskills/app/upgrade"
)

// maxLock is as much of a lock file as the analysis reads.
const maxLock = 4 << 20

// spot is a folder of skills: what the person calls it, and its real path.
type spot struct {
	label, real string
	info        fs.FileInfo
}

// looked is what was found.
type looked struct {
	upgrade.Installation
	spots []spot
	// missing are the places and files that are not there.
	missing []string
	// usual is set when the places that agents read were looked into, and no
	// folder was named.
	usual bool
	// project is the folder whose product context counts; empty for none yet.
	project string
}

// looker reads folders of skills. It changes nothing.
type looker struct {
	looked
	dir, home string
	ours      func(name string) bool
}

// look reads the folders named, or else the known places.
func (c *command) look(dirs []string, k known) (looked, error) {
	l := looker{dir: c.dir, home: c.home, ours: func(name string) bool {
		_, row := k.Row(name)
		_, _, old := k.Resolve(name)
		return row || old
	}}
	l.usual = len(dirs) == 0
	if k.doubts != "" {
		l.say("%s", k.doubts)
	}
	if len(dirs) == 0 {
		l.everywhere()
	}
	for _, dir := range dirs {
		if err := l.named(dir); err != nil {
			return l.looked, err
		}
	}
	return l.looked, nil
}

func (l *looker) say(format string, args ...any) {
	l.Unchecked = append(l.Unchecked, printable(fmt.Sprintf(format, args...)))
}

// everywhere looks in the known places of the project and of the person.
func (l *looker) everywhere() {
	for _, place := range upgrade.Places {
		l.place(filepath.Join(l.dir, filepath.FromSlash(place)), place)
	}
	l.beside(l.dir, "", upgrade.ProjectLock)
	if l.home == "" {
		l.say("The home directory is not known, so nothing was looked for there.")
		return
	}
	if sameFile(l.dir, l.home) {
		l.say("The present directory is the home directory, so its places were looked at once.")
	} else {
		for _, place := range upgrade.Places {
			l.place(filepath.Join(l.home, filepath.FromSlash(place)), "~/"+place)
		}
	}
	l.lock(filepath.Join(l.home, filepath.FromSlash(upgrade.HomeLock)), "~/"+upgrade.HomeLock)
}

// named looks in a folder that the person named.
func (l *looker) named(dir string) error {
	full := l.full(dir)
	label := dir
	if strings.HasPrefix(dir, "~") {
		label = full // a folder of that name, not the home directory
	}
	entries, err := os.Open(full)
	if err == nil {
		var info fs.FileInfo
		if info, err = entries.Stat(); err == nil && !info.IsDir() {
			err = errors.New("this is a file, not a folder")
		} else if err == nil {
			_, err = entries.ReadDir(1)
		}
		entries.Close()
	}
	if err != nil && err != io.EOF {
		return fmt.Errorf("looking in %s: %w", upgrade.Show(dir), reason(err))
	}
	below := upgrade.Below(os.DirFS(full))
	known := len(below) > 0 && below[len(below)-1] != "."
	for _, place := range upgrade.Places {
		at := filepath.Join(full, filepath.FromSlash(place))
		_, err := os.Lstat(at)
		known = known || err == nil
	}
	if slices.Contains(below, ".") {
		l.place(full, label)
	}
	if known {
		for _, place := range upgrade.Places {
			l.place(filepath.Join(full, filepath.FromSlash(place)), filepath.Join(label, filepath.FromSlash(place)))
		}
	}
	l.beside(full, label, upgrade.ProjectLock, upgrade.HomeLock)
	return nil
}

// full is a path from the root.
func (l *looker) full(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(l.dir, name)
}

// place looks at a place that may be there.
func (l *looker) place(path, label string) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), isNoFolder(err):
		l.missing = append(l.missing, label)
		return
	case err != nil:
		l.say("%s was not looked at: %v.", upgrade.Show(label), reason(err))
		return
	}
	real, err := filepath.EvalSymlinks(path)
	isLink := info.Mode()&fs.ModeSymlink != 0
	if isLink {
		target, _ := os.Readlink(path)
		to := "a link to " + upgrade.Show(target)
		if err != nil {
			l.say("%s is %s, which leads to no folder: %v.", upgrade.Show(label), to, reason(err))
			return
		}
		label = l.link(label, to, real)
	}
	if err == nil {
		info, err = os.Stat(real)
	}
	switch {
	case err != nil:
		l.say("%s was not looked at: %v.", upgrade.Show(label), reason(err))
	case !info.IsDir():
		l.say("%s is a file, not a folder of skills.", upgrade.Show(label))
	default:
		l.scan(spot{label, real, info})
	}
}

// link says that a place is a link, and returns what its real place is called.
func (l *looker) link(label, to, real string) string {
	shown := real
	for _, base := range []struct{ dir, label string }{{l.dir, ""}, {l.home, "~"}} {
		if base.dir == "" {
			continue
		}
		dir, err := filepath.EvalSymlinks(base.dir)
		if err != nil {
			continue
		}
		if rel, err := filepath.Rel(dir, real); err == nil && filepath.IsLocal(rel) && rel != "." && !strings.HasPrefix(rel, "~") {
			shown = rel
			if base.label != "" {
				shown = base.label + "/" + filepath.ToSlash(rel)
			}
			break
		}
	}
	l.say("%s is %s: its folders are reported, and put right, in their real place, %s.", upgrade.Show(label), to, upgrade.Show(shown))
	return shown
}

func (l *looker) scan(s spot) {
	for _, have := range l.spots {
		if os.SameFile(have.info, s.info) {
			if have.label != s.label {
				l.say("%s is the same folder as %s, looked at once.", upgrade.Show(s.label), upgrade.Show(have.label))
			}
			return
		}
	}
	l.spots = append(l.spots, s)
	root, err := os.OpenRoot(s.real)
	if err != nil {
		l.Places = append(l.Places, upgrade.Place{Path: s.label, Problem: reason(err).Error()})
		return
	}
	defer root.Close()
	l.Places = append(l.Places, upgrade.Scan(root.FS(), ".", s.label, upgrade.ScanOptions{
		Files: func(name string, front *upgrade.Frontmatter) bool { return front != nil && l.ours(name) },
	}))
}

// beside reads the lock files and looks for the product context of a project.
func (l *looker) beside(dir, label string, locks ...string) {
	for _, name := range locks {
		l.lock(filepath.Join(dir, filepath.FromSlash(name)), joinLabel(label, name))
	}
	if l.project != "" {
		l.say("Product context was looked for in %s only.", upgrade.Show(l.project))
		return
	}
	l.project = joinLabel(label, ".")
	for _, name := range upgrade.ContextPaths {
		if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err == nil && info.Mode().IsRegular() {
			l.Contexts = append(l.Contexts, name)
		}
	}
}

func joinLabel(label, name string) string {
	if label == "" {
		return name
	}
	return filepath.Join(label, filepath.FromSlash(name))
}

func (l *looker) lock(path, label string) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), isNoFolder(err):
		l.missing = append(l.missing, label)
		return
	case err == nil && !info.Mode().IsRegular():
		err = errors.New("it is no file")
	}
	var data []byte
	if err == nil {
		var f *os.File
		if f, err = os.Open(path); err == nil {
			data, err = io.ReadAll(io.LimitReader(f, maxLock+1))
			f.Close()
		}
	}
	if err != nil {
		l.say("%s was not read: %v.", upgrade.Show(label), reason(err))
		return
	}
	l.Locks = append(l.Locks, upgrade.LockFile{Path: label, Data: data})
}

func sameFile(a, b string) bool {
	one, err1 := os.Stat(a)
	two, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(one, two)
}

// reason is an error without the path that the message has already.
func reason(err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return errors.New("it is not permitted")
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("it is not there")
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// isNoFolder tells that something above is a file.
func isNoFolder(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
