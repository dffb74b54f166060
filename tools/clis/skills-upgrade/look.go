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
	"marketingskills/tools/clis/skills-upgrade/internal/aside"
)

// spot is a skills folder: what the person calls it, and its real path.
type spot struct {
	label, real string
	info        fs.FileInfo
	// untouched is why nothing is changed there, "" where it may be.
	untouched string
}

// state is what one look at the disk gave. It changes nothing there.
type state struct {
	*call
	upgrade.Installation
	// spots are the places as they are on the disk, in the same order.
	spots []spot
	// missing are the places and files that are not there.
	missing []string
	report  upgrade.Report
	// project is the folder whose product context counts; empty for none yet.
	project string
}

// base is a folder that skills folders are looked for in.
type base struct {
	dir, label string
	// own is set in the home directory, where links are the person's own and
	// may lead anywhere.
	own bool
	// named is set when the skills folder itself was named, so that it may be
	// anywhere.
	named bool
}

// join returns what something in the folder is called.
func (b base) join(name string) string {
	if b.label == "" {
		return name
	}
	return filepath.Join(b.label, filepath.FromSlash(name))
}

// see reads the folders named, or else the known places, and analyzes them.
func (c *call) see() (*state, error) {
	s := &state{call: c}
	if c.known.doubts != "" {
		s.note("%s", c.known.doubts)
	}
	if len(c.options.dirs) == 0 {
		s.everywhere()
	}
	for _, dir := range c.options.dirs {
		if err := s.named(dir); err != nil {
			return nil, err
		}
	}
	s.report = upgrade.Analyze(s.Installation, c.known.Manifest)
	return s, nil
}

func (s *state) note(format string, args ...any) {
	s.Unchecked = append(s.Unchecked, text.Printable(fmt.Sprintf(format, args...)))
}

// everywhere looks in the known places of the project and of the person.
func (s *state) everywhere() {
	project, home := base{dir: s.dir, own: sameFile(s.dir, s.home)}, base{dir: s.home, label: "~", own: true}
	s.places(project)
	s.beside(project, upgrade.ProjectLock)
	switch {
	case s.home == "":
		s.note("The home directory is unknown, so its skills folders were not checked.")
		return
	case project.own:
		s.note("The current directory is your home directory; its skills folders were checked once.")
	default:
		s.places(home)
	}
	s.lock(home, upgrade.HomeLock)
}

// places looks at the known places in a folder.
func (s *state) places(in base) {
	for _, place := range upgrade.Places {
		s.place(in, filepath.Join(in.dir, filepath.FromSlash(place)), in.join(place))
	}
}

// named looks in a folder that the person named.
func (s *state) named(dir string) error {
	full, label := s.path(dir)
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
		s.place(base{dir: root(full), named: true}, full, label)
	}
	in := base{dir: full, label: label, own: sameFile(full, s.home)}
	exists := func(place string) bool {
		_, err := os.Lstat(filepath.Join(full, filepath.FromSlash(place)))
		return err == nil
	}
	if slices.ContainsFunc(upgrade.Places, exists) {
		s.places(in)
	}
	s.beside(in, upgrade.ProjectLock, upgrade.HomeLock)
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
func (s *state) place(in base, path, label string) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || isNoFolder(err) {
		s.missing = append(s.missing, label)
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
		s.note("%s is %s, which does not lead to a folder: %v.", text.Name(label), link, scan.Reason(err))
	case err != nil:
		s.note("%s was not checked: %v.", text.Name(label), scan.Reason(err))
	case !info.IsDir():
		s.note("%s is a file, not a skills folder.", text.Name(label))
	case link != "":
		s.scan(spot{s.follow(label, link, real), real, info, s.untouched(in, real)})
	default:
		s.scan(spot{label, real, info, s.untouched(in, real)})
	}
}

// untouched is why nothing is changed in a place, "" where something may be: a
// repository decides neither what is changed elsewhere nor in hidden folders,
// such as that of git.
func (s *state) untouched(in base, real string) string {
	if in.own {
		return ""
	}
	way, ok := below(s.dir, real)
	if !ok || sameFile(s.dir, s.home) {
		way, ok = below(in.dir, real)
	}
	switch {
	case !ok && !in.named:
		return "it is outside the project, which only links to it; to fix it, name its skills folder"
	case !ok:
		way = real
	}
	if aside.Hidden(way) {
		return "it is in a hidden folder that agents do not load skills from; to fix it yourself, see --commands"
	}
	return ""
}

// root is the project that a skills folder is of, as far as its path tells.
func root(full string) string {
	for _, place := range upgrade.Places {
		if project, ok := strings.CutSuffix(filepath.ToSlash(full), "/"+place); ok {
			return filepath.FromSlash(project)
		}
	}
	return filepath.Dir(full)
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
func (s *state) follow(label, to, real string) string {
	shown := real
	if rel, ok := below(s.dir, real); ok && !strings.HasPrefix(rel, "~") {
		shown = rel
	} else if rel, ok := below(s.home, real); ok {
		shown = "~/" + filepath.ToSlash(rel)
	}
	s.note("%s is %s. Its skills are listed under the real path, %s.", text.Name(label), to, text.Name(shown))
	return shown
}

func (s *state) scan(found spot) {
	for _, have := range s.spots {
		if os.SameFile(have.info, found.info) {
			if have.label != found.label {
				s.note("%s is the same folder as %s and was checked once.", text.Name(found.label), text.Name(have.label))
			}
			return
		}
	}
	s.spots = append(s.spots, found)
	root, err := os.OpenRoot(found.real)
	if err != nil {
		s.Places = append(s.Places, upgrade.Place{Path: found.label, Problem: scan.Reason(err).Error()})
		return
	}
	defer root.Close()
	s.Places = append(s.Places, scan.Place(root.FS(), ".", found.label, scan.Options{Known: upgrade.Known(s.known.Manifest)}))
}

// beside reads the lock files and looks for the product context of a project.
func (s *state) beside(in base, locks ...string) {
	for _, name := range locks {
		s.lock(in, name)
	}
	if s.project != "" {
		s.note("The product context was looked for in %s only.", text.Name(s.project))
		return
	}
	s.project = in.join(".")
	s.Contexts = scan.Contexts(os.DirFS(in.dir))
}

func (s *state) lock(in base, name string) {
	label := in.join(name)
	data, err := scan.Lock(os.DirFS(in.dir), name)
	switch {
	case errors.Is(err, fs.ErrNotExist), isNoFolder(err):
		s.missing = append(s.missing, label)
	case err != nil:
		s.note("%s was not read: %v.", text.Name(label), scan.Reason(err))
	default:
		s.Locks = append(s.Locks, upgrade.LockFile{Path: label, Data: data})
	}
}

func sameFile(a, b string) bool {
	one, err1 := os.Stat(a)
	two, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(one, two)
}

// isNoFolder tells that something above is a file.
func isNoFolder(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
