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
)

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
		return d.copyDir(from, name, to, info, exactly)
	case info.Mode().IsRegular():
		return d.copyFile(from, name, to, info, exactly)
	case info.Mode()&fs.ModeSymlink != 0 && exactly:
		target, err := from.Readlink(name)
		if err == nil {
			err = d.root.Symlink(target, to)
		}
		if err != nil {
			return reason(err)
		}
		d.after("link")
		return nil
	}
	return fmt.Errorf("%s is neither a folder nor a file", name)
}

func (d *disk) copyDir(from *os.Root, name, to string, info fs.FileInfo, exactly bool) error {
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
	if exactly {
		if err := d.root.Chmod(to, info.Mode().Perm()); err != nil {
			return reason(err)
		}
		return reasonOrNil(d.root.Chtimes(to, info.ModTime(), info.ModTime()))
	}
	return nil
}

func (d *disk) copyFile(from *os.Root, name, to string, info fs.FileInfo, exactly bool) error {
	in, err := from.Open(name)
	if err != nil {
		return reason(err)
	}
	defer in.Close()
	if now, err := in.Stat(); err != nil || !os.SameFile(info, now) {
		return fmt.Errorf("%s: %w", name, ErrChanged)
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
	if err := out.Close(); err != nil {
		return reason(err)
	}
	if exactly {
		if err := d.root.Chmod(to, info.Mode().Perm()); err != nil {
			return reason(err)
		}
		return reasonOrNil(d.root.Chtimes(to, info.ModTime(), info.ModTime()))
	}
	return nil
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

func reasonOrNil(err error) error {
	if err == nil {
		return nil
	}
	return reason(err)
}

// keep copies a file of the user's into a staged skill; false when it is no
// file, or something is there already.
func (r *run) keep(k Keep, staged string) (bool, error) {
	name := filepath.FromSlash(k.File)
	if !filepath.IsLocal(name) || name == "." {
		return false, nil
	}
	from, to := filepath.Join(r.at(k.Folder), name), filepath.Join(staged, name)
	info, err := r.root.Lstat(from)
	if err != nil || !info.Mode().IsRegular() || r.exists(to) {
		return false, nil
	}
	if err := r.mkdirs(filepath.Dir(to)); err != nil {
		if errors.Is(err, errTaken) {
			return false, nil
		}
		return false, err
	}
	if err := r.copyFile(r.root, from, to, info, true); err != nil {
		return false, err
	}
	return true, r.syncDir(filepath.Dir(to))
}

// errLarge says that a tree has more than a digest was meant to read.
var errLarge = errors.New("too large to compare")

// digestLimit is enough for any skill of the collection.
const digestLimit = 256 << 20

// digest is a fingerprint of a folder: names, contents and links, without
// what systems leave behind. Limit is in bytes; 0 for none.
func (d *disk) digest(name string, limit int64) (string, error) {
	sum := sha256.New()
	left := limit
	if err := d.addTo(sum, name, ".", limit > 0, &left); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func (d *disk) addTo(sum hash.Hash, top, name string, limited bool, left *int64) error {
	at := filepath.Join(top, name)
	info, err := d.root.Lstat(at)
	if err != nil {
		return reason(err)
	}
	if *left -= 100; limited && *left < 0 {
		return errLarge
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
			if litter(e.Name()) {
				continue
			}
			if err := d.addTo(sum, top, filepath.Join(name, e.Name()), limited, left); err != nil {
				return err
			}
		}
	case info.Mode().IsRegular():
		if *left -= info.Size(); limited && *left < 0 {
			return errLarge
		}
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

// is tells whether a folder has that fingerprint. One that is missing, cannot
// be read or is much larger has not.
func (d *disk) is(name, digest string) bool {
	if !d.exists(name) {
		return false
	}
	have, err := d.digest(name, digestLimit)
	return err == nil && have == digest
}

// sameTree compares two folders to the last byte.
func (d *disk) sameTree(a, b string) (bool, error) {
	one, err := d.digest(a, 0)
	if err != nil {
		return false, err
	}
	two, err := d.digest(b, 0)
	return err == nil && one == two, err
}

// litter tells the files that operating systems leave in folders.
func litter(name string) bool {
	switch strings.ToLower(name) {
	case ".ds_store", "thumbs.db", "desktop.ini", ".localized":
		return true
	}
	return strings.HasPrefix(name, "._")
}
