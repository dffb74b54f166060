package codehost_test

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

	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/fakehost"
	"marketingskills/app/rest"
)

var repo = codehost.Repo{Owner: "octo", Name: "tool"}

func client(t testing.TB, h *fakehost.Host, change func(*codehost.Config)) *codehost.Client {
	t.Helper()
	config := codehost.Config{Base: fakehost.Base, Doer: h, Token: rest.NewSecret(fakehost.Token)}
	if change != nil {
		change(&config)
	}
	c, err := codehost.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// walk goes through a listing page by page.
type walk struct {
	*codehost.Client
	at codehost.Listing
}

func (w *walk) Next(ctx context.Context) (codehost.Page, error) {
	page, err := w.Page(ctx, w.at)
	if err == nil {
		w.at = page.Listing
	}
	return page, err
}

func start(c *codehost.Client, repo codehost.Repo, source codehost.Source) *walk {
	return &walk{c, codehost.List(repo, source)}
}

func goOn(c *codehost.Client, source codehost.Source, from codehost.Position) (*walk, error) {
	at, err := c.ListFrom(repo, source, from)
	return &walk{c, at}, err
}

func logins(l *walk) (names []string, err error) {
	for {
		page, err := l.Next(context.Background())
		if errors.Is(err, io.EOF) {
			return names, nil
		}
		if err != nil {
			return names, err
		}
		for _, p := range page.People {
			names = append(names, p.Login)
		}
		if page.End != nil {
			return names, page.End
		}
	}
}

// noToken fails when an error or a value shows the token in any form.
func noToken(t *testing.T, values ...any) {
	t.Helper()
	for _, v := range values {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
			if s := fmt.Sprintf(verb, v); strings.Contains(s, "MustNeverBeSeen") {
				t.Errorf("the token is in %s of %T: %s", verb, v, s)
			}
		}
		if err, ok := v.(error); ok {
			for e := err; e != nil; e = errors.Unwrap(e) {
				if strings.Contains(e.Error(), "MustNeverBeSeen") {
					t.Errorf("the token is in the error %v", e)
				}
			}
		}
	}
}

func TestTokenPrintsNowhere(t *testing.T) {
	h := &fakehost.Host{}
	config := codehost.Config{Base: fakehost.Base, Doer: h, Token: rest.NewSecret(fakehost.Token)}
	c := client(t, h, nil)
	text, _ := json.Marshal(config.Token)
	noToken(t, config, config.Token, c, string(text))
	_, err := codehost.New(codehost.Config{Doer: h, Token: rest.NewSecret(fakehost.Token + "\nX: y")})
	if err == nil {
		t.Error("a token with a line break was taken")
	}
	_, insecure := codehost.New(codehost.Config{Doer: h, Base: "http://code.example.com", Token: config.Token})
	if insecure == nil {
		t.Error("a token would go over plain http")
	}
	for address, local := range map[string]bool{
		"http://localhost": true, "http://127.8.8.8:1": true, "http://[::1]": true,
		"http://127.evil.example": false, "http://127.0.0.1.example": false, "http://10.0.0.1": false,
	} {
		if _, err := codehost.New(codehost.Config{Doer: h, Base: address, Token: config.Token}); (err == nil) != local {
			t.Errorf("%s: %v", address, err)
		}
	}
	noToken(t, err, insecure)
}

func TestListingsInBothLinkForms(t *testing.T) {
	for _, numeric := range []bool{false, true} {
		for _, source := range codehost.Sources {
			synctest.Test(t, func(t *testing.T) {
				h := &fakehost.Host{People: fakehost.Crowd(250), NumericLinks: numeric}
				names, err := logins(start(client(t, h, nil), repo, source))
				if err != nil || len(names) != 250 || names[249] != "person-00249" {
					t.Errorf("%s, numeric %v: %d people, %v", source, numeric, len(names), err)
				}
				if n := h.Count().Requests; n != 3 {
					t.Errorf("%s: %d requests for 3 pages", source, n)
				}
			})
		}
	}
}

func TestListingIsLazyAndTellsItsPages(t *testing.T) {
	h := &fakehost.Host{People: fakehost.Crowd(950)}
	l := start(client(t, h, nil), repo, codehost.Stargazers)
	page, err := l.Next(context.Background())
	if err != nil || page.Pages != 1 || page.LastPage != 10 || len(page.People) != 100 {
		t.Fatalf("first page: %+v, %v", page.LastPage, err)
	}
	if h.Count().Requests != 1 {
		t.Error("more than one page was read")
	}
	if at := page.People[1].StarredAt; at.IsZero() || at.Hour() != 1 {
		t.Errorf("star time is %v", at)
	}
	page.LastRead = ""
	again, err := goOn(client(t, h, nil), codehost.Stargazers, page.Position)
	if err != nil {
		t.Fatal(err)
	}
	if page, err = again.Next(context.Background()); err != nil || page.Pages != 2 || page.People[0].Login != "person-00100" {
		t.Errorf("went on at %+v, %v", page.Pages, err)
	}
	for _, bad := range []string{"", "https://evil.example/repos/o/r/stargazers", fakehost.Base + "/user/emails", fakehost.Base + "/repos/../user/stargazers", "\x00", "http://api.codehost.test/repos/o/r/stargazers"} {
		if _, err := goOn(client(t, h, nil), codehost.Stargazers, codehost.Position{Next: bad, Pages: 1}); err == nil {
			t.Errorf("position %q was taken", bad)
		}
	}
}

func TestLastPageIsReadAgain(t *testing.T) {
	h := &fakehost.Host{People: fakehost.Crowd(250)}
	l := start(client(t, h, nil), repo, codehost.Forks)
	second := fakehost.Base + "/repos/octo/tool/forks?page=2"
	for _, bad := range []string{"https://evil.example/repos/o/r/forks", fakehost.Base + "/repos/octo/tool/stargazers"} {
		if _, err := goOn(client(t, h, nil), codehost.Forks, codehost.Position{Next: second, LastRead: bad, Pages: 1}); err == nil {
			t.Errorf("address %q was taken", bad)
		}
	}
	next := func(number int, again bool, first string) codehost.Position {
		t.Helper()
		readAgain := l.at.Again
		page, err := l.Next(t.Context())
		if err != nil || page.Pages != number || readAgain != again || page.People[0].Login != first {
			t.Fatalf("%d, again %v, %v", page.Pages, readAgain, err)
		}
		return page.Position
	}
	from := func(at codehost.Position) {
		t.Helper()
		var err error
		if l, err = goOn(client(t, h, nil), codehost.Forks, at); err != nil {
			t.Fatal(err)
		}
	}
	first := next(1, false, "person-00000")
	from(first)
	if again := next(1, true, "person-00000"); again != first {
		t.Errorf("%+v, then %+v", first, again)
	}
	from(next(2, false, "person-00100"))
	next(2, true, "person-00100")
	if rest, err := logins(l); err != nil || len(rest) != 50 {
		t.Errorf("%d people, %v", len(rest), err)
	}
	if _, err := l.Next(t.Context()); !errors.Is(err, io.EOF) {
		t.Errorf("after the end: %v", err)
	}
	// a list that was closed meanwhile is no list that has ended
	closed := &fakehost.Host{People: h.People, Restriction: fakehost.RestrictedEmpty}
	address := fakehost.Base + "/repos/octo/tool/subscribers?page="
	l, err := goOn(client(t, closed, nil), codehost.Watchers, codehost.Position{Next: address + "3", LastRead: address + "2", Pages: 2})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Next(t.Context()); !errors.Is(err, codehost.ErrRestricted) || !strings.HasPrefix(err.Error(), "could not list the watchers of octo/tool, page 2: ") {
		t.Errorf("%v", err)
	}
}

func TestRestrictionIsToldApart(t *testing.T) {
	crowd := fakehost.Crowd(3)
	cases := []struct {
		name     string
		host     *fakehost.Host
		token    string
		kind     error
		requests int
	}{
		{"401", &fakehost.Host{People: crowd, Restriction: fakehost.RestrictedUnauthorized}, "", codehost.ErrRestricted, 2},
		{"403", &fakehost.Host{People: crowd, Restriction: fakehost.RestrictedForbidden}, fakehost.Token, codehost.ErrRestricted, 2},
		{"404", &fakehost.Host{People: crowd, Restriction: fakehost.RestrictedNotFound}, fakehost.Token, codehost.ErrRestricted, 2},
		{"empty", &fakehost.Host{People: crowd, Restriction: fakehost.RestrictedEmpty}, fakehost.Token, codehost.ErrRestricted, 2},
		{"bad token", &fakehost.Host{People: crowd}, "ghp_wrong", codehost.ErrBadToken, 1},
		{"SAML", &fakehost.Host{People: crowd, SAML: true}, fakehost.Token, codehost.ErrSAML, 1},
		{"missing", &fakehost.Host{People: crowd, Missing: true}, fakehost.Token, codehost.ErrNotFound, 2},
		{"no stars", &fakehost.Host{}, fakehost.Token, nil, 2},
		{"taken down", &fakehost.Host{Faults: []*fakehost.Fault{{Kind: fakehost.Answer, Status: 451}}}, "", codehost.ErrTakenDown, 1},
		{"retired", &fakehost.Host{Faults: []*fakehost.Fault{{Kind: fakehost.Answer, Status: 410}}}, "", codehost.ErrGone, 1},
	}
	for _, tt := range cases {
		for _, source := range []codehost.Source{codehost.Stargazers, codehost.Watchers} {
			t.Run(tt.name, func(t *testing.T) {
				before := tt.host.Count().Requests
				c := client(t, tt.host, func(c *codehost.Config) { c.Token = rest.NewSecret(tt.token) })
				names, err := logins(start(c, repo, source))
				if !errors.Is(err, tt.kind) || (tt.kind == nil && err != nil) || len(names) != 0 {
					t.Errorf("%v", err)
				}
				if n := tt.host.Count().Requests - before; n != tt.requests {
					t.Errorf("%d requests, want %d", n, tt.requests)
				}
				noToken(t, err)
				if err != nil && (!strings.Contains(err.Error(), "could not list the "+string(source)+" of octo/tool") || !strings.Contains(err.Error(), "; ")) {
					t.Errorf("the error does not say what was attempted and what to do: %v", err)
				}
				if tt.kind == codehost.ErrRestricted && !strings.Contains(err.Error(), "use forks or contributors instead") {
					t.Errorf("%v does not say what is still open", err)
				}
			})
		}
	}
}

func TestRenamedRepositoryIsFollowed(t *testing.T) {
	h := &fakehost.Host{OldName: "old", People: fakehost.Crowd(120)}
	names, err := logins(start(client(t, h, nil), codehost.Repo{Owner: "octo", Name: "old"}, codehost.Forks))
	if err != nil || len(names) != 120 {
		t.Errorf("%d people, %v", len(names), err)
	}
}

func TestTokenStaysOnItsHost(t *testing.T) {
	for name, h := range map[string]*fakehost.Host{
		"link":     {People: fakehost.Crowd(120), ForeignLink: true},
		"redirect": {People: fakehost.Crowd(120), Faults: []*fakehost.Fault{{Kind: fakehost.ForeignMove}}},
	} {
		_, err := logins(start(client(t, h, nil), repo, codehost.Forks))
		if !errors.Is(err, codehost.ErrForeignHost) {
			t.Errorf("%s: %v", name, err)
		}
		if c := h.Count(); c.Foreign != 0 || c.Leaks != 0 {
			t.Errorf("%s: %d requests to another host, %d with the token", name, c.Foreign, c.Leaks)
		}
	}
}

// following follows redirects by itself, as a browser's fetch does: the token
// stays behind when the host changes.
type following struct{ *fakehost.Host }

func (f following) Do(r *http.Request) (*http.Response, error) {
	resp, err := f.Host.Do(r)
	for err == nil && resp.StatusCode/100 == 3 {
		next := r.Clone(r.Context())
		if next.URL, err = r.URL.Parse(resp.Header.Get("Location")); err != nil {
			return nil, err
		}
		resp.Body.Close()
		if next.URL.Host != r.URL.Host {
			next.Header.Del("Authorization")
			return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("[]")), Request: next}, nil
		}
		r = next
		resp, err = f.Host.Do(r)
	}
	return resp, err
}

func TestDoerThatFollowsRedirects(t *testing.T) {
	h := &fakehost.Host{OldName: "old", People: fakehost.Crowd(120)}
	sent := 0
	ctx := codehost.WithNotices(t.Context(), func(n codehost.Notice) {
		if n.Kind == codehost.NoticeSent {
			sent++
		}
	})
	l := start(client(t, h, func(c *codehost.Config) { c.Doer = following{h} }), codehost.Repo{Owner: "octo", Name: "old"}, codehost.Forks)
	page, err := l.Next(ctx)
	if err != nil || !strings.HasPrefix(page.URL, fakehost.Base+"/repositories/1/forks?") {
		t.Errorf("read from %s, %v", page.URL, err)
	}
	if page, err = l.Next(ctx); err != nil || len(page.People) != 20 || sent != 2 || h.Count().Requests != 3 {
		t.Errorf("%d people, %v, %d requests told of %d", len(page.People), err, sent, h.Count().Requests)
	}
	h = &fakehost.Host{Faults: []*fakehost.Fault{{Kind: fakehost.ForeignMove}}}
	if _, err := start(client(t, h, func(c *codehost.Config) { c.Doer = following{h} }), repo, codehost.Forks).Next(ctx); !errors.Is(err, codehost.ErrForeignHost) {
		t.Errorf("an answer of another host: %v", err)
	}
}

func TestPagingEnds(t *testing.T) {
	h := &fakehost.Host{People: fakehost.Crowd(500), LoopingLink: true}
	names, err := logins(start(client(t, h, nil), repo, codehost.Forks))
	if !errors.Is(err, codehost.ErrLoop) || len(names) != 200 {
		t.Errorf("loop: %d people, %v", len(names), err)
	}
	h = &fakehost.Host{People: fakehost.Crowd(500), PageLimit: 3}
	names, err = logins(start(client(t, h, nil), repo, codehost.Forks))
	if !errors.Is(err, codehost.ErrListEnd) || len(names) != 300 {
		t.Errorf("last page allowed: %d people, %v", len(names), err)
	}
	h = &fakehost.Host{Faults: []*fakehost.Fault{{Kind: fakehost.LoopMove}}}
	if _, err = logins(start(client(t, h, nil), repo, codehost.Forks)); !errors.Is(err, codehost.ErrRedirects) {
		t.Errorf("redirects in a circle: %v", err)
	}
	if n := h.Count().Requests; n != 6 {
		t.Errorf("%d requests for 5 redirects", n)
	}
}

func TestPassingFaultsAreRetried(t *testing.T) {
	for name, fault := range map[string]fakehost.Fault{
		"502": {Kind: fakehost.Answer, Status: 502}, "drop": {Kind: fakehost.Drop}, "half": {Kind: fakehost.Half}, "never ends": {Kind: fakehost.Hang},
	} {
		for times, want := range map[int]bool{3: true, 0: false} {
			synctest.Test(t, func(t *testing.T) {
				fault := fault
				fault.Times = times
				h := &fakehost.Host{People: fakehost.Crowd(3), Faults: []*fakehost.Fault{&fault}}
				start := time.Now()
				u, err := client(t, h, nil).User(t.Context(), "person-00001")
				if (err == nil && u.Login == "person-00001") != want {
					t.Errorf("%s: %v", name, err)
				}
				if !want && (!codehost.Transient(err) || h.Count().Requests != 5) {
					t.Errorf("%s: %d requests, %v", name, h.Count().Requests, err)
				}
				if took := time.Since(start); took > 5*30*time.Second+16*time.Second {
					t.Errorf("%s: took %v", name, took)
				}
				noToken(t, err)
			})
		}
	}
}

func TestOtherFaultsAreNot(t *testing.T) {
	for kind, want := range map[fakehost.Kind]error{fakehost.Flood: codehost.ErrTooLarge, fakehost.Garbage: codehost.ErrMalformed} {
		h := &fakehost.Host{People: fakehost.Crowd(3), Faults: []*fakehost.Fault{{Kind: kind}}}
		if _, err := client(t, h, nil).User(t.Context(), "person-00001"); !errors.Is(err, want) || h.Count().Requests != 1 {
			t.Errorf("%v, %d requests", err, h.Count().Requests)
		}
	}
}

func TestUsersOfAllKinds(t *testing.T) {
	h := &fakehost.Host{People: fakehost.Hostile()}
	c := client(t, h, nil)
	if u, err := c.User(t.Context(), "dependabot[bot]"); err != nil || u.Type != "Bot" {
		t.Errorf("%+v, %v", u, err)
	}
	if h.Count().ByPath["/users/dependabot%5Bbot%5D"] != 1 {
		t.Error("the login was not percent-encoded")
	}
	if _, err := c.User(t.Context(), "hostile-12"); !errors.Is(err, codehost.ErrNotFound) {
		t.Errorf("deleted: %v", err)
	}
	asked := h.Count().Requests
	for _, bad := range []string{"", ".", "..", "a/b", "a b", "\x1b[2J", "a?b", strings.Repeat("a", 101)} {
		if _, err := c.User(t.Context(), bad); err == nil || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("login %q: %v", bad, err)
		}
	}
	if h.Count().Requests != asked {
		t.Error("an impossible login was asked for")
	}
	people, err := start(c, repo, codehost.Watchers).Next(t.Context())
	if err != nil || len(people.People) != len(h.People) || people.People[11].Login != "" {
		t.Errorf("null users: %v, %v", people, err)
	}
}

func TestSelf(t *testing.T) {
	h := &fakehost.Host{}
	u, err := client(t, h, nil).Self(t.Context())
	if err != nil || u.Login != "token-owner" || u.Type != "User" || h.Count().ByPath["/user"] != 1 {
		t.Errorf("%+v, %v", u, err)
	}
	h = &fakehost.Host{Self: fakehost.Account{Login: "octo-cat", Name: "Octo"}}
	if u, err := client(t, h, nil).Self(t.Context()); err != nil || u.Login != "octo-cat" || u.Name != "Octo" {
		t.Errorf("%+v, %v", u, err)
	}
	asked := h.Count().Requests
	_, err = client(t, h, func(c *codehost.Config) { c.Token = rest.Secret{} }).Self(t.Context())
	if err == nil || h.Count().Requests != asked || err.Error() != "could not check the token: invalid request (there is no token); enter one (no permissions needed)" {
		t.Errorf("without a token: %v", err)
	}
	for name, tt := range map[string]struct {
		token string
		fault fakehost.Fault
		kind  error
		next  string
	}{
		"wrong":    {"ghp_wrong", fakehost.Fault{Path: "/none"}, codehost.ErrBadToken, "create a new token"},
		"an app's": {fakehost.Token, fakehost.Fault{Kind: fakehost.Answer, Status: 403}, codehost.ErrForbidden, "an app"},
		"no API":   {fakehost.Token, fakehost.Fault{Kind: fakehost.Answer, Status: 404}, codehost.ErrNotFound, "the URL of the API"},
		"garbage":  {fakehost.Token, fakehost.Fault{Kind: fakehost.Garbage}, codehost.ErrMalformed, "the URL of the API"},
	} {
		h := &fakehost.Host{Faults: []*fakehost.Fault{&tt.fault}}
		_, err := client(t, h, func(c *codehost.Config) { c.Token = rest.NewSecret(tt.token) }).Self(t.Context())
		if !errors.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.next) {
			t.Errorf("%s: %v", name, err)
		}
		noToken(t, err)
	}
	if _, err := client(t, &fakehost.Host{Self: fakehost.Account{Login: "../x"}}, nil).Self(t.Context()); !errors.Is(err, codehost.ErrMalformed) {
		t.Errorf("a login that is none: %v", err)
	}
}

// An account's 404 does not send the reader to look for a private repository.
func TestMissingAccount(t *testing.T) {
	c := client(t, &fakehost.Host{}, func(c *codehost.Config) { c.Token = rest.Secret{} })
	_, err := c.User(t.Context(), "nobody")
	const want = "could not fetch the profile of nobody: not found or private (404); check the spelling; the account may have been renamed or deleted"
	if !errors.Is(err, codehost.ErrNotFound) || err.Error() != want {
		t.Error(err)
	}
	_, err = start(c, codehost.Repo{Owner: "octo", Name: "none"}, codehost.Forks).Next(t.Context())
	const wantList = "could not list the forks of octo/none without a token: not found or private (404); check the spelling; a private repository needs a token with access"
	if !errors.Is(err, codehost.ErrNotFound) || err.Error() != wantList {
		t.Error(err)
	}
}

// The same over a real wire: http.Client, TLS off, chunked answers.
func TestOverHTTP(t *testing.T) {
	h := &fakehost.Host{People: fakehost.Crowd(150), Faults: []*fakehost.Fault{
		{Kind: fakehost.Drop, From: 2, Times: 1}, {Kind: fakehost.Half, From: 3, Times: 1}, {Kind: fakehost.Hang, From: 4, Times: 1}}}
	server := httptest.NewServer(h)
	defer server.Close()
	c := client(t, h, func(c *codehost.Config) {
		c.Base, c.Doer = server.URL, &http.Client{CheckRedirect: rest.NoRedirects}
		c.Timeout = time.Second // long enough for a busy machine
	})
	names, err := logins(start(c, repo, codehost.Forks))
	if err != nil || len(names) != 150 {
		t.Errorf("%d people, %v", len(names), err)
	}
	if _, err := start(c, codehost.Repo{Owner: "no", Name: "where"}, codehost.Forks).Next(t.Context()); !errors.Is(err, codehost.ErrNotFound) || errors.Is(err, io.EOF) {
		t.Error(err)
	}
}
