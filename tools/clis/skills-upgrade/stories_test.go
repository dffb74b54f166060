package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marketingskills/tools/internal/storytest"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"skills-upgrade": func() {
			later, _ := time.ParseDuration(os.Getenv("LATER"))
			os.Exit(start(today.Add(later)))
		},
	})
}

// TestStories runs testdata/*.txt. Every story has a project, which is where
// it starts, and a home directory. The clock stands, at a time that LATER
// moves on by a duration. Beyond testscript's own commands there are
//
//	exits status command…        the command ends with this status
//	skill folder version [name]  makes a skill, whose SKILL.md has a name; the
//	                             version may be "newest"
//	installation folder          1.10.0, 41 folders
//	collection folder            a whole collection, 42 skills
//	hash name folder             remembers all that is in a folder
//	same name folder             all in it is as remembered
//	json file key…               the file is one JSON value, with these keys
//	odd folder                   makes skills with names that are hard to write
//	sparse file                  makes a file of 1 GB
func TestStories(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv("HOME", home)
			env.Setenv("USERPROFILE", home)
			env.Setenv("NO_COLOR", "")
			env.Setenv("TERM", "xterm")
			env.Cd = filepath.Join(env.WorkDir, "project")
			env.Values["hashes"] = map[string]map[string]string{}
			if err := os.MkdirAll(home, 0o755); err != nil {
				return err
			}
			return os.MkdirAll(env.Cd, 0o755)
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "root":
				return os.Getuid() == 0, nil
			case "mounts": // in a namespace of its own
				return exec.Command("unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt").Run() == nil, nil
			}
			return false, fmt.Errorf("no such condition: %s", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": storytest.Exits, "skill": skill, "installation": installation, "collection": collection42,
			"hash": hashTree, "same": same, "json": isJSON, "odd": odd, "sparse": sparse,
		},
	})
}

// fatal makes a story a failer.
type fatal struct{ *testscript.TestScript }

func (f fatal) Fatal(args ...any) { f.Fatalf("%s", fmt.Sprint(args...)) }

func skill(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: skill folder version [name]")
	}
	dir, version := ts.MkAbs(args[0]), args[1]
	if row, ok := ours(fatal{ts}).Row(filepath.Base(dir)); ok && version == "newest" {
		version = string(row.Version)
	}
	writeSkill(fatal{ts}, filepath.Dir(dir), filepath.Base(dir), version)
	if len(args) == 3 {
		name := filepath.Join(dir, "SKILL.md")
		text := strings.Replace(ts.ReadFile(name), "name: "+filepath.Base(dir), "name: "+args[2], 1)
		ts.Check(os.WriteFile(name, []byte(text), 0o644))
	}
}

func installation(ts *testscript.TestScript, neg bool, args []string) {
	installOld(fatal{ts}, ts.MkAbs(args[0]))
}

func collection42(ts *testscript.TestScript, neg bool, args []string) {
	writeCollection(fatal{ts}, ts.MkAbs(args[0]))
}

func hashTree(ts *testscript.TestScript, neg bool, args []string) {
	ts.Value("hashes").(map[string]map[string]string)[args[0]] = tree(fatal{ts}, ts.MkAbs(args[1]))
}

func same(ts *testscript.TestScript, neg bool, args []string) {
	want := ts.Value("hashes").(map[string]map[string]string)[args[0]]
	if d := differences(want, tree(fatal{ts}, ts.MkAbs(args[1]))); (d == "") == neg {
		ts.Fatalf("differences:\n%s", d)
	}
}

func isJSON(ts *testscript.TestScript, neg bool, args []string) {
	var value map[string]json.RawMessage
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &value))
	for _, key := range args[1:] {
		if _, ok := value[key]; !ok {
			ts.Fatalf("there is no %q in it", key)
		}
	}
}

// oddNames are names for folders of skills, all of them old copies of
// page-cro, by their SKILL.md.
var oddNames = []string{"with space", `it's "quoted"`, "two\nlines", "-rf", "$(touch pwned)", "раge-cro", "bell\a\x1b[31m", "back\\slash", "\xff\xfe"}

func odd(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range oddNames {
		writeFile(fatal{ts}, filepath.Join(ts.MkAbs(args[0]), name, "SKILL.md"), "---\nname: page-cro\nmetadata:\n  version: 1.2.0\n---\n")
	}
}

func sparse(ts *testscript.TestScript, neg bool, args []string) {
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_WRONLY, 0)
	ts.Check(err)
	ts.Check(f.Truncate(1 << 30))
	ts.Check(f.Close())
}
