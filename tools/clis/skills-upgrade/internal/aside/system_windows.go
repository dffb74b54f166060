package aside

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile locks a byte far behind the end of a file, so that others can read
// the file, until it is closed, which the end of a process does.
func lockFile(f *os.File) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, &windows.Overlapped{OffsetHigh: 1})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errHeld
	}
	return err
}

// ownedByUser: who may write to the folder of journals is up to its rights,
// which are inherited from the user's own folder.
func ownedByUser(fs.FileInfo) bool { return true }
