package upgrade

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// planOf analyses and plans, in order.
func planOf(t testing.TB, in Installation, o PlanOptions, published ...Published) Cleanup {
	t.Helper()
	if o.Date == "" {
		o.Date = "2026-06-01"
	}
	c, err := Plan(Analyze(in, repository(t), published...), o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// steps writes a plan in short.
func steps(c Cleanup) string {
	var all []string
	for _, s := range c.Steps {
		switch s.Action {
		case Run:
			all = append(all, "run "+s.From)
		case Verify:
			all = append(all, "verify "+s.To)
		default:
			all = append(all, fmt.Sprintf("%s %s > %s", s.Action, s.From, s.To))
		}
	}
	for _, l := range c.Left {
		all = append(all, "left "+l.Folder)
	}
	return strings.Join(all, "\n")
}

func TestPlan(t *testing.T) {
	const backup = here + "-backup-2026-06-01"
	dir, site, command := Source{Dir: "/src"}, Source{Site: "https://skills.example/m/"}, Source{Command: "npx skills add o/r"}
	moveCRO := "move .claude/skills/page-cro > " + backup + "/old/page-cro"
	for _, c := range []struct {
		name    string
		in      Installation
		options PlanOptions
		want    []string
	}{
		{"nothing to do", good(), PlanOptions{Source: dir}, nil},
		{"duplicate", with(skillFolder("page-cro", "1.1.0")), PlanOptions{Source: dir}, []string{moveCRO}},
		{"merged", Installation{Places: []Place{{Path: here, Folders: []Folder{skillFolder("page-cro", "1.1.0"), skillFolder("form-cro", "1.0.0")}}}}, PlanOptions{Source: dir}, []string{
			"fetch /src/skills/cro > " + backup + "/new/cro", "move .claude/skills/form-cro > " + backup + "/old/form-cro", moveCRO, "install " + backup + "/new/cro > .claude/skills/cro"}},
		{"renamed, from a site", with(skillFolder("popup-cro", "1.1.0")), PlanOptions{Source: site}, []string{
			"fetch https://skills.example/m/skills/popups/popups.zip > " + backup + "/new/popups", "move .claude/skills/popup-cro > " + backup + "/old/popup-cro", "install " + backup + "/new/popups > .claude/skills/popups"}},
		{"renamed, by a command", with(skillFolder("popup-cro", "1.1.0")), PlanOptions{Source: command}, []string{
			"move .claude/skills/popup-cro > " + backup + "/old/popup-cro", "run npx skills add o/r", "verify .claude/skills/popups"}},
		{"renamed, without a source", with(skillFolder("popup-cro", "1.1.0")), PlanOptions{}, []string{"move .claude/skills/popup-cro > " + backup + "/old/popup-cro"}},
		{"renamed, not in the source", with(skillFolder("popup-cro", "1.1.0")), PlanOptions{Source: Source{Dir: "/src", Only: []string{"cro"}}}, []string{"left popup-cro"}},
		{"duplicate, not in the source", with(skillFolder("page-cro", "1.1.0")), PlanOptions{Source: Source{Dir: "/src", Only: []string{}}}, []string{moveCRO}},
		{"outdated", instead("ads", skillFolder("ads", "2.0.0")), PlanOptions{Source: dir}, []string{
			"fetch /src/skills/ads > " + backup + "/new/ads", "move .claude/skills/ads > " + backup + "/old/ads", "install " + backup + "/new/ads > .claude/skills/ads"}},
		{"outdated, without a source", instead("ads", skillFolder("ads", "2.0.0")), PlanOptions{}, []string{"left ads"}},
		{"outdated, not in the source", instead("ads", skillFolder("ads", "2.0.0")), PlanOptions{Source: Source{Dir: "/src", Only: []string{}}}, []string{"left ads"}},
		{"outdated, not certain", instead("ads", skillFolder("ads", "2.0.0")), PlanOptions{Source: dir, CertainOnly: true}, []string{"left ads"}},
		{"renamed, certain", with(skillFolder("page-cro", "1.1.0")), PlanOptions{CertainOnly: true}, []string{moveCRO}},
		{"not seen", instead("ads", Folder{Name: "ads"}), PlanOptions{Source: dir}, []string{"left ads"}},
		{"not seen, wanted", instead("ads", Folder{Name: "ads"}), PlanOptions{Source: dir, Unseen: true}, []string{
			"fetch /src/skills/ads > " + backup + "/new/ads", "move .claude/skills/ads > " + backup + "/old/ads", "install " + backup + "/new/ads > .claude/skills/ads"}},
		{"unreadable", instead("ads", Folder{Name: "ads", Kind: Unreadable}), PlanOptions{Source: dir, Unseen: true}, []string{"left ads"}},
		{"someone else's content", with(Folder{Name: "popups", Front: &Frontmatter{Name: "mine"}}), PlanOptions{Source: dir}, []string{"left popups"}},
		{"a copy", with(Folder{Name: "cro 2", Front: &Frontmatter{Name: "cro", Version: "1.0.0"}}), PlanOptions{Source: dir}, []string{"move .claude/skills/cro 2 > " + backup + "/old/cro 2"}},
		{"suggestions are never acted on", with(skillFolder("page_cro", "1.0.0"), skillFolder("crо", "1.0.0")), PlanOptions{Source: dir, Unseen: true}, nil},
		{"listed twice", with(skillFolder("page-cro", "1.1.0"), skillFolder("page-cro", "1.1.0")), PlanOptions{Source: dir}, []string{moveCRO}},
		{"a name that is a path", with(Folder{Name: "../x", Front: &Frontmatter{Name: "cro", Version: "1.0.0"}}), PlanOptions{Source: dir}, []string{"left ../x"}},
	} {
		plan := planOf(t, c.in, c.options)
		if got, want := steps(plan), strings.Join(c.want, "\n"); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, want)
		}
	}
}

// TestPlanKeepsFiles: what hashes show to be the user's goes back, and is said.
func TestPlanKeepsFiles(t *testing.T) {
	f := skillFolder("ads", "2.0.0")
	f.Files = []File{{"SKILL.md", 1, "aa"}, {"references/mine.md", 1, "bb"}, {"../x", 1, ""}}
	c := planOf(t, instead("ads", f), PlanOptions{Source: Source{Dir: "/src"}}, Published{"ads", "2.0.0", []File{{"SKILL.md", 1, "aa"}}})
	last := c.Steps[len(c.Steps)-1]
	if last.Action != Keep || last.To != ".claude/skills/ads/references/mine.md" || len(c.Steps) != 4 {
		t.Errorf("%s", steps(c))
	}
}

// TestBackupIsBeside: never in a folder that agents read.
func TestBackupIsBeside(t *testing.T) {
	for place, want := range map[string]string{
		".claude/skills":              ".claude/skills-backup-D",
		"./.claude/skills/":           ".claude/skills-backup-D",
		"~/.claude/skills":            "~/.claude/skills-backup-D",
		"/a/skills":                   "/a/skills-backup-D",
		"":                            "../skills-backup-D",
		".":                           "../skills-backup-D",
		"..":                          "../../skills-backup-D",
		"a/..":                        "a/../../skills-backup-D",
		"my skills":                   "my skills-backup-D",
		"-x":                          "./-x-backup-D",
		`C:\Users\me\.claude\skills`:  `C:\Users\me\.claude\skills-backup-D`,
		`C:/Users/me/.claude/skills/`: `C:/Users/me/.claude/skills-backup-D`,
		`.claude\skills\`:             `.claude\skills-backup-D`,
		`\\server\share\skills`:       `\\server\share\skills-backup-D`,
		"/":                           "",
		`C:\`:                         "",
		"~":                           "",
	} {
		got, ok := beside(place, "D")
		if got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v", place, got, ok)
		}
	}
	in := with(skillFolder("page-cro", "1.0.0"))
	in.Places = append(in.Places, Place{Path: ".claude", Folders: []Folder{skillFolder("paid-ads", "1.0.0")}})
	c := planOf(t, in, PlanOptions{Date: "D"})
	for _, b := range c.Backups {
		if b.Path != ".claude-backup-D" {
			t.Errorf("%+v lies in a place", b)
		}
	}
	root := Installation{Places: []Place{{Path: "/", Folders: []Folder{skillFolder("page-cro", "1.0.0")}}}}
	if c := planOf(t, root, PlanOptions{}); len(c.Steps) != 0 || len(c.Left) != 1 {
		t.Errorf("%s", steps(c))
	}
}

func TestPlanRefuses(t *testing.T) {
	for _, o := range []PlanOptions{
		{}, {Date: "../x"}, {Date: "a b"}, {Date: strings.Repeat("1", 50)},
		{Date: "D", Source: Source{Site: "https://a", Dir: "b"}},
		{Date: "D", Source: Source{Site: "javascript:alert(1)"}},
		{Date: "D", Source: Source{Site: "https://a/?x"}},
		{Date: "D", Source: Source{Site: "skills"}},
		{Date: "D", Source: Source{Command: "a\nb"}},
		{Date: "D", Source: Source{Command: " "}},
	} {
		if _, err := Plan(Report{}, o); !errors.Is(err, ErrPlan) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// shells are the POSIX shells of this machine, each once; sh is always there.
func shells() []string {
	var found []string
	seen := map[string]bool{}
	for _, name := range []string{"sh", "bash", "dash", "zsh", "ksh", "mksh"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		if !seen[path] {
			seen[path] = true
			found = append(found, name)
		}
	}
	return found
}

// run gives a text to a shell, in a folder.
func run(t *testing.T, shell, dir, text string) (out string, ok bool) {
	t.Helper()
	cmd := exec.Command(shell, "-c", text)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir)
	data, err := cmd.CombinedOutput()
	return string(data), err == nil
}

// acting makes the dry run a real one, as the text itself says.
func acting(text string) string { return strings.Replace(text, "dry_run=yes", "dry_run=no", 1) }

// write puts an installation on the disk.
func write(t *testing.T, root string, in Installation) {
	t.Helper()
	for _, p := range in.Places {
		for _, f := range p.Folders {
			dir := filepath.Join(root, p.Path, f.Name)
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte(skillFile(f.Front.Name, f.Front.Version)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// collection puts the 42 skills of today on the disk.
func collection(t *testing.T, root string) {
	t.Helper()
	var folders []Folder
	for _, row := range repository(t).Rows {
		folders = append(folders, skillFolder(row.Skill, string(row.Version)))
	}
	write(t, root, Installation{Places: []Place{{Path: "skills", Folders: folders}}})
}

// read sees what is on the disk.
func read(t *testing.T, root, place string) Installation {
	t.Helper()
	return Installation{Places: []Place{Scan(os.DirFS(root), place, place, ScanOptions{})}}
}

// snapshot is every file below a folder with its content.
func snapshot(t *testing.T, root string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %q\n", strings.TrimPrefix(path, root), data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestUpgradeFrom110 follows the plan for a whole 1.10.0 installation, in
// every shell there is: dry, for real, again, and back.
func TestUpgradeFrom110(t *testing.T) {
	for _, shell := range shells() {
		t.Run(shell, func(t *testing.T) {
			root, src := t.TempDir(), t.TempDir()
			write(t, root, installation110())
			collection(t, src)
			before := snapshot(t, root)
			plan := planOf(t, read(t, root, here), PlanOptions{Source: Source{Dir: src}})
			text := plan.POSIX()

			out, ok := run(t, shell, root, text)
			if !ok || snapshot(t, root) != before || !strings.Contains(out, "Dry run: nothing was changed") || strings.Count(out, "would move aside") != 41 {
				t.Fatalf("the dry run: %v\n%s", ok, out)
			}
			out, ok = run(t, shell, root, acting(text))
			if !ok {
				t.Fatalf("failed:\n%s", out)
			}
			r := Analyze(read(t, root, here), repository(t))
			if r.Attention != 0 || r.Counts[Current] != 40 {
				t.Errorf("after it: %s\n%s", r.Summary, out)
			}
			after := snapshot(t, root)
			if again, ok := run(t, shell, root, acting(text)); !ok || snapshot(t, root) != after {
				t.Errorf("the second time: %v\n%s", ok, again)
			}
			_, undo, found := strings.Cut(out, "To undo, from the same folder:\n")
			if !found {
				t.Fatalf("no undo in\n%s", out)
			}
			if out, ok := run(t, shell, root, "set -e\n"+undo); !ok {
				t.Fatalf("undo failed:\n%s", out)
			}
			if got := snapshot(t, filepath.Join(root, here)); got != strings.ReplaceAll(before, "/"+here, "") {
				t.Errorf("undo does not restore the bytes:\n%s", got)
			}
		})
	}
}

// TestPlanWithoutSource: nothing renamed, merged or duplicate is left.
func TestPlanWithoutSource(t *testing.T) {
	root := t.TempDir()
	write(t, root, installation110())
	if out, ok := run(t, "sh", root, acting(planOf(t, read(t, root, here), PlanOptions{CertainOnly: true}).POSIX())); !ok {
		t.Fatal(out)
	}
	r := Analyze(read(t, root, here), repository(t))
	if r.Counts[Renamed]+r.Counts[Merged]+r.Counts[Duplicate] != 0 || r.Counts[Outdated] != 22 {
		t.Error(r.Summary)
	}
}

// TestPlanStops: an error changes nothing more, is said, and what was done can
// be undone.
func TestPlanStops(t *testing.T) {
	root, src := t.TempDir(), t.TempDir()
	write(t, root, installation110())
	collection(t, src)
	if err := os.RemoveAll(filepath.Join(src, "skills", "video")); err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, filepath.Join(root, here))
	plan := planOf(t, read(t, root, here), PlanOptions{Source: Source{Dir: src}})
	out, ok := run(t, "sh", root, acting(plan.POSIX()))
	if ok || !strings.Contains(out, "not found in the collection: video") || !strings.Contains(out, "Stopped at the first error") {
		t.Errorf("%v\n%s", ok, out)
	}
	if snapshot(t, filepath.Join(root, here)) != before {
		t.Error("a failing fetch changed the folder of skills")
	}
	out, ok = run(t, "sh", t.TempDir(), acting(plan.POSIX()))
	if ok || !strings.Contains(out, "not found from here") {
		t.Errorf("in the wrong folder: %v\n%s", ok, out)
	}
}

// TestPlanInHome: ~ is the home directory, in the text and in the undo.
func TestPlanInHome(t *testing.T) {
	root, src := t.TempDir(), t.TempDir()
	in := with(skillFolder("popup-cro", "1.0.0"))
	in.Places[0].Path = "my skills"
	write(t, root, in)
	collection(t, src)
	in.Places[0].Path = "~/my skills"
	out, ok := run(t, "sh", t.TempDir(), "HOME='"+root+"'\n"+acting(planOf(t, in, PlanOptions{Source: Source{Dir: src}}).POSIX()))
	if !ok || !strings.Contains(snapshot(t, root), "/my skills/popups/SKILL.md") {
		t.Errorf("%v\n%s", ok, out)
	}
	_, undo, _ := strings.Cut(out, "folder:\n")
	if out, ok := run(t, "sh", t.TempDir(), "set -e\nHOME='"+root+"'\n"+undo); !ok || !strings.Contains(snapshot(t, root), "/my skills/popup-cro/SKILL.md") {
		t.Errorf("%v\n%s", ok, out)
	}
}
