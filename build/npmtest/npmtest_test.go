package npmtest

import (
	"encoding/json"
	"errors"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"
)

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := files.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestPinned: each package has one version and one hash, and nothing says which
// registry it has to come from.
func TestPinned(t *testing.T) {
	type pin struct{ Version, Integrity, Resolved string }
	var wanted struct{ Dependencies map[string]string }
	var lock struct{ Packages map[string]pin }
	if err := errors.Join(json.Unmarshal([]byte(read(t, "package.json")), &wanted),
		json.Unmarshal([]byte(read(t, "package-lock.json")), &lock)); err != nil {
		t.Fatal(err)
	}
	for name, version := range wanted.Dependencies {
		if got := lock.Packages["node_modules/"+name].Version; got != version {
			t.Errorf("%s is %q in package.json and %q in package-lock.json", name, version, got)
		}
	}
	for name, p := range lock.Packages {
		if name != "" && (p.Version == "" || !strings.HasPrefix(p.Integrity, "sha512-") || p.Resolved != "") {
			t.Errorf("%s is pinned as %+v", name, p)
		}
	}
}

// TestAnotherPackage: what has another hash, and what nobody pinned, is refused
// and not taken for a network that is down.
func TestAnotherPackage(t *testing.T) {
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("NOT CHECKED: npm is not here")
	}
	Modules(t)
	lock := read(t, "package-lock.json")
	_, rest, _ := strings.Cut(lock, `"node_modules/axe-core"`)
	_, rest, _ = strings.Cut(rest, "sha512-")
	hash, _, _ := strings.Cut(rest, `"`)
	for name, c := range map[string]struct{ file, old, new string }{
		"another hash":    {"package-lock.json", hash, strings.Repeat("A", 86) + "=="},
		"another version": {"package.json", `"axe-core": "`, `"axe-core": "<`},
	} {
		t.Run(name, func(t *testing.T) {
			changed := fstest.MapFS{}
			for _, file := range []string{"package.json", "package-lock.json", ".npmrc"} {
				changed[file] = &fstest.MapFile{Data: []byte(read(t, file)), Mode: 0o644}
			}
			f := changed[c.file]
			f.Data = []byte(strings.Replace(string(f.Data), c.old, c.new, 1))
			if err := install(t.TempDir(), changed); !errors.Is(err, errPinned) {
				t.Errorf("got %v", err)
			}
		})
	}
}
