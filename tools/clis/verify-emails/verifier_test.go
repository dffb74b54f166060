package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"marketingskills/tools/internal/storytest"
)

// key is the verifier's. It is nowhere in what the command writes.
const key = "sk-story-key-0123456789abcdef"

// verifier behaves like the usual one: one email a request, ten requests in any
// second, errors as JSON. What it answers is decided by the
// part before the @: see answers.
type verifier struct {
	mu      sync.Mutex
	credits int // left; -1 is without end
	latency time.Duration
	status  int           // of all answers, 0 for the usual ones
	wait    time.Duration // of Retry-After
	after   int           // status holds from this request on
	times   int           // and for so many; 0 is without end
	drop    bool          // in place of status
	page    bool          // a web page answers
	broken  bool          // the answer breaks off
	source  string        // of answers, as a proxy names it
	limit   int           // requests in any second
	service http.Handler  // another one, in place of all that

	asked    map[string]int
	arrivals []time.Time
	before   int      // arrivals of earlier commands
	wrong    []string // what a client must not do
}

// answers has state and sub-state by what an email begins with.
var answers = map[string][2]string{
	"ok": {"ok", "email_ok"}, "risky": {"risky", "is_role"}, "unknown": {"unknown", "unknown_error"}, "accept": {"accept_all", "accept_all"},
	"bad": {"email_invalid", "failed_no_mailbox"}, "new": {"never_heard_of", "=cmd()"}, "leak": {"ok", "email_ok"},
}

// watch tells what the verifier saw late.
var watch storytest.Watch

func (v *verifier) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v.mu.Lock()
	n := len(v.arrivals) + 1
	v.arrivals = append(v.arrivals, time.Now())
	v.checkPace()
	if v.service != nil {
		v.mu.Unlock()
		v.service.ServeHTTP(w, r)
		return
	}
	email := r.FormValue("email")
	v.asked[email]++
	fault := (v.status > 0 || v.drop || v.page || v.broken) && n >= v.after && (v.times == 0 || n < v.after+v.times)
	if !fault && email != "" && v.credits == 0 {
		fault, v.status, v.after = true, http.StatusPaymentRequired, 0
	} else if !fault {
		v.credits--
	}
	v.check(r)
	latency, status, wait, drop, page, broken := v.latency, v.status, v.wait, v.drop, v.page, v.broken
	if v.source != "" {
		w.Header().Set("Verification-Source", v.source)
	}
	v.mu.Unlock()
	time.Sleep(latency)
	switch {
	case fault && drop:
		panic(http.ErrAbortHandler)
	case fault && broken:
		io.WriteString(w, `{"emails":[`)
	case fault && page:
		io.WriteString(w, "<!doctype html><h1>Welcome</h1>")
	case fault:
		if wait > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(int(wait/time.Second)))
		}
		if status/100 == 3 {
			w.Header().Set("Location", "https://elsewhere.example/")
		}
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"error":"it was %s\u001b[2J"}`, r.Header.Get("Authorization"))
	case r.Header.Get("Authorization") != "Bearer "+key:
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, `{"error":"Invalid API key"}`)
	case strings.HasPrefix(email, "request"):
		w.WriteHeader(http.StatusUnprocessableEntity)
		io.WriteString(w, `{"error":"cannot verify this"}`)
	case strings.HasPrefix(email, "down"):
		w.WriteHeader(http.StatusBadGateway)
	default:
		v.answer(w, email)
	}
}

// check and checkPace note what is against the rules; callers hold the lock.
func (v *verifier) check(r *http.Request) {
	if r.Method != http.MethodPost || r.URL.Path != "/api/v1/verify_inline" || strings.Contains(r.RequestURI, key) {
		v.wrong = append(v.wrong, r.Method+" "+r.RequestURI)
	}
	if !strings.HasPrefix(r.UserAgent(), "verify-emails/") {
		v.wrong = append(v.wrong, "User-Agent "+r.UserAgent())
	}
}

func (v *verifier) checkPace() {
	if n := len(v.arrivals); n > v.before+v.limit {
		first, last := v.arrivals[n-1-v.limit], v.arrivals[n-1]
		if within := last.Sub(first); within+watch.Late(first, last) < time.Second {
			v.wrong = append(v.wrong, fmt.Sprintf("%d requests within %s", v.limit+1, within))
		}
	}
}

func (v *verifier) answer(w io.Writer, email string) {
	state := answers["ok"]
	for begin, s := range answers {
		if strings.HasPrefix(email, begin) {
			state = s
		}
	}
	meant := any(nil)
	if strings.HasPrefix(email, "leak") {
		meant = key
	}
	_, domain, _ := strings.Cut(email, "@")
	_ = json.NewEncoder(w).Encode(map[string]any{"emails": []any{map[string]any{"address": email, "domain": domain, "canonical": email,
		"mx_record": nil, "email_state": state[0], "email_sub_state": state[1], "verified_at": "2026-11-03T10:00:00Z", "did_you_mean": meant}}})
}

func (v *verifier) requests() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.arrivals)
}

// names is the domain name system of the stories.
type names struct{}

func (names) LookupMX(_ context.Context, name string) ([]*net.MX, error) {
	switch {
	case strings.HasPrefix(name, "gone."):
		return nil, &net.DNSError{Err: "no such host", IsNotFound: true}
	case strings.HasPrefix(name, "null."):
		return []*net.MX{{Host: "."}}, nil
	case strings.HasPrefix(name, "silent."):
		return nil, &net.DNSError{Err: "timed out", IsTimeout: true}
	}
	return []*net.MX{{Host: "mail.example."}}, nil
}

func (names) LookupIPAddr(context.Context, string) ([]net.IPAddr, error) {
	return nil, &net.DNSError{Err: "no such host", IsNotFound: true}
}

func (names) LookupNS(_ context.Context, name string) ([]*net.NS, error) {
	if name != "com." {
		return nil, errors.New("asked for " + name)
	}
	return []*net.NS{{Host: "ns.example."}}, nil
}
