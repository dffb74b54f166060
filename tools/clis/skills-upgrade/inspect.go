package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marketingskills/app/text"
	"marketingskills/app/upgrade"
	"marketingskills/app/upgrade/plan"
	"marketingskills/app/upgrade/scan"
	"marketingskills/tools/clis/skills-upgrade/internal/backup"
)

// place is a skills folder: what the person calls it, and its real path.
type place struct {
	label, real string
	info        fs.FileInfo
	// untouched is why nothing is changed there, "" where it may be.
	untouched string
}

// state is what was found on the disk at one time. Finding it changes nothing
// there.
type state struct {
	command *command
	in      upgrade.Installation
	// places are those of the installation as they are on the disk, in the same
	// order; missing are known ones that are not there.
	places  []place
	missing []string
	backups []foundBackup
	report  upgrade.Report
	// project is the folder whose product context counts; empty for none yet.
	project string
}

// foundBackup is a backup folder next to a skills folder, with something in it
// that can be put back.
type foundBackup struct {
	Path string `json:"path"`
	backup.Contents
	// Undo is the command that puts it back.
	Undo string `json:"undo"`
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

// inspect reads the folders named, or else the known places, and analyzes them.
func (c *command) inspect() (*state, error) {
	s := &state{command: c}
	if c.source.doubts != "" {
		s.note("%s", c.source.doubts)
	}
	if len(c.options.dirs) == 0 {
		s.everywhere()
	}
	for _, dir := range c.options.dirs {
		if err := s.named(dir); err != nil {
			return nil, err
		}
	}
	s.report = upgrade.Analyze(s.in, c.source.manifest)
	return s, nil
}

// note says what was not checked, or otherwise than one may think.
func (s *state) note(format string, args ...any) {
	s.in.Unchecked = append(s.in.Unchecked, text.Printable(fmt.Sprintf(format, args...)))
}

// everywhere looks in the known places of the project and of the person.
func (s *state) everywhere() {
	c := s.command
	s.read(base{dir: c.dir, own: sameFile(c.dir, c.home)})
	switch {
	case c.home == "":
		s.note("The home directory is unknown, so its skills folders were not checked.")
	case sameFile(c.dir, c.home):
		s.note("The current directory is your home directory; its skills folders were checked once.")
	default:
		s.read(base{dir: c.home, label: "~", own: true})
	}
}

// named looks in a folder that the person named.
func (s *state) named(dir string) error {
	full, label := s.command.path(dir)
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
		s.place(base{dir: projectOf(full), named: true}, full, label)
	}
	s.read(base{dir: full, label: label, own: sameFile(full, s.command.home)})
	return nil
}

// read looks at the known places in a folder, and at what is around them. Of
// places that are not there it tells if nothing was named.
func (s *state) read(in base) {
	fsys := os.DirFS(in.dir)
	known := scan.Known(fsys)
	for _, name := range upgrade.Places {
		if slices.Contains(known, name) {
			s.place(in, filepath.Join(in.dir, filepath.FromSlash(name)), in.join(name))
		} else if len(s.command.options.dirs) == 0 {
			s.missing = append(s.missing, in.join(name))
		}
	}
	around := scan.Around(fsys, in.join)
	s.in.Locks = append(s.in.Locks, around.Locks...)
	s.in.Unchecked = append(s.in.Unchecked, around.Unchecked...)
	switch {
	case in.dir == s.command.home && in.label == "~": // it is no project
	case s.project == "":
		s.project, s.in.Contexts = in.join("."), around.Contexts
	default:
		s.note("The product context was looked for in %s only.", text.Name(s.project))
	}
}

// path returns the path from the root of a file or folder that the person
// named, and what to call it: ~ is not the home directory here, and what ends in
// two dots says nothing about its name.
func (c *command) path(name string) (full, label string) {
	if full = name; !filepath.IsAbs(name) {
		full = filepath.Join(c.dir, name)
	}
	full = filepath.Clean(full)
	if strings.HasPrefix(name, "~") || filepath.Base(name) == ".." {
		name = full
	}
	return full, name
}

// place looks at a place.
func (s *state) place(in base, path, label string) {
	real, err := filepath.EvalSymlinks(path)
	var info fs.FileInfo
	if err == nil {
		info, err = os.Stat(real)
	}
	if err != nil {
		s.note("%s was not checked: %v.", text.Name(label), scan.Reason(err))
		return
	}
	if link, err := os.Readlink(path); err == nil {
		shown := s.command.shorten(real)
		s.note("%s is a symbolic link to %s. Its skills are listed under the real path, %s.", text.Name(label), text.Name(link), text.Name(shown))
		label = shown
	}
	s.scan(place{label, real, info, s.command.untouched(in, real)})
}

// untouched is why nothing is changed in a place, "" where something may be: a
// repository decides neither what is changed elsewhere nor in hidden folders,
// such as that of git.
func (c *command) untouched(in base, real string) string {
	if in.own {
		return ""
	}
	way, ok := below(c.dir, real)
	if !ok || sameFile(c.dir, c.home) {
		way, ok = below(in.dir, real)
	}
	switch {
	case !ok && !in.named:
		return "it is outside the project, which only links to it; to fix it, name its skills folder"
	case !ok:
		way = real
	}
	if upgrade.Hidden(way) {
		return "it is in a hidden folder that agents do not load skills from; move its folders yourself"
	}
	return ""
}

// projectOf is the project that a skills folder is of, as far as its path tells.
func projectOf(full string) string {
	for _, name := range upgrade.Places {
		if project, ok := strings.CutSuffix(filepath.ToSlash(full), "/"+name); ok {
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

// shorten writes a real path from the current or the home directory.
func (c *command) shorten(real string) string {
	if rel, ok := below(c.dir, real); ok && !strings.HasPrefix(rel, "~") {
		return rel
	}
	if rel, ok := below(c.home, real); ok {
		return "~/" + filepath.ToSlash(rel)
	}
	return real
}

func (s *state) scan(found place) {
	for _, have := range s.places {
		if os.SameFile(have.info, found.info) {
			if have.label != found.label {
				s.note("%s is the same folder as %s and was checked once.", text.Name(found.label), text.Name(have.label))
			}
			return
		}
	}
	s.places = append(s.places, found)
	root, err := os.OpenRoot(found.real)
	if err != nil {
		s.in.Places = append(s.in.Places, upgrade.Place{Path: found.label, Problem: scan.Reason(err).Error()})
		return
	}
	defer root.Close()
	s.in.Places = append(s.in.Places, scan.Place(root.FS(), ".", found.label, scan.Options{Known: upgrade.Known(s.command.source.manifest)}))
	s.findBackups(found)
}

// findBackups looks for backup folders next to a place that something can be put
// back from: those of runs that ended, and of one that was cut off.
func (s *state) findBackups(of place) {
	parent := filepath.Dir(of.real)
	entries, _ := os.ReadDir(parent)
	for _, e := range entries {
		if !e.IsDir() || plan.PlaceOf(e.Name()) != filepath.Base(of.real) {
			continue
		}
		b, err := backup.Open(parent, e.Name())
		if err != nil {
			continue
		}
		contents, err := b.Contents()
		b.Close()
		if err == nil && len(contents.Old)+len(contents.Installed) > 0 {
			label := filepath.Join(parent, e.Name())
			if base := filepath.Base(of.label); base == filepath.Base(of.real) {
				label = strings.TrimSuffix(filepath.Clean(of.label), base) + e.Name()
			}
			s.backups = append(s.backups, foundBackup{label, contents, "skills-upgrade --undo " + s.command.shell.Word(label)})
		}
	}
}

func sameFile(a, b string) bool {
	one, err1 := os.Stat(a)
	two, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(one, two)
}
