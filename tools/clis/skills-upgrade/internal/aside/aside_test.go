package aside

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// crash is what a test stops the program with, as a power cut would.
type crash struct{ op int }

// wholes are the trees of every skill when it is wholly old, or wholly new.
func (w *world) wholes(whole map[string][]string) {
	entries, err := os.ReadDir(filepath.Join(w.parent, place))
	w.must(err)
	for _, e := range entries {
		whole[e.Name()] = append(whole[e.Name()], tree(w.t, filepath.Join(w.parent, place, e.Name())))
	}
}

// system is one kind of file system.
type system struct {
	name  string
	hooks Hooks
}

func systems() []system {
	// Another file system begins at the backup.
	across := func(from, to string) error {
		top := func(name string) string { return strings.Split(filepath.ToSlash(name), "/")[0] }
		if top(from) != top(to) {
			return &os.LinkError{Op: "rename", Old: from, New: to, Err: syscall.EXDEV}
		}
		return nil
	}
	return []system{
		{"one", Hooks{NoSync: true}},
		{"across", Hooks{NoSync: true, Rename: across}},
	}
}

func quiet(Event) {}

// stopAt runs f and stops it after n changes; false when it ended before.
func stopAt(n int, hooks Hooks, f func(Hooks) error) (stopped bool, err error) {
	ops := 0
	hooks.After = func(string) {
		if ops++; ops == n {
			panic(crash{n})
		}
	}
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(crash); !ok {
				panic(r)
			}
			stopped = true
		}
	}()
	return false, f(hooks)
}

func TestApplyAndUndo(t *testing.T) {
	for _, s := range systems() {
		t.Run(s.name, func(t *testing.T) {
			w := newWorld(t)
			before := tree(t, filepath.Join(w.parent, place))
			did := map[string]int{}
			w.must(Apply(t.Context(), []Job{w.job(backup)}, func(e Event) { did[e.Did]++ }, s.hooks))
			for _, want := range []string{"cro/SKILL.md", "cro/scripts/mine.sh", "copy/references/b.md", "copy/mine.txt", "ads/SKILL.md", "own/SKILL.md"} {
				if _, err := os.Stat(filepath.Join(w.parent, place, want)); err != nil {
					t.Error(err)
				}
			}
			for _, gone := range []string{"page-cro", "form-cro", "paid-ads", "copy/references/a.md"} {
				if _, err := os.Stat(filepath.Join(w.parent, place, gone)); err == nil {
					t.Errorf("%s is still there", gone)
				}
			}
			if did["moved"] != 4 || did["kept"] != 2 || did["installed"] != 2 || did["replaced"] != 1 {
				t.Errorf("told of %v", did)
			}
			w.must(Undo(t.Context(), w.parent, backup, quiet, s.hooks))
			if after := tree(t, filepath.Join(w.parent, place)); after != before {
				t.Errorf("undo left\n%s, before it was\n%s", after, before)
			}
			if err := Undo(t.Context(), w.parent, backup, quiet, s.hooks); !errors.Is(err, ErrUndone) {
				t.Errorf("the second undo says %v", err)
			}
		})
	}
}

// TestStopsAnywhere: after every single change of the disk the program stops
// dead. Then every skill is wholly old or wholly new; going on ends with all
// new, and undo ends with all old.
func TestStopsAnywhere(t *testing.T) {
	for _, s := range systems() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			done := newWorld(t)
			whole := map[string][]string{}
			done.wholes(whole)
			before := tree(t, filepath.Join(done.parent, place))
			done.must(Apply(t.Context(), []Job{done.job(backup)}, quiet, s.hooks))
			done.wholes(whole)
			for n := 1; ; n++ {
				if n > 1000 {
					t.Fatal("no end")
				}
				w := newWorld(t)
				stopped, err := stopAt(n, s.hooks, func(h Hooks) error {
					return Apply(t.Context(), []Job{w.job(backup)}, quiet, h)
				})
				w.must(err)
				if !stopped {
					t.Logf("%d changes", n-1)
					return
				}
				w.checkWhole(n, whole)
				if n%2 == 0 {
					w.undoFrom(n, s, before)
					continue
				}
				if _, err := os.Stat(filepath.Join(w.parent, backup, JournalName)); err == nil && readable(w.parent) {
					w.must(Finish(w.parent, backup, s.hooks))
				}
				w.noGaps(n)
				second := backup + "-2"
				w.must(Apply(t.Context(), []Job{w.left(second)}, quiet, s.hooks))
				w.isNew(n, whole)
				w.must(Undo(t.Context(), w.parent, second, quiet, s.hooks))
				w.undoFrom(n, s, before)
			}
		})
	}
}

// readable tells whether the stop came after the journal's first line.
func readable(parent string) bool {
	_, err := StatusOf(parent, backup)
	return err == nil
}

// undoFrom undoes, stopping dead after every change as well.
func (w *world) undoFrom(n int, s system, before string) {
	w.t.Helper()
	if !readable(w.parent) {
		return
	}
	for m := 1; ; m++ {
		// Each attempt comes a change further than the one before.
		stopped, err := stopAt(m, s.hooks, func(h Hooks) error { return Undo(w.t.Context(), w.parent, backup, quiet, h) })
		if errors.Is(err, ErrUndone) && m > 1 {
			break // the last change was the journal's last line
		}
		if err != nil {
			w.t.Fatalf("stopped after %d: undo, attempt %d: %v", n, m, err)
		}
		if !stopped {
			break
		}
	}
	if after := tree(w.t, filepath.Join(w.parent, place)); after != before {
		w.t.Fatalf("stopped after %d: undo left\n%s, before it was\n%s", n, after, before)
	}
}

// checkWhole: nothing in the place is half.
func (w *world) checkWhole(n int, whole map[string][]string) {
	w.t.Helper()
	for name := range whole {
		now := tree(w.t, filepath.Join(w.parent, place, name))
		if now != "" && !slices.Contains(strip(whole[name]), strip([]string{now})[0]) {
			w.t.Fatalf("stopped after %d: %s is half:\n%s", n, name, now)
		}
	}
}

// noGaps: every skill is there, under its old or new name.
func (w *world) noGaps(n int) {
	w.t.Helper()
	has := func(name string) bool {
		_, err := os.Stat(filepath.Join(w.parent, place, name, "SKILL.md"))
		return err == nil
	}
	if !has("copy") || !has("own") || !has("ads") && !has("paid-ads") || !has("cro") && !(has("page-cro") && has("form-cro")) {
		w.t.Fatalf("stopped after %d: a skill is out", n)
	}
}

func (w *world) isNew(n int, whole map[string][]string) {
	w.t.Helper()
	for name, states := range whole {
		now := tree(w.t, filepath.Join(w.parent, place, name))
		switch name {
		case "page-cro", "form-cro", "paid-ads":
			if now != "" {
				w.t.Fatalf("stopped after %d: went on, and %s is there", n, name)
			}
		default:
			if strip([]string{now})[0] != strip(states)[len(states)-1] {
				w.t.Fatalf("stopped after %d: went on, and %s is\n%s", n, name, now)
			}
		}
	}
	for _, e := range must(os.ReadDir(filepath.Join(w.parent, place))) {
		if strings.HasPrefix(e.Name(), ".") {
			w.t.Fatalf("stopped after %d: went on, and left %s", n, e.Name())
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// strip takes the times off, which are those of the copy for what is new.
func strip(trees []string) []string {
	all := make([]string, len(trees))
	for i, t := range trees {
		for line := range strings.Lines(t) {
			if at := strings.LastIndex(line, " 20"); at > 0 && strings.HasSuffix(line, "Z\n") {
				line = line[:at] + "\n"
			}
			all[i] += line
		}
	}
	return all
}

func TestStopsBetweenSteps(t *testing.T) {
	w := newWorld(t)
	before := tree(t, filepath.Join(w.parent, place))
	ctx, cancel := context.WithCancel(t.Context())
	err := Apply(ctx, []Job{w.job(backup)}, func(e Event) {
		if e.Did == "installed" {
			cancel()
		}
	}, Hooks{})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if status, err := StatusOf(w.parent, backup); status != Interrupted || err != nil {
		t.Errorf("the status is %q, %v", status, err)
	}
	w.must(Undo(t.Context(), w.parent, backup, quiet, Hooks{}))
	if after := tree(t, filepath.Join(w.parent, place)); after != before {
		t.Errorf("undo left\n%s", after)
	}
}

// TestUndoRefuses: something new stands in the way, so nothing is done.
func TestUndoRefuses(t *testing.T) {
	for name, change := range map[string]func(skills string) error{
		"paid-ads is in the place of": func(s string) error { return os.MkdirAll(filepath.Join(s, "paid-ads"), 0o755) },
		"copy was changed": func(s string) error {
			return os.WriteFile(filepath.Join(s, "copy", "SKILL.md"), []byte("edited"), 0o644)
		},
		"ads was changed": func(s string) error { return os.WriteFile(filepath.Join(s, "ads", "more"), nil, 0o644) },
	} {
		w := newWorld(t)
		w.must(Apply(t.Context(), []Job{w.job(backup)}, quiet, Hooks{}))
		w.must(change(filepath.Join(w.parent, place)))
		before := tree(t, w.parent)
		err := Undo(t.Context(), w.parent, backup, quiet, Hooks{})
		if !errors.Is(err, errConflict) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v", name, err)
		}
		if tree(t, w.parent) != before {
			t.Errorf("%s: something was done", name)
		}
	}
}

// TestLinksAreNotFollowed: neither a folder that became a link, nor a backup
// or a place that is one.
func TestLinksAreNotFollowed(t *testing.T) {
	w := newWorld(t)
	outside := t.TempDir()
	w.must(os.RemoveAll(filepath.Join(w.parent, place, "paid-ads")))
	w.must(os.Symlink(outside, filepath.Join(w.parent, place, "paid-ads")))
	if err := Apply(t.Context(), []Job{w.job(backup)}, quiet, Hooks{}); !errors.Is(err, errChanged) {
		t.Errorf("a link for a folder: got %v", err)
	}
	w.must(os.Symlink(outside, filepath.Join(w.parent, backup+"-2")))
	if err := Apply(t.Context(), []Job{w.job(backup + "-2")}, quiet, Hooks{}); err == nil {
		t.Error("a link for a backup was followed")
	}
	w.must(os.Symlink(place, filepath.Join(w.parent, "linked")))
	j := w.job(backup + "-3")
	j.Place = "linked"
	if err := Apply(t.Context(), []Job{j}, quiet, Hooks{}); err == nil {
		t.Error("a link for a place was followed")
	}
	if entries := must(os.ReadDir(outside)); len(entries) > 0 {
		t.Errorf("outside there is %v", entries)
	}
}

// TestHostileJournal: a journal cannot lead anywhere else.
func TestHostileJournal(t *testing.T) {
	const head = `{"journal":1,"place":"skills","label":"l","release":"2.2.0"}` + "\n"
	for name, text := range map[string]string{
		"empty":         "",
		"no line":       `{"journal":1}`,
		"other format":  `{"journal":2,"place":"skills"}` + "\n",
		"place above":   `{"journal":1,"place":"../x"}` + "\n",
		"place at root": `{"journal":1,"place":"/etc"}` + "\n",
		"place here":    `{"journal":1,"place":"."}` + "\n",
		"name above":    head + `{"step":"move","name":".."}` + "\n",
		"name of path":  head + `{"step":"move","name":"a/b"}` + "\n",
		"unknown step":  head + `{"step":"erase","name":"a"}` + "\n",
		"no JSON":       head + "erase\n",
	} {
		if _, err := parseStory([]byte(text)); !errors.Is(err, errJournal) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	s, err := parseStory([]byte(head + `{"step":"move","name":"a"}` + "\n" + `{"step":"mo`))
	if err != nil || len(s.steps) != 1 {
		t.Errorf("a torn last line: %v, %v", s.steps, err)
	}
}

// TestInstallNeverReplaces: what came in since it was looked at stays.
func TestInstallNeverReplaces(t *testing.T) {
	w := newWorld(t)
	w.must(os.Mkdir(filepath.Join(w.parent, place, "ads"), 0o755))
	err := Apply(t.Context(), []Job{w.job(backup)}, quiet, Hooks{})
	if !errors.Is(err, errTaken) {
		t.Fatalf("got %v", err)
	}
	if entries := must(os.ReadDir(filepath.Join(w.parent, place, "ads"))); len(entries) > 0 {
		t.Errorf("in it there is %v", entries)
	}
}
