package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"marketingskills/app/verify/verifytest/madeup"
	"marketingskills/tools/internal/maildns"
	"marketingskills/tools/internal/storytest"
	"marketingskills/tools/internal/verifiers"
)

func TestMain(m *testing.M) {
	verifiers.Known["madeup"] = madeup.New
	testscript.Main(m, map[string]func(){"verify-emails": func() {
		storytest.InterruptAfter(os.Getenv("STAGE"))
		os.Exit(start(maildns.New(names{}), noon))
	}})
}

// noon is the command's clock in the stories.
func noon() time.Time { return time.Date(2026, 11, 3, 10, 0, 0, 0, time.UTC) }

// stage is a URL with a verifier behind it that a story can exchange.
type stage struct {
	mu       sync.Mutex
	verifier *verifier
}

func (s *stage) now() *verifier {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.verifier
}

func (s *stage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v := s.now()
	if r.URL.Path == "/_seen" {
		for n, _ := strconv.Atoi(r.FormValue("n")); v.requests() < n && r.Context().Err() == nil; {
			time.Sleep(2 * time.Millisecond)
		}
		return
	}
	v.ServeHTTP(w, r)
}

func newVerifier() *verifier {
	return &verifier{credits: -1, after: 1, limit: 10, asked: map[string]int{}}
}

// TestStories runs testdata/*.txt. Every story has a verifier of its own, its
// key in VERIFY_API_KEY, and the domain name system of [names]; the command's
// clock stands at [noon]. Beyond
// testscript's own commands there are
//
//	verifier setting=value…      another verifier at the same URL, see settings;
//	                             madeup is the one of package madeup
//	exits status command…        the command ends with this status
//	requests n                   the verifier was asked so often
//	asked n email                and so often about this one
//	lines n file [text]          a file has so many lines (with the text in it)
//	crowd n file                 writes n emails, one a line
//	seen n                       waits until the verifier was asked so often
//	private file                 only its owner can read it
//	sheet file want              two files are the same but for CR
//
// and the environment variable INTERRUPT_AFTER: Ctrl-C after so many requests.
// After every command, nothing it wrote contains the key.
func TestStories(t *testing.T) {
	watch.Start(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			s := &stage{verifier: newVerifier()}
			server := httptest.NewServer(s)
			env.Defer(server.Close)
			env.Values["stage"] = s
			for name, value := range map[string]string{"VERIFY_URL": server.URL, "STAGE": server.URL, "VERIFY_API_KEY": key, "KEY": key,
				"VERIFY_API_KEY_FILE": "", "NO_PROXY": "*"} {
				env.Setenv(name, value)
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"verifier": setVerifier, "exits": exits, "requests": requests, "asked": asked, "lines": storytest.Lines, "crowd": crowd, "seen": seen, "private": private, "sheet": storytest.Sheet,
		},
	})
}

func of(ts *testscript.TestScript) *stage { return ts.Value("stage").(*stage) }

// settings are the words of the command verifier.
var settings = map[string]func(v *verifier, n int){
	"credits": func(v *verifier, n int) { v.credits = n },
	"latency": func(v *verifier, n int) { v.latency = time.Duration(n) * time.Millisecond },
	"status":  func(v *verifier, n int) { v.status = n },
	"wait":    func(v *verifier, n int) { v.wait = time.Duration(n) * time.Second },
	"after":   func(v *verifier, n int) { v.after = n },
	"times":   func(v *verifier, n int) { v.times = n },
	"drop":    func(v *verifier, _ int) { v.drop = true },
	"broken":  func(v *verifier, _ int) { v.broken = true },
	"page":    func(v *verifier, _ int) { v.page = true },
	"free":    func(v *verifier, _ int) { v.source = "free-checks" },
	"madeup":  func(v *verifier, _ int) { v.service, v.limit = madeup.Fake(key), 2 },
}

func setVerifier(ts *testscript.TestScript, neg bool, args []string) {
	v := newVerifier()
	for _, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		set := settings[name]
		if set == nil || neg {
			ts.Fatalf("there is no setting %s", name)
		}
		n, _ := strconv.Atoi(value)
		set(v, n)
	}
	s := of(ts)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.verifier = v
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	v := of(ts).now()
	if !strings.Contains(strings.Join(args, " "), "--resume") { // what is resumed keeps the limit of the run before
		v.mu.Lock()
		v.before = len(v.arrivals)
		v.mu.Unlock()
	}
	storytest.Exits(ts, neg, args)
	written := ts.ReadFile("stdout") + ts.ReadFile("stderr")
	entries, err := os.ReadDir(ts.MkAbs("."))
	ts.Check(err)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".part") {
			ts.Fatalf("%s was left behind", e.Name())
		}
		if e.Type().IsRegular() && e.Name() != "key.txt" && e.Name() != "utf16.raw" {
			written += ts.ReadFile(e.Name())
		}
	}
	storytest.NotWritten(ts, written, key)
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.wrong) > 0 {
		ts.Fatalf("against the rules of the verifier: %q", v.wrong)
	}
}

func requests(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: requests n")
	}
	if n := of(ts).now().requests(); strconv.Itoa(n) != args[0] {
		ts.Fatalf("the verifier was asked %d times", n)
	}
}

func asked(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: asked n email")
	}
	v := of(ts).now()
	v.mu.Lock()
	defer v.mu.Unlock()
	if n := v.asked[args[1]]; strconv.Itoa(n) != args[0] {
		ts.Fatalf("the verifier was asked about it %d times", n)
	}
}

func crowd(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[0])
	if neg || err != nil || len(args) != 2 {
		ts.Fatalf("usage: crowd n file")
	}
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "ok%03d@x.example\n", i)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(b.String()), 0o600))
}

func seen(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(strings.Join(args, " "))
	if neg || err != nil {
		ts.Fatalf("usage: seen n")
	}
	for deadline := time.Now().Add(time.Minute); of(ts).now().requests() < n; time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			ts.Fatalf("the verifier was asked %d times", of(ts).now().requests())
		}
	}
}

func private(ts *testscript.TestScript, neg bool, args []string) {
	info, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	if neg || os.PathSeparator == '/' && info.Mode().Perm() != 0o600 {
		ts.Fatalf("its mode is %v", info.Mode())
	}
}
