package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"marketingskills/app/collection/finding"
)

// replaceAll gives files their new content, all of them or none. Each is
// written beside the old one first, and takes its name by rename, which is
// os.Rename; if one cannot, those that could are put back. Interrupts do not stop
// it between two of them.
func replaceAll(dir string, files []*file, rename func(from, to string) error) error {
	var staged [][2]string // each file's temporary name and its own
	defer func() {
		for _, s := range staged {
			_ = os.Remove(s[0]) // after success there is none
		}
	}()
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.name))
		temporary, path, err := stage(path, f.new, f.old == nil)
		if err != nil {
			return fmt.Errorf("%s: the file cannot be written: %w; nothing was changed", f.name, finding.Cause(err))
		}
		staged = append(staged, [2]string{temporary, path})
	}
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	defer signal.Reset(os.Interrupt, syscall.SIGTERM)
	for i, s := range staged {
		err := rename(s[0], s[1])
		if err == nil {
			continue
		}
		err = fmt.Errorf("%s: the file cannot be replaced: %w", files[i].name, err)
		for j := range i {
			failed := putBack(staged[j][1], files[j].old, rename)
			if failed != nil {
				err = errors.Join(err, fmt.Errorf("%s: it keeps its new content, since it cannot be put back: %w", files[j].name, failed))
			}
		}
		return err
	}
	return nil
}

// putBack gives a file its old content, and removes one that had none.
func putBack(path string, old []byte, rename func(from, to string) error) error {
	if old == nil {
		return os.Remove(path)
	}
	temporary, path, err := stage(path, old, false)
	if err != nil {
		return err
	}
	return rename(temporary, path)
}

// stage writes content beside a file, with its permissions, and returns the
// name of the new file and that of the old one, links followed. One that is
// missing is an error unless it isNew. Package outfile
// is for files of their own, each private; here all are written before one is
// renamed.
func stage(path string, content []byte, isNew bool) (temporary, target string, err error) {
	mode := fs.FileMode(0o644)
	switch target, err = filepath.EvalSymlinks(path); {
	case isNew && errors.Is(err, fs.ErrNotExist):
		target = path
	case err != nil:
		return "", "", err
	default:
		info, err := os.Stat(target)
		if err != nil {
			return "", "", err
		}
		mode = info.Mode().Perm()
	}
	out, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+".*.part")
	if err != nil {
		return "", "", err
	}
	_, err = out.Write(content)
	err = errors.Join(err, out.Chmod(mode), out.Sync(), out.Close())
	if err != nil {
		_ = os.Remove(out.Name()) // it is of no use
	}
	return out.Name(), target, err
}
