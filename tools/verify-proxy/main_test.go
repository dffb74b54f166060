package main

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"marketingskills/app/verify/verifytest/madeup"
	"marketingskills/tools/internal/storytest"
	"marketingskills/tools/internal/verifiers"
)

func TestMain(m *testing.M) {
	verifiers.Known["madeup"] = madeup.New
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
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": storytest.Exits},
	})
}

// TestServesUntilStopped starts the command, visits the address it prints and
// stops it.
func TestServesUntilStopped(t *testing.T) {
	p := start(t, nil)
	if got := p.send(t, "GET", "/sub/", ""); got.body != "home" {
		t.Errorf("got %+v", got)
	}
	if err := p.stop(); err != nil {
		t.Errorf("stopped with %v", err)
	}
}
