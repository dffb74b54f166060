package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/upgrade/plan"
)

// tool is a command with a project and a home directory of its own.
type tool struct {
	*command
	t              *testing.T
	stdout, stderr strings.Builder
}

func newTool(t *testing.T) *tool {
	top := t.TempDir()
	c := &tool{t: t}
	c.command = &command{
		stdin: bufio.NewReader(strings.NewReader("")), stdout: &c.stdout, stderr: &c.stderr, now: today, shell: plan.POSIX,
		dir: filepath.Join(top, "project"), home: filepath.Join(top, "home"),
	}
	must(t, os.MkdirAll(c.dir, 0o755))
	must(t, os.MkdirAll(c.home, 0o755))
	return c
}

// does runs the command, which must end with this error: nil, errFindings, or
// any other for a text in it.
func (c *tool) does(want any, args ...string) string {
	c.t.Helper()
	c.stdout.Reset()
	err := c.run(c.t.Context(), args)
	text, isText := want.(string)
	wanted, _ := want.(error)
	if isText && (err == nil || !strings.Contains(err.Error(), text)) || !isText && !errors.Is(err, wanted) {
		c.t.Fatalf("%q: got error %v, want %v\n%s", args, err, want, c.stdout.String())
	}
	return c.stdout.String()
}

// TestEveryRename: each of the 17 renames and both merges, alone in a place,
// is named, moved to the backup folder, replaced and put back.
func TestEveryRename(t *testing.T) {
	merged := 0
	for _, r := range ours(t).Renames {
		t.Run(r.Old, func(t *testing.T) {
			c := newTool(t)
			skills := filepath.Join(c.dir, ".agents", "skills")
			writeSkill(t, skills, r.Old, "1.10.0")
			writeCollection(t, filepath.Join(c.home, "collection"))
			before := tree(t, skills)
			state := "Renamed      "
			if r.Kind == manifest.Merged {
				state = "Merged       "
				merged++
			}
			out := c.does(errFindings)
			for _, want := range []string{state + ".agents/skills/" + r.Old, "Install " + r.New + " and move"} {
				if !strings.Contains(out, want) {
					t.Errorf("the report lacks %q:\n%s", want, out)
				}
			}
			c.does(nil, "--fix", "--yes", "--from", filepath.Join(c.home, "collection"))
			sameTree(t, "installed", tree(t, filepath.Join(c.home, "collection", "skills", r.New)), tree(t, filepath.Join(skills, r.New)))
			backup := filepath.Join(c.dir, ".agents", backupName)
			sameTree(t, "moved", sub(before, r.Old), tree(t, filepath.Join(backup, r.Old)))
			if out := c.does(nil); !strings.HasPrefix(out, "Up to date: 1 skill from this collection.") {
				t.Errorf("then it says %s", out)
			}
			c.does(nil, "--undo", backup)
			sameTree(t, "undone", before, tree(t, skills))
		})
	}
	if n := len(ours(t).Renames); n != 19 || merged != 2 {
		t.Errorf("%d renames, %d of them merges", n, merged)
	}
}

// sub is the part of a tree below a folder.
func sub(all map[string]string, folder string) map[string]string {
	part := map[string]string{}
	for name, what := range all {
		if rel, err := filepath.Rel(folder, name); err == nil && filepath.IsLocal(rel) {
			part[rel] = what
		}
	}
	return part
}

// backupName is the backup folder of every test's skills folder.
const backupName = ".skills-backup-2026-06-01-120000"

// TestPrintedCommands: what the report says to type, typed into sh, does what
// --fix does, and --undo takes it back.
func TestPrintedCommands(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("NOT CHECKED: there is no sh")
	}
	for _, from := range []bool{false, true} {
		t.Run(fmt.Sprintf("from %v", from), func(t *testing.T) {
			var results [2]map[string]string
			for i := range results {
				c := newTool(t)
				skills := filepath.Join(c.dir, ".claude", "skills")
				installOld(t, skills)
				writeSkill(t, skills, "schema", "2.0.0")
				writeFile(t, filepath.Join(skills, "page-cro", "notes", "it's mine.txt"), "mine")
				layNoSkills(t, skills)
				writeCollection(t, filepath.Join(c.dir, "collection"))
				before := tree(t, skills)
				var args []string
				if from {
					args = []string{"--from", "collection"}
				}
				if i == 0 {
					err = c.run(t.Context(), append(args, "--fix", "--yes"))
				} else {
					var said struct{ Commands struct{ POSIX string } }
					must(t, json.Unmarshal([]byte(c.does(errFindings, append(args, "--json")...)), &said))
					printed := c.does(errFindings, append(args, "--commands")...)
					if !strings.Contains(printed, said.Commands.POSIX) || !strings.Contains(printed, "To undo it: skills-upgrade --undo .claude/"+backupName) {
						t.Fatal("the report does not print the commands")
					}
					cmd := exec.Command(sh)
					cmd.Stdin, cmd.Dir = strings.NewReader(said.Commands.POSIX), c.dir
					cmd.Env = append(os.Environ(), "HOME="+c.home)
					if out, err := cmd.CombinedOutput(); err != nil {
						t.Fatalf("%v\n%s", err, out)
					}
					must(t, os.RemoveAll(filepath.Join(c.dir, ".claude", backupName, ".download")))
				}
				results[i] = tree(t, c.dir)
				c.does(nil, "--undo", filepath.Join(".claude", backupName))
				sameTree(t, "undone", before, tree(t, skills))
			}
			sameTree(t, "sh did otherwise", results[0], results[1])
		})
	}
}

// layNoSkills makes three of an installation's folders what is not moved: a
// link, a folder without SKILL.md, and one whose SKILL.md is a link.
func layNoSkills(t *testing.T, skills string) {
	elsewhere := filepath.Join(filepath.Dir(filepath.Dir(skills)), "elsewhere")
	must(t, os.Mkdir(elsewhere, 0o755))
	must(t, os.Rename(filepath.Join(skills, "social-content"), filepath.Join(elsewhere, "social-content")))
	must(t, os.Symlink("../../elsewhere/social-content", filepath.Join(skills, "social-content")))
	must(t, os.Remove(filepath.Join(skills, "launch-strategy", "SKILL.md")))
	must(t, os.Rename(filepath.Join(skills, "aso-audit", "SKILL.md"), filepath.Join(elsewhere, "SKILL.md")))
	must(t, os.Symlink("../../../elsewhere/SKILL.md", filepath.Join(skills, "aso-audit", "SKILL.md")))
}

// TestPromisedNumber: what a check says that --fix does is what --fix does,
// also where folders are in places in which nothing is changed.
func TestPromisedNumber(t *testing.T) {
	for _, from := range []bool{false, true} {
		c := newTool(t)
		writeCollection(t, filepath.Join(c.dir, "collection"))
		writeSkill(t, filepath.Join(c.dir, ".claude", "skills"), "page-cro", "1.0.0")
		writeSkill(t, filepath.Join(c.dir, ".claude", "skills"), "copywriting", "1.10.0")
		writeSkill(t, filepath.Join(c.dir, ".git", "hooks"), "paid-ads", "1.0.0")
		writeSkill(t, filepath.Join(c.home, "outside"), "form-cro", "1.0.0")
		for link, target := range map[string]string{".codex": "../.git/hooks", ".cursor": "../../home/outside"} {
			must(t, os.Mkdir(filepath.Join(c.dir, link), 0o755))
			must(t, os.Symlink(target, filepath.Join(c.dir, link, "skills")))
		}
		var args []string
		if from {
			args = []string{"--from", "collection"}
		}
		out := c.does(errFindings, args...)
		promised := regexp.MustCompile(`--fix does this for the (\d+) folder`).FindStringSubmatch(out)
		done := strings.Count(c.does(errFindings, append(args, "--fix", "--yes")...), "Done: Move ")
		if promised == nil || promised[1] != strconv.Itoa(done) || done == 0 {
			t.Errorf("from %v: %d folders were moved, and promised was %v:\n%s", from, done, promised, out)
		}
	}
}

// TestFromIsNamedWhereItHelps: not for folders that a copy of the collection
// does not make safe to change.
func TestFromIsNamedWhereItHelps(t *testing.T) {
	for _, test := range []struct {
		folder, name, version string
		check, fix            bool
	}{
		{"copywriting", "copywriting", "1.10.0", true, true}, // outdated
		{"paid-ads", "paid-ads", "1.10.0", true, true},       // it is moved, and nothing comes in its place
		{"ads", "ads", "1.3.0", true, false},                 // nobody published that, so --fix leaves it alone
		{"ads", "mine", "1.0.0", false, false},               // somebody else's
	} {
		for _, fix := range []bool{false, true} {
			c := newTool(t)
			writeFile(t, filepath.Join(c.dir, ".claude", "skills", test.folder, "SKILL.md"),
				"---\nname: "+test.name+"\nmetadata:\n  version: "+test.version+"\n---\n")
			args, want := []string{}, test.check
			if fix {
				args, want = []string{"--fix", "--dry-run"}, test.fix
			}
			if out := c.does(errFindings, args...); strings.Contains(out, "use --from DIR") != want {
				t.Errorf("%v, fix %v: want %v\n%s", test, fix, want, out)
			}
		}
	}
}

// TestCrash: a run that ends dead between two renames. The next check says where
// the folders are, --undo puts them back, and the same command goes on.
func TestCrash(t *testing.T) {
	for n := 1; n <= 5; n++ {
		c := newTool(t)
		skills := filepath.Join(c.dir, ".claude", "skills")
		for _, name := range []string{"page-cro", "form-cro", "copywriting"} {
			writeSkill(t, skills, name, "1.10.0")
		}
		writeCollection(t, filepath.Join(c.dir, "collection"))
		before := tree(t, skills)
		renames := 0
		c.beforeRename = func(string, string) error {
			if renames++; renames == n {
				panic("crash")
			}
			return nil
		}
		fix := []string{"--fix", "--yes", "--from", "collection"}
		func() {
			defer func() {
				if recover() == nil {
					t.Fatalf("there are fewer than %d renames", n)
				}
			}()
			c.run(t.Context(), fix)
		}()
		c.beforeRename = nil
		c.stdout.Reset()
		c.run(t.Context(), nil)
		out := c.stdout.String()
		backup := filepath.Join(c.dir, ".claude", backupName)
		for _, name := range []string{"page-cro", "form-cro", "copywriting"} {
			_, err := os.Lstat(filepath.Join(backup, name))
			line := regexp.MustCompile(`(?m)^    \.claude/` + regexp.QuoteMeta(backupName) + ` holds .*` + name + `.*To put back: skills-upgrade --undo \.claude/`)
			if moved := err == nil; moved != line.MatchString(out) {
				t.Errorf("before rename %d: that %s was moved (%v) is not what it says:\n%s", n, name, moved, out)
			}
		}
		if n == 3 && !strings.Contains(out, "also holds the new cro, not installed") {
			t.Errorf("nothing says that cro is not installed:\n%s", out)
		}
		c.does(nil, "--undo", ".claude/"+backupName)
		sameTree(t, fmt.Sprintf("before rename %d: undone", n), before, tree(t, skills))
		c.now = today.Add(time.Second)
		c.does(nil, fix...)
		if out := c.does(nil); !strings.HasPrefix(out, "Up to date: 2 skills from this collection.") {
			t.Fatalf("before rename %d: then it says %s", n, out)
		}
	}
}

// TestInterrupt: Ctrl-C stops between steps and says how to go on or undo.
func TestInterrupt(t *testing.T) {
	c := newTool(t)
	skills := filepath.Join(c.dir, ".claude", "skills")
	writeSkill(t, skills, "page-cro", "1.0.0")
	writeSkill(t, skills, "paid-ads", "1.0.0")
	before := tree(t, skills)
	ctx, cancel := context.WithCancel(t.Context())
	c.beforeRename = func(string, string) error { cancel(); return nil }
	err := c.run(ctx, []string{"--fix", "--yes"})
	want := "stopped between two steps; each folder is whole, in its skills folder or in the backup folder. " +
		"To continue, run the same command again. To undo: skills-upgrade --undo .claude/" + backupName
	if err == nil || err.Error() != want {
		t.Fatalf("got %v", err)
	}
	c.beforeRename = nil
	if out := c.does(errFindings, "--fix", "--dry-run"); !strings.Contains(out, backupName+" holds page-cro. To put back: skills-upgrade --undo .claude/"+backupName) {
		t.Errorf("the dry run says %s", out)
	}
	c.does(nil, "--undo", ".claude/"+backupName)
	sameTree(t, "undone", before, tree(t, skills))
}

// TestOtherDisk: a skills folder that is a disk of its own is not copied; the
// command to type is said, and does it.
func TestOtherDisk(t *testing.T) {
	c := newTool(t)
	skills := filepath.Join(c.dir, ".claude", "skills")
	writeSkill(t, skills, "page-cro", "1.0.0")
	before := tree(t, c.dir)
	c.beforeRename = func(from, to string) error {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: syscall.EXDEV}
	}
	err := c.run(t.Context(), []string{"--fix", "--yes"})
	want := "to move it yourself: mkdir -p .claude/" + backupName + " && mv -n .claude/skills/page-cro .claude/" + backupName + "/;"
	if err == nil || !strings.Contains(err.Error(), "another disk") || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v", err)
	}
	sameTree(t, "after it", before, tree(t, c.dir))
}

// TestUndoInTheWay: what stands in the place of an old folder stays, and is said.
func TestUndoInTheWay(t *testing.T) {
	c := newTool(t)
	skills := filepath.Join(c.dir, ".claude", "skills")
	writeSkill(t, skills, "page-cro", "1.0.0")
	writeSkill(t, skills, "paid-ads", "1.0.0")
	before := tree(t, skills)
	var said struct {
		Fix struct {
			Done []struct{ Action, Folder string }
			Undo string
		}
	}
	must(t, json.Unmarshal([]byte(c.does(nil, "--fix", "--yes", "--json")), &said))
	if len(said.Fix.Done) != 2 || said.Fix.Undo != "skills-upgrade --undo .claude/"+backupName {
		t.Errorf("JSON says %v", said.Fix)
	}
	undo := []string{"--undo", ".claude/" + backupName}
	writeSkill(t, skills, "page-cro", "1.1.0")
	if out := c.does("not put back: page-cro", undo...); !strings.Contains(out, "Done: Move .claude/"+backupName+"/paid-ads to .claude/skills/paid-ads") {
		t.Errorf("it says %s", out)
	}
	if got := c.stderr.String(); !strings.Contains(got, "page-cro: there is another .claude/skills/page-cro; move it away") {
		t.Errorf("the reason is %s", got)
	}
	must(t, os.RemoveAll(filepath.Join(skills, "page-cro")))
	c.does("not a backup folder of skills-upgrade", "--undo", ".claude")
	c.does(nil, undo...)
	sameTree(t, "undone", before, tree(t, skills))
}

// TestUndoOfCompletedPath: shells complete a folder's name with a slash.
func TestUndoOfCompletedPath(t *testing.T) {
	for _, relative := range []bool{true, false} {
		c := newTool(t)
		skills := filepath.Join(c.dir, ".claude", "skills")
		writeSkill(t, skills, "page-cro", "1.0.0")
		before := tree(t, skills)
		c.does(nil, "--fix", "--yes")
		backup := ".claude/" + backupName + "/"
		if !relative {
			backup = c.dir + "/" + backup
		}
		c.does(nil, "--undo", backup)
		sameTree(t, "undone", before, tree(t, skills))
	}
}

// TestAnswers: only y and yes are yes, and each question takes a line.
func TestAnswers(t *testing.T) {
	for answer, want := range map[string]bool{"y\n": true, "Y\n": true, "yes\n": true, "\n": false, "": false, "n\ny\n": false} {
		c := newTool(t)
		c.asks, c.stdin = true, bufio.NewReader(strings.NewReader(answer))
		skills := filepath.Join(c.dir, ".claude", "skills")
		writeSkill(t, skills, "page-cro", "1.0.0")
		c.run(t.Context(), []string{"--fix"})
		if _, err := os.Stat(filepath.Join(skills, "page-cro")); (err != nil) != want {
			t.Errorf("the answer %q: acted is %v", answer, err != nil)
		}
	}
}

// TestCertain: which outdated folders --from brings up to date.
func TestCertain(t *testing.T) {
	for _, test := range []struct {
		folder, name, version string
		certain               bool
	}{
		{"ads", "ads", "2.0.0", true},  // published under that name
		{"ads", "ads", "1.3.0", false}, // it was paid-ads then
		{"cro", "cro", "1.9.0", false}, // it was two others then
		{"prospecting", "prospecting", "0.9.0", false},
		{"video", "video", "1.10.0", true},
		{"video", "video", "2.0.0", true},
		{"video", "video", "latest", false},
		{"video", "ads", "2.0.0", false},
		{"page-cro", "page-cro", "2.0.0", false},
		{"page-cro", "page-cro", "1.0.0", true},
	} {
		c := newTool(t)
		skills := filepath.Join(c.dir, ".claude", "skills")
		writeFile(t, filepath.Join(skills, test.folder, "SKILL.md"), "---\nname: "+test.name+"\nmetadata:\n  version: "+test.version+"\n---\n")
		before := tree(t, skills)
		writeCollection(t, filepath.Join(c.dir, "collection"))
		c.run(t.Context(), []string{"--fix", "--yes", "--from", "collection"})
		if acted := differences(before, tree(t, skills)) != ""; acted != test.certain {
			t.Errorf("%v: acted is %v", test, acted)
		}
	}
}

// TestManyFolders: ten thousand are read and reported in a few seconds.
func TestManyFolders(t *testing.T) {
	c := newTool(t)
	skills := filepath.Join(c.dir, ".claude", "skills")
	must(t, os.MkdirAll(skills, 0o755))
	for i := range 10_000 {
		must(t, os.Mkdir(filepath.Join(skills, fmt.Sprintf("other-%d", i)), 0o755))
	}
	begin := time.Now()
	if out := c.does(nil); strings.Count(out, "\n") < 10_000 {
		t.Error("some are not said")
	}
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}

// TestReportThatCannotBeWritten: a full disk is not a clean installation.
func TestReportThatCannotBeWritten(t *testing.T) {
	for _, args := range [][]string{nil, {"--json"}, {"--help"}, {"--fix", "--dry-run"}} {
		c := newTool(t)
		c.command.stdout = full{}
		if err := c.run(t.Context(), args); !errors.Is(err, errFull) {
			t.Errorf("%q: got %v", args, err)
		}
	}
}

var errFull = errors.New("no space left")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestColour only repeats what words say.
func TestColour(t *testing.T) {
	c := newTool(t)
	writeSkill(t, filepath.Join(c.dir, ".claude", "skills"), "page-cro", "1.0.0")
	plain := c.does(errFindings)
	c.paint = true
	painted := c.does(errFindings)
	for _, code := range []string{bold, red, yellow, green, faint, "0"} {
		painted = strings.ReplaceAll(painted, "\x1b["+code+"m", "")
	}
	if painted != plain {
		t.Error("without its colours it differs")
	}
	if (&printer{paint: true}).in(red, "x") != "\x1b[31mx\x1b[0m" {
		t.Error("no colour")
	}
}

// TestFixHere: in a skills folder of another name, also by way of a link, the
// backup folder says of which it is.
func TestFixHere(t *testing.T) {
	for _, linked := range []bool{false, true} {
		c := newTool(t)
		skills := filepath.Join(c.dir, "kit")
		writeSkill(t, skills, "page-cro", "1.0.0")
		before := tree(t, skills)
		project := c.dir
		c.dir = skills
		if linked {
			c.dir = filepath.Join(c.home, "link")
			if err := os.Symlink(skills, c.dir); err != nil {
				t.Skipf("links cannot be made here: %v", err)
			}
		}
		c.does(nil, "--fix", "--yes", ".")
		name := strings.Replace(backupName, "skills", "kit", 1)
		if _, err := os.Lstat(filepath.Join(project, name, "page-cro")); err != nil {
			t.Errorf("linked %v: %v", linked, err)
		}
		c.does(nil, "--undo", filepath.Join(project, name))
		sameTree(t, "undone", before, tree(t, skills))
	}
}
