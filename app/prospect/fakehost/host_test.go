package fakehost_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"marketingskills/app/prospect/fakehost"
	"marketingskills/app/rest"
)

// TestCORS: what a page on another origin needs to ask this host, on every
// answer; a browser that may not read a refusal sees a lost connection.
func TestCORS(t *testing.T) {
	const bad = "Bearer ghp_wrong"
	for name, tt := range map[string]struct {
		host   *fakehost.Host
		path   string
		auth   string
		status int
	}{
		"page":       {&fakehost.Host{People: fakehost.Crowd(150)}, "/repos/octo/tool/forks?per_page=100", "", 200},
		"self":       {&fakehost.Host{}, "/user", "Bearer " + fakehost.Token, 200},
		"no token":   {&fakehost.Host{}, "/user", "", 401},
		"bad token":  {&fakehost.Host{}, "/user", bad, 401},
		"moved":      {&fakehost.Host{OldName: "old"}, "/repos/octo/old/forks", "", 301},
		"missing":    {&fakehost.Host{}, "/users/nobody", "", 404},
		"quota":      {&fakehost.Host{Quota: -1}, "/users/nobody", "", 403},
		"restricted": {&fakehost.Host{Restriction: fakehost.RestrictedForbidden}, "/repos/octo/tool/stargazers", "", 403},
		"penalty":    {&fakehost.Host{Faults: []*fakehost.Fault{{Kind: fakehost.Secondary429}}}, "/users/nobody", "", 429},
		"fault":      {&fakehost.Host{Faults: []*fakehost.Fault{{Kind: fakehost.Answer, Status: 502}}}, "/users/nobody", "", 502},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(tt.host)
			defer server.Close()
			client := &http.Client{CheckRedirect: rest.NoRedirects}
			send := func(method string, header map[string]string) *http.Response {
				t.Helper()
				r, err := http.NewRequestWithContext(t.Context(), method, server.URL+tt.path, nil)
				if err != nil {
					t.Fatal(err)
				}
				for key, value := range header {
					r.Header.Set(key, value)
				}
				resp, err := client.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
				return resp
			}

			preflight := send(http.MethodOptions, map[string]string{"Origin": "https://site.example",
				"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization,x-github-api-version"})
			if preflight.StatusCode != http.StatusNoContent || preflight.Header.Get("Access-Control-Allow-Origin") != "*" || preflight.Header.Get("Access-Control-Max-Age") != "86400" {
				t.Errorf("the preflight is answered with %s, %v", preflight.Status, preflight.Header)
			}
			for _, name := range []string{"Authorization", "If-None-Match", "X-GitHub-Api-Version", "Accept"} {
				if !lists(preflight.Header.Get("Access-Control-Allow-Headers"), name) {
					t.Errorf("the preflight does not allow %s", name)
				}
			}
			if !lists(preflight.Header.Get("Access-Control-Allow-Methods"), "GET") {
				t.Error("the preflight does not allow GET")
			}
			if c := tt.host.Count(); c.Requests != 0 || len(c.ByPath) != 0 {
				t.Errorf("the preflight was counted: %+v", c)
			}

			header := map[string]string{"Origin": "https://site.example"}
			if tt.auth != "" {
				header["Authorization"] = tt.auth
			}
			resp := send(http.MethodGet, header)
			if resp.StatusCode != tt.status || resp.Header.Get("Access-Control-Allow-Origin") != "*" {
				t.Errorf("%s, for origin %q", resp.Status, resp.Header.Get("Access-Control-Allow-Origin"))
			}
			for _, name := range []string{"ETag", "Link", "Location", "Retry-After", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Used", "X-RateLimit-Resource", "X-RateLimit-Reset"} {
				if !lists(resp.Header.Get("Access-Control-Expose-Headers"), name) {
					t.Errorf("%s is not shown to the page", name)
				}
			}
			if used := resp.Header.Get("X-RateLimit-Used"); tt.status == 200 && used != "1" {
				t.Errorf("the preflight cost something: %s used", used)
			}
		})
	}
}

// lists tells whether a header that is a list has an entry.
func lists(header, name string) bool {
	for entry := range strings.SplitSeq(header, ",") {
		if strings.EqualFold(strings.TrimSpace(entry), name) {
			return true
		}
	}
	return false
}
