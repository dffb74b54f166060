package aside

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
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
	hooks Settings
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
		{"one", Settings{NoSync: true}},
		{"across", Settings{NoSync: true, Rename: across}},
	}
}

func quiet(Event) {}

// stopAt runs f and stops it after n changes; false when it ended before.
func stopAt(n int, hooks Settings, f func(Settings) error) (stopped bool, err error) {
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
			w.must(w.in(s.hooks).Apply(t.Context(), []Job{w.job(backup)}, func(e Event) { did[e.Did]++ }))
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
			w.must(w.in(s.hooks).Undo(t.Context(), w.parent, backup, quiet))
			if after := tree(t, filepath.Join(w.parent, place)); after != before {
				t.Errorf("undo left\n%s, before it was\n%s", after, before)
			}
			if err := w.in(s.hooks).Undo(t.Context(), w.parent, backup, quiet); !errors.Is(err, ErrUndone) {
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
			done.must(done.in(s.hooks).Apply(t.Context(), []Job{done.job(backup)}, quiet))
			done.wholes(whole)
			for n := 1; ; n++ {
				if n > 1000 {
					t.Fatal("no end")
				}
				w := newWorld(t)
				stopped, err := stopAt(n, s.hooks, func(h Settings) error {
					return w.in(h).Apply(t.Context(), []Job{w.job(backup)}, quiet)
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
				if w.readable() {
					w.must(w.in(s.hooks).Finish(w.parent, backup))
				}
				w.noGaps(n)
				second := backup + "-2"
				w.must(w.in(s.hooks).Apply(t.Context(), []Job{w.left(second)}, quiet))
				w.isNew(n, whole)
				w.must(w.in(s.hooks).Undo(t.Context(), w.parent, second, quiet))
				w.undoFrom(n, s, before)
			}
		})
	}
}

// readable tells whether the stop came after the journal's first line.
func (w *world) readable() bool {
	_, _, err := w.in(Settings{}).Interrupted(w.parent, backup)
	return err == nil
}

// undoFrom undoes, stopping dead after every change as well.
func (w *world) undoFrom(n int, s system, before string) {
	w.t.Helper()
	if !w.readable() {
		return
	}
	for m := 1; ; m++ {
		// Each attempt comes a change further than the one before.
		stopped, err := stopAt(m, s.hooks, func(h Settings) error { return w.in(h).Undo(w.t.Context(), w.parent, backup, quiet) })
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
	err := w.in(Settings{}).Apply(ctx, []Job{w.job(backup)}, func(e Event) {
		if e.Did == "installed" {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if at, inUndo, err := w.in(Settings{}).Interrupted(w.parent, backup); at != filepath.Join(w.parent, place) || inUndo || err != nil {
		t.Errorf("interrupted is %q, %v, %v", at, inUndo, err)
	}
	w.must(w.in(Settings{}).Undo(t.Context(), w.parent, backup, quiet))
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
		w.must(w.in(Settings{}).Apply(t.Context(), []Job{w.job(backup)}, quiet))
		w.must(change(filepath.Join(w.parent, place)))
		before := tree(t, w.parent)
		err := w.in(Settings{}).Undo(t.Context(), w.parent, backup, quiet)
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
	if err := w.in(Settings{}).Apply(t.Context(), []Job{w.job(backup)}, quiet); !errors.Is(err, errChanged) {
		t.Errorf("a link for a folder: got %v", err)
	}
	w.must(os.Symlink(outside, filepath.Join(w.parent, backup+"-2")))
	if err := w.in(Settings{}).Apply(t.Context(), []Job{w.job(backup + "-2")}, quiet); err == nil {
		t.Error("a link for a backup was followed")
	}
	w.must(os.Symlink(place, filepath.Join(w.parent, "linked")))
	j := w.job(backup + "-3")
	j.Place = "linked"
	if err := w.in(Settings{}).Apply(t.Context(), []Job{j}, quiet); err == nil {
		t.Error("a link for a place was followed")
	}
	if entries := must(os.ReadDir(outside)); len(entries) > 0 {
		t.Errorf("outside there is %v", entries)
	}
}

// TestHostileJournal: a journal that this version did not write is refused.
func TestHostileJournal(t *testing.T) {
	const head = `{"journal":2,"parent":"","place":"c2tpbGxz","backup":"","label":"l"}` + "\n"
	for name, text := range map[string]string{
		"empty":        "",
		"no line":      `{"journal":2}`,
		"other format": `{"journal":1,"place":"skills"}` + "\n",
		"name above":   head + `{"out":".."}` + "\n",
		"name of path": head + `{"in":"a/b","digest":"x"}` + "\n",
		"no digest":    head + `{"in":"a"}` + "\n",
		"unknown mark": head + `{"mark":"erase"}` + "\n",
		"nothing":      head + "{}\n",
		"no JSON":      head + "erase\n",
	} {
		if err := new(journal).read([]byte(text)); !errors.Is(err, errJournal) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	var j journal
	if err := j.read([]byte(head + `{"out":"a"}` + "\n" + `{"out":"b`)); err != nil || len(j.steps) != 1 {
		t.Errorf("a torn last line: %v, %v", j.steps, err)
	}
}

// TestTornLine: what a stop left of a line does not keep others from being
// added.
func TestTornLine(t *testing.T) {
	w := newWorld(t)
	before := tree(t, filepath.Join(w.parent, place))
	stopped, err := stopAt(30, Settings{NoSync: true}, func(h Settings) error {
		return w.in(h).Apply(t.Context(), []Job{w.job(backup)}, quiet)
	})
	if !stopped || err != nil {
		t.Fatalf("it was not stopped: %v", err)
	}
	id, err := w.id()
	w.must(err)
	f, err := os.OpenFile(w.in(Settings{}).journalPath(id), os.O_WRONLY|os.O_APPEND, 0)
	w.must(err)
	_, err = f.WriteString(`{"in":"` + strings.Repeat("x", 100))
	w.must(errors.Join(err, f.Close()))
	w.must(w.in(Settings{}).Finish(w.parent, backup))
	w.must(w.in(Settings{}).Undo(t.Context(), w.parent, backup, quiet))
	if after := tree(t, filepath.Join(w.parent, place)); after != before {
		t.Errorf("undo left\n%s", after)
	}
}

// TestForeignBackup: only a backup that this user made here is believed.
func TestForeignBackup(t *testing.T) {
	for name, change := range map[string]func(w *world) error{
		"another user's state": func(w *world) error { return os.Rename(w.state, w.state+"-away") },
		"another folder": func(w *world) error {
			away := w.parent + "-away"
			err := os.Rename(w.parent, away)
			w.parent = away
			return err
		},
		"another folder in the place of the first": func(w *world) error {
			first := w.parent
			w.parent += "-away"
			return errors.Join(os.Rename(first, w.parent), os.Mkdir(first, 0o755))
		},
		"the id of another backup": func(w *world) error {
			const other = backup + "-2"
			err := w.in(Settings{}).Apply(w.t.Context(), []Job{{Parent: w.parent, Place: place, Backup: other}}, quiet)
			return errors.Join(err, os.Rename(filepath.Join(w.parent, other, IDFile), filepath.Join(w.parent, backup, IDFile)))
		},
		"another id": func(w *world) error {
			return os.WriteFile(filepath.Join(w.parent, backup, IDFile), []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), 0o644)
		},
		"an id that is a path": func(w *world) error {
			return w.rename("../home/as-long-as-its-own")
		},
		"a journal that is a link": func(w *world) error {
			id, err := w.id()
			journal := w.in(Settings{}).journalPath(id)
			return errors.Join(err, os.Rename(journal, journal+"2"), os.Symlink(id+".jsonl2", journal))
		},
		"an id that is a link": func(w *world) error {
			id := filepath.Join(w.parent, backup, IDFile)
			return errors.Join(os.Rename(id, id+"2"), os.Symlink(IDFile+"2", id))
		},
		"no id": func(w *world) error {
			return os.Truncate(filepath.Join(w.parent, backup, IDFile), 0)
		},
	} {
		w := newWorld(t)
		w.must(w.in(Settings{}).Apply(t.Context(), []Job{w.job(backup)}, quiet))
		w.must(change(w))
		before := tree(t, w.parent)
		if err := w.in(Settings{}).Undo(t.Context(), w.parent, backup, quiet); !errors.Is(err, ErrForeign) {
			t.Errorf("%s: undo says %v", name, err)
		}
		if err := w.in(Settings{}).Finish(w.parent, backup); !errors.Is(err, ErrForeign) {
			t.Errorf("%s: finish says %v", name, err)
		}
		if tree(t, w.parent) != before {
			t.Errorf("%s: something was done", name)
		}
	}
}

// id is the name of the backup's journal.
func (w *world) id() (string, error) {
	data, err := os.ReadFile(filepath.Join(w.parent, backup, IDFile))
	return strings.TrimSpace(string(data)), err
}

// rename gives the backup's journal another name, and tells the backup.
func (w *world) rename(to string) error {
	id, err := w.id()
	s := w.in(Settings{})
	return errors.Join(err, os.Rename(s.journalPath(id), s.journalPath(to)), os.WriteFile(filepath.Join(w.parent, backup, IDFile), []byte(to), 0o644))
}

// TestJournalOfAnotherUser: one that came into the folder from someone else.
func TestJournalOfAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("not tried: only root can give files away")
	}
	w := newWorld(t)
	w.must(w.in(Settings{}).Apply(t.Context(), []Job{w.job(backup)}, quiet))
	id, err := w.id()
	w.must(errors.Join(err, os.Chown(w.in(Settings{}).journalPath(id), 1, -1)))
	if err := w.in(Settings{}).Undo(t.Context(), w.parent, backup, quiet); !errors.Is(err, ErrForeign) {
		t.Errorf("undo says %v", err)
	}
}

// TestOnlySkillsMove: what was put into a backup since is not moved: files,
// links, folders without a SKILL.md; and not through a link.
func TestOnlySkillsMove(t *testing.T) {
	for name, change := range map[string]func(old string) error{
		"paid-ads is not a skill":    func(old string) error { return os.Remove(filepath.Join(old, "paid-ads", "SKILL.md")) },
		"paid-ads is not a folder":   func(old string) error { return swap(filepath.Join(old, "paid-ads")) },
		"old/paid-ads is not a fold": func(old string) error { return link(filepath.Join(old, "paid-ads")) },
		"old is not a folder":        link,
	} {
		w := newWorld(t)
		w.must(w.in(Settings{}).Apply(t.Context(), []Job{w.job(backup)}, quiet))
		w.must(change(filepath.Join(w.parent, backup, "old")))
		err := w.in(Settings{}).Undo(t.Context(), w.parent, backup, quiet)
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v", name, err)
		}
		if _, err := os.Lstat(filepath.Join(w.parent, place, "paid-ads")); err == nil {
			t.Errorf("%s: it was moved", name)
		}
	}
}

// swap puts a file where a folder was, link a link to it.
func swap(name string) error {
	return errors.Join(os.Rename(name, name+"-away"), os.WriteFile(name, []byte("#!/bin/sh"), 0o755))
}

func link(name string) error {
	return errors.Join(os.Rename(name, name+"-away"), os.Symlink(filepath.Base(name)+"-away", name))
}

// TestHidden: which skills folders are acted on.
func TestHidden(t *testing.T) {
	for place, want := range map[string]bool{
		"skills": false, ".claude/skills": false, "a/.agents/skills": false, ".github/skills": false, ".codex": false,
		".git/hooks": true, "skills/.git": true, ".github": true, ".github/workflows": true, ".x/.claude/skills": true, ".husky/skills": true,
	} {
		if Hidden(filepath.FromSlash(place)) != want {
			t.Errorf("%s: hidden is %v", place, !want)
		}
	}
	w := newWorld(t)
	w.must(errors.Join(os.Mkdir(filepath.Join(w.parent, ".git"), 0o755), os.Rename(filepath.Join(w.parent, place), filepath.Join(w.parent, ".git", "hooks"))))
	before := tree(t, w.parent)
	j := w.job(backup)
	j.Place = ".git/hooks"
	if err := w.in(Settings{}).Apply(t.Context(), []Job{j}, quiet); err == nil || tree(t, w.parent) != before {
		t.Errorf("a hidden folder was acted on: %v", err)
	}
}

// TestChangedWhileMoved: what is written into a folder after its copy was
// compared, and before it is taken away, is not lost.
func TestChangedWhileMoved(t *testing.T) {
	w := newWorld(t)
	s := w.in(systems()[1].hooks)
	across, written := s.Rename, filepath.Join(w.parent, place, "page-cro", "written.txt")
	s.Rename = func(from, to string) error {
		if from == filepath.Join(place, "page-cro") && strings.HasPrefix(filepath.Base(to), ".") {
			w.must(os.WriteFile(written, []byte("at the last moment"), 0o644))
		}
		return across(from, to)
	}
	err := s.Apply(t.Context(), []Job{w.job(backup)}, quiet)
	if data, _ := os.ReadFile(written); string(data) != "at the last moment" || !errors.Is(err, errChanged) {
		t.Errorf("it has %q; %v", data, err)
	}
}

// TestLock: one run at a time, and the next one says which.
func TestLock(t *testing.T) {
	s := Settings{State: filepath.Join(t.TempDir(), "state")}
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	unlock, err := s.Lock(now)
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("another run is changing skills (process %d, since 2026-06-01 12:00:00)", os.Getpid())
	if _, err := s.Lock(now); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v", err)
	}
	unlock()
	unlock, err = s.Lock(now)
	if err != nil {
		t.Fatal(err)
	}
	unlock()
}

// TestInstallNeverReplaces: what came in since it was looked at stays.
func TestInstallNeverReplaces(t *testing.T) {
	w := newWorld(t)
	w.must(os.Mkdir(filepath.Join(w.parent, place, "ads"), 0o755))
	err := w.in(Settings{}).Apply(t.Context(), []Job{w.job(backup)}, quiet)
	if !errors.Is(err, errTaken) {
		t.Fatalf("got %v", err)
	}
	if entries := must(os.ReadDir(filepath.Join(w.parent, place, "ads"))); len(entries) > 0 {
		t.Errorf("in it there is %v", entries)
	}
}
