package aside

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"marketingskills/app/upgrade"
)

// disk makes single changes below one folder, and tells the hooks about each.
type disk struct {
	root          *os.Root
	place, backup string
	hooks         Hooks
}

// errTaken says that something stands where something should go.
var errTaken = errors.New("the target already exists")

// Names of what is in between, when a folder moves to another file system.
// They begin with a dot, which no skill does.
const (
	partial = ".skills-upgrade-partial-" // a copy that is being made
	gone    = ".skills-upgrade-gone-"    // what was copied, being taken away
)

func openDisk(parent, place, backup string, hooks Hooks) (*disk, error) {
	if !filepath.IsLocal(place) || place == "." || !single(backup) {
		return nil, fmt.Errorf("%q and %q are not folders next to one another", place, backup)
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

// in is a path in the backup, at one in the place.
func (d *disk) in(parts ...string) string {
	return filepath.Join(append([]string{d.backup}, parts...)...)
}
func (d *disk) at(name string) string { return filepath.Join(d.place, name) }

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
		return fmt.Errorf("creating the folder %s: %w", name, reason(err))
	}
	d.after("mkdir")
	return d.syncDir(filepath.Dir(name))
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
	if err := d.root.Rename(from, to); err != nil {
		return reason(err)
	}
	d.after("rename")
	return errors.Join(d.syncDir(filepath.Dir(to)), d.syncDir(filepath.Dir(from)))
}

// otherDevice reports that a rename would lead to another file system. Windows
// has a number of its own for it, ERROR_NOT_SAME_DEVICE.
func otherDevice(err error) bool {
	return errors.Is(err, syscall.EXDEV) || runtime.GOOS == "windows" && errors.Is(err, syscall.Errno(17))
}

// move moves a folder to where nothing is. To another file system it copies,
// compares, lets the copy appear with one rename and takes the original away
// with another, before any of it is removed.
func (d *disk) move(from, to string) error {
	err := d.rename(from, to)
	if !otherDevice(err) {
		return err
	}
	copied := filepath.Join(filepath.Dir(to), partial+filepath.Base(to))
	if err := d.removeTree(copied); err != nil {
		return err
	}
	if err := d.copyTree(d.root, from, copied, true); err != nil {
		return errors.Join(err, d.removeTree(copied))
	}
	if same, err := d.sameTree(from, copied); err != nil || !same {
		if err == nil {
			err = fmt.Errorf("%s: %w", from, errChanged)
		}
		return errors.Join(err, d.removeTree(copied))
	}
	if err := d.rename(copied, to); err != nil {
		return err
	}
	return d.drop(from)
}

// drop takes a folder away whose copy is where it should be.
func (d *disk) drop(name string) error {
	taken := filepath.Join(filepath.Dir(name), gone+filepath.Base(name))
	if err := d.removeTree(taken); err != nil {
		return err
	}
	if err := d.rename(name, taken); err != nil {
		return err
	}
	return d.removeTree(taken)
}

// tidy removes what a stop in the middle of a move across file systems may
// have left in between: parts of copies, and what was copied before.
func (d *disk) tidy(name string) error {
	for _, dir := range []string{d.place, d.in("old"), d.in("new"), d.in("undone")} {
		for _, prefix := range []string{partial, gone} {
			if err := d.removeTree(filepath.Join(dir, prefix+name)); err != nil {
				return err
			}
		}
	}
	return nil
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

// copyTree copies a folder of from to one that does not exist yet, and makes
// it durable. It follows no link: exactly copies links, modes and times;
// otherwise it copies as cp -R does, and refuses links.
func (d *disk) copyTree(from *os.Root, name, to string, exactly bool) error {
	info, err := from.Lstat(name)
	if err != nil {
		return reason(err)
	}
	switch {
	case info.IsDir():
		if err := d.root.Mkdir(to, 0o777); err != nil {
			return reason(err)
		}
		d.after("mkdir")
		entries, err := readDir(from, name)
		if err != nil {
			return reason(err)
		}
		for _, e := range entries {
			if err := d.copyTree(from, filepath.Join(name, e.Name()), filepath.Join(to, e.Name()), exactly); err != nil {
				return err
			}
		}
		if err := d.syncDir(to); err != nil {
			return err
		}
	case info.Mode().IsRegular():
		if err := d.copyFile(from, name, to, info); err != nil {
			return err
		}
	case info.Mode()&fs.ModeSymlink != 0 && exactly:
		target, err := from.Readlink(name)
		if err == nil {
			err = d.root.Symlink(target, to)
		}
		d.after("link")
		return reason(err)
	default:
		return fmt.Errorf("%s is neither a folder nor a file", name)
	}
	if exactly {
		return d.likeness(to, info)
	}
	return nil
}

// likeness gives a copy the mode and the time of its original.
func (d *disk) likeness(name string, info fs.FileInfo) error {
	return reason(errors.Join(d.root.Chmod(name, info.Mode().Perm()), d.root.Chtimes(name, info.ModTime(), info.ModTime())))
}

func (d *disk) copyFile(from *os.Root, name, to string, info fs.FileInfo) error {
	in, err := from.Open(name)
	if err != nil {
		return reason(err)
	}
	defer in.Close()
	if now, err := in.Stat(); err != nil || !os.SameFile(info, now) {
		return fmt.Errorf("%s: %w", name, errChanged)
	}
	out, err := d.root.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o200)
	if err != nil {
		return reason(err)
	}
	defer out.Close()
	d.after("create")
	if _, err := io.Copy(out, in); err != nil {
		return reason(err)
	}
	d.after("write")
	if err := d.sync(out); err != nil {
		return reason(err)
	}
	return reason(out.Close())
}

// readDir reads a folder whatever bytes the names are made of, in their order.
func readDir(root *os.Root, name string) ([]fs.DirEntry, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// digest is a fingerprint of a folder: names, contents and links, without
// what systems leave behind.
func (d *disk) digest(name string) (string, error) {
	sum := sha256.New()
	if err := d.addTo(sum, name, "."); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func (d *disk) addTo(sum hash.Hash, top, name string) error {
	at := filepath.Join(top, name)
	info, err := d.root.Lstat(at)
	if err != nil {
		return reason(err)
	}
	shown := strconv.Quote(filepath.ToSlash(name))
	switch {
	case info.IsDir():
		fmt.Fprintf(sum, "folder %s\n", shown)
		entries, err := readDir(d.root, at)
		if err != nil {
			return reason(err)
		}
		for _, e := range entries {
			if upgrade.Litter(e.Name()) {
				continue
			}
			if err := d.addTo(sum, top, filepath.Join(name, e.Name())); err != nil {
				return err
			}
		}
	case info.Mode().IsRegular():
		f, err := d.root.Open(at)
		if err != nil {
			return reason(err)
		}
		defer f.Close()
		content := sha256.New()
		if _, err := io.Copy(content, f); err != nil {
			return reason(err)
		}
		fmt.Fprintf(sum, "file %s %x\n", shown, content.Sum(nil))
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := d.root.Readlink(at)
		if err != nil {
			return reason(err)
		}
		fmt.Fprintf(sum, "link %s %q\n", shown, target)
	default:
		fmt.Fprintf(sum, "other %s\n", shown)
	}
	return nil
}

// is reports whether a folder has that fingerprint. One that is missing or
// cannot be read has not.
func (d *disk) is(name, digest string) bool {
	have, err := d.digest(name)
	return err == nil && have == digest
}

// sameTree compares two folders to the last byte.
func (d *disk) sameTree(a, b string) (bool, error) {
	one, err := d.digest(a)
	if err != nil {
		return false, err
	}
	two, err := d.digest(b)
	return err == nil && one == two, err
}

// single reports whether a name is one part of a path, as all names are that
// come out of a journal.
func single(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\\\x00") && filepath.IsLocal(name)
}

// reason is an error without the path that the message has already.
func reason(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}
