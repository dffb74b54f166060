// Package storytest holds what the stories of several commands have in common:
// commands for testscript beyond its own, and Ctrl-C at a certain moment.
package storytest

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// Exits runs a command that has to end with a status: exits status command…
func Exits(ts *testscript.TestScript, neg bool, args []string) {
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

// Lines counts the lines of a file, or those with a text in them: lines n file
// [text].
func Lines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: lines n file [text]")
	}
	text := append(args, "")[2]
	n := 0
	for line := range strings.Lines(ts.ReadFile(args[1])) {
		if strings.Contains(line, text) {
			n++
		}
	}
	if strconv.Itoa(n) != args[0] {
		ts.Fatalf("there are %d such lines", n)
	}
}

// Sheet compares two files, which may differ in how their lines end: sheet file
// want.
func Sheet(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: sheet file want")
	}
	if got := strings.ReplaceAll(ts.ReadFile(args[0]), "\r\n", "\n"); got != ts.ReadFile(args[1]) {
		ts.Fatalf("%s is\n%s", args[0], got)
	}
}

// Replace replaces a text that stands once in a file, \r and \n being line
// ends: replace file old new.
func Replace(ts *testscript.TestScript, neg bool, args []string) {
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

// NotWritten fails if what a command wrote has one of the texts in it, or a
// character that acts on a terminal.
func NotWritten(ts *testscript.TestScript, written string, texts ...string) {
	for _, s := range append(texts, "\x1b", "\x07", "\u009b", "\u202e", "\x00") {
		if strings.Contains(written, s) {
			ts.Fatalf("%q was written", s)
		}
	}
}

// Watch notices when this process does not get to run: what a fake server sees
// then, it sees late, and the distance between two requests is not what it seems.
type Watch struct {
	mu     sync.Mutex
	stalls []stall
}

type stall struct {
	end    time.Time
	length time.Duration
}

// Start begins to watch, until the test ends.
func (w *Watch) Start(t testing.TB) {
	const step = 5 * time.Millisecond
	go func() {
		for last := time.Now(); t.Context().Err() == nil; {
			time.Sleep(step)
			now := time.Now()
			if late := now.Sub(last) - step; late > step {
				w.mu.Lock()
				w.stalls = append(w.stalls, stall{now, late})
				w.mu.Unlock()
			}
			last = now
		}
	}()
}

// Late is how much later than it was something between two times may have been
// noticed.
func (w *Watch) Late(from, to time.Time) (late time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.stalls {
		if s.end.After(from.Add(-s.length)) && s.end.Add(-s.length).Before(to) {
			late += s.length
		}
	}
	return late
}

// InterruptAfter types Ctrl-C once the server at an address has seen as many
// requests as the environment variable INTERRUPT_AFTER says; without it, never.
// The server answers /_seen?n= when it has.
func InterruptAfter(base string) {
	n := os.Getenv("INTERRUPT_AFTER")
	if n == "" {
		return
	}
	go func() {
		resp, err := http.Get(base + "/_seen?n=" + n)
		if err == nil {
			resp.Body.Close()
			var self *os.Process
			if self, err = os.FindProcess(os.Getpid()); err == nil {
				err = self.Signal(os.Interrupt)
			}
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "cannot interrupt:", err)
			os.Exit(100)
		}
	}()
}
