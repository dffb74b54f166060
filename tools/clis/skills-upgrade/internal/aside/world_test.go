package aside

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// world is a folder of skills, with a collection to install from.
type world struct {
	t      *testing.T
	parent string
	source string
	// state is where journals are kept.
	state string
}

const place, backup = "skills", "skills-backup-2026-06-01"

// newWorld has a skill to replace, one that was renamed and two that were
// merged into one, a file of the user's, and a skill of their own.
func newWorld(t *testing.T) *world {
	t.Helper()
	top := t.TempDir()
	old := time.Date(2020, 2, 2, 2, 2, 2, 0, time.UTC)
	w := &world{t, filepath.Join(top, "home"), filepath.Join(top, "collection"), filepath.Join(top, "state")}
	for name, text := range map[string]string{
		"home/skills/copy/SKILL.md":            "old copy",
		"home/skills/copy/references/a.md":     "old reference",
		"home/skills/copy/mine.txt":            "mine",
		"home/skills/paid-ads/SKILL.md":        "old ads",
		"home/skills/page-cro/SKILL.md":        "old page",
		"home/skills/page-cro/scripts/mine.sh": "mine too",
		"home/skills/form-cro/SKILL.md":        "old form",
		"home/skills/own/SKILL.md":             "my own",
		"collection/copy/SKILL.md":             "new copy",
		"collection/copy/references/b.md":      "new reference",
		"collection/ads/SKILL.md":              "new ads",
		"collection/cro/SKILL.md":              "new cro",
	} {
		name = filepath.Join(top, filepath.FromSlash(name))
		w.must(os.MkdirAll(filepath.Dir(name), 0o755))
		w.must(os.WriteFile(name, []byte(text), 0o644))
		w.must(os.Chtimes(name, old, old))
	}
	w.must(os.Chmod(filepath.Join(w.parent, "skills/page-cro/scripts/mine.sh"), 0o755))
	w.must(os.Chmod(filepath.Join(w.parent, "skills/copy/references"), 0o700))
	w.must(os.Symlink("/etc/passwd", filepath.Join(w.parent, "skills/form-cro/link")))
	return w
}

// in gives settings the world's folder for journals.
func (w *world) in(s Settings) Settings {
	s.State = w.state
	return s
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) job(backup string) Job {
	return Job{
		Parent: w.parent, Place: place, Backup: backup, Label: "~/skills", BackupLabel: "~/" + backup,
		Skills: []Skill{
			{Name: "cro", From: filepath.Join(w.source, "cro"), Folders: []string{"page-cro", "form-cro"}, Keep: []Keep{{"page-cro", "scripts/mine.sh"}}},
			{Name: "copy", From: filepath.Join(w.source, "copy"), Folders: []string{"copy"}, Keep: []Keep{{"copy", "mine.txt"}}},
			{Name: "ads", From: filepath.Join(w.source, "ads"), Folders: []string{"paid-ads"}},
		},
	}
}

// left is a job for what a stop left undone, as a new look would find it.
func (w *world) left(backup string) Job {
	j := w.job(backup)
	root := filepath.Join(w.parent, place)
	is := func(name, text string) bool {
		data, _ := os.ReadFile(filepath.Join(root, name, "SKILL.md"))
		return string(data) == text
	}
	j.Skills = slices.DeleteFunc(j.Skills, func(s Skill) bool {
		return is(s.Name, "new "+s.Name) && !slices.ContainsFunc(s.Folders, func(f string) bool { return f != s.Name && is(f, old(f)) })
	})
	for i := range j.Skills {
		s := &j.Skills[i]
		if is(s.Name, "new "+s.Name) {
			s.From, s.Keep = "", nil
		}
		s.Folders = slices.DeleteFunc(s.Folders, func(f string) bool { return !is(f, old(f)) })
	}
	return j
}

func old(folder string) string {
	return map[string]string{"copy": "old copy", "paid-ads": "old ads", "page-cro": "old page", "form-cro": "old form"}[folder]
}

// tree has a line for everything below a folder.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		fmt.Fprintf(&b, "%q %v", rel, info.Mode())
		switch {
		case info.Mode().IsRegular():
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %q %v", data, info.ModTime().UTC().Format(time.RFC3339))
		case info.Mode()&fs.ModeSymlink != 0:
			target, _ := os.Readlink(name)
			b.WriteString(" " + target)
		}
		b.WriteString("\n")
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
