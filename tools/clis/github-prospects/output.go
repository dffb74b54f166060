package main

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/export"
)

// sink is where data goes: standard output, or a file that is written under
// another name and takes its own when it is whole. New files are readable by
// their owner only: they hold personal data.
type sink struct {
	io.Writer
	file *os.File // nil: standard output
	path string   // the file's own name; empty: written directly
	name string   // the same as the user wrote it
	kept string   // the older file of that name, if it was not replaced
}

func openSink(path string, stdout io.Writer) (*sink, error) {
	if path == "" {
		return &sink{Writer: stdout}, nil
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
		return &sink{Writer: file, file: file, name: name}, bare(err)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, bare(err)
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.part")
	if err != nil {
		return nil, bare(err)
	}
	if info != nil {
		_ = file.Chmod(info.Mode().Perm()) // the owner can still read it
	}
	return &sink{Writer: file, file: file, path: path, name: name}, nil
}

// besideOlder has the file take another name if there is one of its name:
// found.csv is kept, and found.incomplete.csv written.
func (s *sink) besideOlder() {
	if _, err := os.Stat(s.path); s.path == "" || err != nil {
		return
	}
	s.kept = s.name
	suffix := filepath.Ext(s.path)
	s.path = strings.TrimSuffix(s.path, suffix) + ".incomplete" + suffix
	s.name = s.path
}

func (s *sink) commit() error {
	if s.file == nil {
		return nil
	}
	var err error
	if s.path != "" {
		err = s.file.Sync()
	}
	if err = errors.Join(err, s.file.Close()); err == nil && s.path != "" {
		err = os.Rename(s.file.Name(), s.path)
	}
	if err != nil {
		s.remove()
	}
	return bare(err)
}

// discard removes the unfinished file; after commit it does nothing.
func (s *sink) discard() {
	if s.file != nil && s.file.Close() == nil {
		s.remove()
	}
}

func (s *sink) remove() {
	if s.path != "" {
		_ = os.Remove(s.file.Name()) // nothing more can be done about it
	}
}

// sameFiles refuses to write over what is read.
func (o options) sameFiles() error {
	if o.output == "" {
		return nil
	}
	out, err := os.Stat(o.output)
	for _, other := range []struct{ name, path string }{{"--resume", o.resume}, {"--suppress", o.suppress}} {
		info, otherErr := os.Stat(other.path)
		if err == nil && otherErr == nil && os.SameFile(out, info) {
			return refuse("--output and %s are the same file, %s; use another name for the output", other.name, other.path)
		}
	}
	return nil
}

func (o options) writer(w io.Writer, q prospect.Query) export.Writer {
	f, _ := export.Named(cmp.Or(o.preset, o.format, "csv")) // the options take no other name
	return export.New(w, q, f)
}

// writeFile writes a file as a whole or not at all.
func writeFile(path string, write func(io.Writer) error) error {
	s, err := openSink(path, nil)
	if err != nil {
		return err
	}
	defer s.discard()
	if err := write(s); err != nil {
		return err
	}
	return s.commit()
}

// bare takes the path out of an error; messages name it themselves.
func bare(err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err
	}
	return err
}
