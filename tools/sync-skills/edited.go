package main

import (
	"bytes"
	"fmt"
	"io/fs"

	"marketingskills/app/collection/finding"
)

// edited is a project with other content in some of its files.
type edited struct {
	fs.FS
	files map[string][]byte
}

// edit changes a file.
func (e edited) edit(name string, change func(old []byte) ([]byte, error)) error {
	old, err := fs.ReadFile(e, name)
	if err != nil {
		return fmt.Errorf("%s: the file cannot be read: %w", name, finding.Cause(err))
	}
	if e.files[name], err = change(old); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (e edited) Open(name string) (fs.File, error) {
	f, err := e.FS.Open(name)
	if content, ok := e.files[name]; ok && err == nil {
		return editedFile{f, bytes.NewReader(content)}, nil
	}
	return f, err
}

// editedFile has the content of one file and the rest of another.
type editedFile struct {
	fs.File
	content *bytes.Reader
}

func (f editedFile) Read(p []byte) (int, error) { return f.content.Read(p) }
