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
	"testing"

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

// TestServesUntilStopped starts the command, reads the address it prints,
// visits it and stops it.
func TestServesUntilStopped(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("home"), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	printed, stderr := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, []string{"--addr", "127.0.0.1:0", "--dir", dir, "--base", "/sub"}, io.Discard, stderr)
	}()
	line, err := bufio.NewReader(printed).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address := regexp.MustCompile(`^Serving .* at (http://127\.0\.0\.1:\d+/sub/) \(Ctrl-C stops\)\n$`).FindStringSubmatch(line)
	if address == nil {
		t.Fatalf("it printed %q", line)
	}
	response, err := http.Get(address[1])
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, _ := io.ReadAll(response.Body); string(body) != "home" {
		t.Errorf("got %q", body)
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("stopped with %v", err)
	}
}
