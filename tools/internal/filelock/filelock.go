// Package filelock keeps two runs of a command from using one file at the same
// time. The locks are the system's: they hold between containers on one
// machine, too, and end with the process that has them, however it ends. It
// uses the standard library only.
package filelock

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// ErrHeld says that another process has the lock.
var ErrHeld = errors.New("held by another process")

// Beside locks a file, which need not be there, by one beside it with ".lock"
// at the end of its name, until release is called. The error is [ErrHeld]:
// where nothing can be written or the system has no locks, nothing is locked.
func Beside(path string) (release func(), err error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	name := path + ".lock"
	for {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return func() {}, nil
		}
		err = File(f)
		switch {
		case errors.Is(err, ErrHeld):
			f.Close()
			return nil, ErrHeld
		case err == nil && !isAt(f, name): // removed before it was locked
			f.Close()
			continue
		}
		return func() {
			// While it is locked: later, it may be another's. Windows removes only
			// what nobody has open.
			_ = os.Remove(name)
			f.Close()
			if runtime.GOOS == "windows" {
				_ = os.Remove(name)
			}
		}, nil
	}
}

// isAt tells whether an open file is the one that has a name.
func isAt(f *os.File, name string) bool {
	opened, err := f.Stat()
	named, nameErr := os.Lstat(name)
	return err == nil && nameErr == nil && os.SameFile(opened, named)
}
