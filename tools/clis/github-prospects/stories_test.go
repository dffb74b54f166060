package main

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"marketingskills/app/prospect/fakehost"
	"marketingskills/tools/internal/storytest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"github-prospects": func() {
		storytest.InterruptAfter(os.Getenv("GITHUB_API_URL"))
		os.Exit(start())
	}})
}

// stage is an address with a code host behind it that a story can exchange.
type stage struct {
	mu   sync.Mutex
	host *fakehost.Host
}

func (s *stage) now() *fakehost.Host {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.host
}

func (s *stage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host := s.now()
	if r.URL.Path == "/_seen" {
		for n, _ := strconv.Atoi(r.FormValue("n")); host.Count().Requests < n && r.Context().Err() == nil; {
			time.Sleep(2 * time.Millisecond)
		}
		return
	}
	host.ServeHTTP(w, r)
}

// TestStories runs testdata/*.txt. Every story has a code host of its own,
// with 250 people around octo/tool, and no token. Beyond testscript's own
// commands there are
//
//	host setting=value…          another code host at the same address, see settings
//	exits status command…        the command ends with this status
//	requests n [part of path]    the host was asked so often
//	lines n file [pattern]       a file has so many lines (with the text in it)
//	seen n                       waits until the host was asked so often
//
// and the environment variable INTERRUPT_AFTER: Ctrl-C after so many requests.
// After every command, nothing it wrote contains the token.
func TestStories(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			s := &stage{host: &fakehost.Host{People: fakehost.Crowd(250)}}
			server := httptest.NewServer(s)
			env.Defer(server.Close)
			env.Values["stage"] = s
			env.Setenv("GITHUB_API_URL", server.URL)
			env.Setenv("GITHUB_TOKEN", "")
			env.Setenv("TOKEN", fakehost.Token)
			env.Setenv("NO_PROXY", "*")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"host": setHost, "exits": exits, "requests": requests, "lines": storytest.Lines, "seen": seen,
		},
	})
}

func of(ts *testscript.TestScript) *stage { return ts.Value("stage").(*stage) }

// settings are the words of the command host.
var settings = map[string]func(h *fakehost.Host, value string, n int){
	"people":  func(h *fakehost.Host, _ string, n int) { h.People = fakehost.Crowd(n) },
	"hostile": func(h *fakehost.Host, _ string, _ int) { h.People = fakehost.Hostile() },
	"quota":   func(h *fakehost.Host, _ string, n int) { h.Quota = n },
	"unlimited": func(h *fakehost.Host, _ string, _ int) {
		h.Unlimited = true
		h.Faults = append(h.Faults, &fakehost.Fault{Path: "/rate_limit", Status: http.StatusNotFound})
	},
	"moved": func(h *fakehost.Host, _ string, _ int) {
		h.Faults = append(h.Faults, &fakehost.Fault{Kind: fakehost.ForeignMove})
	},
	"drift":      func(h *fakehost.Host, _ string, n int) { h.Drift = n },
	"pagelimit":  func(h *fakehost.Host, _ string, n int) { h.PageLimit = n },
	"foreign":    func(h *fakehost.Host, _ string, _ int) { h.ForeignLink = true },
	"missing":    func(h *fakehost.Host, _ string, _ int) { h.Missing = true },
	"saml":       func(h *fakehost.Host, _ string, _ int) { h.SAML = true },
	"oldname":    func(h *fakehost.Host, value string, _ int) { h.OldName = value },
	"restricted": func(h *fakehost.Host, _ string, n int) { h.Restriction = fakehost.Restriction(n) },
	"latency":    func(h *fakehost.Host, _ string, n int) { h.Latency = time.Duration(n) * time.Millisecond },
	"window":     func(h *fakehost.Host, _ string, n int) { h.Window = time.Duration(n) * time.Second },
	// fail=/users/person-00003 answers 502 there, again and again
	"fail": func(h *fakehost.Host, value string, _ int) {
		h.Faults = append(h.Faults, &fakehost.Fault{Path: value, Status: 502})
	},
	// pause=10 answers the tenth request with a secondary limit of a second
	"pause": func(h *fakehost.Host, _ string, n int) {
		h.Faults = append(h.Faults, &fakehost.Fault{From: n, Times: 1, Kind: fakehost.Secondary, Wait: time.Second})
	},
	// drop=200 drops every connection from that request on
	"drop": func(h *fakehost.Host, _ string, n int) {
		h.Faults = append(h.Faults, &fakehost.Fault{From: n, Kind: fakehost.Drop})
	},
}

func setHost(ts *testscript.TestScript, neg bool, args []string) {
	h := &fakehost.Host{People: fakehost.Crowd(250)}
	for _, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		set := settings[name]
		if set == nil || neg {
			ts.Fatalf("there is no setting %s", name)
		}
		n, _ := strconv.Atoi(value)
		set(h, value, n)
	}
	s := of(ts)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.host = h
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	storytest.Exits(ts, neg, args)
	written := ts.ReadFile("stdout") + ts.ReadFile("stderr")
	entries, err := os.ReadDir(ts.MkAbs("."))
	ts.Check(err)
	for _, e := range entries {
		if e.Type().IsRegular() {
			content, err := os.ReadFile(ts.MkAbs(e.Name()))
			if err != nil && !errors.Is(err, fs.ErrNotExist) { // a lock of a run that has just ended
				ts.Fatalf("%v", err)
			}
			written += string(content)
		}
	}
	storytest.NotWritten(ts, written, fakehost.Token)
	if c := of(ts).now().Count(); c.InPenalty+c.OverPace+c.Leaks > 0 {
		ts.Fatalf("against the rules of the house: %+v", c)
	}
}

func requests(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: requests n [part of path]")
	}
	part := append(args, "/")[1]
	n := 0
	for path, times := range of(ts).now().Count().ByPath {
		if strings.Contains(path, part) {
			n += times
		}
	}
	if strconv.Itoa(n) != args[0] {
		ts.Fatalf("the host was asked %d times", n)
	}
}

func seen(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(strings.Join(args, " "))
	if neg || err != nil {
		ts.Fatalf("usage: seen n")
	}
	for deadline := time.Now().Add(time.Minute); of(ts).now().Count().Requests < n; time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			ts.Fatalf("the host was asked %d times", of(ts).now().Count().Requests)
		}
	}
}
