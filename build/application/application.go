// Package application compiles the site's program to WebAssembly, the same
// way for the site and for the browser tests.
package application

import (
	"fmt"
	"os"
	"os/exec"
)

// flags make the program small. Inlining is off but where a keystroke is
// spent: it repeats code, which costs 130 KB of brotli, and a visitor waits
// longer for these than for the calls they save.
var flags = []string{
	"-trimpath",
	"-ldflags=-s -w -buildid=",
	"-gcflags=all=-l",
	"-gcflags=marketingskills/app/search=",
	"-gcflags=unicode/utf8=",
}

// Compile compiles the program of the project at root into the file target,
// an absolute path or one relative to root.
// The Go tool's own cache makes it quick when nothing has changed.
func Compile(root, target string) error {
	cmd := exec.Command("go", append(append([]string{"build"}, flags...), "-o", target, "./wasm")...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("compiling the application to WebAssembly: %w\n%s", err, out)
	}
	return nil
}
