// Package wasmbuild compiles the programs of the site to WebAssembly, in the same
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

// flags make the programs small. Inlining is off, except in the search, which runs
// on every keystroke: it repeats code, which costs 130 KB of brotli, and loading
// those takes longer than the calls that they save. The commit is not built in: one
// that changes no code must not make visitors download the programs again, and git
// refuses to read a clone that belongs to another user.
var flags = []string{
	"-buildvcs=false",
	"-trimpath",
	"-ldflags=-s -w -buildid=",
	"-gcflags=all=-l",
	"-gcflags=marketingskills/app/search=",
	"-gcflags=unicode/utf8=",
}

// Compile compiles the programs of the project at root and leaves the files in the
// directory dir, an absolute path or one relative to root. When nothing has
// changed, the cache of the Go tool makes it quick.
func Compile(root, dir string) (site.Programs, error) {
	scratch, err := os.MkdirTemp("", "compile-")
	if err != nil {
		return nil, fmt.Errorf("preparing to compile: %w", err)
	}
	defer os.RemoveAll(scratch)
	args := append(slices.Clone(flags), "-o", dir+string(filepath.Separator))
	for _, name := range site.ProgramNames() {
		args = append(args, "./"+path.Join("wasm", directory(name)))
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
		wasm, err := os.ReadFile(filepath.Join(dir, path.Base(path.Join("wasm", directory(name)))))
		if err != nil {
			return nil, fmt.Errorf("reading the compiled program: %w", err)
		}
		compiled[name] = wasm
	}
	return compiled, nil
}

// directory returns the directory of a program below wasm, by which the Go tool
// names the file that it builds.
func directory(name string) string {
	if name == pages.Reading {
		return ""
	}
	return name
}
