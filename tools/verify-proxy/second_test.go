package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"marketingskills/app/rest"
	"marketingskills/app/verify"
	"marketingskills/tools/internal/verifiers"
)

// mailcheck is a verifier that does not exist, with an interface of its own: two
// requests a second, other words for what becomes of an email, no lists.
type mailcheck struct{ service *rest.Service }

func newMailcheck(c rest.Config) (verify.Verifier, error) {
	c.Name = "Mailcheck"
	service, err := rest.New(c)
	return mailcheck{service}, err
}

func (mailcheck) Limit() int { return 2 }

func (m mailcheck) Verify(ctx context.Context, address string) (verify.Result, error) {
	r := rest.Request{Attempt: "check an email with Mailcheck", URL: m.service.At("/check/"+address, ""), Most: 1000, Private: address}
	got, err := m.service.Send(ctx, r)
	if err != nil {
		return verify.Result{}, err
	}
	if got.Status == http.StatusForbidden {
		return verify.Result{}, m.service.Fail(r, verify.ErrKey, got.Status, string(got.Body))
	}
	state := map[string]verify.State{"deliverable": verify.OK, "undeliverable": verify.EmailInvalid, "catch-all": verify.AcceptAll}[string(got.Body)]
	return verify.Result{Address: address, State: state}, nil
}

func (m mailcheck) Account(context.Context) (verify.Account, error) {
	return verify.Account{Name: "Ann of Mailcheck"}, nil
}

// TestSecondVerifier: another verifier is a package, which is the type above, and
// a line. The proxy speaks the same interface in front of it, at its pace.
func TestSecondVerifier(t *testing.T) {
	verifiers.Known["mailcheck"] = newMailcheck
	defer delete(verifiers.Known, "mailcheck")
	var mu sync.Mutex
	var arrivals []time.Time
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		arrivals = append(arrivals, time.Now())
		mu.Unlock()
		switch {
		case r.Header.Get("Authorization") != "Bearer "+apiKey:
			w.WriteHeader(http.StatusForbidden)
		case strings.Contains(r.URL.Path, "gone"):
			fmt.Fprint(w, "undeliverable")
		case strings.Contains(r.URL.Path, "any"):
			fmt.Fprint(w, "catch-all")
		default:
			fmt.Fprint(w, "deliverable")
		}
	}))
	defer service.Close()
	p := start(t, map[string]string{"VERIFY_SERVICE": "mailcheck", "VERIFY_URL": service.URL, "VERIFY_API_KEY": apiKey})
	began := time.Now()
	var all sync.WaitGroup
	for address, want := range map[string]verify.State{"ann@mail.example": verify.OK, "gone@mail.example": verify.EmailInvalid, "any@mail.example": verify.AcceptAll,
		"ben@mail.example": verify.OK, "cy@mail.example": verify.OK} {
		all.Go(func() {
			if r := resultOf(t, p.send(t, "POST", inlineOf(address), "")); r.State != want || r.Address != address {
				t.Errorf("%s: %+v", address, r)
			}
		})
	}
	all.Wait()
	if took := time.Since(began); took < 2*time.Second || len(arrivals) != 5 {
		t.Errorf("%d requests after %v", len(arrivals), took)
	}
	if got := p.send(t, "GET", "/me", ""); got.status != 200 || !strings.Contains(got.body, "Ann of Mailcheck") {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := p.send(t, "POST", "/api/v1/verify", `{"emails":["ann@mail.example"]}`); got.status != 501 || !strings.Contains(got.body, "takes no lists") {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := p.send(t, "POST", inlineOf("ann@mail.example"), ""); got.header.Get(verify.HeaderSource) != "remembered" || !json.Valid([]byte(got.body)) {
		t.Errorf("%v %s", got.header, got.body)
	}
}
