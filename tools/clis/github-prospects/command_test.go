package main

import (
	"bytes"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/export"
	"marketingskills/app/prospect/fakehost"
	"marketingskills/app/text"
)

func TestBar(t *testing.T) {
	var screen bytes.Buffer
	now := time.Now()
	c := &command{stderr: &screen, now: func() time.Time { return now }, terminal: true}
	m := c.meter()
	p := prospect.Progress{Matches: 9, Target: 50, Listed: 1234, People: 40_000, Requests: 1_250, TimeLeft: 95 * time.Second,
		Quota: codehost.Quota{Known: true, Remaining: 3_750}}
	for range 3 { // drawn once in a while only
		m.event(prospect.Event{Progress: p})
	}
	const first = "\r[##..........] 9/50 matches, 1,234/40,000 people, 1,250 requests, quota 3,750,"
	if got := screen.String(); got != first {
		t.Errorf("drew %q, want %q", got, first)
	}
	now = now.Add(time.Second)
	m.event(prospect.Event{Progress: prospect.Progress{Matches: 1, Listed: 1, People: 1, Requests: 1, TimeLeft: -1}})
	for line := range strings.SplitSeq(screen.String(), "\r") {
		if n := utf8.RuneCountInString(line); n > 78 {
			t.Errorf("%d columns: %q", n, line)
		}
	}
	screen.Reset()
	m.event(prospect.Event{
		Notice: &codehost.Notice{Kind: codehost.NoticeWaiting, Until: now.Add(90 * time.Second), Why: "\x1b[31mred\nline"}, Progress: p})
	if got := screen.String(); !strings.Contains(got, "\rWaiting 1m30s: [31mred line\n") {
		t.Errorf("the wait was told as %q", got)
	}
}

func TestNearest(t *testing.T) {
	for given, want := range map[string]string{"--with-emial": "--with-email", "--with-mail": "--with-email", "--dryrun": "--dry-run",
		"-target": "--target", "--formt": "--format", "--zzzz": "", "--points-per-minut": "--points-per-minute", strings.Repeat("x", 1000): ""} {
		if got := text.Nearest(given, new(options).syntax().Names(), 2); got != want {
			t.Errorf("nearest(%q) = %q, want %q", given, got, want)
		}
	}
}

// TestHelp keeps the help complete, and as wide as a terminal.
func TestHelp(t *testing.T) {
	words := slices.Concat([]string{"GITHUB_TOKEN", "GITHUB_API_URL"}, new(options).syntax().Names(), commands, export.Presets())
	for _, word := range words {
		if !strings.Contains(usage, word) {
			t.Errorf("the help does not say %s", word)
		}
	}
	for line := range strings.SplitSeq(usage, "\n") {
		if len(line) > 80 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
}

// TestSecondInterrupt: with a reader that does not read, the first Ctrl-C
// cannot end the run; the second does.
func TestSecondInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("nobody can be interrupted there")
	}
	host := &fakehost.Host{People: fakehost.Crowd(5000)}
	server := httptest.NewServer(host)
	defer server.Close()
	cmd := exec.Command("github-prospects", "forks", "octo/tool")
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "GITHUB_API_URL="+server.URL, "GITHUB_TOKEN=", "INTERRUPT_AFTER=")
	reader, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for quiet, before := 0, 0; quiet < 200; quiet++ { // until it has been stuck for a second
		time.Sleep(5 * time.Millisecond)
		if n := host.Count().Requests; n != before || n == 0 {
			quiet, before = 0, n
		}
	}
	for try := 0; ; try++ {
		if try == 50 {
			cmd.Process.Kill()
			t.Fatal("it goes on")
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	<-ended
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !ws.Signaled() || ws.Signal() != syscall.SIGINT {
		t.Errorf("it ended with %v, not by the signal", cmd.ProcessState)
	}
}
