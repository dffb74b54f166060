package truelist_test

import (
	"context"
	"encoding/json"
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
	"marketingskills/app/verify/verifytest"
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
			io.WriteString(w, `{"status":"ok","key":true,"token":false,"lists":true,"limit":10}`)
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
	if health, err := client.Health(t.Context()); err != nil || health != (verify.Health{Key: true, Lists: true, Limit: 10}) {
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

func resultJSON(address, state string) string {
	return fmt.Sprintf(`{"emails":[{"address":%q,"domain":"x.example","canonical":"ann","mx_record":"mx","first_name":"Ann","last_name":"Bell",
		"email_state":%q,"email_sub_state":"s","verified_at":"2026-11-03T10:00:00.000Z","did_you_mean":"my","reason":"r"}]}`, address, state)
}

func failureJSON(words string) string {
	data, err := json.Marshal(map[string]string{"error": words})
	if err != nil {
		panic(err) // a string has its JSON
	}
	return string(data)
}

func TestContract(t *testing.T) {
	words := map[string]verify.State{}
	for _, state := range verify.States {
		words[string(state)] = state
	}
	err := verifytest.TestVerifier(verifytest.Dialect{
		New:   func(c rest.Config) (verify.Verifier, error) { return truelist.New(c) },
		Words: words, Result: resultJSON, Failure: failureJSON,
		Account: `{"name":"Ann","email":"a@b.example","uuid":"3f","time_zone":"UTC","token":"t","account":{"name":"Acme","payment_plan":"free"}}`,
		Kinds:   map[int]*rest.Kind{501: verify.ErrNoKey},
	})
	if err != nil {
		t.Error(err)
	}
}

// TestNoResult: an answer of the right form that holds no result.
func TestNoResult(t *testing.T) {
	for _, body := range []string{`{"emails":null}`, `{"emails":[]}`, `{"emails":[null]}`, `{"emails":[{"email_state":null}]}`} {
		_, err := at(t, answer{status: 200, body: body}).Verify(t.Context(), "a@x.example")
		if !errors.Is(err, verify.ErrServer) || !strings.Contains(err.Error(), "the answer holds no result") {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// TestProxyWithoutLists: of a path that takes lists, 405 says that it takes none.
func TestProxyWithoutLists(t *testing.T) {
	client := at(t, answer{status: 405, body: failureJSON("it takes none")})
	if err := client.Submit(t.Context(), []string{"a@x.example"}); !errors.Is(err, verify.ErrNoLists) ||
		!strings.HasSuffix(err.Error(), ": the verifier takes no lists (405: it takes none)") {
		t.Error(err)
	}
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

// TestResultsHoldNoSecret: where an answer is from may repeat the key, too; what is
// as short as this one may be part of any word.
func TestResultsHoldNoSecret(t *testing.T) {
	from := answer{status: 200, header: map[string]string{verify.HeaderSource: key}, body: resultJSON("a@x.example", "ok")}
	if got, err := at(t, from).Verify(t.Context(), "a@x.example"); err != nil || got.Source != "[secret]" {
		t.Errorf("%+v, %v", got, err)
	}
	short := func(c *rest.Config) { c.Secret = rest.NewSecret("a") }
	got, err := at(t, answer{status: 200, body: resultJSON("a@x.example", "accept_all")}, short).Verify(t.Context(), "a@x.example")
	if err != nil || got.Address != "a@x.example" || got.State != verify.AcceptAll {
		t.Errorf("%+v, %v", got, err)
	}
}
