package truelist_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"marketingskills/app/rest"
	"marketingskills/app/verify"
	"marketingskills/app/verify/truelist"
)

const key = "sk-secret-key-0123456789"

// answer is one response of a server that only ever gives this one.
type answer struct {
	status int
	header map[string]string
	body   string
}

func (a answer) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	for name, value := range a.header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(a.status)
	io.WriteString(w, a.body)
}

// at makes a client of a server that a handler plays.
func at(t *testing.T, h http.Handler, change ...func(*rest.Config)) *truelist.Client {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	config := rest.Config{Base: server.URL, Secret: rest.NewSecret(key), UserAgent: "test/1",
		Doer: &http.Client{CheckRedirect: rest.NoRedirects}}
	for _, c := range change {
		c(&config)
	}
	client, err := truelist.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestRequests(t *testing.T) {
	var seen []string
	client := at(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen = append(seen, fmt.Sprintf("%s %s %s %s %s", r.Method, r.RequestURI, r.Header.Get("Authorization"), r.UserAgent(), body))
		w.Header().Set(verify.HeaderSource, "remembered")
		switch r.URL.Path {
		case "/base/api/v1/verify_inline":
			io.WriteString(w, `{"emails":[{"address":"a+b@x.example","domain":"x.example","canonical":"ab","mx_record":null,"first_name":null,
				"email_state":"accept_all","email_sub_state":"never_heard_of","verified_at":"2026-11-03T10:00:00Z","did_you_mean":null,"new":{}}]}`)
		case "/base/api/v1/verify":
			io.WriteString(w, "thanks")
		case "/base/me":
			io.WriteString(w, `{"name":"Ann","token":"t","account":{"name":"Acme","payment_plan":"free"}}`)
		case "/base/healthz":
			io.WriteString(w, `{"status":"ok","key":true,"token":false}`)
		}
	}), func(c *rest.Config) { c.Base += "/base/" })
	got, err := client.Verify(t.Context(), "a+b@x.example")
	want := verify.Result{Address: "a+b@x.example", Domain: "x.example", Canonical: "ab", State: verify.AcceptAll, SubState: "never_heard_of",
		VerifiedAt: "2026-11-03T10:00:00Z", Source: verify.FromMemory}
	if err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	if err := client.Submit(t.Context(), []string{"a@x.example", "b@x.example"}); err != nil {
		t.Error(err)
	}
	if me, err := client.Account(t.Context()); err != nil || me.Account.Name != "Acme" || me.Account.PaymentPlan != "free" {
		t.Errorf("%+v, %v", me, err)
	}
	if health, err := client.Health(t.Context()); err != nil || health != (verify.Health{Key: true}) {
		t.Errorf("%+v, %v", health, err)
	}
	for i, want := range []string{
		"POST /base/api/v1/verify_inline?email=a%2Bb%40x.example Bearer " + key + " test/1 ",
		`POST /base/api/v1/verify Bearer ` + key + ` test/1 {"emails":["a@x.example","b@x.example"]}`,
		"GET /base/me Bearer " + key + " test/1 ", "GET /base/healthz Bearer " + key + " test/1 ",
	} {
		if seen[i] != want {
			t.Errorf("request %d is\n%s, want\n%s", i, seen[i], want)
		}
	}
}

// TestFailures: every answer that is none has its kind, and its words hold
// neither the key nor the address, whatever the other side repeats.
func TestFailures(t *testing.T) {
	says := func(s string) string { return `{"error":"` + s + `"}` }
	echo := says("no " + key + " for a@x.example \\u001b[2J")
	in := func(d time.Duration) map[string]string {
		return map[string]string{"Retry-After": time.Now().Add(d).UTC().Format(http.TimeFormat)}
	}
	for _, test := range []struct {
		answer
		kind      error
		temporary bool
		least     time.Duration // of the wait
		text      string
	}{
		{answer{status: 401, body: says("Invalid key")}, verify.ErrKey, false, 0, "not accepted (401: Invalid key)"},
		{answer{status: 401, body: echo}, verify.ErrKey, false, 0, "not accepted (401: no [secret] for […]"},
		{answer{status: 402, body: says("Payment required")}, verify.ErrPayment, false, 0, "no credits left (402: Payment required)"},
		{answer{status: 403}, verify.ErrRefused, false, 0, "refused (403)"},
		{answer{status: 404, body: "<html>"}, verify.ErrAbsent, false, 0, "no email verification there (404)"},
		{answer{status: 405}, verify.ErrAbsent, false, 0, "(405)"},
		{answer{status: 302, header: map[string]string{"Location": "https://other.example/"}}, verify.ErrAbsent, false, 0, "(302)"},
		{answer{status: 400, body: says("email is invalid")}, verify.ErrRequest, false, 0, "not understood (400: email is invalid)"},
		{answer{status: 422, body: `{"error":{"deep":1}}`}, verify.ErrRequest, false, 0, "not understood (422)"},
		{answer{status: 429}, verify.ErrLimit, true, time.Second, "too many requests (429)"},
		{answer{status: 429, header: map[string]string{"Retry-After": "7"}}, verify.ErrLimit, true, 7 * time.Second, "(429)"},
		{answer{status: 429, header: map[string]string{"Retry-After": "-7"}}, verify.ErrLimit, true, time.Second, "(429)"},
		{answer{status: 429, header: map[string]string{"Retry-After": "soon"}}, verify.ErrLimit, true, time.Second, "(429)"},
		{answer{status: 429, header: map[string]string{"Retry-After": "99999999999999999999"}}, verify.ErrLimit, true, 24 * time.Hour, "(429)"},
		{answer{status: 429, header: in(time.Hour)}, verify.ErrLimit, true, 59 * time.Minute, "(429)"},
		{answer{status: 429, header: in(-time.Hour)}, verify.ErrLimit, true, time.Second, "(429)"},
		{answer{status: 500, body: echo}, verify.ErrServer, true, 0, "server error (500: no [secret] for […]"},
		{answer{status: 501, body: says("no key")}, verify.ErrNoKey, false, 0, "the proxy has no API key (501: no key)"},
		{answer{status: 503, body: "<h1>down</h1>"}, verify.ErrServer, true, 0, "server error (503)"},
		{answer{status: 200, body: "<!doctype html><p>Welcome"}, verify.ErrAbsent, false, 0, "a page answered instead"},
		{answer{status: 200, body: ""}, verify.ErrServer, true, 0, "the answer is not the JSON that was expected"},
		{answer{status: 200, body: "null"}, verify.ErrServer, true, 0, "the answer holds no result"},
		{answer{status: 200, body: `{"emails":null}`}, verify.ErrServer, true, 0, "the answer holds no result"},
		{answer{status: 200, body: `{"emails":[null]}`}, verify.ErrServer, true, 0, "the answer holds no result"},
		{answer{status: 200, body: `{"emails":["a@x.example"]}`}, verify.ErrServer, true, 0, "the answer is not the JSON that was expected"},
		{answer{status: 200, body: `{"emails":[{"email_state":null}]}`}, verify.ErrServer, true, 0, "the answer holds no result"},
		{answer{status: 200, body: strings.Repeat(" ", 2<<20)}, verify.ErrServer, true, 0, "the answer is longer than 1 MiB"},
		{answer{status: 401, body: says(strings.Repeat("é", 5000))}, verify.ErrKey, false, 0, "…"},
		// Where the message is cut.
		{answer{status: 500, body: says(strings.Repeat("x", 290) + "a@x.example")}, verify.ErrServer, true, 0, "x[…]"},
		{answer{status: 200, header: map[string]string{"Content-Length": "100"}, body: "{"}, rest.ErrUnreachable, true, 0, "the response broke off"},
	} {
		_, err := at(t, test.answer).Verify(t.Context(), "a@x.example")
		name := fmt.Sprintf("%d %v %.50s", test.status, test.header, test.body)
		if !errors.Is(err, test.kind) || verify.Temporary(err) != test.temporary || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%s: %v, temporary %v", name, err, verify.Temporary(err))
			continue
		}
		if limit, ok := errors.AsType[*verify.LimitError](err); ok != (test.least > 0) || ok && (limit.Wait < test.least || limit.Wait > test.least+time.Minute) {
			t.Errorf("%s: waits %+v, want %s", name, limit, test.least)
		}
		checkWords(t, err)
		if said := rest.Message(err); said != "" && !strings.HasSuffix(strings.TrimSuffix(err.Error(), ")"), said) {
			t.Errorf("%s: the message is %q", name, rest.Message(err))
		}
	}
}

// checkWords looks at how an error reads, however it is printed.
func checkWords(t *testing.T, err error) {
	t.Helper()
	for _, s := range []string{err.Error(), fmt.Sprintf("%v %+v %#v", err, err, err)} {
		if strings.Contains(s, key) || strings.Contains(s, "a@x.example") || strings.Contains(s, "%40") {
			t.Errorf("a secret or address is in %q", s)
		}
	}
	if s := err.Error(); len(s) > 600 || strings.ContainsAny(s, "\n\r\x1b") || !strings.HasPrefix(s, "could not verify an email with 127.0.0.1:") {
		t.Errorf("the error is %q", s)
	}
}

func TestNoAnswer(t *testing.T) {
	stuck := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	late := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"emails":[`)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	short := func(c *rest.Config) { c.Timeout = 50 * time.Millisecond }
	for name, h := range map[string]http.Handler{"before its head": stuck, "in its middle": late} {
		_, err := at(t, h, short).Verify(t.Context(), "a@x.example")
		if !errors.Is(err, rest.ErrTimeout) || !verify.Temporary(err) {
			t.Errorf("slow %s: %v", name, err)
		}
		checkWords(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, cancel)
		_, err = at(t, h).Verify(ctx, "a@x.example")
		if !errors.Is(err, rest.ErrInterrupted) || !errors.Is(err, context.Canceled) || verify.Temporary(err) {
			t.Errorf("interrupted %s: %v", name, err)
		}
		checkWords(t, err)
		// Who sends the request may have less time for it.
		ctx, end := context.WithCancelCause(t.Context())
		time.AfterFunc(20*time.Millisecond, func() { end(context.DeadlineExceeded) })
		if _, err = at(t, h).Verify(ctx, "a@x.example"); !errors.Is(err, rest.ErrTimeout) || !verify.Temporary(err) {
			t.Errorf("too late %s: %v", name, err)
		}
		checkWords(t, err)
	}
	dropped := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	if _, err := at(t, dropped).Verify(t.Context(), "a@x.example"); !errors.Is(err, rest.ErrUnreachable) || !verify.Temporary(err) {
		t.Errorf("dropped: %v", err)
	} else {
		checkWords(t, err)
	}
	gone := httptest.NewServer(dropped)
	gone.Close()
	_, err := at(t, dropped, func(c *rest.Config) { c.Base = gone.URL }).Verify(t.Context(), "a@x.example")
	if !errors.Is(err, rest.ErrUnreachable) {
		t.Errorf("nobody there: %v", err)
	}
	checkWords(t, err)
}

// TestUnspent: only what certainly cost nothing counts as such.
func TestUnspent(t *testing.T) {
	later := map[string]string{"Retry-After": "5"}
	for a, want := range map[*answer]bool{
		{status: 503, header: later}: true,
		{status: 503}:                false,
		{status: 500, header: later}: false,
		{status: 502, header: later}: false,
		{status: 504, header: later}: false,
		{status: 200, body: "{"}:     false,
	} {
		if _, err := at(t, a).Verify(t.Context(), "a@x.example"); errors.Is(err, rest.ErrUnsent) != want || !verify.Temporary(err) {
			t.Errorf("%+v: %v", a, err)
		}
	}
	for err, want := range map[error]bool{
		errors.New("EOF"): false,
		fmt.Errorf("connection refused: %w", rest.ErrUnsent): true,
	} {
		fails := func(c *rest.Config) { c.Doer = failing{err} }
		if _, err := at(t, answer{}, fails).Verify(t.Context(), "a@x.example"); errors.Is(err, rest.ErrUnsent) != want || !errors.Is(err, rest.ErrUnreachable) {
			t.Errorf("%v: unspent %v", err, !want)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 0)
		if _, err := at(t, answer{}, fails).Verify(ctx, "a@x.example"); errors.Is(err, rest.ErrUnsent) != want || !errors.Is(err, rest.ErrTimeout) {
			t.Errorf("too late, %v: unspent %v", err, !want)
		}
		cancel()
	}
}

// failing sends nothing.
type failing struct{ err error }

func (f failing) Do(*http.Request) (*http.Response, error) { return nil, f.err }

// TestAnswerIsAboutTheAddress: what is said of another address is a failure, and
// its words do not hold that address.
func TestAnswerIsAboutTheAddress(t *testing.T) {
	for _, c := range []struct {
		asked, answered string
		same            bool
	}{
		{"ann@x.example", "ann@x.example", true},
		{"Ann@X.example", "aNN@x.EXAMPLE", true},
		{" ann@x.example ", "ann@x.example", true},
		{"ann@bücher.example", "ann@xn--bcher-kva.example", true},
		{"ann@bücher。example", "ann@BÜCHER.example", true},
		{"ann@x.example", "ben@x.example", false},
		{"ann@x.example", "ann@y.example", false},
		{"ann@x.example", "ann@x.example.evil.example", false},
		{"ann+tag@x.example", "ann@x.example", false},
		{"ann@x.example", "x.example", false},
		{"ann@x.example", "", false},
		{"ann@x.example", "ann@xn--bcher-kva.example", false},
		{"ann@bücher.example", "ann@xn--bcher-kva.evil", false},
		{"ann@bücher.example", "ben@xn--bcher-kva.example", false},
	} {
		says := answer{status: 200, body: fmt.Sprintf(`{"emails":[{"address":%q,"email_state":"ok"}]}`, c.answered)}
		got, err := at(t, says).Verify(t.Context(), c.asked)
		if c.same != (err == nil) || c.same && got.Address != c.answered {
			t.Errorf("asked about %q, told about %q: %+v, %v", c.asked, c.answered, got, err)
		}
		if !c.same && (!errors.Is(err, verify.ErrServer) || !strings.HasSuffix(err.Error(), ": the answer is about another email)")) {
			t.Errorf("asked about %q, told about %q: %v", c.asked, c.answered, err)
		}
	}
	both := answer{status: 200, body: `{"emails":[{"address":"ben@x.example","email_state":"ok"},{"address":"ann@x.example","email_state":"risky"}]}`}
	if got, err := at(t, both).Verify(t.Context(), "ann@x.example"); err != nil || got.State != verify.Risky {
		t.Errorf("of two answers it took %+v, %v", got, err)
	}
}

func TestHealthOfOthers(t *testing.T) {
	for _, a := range []answer{{status: 404}, {status: 200, body: `{"ok":true}`}, {status: 200, body: "<html>"}} {
		if _, err := at(t, a).Health(t.Context()); !errors.Is(err, verify.ErrAbsent) {
			t.Errorf("%+v: %v", a, err)
		}
	}
}

// silent never answers.
type silent struct{}

func (silent) Do(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// TestPatience: whether there is a proxy is known soon; an answer is waited for
// longer than a verify-proxy takes, which gives up after 90 s.
func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := truelist.New(rest.Config{Base: "https://v.example", Doer: silent{}})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if _, err := c.Health(t.Context()); !errors.Is(err, rest.ErrTimeout) || time.Since(began) > 10*time.Second {
			t.Errorf("health after %v: %v", time.Since(began), err)
		}
		began = time.Now()
		if _, err := c.Verify(t.Context(), "a@x.example"); !errors.Is(err, rest.ErrTimeout) || time.Since(began) <= 90*time.Second {
			t.Errorf("an answer after %v: %v", time.Since(began), err)
		}
	})
}

// TestResultsHoldNoSecret: a verifier may repeat the key anywhere.
func TestResultsHoldNoSecret(t *testing.T) {
	body := `{"emails":[{"address":"K@x.example","domain":"K","canonical":"K","mx_record":"K","first_name":"K","last_name":"K","email_state":"K",
		"email_sub_state":"K","verified_at":"K","did_you_mean":"my K","reason":"K"}]}`
	got, err := at(t, answer{status: 200, header: map[string]string{verify.HeaderSource: key}, body: strings.ReplaceAll(body, "K", key)}).Verify(t.Context(), key+"@x.example")
	if said := fmt.Sprintf("%+v", got); err != nil || strings.Contains(said, key) || strings.Count(said, "[secret]") != 12 || got.DidYouMean != "my [secret]" {
		t.Errorf("%s, %v", said, err)
	}
	// What is as short may be part of any word.
	short := func(c *rest.Config) { c.Secret = rest.NewSecret("a") }
	got, err = at(t, answer{status: 200, body: `{"emails":[{"address":"a@x.example","email_state":"accept_all"}]}`}, short).Verify(t.Context(), "a@x.example")
	if err != nil || got.Address != "a@x.example" || got.State != verify.AcceptAll {
		t.Errorf("%+v, %v", got, err)
	}
}
