package collection

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"marketingskills/app/collection/finding"
)

func TestLoadFailsOnlyWithoutSkills(t *testing.T) {
	for _, c := range []struct {
		name   string
		change change
		is     error
	}{
		{"empty", func(_ *testing.T, files fstest.MapFS) { clear(files) }, fs.ErrNotExist},
		{"a file", func(_ *testing.T, files fstest.MapFS) { clear(files); files["skills"] = &fstest.MapFile{} }, nil},
	} {
		files := sample()
		c.change(t, files)
		got, found, err := Load(files)
		if got != nil || found != nil || err == nil || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: got %v, %v, %v", c.name, got, found, err)
		}
		if err != nil && (!strings.HasPrefix(err.Error(), "listing the directory skills: ") || strings.Contains(err.Error(), "open skills")) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	files := sample()
	clear(files)
	files["skills"] = &fstest.MapFile{Mode: fs.ModeDir}
	c, found, err := Load(files)
	if err != nil || len(c.Skills) != 0 {
		t.Errorf("no skills: %v, %v", c, err)
	}
	expect(t, found, manifestFile+" unreadable", secondLookFile+" unreadable")
}

// muddle is a collection in which nearly everything is wrong.
func muddle(t *testing.T) (fstest.MapFS, []string) {
	files := sample()
	dir := func(name string) string { return "skills/" + name + "/" }
	for _, change := range []change{
		addFolder("a-yaml"), replace(dir("a-yaml")+"SKILL.md", "license: MIT", "license: [MIT"),
		addFolder("b-mark"), replace(dir("b-mark")+"SKILL.md", "---\nname", "\uFEFF---\nname"),
		put(dir("c-folder")+"notes.txt", ""),
		put(dir("d-odd")+"SKILL.md/SKILL.md", "x"),
		addFolder("e-evals"), put(dir("e-evals")+"evals/evals.json", `{"skill_name": "`+strings.Repeat("x", 2_000_000)+`"}`),
		addFolder("f-large"), put(dir("f-large")+"SKILL.md", strings.Repeat("x", 2_000_000)),
		addFolder("g-long"), replace(dir("g-long")+"SKILL.md", "A list.", strings.Repeat("\n", 500)+"Words."),
		put("skills/stray.md", "x"),
		func(_ *testing.T, files fstest.MapFS) {
			files["skills/h-link"] = &fstest.MapFile{Data: []byte("."), Mode: fs.ModeSymlink}
		},
		put(manifestFile, "# Versions\n\n## Recent Changes\n\n### 2.0 (2026-02-30)\n\n- New.\n"),
		replace(sampleSkill, `"2.0.1"`, `"2.0"`), say("[it](javascript:x)"),
		replace(sampleScale, "## Points", "### Points"),
	} {
		change(t, files)
	}
	return files, []string{
		manifestFile + " manifest-no-table", manifestFile + ":5 manifest-date", manifestFile + ":5 manifest-version",
		"skills/a-yaml/SKILL.md:4 frontmatter-yaml",
		"skills/b-mark/SKILL.md:1 byte-order-mark",
		"skills/c-folder/SKILL.md skill-missing", "skills/c-folder/evals/evals.json evals-missing",
		"skills/d-odd/SKILL.md skill-missing", "skills/d-odd/evals/evals.json evals-missing",
		"skills/e-evals/evals/evals.json file-size",
		"skills/f-large/SKILL.md file-size",
		"skills/g-long/SKILL.md:509 body-lines",
		"skills/h-link plain-files",
		sampleSkill + ":6 version", sampleSkill + ":27 link",
		sampleScale + ":5 heading-level",
		"skills/stray.md plain-files",
	}
}

// TestTheRestIsComplete: no problem hides another, in the same skill or in the
// next one.
func TestTheRestIsComplete(t *testing.T) {
	files, want := muddle(t)
	c, found, err := Load(files)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, found, want...)
	if len(c.Skills) != 9 || c.Skill("e-evals").Description == "" || c.Skill("f-large").Evals == nil {
		t.Errorf("%d skills", len(c.Skills))
	}
}

// TestReportsAreStable: findings come sorted, and the same each time.
func TestReportsAreStable(t *testing.T) {
	files, _ := muddle(t)
	for name, file := range named("sms") {
		files[name] = file // gives several findings in one place
	}
	delete(files, "skills/sms/references/compliance.md")
	_, want, _ := Load(files)
	sorted := slices.Clone(want)
	finding.Sort(sorted)
	if !reflect.DeepEqual(want, sorted) {
		t.Errorf("not sorted: %v", want)
	}
	for range 20 {
		if _, got, _ := Load(files); !reflect.DeepEqual(got, want) {
			t.Fatalf("got %v\nwant %v", got, want)
		}
	}
}

// TestLinksOnDisk: links that lead in a circle end in findings.
func TestLinksOnDisk(t *testing.T) {
	root := t.TempDir()
	if err := os.CopyFS(root, sample()); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(root, manifestFile)); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{
		manifestFile: manifestFile, "skills/self": "self", "skills/up": "..",
		"skills/lead-scoring/up": "..", "skills/lead-scoring/references/loop.md": "loop.md",
	} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Skip(err)
		}
	}
	_, found, err := Load(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	expect(t, found, manifestFile+" unreadable",
		"skills/self plain-files", "skills/up plain-files", "skills/lead-scoring/up plain-files",
		"skills/lead-scoring/references/loop.md plain-files")
}

func TestUnreadableOnDisk(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	root := t.TempDir()
	files := sample()
	addSkill("lead-sorting")(t, files)
	if err := os.CopyFS(root, files); err != nil {
		t.Fatal(err)
	}
	lock := func(name string) {
		if err := os.Chmod(filepath.Join(root, name), 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(filepath.Join(root, name), 0o755) })
	}
	lock("skills/lead-sorting")
	_, found, err := Load(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	expect(t, found, "skills/lead-sorting unreadable")
	lock("skills")
	if _, _, err := Load(os.DirFS(root)); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("got %v", err)
	}
}

func TestRelated(t *testing.T) {
	files := sample()
	addSkill("lead-sorting")(t, files)
	replace(sampleSkill, "For finding new leads: prospecting. Not for forecasts.",
		"To sort: lead-sorting; who gets it: lead-routing. Forecasts: crm. Again: lead-sorting.")(t, files)
	c, found, err := Load(files)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, found)
	// Without itself, each once.
	want := map[string][]string{"lead-scoring": {"lead-sorting", "lead-routing"}}
	if got := c.Related(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
}
