package plan

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marketingskills/app/upgrade"
	"marketingskills/app/upgrade/scan"
)

// now is when every plan is made.
var now = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// planOf analyses and plans, in order.
func planOf(t testing.TB, in upgrade.Installation, o Options) Plan {
	t.Helper()
	o.Time = now
	c, err := New(upgrade.Analyze(in, repository(t)), o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// steps writes a plan in short.
func steps(c Plan) string {
	var all []string
	for _, s := range c.Steps {
		all = append(all, fmt.Sprintf("%s %s > %s", s.Action.name, s.From, s.To))
	}
	for _, l := range c.Left {
		all = append(all, "left "+l.Folder)
	}
	return strings.Join(all, "\n")
}

func TestPlan(t *testing.T) {
	const backup = ".claude/.skills-backup-2026-06-01-120000"
	dir, site := Source{Dir: "/src"}, Source{Site: "https://skills.example/m/"}
	moveCRO := "move .claude/skills/page-cro > " + backup + "/page-cro"
	// replaced is the plan for a skill that takes the place of a folder.
	replaced := func(from, folder, skill string) []string {
		staged := backup + "/.new/" + skill + "/" + skill
		return []string{"fetch " + from + " > " + staged, "move .claude/skills/" + folder + " > " + backup + "/" + folder,
			"install " + staged + " > .claude/skills/" + skill}
	}
	updated := replaced("/src/skills/ads", "ads", "ads")
	for _, c := range []struct {
		name    string
		in      upgrade.Installation
		options Options
		want    []string
	}{
		{"nothing to do", good(), Options{Source: dir}, nil},
		{"beside the new one", with(skillFolder("page-cro", "1.1.0")), Options{Source: dir}, []string{moveCRO}},
		{"merged", upgrade.Installation{Places: []upgrade.Place{{Path: here, Folders: []upgrade.Folder{skillFolder("page-cro", "1.1.0"), skillFolder("form-cro", "1.0.0")}}}}, Options{Source: dir}, []string{
			"fetch /src/skills/cro > " + backup + "/.new/cro/cro", "move .claude/skills/form-cro > " + backup + "/form-cro", moveCRO, "install " + backup + "/.new/cro/cro > .claude/skills/cro"}},
		{"renamed, from a site", with(skillFolder("popup-cro", "1.1.0")), Options{Source: site}, replaced("https://skills.example/m/skills/popups/popups.zip", "popup-cro", "popups")},
		{"renamed, without a source", with(skillFolder("popup-cro", "1.1.0")), Options{}, []string{"move .claude/skills/popup-cro > " + backup + "/popup-cro"}},
		{"renamed, not in the source", with(skillFolder("popup-cro", "1.1.0")), Options{Source: Source{Dir: "/src", Only: []string{"cro"}}}, []string{"left popup-cro"}},
		{"beside the new one, not in the source", with(skillFolder("page-cro", "1.1.0")), Options{Source: Source{Dir: "/src", Only: []string{}}}, []string{moveCRO}},
		{"outdated", instead("ads", skillFolder("ads", "2.0.0")), Options{Source: dir}, updated},
		{"outdated, without a source", instead("ads", skillFolder("ads", "2.0.0")), Options{}, []string{"left ads"}},
		{"outdated, not in the source", instead("ads", skillFolder("ads", "2.0.0")), Options{Source: Source{Dir: "/src", Only: []string{}}}, []string{"left ads"}},
		{"outdated, published", instead("ads", skillFolder("ads", "2.0.0")), Options{Source: dir, SafeOnly: true}, updated},
		{"outdated, not published", instead("ads", skillFolder("ads", "1.3.0")), Options{Source: dir, SafeOnly: true}, []string{"left ads"}},
		{"renamed, certain", with(skillFolder("page-cro", "1.1.0")), Options{SafeOnly: true}, []string{moveCRO}},
		{"not seen", instead("ads", upgrade.Folder{Name: "ads"}), Options{Source: dir}, []string{"left ads"}},
		{"not seen, wanted", instead("ads", upgrade.Folder{Name: "ads"}), Options{Source: dir, Unseen: true}, updated},
		{"unreadable", instead("ads", upgrade.Folder{Name: "ads", Kind: upgrade.Unreadable}), Options{Source: dir, Unseen: true}, []string{"left ads"}},
		{"a link", with(upgrade.Folder{Name: "page-cro", Kind: upgrade.Symlink, Target: "../x"}), Options{Source: dir, Unseen: true}, []string{"left page-cro"}},
		{"without SKILL.md", with(upgrade.Folder{Name: "page-cro", Bare: true}), Options{Source: dir, Unseen: true}, []string{"left page-cro"}},
		{"not to be touched", with(skillFolder("page-cro", "1.1.0")), Options{Source: dir, Untouched: map[string]string{here: "it is mine"}}, []string{"left page-cro"}},
		{"someone else's content", with(upgrade.Folder{Name: "popups", Front: &upgrade.Frontmatter{Name: "mine"}}), Options{Source: dir}, []string{"left popups"}},
		{"a copy", with(upgrade.Folder{Name: "cro 2", Front: &upgrade.Frontmatter{Name: "cro", Version: "1.0.0"}}), Options{Source: dir}, []string{"move .claude/skills/cro 2 > " + backup + "/cro 2"}},
		{"a file in its place", with(skillFolder("popup-cro", "1.1.0"), upgrade.Folder{Name: "popups", Kind: upgrade.RegularFile}), Options{Source: dir}, []string{"left popup-cro"}},
		{"an empty folder in its place", with(skillFolder("popup-cro", "1.1.0"), upgrade.Folder{Name: "popups", Bare: true}), Options{Source: dir}, []string{"left popups", "left popup-cro"}},
		{"someone else's skill in its place", with(skillFolder("popup-cro", "1.1.0"), upgrade.Folder{Name: "popups", Front: &upgrade.Frontmatter{Name: "mine"}}), Options{Source: dir}, []string{"left popups", "left popup-cro"}},
		{"suggestions are never acted on", with(skillFolder("page_cro", "1.0.0"), skillFolder("crо", "1.0.0")), Options{Source: dir, Unseen: true}, nil},
		{"listed twice", with(skillFolder("page-cro", "1.1.0"), skillFolder("page-cro", "1.1.0")), Options{Source: dir}, []string{moveCRO}},
		{"a name that is a path", with(upgrade.Folder{Name: "../x", Front: &upgrade.Frontmatter{Name: "cro", Version: "1.0.0"}}), Options{Source: dir}, []string{"left ../x"}},
		{"the name of the folder for new skills", with(upgrade.Folder{Name: NewFolder, Front: &upgrade.Frontmatter{Name: "cro", Version: "1.0.0"}}), Options{Source: dir}, []string{"left .new"}},
	} {
		plan := planOf(t, c.in, c.options)
		if got, want := steps(plan), strings.Join(c.want, "\n"); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, want)
		}
	}
}

// TestReasons: why a folder is skipped agrees with what the report says of it, and
// is said once.
func TestReasons(t *testing.T) {
	dir := Source{Dir: "/src"}
	mine := upgrade.Folder{Name: "ads", Front: &upgrade.Frontmatter{Name: "mine"}}
	for _, c := range []struct {
		in      upgrade.Installation
		options Options
		advice  string
		want    []string
	}{
		{instead("ads", skillFolder("ads", "2.0.0")), Options{}, "Update to ads 2.0.1.", []string{"ads: updating it takes a copy of the collection"}},
		{instead("ads", skillFolder("ads", "1.3.0")), Options{SafeOnly: true}, "Update to ads 2.0.1.", []string{"ads: it may not be from this collection; check it yourself"}},
		{instead("ads", skillFolder("ads", "")), Options{}, "Update to ads 2.0.1.", []string{"ads: updating it takes a copy of the collection"}},
		{instead("ads", upgrade.Folder{Name: "ads", Bare: true}), Options{}, "Update to ads 2.0.1.", []string{"ads: it has no SKILL.md; move it yourself if you do not need it"}},
		{instead("ads", upgrade.Folder{Name: "ads"}), Options{}, "Check metadata.version in its SKILL.md. The latest version is 2.0.1.", []string{"ads: its version is unknown"}},
		{instead("ads", mine), Options{Source: dir}, "If this is your own skill, rename the folder to mine. Folder and SKILL.md must have the same name.",
			[]string{"ads: its SKILL.md has another name, so it may be your own skill"}},
		{with(upgrade.Folder{Name: "page-cro", Kind: upgrade.Symlink}), Options{}, "Remove this symbolic link. cro is already installed.",
			[]string{"page-cro: it is a symbolic link; check the folder it leads to, or remove the link yourself"}},
		{with(skillFolder("popup-cro", "1.0.0")), Options{Source: Source{Dir: "/src", Only: []string{}}}, "Install popups and move this folder to the backup folder.",
			[]string{"popup-cro: popups is not available on this site yet; check again later"}},
	} {
		r := upgrade.Analyze(c.in, repository(t))
		plan := planOf(t, c.in, c.options)
		var got []string
		for _, l := range plan.Left {
			got = append(got, l.Folder+": "+l.Why)
		}
		if advice := r.Rows[0].Advice; advice != c.advice {
			t.Errorf("the advice is %q, want %q", advice, c.advice)
		}
		if !slices.Equal(got, c.want) || len(plan.Steps) > 0 {
			t.Errorf("skipped %q, want %q and no steps; the plan is\n%s", got, c.want, steps(plan))
		}
	}
}

// TestPlanKeepsFiles: what is likely the user's goes into the new folder.
func TestPlanKeepsFiles(t *testing.T) {
	f := skillFolder("ads", "2.0.0")
	f.Files = []string{"SKILL.md", "notes/mine.md", "../x"}
	c := planOf(t, instead("ads", f), Options{Source: Source{Dir: "/src"}})
	keep := c.Steps[1]
	if keep.Action != Keep || keep.From != ".claude/skills/ads/notes/mine.md" || keep.To != ".claude/.skills-backup-2026-06-01-120000/.new/ads/ads/notes/mine.md" || len(c.Steps) != 4 {
		t.Errorf("%s", steps(c))
	}
}

// TestBackupIsBeside: on the same disk, under a name that agents do not load.
func TestBackupIsBeside(t *testing.T) {
	for place, want := range map[string]string{
		".claude/skills":              ".claude/.skills-backup-2026-06-01-120000",
		"./.claude/skills/":           ".claude/.skills-backup-2026-06-01-120000",
		"~/.claude/skills":            "~/.claude/.skills-backup-2026-06-01-120000",
		"/a/skills":                   "/a/.skills-backup-2026-06-01-120000",
		"/skills":                     "/.skills-backup-2026-06-01-120000",
		"":                            "../.skills-backup-2026-06-01-120000",
		".":                           "../.skills-backup-2026-06-01-120000",
		"..":                          "",
		"a/..":                        "",
		"my skills":                   ".my skills-backup-2026-06-01-120000",
		"-x":                          ".-x-backup-2026-06-01-120000",
		`C:\Users\me\.claude\skills`:  `C:\Users\me\.claude\.skills-backup-2026-06-01-120000`,
		`C:/Users/me/.claude/skills/`: `C:/Users/me/.claude/.skills-backup-2026-06-01-120000`,
		`.claude\skills\`:             `.claude\.skills-backup-2026-06-01-120000`,
		`\\server\share\skills`:       `\\server\share\.skills-backup-2026-06-01-120000`,
		"/":                           "",
		`C:\`:                         "",
		"~":                           "",
	} {
		p := planner{options: Options{Time: now}}
		if got := p.backupPath(place); got != want {
			t.Errorf("%q: %q", place, got)
		}
	}
	if got := (&planner{options: Options{Time: now, Here: "kit"}}).backupPath("."); got != "../.kit-backup-2026-06-01-120000" {
		t.Errorf("in a known directory: %q", got)
	}
	root := upgrade.Installation{Places: []upgrade.Place{{Path: "/", Folders: []upgrade.Folder{skillFolder("page-cro", "1.0.0")}}}}
	if c := planOf(t, root, Options{}); len(c.Steps) != 0 || len(c.Left) != 1 {
		t.Errorf("%s", steps(c))
	}
}

func TestPlanRefuses(t *testing.T) {
	for _, o := range []Options{
		{Source: Source{Site: "javascript:alert(1)"}},
		{Source: Source{Site: "https://a/?x"}},
		{Source: Source{Site: "skills"}},
	} {
		if _, err := New(upgrade.Report{}, o); err == nil {
			t.Errorf("%+v", o)
		}
	}
}

// shellProgram is a program that takes commands.
type shellProgram struct {
	name  string
	shell *Shell
	home  string
}

// shells are the shells of this machine, each once; sh is always the first.
func shells(t *testing.T) []shellProgram {
	var found []shellProgram
	seen := map[string]bool{}
	for _, name := range []string{"sh", "bash", "dash", "zsh", "ksh", "mksh", "pwsh"} {
		path, err := exec.LookPath(name)
		if err != nil {
			if name == "pwsh" {
				t.Log("NOT RUN in PowerShell: there is no pwsh on this machine")
			}
			continue
		}
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		shell := POSIX
		if name == "pwsh" {
			shell = PowerShell
		}
		if !seen[path] {
			seen[path] = true
			found = append(found, shellProgram{name, shell, ""})
		}
	}
	return found
}

// run gives a text to the shell, in a folder. Lines that fail do not end it,
// as they do not when they are pasted.
func (s shellProgram) run(t *testing.T, dir, commands string) (out string, ok bool) {
	t.Helper()
	cmd := exec.Command(s.name, "-c", commands)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+cmp.Or(s.home, dir))
	data, err := cmd.CombinedOutput()
	return string(data), err == nil
}

func writeFile(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// write puts an installation on the disk.
func write(t *testing.T, root string, in upgrade.Installation) {
	t.Helper()
	for _, p := range in.Places {
		for _, f := range p.Folders {
			writeFile(t, filepath.Join(root, p.Path, f.Name, "SKILL.md"), skillFile(f.Front.Name, f.Front.Version))
		}
	}
}

// collection puts the 42 skills of today on the disk.
func collection(t *testing.T, root string) {
	t.Helper()
	var folders []upgrade.Folder
	for _, row := range repository(t).Rows {
		folders = append(folders, skillFolder(row.Skill, string(row.Version)))
	}
	write(t, root, upgrade.Installation{Places: []upgrade.Place{{Path: "skills", Folders: folders}}})
}

// read sees what is on the disk.
func read(t *testing.T, root, place string) upgrade.Installation {
	t.Helper()
	return upgrade.Installation{Places: []upgrade.Place{scan.Place(os.DirFS(root), place, place, scan.Options{Known: func(string) bool { return true }})}}
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

// undo renames back what a plan moved, as the page tells people to.
func undo(t *testing.T, root, place string) {
	t.Helper()
	backup := filepath.Join(root, filepath.Dir(place), BackupName(filepath.Base(place), now))
	installed, err := os.ReadDir(filepath.Join(backup, NewFolder))
	for _, e := range installed {
		staged := filepath.Join(backup, NewFolder, e.Name(), e.Name())
		if _, ready := os.Lstat(staged); ready != nil {
			err = os.Rename(filepath.Join(root, place, e.Name()), staged)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	old, err := os.ReadDir(backup)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range old {
		if e.Name() == NewFolder || e.Name() == DownloadFolder {
			continue
		}
		if err := os.Rename(filepath.Join(backup, e.Name()), filepath.Join(root, place, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
}

// TestUpgradeFrom110 follows the plan for a whole 1.10.0 installation, in
// every shell there is: for real, again, and back.
func TestUpgradeFrom110(t *testing.T) {
	for _, shell := range shells(t) {
		t.Run(shell.name, func(t *testing.T) {
			root, src := t.TempDir(), t.TempDir()
			write(t, root, installation110(t))
			writeFile(t, filepath.Join(root, here, "page-cro", "my notes", "it's.txt"), "mine")
			collection(t, src)
			before := snapshot(t, filepath.Join(root, here))
			plan := planOf(t, read(t, root, here), Options{Source: Source{Dir: src}})
			commands := shell.shell.Script(plan)

			out, _ := shell.run(t, root, commands)
			r := upgrade.Analyze(read(t, root, here), repository(t))
			if r.Attention != 0 || r.Counts[upgrade.Current] != 40 || !strings.Contains(snapshot(t, root), "/cro/my notes/it's.txt") {
				t.Errorf("after it: %s\n%s", r.Summary, out)
			}
			after := snapshot(t, filepath.Join(root, here))
			if out, _ := shell.run(t, root, commands); snapshot(t, filepath.Join(root, here)) != after {
				t.Errorf("the second time differs\n%s", out)
			}
			undo(t, root, here)
			if got := snapshot(t, filepath.Join(root, here)); got != before {
				t.Fatalf("renaming back does not restore the bytes:\n%s", got)
			}
		})
	}
}

// TestCutOff: after any number of lines the rest can be done, or what was done
// undone; every skill is there all the time, old or new.
func TestCutOff(t *testing.T) {
	shell := shells(t)[0]
	root, src := t.TempDir(), t.TempDir()
	in := with(skillFolder("page-cro", "1.0.0"), skillFolder("popup-cro", "1.0.0"))
	in.Places[0].Folders[0] = skillFolder("ads", "2.0.0")
	write(t, root, in)
	collection(t, src)
	before := snapshot(t, filepath.Join(root, here))
	commands := POSIX.Script(planOf(t, read(t, root, here), Options{Source: Source{Dir: src}}))
	lines := strings.SplitAfter(commands, "\n")
	for n := range lines {
		fresh := t.TempDir()
		write(t, fresh, in)
		shell.run(t, fresh, strings.Join(lines[:n], ""))
		if n > 1 {
			undo(t, fresh, here)
			if snapshot(t, filepath.Join(fresh, here)) != before {
				t.Fatalf("after %d lines renaming back does not restore the folder", n)
			}
		}
		fresh = t.TempDir()
		write(t, fresh, in)
		shell.run(t, fresh, strings.Join(lines[:n], ""))
		shell.run(t, fresh, commands)
		if r := upgrade.Analyze(read(t, fresh, here), repository(t)); r.Attention != 0 {
			t.Fatalf("after %d lines, and then all: %s", n, r.Summary)
		}
	}
}

// TestPlanWithoutSource: nothing renamed, merged or duplicate is left.
func TestPlanWithoutSource(t *testing.T) {
	for _, shell := range shells(t) {
		root := t.TempDir()
		write(t, root, installation110(t))
		out, _ := shell.run(t, root, shell.shell.Script(planOf(t, read(t, root, here), Options{SafeOnly: true})))
		r := upgrade.Analyze(read(t, root, here), repository(t))
		if r.Counts[upgrade.Renamed]+r.Counts[upgrade.Merged] != 0 || r.Counts[upgrade.Outdated] != 22 {
			t.Error(shell.name, r.Summary, out)
		}
	}
}

// TestPlanStops: a skill that cannot be had stays as it is, and in another
// directory nothing happens.
func TestPlanStops(t *testing.T) {
	for _, shell := range shells(t) {
		root, src := t.TempDir(), t.TempDir()
		write(t, root, installation110(t))
		collection(t, src)
		if err := os.RemoveAll(filepath.Join(src, "skills", "video")); err != nil {
			t.Fatal(err)
		}
		commands := shell.shell.Script(planOf(t, read(t, root, here), Options{Source: Source{Dir: src}}))
		out, _ := shell.run(t, root, commands)
		r := upgrade.Analyze(read(t, root, here), repository(t))
		if r.Attention != 1 || r.Counts[upgrade.Outdated] != 1 || r.Rows[0].Folder != "video" {
			t.Errorf("%s: %s\n%s", shell.name, r.Summary, out)
		}
		elsewhere := t.TempDir()
		shell.run(t, elsewhere, commands)
		if entries, err := os.ReadDir(elsewhere); err != nil || len(entries) > 0 {
			t.Errorf("%s: in the wrong folder it made %v, %v", shell.name, entries, err)
		}
	}
}

// TestOnlySkillsMove: of folders that only a listing named, those that --fix
// would not move stay, and so do links among a user's files.
func TestOnlySkillsMove(t *testing.T) {
	for _, shell := range shells(t) {
		root, src := t.TempDir(), t.TempDir()
		collection(t, src)
		write(t, root, upgrade.Installation{Places: []upgrade.Place{
			{Path: here, Folders: []upgrade.Folder{skillFolder("page-cro", "1.0.0"), skillFolder("ads", "2.0.0")}},
			{Path: "elsewhere", Folders: []upgrade.Folder{skillFolder("form-cro", "1.0.0")}},
		}})
		skills := filepath.Join(root, here)
		writeFile(t, filepath.Join(skills, "popup-cro", "notes.txt"), "no skill")
		for link, target := range map[string]string{
			"form-cro": "../../elsewhere/form-cro", "aso-audit/SKILL.md": "../page-cro/SKILL.md", "ads/notes.txt": "/etc/passwd",
		} {
			link = filepath.Join(skills, link)
			if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(target, link); err != nil {
				t.Skipf("links cannot be made here: %v", err)
			}
		}
		ads := skillFolder("ads", "2.0.0")
		ads.Files = []string{"notes.txt"}
		in := upgrade.Installation{Places: []upgrade.Place{{Path: here, Folders: []upgrade.Folder{ads}}}}
		for _, name := range []string{"page-cro", "form-cro", "popup-cro", "aso-audit"} {
			in.Places[0].Folders = append(in.Places[0].Folders, upgrade.Folder{Name: name})
		}
		out, _ := shell.run(t, root, shell.shell.Script(planOf(t, in, Options{Source: Source{Dir: src}})))
		backup := filepath.Join(filepath.Dir(skills), BackupName("skills", now))
		for name, want := range map[string]bool{"page-cro": true, "form-cro": false, "popup-cro": false, "aso-audit": false, "ads": true} {
			if _, err := os.Lstat(filepath.Join(backup, name)); (err == nil) != want {
				t.Errorf("%s: that %s was moved is not %v\n%s", shell.name, name, want, out)
			}
		}
		if _, err := os.Lstat(filepath.Join(skills, "ads", "notes.txt")); err == nil {
			t.Errorf("%s: a link among the user's files was followed\n%s", shell.name, out)
		}
	}
}

// TestPlanInHome: ~ is the home directory.
func TestPlanInHome(t *testing.T) {
	for _, shell := range shells(t) {
		root, src := t.TempDir(), t.TempDir()
		in := with(skillFolder("popup-cro", "1.0.0"))
		in.Places[0].Path = "my skills"
		write(t, root, in)
		collection(t, src)
		in.Places[0].Path = "~/my skills"
		commands := shell.shell.Script(planOf(t, in, Options{Source: Source{Dir: src}}))
		shell.home = root
		if out, ok := shell.run(t, t.TempDir(), commands); !ok || !strings.Contains(snapshot(t, root), "/my skills/popups/SKILL.md") {
			t.Errorf("%s: %v\n%s", shell.name, ok, out)
		}
	}
}

// TestPlain: what one reads, in full.
func TestPlain(t *testing.T) {
	in := with(skillFolder("page-cro", "1.0.0"))
	in.Places[0].Path = "skills"
	in.Places[0].Folders[0] = skillFolder("ads", "2.0.0")
	plan := planOf(t, in, Options{Time: now, Source: Source{Site: "https://skills.example"}})
	for _, c := range []struct{ got, want string }{
		{POSIX.Script(plan), `echo 'Make the backup folder'
[ -e skills ] && mkdir -p .skills-backup-2026-06-01-120000
echo 'Move the old folders of cro'
[ -f skills/page-cro/SKILL.md ] && [ ! -L skills/page-cro/SKILL.md ] && [ ! -L skills/page-cro ] && mv -n skills/page-cro .skills-backup-2026-06-01-120000/
echo 'Install the latest ads'
[ -e .skills-backup-2026-06-01-120000 ] && [ ! -e .skills-backup-2026-06-01-120000/ads ] && mkdir -p .skills-backup-2026-06-01-120000/.download .skills-backup-2026-06-01-120000/.new/ads && curl -fsSL -o .skills-backup-2026-06-01-120000/.download/ads.zip 'https://skills.example/skills/ads/ads.zip' && unzip -oq .skills-backup-2026-06-01-120000/.download/ads.zip -d .skills-backup-2026-06-01-120000/.download/ads && mv -n .skills-backup-2026-06-01-120000/.download/ads .skills-backup-2026-06-01-120000/.new/ads/
[ -e .skills-backup-2026-06-01-120000/.new/ads/ads/SKILL.md ] && [ -f skills/ads/SKILL.md ] && [ ! -L skills/ads/SKILL.md ] && [ ! -L skills/ads ] && mv -n skills/ads .skills-backup-2026-06-01-120000/
[ -e .skills-backup-2026-06-01-120000/.new/ads/ads/SKILL.md ] && mv -n .skills-backup-2026-06-01-120000/.new/ads/ads skills/
`},
		{PowerShell.Script(plan), `# Make the backup folder
if (Test-Path -LiteralPath 'skills') { New-Item -ItemType Directory -Force -Path '.skills-backup-2026-06-01-120000' | Out-Null }
# Move the old folders of cro
if ((Test-Path -LiteralPath 'skills/page-cro/SKILL.md' -PathType Leaf) -and (Get-Item -Force -LiteralPath 'skills/page-cro/SKILL.md').LinkType -ne 'SymbolicLink' -and -not (Get-Item -Force -LiteralPath 'skills/page-cro').LinkType) { Move-Item -LiteralPath 'skills/page-cro' -Destination '.skills-backup-2026-06-01-120000' }
# Install the latest ads
if ((Test-Path -LiteralPath '.skills-backup-2026-06-01-120000') -and -not (Test-Path -LiteralPath '.skills-backup-2026-06-01-120000/ads')) { New-Item -ItemType Directory -Force -Path '.skills-backup-2026-06-01-120000/.download', '.skills-backup-2026-06-01-120000/.new/ads' | Out-Null; Invoke-WebRequest -UseBasicParsing -Uri 'https://skills.example/skills/ads/ads.zip' -OutFile '.skills-backup-2026-06-01-120000/.download/ads.zip'; Expand-Archive -Force -LiteralPath '.skills-backup-2026-06-01-120000/.download/ads.zip' -DestinationPath '.skills-backup-2026-06-01-120000/.download/ads'; if ($?) { Move-Item -LiteralPath '.skills-backup-2026-06-01-120000/.download/ads' -Destination '.skills-backup-2026-06-01-120000/.new/ads' } }
if (Test-Path -LiteralPath '.skills-backup-2026-06-01-120000/.new/ads/ads/SKILL.md') { if ((Test-Path -LiteralPath 'skills/ads/SKILL.md' -PathType Leaf) -and (Get-Item -Force -LiteralPath 'skills/ads/SKILL.md').LinkType -ne 'SymbolicLink' -and -not (Get-Item -Force -LiteralPath 'skills/ads').LinkType) { Move-Item -LiteralPath 'skills/ads' -Destination '.skills-backup-2026-06-01-120000' } }
if (Test-Path -LiteralPath '.skills-backup-2026-06-01-120000/.new/ads/ads/SKILL.md') { Move-Item -LiteralPath '.skills-backup-2026-06-01-120000/.new/ads/ads' -Destination 'skills' }
`},
	} {
		if c.got != c.want {
			t.Errorf("got\n%s\nwant\n%s", c.got, c.want)
		}
	}
}

func BenchmarkPlan(b *testing.B) {
	in := upgrade.Installation{Places: []upgrade.Place{{Path: here}}}
	for i := range 10_000 {
		f := skillFolder("page-cro", "1.0.0")
		f.Name = fmt.Sprintf("copy-%d", i)
		in.Places[0].Folders = append(in.Places[0].Folders, f)
	}
	r := upgrade.Analyze(in, repository(b))
	for b.Loop() {
		p, err := New(r, Options{Time: now, Source: Source{Site: "https://skills.example/"}})
		if err != nil || POSIX.Script(p) == "" || PowerShell.Script(p) == "" {
			b.Fatal(err)
		}
	}
}
