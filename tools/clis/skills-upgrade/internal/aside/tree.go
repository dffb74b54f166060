package aside

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"marketingskills/app/upgrade"
	"marketingskills/app/upgrade/scan"
)

// namesIn returns what is in a folder, in order. Names are whatever bytes they
// are made of; package fs would refuse some.
func namesIn(root *os.Root, folder string) ([]string, error) {
	f, err := root.Open(folder)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}

// copyTree copies a folder or a file to where nothing is, and makes it durable.
// It follows no link: exactly copies links, modes and times; otherwise it
// copies as cp -R does, and refuses links.
func (d *disk) copyTree(from *os.Root, name, to string, exactly bool) error {
	info, err := from.Lstat(name)
	switch {
	case err != nil:
	case info.IsDir():
		err = d.copyFolder(from, name, to, exactly)
	case info.Mode().IsRegular():
		err = d.copyFile(from, name, to, info)
	case info.Mode()&fs.ModeSymlink != 0 && exactly:
		var target string
		if target, err = from.Readlink(name); err == nil {
			err = d.root.Symlink(target, to)
		}
		d.after("link")
		return scan.Reason(err)
	default:
		err = fmt.Errorf("%s is neither a folder nor a file", name)
	}
	if err == nil && exactly {
		err = errors.Join(d.root.Chmod(to, info.Mode().Perm()), d.root.Chtimes(to, info.ModTime(), info.ModTime()))
	}
	return scan.Reason(err)
}

func (d *disk) copyFolder(from *os.Root, name, to string, exactly bool) error {
	if err := d.root.Mkdir(to, 0o777); err != nil {
		return err
	}
	d.after("mkdir")
	names, err := namesIn(from, name)
	if err != nil {
		return err
	}
	for _, inside := range names {
		if err := d.copyTree(from, filepath.Join(name, inside), filepath.Join(to, inside), exactly); err != nil {
			return err
		}
	}
	return d.syncDir(to)
}

func (d *disk) copyFile(from *os.Root, name, to string, info fs.FileInfo) error {
	in, err := from.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	if now, err := in.Stat(); err != nil || !os.SameFile(info, now) {
		return fmt.Errorf("%s: %w", name, errChanged)
	}
	out, err := d.root.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o200)
	if err != nil {
		return err
	}
	defer out.Close()
	d.after("create")
	if _, err := io.Copy(out, in); err != nil {
		return err
	}
	d.after("write")
	return errors.Join(d.sync(out), out.Close())
}

// digest is a fingerprint of a folder: names, contents and links, without
// what systems leave behind. Journals have it, so it does not change.
func (d *disk) digest(folder string) (string, error) {
	sum := sha256.New()
	err := d.describe(sum, folder, ".")
	return hex.EncodeToString(sum.Sum(nil)), scan.Reason(err)
}

// describe writes what is at a path, and what is in it; name is what to call
// it.
func (d *disk) describe(w io.Writer, at, name string) error {
	info, err := d.root.Lstat(at)
	if err != nil {
		return err
	}
	switch {
	case info.IsDir():
		fmt.Fprintf(w, "folder %q\n", name)
		names, err := namesIn(d.root, at)
		for _, inside := range names {
			if err == nil && !upgrade.Litter(inside) {
				err = d.describe(w, filepath.Join(at, inside), path.Join(name, inside))
			}
		}
		return err
	case info.Mode().IsRegular():
		f, err := d.root.Open(at)
		if err != nil {
			return err
		}
		defer f.Close()
		content := sha256.New()
		if _, err := io.Copy(content, f); err != nil {
			return err
		}
		fmt.Fprintf(w, "file %q %x\n", name, content.Sum(nil))
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := d.root.Readlink(at)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "link %q %q\n", name, target)
	default:
		fmt.Fprintf(w, "other %q\n", name)
	}
	return nil
}

// is reports whether a folder has that fingerprint. One that is missing or
// cannot be read has not.
func (d *disk) is(name, digest string) bool {
	have, err := d.digest(name)
	return err == nil && have == digest
}

// same makes sure that a copy is like its original.
func (d *disk) same(original, copied string) error {
	digest, err := d.digest(original)
	if err == nil && !d.is(copied, digest) {
		err = fmt.Errorf("%s: %w", original, errChanged)
	}
	return err
}
