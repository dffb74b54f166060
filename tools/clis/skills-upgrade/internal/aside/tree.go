package aside

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"marketingskills/app/upgrade"
	"marketingskills/app/upgrade/scan"
)

// walk visits a file, or a folder and then all in it in the order of the names,
// whatever bytes they are made of, and then the folder once more. It follows no
// link, and goes into no folder for which visit returns [fs.SkipDir].
func walk(root *os.Root, name string, visit func(name string, info fs.FileInfo, leaving bool) error) error {
	info, err := root.Lstat(name)
	if err != nil {
		return scan.Reason(err)
	}
	err = visit(name, info, false)
	if errors.Is(err, fs.SkipDir) {
		return nil
	}
	if err != nil || !info.IsDir() {
		return err
	}
	folder, err := root.Open(name)
	if err != nil {
		return scan.Reason(err)
	}
	names, err := folder.Readdirnames(-1)
	folder.Close()
	if err != nil {
		return scan.Reason(err)
	}
	slices.Sort(names)
	for _, inside := range names {
		if err := walk(root, filepath.Join(name, inside), visit); err != nil {
			return err
		}
	}
	return visit(name, info, true)
}

// copyTree copies a folder of from to one that does not exist yet, and makes
// it durable. It follows no link: exactly copies links, modes and times;
// otherwise it copies as cp -R does, and refuses links.
func (d *disk) copyTree(from *os.Root, top, to string, exactly bool) error {
	return walk(from, top, func(name string, info fs.FileInfo, leaving bool) error {
		rel, err := filepath.Rel(top, name)
		copied := filepath.Join(to, rel)
		switch {
		case err != nil:
		case leaving:
			err = d.syncDir(copied)
		case info.IsDir():
			err = d.root.Mkdir(copied, 0o777)
			d.after("mkdir")
		case info.Mode().IsRegular():
			err = d.copyFile(from, name, copied, info)
		case info.Mode()&fs.ModeSymlink != 0 && exactly:
			var target string
			if target, err = from.Readlink(name); err == nil {
				err = d.root.Symlink(target, copied)
			}
			d.after("link")
			return scan.Reason(err)
		default:
			err = fmt.Errorf("%s is neither a folder nor a file", name)
		}
		if err != nil || !exactly || info.IsDir() && !leaving {
			return scan.Reason(err)
		}
		return d.likeness(copied, info)
	})
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

// digest is a fingerprint of a folder: names, contents and links, without
// what systems leave behind. Journals have it, so it does not change.
func (d *disk) digest(top string) (string, error) {
	sum := sha256.New()
	err := walk(d.root, top, func(at string, info fs.FileInfo, leaving bool) error {
		name, err := filepath.Rel(top, at)
		if err != nil || leaving {
			return err
		}
		if name != "." && upgrade.Litter(info.Name()) {
			return fs.SkipDir
		}
		name = filepath.ToSlash(name)
		switch {
		case info.IsDir():
			fmt.Fprintf(sum, "folder %q\n", name)
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
			fmt.Fprintf(sum, "file %q %x\n", name, content.Sum(nil))
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := d.root.Readlink(at)
			if err != nil {
				return scan.Reason(err)
			}
			fmt.Fprintf(sum, "link %q %q\n", name, target)
		default:
			fmt.Fprintf(sum, "other %q\n", name)
		}
		return nil
	})
	return hex.EncodeToString(sum.Sum(nil)), err
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
