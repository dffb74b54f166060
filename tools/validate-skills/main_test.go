package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/txtar"

	"marketingskills/tools/internal/storytest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"validate-skills": main})
}

// TestStories runs testdata/*.txt. Every story finds the collection of
// clean.txt in the directory good, and may break it, and in $HOSTILE a name
// that a terminal should not see. Beyond testscript's own commands there are
//
//	exits status command…   the command ends with this status
//	replace file old new    changes a text that stands once in a file
//	grow file bytes         adds spaces up to this size
func TestStories(t *testing.T) {
	good, err := txtar.ParseFile("testdata/clean.txt")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOSTILE", "a\nb\x1b[2J")
			for _, f := range good.Files {
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
			"exits": storytest.Exits, "replace": storytest.Replace, "grow": grow,
		},
	})
}

func grow(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: grow file bytes")
	}
	size, err := strconv.Atoi(args[1])
	ts.Check(err)
	text := ts.ReadFile(args[0])
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text+strings.Repeat(" ", size-len(text))), 0o644))
}

// TestReportThatCannotBeWritten: a full disk or a closed pipe is not a clean
// collection.
func TestReportThatCannotBeWritten(t *testing.T) {
	for _, args := range [][]string{{"../.."}, {"--json", "../.."}} {
		err := run(args, full{}, full{}, time.Now())
		if !errors.Is(err, errFull) || !strings.HasPrefix(err.Error(), "writing the report: ") {
			t.Errorf("%q: got %v", args, err)
		}
	}
}

// TestRepository: the command passes its own collection.
func TestRepository(t *testing.T) {
	var stdout strings.Builder
	if err := run([]string{"../.."}, &stdout, io.Discard, time.Now()); err != nil || stdout.Len() > 0 {
		t.Errorf("%v\n%s", err, stdout.String())
	}
}

var errFull = errors.New("no space left")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
