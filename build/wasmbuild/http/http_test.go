package http_test

import (
	"context"
	"io"
	real "net/http"
	"reflect"
	"strings"
	"testing"

	"marketingskills/build/wasmbuild/http"
)

// The law of this package: it does what net/http does.

func FuzzHeader(f *testing.F) {
	for _, name := range []string{
		"link", "X-RateLimit-Remaining", "x-ratelimit-RESET", "ETag", "-a--b", "_x", "", "two words", " a", "a:", "é", "a\n", "~!#$%&'*+^`|",
	} {
		f.Add(name, "value")
	}
	f.Fuzz(func(t *testing.T, name, value string) {
		ours, theirs := http.Header{}, real.Header{}
		ours.Add(name, "first")
		theirs.Add(name, "first")
		ours.Add(strings.ToLower(name), value)
		theirs.Add(strings.ToLower(name), value)
		same(t, ours, theirs, name)
		ours.Set(strings.ToUpper(name), value)
		theirs.Set(strings.ToUpper(name), value)
		same(t, ours, theirs, name)
		ours.Del(name)
		theirs.Del(name)
		same(t, ours, theirs, name)
	})
}

func same(t *testing.T, ours http.Header, theirs real.Header, name string) {
	t.Helper()
	if !reflect.DeepEqual(map[string][]string(ours), map[string][]string(theirs)) {
		t.Fatalf("%q: %q, net/http %q", name, ours, theirs)
	}
	for _, name := range []string{name, strings.ToLower(name)} {
		if ours.Get(name) != theirs.Get(name) || !reflect.DeepEqual(ours.Values(name), theirs.Values(name)) {
			t.Fatalf("of %q: %q and %q, net/http %q and %q", name,
				ours.Get(name), ours.Values(name), theirs.Get(name), theirs.Values(name))
		}
	}
}

func TestNilHeader(t *testing.T) {
	var none http.Header
	if none.Get("Link") != "" || none.Values("Link") != nil {
		t.Error("a header that is nil has values")
	}
	none.Del("Link")
}

func FuzzParseTime(f *testing.F) {
	for _, s := range []string{
		"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
		"Sun, 06 Nov 1994 08:49:37 CET", " Sun, 06 Nov 1994 08:49:37 GMT", "120", "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		ours, err := http.ParseTime(s)
		theirs, failed := real.ParseTime(s)
		if !ours.Equal(theirs) || (err == nil) != (failed == nil) {
			t.Errorf("%q: %v, %v; net/http %v, %v", s, ours, err, theirs, failed)
		}
	})
}

func FuzzNewRequest(f *testing.F) {
	for _, target := range []string{
		"https://api.github.com/repos/a/b?page=2#c", "http://127.0.0.1:/x", "https://[::1]:/", "/healthz", "", ":", "https://a b/", "https://a/%zz",
	} {
		f.Add("GET", target)
	}
	f.Add("", "https://a.example/")
	f.Add("DE LETE", "https://a.example/")
	f.Add("é", "https://a.example/")
	f.Fuzz(func(t *testing.T, method, target string) {
		ours, err := http.NewRequestWithContext(context.Background(), method, target, strings.NewReader("body"))
		theirs, failed := real.NewRequestWithContext(context.Background(), method, target, strings.NewReader("body"))
		if err != nil || failed != nil {
			if err == nil || failed == nil || err.Error() != failed.Error() {
				t.Fatalf("%q %q: %v, net/http %v", method, target, err, failed)
			}
			return
		}
		if ours.Method != theirs.Method || !reflect.DeepEqual(ours.URL, theirs.URL) || ours.Host != theirs.Host {
			t.Fatalf("%q %q: %q %q of %q, net/http %q %q of %q", method, target,
				ours.Method, ours.URL, ours.Host, theirs.Method, theirs.URL, theirs.Host)
		}
		body, err := io.ReadAll(ours.Body)
		if string(body) != "body" || err != nil || ours.Body.Close() != nil {
			t.Fatalf("the body is %q, %v", body, err)
		}
	})
}

func TestContextOfRequest(t *testing.T) {
	var none context.Context
	if _, err := http.NewRequestWithContext(none, "GET", "/", nil); err == nil {
		t.Error("a request was made without a context")
	}
	ended, end := context.WithCancel(context.Background())
	end()
	one, err := http.NewRequestWithContext(context.Background(), "GET", "/", nil)
	if err != nil || one.Body != nil {
		t.Fatal(one, err)
	}
	other := one.WithContext(ended)
	if one.Context().Err() != nil || other.Context().Err() == nil || other.URL != one.URL {
		t.Error("the copy does not have a context of its own, or is no copy")
	}
	if (&http.Request{}).Context() == nil {
		t.Error("a request made by hand has no context")
	}
}

func TestNoBody(t *testing.T) {
	if body, err := io.ReadAll(http.NoBody); len(body) > 0 || err != nil || http.NoBody.Close() != nil {
		t.Error(body, err)
	}
}
