package aside

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"marketingskills/app/upgrade/scan"
)

// disk makes single changes below one folder, and tells the settings' hooks
// about each.
type disk struct {
	Settings
	root          *os.Root
	place, backup string
}

// errTaken says that something stands where something should go.
var errTaken = errors.New("the target already exists")

// between are the names of a copy that is not in its place yet, and of its
// original, while a folder moves to another file system. They begin with a
// dot, which no skill does, and tell both ends: a skill that is replaced has
// moves out of its place and into it.
func between(from, to string) (copied, original string) {
	name := func(at, way, other string) string {
		return filepath.Join(filepath.Dir(at), ".skills-upgrade-"+way+filepath.Base(filepath.Dir(other))+"-"+filepath.Base(at))
	}
	return name(to, "from-", from), name(from, "to-", to)
}

// openDisk opens the folder that holds skills and a backup; the caller closes it.
func (s Settings) openDisk(parent, backup string) (*disk, error) {
	if !single(backup) {
		return nil, fmt.Errorf("%q is not the name of a folder", backup)
	}
	root, err := os.OpenRoot(parent)
	if err != nil {
		return nil, scan.Reason(err)
	}
	return &disk{Settings: s, root: root, backup: backup}, nil
}

// enter sets the skills folder, and makes sure that it is one that may be
// changed, and that no folder is a link.
func (d *disk) enter(place string) error {
	switch {
	case !filepath.IsLocal(place) || place == ".":
		return fmt.Errorf("%q is not a skills folder next to %q", place, d.backup)
	case Hidden(place):
		return fmt.Errorf("%q is a hidden folder, or in one, that agents do not load skills from; nothing is changed there", place)
	}
	d.place = place
	err := d.checkFolder(place)
	for _, name := range []string{d.backup, d.in("old"), d.in("new")} {
		if err == nil && d.exists(name) {
			err = d.checkFolder(name)
		}
	}
	return err
}

// Hidden reports whether a place is in a hidden folder, or is one, other than
// those that agents load skills from.
func Hidden(place string) bool {
	parts := strings.Split(filepath.ToSlash(place), "/")
	for i, part := range parts {
		switch part {
		case ".agents", ".claude", ".codex", ".cursor":
		case ".github": // workflows are next to the skills
			if i+1 == len(parts) || parts[i+1] != "skills" {
				return true
			}
		default:
			if strings.HasPrefix(part, ".") {
				return true
			}
		}
	}
	return false
}

// in is a path in the backup, at one in the place.
func (d *disk) in(parts ...string) string {
	return filepath.Join(append([]string{d.backup}, parts...)...)
}
func (d *disk) at(name string) string { return filepath.Join(d.place, name) }

// checkFolder refuses what is no folder, links included, also on the way.
func (d *disk) checkFolder(name string) error {
	if dir := filepath.Dir(name); dir != "." {
		if err := d.checkFolder(dir); err != nil {
			return err
		}
	}
	info, err := d.root.Lstat(name)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", name, scan.Reason(err))
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", name)
	}
	return nil
}

// checkSkill refuses what is no folder with a SKILL.md.
func (d *disk) checkSkill(name string) error {
	if err := d.checkFolder(name); err != nil {
		return err
	}
	if info, err := d.root.Lstat(filepath.Join(name, "SKILL.md")); err != nil || !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a skill: it has no SKILL.md", name)
	}
	return nil
}

func (d *disk) after(op string) {
	if d.After != nil {
		d.After(op)
	}
}

func (d *disk) exists(name string) bool {
	_, err := d.root.Lstat(name)
	return err == nil
}

func (d *disk) sync(f *os.File) error {
	if d.NoSync {
		return nil
	}
	return f.Sync()
}

// syncDir makes the names in a folder durable, where the system can do that.
func (d *disk) syncDir(name string) error {
	f, err := d.root.Open(name)
	return d.syncOpened(f, err)
}

func (d *disk) syncOpened(folder *os.File, err error) error {
	if err != nil {
		return scan.Reason(err)
	}
	defer folder.Close()
	if runtime.GOOS == "windows" || d.NoSync {
		return nil
	}
	return folder.Sync()
}

// mkdirs makes a folder and those above it.
func (d *disk) mkdirs(name string) error {
	if info, err := d.root.Lstat(name); err == nil && info.IsDir() {
		return nil
	} else if err == nil {
		return fmt.Errorf("creating the folder %s: %w", name, errTaken)
	}
	if err := d.mkdirs(filepath.Dir(name)); err != nil {
		return err
	}
	if err := d.root.Mkdir(name, 0o777); err != nil {
		return fmt.Errorf("creating the folder %s: %w", name, scan.Reason(err))
	}
	d.after("mkdir")
	return d.syncDir(filepath.Dir(name))
}

// rename never replaces anything.
func (d *disk) rename(from, to string) error {
	if d.Rename != nil {
		if err := d.Rename(from, to); err != nil {
			return err
		}
	}
	if d.exists(to) {
		return fmt.Errorf("%s: %w", to, errTaken)
	}
	err := d.root.Rename(from, to)
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	} else if err != nil {
		return scan.Reason(err)
	}
	d.after("rename")
	return errors.Join(d.syncDir(filepath.Dir(to)), d.syncDir(filepath.Dir(from)))
}

// otherDevice reports that a rename would lead to another file system. Windows
// has a number of its own for it, ERROR_NOT_SAME_DEVICE.
func otherDevice(err error) bool {
	return errors.Is(err, syscall.EXDEV) || runtime.GOOS == "windows" && errors.Is(err, syscall.Errno(17))
}

// move moves a skill to where nothing is. To another file system it copies: the
// original gets another name, out of reach of those who know it by its own, is
// compared with the copy, and goes when that is in its place.
func (d *disk) move(from, to string) error {
	if err := d.checkSkill(from); err != nil {
		return err
	}
	err := d.rename(from, to)
	if !otherDevice(err) {
		return err
	}
	copied, original := between(from, to)
	if err = d.removeTree(copied); err == nil {
		err = d.copyTree(d.root, from, copied, true)
	}
	if err == nil {
		err = d.rename(from, original)
	}
	if err == nil {
		err = d.same(original, copied)
	}
	if err == nil {
		err = d.rename(copied, to)
	}
	return errors.Join(err, d.settle(from, to))
}

// settle ends a move to another file system, wherever it stopped. The original
// goes if its copy is in place; otherwise it gets its name back, and what there
// is of the copy goes.
func (d *disk) settle(from, to string) error {
	copied, original := between(from, to)
	var err error
	switch {
	case !d.exists(original):
	case d.exists(copied) || !d.exists(to):
		err = d.rename(original, from)
	default:
		err = d.syncDir(filepath.Dir(to))
	}
	if err != nil {
		return err
	}
	return errors.Join(d.removeTree(copied), d.removeTree(original))
}

// removeTree removes what this package has made: a copy, or what was copied
// and compared.
func (d *disk) removeTree(name string) error {
	if !d.exists(name) {
		return nil
	}
	if err := d.root.RemoveAll(name); err != nil {
		return fmt.Errorf("removing the copy %s: %w", name, scan.Reason(err))
	}
	d.after("remove")
	return nil
}

// single reports whether a name is one part of a path, as all names in a
// journal are.
func single(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\\\x00") && filepath.IsLocal(name)
}
