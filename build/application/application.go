// Package application compiles the site's programs to WebAssembly, the same
// way for the site and for the browser tests.
package application

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"marketingskills/app/site"
)

// flags make the program small. Inlining is off but where a keystroke is
// spent: it repeats code, which costs 130 KB of brotli, and a visitor waits
// longer for these than for the calls they save.
var flags = []string{
	"build",
	"-trimpath",
	"-ldflags=-s -w -buildid=",
	"-gcflags=all=-l",
	"-gcflags=marketingskills/app/search=",
	"-gcflags=unicode/utf8=",
}

// Compile compiles the programs of the project at root, and leaves the files
// in the directory dir, an absolute path or one relative to root. The Go
// tool's own cache makes it quick when nothing has changed.
func Compile(root, dir string) (site.Programs, error) {
	compiled := site.Programs{}
	for _, name := range site.ProgramNames() {
		source, target := "./wasm/"+name, filepath.Join(dir, name+".wasm")
		if name == site.Reading {
			source = "./wasm"
		}
		cmd := exec.Command("go", append(slices.Clone(flags), "-o", target, source)...)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("compiling %s to WebAssembly: %w\n%s", source, err, out)
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(root, target)
		}
		wasm, err := os.ReadFile(target)
		if err != nil {
			return nil, fmt.Errorf("reading the compiled program: %w", err)
		}
		compiled[name] = wasm
	}
	return compiled, nil
}
