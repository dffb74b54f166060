package aside

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// renameNew renames unless the new name is taken.
func renameNew(root *os.Root, from, to string) error {
	err := renameat(root, from, to, unix.RENAME_NOREPLACE)
	if errors.Is(err, errNoSwap) {
		return root.Rename(from, to)
	}
	return err
}

// exchange gives each of two folders the name of the other.
func exchange(root *os.Root, a, b string) error {
	return renameat(root, a, b, unix.RENAME_EXCHANGE)
}

func renameat(root *os.Root, from, to string, flags uint) error {
	fromDir, err := root.Open(filepath.Dir(from))
	if err != nil {
		return err
	}
	defer fromDir.Close()
	toDir, err := root.Open(filepath.Dir(to))
	if err != nil {
		return err
	}
	defer toDir.Close()
	err = unix.Renameat2(int(fromDir.Fd()), filepath.Base(from), int(toDir.Fd()), filepath.Base(to), flags)
	switch err {
	case unix.ENOSYS, unix.EINVAL, unix.EOPNOTSUPP:
		return errNoSwap
	}
	return err
}

func isCrossDevice(err error) bool { return errors.Is(err, unix.EXDEV) }
