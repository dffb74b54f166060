// Package wasmbuild compiles the site's programs to WebAssembly, the same
// way for the site and for the browser tests.
package wasmbuild

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"marketingskills/app/pages"
	"marketingskills/app/site"
)

// flags make the program small. Inlining is off but where a keystroke is
// spent: it repeats code, which costs 130 KB of brotli, and a visitor waits
// longer for these than for the calls they save. What git says of the clone
// stays out: a commit that changes no code must not make visitors fetch anew,
// and git refuses to speak of a clone that belongs to somebody else.
var flags = []string{
	"-buildvcs=false",
	"-trimpath",
	"-ldflags=-s -w -buildid=",
	"-gcflags=all=-l",
	"-gcflags=marketingskills/app/search=",
	"-gcflags=unicode/utf8=",
}

// Compile compiles the programs of the project at root, all at once, and
// leaves the files in the directory dir, an absolute path or one relative to
// root. The Go tool's own cache makes it quick when nothing has changed.
func Compile(root, dir string) (site.Programs, error) {
	scratch, err := os.MkdirTemp("", "compile-")
	if err != nil {
		return nil, fmt.Errorf("preparing to compile: %w", err)
	}
	defer os.RemoveAll(scratch)
	args := append(slices.Clone(flags), "-o", dir+string(filepath.Separator))
	for _, name := range site.ProgramNames() {
		args = append(args, "./"+path.Join("wasm", source(name)))
	}
	cmd, err := Tool(root, scratch, "build", args...)
	if err != nil {
		return nil, fmt.Errorf("preparing to compile: %w", err)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("compiling to WebAssembly: %w\n%s", err, out)
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(root, dir)
	}
	compiled := site.Programs{}
	for _, name := range site.ProgramNames() {
		wasm, err := os.ReadFile(filepath.Join(dir, path.Base(path.Join("wasm", source(name)))))
		if err != nil {
			return nil, fmt.Errorf("reading the compiled program: %w", err)
		}
		compiled[name] = wasm
	}
	return compiled, nil
}

// source is a program's directory below wasm, after which the Go tool names
// what it builds.
func source(name string) string {
	if name == pages.Reading {
		return ""
	}
	return name
}
