package filelock

import (
	"os"
	"syscall"
	"unsafe"
)

const (
	lockExclusively = 2
	failAtOnce      = 1
	lockViolation   = syscall.Errno(33)
)

var lockFileEx = syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")

// File locks a byte far behind the end of an open file, so that others can read
// the file, until it is closed, which the end of a process does.
func File(f *os.File) error {
	at := syscall.Overlapped{OffsetHigh: 1}
	done, _, err := lockFileEx.Call(f.Fd(), lockExclusively|failAtOnce, 0, 1, 0, uintptr(unsafe.Pointer(&at)))
	switch {
	case done != 0:
		return nil
	case err == lockViolation:
		return ErrHeld
	}
	return err
}
