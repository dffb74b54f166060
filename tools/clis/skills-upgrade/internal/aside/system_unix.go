//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package aside

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// lockFile locks a file until it is closed, which the end of a process does.
func lockFile(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errHeld
	}
	return err
}

func ownedByUser(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
