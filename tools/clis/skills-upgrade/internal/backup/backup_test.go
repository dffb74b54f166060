package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const name = ".skills-backup-2026-06-01-120000"

// world is a folder with skills, and a collection to install from.
type world struct {
	t              *testing.T
	parent, source string
}

// newWorld has a skill to replace, two that were merged into one, and a skill
// of the user's own.
func newWorld(t *testing.T) *world {
	t.Helper()
	top := t.TempDir()
	w := &world{t, filepath.Join(top, "home"), filepath.Join(top, "collection")}
	for name, text := range map[string]string{
		"home/skills/copy/SKILL.md":      "old copy",
		"home/skills/copy/notes/mine.md": "mine",
		"home/skills/page-cro/SKILL.md":  "old page",
		"home/skills/form-cro/SKILL.md":  "old form",
		"home/skills/own/SKILL.md":       "my own",
		"collection/copy/SKILL.md":       "new copy",
		"collection/copy/deep/a.md":      "new reference",
		"collection/cro/SKILL.md":        "new cro",
	} {
		name = filepath.Join(top, filepath.FromSlash(name))
		w.must(os.MkdirAll(filepath.Dir(name), 0o755))
		w.must(os.WriteFile(name, []byte(text), 0o644))
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(w.parent, "skills", "form-cro", "link")); err != nil {
		t.Logf("without a link: %v", err)
	}
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// tree has a line for everything below a folder; "" when it is not there.
func (w *world) tree(dir string) string {
	w.t.Helper()
	var b strings.Builder
	root := filepath.Join(w.parent, dir)
	err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, name)
		fmt.Fprintf(&b, "%q %v", rel, e.Type())
		if e.Type().IsRegular() {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %q", data)
		}
		b.WriteString("\n")
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	w.must(err)
	return b.String()
}

// upgrade takes all steps of a plan, as skills-upgrade does.
func (w *world) upgrade(beforeRename func(from, to string) error) error {
	b, err := Create(w.parent, "skills", name)
	w.must(err)
	defer b.Close()
	b.Skills, b.BeforeRename = w.source, beforeRename
	for _, step := range []func() error{
		func() error { return b.Stage("cro") },
		func() error { return b.Move("page-cro") },
		func() error { return b.Move("form-cro") },
		func() error { return b.Install("cro") },
		func() error { return b.Stage("copy") },
		func() error { _, err := b.Keep("copy", "notes/mine.md", "copy"); return err },
		func() error { return b.Move("copy") },
		func() error { return b.Install("copy") },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// undo opens the backup and undoes it; it returns what was told.
func (w *world) undo() string {
	w.t.Helper()
	b, err := Open(w.parent, name)
	w.must(err)
	defer b.CloseEmpty()
	var told []string
	w.must(b.Undo(w.t.Context(), func(name string, old bool, err error) {
		told = append(told, fmt.Sprint(name, " ", old, " ", err))
	}))
	return strings.Join(told, "; ")
}

func TestUpgradeAndUndo(t *testing.T) {
	w := newWorld(t)
	before := w.tree("skills")
	w.must(w.upgrade(nil))
	for file, want := range map[string]string{
		"skills/cro/SKILL.md": "new cro", "skills/copy/SKILL.md": "new copy", "skills/copy/deep/a.md": "new reference",
		"skills/copy/notes/mine.md": "mine", "skills/own/SKILL.md": "my own",
		name + "/copy/SKILL.md": "old copy", name + "/page-cro/SKILL.md": "old page", name + "/form-cro/SKILL.md": "old form",
	} {
		if got, err := os.ReadFile(filepath.Join(w.parent, file)); string(got) != want {
			t.Errorf("%s: %q, %v", file, got, err)
		}
	}
	b, err := Open(w.parent, name)
	w.must(err)
	c, err := b.Contents()
	b.Close()
	if got := fmt.Sprint(c, err); got != "{[copy form-cro page-cro] [copy cro] []} <nil>" {
		t.Errorf("the backup folder says %s", got)
	}
	if told := w.undo(); told != "copy false <nil>; cro false <nil>; copy true <nil>; form-cro true <nil>; page-cro true <nil>" {
		t.Errorf("undo tells %s", told)
	}
	if after := w.tree("skills"); after != before {
		t.Errorf("undo left\n%s, before it was\n%s", after, before)
	}
	if told := w.undo(); told != "" || w.tree("skills") != before {
		t.Errorf("the second undo tells %s", told)
	}
}

// TestNothingLeft: a backup with nothing in it is no litter.
func TestNothingLeft(t *testing.T) {
	w := newWorld(t)
	b, err := Create(w.parent, "skills", name)
	w.must(err)
	w.must(b.Move("page-cro"))
	b.CloseEmpty()
	w.undo()
	if w.tree(name) != "" {
		t.Errorf("the empty folder is still there")
	}
}

var errCrash = errors.New("crash")

// TestCrash: before every single rename the program stops dead. Then each
// folder is whole and in one of the two places, the backup folder says which, and
// undo ends with all old.
func TestCrash(t *testing.T) {
	done := newWorld(t)
	old := map[string]string{}
	for _, folder := range []string{"copy", "page-cro", "form-cro", "own"} {
		old[folder] = done.tree("skills/" + folder)
	}
	before := done.tree("skills")
	done.must(done.upgrade(nil))
	installed := map[string]string{"cro": done.tree("skills/cro"), "copy": done.tree("skills/copy")}
	for n := 1; ; n++ {
		w := newWorld(t)
		renames := 0
		err := w.upgrade(func(string, string) error {
			if renames++; renames == n {
				return errCrash
			}
			return nil
		})
		for folder, want := range old {
			here, there := w.tree("skills/"+folder), w.tree(name+"/"+folder)
			if here != want && there != want || here == want && there == want || here != want && here != "" && here != installed[folder] {
				t.Fatalf("stopped before rename %d: %s is\n%s and in the backup folder\n%s", n, folder, here, there)
			}
		}
		b, openErr := Open(w.parent, name)
		w.must(openErr)
		c, contentsErr := b.Contents()
		w.must(contentsErr)
		b.Close()
		for skill, want := range installed {
			said := fmt.Sprint(c)
			if now := w.tree("skills/" + skill); now == want != strings.Contains(fmt.Sprint(c.Installed), skill) {
				t.Fatalf("stopped before rename %d: that %s was installed is not what is said: %s", n, skill, said)
			}
		}
		if n%2 == 0 { // the undo is cut off as well
			b, openErr := Open(w.parent, name)
			w.must(openErr)
			b.BeforeRename = func(string, string) error { return errCrash }
			w.must(b.Undo(t.Context(), func(string, bool, error) {}))
			b.Close()
		}
		w.undo()
		if after := w.tree("skills"); after != before {
			t.Fatalf("stopped before rename %d: undo left\n%s", n, after)
		}
		if err == nil {
			if n != 6 {
				t.Errorf("there are %d renames, not 5", n-1)
			}
			return
		}
	}
}

// TestOtherDisk: nothing is copied, and nothing moves.
func TestOtherDisk(t *testing.T) {
	w := newWorld(t)
	before := w.tree("skills")
	err := w.upgrade(func(from, to string) error {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: syscall.EXDEV}
	})
	if !errors.Is(err, ErrOtherDisk) || w.tree("skills") != before {
		t.Errorf("%v\n%s", err, w.tree("skills"))
	}
}

// TestUndoInTheWay: what stands in a place stays, and the rest goes back.
func TestUndoInTheWay(t *testing.T) {
	w := newWorld(t)
	w.must(w.upgrade(nil))
	mine := filepath.Join(w.parent, "skills", "page-cro")
	w.must(os.MkdirAll(mine, 0o755))
	w.must(os.WriteFile(filepath.Join(mine, "SKILL.md"), []byte("mine"), 0o644))
	told := w.undo()
	if !strings.Contains(told, "page-cro true skills/page-cro: "+ErrTaken.Error()) || !strings.Contains(told, "form-cro true <nil>") {
		t.Errorf("undo tells %s", told)
	}
	if got, err := os.ReadFile(filepath.Join(mine, "SKILL.md")); string(got) != "mine" {
		t.Errorf("%q, %v", got, err)
	}
	w.must(os.RemoveAll(mine))
	if told := w.undo(); told != "page-cro true <nil>" {
		t.Errorf("then it tells %s", told)
	}
}

func TestUndoStops(t *testing.T) {
	w := newWorld(t)
	w.must(w.upgrade(nil))
	b, err := Open(w.parent, name)
	w.must(err)
	defer b.Close()
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	err = b.Undo(ctx, func(string, bool, error) { n++; cancel() })
	if !errors.Is(err, context.Canceled) || n != 1 {
		t.Errorf("%d steps, %v", n, err)
	}
}

// TestRefused: what is no skill, or no folder, does not move, and no link is
// followed.
func TestRefused(t *testing.T) {
	w := newWorld(t)
	outside := filepath.Join(filepath.Dir(w.parent), "outside")
	w.must(os.MkdirAll(outside, 0o755))
	w.must(os.WriteFile(filepath.Join(outside, "SKILL.md"), []byte("x"), 0o644))
	skills := filepath.Join(w.parent, "skills")
	w.must(os.Mkdir(filepath.Join(skills, "plain"), 0o755))
	if err := os.Symlink(outside, filepath.Join(skills, "link")); err != nil {
		t.Skipf("links cannot be made here: %v", err)
	}
	w.must(os.Symlink(outside, filepath.Join(w.parent, ".linked-backup-2026")))
	w.must(os.Mkdir(filepath.Join(w.parent, "linked"), 0o755))
	w.must(os.Symlink(outside, filepath.Join(w.parent, "elsewhere")))
	w.must(os.Symlink("/etc/passwd", filepath.Join(w.source, "cro", "link")))
	b, err := Create(w.parent, "skills", name)
	w.must(err)
	defer b.Close()
	b.Skills = w.source
	for what, err := range map[string]error{
		"no SKILL.md": b.Move("plain"), "a link": b.Move("link"), "missing": b.Move("gone"), "outside": b.Move("../../outside"),
		"not made ready": b.Install("cro"), "a link in the collection": b.Stage("cro"),
	} {
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	if kept, err := b.Keep("form-cro", "link", "cro"); kept || err != nil {
		t.Errorf("a link was kept: %v, %v", kept, err)
	}
	for _, name := range []string{".linked-backup-2026", "skills", ".skills-backup-", "skills-backup-2026", ".gone-backup-2026"} {
		if _, err := Open(w.parent, name); err == nil {
			t.Errorf("%s is a backup", name)
		}
	}
	if _, err := Create(w.parent, "elsewhere", ".elsewhere-backup-2026"); err == nil {
		t.Error("a skills folder that is a link")
	}
	if _, err := Create(w.parent, "skills", name); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second backup of one name: %v", err)
	}
}

// TestTwoRuns: of two runs that move the same folders each folder goes once.
func TestTwoRuns(t *testing.T) {
	for range 20 {
		w := newWorld(t)
		errs := make(chan error, 2)
		for i := range 2 {
			b, err := Create(w.parent, "skills", fmt.Sprintf("%s-%d", name, i))
			w.must(err)
			go func() {
				defer b.Close()
				errs <- errors.Join(b.Move("page-cro"), b.Move("form-cro"))
			}()
		}
		<-errs
		<-errs
		for _, folder := range []string{"page-cro", "form-cro"} {
			var in []string
			for _, dir := range []string{"skills", name + "-0", name + "-1"} {
				if w.tree(dir+"/"+folder) != "" {
					in = append(in, dir)
				}
			}
			if len(in) != 1 || in[0] == "skills" {
				t.Fatalf("%s is in %q", folder, in)
			}
		}
	}
}
