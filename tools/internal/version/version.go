// Package version says what a command was built from, as the Go tool wrote it
// into the program: no file and no flag can say otherwise.
package version

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
)

// Number is the version of the module: a tag, or a commit with its time, and
// with +dirty behind it if files were changed. It is "devel" where the Go tool
// wrote none, as for go run and for tests.
func Number() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	return cmp.Or(strings.Trim(info.Main.Version, "()"), "devel")
}

// Print writes what a command prints for --version: one line with its name.
func Print(w io.Writer, command string) error {
	_, err := fmt.Fprintf(w, "%s %s (%s, %s/%s)\n", command, Number(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
