package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"verify-proxy": main})
}

// TestStories runs testdata/*.txt. Every story finds a small site in the
// directory site, and in $BUSY an address at which something listens already.
// Beyond testscript's own commands there is
//
//	exits status command…   the command ends with this status
func TestStories(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { busy.Close() })
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			env.Setenv("BUSY", busy.Addr().String())
			dir := filepath.Join(env.WorkDir, "site")
			if err := os.Mkdir(dir, 0o755); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, "index.html"), []byte("home"), 0o644)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits status command…")
	}
	status := "exit status 0"
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		status = err.Error()
	}
	if status != "exit status "+args[0] {
		ts.Fatalf("got %s, want %s", status, args[0])
	}
}

// started runs the command until the test ends, and returns the address that
// it prints and what stops it.
func started(t *testing.T) (address string, stop func() error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("home"), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	printed, stderr := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, []string{"--addr", "127.0.0.1:0", "--dir", dir, "--base", "/sub"}, io.Discard, stderr)
	}()
	line, err := bufio.NewReader(printed).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	match := regexp.MustCompile(`^Serving .* at (http://127\.0\.0\.1:\d+/sub/) \(Ctrl-C stops\)\n$`).FindStringSubmatch(line)
	if match == nil {
		t.Fatalf("it printed %q", line)
	}
	return match[1], func() error {
		cancel()
		return <-ended
	}
}

// TestServesUntilStopped starts the command, visits the address it prints and
// stops it.
func TestServesUntilStopped(t *testing.T) {
	address, stop := started(t)
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, _ := io.ReadAll(response.Body); string(body) != "home" {
		t.Errorf("got %q", body)
	}
	if err := stop(); err != nil {
		t.Errorf("stopped with %v", err)
	}
}

// TestOneVisitorTooMany waits while as many as there may be are connected.
func TestOneVisitorTooMany(t *testing.T) {
	address, _ := started(t)
	host := strings.Split(address, "/")[2]
	for range mostConnections {
		conn, err := net.Dial("tcp", host)
		if err != nil {
			t.Skipf("not tried: so many connections cannot be made here: %v", err)
		}
		defer conn.Close()
	}
	visitor := http.Client{Timeout: 500 * time.Millisecond}
	if response, err := visitor.Get(address); err == nil {
		response.Body.Close()
		t.Errorf("one more than %d was served", mostConnections)
	}
}
