package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"marketingskills/app/verify"
	"marketingskills/app/verify/fakeverifier"
	"marketingskills/app/verify/verifytest/madeup"
)

// TestMadeUpVerifier: the proxy speaks the same interface in front of another
// verifier, at that one's pace, and says that it takes no lists.
func TestMadeUpVerifier(t *testing.T) {
	var mu sync.Mutex
	var arrivals []time.Time
	fake := madeup.Fake(apiKey)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		arrivals = append(arrivals, time.Now())
		mu.Unlock()
		fake.ServeHTTP(w, r)
	}))
	defer service.Close()
	p := start(t, map[string]string{"VERIFY_SERVICE": "madeup", "VERIFY_URL": service.URL, "VERIFY_API_KEY": apiKey})
	var all sync.WaitGroup
	for address, want := range map[string]verify.State{"ann@mail.example": verify.OK, "gone@mail.example": verify.EmailInvalid, "any@mail.example": verify.AcceptAll,
		"trap@mail.example": "trap", "cy@mail.example": verify.OK} {
		all.Go(func() {
			if r := resultOf(t, p.send(t, "POST", inlineOf(address), "")); r.State != want || r.Address != address {
				t.Errorf("%s: %+v", address, r)
			}
		})
	}
	all.Wait()
	if most := fakeverifier.Densest(arrivals); most > 2 || len(arrivals) != 5 {
		t.Errorf("%d requests, %d in a second", len(arrivals), most)
	}
	for _, c := range []struct {
		call   string
		status int
		want   string
	}{
		{"GET /me", 200, `"name":"Ann of Madeup"`},
		{"GET /healthz", 200, `{"status":"ok","key":true,"token":false,"lists":false,"limit":2}`},
		{"POST /api/v1/verify", 405, "the verifier takes no lists; verify emails one by one at /api/v1/verify_inline"},
		{"POST " + inlineOf("broke@mail.example"), 402, "add credits"},
		{"POST " + inlineOf("busy@mail.example"), 429, "asks for a pause"},
	} {
		method, target, _ := strings.Cut(c.call, " ")
		got := p.send(t, method, target, `{"emails":["ann@mail.example"]}`)
		if got.status != c.status || !strings.Contains(got.body, c.want) || got.status == 405 && got.header.Get("Allow") != "OPTIONS" {
			t.Errorf("%s: %d %v %s", c.call, got.status, got.header, got.body)
		}
	}
	if got := p.send(t, "POST", inlineOf("ann@mail.example"), ""); got.header.Get(verify.HeaderSource) != "remembered" {
		t.Errorf("%v %s", got.header, got.body)
	}
}
