package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"marketingskills/tools/internal/storytest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"try-skill": func() {
		interruptAt(os.Getenv("INTERRUPT_AT"))
		os.Exit(start())
	}})
}

// interruptAt types Ctrl-C once a file is there.
func interruptAt(file string) {
	if file == "" {
		return
	}
	go func() {
		for {
			if _, err := os.Stat(file); err == nil {
				if self, err := os.FindProcess(os.Getpid()); err == nil {
					_ = self.Signal(os.Interrupt)
				}
				return
			}
			time.Sleep(2 * time.Millisecond)
		}
	}()
}

// TestStories runs testdata/*.txt. The agents and judges in them are small shell
// scripts, which stand below with the skills. Beyond testscript's own
// commands there are
//
//	exits status command…      the command ends with this status
//	lines n file [text]        a file has so many lines, or lines with a text
//	folders n pattern          so many prepared folders have a file
//	gone file                  a process whose number is in a file has ended
func TestStories(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("NOT CHECKED: the agents of the stories are shell scripts")
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			for name, content := range scripts {
				if err := os.WriteFile(filepath.Join(env.WorkDir, name), []byte(content), 0o755); err != nil {
					return err
				}
			}
			for name, content := range skills {
				path := filepath.Join(env.WorkDir, "skills", name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					return err
				}
				if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
					return err
				}
			}
			env.Setenv("W", env.WorkDir)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "lines": storytest.Lines, "folders": folders, "gone": gone,
		},
	})
}

// skills is a collection of two.
var skills = map[string]string{
	"LOOK.md": "# The second look\n\nAbout it.\n\n## How to answer\n\nRead it again as the person who asked.\n",
	"sms/SKILL.md": "---\nname: sms\n---\n\n# SMS\n\nHelps with texts.\n\n- Quiet hours end at nine in the morning.\n- A text has 160 characters.\n\n" +
		"## References\n\n- [Numbers](references/numbers.md)\n",
	"sms/references/numbers.md": "# Numbers\n\nOpen when numbers decide.\n",
	// For people, and not for agents.
	"sms/references/two-answers.md": "# Two answers\n\nQuiet hours, answered.\n",
	"sms/evals/evals.json":          "{}\n",
	"ads/SKILL.md":                  "---\nname: ads\n---\n\n# Ads\n\n## References\n",
}

// scripts are an agent and a judge. The agent's answers with a skill have a
// planted error, unless CLEAN is set; every answer has a figure drawn from the
// name of its folder. The judge prefers what has no error, else the figure that
// is larger: between two answers that are alike, chance.
var scripts = map[string]string{
	"agent.sh": `#!/bin/sh
cat >asked.txt
n=$(basename "$PWD" | cksum | cut -c1-5)
if [ -z "$CLEAN" ] && [ -d .agents/skills ]; then
	echo "Send it at $n o'clock. This SUM IS WRONG."
else
	echo "Send it at $n o'clock."
fi
`,
	"judge.sh": `#!/bin/sh
cat >read.txt
x=$(sed -n '/^=== answer X/,/^=== answer Y/p' read.txt)
y=$(sed -n '/^=== answer Y/,/^=== end/p' read.txt)
bad() { case $1 in *WRONG*) echo 1 ;; *) echo 0 ;; esac; }
figure() { echo "$1" | sed -n 's/.* at \([0-9]*\) .*/\1/p'; }
if [ "$(bad "$x")" -lt "$(bad "$y")" ]; then better=X
elif [ "$(bad "$x")" -gt "$(bad "$y")" ]; then better=Y
elif [ "$(figure "$x")" -gt "$(figure "$y")" ]; then better=X
else better=Y
fi
echo "better: $better"
echo "reason: it says that quiet hours end at nine in the morning"
`,
	"requests.sh": `#!/bin/sh
echo "Today is 23 November 2026."
i=0
while [ $i -lt $1 ]; do
	i=$((i + 1))
	echo
	echo "P$i: when may I send text number $i"
done
`,
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	storytest.Exits(ts, neg, args)
	storytest.NotWritten(ts, ts.ReadFile("stdout")+ts.ReadFile("stderr"))
}

func folders(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: folders n pattern")
	}
	found, err := filepath.Glob(ts.MkAbs(filepath.Join("t/folders/*", args[1])))
	ts.Check(err)
	if strconv.Itoa(len(found)) != args[0] {
		ts.Fatalf("%d folders have %s", len(found), args[1])
	}
}

// gone waits for a process to end; one that nobody waits for counts as ended.
func gone(ts *testscript.TestScript, neg bool, args []string) {
	pid := strings.TrimSpace(ts.ReadFile(args[0]))
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		out, err := exec.Command("ps", "-o", "stat=", "-p", pid).Output()
		if err != nil || strings.HasPrefix(strings.TrimSpace(string(out)), "Z") {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("process %s is still there", pid)
		}
	}
}
