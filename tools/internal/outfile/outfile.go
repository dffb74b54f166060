// Package outfile writes the files of commands: each as a whole or not at all,
// and readable by their owner only, since they hold personal data: the mode is
// 0600, also in place of an older file that others could read, or 0400 if that
// one was. Who wants others to read it says so with chmod afterwards. It uses the
// standard library only.
package outfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// Sink is where data goes: standard output, or a file that is written under
// another name and takes its own when it is whole.
type Sink struct {
	io.Writer
	// Name is the file's as the user wrote it; "" for standard output.
	Name string
	// Kept is the older file of that name, if it was not replaced.
	Kept string
	file *os.File // nil: standard output
	path string   // the file's own name; empty: written directly
}

// Regular tells whether the data will be in a file of its own when the command
// has ended: not on standard output, in a pipe or a device.
func (s *Sink) Regular() bool { return s.path != "" }

// Open starts the file at a path, or standard output if that is empty. Errors
// leave the path out, as all of this package do.
func Open(path string, stdout io.Writer) (*Sink, error) {
	if path == "" {
		return &Sink{Writer: stdout}, nil
	}
	name := path
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, errors.New("this is a folder; name a file")
	case err == nil && !info.Mode().IsRegular(): // a pipe, a device
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		return &Sink{Writer: file, file: file, Name: name}, Bare(err)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, Bare(err)
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.part")
	if err != nil {
		return nil, Bare(err)
	}
	if info != nil {
		_ = file.Chmod(info.Mode().Perm() & 0o600) // or it stays 0600
	}
	return &Sink{Writer: file, file: file, path: path, Name: name}, nil
}

// BesideOlder has the file take another name if there is one of its name:
// found.csv is kept, and found.incomplete.csv written.
func (s *Sink) BesideOlder() {
	if _, err := os.Stat(s.path); s.path == "" || err != nil {
		return
	}
	s.Kept = s.Name
	suffix := filepath.Ext(s.path)
	s.path = strings.TrimSuffix(s.path, suffix) + ".incomplete" + suffix
	s.Name = s.path
}

// Commit ends the file and gives it its name. Then not even the end of the power
// takes it away, and what it replaces may be removed.
func (s *Sink) Commit() error {
	if s.file == nil {
		return nil
	}
	var err error
	if s.path != "" {
		err = s.sync()
	}
	if err = errors.Join(err, s.file.Close()); err == nil && s.path != "" {
		err = os.Rename(s.file.Name(), s.path)
	}
	if err != nil {
		s.remove()
	} else if s.path != "" {
		err = syncFolder(filepath.Dir(s.path))
	}
	return Bare(err)
}

// AfterSync is told, in tests, what was made durable.
var AfterSync = func(path string) {}

func (s *Sink) sync() error {
	err := s.file.Sync()
	AfterSync(s.file.Name())
	return err
}

// syncFolder makes the names in a folder durable, where the system can do that
// and lets this user.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrPermission) {
		return nil
	} else if err != nil {
		return err
	}
	defer f.Close()
	if err = f.Sync(); errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		err = nil
	}
	AfterSync(dir)
	return err
}

// Discard removes the unfinished file; after Commit it does nothing.
func (s *Sink) Discard() {
	if s.file != nil && s.file.Close() == nil {
		s.remove()
	}
}

func (s *Sink) remove() {
	if s.path != "" {
		_ = os.Remove(s.file.Name()) // nothing more can be done about it
	}
}

// Write writes a file as a whole or not at all.
func Write(path string, write func(io.Writer) error) error {
	s, err := Open(path, nil)
	if err != nil {
		return err
	}
	defer s.Discard()
	if err := write(s); err != nil {
		return err
	}
	return s.Commit()
}

// Bare takes the path out of an error; messages name it themselves.
func Bare(err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err
	}
	return err
}
