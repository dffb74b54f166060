//go:build !js

package main_test

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/chromedp/chromedp"
)

// judging is try-skill judge, serving its page.
type judging struct {
	address string
	cmd     *exec.Cmd
	said    *bytes.Buffer
	done    chan struct{}
}

func judge(t *testing.T, program, trial string) *judging {
	t.Helper()
	cmd := exec.Command(program, "judge", trial, "--reader", "ann")
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	lines := bufio.NewScanner(stderr)
	if !lines.Scan() {
		t.Fatal("judge says nothing")
	}
	address := regexp.MustCompile(`http://\S+`).FindString(lines.Text())
	j := &judging{address, cmd, &bytes.Buffer{}, make(chan struct{})}
	go func() {
		defer close(j.done)
		for lines.Scan() {
			j.said.WriteString(lines.Text() + "\n")
		}
	}()
	return j
}

func (j *judging) ended() string {
	<-j.done
	_ = j.cmd.Wait() // its status is in what it said
	return j.said.String()
}

// Read pairs of answers by keyboard: choose, give a reason, go on; leave and
// resume; at the end the report has what was said.
func TestReadAnswersBlind(t *testing.T) {
	dir := t.TempDir()
	program, trial := filepath.Join(dir, "try-skill.exe"), filepath.Join(dir, "t")
	if err := os.CopyFS(dir, fstest.MapFS{
		"sms.md":              {Data: []byte("Today is 23 November 2026.\n\nP1: when may I send\n")},
		"skills/sms/SKILL.md": {Data: []byte("---\nname: sms\n---\n\n# SMS\n")},
	}); err != nil {
		t.Fatal(err)
	}
	run := func(name string, arguments ...string) string {
		t.Helper()
		out, err := exec.Command(name, arguments...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", name, arguments, err, out)
		}
		return string(out)
	}
	run("go", "build", "-buildvcs=false", "-o", program, "../tools/clis/try-skill")
	run(program, "prepare", trial, "--requests", filepath.Join(dir, "sms.md"), "--skills", filepath.Join(dir, "skills"))
	run(program, "answer", trial, "--agent", `echo "**At nine** | see [rules](https://rules.example/)"`)

	j := judge(t, program, trial)
	b := opened(t, j.address)
	b.until("the first pair", `document.querySelector("h1").innerText === "Pair 1 of 3"`)
	if got := b.text("#request"); !strings.Contains(got, "Today is Monday, 23 November 2026.") || !strings.Contains(got, "when may I send") {
		t.Errorf("the request is %q", got)
	}
	if got := b.text("#x strong") + b.text("#y strong"); got != "At nineAt nine" {
		t.Errorf("the answers are %q", got)
	}
	b.click("#x a")
	if b.address() != j.address {
		t.Errorf("a link of an answer led to %s", b.address())
	}
	b.size(320, 600)
	if eval[bool](b, `document.documentElement.scrollWidth > innerWidth`) {
		t.Error("at 320 pixels the page is wider than the screen")
	}
	b.size(1280, 900)
	b.click("#save")
	b.until("a choice is asked for", `document.querySelector("#status").innerText.includes("press 1, 2 or 0")`)
	b.run(`document.querySelector("h1").focus()`)
	b.do(chromedp.KeyEvent("1"))
	b.until("X is chosen", `document.querySelector("[data-better=X]").ariaPressed === "true" && document.activeElement.id === "reason"`)
	b.do(chromedp.KeyEvent("1 o'clock is wrong"), chromedp.KeyEvent("\r"))
	b.until("the second pair", `document.querySelector("h1").innerText === "Pair 2 of 3" && document.querySelector("#reason").value === ""`)
	b.do(chromedp.KeyEvent("2"))
	b.until("Y is chosen", `document.activeElement.id === "reason"`)
	b.do(chromedp.KeyEvent("\r"))
	b.until("the third pair", `document.querySelector("h1").innerText === "Pair 3 of 3"`)

	// The command ends, and goes on where it was.
	if err := j.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if said := j.ended(); !strings.Contains(said, "1 pair to go. To resume, run the same command.") {
		t.Errorf("interrupted, it said %q", said)
	}
	b.tolerates("ERR_CONNECTION_REFUSED")
	b.do(chromedp.KeyEvent("0"))
	b.until("0 is chosen", `document.activeElement.id === "reason"`)
	b.do(chromedp.KeyEvent("\r"))
	b.until("what to do is said", `document.querySelector("#status").innerText.includes("Start the command again")`)
	j = judge(t, program, trial)
	b.visit(j.address)
	b.until("the third pair again", `document.querySelector("h1").innerText === "Pair 3 of 3"`)
	b.click("[data-better=tie]")
	b.click("#save")
	b.until("the end", `document.querySelector("h1").innerText.startsWith("All 3 pairs are read.")`)
	if said := j.ended(); !strings.Contains(said, "All 3 pairs are read. Next: try-skill report ") {
		t.Errorf("at the end it said %q", said)
	}
	verdicts := run(program, "report", trial, "--data")
	if strings.Count(verdicts, `"reader": "ann"`) != 3 || !strings.Contains(verdicts, `"reason": "1 o'clock is wrong"`) ||
		strings.Count(verdicts, `"better": "tie"`) != 1 {
		t.Errorf("kept are\n%s", verdicts)
	}
}
