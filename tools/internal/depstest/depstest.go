// Package depstest holds what the tests of commands that are given a secret
// promise about what they are made of.
package depstest

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// OwnOnly complains if the command in the current directory, which is given a
// secret such as "a token", reaches more than the standard library and this
// collection's packages, on any system.
func OwnOnly(t *testing.T, secret string) {
	t.Helper()
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
				t.Errorf("%s: the command reaches %s: it is given %s, so it is made of the standard library and our own packages", system, path, secret)
			}
		}
	}
}
