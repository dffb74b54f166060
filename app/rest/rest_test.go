package rest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"marketingskills/app/rest"
)

const key = "hidden-key-1"

func TestConfigurations(t *testing.T) {
	secret := rest.NewSecret(key)
	for _, c := range []struct {
		base   string
		secret rest.Secret
		want   string
	}{
		{"https://api.example", secret, ""}, {"https://api.example/v/", secret, ""}, {"http://api.example", rest.Secret{}, ""},
		{"http://localhost:8080", secret, ""}, {"http://127.0.0.1:8080", secret, ""}, {"http://[::1]:8080", secret, ""},
		{"", secret, "the URL of the verifier is not one of http or https with a server's name; use a URL such as https://api.example.com"},
		{"api.example", secret, "use a URL such as"}, {"ftp://api.example", secret, "use a URL such as"}, {"https://", secret, "use a URL such as"},
		{"hidden-key-1", secret, "use a URL such as"}, {"hidden-key-1://api.example", secret, "use a URL such as"},
		{"ftp://hidden-key-1@api.example", secret, "use a URL such as"}, {"https://ann:hidden-key-1@api.example:x", secret, "use a URL such as"},
		{"https://api.example/%zz?key=hidden-key-1", secret, "use a URL such as"},
		{"https://api.example?key=hidden-key-1", secret, "contains a query or fragment; leave out what follows ? or #"},
		{"https://api.example/#hidden-key-1", secret, "contains a query"}, {"https://api.example/?", secret, "contains a query"},
		{"https://ann:hidden-key-1@api.example", secret, "contains a username or password"},
		{"http://hidden-key-1@api.example?key=1", secret, "contains a username or password"},
		{"http://api.example", secret, "begins with http://api.example, where the key or token would travel unencrypted; use https://api.example"},
		{"http://localhost.example", secret, "unencrypted"},
		{"https://api.example", rest.NewSecret("two words"), "the key or token for the verifier contains a space, a line break"},
		{"https://api.example", rest.NewSecret("clé"), "the key or token for the verifier contains"},
	} {
		_, err := rest.New(rest.Config{Name: "the verifier", Base: c.base, Secret: c.secret, Doer: http.DefaultClient, Timeout: time.Second})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.base, err, c.want)
		}
		if err != nil && (strings.Contains(err.Error(), "two words") || strings.Contains(err.Error(), "hidden-key")) {
			t.Errorf("%s: the secret is in %v", c.base, err)
		}
	}
}

// TestNeeded: what nothing can be sent without, or would end at once without, is
// missed before the first request.
func TestNeeded(t *testing.T) {
	whole := rest.Config{Name: "the verifier", Base: "https://api.example", Doer: http.DefaultClient, Timeout: time.Second}
	for want, change := range map[string]func(*rest.Config){
		"no Doer to send requests to the verifier with":      func(c *rest.Config) { c.Doer = nil },
		"no Timeout for requests to the verifier; it is 0s":  func(c *rest.Config) { c.Timeout = 0 },
		"no Timeout for requests to the verifier; it is -1s": func(c *rest.Config) { c.Timeout = -time.Second },
	} {
		c := whole
		change(&c)
		if _, err := rest.New(c); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestSecretHeader: a service says how its key travels.
func TestSecretHeader(t *testing.T) {
	for _, c := range []struct{ header, prefix, want string }{
		{"", "", "Authorization: Bearer " + key},
		{"X-Api-Key", "", "X-Api-Key: " + key},
		{"Authorization", "Token ", "Authorization: Token " + key},
	} {
		var sent http.Header
		s, err := rest.New(rest.Config{Name: "the service", Base: "https://api.example", Secret: rest.NewSecret(key), SecretHeader: c.header,
			SecretPrefix: c.prefix, Timeout: time.Second, Doer: doer(func(r *http.Request) (*http.Response, error) {
				sent = r.Header
				return &http.Response{StatusCode: 200, Body: http.NoBody}, nil
			})})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Send(t.Context(), rest.Request{Attempt: "try", URL: s.At("/", "")}); err != nil {
			t.Fatal(err)
		}
		name, value, _ := strings.Cut(c.want, ": ")
		if sent.Get(name) != value || len(sent) != 1 {
			t.Errorf("sent %v, want %s", sent, c.want)
		}
	}
}

func TestThisMachine(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LOCALHOST": true, "127.0.0.1": true, "127.9.9.9": true, "::1": true, "::ffff:127.0.0.1": true,
		"": false, "0.0.0.0": false, "::": false, "192.0.2.1": false, "localhost.example": false, "127.0.0.1.example": false, "[::1]": false,
		"127.0.0.1:80": false, "127.1": false,
	} {
		if got := rest.ThisMachine(host); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
}

func TestSecret(t *testing.T) {
	s := rest.NewSecret(" " + key + "\n")
	text, err := json.Marshal(map[string]any{"s": s})
	if err != nil {
		t.Fatal(err)
	}
	for _, shown := range []string{s.String(), fmt.Sprint(s), fmt.Sprintf("%v %+v %#v %q %s %x", s, s, s, s, s, s), fmt.Sprintf("%v", &s),
		fmt.Sprintf("%+v", rest.Config{Secret: s}), string(text)} {
		if strings.Contains(shown, key) || strings.Contains(shown, fmt.Sprintf("%x", key)) {
			t.Errorf("the secret is in %q", shown)
		}
	}
	if !s.Present() || rest.NewSecret(" \n").Present() || (rest.Secret{}).String() != "[no secret]" {
		t.Error("white space is a secret")
	}
}

// doer answers with a function.
type doer func(*http.Request) (*http.Response, error)

func (d doer) Do(r *http.Request) (*http.Response, error) { return d(r) }

func service(t *testing.T, d doer) *rest.Client {
	t.Helper()
	s, err := rest.New(rest.Config{Name: "the service", Base: "https://api.example/v1/", Secret: rest.NewSecret(key), Doer: d,
		Timeout: time.Second, UserAgent: "test/1"})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSend(t *testing.T) {
	var seen string
	s := service(t, func(r *http.Request) (*http.Response, error) {
		body, _ := io.ReadAll(r.Body)
		seen = fmt.Sprint(r.Method, " ", r.URL, " ", r.Header, " ", string(body))
		return &http.Response{StatusCode: 418, Header: http.Header{"A": {"b"}}, Body: io.NopCloser(strings.NewReader("tea"))}, nil
	})
	header := http.Header{"Accept": {"x/y"}}
	got, err := s.Send(t.Context(), rest.Request{Attempt: "try", URL: s.At("/a%2Fb", "q=1"), Header: header, Body: []byte("{}"), Most: 3})
	if err != nil || got.Status != 418 || string(got.Body) != "tea" || got.Header.Get("A") != "b" || got.URL.String() != "https://api.example/v1/a%2Fb?q=1" {
		t.Errorf("%+v, %v", got, err)
	}
	want := "GET https://api.example/v1/a%2Fb?q=1 map[Accept:[x/y] Authorization:[Bearer hidden-key-1] Content-Type:[application/json] User-Agent:[test/1]] {}"
	if seen != want || len(header) != 1 {
		t.Errorf("sent %s, want %s; the caller's header is %v", seen, want, header)
	}
}

// cut is a body that breaks off.
type cut struct{ io.Reader }

func (c cut) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

func (cut) Close() error { return nil }

// TestFailures: a failure is of one kind, names the attempt, and holds neither
// the secret nor what is private.
func TestFailures(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	late, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	unsent := fmt.Errorf("%w: refused for %s", rest.ErrUnsent, key)
	for name, test := range map[string]struct {
		ctx    context.Context
		do     doer
		kinds  []error
		text   string
		answer bool // its head arrived
	}{
		"no connection": {t.Context(), func(*http.Request) (*http.Response, error) {
			return nil, errors.New("refused for " + key + " and a@x.example")
		},
			[]error{rest.ErrUnreachable}, "could not try: no connection (refused for [secret] and […]); check the network and try again", false},
		"unsent": {t.Context(), func(*http.Request) (*http.Response, error) { return nil, unsent }, []error{rest.ErrUnreachable, rest.ErrUnsent}, "nothing was sent", false},
		"left":   {ended, func(r *http.Request) (*http.Response, error) { return nil, r.Context().Err() }, []error{rest.ErrInterrupted, context.Canceled}, "interrupted; results", false},
		"late":   {late, func(r *http.Request) (*http.Response, error) { return nil, r.Context().Err() }, []error{rest.ErrTimeout}, "timed out; try again later", false},
		"cut": {t.Context(), func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Body: cut{strings.NewReader("te")}}, nil
		}, []error{rest.ErrUnreachable}, "the response broke off: unexpected EOF", true},
		"long": {t.Context(), func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader("long"))}, nil
		}, []error{rest.ErrTooLarge}, "response too large (200)", true},
	} {
		s := service(t, test.do)
		got, err := s.Send(test.ctx, rest.Request{Attempt: "try", URL: s.At("/", ""), Most: 3, Private: "a@x.example"})
		if err == nil || !strings.Contains(err.Error(), test.text) || (got != nil) != test.answer {
			t.Errorf("%s: %v, %v", name, got, err)
			continue
		}
		for _, kind := range test.kinds {
			if !errors.Is(err, kind) {
				t.Errorf("%s: %v is not %v", name, err, kind)
			}
		}
		if strings.Contains(fmt.Sprintf("%+v", err), key) {
			t.Errorf("%s: the secret is in %+v", name, err)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"7": 7 * time.Second, " 0 ": time.Second, "99999999999999999999": rest.MostRetryAfter, "86401": rest.MostRetryAfter,
		now.Add(time.Hour).Format(http.TimeFormat): time.Hour, now.Add(-time.Hour).Format(http.TimeFormat): time.Second,
		"": 0, "-7": 0, "-99999999999999999999": 0, "soon": 0, "1.5": 0,
	} {
		wait, ok := rest.RetryAfter(http.Header{"Retry-After": {value}}, now)
		if wait != want || ok != (want > 0) {
			t.Errorf("%q: %v, %v, want %v", value, wait, ok, want)
		}
	}
}
