package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"marketingskills/app/collection/finding"
)

// project is one whose files are edited: it reads as if they had been written.
type project struct {
	fs.FS
	files []*file // in the order in which they were first edited
}

// file is an edited file: its path in the project, and its content before, nil for
// a file that is new, and after.
type file struct {
	name     string
	old, new []byte
}

// create gives a file its content, whether it is there or not.
func (p *project) create(name string, content []byte) error {
	if _, err := fs.Stat(p.FS, name); errors.Is(err, fs.ErrNotExist) {
		p.files = append(p.files, &file{name, nil, content})
		return nil
	}
	return p.edit(name, func([]byte) ([]byte, error) { return content, nil })
}

// edit changes a file.
func (p *project) edit(name string, change func(old []byte) ([]byte, error)) error {
	f := p.file(name)
	if f == nil {
		old, err := fs.ReadFile(p.FS, name)
		if err != nil {
			return fmt.Errorf("%s: the file cannot be read: %w", name, finding.Cause(err))
		}
		f = &file{name, old, old}
		p.files = append(p.files, f)
	}
	made, err := change(f.new)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	f.new = made
	return nil
}

// file returns an edited file, nil for any other.
func (p *project) file(name string) *file {
	if i := slices.IndexFunc(p.files, func(f *file) bool { return f.name == name }); i >= 0 {
		return p.files[i]
	}
	return nil
}

// changed returns the files that are not as they were.
func (p *project) changed() []*file {
	return slices.DeleteFunc(slices.Clone(p.files), func(f *file) bool { return bytes.Equal(f.old, f.new) })
}

func (p *project) Open(name string) (fs.File, error) {
	opened, err := p.FS.Open(name)
	if f := p.file(name); f != nil && err == nil {
		return editedFile{opened, bytes.NewReader(f.new)}, nil
	}
	return opened, err
}

// editedFile has the content of one file and the rest of another.
type editedFile struct {
	fs.File
	content *bytes.Reader
}

func (f editedFile) Read(p []byte) (int, error) { return f.content.Read(p) }
