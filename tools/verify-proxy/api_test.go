package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"marketingskills/app/verify"
	"marketingskills/app/verify/fakeverifier"
)

// resultOf reads an inline answer.
func resultOf(t *testing.T, a answer) verify.Result {
	t.Helper()
	var body struct{ Emails []verify.Result }
	if err := json.Unmarshal([]byte(a.body), &body); err != nil || len(body.Emails) != 1 || a.status != http.StatusOK {
		t.Fatalf("%d %s", a.status, a.body)
	}
	return body.Emails[0]
}

// TestAnswers: what each path answers, and how it refuses what it does not
// understand.
func TestAnswers(t *testing.T) {
	p := withVerifier(t, new(fakeverifier.Verifier), nil)
	long := strings.Repeat("x", maxBody+1)
	for _, c := range []struct {
		method, target, body string
		status               int
		want                 string // in the answer
	}{
		{"POST", inlineOf("ann@mail.example"), "", 200, `"email_state":"ok"`},
		{"POST", inlineOf("ann%2Btag@mail.example"), "", 200, `"address":"ann+tag@mail.example"`},
		{"POST", inlineOf("strange@mail.example"), "", 200, `"email_state":"quarantined","email_sub_state":"failed_greylisted"`},
		{"POST", inlineOf("no-at-sign"), "", 200, `"email_state":"email_invalid"`},
		{"POST", inlineOf("%22a+b%22@mail.example"), "", 200, `"email_state":"ok"`},
		{"POST", inlineOf("ann+tag@mail.example"), "", 400, "%2B"},
		{"POST", inlineOf("a@b.example,c@d.example"), "", 400, "one email only"},
		{"POST", inlineOf(""), "", 400, "name one email"},
		{"POST", "/api/v1/verify_inline", "", 400, "name one email"},
		{"POST", inlineOf("a@b.example") + "&email=c@d.example", "", 400, "name one email"},
		{"POST", inlineOf("%zz"), "", 400, "name one email"},
		{"POST", inlineOf("ann@mail.example"), long, 413, "64,000"},
		{"GET", inlineOf("ann@mail.example"), "", 405, "only answers POST"},
		{"DELETE", "/api/v1/verify", "", 405, "only answers POST"},
		{"POST", "/me", "", 405, "only answers GET"},
		{"HEAD", "/me", "", 405, ""},
		{"POST", "/healthz", "", 405, "only answers GET"},
		{"GET", "/healthz", "", 200, `{"status":"ok","key":true,"token":false,"lists":true,"limit":10}`},
		{"GET", "/me", "", 200, `{"name":"Ana Example","email":"ana@example.com","uuid":"3f","time_zone":"UTC","is_admin_role":true,` +
			`"account":{"name":"Example Ltd","payment_plan":"free"}}`},
		{"POST", "/api/v1/verify", `{"emails":["ann@mail.example"]}`, 200, `{"submitted":1}`},
		{"POST", "/api/v1/verify", `{"emails":[]}`, 400, "not a list"},
		{"POST", "/api/v1/verify", `{"emails":"ann@mail.example"}`, 400, "not a list"},
		{"POST", "/api/v1/verify", `{"emails":["a@b.example"]} {"emails":[]}`, 400, "not a list"},
		{"POST", "/api/v1/verify", "", 400, "not a list"},
		{"POST", "/api/v1/verify", strings.Repeat(" ", maxBulkBody+1), 413, "longer than"},
		{"POST", "/api/v1/verify", `{"emails":["a"` + strings.Repeat(`,"a"`, mostBulk) + `]}`, 413, "10,000"},
		{"POST", "/api/v1/verify/", "", 404, "nothing at this path"},
		{"POST", "/api/v2/verify", "", 404, "nothing at this path"},
		{"GET", "/api/", "", 404, "nothing at this path"},
		{"GET", "/api/v1/../../me", "", 404, ""},
		{"GET", "//me", "", 404, ""},
	} {
		got := p.send(t, c.method, c.target, c.body)
		if want := strings.ReplaceAll(c.want, "64,000", "65,536"); got.status != c.status || !strings.Contains(got.body, want) {
			t.Errorf("%s %.80s: %d %s, want %d and %s", c.method, c.target, got.status, got.body, c.status, want)
		}
		if got.status == 405 && got.header.Get("Allow") == "" {
			t.Errorf("%s %s: it does not say which methods it answers", c.method, c.target)
		}
		if strings.HasPrefix(c.target, "/api") && got.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s %s may be stored", c.method, c.target)
		}
	}
}

// TestFaults: what a caller is told when the verifier fails.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		fault  fakeverifier.Fault
		status int
		want   string
		retry  string
	}{
		{fakeverifier.BadKey, 502, "set VERIFY_API_KEY to a valid one", ""},
		{fakeverifier.Payment, 402, `{"error":"Payment required"}`, ""},
		{fakeverifier.Pause, 429, "asks for a pause", "2"},
		{fakeverifier.TooMany, 429, "asks for a pause", "1"},
		{fakeverifier.Broken, 502, "the verifier failed; try again later (it says: Internal server error)", ""},
		{fakeverifier.EchoesKey, 502, "Cannot handle the request of key [secret]", ""},
		{fakeverifier.Page, 502, "check VERIFY_URL", ""},
		{fakeverifier.NotJSON, 502, "not the JSON", ""},
		{fakeverifier.Huge, 502, "longer than 1 MiB", ""},
		{fakeverifier.Dropped, 502, "cannot be reached", ""},
		{fakeverifier.Stranger, 502, "the answer is about another email", ""},
	} {
		// A pause would hold the next case up.
		p := withVerifier(t, &fakeverifier.Verifier{Fault: func(int, *http.Request) fakeverifier.Fault { return c.fault }}, nil)
		for _, call := range []string{"POST " + inlineOf("ann@mail.example"), "GET /me"} {
			if slices.Contains([]fakeverifier.Fault{fakeverifier.TooMany, fakeverifier.Pause, fakeverifier.Stranger}, c.fault) && call == "GET /me" {
				continue
			}
			method, target, _ := strings.Cut(call, " ")
			got := p.send(t, method, target, "")
			if got.status != c.status || !strings.Contains(got.body, c.want) || got.header.Get("Retry-After") != c.retry {
				t.Errorf("%s, %s: %d %s, Retry-After %q", c.fault, call, got.status, got.body, got.header.Get("Retry-After"))
			}
		}
	}
}

// TestNothingWasSpent: callers learn when they may ask again without paying
// twice.
func TestNothingWasSpent(t *testing.T) {
	gone := httptest.NewServer(nil)
	gone.Close()
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "60")
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer busy.Close()
	for target, want := range map[string]string{gone.URL: "cannot be reached", busy.URL: "the verifier failed"} {
		p := start(t, map[string]string{"VERIFY_URL": target, "VERIFY_API_KEY": apiKey})
		got := p.send(t, "POST", inlineOf("ann@mail.example"), "")
		if got.status != http.StatusServiceUnavailable || got.header.Get("Retry-After") != "5" || !strings.Contains(got.body, want) {
			t.Errorf("%d %s, Retry-After %q", got.status, got.body, got.header.Get("Retry-After"))
		}
	}
}

// TestPauseIsObeyed: while the verifier wants a pause, nothing reaches it.
func TestPauseIsObeyed(t *testing.T) {
	v := &fakeverifier.Verifier{Fault: func(n int, _ *http.Request) fakeverifier.Fault {
		if n == 1 {
			return fakeverifier.Pause
		}
		return fakeverifier.None
	}}
	p := withVerifier(t, v, nil)
	p.send(t, "POST", inlineOf("ann@mail.example"), "")
	if got := p.send(t, "POST", inlineOf("ann@mail.example"), ""); got.status != 200 {
		t.Fatalf("%d %s", got.status, got.body)
	}
	if at := v.Arrivals(pathInline); len(at) != 2 || at[1].Sub(at[0]) < 2*time.Second {
		t.Errorf("it came back after %v", at[1].Sub(at[0]))
	}
}

// TestLongPause: when the verifier wants a long one, nobody waits for its end.
func TestLongPause(t *testing.T) {
	v := &fakeverifier.Verifier{Fault: func(int, *http.Request) fakeverifier.Fault { return fakeverifier.LongPause }}
	p := withVerifier(t, v, nil)
	for range 2 {
		got := p.send(t, "POST", inlineOf("ann@mail.example"), "")
		if seconds, _ := strconv.Atoi(got.header.Get("Retry-After")); got.status != http.StatusTooManyRequests || seconds < 3590 {
			t.Errorf("%d %s, Retry-After %d", got.status, got.body, seconds)
		}
	}
	if n := len(v.Arrivals(pathInline)); n != 1 {
		t.Errorf("the verifier was asked %d times", n)
	}
}

// TestSecretsStayInside searches all that the proxy says for the key, the
// token, the secrets of the account and, in what it logs, the addresses.
func TestSecretsStayInside(t *testing.T) {
	faults := []fakeverifier.Fault{fakeverifier.None, fakeverifier.EchoesKey, fakeverifier.BadKey, fakeverifier.Payment, fakeverifier.Broken,
		fakeverifier.Page, fakeverifier.NotJSON, fakeverifier.Dropped, fakeverifier.EchoesEmail, fakeverifier.Pause}
	for _, fault := range faults {
		v := &fakeverifier.Verifier{Fault: func(int, *http.Request) fakeverifier.Fault { return fault }}
		p := withVerifier(t, v, map[string]string{"PROXY_TOKEN": proxyToken})
		var said strings.Builder
		for _, call := range []string{
			"POST " + inlineOf("ann.secret@mail.example"), "POST /api/v1/verify", "GET /me", "GET /healthz", "GET /debug/vars",
			"GET /nowhere", "GET /api/" + "x",
		} {
			method, target, _ := strings.Cut(call, " ")
			for _, authorization := range []string{"Bearer " + proxyToken, "Bearer wrong"} {
				got := p.send(t, method, target, `{"emails":["ben.secret@mail.example"]}`, "Authorization: "+authorization)
				fmt.Fprintln(&said, got.header, got.body)
			}
		}
		if err := p.stop(); err != nil {
			t.Error(err)
		}
		logged := p.log.String()
		for _, secret := range []string{apiKey, proxyToken, fakeverifier.AccountToken, fakeverifier.AccountKey, "ben@example.com"} {
			if strings.Contains(said.String()+logged, secret) {
				t.Errorf("%s: %s came out", fault, secret)
			}
		}
		for _, private := range []string{"ann.secret", "ben.secret", "email="} {
			if strings.Contains(strings.ToLower(logged), private) {
				t.Errorf("%s: %s is in the log:\n%s", fault, private, logged)
			}
		}
		if !strings.Contains(logged, "path=/api/v1/verify_inline status=") {
			t.Errorf("%s: the log is empty:\n%s", fault, logged)
		}
	}
}

// TestBulkPassesAddressesOnly: other fields could send the results elsewhere.
func TestBulkPassesAddressesOnly(t *testing.T) {
	v := new(fakeverifier.Verifier)
	p := withVerifier(t, v, nil)
	p.send(t, "POST", "/api/v1/verify",
		`{"webhook_url":"https://evil.example","emails":["a@mail.example","b@mail.example"],"validation_strategy":"fast"}`)
	if bodies := v.Bodies(); len(bodies) != 1 || string(bodies[0]) != `{"emails":["a@mail.example","b@mail.example"]}` {
		t.Errorf("%s went on", bodies)
	}
}

// TestWithoutKey: free checks answer and say so; what needs the key says what
// is missing.
func TestWithoutKey(t *testing.T) {
	p := start(t, nil)
	for address, want := range map[string]string{
		"ann@mail.example": "unknown unknown_error", "info@mail.example": "unknown is_role", "x@mailinator.com": "risky is_disposable",
		"not-an-address": "email_invalid failed_smtp_check", "ann@nomail.example": "email_invalid failed_smtp_check",
	} {
		got := p.send(t, "POST", inlineOf(address), "")
		if r := resultOf(t, got); string(r.State)+" "+string(r.SubState) != want || got.header.Get(verify.HeaderSource) != "free-checks" {
			t.Errorf("%s: %s %s, %v", address, r.State, r.SubState, got.header)
		}
	}
	if got := p.send(t, "GET", "/healthz", ""); got.body != `{"status":"ok","key":false,"token":false,"lists":false}`+"\n" {
		t.Error(got.body)
	}
	for _, call := range []string{"GET /me", "POST /api/v1/verify"} {
		method, target, _ := strings.Cut(call, " ")
		if got := p.send(t, method, target, `{"emails":["a@mail.example"]}`); got.status != 501 || !strings.Contains(got.body, "VERIFY_API_KEY") {
			t.Errorf("%s: %d %s", call, got.status, got.body)
		}
	}
}

// TestCreditsAreSaved: what the free checks rule out is not asked.
func TestCreditsAreSaved(t *testing.T) {
	v := new(fakeverifier.Verifier)
	p := withVerifier(t, v, nil)
	for _, address := range []string{"not-an-address", "ann@nomail.example", "ann@mailinator.com"} {
		got := p.send(t, "POST", inlineOf(address), "")
		if r := resultOf(t, got); r.State == verify.Unknown || r.Reason == "" || got.header.Get(verify.HeaderSource) != "free-checks" {
			t.Errorf("%+v, %v", r, got.header)
		}
	}
	if asked := v.Asked(); len(asked) > 0 {
		t.Errorf("it asked about %q", asked)
	}
}

// TestRemembered: an address is asked about once, whatever the case of its
// domain, unless the answer was unknown, an error, or remembering is off.
func TestRemembered(t *testing.T) {
	for _, c := range []struct {
		remember string
		first    string
		asked    int
		source   string // of the second answer
	}{
		{"1h", "ann@mail.example", 1, "remembered"},
		{"1h", "unknown@mail.example", 2, "verifier"},
		{"0", "ann@mail.example", 2, "verifier"},
	} {
		v := new(fakeverifier.Verifier)
		p := withVerifier(t, v, nil, "--remember", c.remember)
		first := p.send(t, "POST", inlineOf(c.first), "")
		second := p.send(t, "POST", inlineOf(strings.Replace(c.first, "mail", "MAIL", 1)), "")
		if len(v.Asked()) != c.asked || first.header.Get(verify.HeaderSource) != "verifier" || second.header.Get(verify.HeaderSource) != c.source {
			t.Errorf("%+v: asked %q, from %s", c, v.Asked(), second.header.Get(verify.HeaderSource))
		}
		if r := resultOf(t, second); !strings.Contains(r.Address, "@MAIL.") || r.State != resultOf(t, first).State {
			t.Errorf("%+v: %+v", c, r)
		}
	}
}

// TestErrorsAreNotRemembered: after a failure the verifier is asked again.
func TestErrorsAreNotRemembered(t *testing.T) {
	v := &fakeverifier.Verifier{Fault: func(n int, _ *http.Request) fakeverifier.Fault {
		return []fakeverifier.Fault{fakeverifier.Broken, fakeverifier.None}[min(n-1, 1)]
	}}
	p := withVerifier(t, v, nil)
	if got := p.send(t, "POST", inlineOf("ann@mail.example"), ""); got.status != 502 {
		t.Error(got)
	}
	if got := p.send(t, "POST", inlineOf("ann@mail.example"), ""); got.status != 200 || got.header.Get(verify.HeaderSource) != "verifier" {
		t.Error(got)
	}
}

// TestStrangersAnswerIsNotRemembered: an answer about somebody else is nobody's.
func TestStrangersAnswerIsNotRemembered(t *testing.T) {
	v := &fakeverifier.Verifier{Fault: func(n int, _ *http.Request) fakeverifier.Fault {
		return []fakeverifier.Fault{fakeverifier.Stranger, fakeverifier.None}[min(n-1, 1)]
	}}
	p := withVerifier(t, v, nil)
	if got := p.send(t, "POST", inlineOf("invalid@mail.example"), ""); got.status != http.StatusBadGateway {
		t.Errorf("%d %s", got.status, got.body)
	}
	if r := resultOf(t, p.send(t, "POST", inlineOf("invalid@mail.example"), "")); r.State != verify.EmailInvalid {
		t.Errorf("it has the state of another: %+v", r)
	}
}

// leave sends a request and leaves once the verifier has it, or one equal to it.
func (p *proxy) leave(t *testing.T, v *fakeverifier.Verifier, target, body string) {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url+target, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for len(v.Arrivals(r.URL.Path)) == 0 && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(50 * time.Millisecond)
		leave()
	}()
	if response, err := http.DefaultTransport.RoundTrip(r); err == nil {
		response.Body.Close()
		t.Error("it answered before the verifier did")
	}
}

// TestCallersWhoLeave: what is paid for is answered and remembered, also if
// nobody waits for it. Three callers who give up one after the other, and a
// fourth who waits, cost one credit.
func TestCallersWhoLeave(t *testing.T) {
	answer := make(chan struct{})
	v := &fakeverifier.Verifier{Hold: answer}
	p := withVerifier(t, v, nil)
	for range 3 {
		p.leave(t, v, inlineOf("ann@mail.example"), "")
	}
	time.AfterFunc(50*time.Millisecond, func() { close(answer) })
	for range 2 {
		if r := resultOf(t, p.send(t, "POST", inlineOf("ann@mail.example"), "")); r.State != verify.OK {
			t.Errorf("%+v", r)
		}
	}
	if n := len(v.Arrivals(pathInline)); n != 1 {
		t.Errorf("the verifier was asked %d times", n)
	}
	if err := p.stop(); err != nil || !strings.Contains(p.log.String(), "path=/api/v1/verify_inline status=0 ") {
		t.Errorf("%v\n%s", err, p.log.String())
	}
}

// TestEndWaitsForLeavers: what is paid for is remembered for the other proxies,
// also if this one is told to end.
func TestEndWaitsForLeavers(t *testing.T) {
	redis := startRedis(t).address
	answer := make(chan struct{})
	v := &fakeverifier.Verifier{Hold: answer}
	env := map[string]string{"VERIFY_URL": serve(t, v), "VERIFY_API_KEY": apiKey, "REDIS_URL": redis}
	one, other := start(t, env), start(t, env)
	one.leave(t, v, inlineOf("ann@mail.example"), "")
	time.AfterFunc(50*time.Millisecond, func() { close(answer) })
	if err := one.stop(); err != nil {
		t.Error(err)
	}
	got := other.send(t, "POST", inlineOf("ann@mail.example"), "")
	if resultOf(t, got).State != verify.OK || got.header.Get(verify.HeaderSource) != "remembered" || len(v.Arrivals(pathInline)) != 1 {
		t.Errorf("%v after %d requests", got, len(v.Arrivals(pathInline)))
	}
}

// TestListOfLeaver: a list that the verifier has got is taken whole.
func TestListOfLeaver(t *testing.T) {
	answer := make(chan struct{})
	v := &fakeverifier.Verifier{Hold: answer}
	p := withVerifier(t, v, nil)
	p.leave(t, v, pathBulk, `{"emails":["ann@mail.example"]}`)
	time.AfterFunc(50*time.Millisecond, func() { close(answer) })
	if err := p.stop(); err != nil || len(v.Bodies()) != 1 {
		t.Errorf("%v, %d lists", err, len(v.Bodies()))
	}
}

// TestLeaversInTheQueue: who leaves before it is his turn costs nothing.
func TestLeaversInTheQueue(t *testing.T) {
	v := new(fakeverifier.Verifier)
	p := withVerifier(t, v, nil)
	for i := range limit {
		p.send(t, "POST", inlineOf(fmt.Sprintf("a%d@mail.example", i)), "")
	}
	ctx, leave := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer leave()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url+inlineOf("ann@mail.example"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if response, err := http.DefaultTransport.RoundTrip(r); err == nil {
		response.Body.Close()
		t.Error("an eleventh was answered in the same second")
	}
	p.send(t, "POST", inlineOf("ben@mail.example"), "")
	if asked := v.Asked(); slices.Contains(asked, "ann@mail.example") || len(asked) != limit+1 {
		t.Errorf("it asked about %q", asked)
	}
}

// TestEqualCallsAtOnce: they are asked once.
func TestEqualCallsAtOnce(t *testing.T) {
	const calls = 8
	for name, c := range map[string]struct {
		method string
		target func(i int) string
		body   string
		want   string
	}{
		"inline": {"POST", func(i int) string { return inlineOf("ann@mail." + []string{"example", "EXAMPLE"}[i%2]) }, "", `"email_state":"ok"`},
		"bulk":   {"POST", func(int) string { return pathBulk }, `{"emails":["ann@mail.example"]}`, `{"submitted":1}`},
		"me":     {"GET", func(int) string { return pathMe }, "", "Ana Example"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer := make(chan struct{})
			v := &fakeverifier.Verifier{Hold: answer}
			p := withVerifier(t, v, nil)
			var all sync.WaitGroup
			for i := range calls {
				all.Go(func() {
					got := p.send(t, c.method, c.target(i), c.body)
					if got.status != http.StatusOK || !strings.Contains(got.body, c.want) {
						t.Errorf("%d %s", got.status, got.body)
					}
					if name == "inline" && !strings.HasSuffix(c.target(i), resultOf(t, got).Address) {
						t.Errorf("asked %s: %s", c.target(i), got.body)
					}
				})
			}
			for !strings.Contains(p.send(t, "GET", "/debug/vars", "").body, fmt.Sprintf(`"calls under way":%d`, calls)) && t.Context().Err() == nil {
				time.Sleep(time.Millisecond)
			}
			time.Sleep(500 * time.Millisecond) // in which they pass what comes before the question
			close(answer)
			all.Wait()
			path, _, _ := strings.Cut(c.target(0), "?")
			if n := len(v.Arrivals(path)); n != 1 {
				t.Errorf("the verifier was asked %d times", n)
			}
		})
	}
}

// TestEndWaitsForAnswers: what is under way when the command is told to end
// still gets its answer.
func TestEndWaitsForAnswers(t *testing.T) {
	v := &fakeverifier.Verifier{Latency: 300 * time.Millisecond}
	p := withVerifier(t, v, nil)
	got := make(chan answer, 1)
	go func() { got <- p.send(t, "POST", inlineOf("ann@mail.example"), "") }()
	for len(v.Arrivals(pathInline)) == 0 {
		time.Sleep(time.Millisecond)
	}
	if err := p.stop(); err != nil {
		t.Error(err)
	}
	if a := <-got; a.status != http.StatusOK {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// TestVars: counters are for programs on this machine.
func TestVars(t *testing.T) {
	p := withVerifier(t, new(fakeverifier.Verifier), nil)
	p.send(t, "POST", inlineOf("ann@mail.example"), "")
	got := p.send(t, "GET", "/debug/vars", "")
	var counters map[string]int
	if err := json.Unmarshal([]byte(got.body), &counters); err != nil || counters["answers /api/v1/verify_inline 200"] != 1 || counters["source verifier"] != 1 {
		t.Errorf("%v %s", err, got.body)
	}
	if got := p.send(t, "DELETE", "/debug/vars", ""); got.status != http.StatusMethodNotAllowed {
		t.Errorf("DELETE: %d", got.status)
	}
	for _, header := range []string{"X-Forwarded-For: 192.0.2.1", "Forwarded: for=192.0.2.1", "Origin: " + p.url, "Host: evil.example"} {
		if got := p.send(t, "GET", "/debug/vars", "", header); got.status != http.StatusNotFound {
			t.Errorf("%s: %d", header, got.status)
		}
	}
}

// TestWithoutSite: what is not the interface's is not there.
func TestWithoutSite(t *testing.T) {
	p := start(t, nil, "--dir", "")
	if got := p.send(t, "GET", "/", ""); got.status != http.StatusNotFound || !strings.Contains(got.body, "nothing at this path") {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// TestServerDeadlines: the verifier may take longer than a request may take to
// arrive.
func TestServerDeadlines(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	t.Parallel()
	v := &fakeverifier.Verifier{Latency: 31 * time.Second}
	p := withVerifier(t, v, nil)
	if got := p.send(t, "POST", inlineOf("ann@mail.example"), ""); got.status != http.StatusOK {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// TestSlowRequests: a connection does not stay open for a request that never
// comes.
func TestSlowRequests(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	t.Parallel()
	for name, c := range map[string]struct {
		sent   string
		after  time.Duration
		answer string
	}{
		"header": {"GET /me HTTP/1.1\r\nHost: ", 10 * time.Second, ""},
		"body":   {"POST /api/v1/verify HTTP/1.1\r\nHost: %s\r\nContent-Length: 9\r\n\r\n{", 30 * time.Second, "the body broke off"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			host := strings.TrimPrefix(start(t, nil).url, "http://")
			conn, err := net.Dial("tcp", host)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			began := time.Now()
			if err := conn.SetDeadline(began.Add(c.after + 5*time.Second)); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(conn, strings.Replace(c.sent, "%s", host, 1)); err != nil {
				t.Fatal(err)
			}
			answer, err := io.ReadAll(conn)
			if took := time.Since(began); err != nil || took < c.after-time.Second || !strings.Contains(string(answer), c.answer) {
				t.Errorf("after %v: %v, %q", took, err, answer)
			}
		})
	}
}

// TestDebugPaths: nothing of packages expvar and pprof hangs on this server but
// the counters.
func TestDebugPaths(t *testing.T) {
	p := start(t, nil, "--dir", "")
	for _, path := range []string{"/debug/pprof/", "/debug/", "/debug/vars/", "/metrics"} {
		if got := p.send(t, "GET", path, ""); got.status != http.StatusNotFound {
			t.Errorf("%s: %d", path, got.status)
		}
	}
}
