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
	"slices"
	"strconv"
	"strings"

	"marketingskills/app/upgrade"
	"marketingskills/app/upgrade/scan"
)

// copyTree copies a folder of from to one that does not exist yet, and makes
// it durable. It follows no link: exactly copies links, modes and times;
// otherwise it copies as cp -R does, and refuses links.
func (d *disk) copyTree(from *os.Root, name, to string, exactly bool) error {
	info, err := from.Lstat(name)
	if err != nil {
		return scan.Reason(err)
	}
	switch {
	case info.IsDir():
		if err := d.root.Mkdir(to, 0o777); err != nil {
			return scan.Reason(err)
		}
		d.after("mkdir")
		entries, err := readDir(from, name)
		if err != nil {
			return scan.Reason(err)
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
		return scan.Reason(err)
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
	return scan.Reason(errors.Join(d.root.Chmod(name, info.Mode().Perm()), d.root.Chtimes(name, info.ModTime(), info.ModTime())))
}

func (d *disk) copyFile(from *os.Root, name, to string, info fs.FileInfo) error {
	in, err := from.Open(name)
	if err != nil {
		return scan.Reason(err)
	}
	defer in.Close()
	if now, err := in.Stat(); err != nil || !os.SameFile(info, now) {
		return fmt.Errorf("%s: %w", name, errChanged)
	}
	out, err := d.root.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o200)
	if err != nil {
		return scan.Reason(err)
	}
	defer out.Close()
	d.after("create")
	if _, err := io.Copy(out, in); err != nil {
		return scan.Reason(err)
	}
	d.after("write")
	if err := d.sync(out); err != nil {
		return scan.Reason(err)
	}
	return scan.Reason(out.Close())
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
		return scan.Reason(err)
	}
	shown := strconv.Quote(filepath.ToSlash(name))
	switch {
	case info.IsDir():
		fmt.Fprintf(sum, "folder %s\n", shown)
		entries, err := readDir(d.root, at)
		if err != nil {
			return scan.Reason(err)
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
			return scan.Reason(err)
		}
		defer f.Close()
		content := sha256.New()
		if _, err := io.Copy(content, f); err != nil {
			return scan.Reason(err)
		}
		fmt.Fprintf(sum, "file %s %x\n", shown, content.Sum(nil))
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := d.root.Readlink(at)
		if err != nil {
			return scan.Reason(err)
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

// same compares two folders to the last byte.
func (d *disk) same(a, b string) error {
	one, err := d.digest(a)
	if err != nil {
		return err
	}
	if two, err := d.digest(b); err != nil {
		return err
	} else if one != two {
		return fmt.Errorf("%s: %w", a, errChanged)
	}
	return nil
}
