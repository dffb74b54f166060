package aside

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"marketingskills/app/upgrade/scan"
	"marketingskills/tools/internal/filelock"
)

// Lock keeps other runs of this user from changing skills, until unlock is
// called or the process ends, however it ends.
func (s Settings) Lock(now time.Time) (unlock func(), err error) {
	if s.State == "" {
		return nil, errors.New("there is no folder to keep journals in; set HOME or XDG_STATE_HOME")
	}
	fail := func(err error) (func(), error) {
		return nil, fmt.Errorf("writing to %s, where journals are kept: %w; set XDG_STATE_HOME to a folder that you can write to",
			s.State, scan.Reason(err))
	}
	if err := os.MkdirAll(s.State, 0o700); err != nil {
		return fail(err)
	}
	f, err := os.OpenFile(filepath.Join(s.State, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fail(err)
	}
	err = filelock.File(f)
	if errors.Is(err, filelock.ErrHeld) {
		holder, _ := io.ReadAll(io.LimitReader(f, 100))
		f.Close()
		return nil, fmt.Errorf("another run is changing skills (%s); wait until it ends, or end it, and run this command again", holder)
	}
	if err == nil {
		err = f.Truncate(0)
	}
	if err == nil {
		_, err = fmt.Fprintf(f, "process %d, since %s", os.Getpid(), now.Format("2006-01-02 15:04:05"))
	}
	if err != nil {
		f.Close()
		return fail(err)
	}
	return func() { f.Close() }, nil
}
