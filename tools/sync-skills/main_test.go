package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/txtar"

	"marketingskills/tools/internal/storytest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"sync-skills": main})
}

// sample is the project of the stories: the collection that the stories of
// validate-skills have, with the files that are written here.
func sample(t *testing.T) []txtar.File {
	t.Helper()
	collection, err := txtar.ParseFile("../validate-skills/testdata/clean.txt")
	if err != nil {
		t.Fatal(err)
	}
	written, err := txtar.ParseFile("testdata/project.archive")
	if err != nil {
		t.Fatal(err)
	}
	return append(collection.Files, written.Files...)
}

// TestStories runs testdata/*.txt. Every story finds the sample in the
// directory good, and may break it. Beyond testscript's own commands there are
//
//	exits status command…   the command ends with this status
//	replace file old new    changes a text that stands once in a file; \r and \n
//	                        in it are those characters
//	copy from to            copies a directory
//	same a b                two directories hold the same files
//	dated file              writes 2000-01-01 where the file has the day of today
func TestStories(t *testing.T) {
	files := sample(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			for _, f := range files {
				name := filepath.Join(env.WorkDir, filepath.FromSlash(f.Name))
				if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
					return err
				}
				if err := os.WriteFile(name, f.Data, 0o644); err != nil {
					return err
				}
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": storytest.Exits, "replace": storytest.Replace, "copy": copyFolder, "same": same, "dated": dated,
		},
	})
}

func copyFolder(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: copy from to")
	}
	ts.Check(os.CopyFS(ts.MkAbs(args[1]), os.DirFS(ts.MkAbs(args[0]))))
}

func same(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: same a b")
	}
	read := func(dir string) map[string]string {
		files := map[string]string{}
		ts.Check(filepath.WalkDir(ts.MkAbs(dir), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			files[strings.TrimPrefix(path, ts.MkAbs(dir))] = string(data)
			return err
		}))
		return files
	}
	a, b := read(args[0]), read(args[1])
	for name := range a {
		if a[name] != b[name] {
			ts.Fatalf("%s differs", name)
		}
	}
	if len(a) != len(b) {
		ts.Fatalf("%d files, %d files", len(a), len(b))
	}
}

// dated tries yesterday too, if midnight has just passed.
func dated(ts *testscript.TestScript, neg bool, args []string) {
	text, now := ts.ReadFile(args[0]), time.Now()
	for _, day := range []time.Time{now, now.AddDate(0, 0, -1)} {
		text = strings.ReplaceAll(text, day.Format(time.DateOnly), "2000-01-01")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// TestReportThatCannotBeWritten: a full disk or a closed pipe is not a project
// in order.
func TestReportThatCannotBeWritten(t *testing.T) {
	changed := []*file{{"README.md", []byte("a\n"), []byte("b\n")}}
	if err := report(full{}, full{}, changed); !errors.Is(err, errFull) || errors.Is(err, errNotInOrder) {
		t.Errorf("got %v", err)
	}
}

var errFull = errors.New("no space left")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
