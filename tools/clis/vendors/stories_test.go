package main

import (
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"marketingskills/tools/internal/storytest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"vendors": func() {
		storytest.InterruptAfter(os.Getenv("STAGE"))
		os.Exit(start())
	}})
}

// TestStories runs testdata/*.txt. Every story has a fake vendor of its own, its
// tables in the folder t, and its key in FAKE_API_KEY. Beyond testscript's own
// commands there are
//
//	fault kind [wait=] [after=] [times=]   the vendor answers with a fault, see fake.fail; without kind it does not
//	exits status command…                  the command ends with this status
//	sheet file want                        two files are the same but for CR
//	requests n                             the vendor was asked so often since the last fault
//
// and the environment variable INTERRUPT_AFTER: Ctrl-C after so many requests.
// After every command, nothing it wrote contains the key.
func TestStories(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			f := &fake{}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/_seen" {
					for n, _ := strconv.Atoi(r.FormValue("n")); f.requests() < n && r.Context().Err() == nil; {
						time.Sleep(2 * time.Millisecond)
					}
					return
				}
				f.ServeHTTP(w, r)
			}))
			f.base = server.URL
			env.Defer(server.Close)
			env.Values["fake"] = f
			for name, value := range map[string]string{"STAGE": server.URL, "FAKE_API_KEY": key, "FAKE_USER": "ann", "KEY": key, "NO_PROXY": "*"} {
				env.Setenv(name, value)
			}
			dir := filepath.Join(env.WorkDir, "t")
			err := os.Mkdir(dir, 0o700)
			for name, content := range map[string]string{"fake.json": table, "basic.json": basic} {
				err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), []byte(strings.ReplaceAll(content, "@BASE@", server.URL)), 0o600))
			}
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"fault": setFault, "exits": exits, "requests": requests, "sheet": storytest.Sheet},
	})
}

func (f *fake) requests() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen
}

func of(ts *testscript.TestScript) *fake { return ts.Value("fake").(*fake) }

func setFault(ts *testscript.TestScript, _ bool, args []string) {
	f := of(ts)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fault, f.wait, f.after, f.times, f.seen = "", "", 0, 0, 0
	for i, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		n, _ := strconv.Atoi(value)
		switch {
		case i == 0:
			f.fault = arg
		case name == "wait":
			f.wait = value
		case name == "after":
			f.after = n
		case name == "times":
			f.times = n
		default:
			ts.Fatalf("there is no setting %s", arg)
		}
	}
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	storytest.Exits(ts, neg, args)
	written := ts.ReadFile("stdout") + ts.ReadFile("stderr")
	pair := base64.StdEncoding.EncodeToString([]byte("ann:" + key))
	storytest.NotWritten(ts, written, key, "sk-story", pair)
	f := of(ts)
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.wrong) > 0 {
		ts.Fatalf("the vendor was asked: %q", f.wrong)
	}
}

func requests(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: requests n")
	}
	if n := of(ts).requests(); strconv.Itoa(n) != args[0] {
		ts.Fatalf("the vendor was asked %d times", n)
	}
}
