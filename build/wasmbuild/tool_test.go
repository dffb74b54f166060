package wasmbuild

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestGoRoot(t *testing.T) {
	dir := t.TempDir()
	goroot, err := linkedGoRoot("..", dir)
	if err != nil || strings.HasPrefix(goroot, dir) {
		t.Fatal(goroot, err)
	}
	// As when the Go tool was downloaded for this module.
	t.Setenv("GOMODCACHE", filepath.Dir(goroot))
	link, err := linkedGoRoot("..", dir)
	if err != nil || filepath.Dir(link) != dir {
		t.Fatal(link, err)
	}
	for _, name := range []string{goroot, link} {
		if _, err := os.Stat(filepath.Join(name, "src", "net", "http", "status.go")); err != nil {
			t.Error(err)
		}
	}
}

// TestReplaced: names of directories are no patterns, and a directory without Go
// files is not the library.
func TestReplaced(t *testing.T) {
	root := filepath.Join(t.TempDir(), "re[view]", "m")
	ours, library := filepath.Join(root, "build", "wasmbuild", "http"), filepath.Join(root, "[go]", "http")
	for _, dir := range []string{ours, library} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write := func(dir string, names ...string) {
		for _, name := range names {
			if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(library, "status.go", "server.go", "notes.txt")
	if files, err := overlayFiles(root, library); err == nil || !strings.Contains(err.Error(), ours) {
		t.Errorf("nothing to replace them with: %v, %v", files, err)
	}
	write(ours, "http.go", "http_test.go", "notes.txt")
	want := map[string]string{filepath.Join(library, "server.go"): "", filepath.Join(library, "http.go"): filepath.Join(ours, "http.go")}
	if files, err := overlayFiles(root, library); err != nil || !maps.Equal(files, want) {
		t.Errorf("got %v, %v", files, err)
	}
	if files, err := overlayFiles(root, filepath.Join(root, "build")); err == nil {
		t.Errorf("no library: %v", files)
	}
}

// TestToolOfTheProject: the go.mod of the project, not that of the current
// directory, says which Go tool it is.
func TestToolOfTheProject(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the tool here is a script")
	}
	root, bin := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte("#!/bin/sh\npwd\necho /modules\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	if where, err := linkedGoRoot(root, t.TempDir()); err != nil || where != root {
		t.Errorf("the tool ran in %s, %v", where, err)
	}
}

// TestAnybodysClone: git refuses to speak of a clone that belongs to somebody
// else, such as one that root builds in a container. The programs do not depend
// on what it says.
func TestAnybodysClone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("git here is a script")
	}
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\nexit 128\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Setenv("GOFLAGS", "-buildvcs=auto")
	if _, err := Compile("../..", t.TempDir()); err != nil {
		t.Error(err)
	}
}
