package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestDependencies keeps the promise that what is given a key is made of
// the standard library and this collection's packages, on every system.
func TestDependencies(t *testing.T) {
	for _, system := range []string{"linux", "darwin", "windows"} {
		cmd := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".")
		cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go list for %s: %v", system, err)
		}
		for path := range strings.FieldsSeq(string(out)) {
			if !strings.HasPrefix(path, "marketingskills/") {
				t.Errorf("%s: the command reaches %s: it is given a key, so it is made of the standard library and our own packages", system, path)
			}
		}
	}
}
