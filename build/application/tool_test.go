package application

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestGoRoot(t *testing.T) {
	dir := t.TempDir()
	goroot, err := goRoot(dir)
	if err != nil || strings.HasPrefix(goroot, dir) {
		t.Fatal(goroot, err)
	}
	// As when the Go tool was downloaded for this module.
	t.Setenv("GOMODCACHE", filepath.Dir(goroot))
	link, err := goRoot(dir)
	if err != nil || filepath.Dir(link) != dir {
		t.Fatal(link, err)
	}
	for _, name := range []string{goroot, link} {
		if _, err := os.Stat(filepath.Join(name, "src", "net", "http", "status.go")); err != nil {
			t.Error(err)
		}
	}
}
