package main

import (
	"bytes"
	"os"
	"path"
	"strings"
	"testing"

	"marketingskills/app/collection"
	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/manifest/versionsfile"
	"marketingskills/app/collection/plugin"
)

// TestReleaseOfTheProject releases the project as it is, with a change to two
// skills if it has none: a file is changed where it should be and nowhere else.
func TestReleaseOfTheProject(t *testing.T) {
	released := &project{FS: os.DirFS(root)}
	if err := released.edit(manifest.File, func(old []byte) ([]byte, error) {
		if bytes.Contains(old, []byte("### Unreleased")) {
			return old, nil
		}
		return bytes.Replace(old, []byte("\n### "), []byte("\n### Unreleased\n\n- `ads` (98.0.0) and `sms` (99.0.0) are better.\n\n### "), 1), nil
	}); err != nil {
		t.Fatal(err)
	}
	old, next, _ := versionsfile.ParseWithUnreleased(released.file(manifest.File).new)
	found, err := release(released, "99.0.0", "2099-12-31")
	if err != nil || len(found) > 0 {
		t.Fatal(err, found)
	}
	after := &project{FS: released}
	changed := map[string]bool{}
	for _, f := range released.changed() {
		changed[f.name] = true
	}
	for _, name := range []string{manifest.File, plugin.Marketplace, plugin.Manifest} {
		if !changed[name] {
			t.Errorf("%s is not changed", name)
		}
	}
	c, found, err := load(after)
	if err != nil || len(found) > 0 {
		t.Fatal(err, found)
	}
	latest, _ := c.Manifest.Latest()
	if latest.Name() != "99.0.0" || latest.Date != "2099-12-31" || latest.Total != len(c.Skills) || len(latest.Changes) != next.Changes || c.Unreleased != nil {
		t.Errorf("got %+v", latest)
	}
	for _, s := range c.Skills {
		row, _ := c.Manifest.Row(s.Dir)
		was, had := old.Row(s.Dir)
		planned := next.Version(s.Dir)
		if planned != "" && (string(planned) != s.Version || row.Updated != "2099-12-31") || planned == "" && (!had || row.Version != was.Version || row.Updated != was.Updated) {
			t.Errorf("%s: planned %q, %s of %s", s.Dir, planned, s.Version, row.Updated)
		}
		if planned == "" && changed[path.Join("skills", s.Dir, "SKILL.md")] {
			t.Errorf("%s is changed", s.Dir)
		}
	}
	for name := range changed {
		if dir, ok := strings.CutPrefix(name, "skills/"); ok && next.Version(path.Dir(dir)) == "" {
			t.Errorf("%s is changed", name)
		}
	}
	if err := derive(after); err != nil || len(after.changed()) > 0 {
		t.Errorf("not in order afterwards: %v", err)
	}
}

// TestWithRelease: what a release makes of a VERSIONS.md, in its own form.
func TestWithRelease(t *testing.T) {
	const source = `# Versions

| Skill | Version | Last Updated |
| ----- | ------- | ------------ |
| cro   | 2.9.0   | 2026-05-05   |

## Recent Changes

### Unreleased

- ` + "`cro` (2.10.0)." + `

### 2.0.0 (2026-05-05)

- New.
- Total: 1 skill.
`
	const want = `# Versions

| Skill | Version | Last Updated |
| ----- | ------- | ------------ |
| cro   | 2.10.0  | 2026-12-01   |

## Recent Changes

### 2.1.0 (2026-12-01)

- ` + "`cro` (2.10.0)." + `
- Total: 1 skill.

### 2.0.0 (2026-05-05)

- New.
- Total: 1 skill.
`
	const row, released = "| cro   | 2.9.0   | 2026-05-05   |", "| cro   | 2.10.0  | 2026-12-01   |"
	const four = "`ads` (1.0.0), `analytics` (1.0.0), `seo-audit` (1.0.0), `sms` (1.0.0)."
	for _, c := range []struct {
		name    string
		old, to string
		want    []string // pairs: what stands in want, and what stands there now
	}{
		{"as it is", "#", "#", nil},
		{"no skill", "`cro` (2.10.0)", "The site is faster", []string{released, row, "`cro` (2.10.0)", "The site is faster"}},
		{"rows for new skills", "`cro` (2.10.0).", four, []string{
			released, "| ads   | 1.0.0   | 2026-12-01   |\n| analytics | 1.0.0   | 2026-12-01   |\n" + row +
				"\n| seo-audit | 1.0.0   | 2026-12-01   |\n| sms   | 1.0.0   | 2026-12-01   |",
			"`cro` (2.10.0).\n- Total: 1 skill", four + "\n- Total: 5 skills"}},
		{"CRLF", "\n", "\r\n", []string{"\n", "\r\n"}},
		{"no spaces", row, "|cro|2.9.0|2026-05-05|", []string{released, "|cro|2.10.0|2026-12-01|"}},
		{"no outer pipes", row, "cro | 2.9.0 | 2026-05-05", []string{released, "cro | 2.10.0 | 2026-12-01"}},
		{"other letters, closed", "### Unreleased", "###  unreleased ###", []string{"### 2.1.0 (2026-12-01)", "###  2.1.0 (2026-12-01) ###"}},
		{"no blank line", ".\n\n### 2.0.0", ".\n### 2.0.0", []string{"skill.\n\n### 2.0.0", "skill.\n### 2.0.0"}},
		{"a bullet of two lines and one below", "(2.10.0).\n", "(2.10.0),\n  better.\n  - Faster.\n", []string{"(2.10.0).\n", "(2.10.0),\n  better.\n  - Faster.\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			old, want := strings.ReplaceAll(source, c.old, c.to), strings.NewReplacer(c.want...).Replace(want)
			c, found := readVersions(old)
			if len(found) > 0 {
				t.Fatal(found)
			}
			got, err := withRelease([]byte(old), c, "2.1.0", "2026-12-01")
			if err != nil || string(got) != want {
				t.Errorf("%v\ngot\n%s\nwant\n%s", err, got, want)
			}
		})
	}
}

// readVersions reads a VERSIONS.md as part of a collection.
func readVersions(text string) (*collection.Collection, []finding.Finding) {
	m, next, found := versionsfile.ParseWithUnreleased([]byte(text))
	return &collection.Collection{Manifest: m, Unreleased: next}, found
}

// TestOtherForms: an entry that ends the file, more columns, a table whose
// skills are not in the first column, and lines that this reader does not know.
func TestOtherForms(t *testing.T) {
	const source = "| Note | Last Updated | Version | Skill |\n|-|-|-|-|\n| a\\|b | 2026-05-05 | 1.0.0 | cro |\n\n## Recent Changes\n\n### Unreleased\n* `cro` (1.1.0), `ads` (1.0.0)"
	c, _ := readVersions(source)
	got, err := withRelease([]byte(source), c, "1.1.0", "2026-12-01")
	const want = "| Note | Last Updated | Version | Skill |\n|-|-|-|-|\n|      | 2026-12-01 | 1.0.0 | ads |\n| a\\|b | 2026-12-01 | 1.1.0 | cro |\n\n" +
		"## Recent Changes\n\n### 1.1.0 (2026-12-01)\n* `cro` (1.1.0), `ads` (1.0.0)\n- Total: 2 skills.\n"
	if err != nil || string(got) != want {
		t.Errorf("%v\ngot\n%s\nwant\n%s", err, got, want)
	}
	old := strings.ReplaceAll(source, "\n", "\r")
	if got, err := withRelease([]byte(old), c, "1.1.0", "2026-12-01"); got != nil || err == nil {
		t.Errorf("carriage returns: %q, %v", got, err)
	}
}

// TestVersionOfASkill: the version is replaced on its line, or not at all.
func TestVersionOfASkill(t *testing.T) {
	for old, want := range map[string]string{
		"  version: \"1.0.0\"":              "  version: \"1.1.0\"",
		"  version: '1.0.0' # of 2026\r":    "  version: '1.1.0' # of 2026\r",
		"  version: \"1.0.0\" # once 1.0.0": "",
		"  version: \"1\\u002e0.0\"":        "",
	} {
		around := "---\nmetadata:\n%\n---\n\nSince 1.0.0.\n"
		got, err := withSkillVersion([]byte(strings.Replace(around, "%", old, 1)), &collection.Skill{Version: "1.0.0", VersionLine: 3}, "1.1.0")
		if want == "" && err == nil || want != "" && (err != nil || string(got) != strings.Replace(around, "%", want, 1)) {
			t.Errorf("%q: got %q, %v", old, got, err)
		}
	}
}
