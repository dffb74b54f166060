//go:build !linux && !darwin

package aside

import (
	"errors"
	"os"
	"runtime"
	"syscall"
)

// renameNew renames; the caller has looked whether the new name is taken.
func renameNew(root *os.Root, from, to string) error { return root.Rename(from, to) }

// exchange gives each of two folders the name of the other.
func exchange(*os.Root, string, string) error { return errNoSwap }

// errNotSameDevice is what Windows says about a move to another volume.
const errNotSameDevice = syscall.Errno(17)

func isCrossDevice(err error) bool {
	if runtime.GOOS == "windows" {
		return errors.Is(err, errNotSameDevice)
	}
	return errors.Is(err, syscall.EXDEV)
}
