package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marketingskills"
	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/manifest/versionsfile"
)

// today is the day of every test.
var today = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// must fails the test of t, or of the helper's caller, at the first error.
type failer interface{ Fatal(args ...any) }

func must(t failer, err error) {
	if h, ok := t.(interface{ Helper() }); ok {
		h.Helper()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func ours(t failer) *manifest.Manifest {
	s, err := builtIn()
	must(t, err)
	return s.manifest
}

// writeSkill makes a folder of a skill, with a reference.
func writeSkill(t failer, dir, name, version string) {
	writeFile(t, filepath.Join(dir, name, "SKILL.md"),
		fmt.Sprintf("---\nname: %s\ndescription: What %s does, in %s.\nmetadata:\n  version: %s\n---\n\n# %s\n", name, name, version, version, name))
	writeFile(t, filepath.Join(dir, name, "references", "more.md"), "More about "+name+" "+version+".\n")
}

func writeFile(t failer, name, text string) {
	must(t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(t, os.WriteFile(name, []byte(text), 0o644))
}

// oldNames are the 41 folders of 1.10.0: 17 renamed by 2.2.0, 2 merged, 22 with
// the name they had.
func oldNames(t failer) []string {
	data, err := os.ReadFile("../../../app/upgrade/testdata/VERSIONS-2.2.0.md")
	must(t, err)
	m, _ := versionsfile.Parse(data)
	given := map[string]bool{"sms": true, "prospecting": true} // new since
	var names []string
	for _, r := range m.Renames {
		names = append(names, r.Old)
		given[r.New] = true
	}
	for _, row := range m.Rows {
		if !given[row.Skill] {
			names = append(names, row.Skill)
		}
	}
	if len(names) != 41 {
		t.Fatal("1.10.0 had 41 skills, not ", len(names))
	}
	return names
}

// installOld makes an installation of 1.10.0.
func installOld(t failer, dir string) {
	for _, name := range oldNames(t) {
		writeSkill(t, dir, name, "1.10.0")
	}
}

// writeCollection makes a whole collection of 42 skills.
func writeCollection(t failer, dir string) {
	data, err := marketingskills.Content.ReadFile(manifest.File)
	must(t, err)
	writeFile(t, filepath.Join(dir, manifest.File), string(data))
	for _, row := range ours(t).Rows {
		writeSkill(t, filepath.Join(dir, "skills"), row.Skill, string(row.Version))
	}
}

// tree has a line for everything below a folder: mode, and content or target.
func tree(t failer, dir string) map[string]string {
	all := map[string]string{}
	must(t, filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		what := info.Mode().String()
		switch {
		case info.Mode().IsRegular() && info.Size() < 1<<24:
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			what += fmt.Sprintf(" %x", sha256.Sum256(data))
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(name)
			if err != nil {
				return err
			}
			what += " " + target
		}
		rel, err := filepath.Rel(dir, name)
		all[rel] = what
		return err
	}))
	return all
}

// differences says how two trees differ, a line each.
func differences(want, got map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			fmt.Fprintf(&b, "%q: want %s, got %s\n", name, want[name], got[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if want[name] == "" {
			fmt.Fprintf(&b, "%q: was not there, now %s\n", name, got[name])
		}
	}
	return b.String()
}

func sameTree(t *testing.T, what string, want, got map[string]string) {
	t.Helper()
	if d := differences(want, got); d != "" {
		t.Fatalf("%s:\n%s", what, d)
	}
}
