// Package verifytest tests clients of verifiers.
//
// [TestVerifier] plays a service to its client and holds that to the contract of
// [verify.Verifier]. The client's own tests have what is left: what it asks for,
// and what only this service does. Package madeup is an example.
package verifytest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"marketingskills/app/rest"
	"marketingskills/app/verify"
)

// Dialect is how a service speaks, which is JSON, and the client that speaks it.
type Dialect struct {
	// New makes the client.
	New func(rest.Config) (verify.Verifier, error)
	// Words are those that the service has for the state of an email, and what the
	// client makes of them.
	Words map[string]verify.State
	// Result is the service's answer about an email for which it has a word.
	Result func(address, word string) string
	// Account is its answer to the question whose the key is.
	Account string
	// Failure is its answer when something went wrong, with its words for that.
	Failure func(words string) string
	// Kinds are as in [verify.JSONClient].
	Kinds map[int]*rest.Kind
}

// TestVerifier returns what a client does against the contract, nil if nothing.
// It takes part of a second.
func TestVerifier(d Dialect) error {
	r := &report{Dialect: d}
	v, err := r.client("https://api.example", http.DefaultClient)
	if err != nil {
		return fmt.Errorf("making the client: %w", err)
	}
	if limit := v.Limit(); limit < 1 {
		r.add("Limit: it is %d; it must be 1 or more", limit)
	}
	calls := []call{verifying, accounting}
	if _, ok := v.(verify.Submitter); ok {
		calls = append(calls, submitting)
	}
	r.checkWords()
	r.checkNoState()
	for _, c := range calls {
		r.checkStatuses(c)
		r.checkConnections(c)
	}
	for _, c := range []call{verifying, accounting} { // what Submit is answered may mean anything
		r.checkGarbage(c)
		r.checkSecrets(c)
	}
	return errors.Join(r.problems...)
}

const (
	key     = "sk-key-of-the-test-0123456789"
	local   = "ann.tag"
	address = local + "@mail.example"
)

// call is one of a method of the client.
type call struct {
	method string
	make   func(context.Context, verify.Verifier) (any, error)
}

var (
	verifying  = call{"Verify", func(ctx context.Context, v verify.Verifier) (any, error) { return v.Verify(ctx, address) }}
	accounting = call{"Account", func(ctx context.Context, v verify.Verifier) (any, error) { return v.Account(ctx) }}
	submitting = call{"Submit", func(ctx context.Context, v verify.Verifier) (any, error) {
		return nil, v.(verify.Submitter).Submit(ctx, []string{address})
	}}
)

// report collects what is against the contract.
type report struct {
	Dialect
	problems []error
}

func (r *report) add(format string, a ...any) {
	r.problems = append(r.problems, fmt.Errorf(format, a...))
}

func (r *report) client(base string, doer rest.Doer) (verify.Verifier, error) {
	return r.New(rest.Config{Base: base, Secret: rest.NewSecret(key), Doer: doer, Timeout: time.Minute, UserAgent: "verifytest/1"})
}

// play makes a call to a service that a handler plays, and looks at the request.
func (r *report) play(ctx context.Context, c call, service http.HandlerFunc) (any, error) {
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		requests++
		body, _ := io.ReadAll(q.Body)
		if said := fmt.Sprint(q.Header); strings.Count(said, key) != 1 || strings.Contains(q.RequestURI+string(body), key) {
			r.add("%s: the key must be in one header and nowhere else", c.method)
		}
		service(w, q)
	}))
	defer server.Close()
	doer := server.Client()
	doer.CheckRedirect = rest.NoRedirects
	v, err := r.client(server.URL, doer)
	if err != nil {
		return nil, err
	}
	result, err := c.make(ctx, v)
	server.Close() // the handler has ended
	if requests != 1 {
		r.add("%s: it sent %d requests; each call sends one", c.method, requests)
	}
	return result, err
}

// answers plays a service that has one answer.
func answers(status int, header http.Header, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for name := range header {
			w.Header().Set(name, header.Get(name))
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// says has the client verify an email about which the service says something.
func (r *report) says(body string) (verify.Result, error) {
	result, err := r.play(context.Background(), verifying, answers(http.StatusOK, nil, body))
	of, _ := result.(verify.Result)
	return of, err
}
