package main

import (
	"bytes"
	"io"
	"maps"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"marketingskills/app/verify"
	"marketingskills/app/verify/csvfile"
	"marketingskills/tools/internal/maildns"
	"marketingskills/tools/internal/outfile"
	"marketingskills/tools/internal/verifiers"
)

// TestHelp keeps the help complete, and as wide as a terminal.
func TestHelp(t *testing.T) {
	words := slices.Concat([]string{"VERIFY_URL", "VERIFY_API_KEY", "VERIFY_API_KEY_FILE", "VERIFY_SERVICE"}, slices.Collect(maps.Keys(verifiers.Known)),
		new(options).syntax().Names(), csvfile.Columns)
	for _, state := range verify.States {
		words = append(words, string(state))
	}
	for _, word := range words {
		if !strings.Contains(usage(), word) {
			t.Errorf("the help does not say %s", word)
		}
	}
	for line := range strings.SplitSeq(usage(), "\n") {
		if len(line) > 80 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
}

// listOf is the input of a list of emails.
func listOf(t *testing.T, emails ...string) *input {
	t.Helper()
	in, err := (&command{options: options{emails: emails}}).read()
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func TestProgress(t *testing.T) {
	now := noon()
	for _, test := range []struct {
		terminal, quiet bool
		want            string
	}{
		{true, false, "\r[######......] 2/4 emails checked, 10s remaining\r                                                \r"},
		{false, false, "2/4 emails checked, 10s remaining\n"},
		{true, true, ""},
	} {
		var screen bytes.Buffer
		c := &command{stderr: &screen, now: func() time.Time { return now }, terminal: test.terminal, mail: maildns.New(names{}), options: options{quiet: test.quiet}}
		m := c.meter(listOf(t, "a@x.example", "b@x.example", "c@x.example", "d@x.example"), nil)
		m.checked()
		now = now.Add(10 * time.Second)
		m.checked()
		m.end()
		now = now.Add(time.Hour)
		m.checked()
		if got := screen.String(); got != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
}

// TestPeriodicSaves: once a minute, in a file of its own, that goes away when
// the output is there.
func TestPeriodicSaves(t *testing.T) {
	t.Chdir(t.TempDir())
	synctest.Test(t, func(t *testing.T) {
		in := listOf(t, "a@x.example", "b@x.example")
		in.job.Know("a@x.example", verify.Result{State: verify.OK})
		for _, name := range []string{"out.incomplete.csv", "out.incomplete-2.csv"} {
			k := newAutosave(in, options{output: "out.csv"})
			k.due()
			if _, err := os.Stat(name); err == nil {
				t.Errorf("%s is there at once", name)
			}
			time.Sleep(saveEvery)
			k.due()
			content, err := os.ReadFile(name)
			if want := "a@x.example,ok,,,\r\nb@x.example,,,,\r\n"; err != nil || !strings.HasSuffix(string(content), want) {
				t.Errorf("%s is %q, %v", name, content, err)
			}
			resumed := (&command{now: noon, mail: maildns.New(names{}), stdout: io.Discard, stderr: io.Discard}).run(t.Context(), []string{"--local", "--csv=" + name, "--resume=" + name})
			if resumed == nil || !strings.Contains(resumed.Error(), "another run is using this file") {
				t.Errorf("%s can be resumed while its run goes on: %v", name, resumed)
			}
			defer k.end()
			if name == "out.incomplete.csv" {
				continue // it stays, as another run's
			}
			k.drop()
			if err := k.save(); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(name); err == nil {
				t.Errorf("%s stays", name)
			}
		}
	})
}

// TestPowerLoss: what was saved on the way is removed when the output and its
// name are durable.
func TestPowerLoss(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders cannot be made durable there")
	}
	t.Chdir(t.TempDir())
	after := outfile.AfterSync
	defer func() { outfile.AfterSync = after }()
	c := &command{now: noon, stderr: io.Discard, options: options{output: "out.csv", quiet: true}}
	in := listOf(t, "a@x.example")
	in.job.Know("a@x.example", verify.Result{State: verify.OK})
	k := newAutosave(in, c.options)
	if err := k.save(); err != nil {
		t.Fatal(err)
	}
	out, err := outfile.Open(c.output, nil)
	if err != nil {
		t.Fatal(err)
	}
	safe := false // the output is, with its name
	outfile.AfterSync = func(path string) {
		safe = exists("out.csv") && filepath.Base(path) == "."
		if !exists("out.incomplete.csv") {
			t.Errorf("the copy is gone before %s is durable", path)
		}
	}
	if err := c.finish(in, out, k, c.meter(in, k), nil); err != nil {
		t.Fatal(err)
	}
	if !safe || exists("out.incomplete.csv") {
		t.Errorf("the output is durable: %v; the copy stays: %v", safe, exists("out.incomplete.csv"))
	}
}

// TestSecondInterrupt: the first Ctrl-C waits for an answer, the second does
// not.
func TestSecondInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("nobody can be interrupted there")
	}
	v := newVerifier()
	v.latency = 20 * time.Second
	server := httptest.NewServer(v)
	cmd := exec.Command("verify-emails", "ok@x.example")
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "VERIFY_URL="+server.URL, "VERIFY_API_KEY="+key, "INTERRUPT_AFTER=")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for v.requests() == 0 {
		time.Sleep(5 * time.Millisecond)
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
