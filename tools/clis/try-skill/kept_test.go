package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"marketingskills/app/tryout"
)

const project = "../../.."

// TestTryoutsReport: skills/TRYOUTS.md says what the data in skills/tryouts says.
func TestTryoutsReport(t *testing.T) {
	const file = "skills/TRYOUTS.md"
	now, err := os.ReadFile(filepath.Join(project, file))
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "TRYOUTS.md")
	if err := os.WriteFile(copied, now, 0o644); err != nil {
		t.Fatal(err)
	}
	do(t, "report", filepath.Join(project, "skills/tryouts"), "--into", copied)
	if written, err := os.ReadFile(copied); err != nil || string(written) != string(now) {
		t.Errorf("%s is out of date; run make sync (%v)", file, err)
	}
}

// TestKeptVerdicts counts a trial that was counted by hand before: verdicts won,
// lost and tied, by kind of request where that was counted, and how often two
// readers agreed.
func TestKeptVerdicts(t *testing.T) {
	trials, err := openTrials(filepath.Join(project, "skills/tryouts/2026-11-23-forms.json"))
	if err != nil {
		t.Fatal(err)
	}
	type counts struct {
		all   [3]int
		kinds [][3]int // thin, rich, hard
		tells string
	}
	want := map[string]counts{
		"skill-today against none":           {[3]int{31, 53}, [][3]int{{6, 22}, {11, 17}, {14, 14}}, tryout.TooFew},
		"corrections-300 against none":       {[3]int{5, 13}, [][3]int{{1, 5}, {0, 6}, {4, 2}}, tryout.TooFew},
		"two-passes against none":            {[3]int{18, 18}, [][3]int{{7, 5}, {4, 8}, {7, 5}}, tryout.TooFew},
		"two-passes-capped against none":     {[3]int{14, 22}, [][3]int{{3, 9}, {4, 8}, {7, 5}}, tryout.TooFew},
		"none-2 against none-1":              {[3]int{17, 13}, [][3]int{{5, 5}, {3, 7}, {9, 1}}, tryout.TooFew},
		"none-3 against none-1":              {[3]int{3, 3}, nil, tryout.TooFew},
		"look against none":                  {[3]int{21, 0}, nil, tryout.Better},
		"look-scratch against none":          {[3]int{5, 1}, nil, tryout.TooFew},
		"corrections-then-look against none": {[3]int{42, 10, 2}, nil, tryout.Better},
		"corrections-then-look against look": {[3]int{10, 8}, nil, tryout.TooFew},
		"look-then-corrections against look": {[3]int{1, 5}, nil, tryout.TooFew},
	}
	agreed, pairs := 0, 0
	for _, c := range trials[0].Compare() {
		name := c.Condition + " against " + c.Against
		w, known := want[name]
		if delete(want, name); !known || c.Verdicts != w.all || c.Result != w.tells || c.Control != (c.Condition[:2] == "no") {
			t.Errorf("%s: %+v, want %+v", name, c.Tally, w)
		}
		for i, kind := range w.kinds {
			if c.Kinds[i].Group != tryout.Kinds[i] || c.Kinds[i].Verdicts != kind {
				t.Errorf("%s, %s: %v, want %v", name, c.Kinds[i].Group, c.Kinds[i].Verdicts, kind)
			}
		}
		if w.kinds != nil {
			agreed, pairs = agreed+c.Agreed, pairs+c.Pairs
		}
	}
	if len(want) > 0 || agreed != 83 || pairs != 102 {
		t.Errorf("not compared: %v; readers agreed on %d of %d pairs, counted were 83 of 102", want, agreed, pairs)
	}
}

// TestReadme runs the commands of README as a stranger would paste them, twice,
// with a judge in place of the page.
func TestReadme(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("NOT CHECKED: the commands of README are for a POSIX shell")
	}
	readme, err := os.ReadFile(filepath.Join(project, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(readme), "\n## Try a skill\n")
	_, block, found := strings.Cut(section, "```sh\n")
	block, _, closed := strings.Cut(block, "```")
	const page = "judge \"$trial/t\"\n"
	if !found || !closed || strings.Count(block, page) != 1 {
		t.Fatalf("README has other commands: %s", block)
	}
	block = strings.Replace(block, page, page[:len(page)-1]+" --judge 'echo better: tie'\n", 1)
	cmd := exec.Command("sh", "-ec", block+block)
	cmd.Dir, cmd.Env = project, append(os.Environ(), "TMPDIR="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Count(string(out), "\nskill against none              0–0–2 ") != 2 {
		t.Errorf("%v\n%s", err, out)
	}
}
