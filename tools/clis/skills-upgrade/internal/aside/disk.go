package aside

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// disk makes single changes below one folder, and tells the hooks about each.
type disk struct {
	root          *os.Root
	place, backup string
	hooks         Hooks
}

var (
	// errNoSwap says that the system has no exchange of two folders.
	errNoSwap = errors.New("two folders cannot be exchanged here")
	// errTaken says that something stands where something should go.
	errTaken = errors.New("something stands where it should go")
)

func openDisk(parent, place, backup string, hooks Hooks) (*disk, error) {
	if !filepath.IsLocal(place) || place == "." || !single(backup) {
		return nil, fmt.Errorf("%q and %q are no folders beside one another", place, backup)
	}
	root, err := os.OpenRoot(parent)
	if err != nil {
		return nil, reason(err)
	}
	d := &disk{root, place, backup, hooks}
	if err := d.checkFolder(place); err != nil {
		root.Close()
		return nil, err
	}
	return d, nil
}

// checkFolder refuses what is no folder, links included.
func (d *disk) checkFolder(name string) error {
	info, err := d.root.Lstat(name)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", name, reason(err))
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", name)
	}
	return nil
}

func (d *disk) after(op string) {
	if d.hooks.After != nil {
		d.hooks.After(op)
	}
}

func (d *disk) exists(name string) bool {
	_, err := d.root.Lstat(name)
	return err == nil
}

func (d *disk) sync(f *os.File) error {
	if d.hooks.NoSync {
		return nil
	}
	return f.Sync()
}

// syncDir makes the names in a folder durable, where the system can do that.
func (d *disk) syncDir(name string) error {
	if runtime.GOOS == "windows" || d.hooks.NoSync {
		return nil
	}
	f, err := d.root.Open(name)
	if err != nil {
		return reason(err)
	}
	defer f.Close()
	return f.Sync()
}

func (d *disk) mkdir(name string) error {
	if err := d.root.Mkdir(name, 0o777); err != nil {
		return fmt.Errorf("making the folder %s: %w", name, reason(err))
	}
	d.after("mkdir")
	return d.syncDir(filepath.Dir(name))
}

// mkdirs makes a folder and those above it.
func (d *disk) mkdirs(name string) error {
	if info, err := d.root.Lstat(name); err == nil && info.IsDir() {
		return nil
	} else if err == nil {
		return fmt.Errorf("making the folder %s: %w", name, errTaken)
	}
	if err := d.mkdirs(filepath.Dir(name)); err != nil {
		return err
	}
	return d.mkdir(name)
}

// rename never replaces anything.
func (d *disk) rename(from, to string) error {
	if d.hooks.Rename != nil {
		if err := d.hooks.Rename(from, to); err != nil {
			return err
		}
	}
	if d.exists(to) {
		return fmt.Errorf("%s: %w", to, errTaken)
	}
	if err := renameNew(d.root, from, to); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s: %w", to, errTaken)
		}
		return reason(err)
	}
	d.after("rename")
	return d.syncBoth(from, to)
}

// swap exchanges two folders in one step.
func (d *disk) swap(a, b string) error {
	if d.hooks.Rename != nil {
		if err := d.hooks.Rename(a, b); err != nil {
			return err
		}
	}
	if d.hooks.NoSwap {
		return errNoSwap
	}
	if err := exchange(d.root, a, b); err != nil {
		return reason(err)
	}
	d.after("swap")
	return d.syncBoth(a, b)
}

func (d *disk) syncBoth(a, b string) error {
	if err := d.syncDir(filepath.Dir(b)); err != nil {
		return err
	}
	return d.syncDir(filepath.Dir(a))
}

// move moves a folder to where nothing is, on another file system if need be.
func (d *disk) move(from, to string) error {
	err := d.rename(from, to)
	if isCrossDevice(err) {
		return d.moveAcross(from, to)
	}
	return err
}

// moveAcross copies, compares, lets the copy appear with one rename and takes
// the original away with another, before any of it is removed.
func (d *disk) moveAcross(from, to string) error {
	copied := filepath.Join(filepath.Dir(to), partial+filepath.Base(to))
	taken := filepath.Join(filepath.Dir(from), gone+filepath.Base(from))
	if d.exists(to) {
		return fmt.Errorf("%s: %w", to, errTaken)
	}
	if err := d.removeTree(copied); err != nil {
		return err
	}
	if err := d.copyTree(d.root, from, copied, true); err != nil {
		return errors.Join(err, d.removeTree(copied))
	}
	if same, err := d.sameTree(from, copied); err != nil || !same {
		if err == nil {
			err = fmt.Errorf("%s: %w", from, ErrChanged)
		}
		return errors.Join(err, d.removeTree(copied))
	}
	if err := d.rename(copied, to); err != nil {
		return err
	}
	if err := d.removeTree(taken); err != nil {
		return err
	}
	if err := d.rename(from, taken); err != nil {
		return err
	}
	return d.removeTree(taken)
}

// removeTree removes what this package has made: a copy, or what was copied
// and compared. It does so one name at a time and follows no link.
func (d *disk) removeTree(name string) error {
	info, err := d.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return reason(err)
	}
	if info.IsDir() {
		if info.Mode().Perm()&0o700 != 0o700 {
			d.root.Chmod(name, info.Mode().Perm()|0o700)
		}
		entries, err := readDir(d.root, name)
		if err != nil {
			return reason(err)
		}
		for _, e := range entries {
			if err := d.removeTree(filepath.Join(name, e.Name())); err != nil {
				return err
			}
		}
	}
	if err := d.root.Remove(name); err != nil {
		return fmt.Errorf("removing the copy %s: %w", name, reason(err))
	}
	d.after("remove")
	return nil
}
