package build_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// releasable is a project with two commands, of which one has a package of its
// own, and a release.
var releasable = fstest.MapFS{
	"go.mod":                          {Data: []byte("module small.example\n\ngo 1.26.0\n")},
	".gitignore":                      {Data: []byte("/build/release/\n")},
	"LICENSE":                         {Data: []byte("MIT\n")},
	"VERSIONS.md":                     {Data: []byte("# Versions\n\n## Recent Changes\n\n### 2.3.0 (2026-12-01)\n\n- It is better.\n\n### 2.2.0 (2026-05-26)\n\n- It is there.\n")},
	"tools/clis/one/main.go":          {Data: []byte("package main\n\nimport \"small.example/tools/clis/one/internal/is\"\n\nfunc main() { println(is.Here) }\n")},
	"tools/clis/one/internal/is/x.go": {Data: []byte("package is\n\nconst Here = \"here\"\n")},
	"tools/verify-proxy/main.go":      {Data: []byte("package main\n\nfunc main() {}\n")},
}

func TestRelease(t *testing.T) {
	for _, program := range []string{"git", "tar", "awk"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("NOT CHECKED: a release, since %s is not here", program)
		}
	}
	script, err := filepath.Abs("release.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	do := func(name string, arguments ...string) (string, error) {
		cmd := exec.Command(name, arguments...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	must := func(name string, arguments ...string) string {
		t.Helper()
		out, err := do(name, arguments...)
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", name, arguments, err, out)
		}
		return out
	}
	if err := os.CopyFS(dir, releasable); err != nil {
		t.Fatal(err)
	}
	must("git", "init", "-q")
	must("git", "add", ".")
	must("git", "-c", "user.name=Ann", "-c", "user.email=ann@x.example", "commit", "-q", "-m", "First")

	for _, tag := range []string{"v2.2.0", "2.3.0", ""} {
		out, err := do(script, tag)
		if err == nil || !strings.Contains(out, "VERSIONS.md begins with v2.3.0") {
			t.Errorf("tag %q: %v, %s", tag, err, out)
		}
	}
	here := runtime.GOOS + "/" + runtime.GOARCH
	must(script, "v2.3.0", here, "windows/amd64")

	var want, got []string
	for system, ending := range map[string]string{here: "", "windows/amd64": ".exe"} {
		name := "marketing-skills-v2.3.0-" + strings.ReplaceAll(system, "/", "-")
		want = append(want, name+".tar.gz")
		archive, err := os.ReadFile(filepath.Join(dir, "build/release", name+".tar.gz"))
		if err != nil {
			t.Fatal(err)
		}
		sums, _ := os.ReadFile(filepath.Join(dir, "build/release/SHA256SUMS"))
		if line := fmt.Sprintf("%x  %s.tar.gz\n", sha256.Sum256(archive), name); !strings.Contains(string(sums), line) {
			t.Errorf("SHA256SUMS lacks %q: %s", line, sums)
		}
		files := strings.Fields(must("tar", "-tzf", filepath.Join("build/release", name+".tar.gz")))
		slices.Sort(files)
		if all := []string{name + "/", name + "/LICENSE", name + "/one" + ending, name + "/verify-proxy" + ending}; !slices.Equal(files, all) {
			t.Errorf("%s has %q, want %q", name, files, all)
		}
	}
	entries, err := os.ReadDir(filepath.Join(dir, "build/release"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		got = append(got, e.Name())
	}
	want = append(want, "SHA256SUMS", "notes.md")
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("there are %q, want %q", got, want)
	}
	if notes, _ := os.ReadFile(filepath.Join(dir, "build/release/notes.md")); strings.TrimSpace(string(notes)) != "- It is better." {
		t.Errorf("the notes are %q", notes)
	}
	name := "marketing-skills-v2.3.0-" + strings.ReplaceAll(here, "/", "-")
	must("tar", "-xzf", "build/release/"+name+".tar.gz")
	program := filepath.Join(dir, name, "one")
	if built := must("go", "version", "-m", program); !strings.Contains(built, "vcs.revision="+must("git", "rev-parse", "HEAD")) ||
		!strings.Contains(built, "vcs.modified=false") {
		t.Errorf("the command does not say which commit it is: %s", built)
	}
}
