package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/txtar"
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
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "replace": replace},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits status command…")
	}
	status := "0"
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		status = err.Error()
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			status = strconv.Itoa(exit.ExitCode())
		}
	}
	if status != args[0] {
		ts.Fatalf("the exit status is %s", status)
	}
}

func replace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace file old new")
	}
	escapes := strings.NewReplacer(`\r`, "\r", `\n`, "\n")
	text, old := ts.ReadFile(args[0]), escapes.Replace(args[1])
	if strings.Count(text, old) != 1 {
		ts.Fatalf("%q does not stand once in %s", old, args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, old, escapes.Replace(args[2]), 1)), 0o644))
}

// TestReportThatCannotBeWritten: a full disk or a closed pipe is not a project
// in order.
func TestReportThatCannotBeWritten(t *testing.T) {
	changed := []file{{"README.md", []byte("a\n"), []byte("b\n")}}
	if err := report(full{}, full{}, changed); !errors.Is(err, errFull) || errors.Is(err, errNotInOrder) {
		t.Errorf("got %v", err)
	}
}

var errFull = errors.New("no space left")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
