package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"marketingskills/app/text"
	"marketingskills/app/upgrade"
	"marketingskills/app/upgrade/scan"
)

// spot is a skills folder: what the person calls it, and its real path.
type spot struct {
	label, real string
	info        fs.FileInfo
	// outside is set when a project only links to it.
	outside bool
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
	*command
	// inside is the folder whose links are not trusted to lead out of it;
	// empty in the home directory, where links are the person's own.
	inside string
	// known tells the names from the collection.
	known func(name string) bool
}

// look reads the folders named, or else the known places.
func (c *command) look(dirs []string, k known) (looked, error) {
	l := looker{command: c, known: upgrade.Known(k.Manifest)}
	l.usual = len(dirs) == 0
	if k.doubts != "" {
		l.note("%s", k.doubts)
	}
	if l.usual {
		l.everywhere()
	}
	for _, dir := range dirs {
		if err := l.named(dir); err != nil {
			return l.looked, err
		}
	}
	return l.looked, nil
}

func (l *looker) note(format string, args ...any) {
	l.Unchecked = append(l.Unchecked, text.Printable(fmt.Sprintf(format, args...)))
}

// everywhere looks in the known places of the project and of the person.
func (l *looker) everywhere() {
	if !sameFile(l.dir, l.home) {
		l.inside = l.dir
	}
	l.places(l.dir, "")
	l.beside(l.dir, "", upgrade.ProjectLock)
	if l.home == "" {
		l.note("The home directory is unknown, so its skills folders were not checked.")
		return
	}
	if l.inside == "" {
		l.note("The current directory is your home directory; its skills folders were checked once.")
	} else {
		l.inside = ""
		l.places(l.home, "~")
	}
	l.lock(l.home, "~", upgrade.HomeLock)
}

// places looks at the known places in a folder.
func (l *looker) places(dir, label string) {
	for _, place := range upgrade.Places {
		l.place(filepath.Join(dir, filepath.FromSlash(place)), joinLabel(label, place))
	}
}

// named looks in a folder that the person named.
func (l *looker) named(dir string) error {
	full, label := l.path(dir)
	info, err := os.Stat(full)
	if err == nil && !info.IsDir() {
		err = errors.New("this is a file, not a folder")
	} else if err == nil {
		_, err = os.ReadDir(full)
	}
	if err != nil {
		next := ""
		if errors.Is(err, fs.ErrNotExist) {
			next = "; check the path"
		}
		return fmt.Errorf("checking %s: %w%s", text.Name(dir), scan.Reason(err), next)
	}
	if slices.Contains(scan.Places(os.DirFS(full)), ".") {
		l.inside = "" // it was named itself
		l.place(full, label)
	}
	if l.inside = full; sameFile(full, l.home) {
		l.inside = ""
	}
	exists := func(place string) bool {
		_, err := os.Lstat(filepath.Join(full, filepath.FromSlash(place)))
		return err == nil
	}
	if slices.ContainsFunc(upgrade.Places, exists) {
		l.places(full, label)
	}
	l.beside(full, label, upgrade.ProjectLock, upgrade.HomeLock)
	return nil
}

// path returns the path from the root of a file or folder that the person
// named, and what to call it: ~ is not the home directory here.
func (c *command) path(name string) (full, label string) {
	if full = name; !filepath.IsAbs(name) {
		full = filepath.Join(c.dir, name)
	}
	if strings.HasPrefix(name, "~") {
		name = full
	}
	return filepath.Clean(full), name
}

// place looks at a place that may be there.
func (l *looker) place(path, label string) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || isNoFolder(err) {
		l.missing = append(l.missing, label)
		return
	}
	real, link := path, ""
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		target, _ := os.Readlink(path)
		link = "a symbolic link to " + text.Name(target)
	}
	if err == nil {
		real, err = filepath.EvalSymlinks(path)
	}
	if err == nil {
		info, err = os.Stat(real)
	}
	switch {
	case err != nil && link != "":
		l.note("%s is %s, which does not lead to a folder: %v.", text.Name(label), link, scan.Reason(err))
	case err != nil:
		l.note("%s was not checked: %v.", text.Name(label), scan.Reason(err))
	case !info.IsDir():
		l.note("%s is a file, not a skills folder.", text.Name(label))
	case link != "":
		l.scan(spot{l.follow(label, link, real), real, info, l.leadsOut(real)})
	default:
		l.scan(spot{label, real, info, l.leadsOut(real)})
	}
}

// leadsOut reports whether a path is neither below the present directory nor
// below the folder that is looked into.
func (l *looker) leadsOut(real string) bool {
	_, here := below(l.dir, real)
	_, inside := below(l.inside, real)
	return l.inside != "" && !here && !inside
}

// below returns the way from a folder to a real path in it.
func below(dir, real string) (rel string, ok bool) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", false
	}
	rel, err = filepath.Rel(dir, real)
	return rel, err == nil && filepath.IsLocal(rel) && rel != "."
}

// follow says that a place is a link, and returns what its real place is called.
func (l *looker) follow(label, to, real string) string {
	shown := real
	if rel, ok := below(l.dir, real); ok && !strings.HasPrefix(rel, "~") {
		shown = rel
	} else if rel, ok := below(l.home, real); ok {
		shown = "~/" + filepath.ToSlash(rel)
	}
	l.note("%s is %s. Its skills are listed under the real path, %s.", text.Name(label), to, text.Name(shown))
	return shown
}

func (l *looker) scan(s spot) {
	for _, have := range l.spots {
		if os.SameFile(have.info, s.info) {
			if have.label != s.label {
				l.note("%s is the same folder as %s and was checked once.", text.Name(s.label), text.Name(have.label))
			}
			return
		}
	}
	l.spots = append(l.spots, s)
	root, err := os.OpenRoot(s.real)
	if err != nil {
		l.Places = append(l.Places, upgrade.Place{Path: s.label, Problem: scan.Reason(err).Error()})
		return
	}
	defer root.Close()
	l.Places = append(l.Places, scan.Place(root.FS(), ".", s.label, scan.Options{Known: l.known}))
}

// beside reads the lock files and looks for the product context of a project.
func (l *looker) beside(dir, label string, locks ...string) {
	for _, name := range locks {
		l.lock(dir, label, name)
	}
	if l.project != "" {
		l.note("The product context was looked for in %s only.", text.Name(l.project))
		return
	}
	l.project = joinLabel(label, ".")
	l.Contexts = scan.Contexts(os.DirFS(dir))
}

func joinLabel(label, name string) string {
	if label == "" {
		return name
	}
	return filepath.Join(label, filepath.FromSlash(name))
}

func (l *looker) lock(dir, label, name string) {
	label = joinLabel(label, name)
	data, err := scan.Lock(os.DirFS(dir), name)
	switch {
	case errors.Is(err, fs.ErrNotExist), isNoFolder(err):
		l.missing = append(l.missing, label)
	case err != nil:
		l.note("%s was not read: %v.", text.Name(label), scan.Reason(err))
	default:
		l.Locks = append(l.Locks, upgrade.LockFile{Path: label, Data: data})
	}
}

func sameFile(a, b string) bool {
	one, err1 := os.Stat(a)
	two, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(one, two)
}

// isNoFolder tells that something above is a file.
func isNoFolder(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
