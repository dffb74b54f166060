package version

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

func TestPrintHere(t *testing.T) {
	var b strings.Builder
	if err := Print(&b, "tool"); err != nil || !regexp.MustCompile(`^tool devel \(go\S+, \w+/\w+\)\n$`).MatchString(b.String()) {
		t.Errorf("%v, %q", err, b.String())
	}
}

// TestVersionOfCommits builds a program as a release does, in a repository of
// its own: it says which commit it is, and whether files were changed.
func TestVersionOfCommits(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("NOT CHECKED: the version in a built command, since git is not here")
	}
	source, err := os.ReadFile("version.go")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(files fstest.MapFS) {
		if err := os.CopyFS(dir, files); err != nil {
			t.Fatal(err)
		}
	}
	run := func(name string, arguments ...string) string {
		cmd := exec.Command(name, arguments...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-buildvcs=true", "GOWORK=off", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
			"GIT_AUTHOR_DATE=2026-05-26T12:00:00Z", "GIT_COMMITTER_DATE=2026-05-26T12:00:00Z")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", cmd, err, out)
		}
		return string(out)
	}
	built := func() string {
		run("go", "build", "-o", "tool.exe", ".")
		return run(filepath.Join(dir, "tool.exe"))
	}
	write(fstest.MapFS{
		"go.mod":             {Data: []byte("module tool.example\n\ngo 1.26.0\n")},
		".gitignore":         {Data: []byte("tool.exe\n")},
		"version/version.go": {Data: source},
		"main.go": {Data: []byte("package main\n\nimport (\n\t\"os\"\n\n\t\"tool.example/version\"\n)\n\n" +
			"func main() { version.Print(os.Stdout, \"tool\") }\n")},
	})
	run(git, "init", "-q")
	run(git, "add", ".")
	run(git, "-c", "user.name=Ann", "-c", "user.email=ann@x.example", "commit", "-q", "-m", "First")
	commit := run(git, "rev-parse", "HEAD")[:12]
	if got, want := built(), "tool v0.0.0-20260526120000-"+commit+" (go"; !strings.HasPrefix(got, want) {
		t.Errorf("built from a commit: %q, want %q", got, want)
	}
	run(git, "tag", "v1.2.3")
	if got := built(); !strings.HasPrefix(got, "tool v1.2.3 (go") {
		t.Errorf("built from a tag: %q", got)
	}
	write(fstest.MapFS{"more.go": {Data: []byte("package main\n")}})
	if got := built(); !strings.HasPrefix(got, "tool v1.2.3+dirty (go") {
		t.Errorf("built from changed files: %q", got)
	}
}
