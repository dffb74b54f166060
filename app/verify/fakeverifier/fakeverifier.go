// Package fakeverifier is an email verifier for tests, which behaves as the
// real one is documented: three paths, a key, ten requests a second and path in
// any sliding second, secrets in the answer of /me, and its faults.
package fakeverifier

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"marketingskills/app/verify"
)

// Secrets that only the account's owner may see: both stand in the answer of
// /me.
const (
	AccountToken = "account-token-4f1d"
	AccountKey   = "account-key-90ab"
)

// Fault is something that goes wrong.
type Fault string

// The faults. Their names are what a test prints.
const (
	None        Fault = ""
	BadKey      Fault = "401"
	Payment     Fault = "402"
	TooMany     Fault = "429"
	Pause       Fault = "429 with Retry-After: 2"
	LongPause   Fault = "429 with Retry-After: 3600"
	Broken      Fault = "500"
	Page        Fault = "HTML"
	NotJSON     Fault = "JSON that breaks off"
	Huge        Fault = "an answer without an end"
	Dropped     Fault = "a dropped connection"
	Silent      Fault = "no answer"
	EchoesKey   Fault = "500 that repeats the key"
	EchoesEmail Fault = "429 that repeats the emails in capitals"
	Stranger    Fault = "an answer about somebody else"
)

// Verifier is the service. Its zero value takes every key and has no faults.
type Verifier struct {
	// Key is the only key it takes; "" takes all.
	Key string
	// Latency is how long it thinks.
	Latency time.Duration
	// Hold keeps it from answering until it is closed, unless it is nil. Who leaves
	// meanwhile has asked for nothing.
	Hold <-chan struct{}
	// Fault decides what goes wrong with the n-th request, from 1; nil is
	// nothing.
	Fault func(n int, r *http.Request) Fault

	mu       sync.Mutex
	requests int
	arrivals map[string][]time.Time // by path
	asked    []string
	bodies   [][]byte
	refused  int
}

// Asked returns the addresses of the inline calls that were answered, in order.
func (v *Verifier) Asked() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.asked)
}

// Bodies returns the bodies of the bulk calls.
func (v *Verifier) Bodies() [][]byte {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.bodies)
}

// Refused is how many requests came too fast.
func (v *Verifier) Refused() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.refused
}

// Arrivals returns when the requests of a path came, in order.
func (v *Verifier) Arrivals(path string) []time.Time {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.arrivals[path])
}

// Densest is the largest number of arrivals in any second.
func Densest(arrivals []time.Time) int {
	densest, first := 0, 0
	for last := range arrivals {
		for arrivals[last].Sub(arrivals[first]) >= time.Second {
			first++
		}
		densest = max(densest, last-first+1)
	}
	return densest
}

// arrive notes a request and decides what goes wrong with it.
func (v *Verifier) arrive(r *http.Request) Fault {
	now := time.Now()
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.arrivals == nil {
		v.arrivals = map[string][]time.Time{}
	}
	before := v.arrivals[r.URL.Path]
	v.arrivals[r.URL.Path] = append(before, now)
	v.requests++
	if n := len(before); n >= 10 && now.Sub(before[n-10]) < time.Second {
		v.refused++
		return TooMany
	}
	if v.Fault != nil {
		return v.Fault(v.requests, r)
	}
	return None
}

func (v *Verifier) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fault := v.arrive(r)
	given, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if v.Key != "" && given != v.Key {
		fault = BadKey
	}
	if fault == None {
		select {
		case <-time.After(v.Latency):
		case <-r.Context().Done():
			return
		}
		if v.Hold != nil {
			select {
			case <-v.Hold:
			case <-r.Context().Done():
				return
			}
		}
		v.answer(w, r)
		return
	}
	v.fail(w, r, fault, given)
}

func (v *Verifier) fail(w http.ResponseWriter, r *http.Request, fault Fault, key string) {
	switch fault {
	case BadKey:
		say(w, http.StatusUnauthorized, "Invalid API key")
	case Payment:
		say(w, http.StatusPaymentRequired, "Payment required")
	case TooMany:
		say(w, http.StatusTooManyRequests, "Rate limit exceeded")
	case Pause:
		w.Header().Set("Retry-After", "2")
		say(w, http.StatusTooManyRequests, "Rate limit exceeded")
	case LongPause:
		w.Header().Set("Retry-After", "3600")
		say(w, http.StatusTooManyRequests, "Rate limit exceeded")
	case Broken:
		say(w, http.StatusInternalServerError, "Internal server error")
	case EchoesKey:
		say(w, http.StatusInternalServerError, "Cannot handle the request of key "+key)
	case EchoesEmail:
		body, _ := io.ReadAll(r.Body)
		say(w, http.StatusTooManyRequests, "Too many checks of "+strings.ToUpper(r.URL.Query().Get("email")+string(body)))
	case Page:
		_, _ = io.WriteString(w, "<!doctype html><title>Maintenance</title>")
	case NotJSON:
		_, _ = io.WriteString(w, `{"emails":[{"address":"a@`)
	case Huge:
		for line := []byte(strings.Repeat(" ", 64<<10)); r.Context().Err() == nil; {
			if _, err := w.Write(line); err != nil {
				return
			}
		}
	case Stranger:
		_ = json.NewEncoder(w).Encode(map[string]any{"emails": []any{answerAbout("stranger@elsewhere.example")}})
	case Dropped:
		panic(http.ErrAbortHandler)
	case Silent:
		<-r.Context().Done()
	}
}

func say(w http.ResponseWriter, status int, words string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"error":%q}`, words)
}

func (v *Verifier) answer(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	switch r.Method + " " + r.URL.Path {
	case "POST /api/v1/verify_inline":
		address := r.URL.Query().Get("email")
		v.note(func() { v.asked = append(v.asked, address) })
		_ = json.NewEncoder(w).Encode(map[string]any{"emails": []any{answerAbout(address)}})
	case "POST /api/v1/verify":
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		v.note(func() { v.bodies = append(v.bodies, body) })
		_, _ = io.WriteString(w, `{"batch":"submitted"}`)
	case "GET /me":
		_, _ = io.WriteString(w, `{"email":"ana@example.com","name":"Ana Example","uuid":"3f","time_zone":"UTC","is_admin_role":true,`+
			`"token":"`+AccountToken+`","api_keys":[{"name":"main","key":"`+AccountKey+`"}],`+
			`"account":{"name":"Example Ltd","payment_plan":"free","users":[{"email":"ben@example.com"}]}}`)
	default:
		say(w, http.StatusNotFound, "Not found")
	}
}

func (v *Verifier) note(do func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	do()
}

// answerAbout is what it says about an address, by the part before the @ up to a dot
// or plus: invalid, risky, unknown, all and role are what they are called,
// strange has a state nobody has heard of, everybody else is ok.
func answerAbout(address string) verify.Result {
	local, domain, _ := strings.Cut(address, "@")
	r := verify.Result{Address: address, Domain: domain, Canonical: address, MXRecord: "mx." + domain,
		VerifiedAt: "2026-11-22T10:00:00.000Z", State: verify.OK, SubState: verify.EmailOK}
	kind, _, _ := strings.Cut(strings.ReplaceAll(local, "+", "."), ".")
	switch kind {
	case "invalid":
		r.State, r.SubState = verify.EmailInvalid, verify.FailedSMTPCheck
	case "risky":
		r.State, r.SubState = verify.Risky, verify.IsDisposable
	case "unknown":
		r.State, r.SubState = verify.Unknown, verify.UnknownError
	case "all":
		r.State = verify.AcceptAll
	case "role":
		r.SubState = verify.IsRole
	case "strange":
		r.State, r.SubState = "quarantined", "failed_greylisted"
	}
	return r
}
