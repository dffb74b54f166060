package main

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"marketingskills/app/verify/fakeverifier"
)

// TestWhoMayCall tries to get in where only this machine may call.
func TestWhoMayCall(t *testing.T) {
	v := new(fakeverifier.Verifier)
	p := withVerifier(t, v, nil, "--origin", "https://Skills.Example:443")
	own := strings.TrimPrefix(p.url, "http://")
	port := own[strings.LastIndexByte(own, ':'):]
	for _, c := range []struct {
		headers string // between commas
		want    int
	}{
		{"", 200},
		{"Origin: http://" + own, 200},
		{"Origin: http://localhost" + port, 200},
		{"Host: localhost" + port, 200},
		{"Host: LOCALHOST" + port, 200},
		{"Host: [::1]" + port, 200},
		{"Origin: https://skills.example", 200},
		{"Sec-Fetch-Site: same-origin", 200},
		{"Sec-Fetch-Site: none", 200},
		{"Authorization: Bearer whatever", 200}, // none is asked for

		{"Origin: null", 403},
		{"Origin: ", 403},
		{"Origin: https://evil.example", 403},
		{"Origin: http://skills.example", 403},
		{"Origin: https://skills.example.evil.example", 403},
		{"Origin: https://skills.example:8443", 403},
		{"Origin: https://" + own, 403},
		{"Origin: http://127.0.0.1", 403},
		{"Origin: https://skills.example, Origin: https://evil.example", 403},
		{"Origin: https://evil.example, Origin: https://skills.example", 403},
		{"Host: evil.example" + port, 403},
		{"Host: evil.example" + port + ", Origin: http://evil.example" + port, 403},
		{"Host: 127.0.0.1", 403},
		{"Host: localhost" + port + "0", 403},
		{"Sec-Fetch-Site: cross-site", 403},
		{"Sec-Fetch-Site: same-site", 403},
	} {
		for _, call := range []string{"POST " + inlineOf("ann@mail.example"), "GET /me"} {
			method, target, _ := strings.Cut(call, " ")
			got := p.send(t, method, target, "", split(c.headers)...)
			if got.status != c.want {
				t.Errorf("%s with %q: %d %s, want %d", call, c.headers, got.status, got.body, c.want)
			}
			if allowed := got.header.Get("Access-Control-Allow-Origin"); (c.want == 403 || !strings.Contains(c.headers, "Origin")) && allowed != "" {
				t.Errorf("%s with %q: pages of %s may read the answer", call, c.headers, allowed)
			}
		}
	}
}

// TestOwnPages: pages of the proxy's own site may call, by whatever name it is
// called, with its port or without.
func TestOwnPages(t *testing.T) {
	p := withVerifier(t, new(fakeverifier.Verifier), map[string]string{"PROXY_TOKEN": proxyToken}, "--host", "verify.example", "--host", "other.example:80")
	port := p.url[strings.LastIndexByte(p.url, ':'):]
	for headers, want := range map[string]int{
		"Host: verify.example" + port + ", Origin: http://verify.example" + port: 200,
		"Host: verify.example, Origin: http://verify.example":                    200,
		"Host: other.example:80, Origin: http://other.example:80":                200,
		"Host: verify.example, Origin: http://verify.example:1":                  403,
		"Host: verify.example, Origin: https://verify.example":                   403,
	} {
		if got := p.send(t, "GET", "/me", "", split(headers+", "+rightToken)...); got.status != want {
			t.Errorf("%s: %d %s", headers, got.status, got.body)
		}
	}
}

func split(headers string) []string {
	if headers == "" {
		return nil
	}
	return strings.Split(headers, ", ")
}

const rightToken = "Authorization: Bearer " + proxyToken

// TestToken tries to get in where a token is asked for.
func TestToken(t *testing.T) {
	p := withVerifier(t, new(fakeverifier.Verifier), map[string]string{"PROXY_TOKEN": proxyToken}, "--origin", "https://skills.example")
	const right, origin = rightToken, "Origin: https://skills.example"
	for _, c := range []struct {
		headers string
		want    int
	}{
		{right, 200},
		{"Authorization: bearer " + proxyToken, 200},
		{right + ", " + origin, 200},
		{"", 401},
		{origin, 401},
		{"Authorization: Bearer", 401},
		{"Authorization: Bearer " + proxyToken + "x", 401},
		{"Authorization: Bearer " + proxyToken[1:], 401},
		{"Authorization: Bearer " + proxyToken[:len(proxyToken)-1] + "1", 401},
		{"Authorization: Basic " + proxyToken, 401},
		{"Authorization: " + proxyToken, 401},
		{"Authorization: Bearer " + apiKey, 401},
		{"Cookie: token=" + proxyToken, 401},
		{right + ", Origin: https://evil.example", 403},
		{right + ", Origin: null", 403},
		{right + ", Host: evil.example", 403},
		{"X-Forwarded-For: 127.0.0.1", 401},
		{right + ", X-Forwarded-For: 192.0.2.1", 200},
	} {
		for _, call := range []string{"POST " + inlineOf("ann@mail.example"), "POST /api/v1/verify", "GET /me"} {
			method, target, _ := strings.Cut(call, " ")
			got := p.send(t, method, target, `{"emails":["ann@mail.example"]}`, split(c.headers)...)
			if got.status != c.want {
				t.Errorf("%s with %q: %d %s, want %d", call, c.headers, got.status, got.body, c.want)
			}
			if got.status == 401 && got.header.Get("WWW-Authenticate") != "Bearer" {
				t.Errorf("%s with %q: it does not say what it wants", call, c.headers)
			}
			// The page must be able to read why its token is wrong.
			if got.status == 401 && strings.Contains(c.headers, origin) && got.header.Get("Access-Control-Allow-Origin") == "" {
				t.Errorf("%s with %q: the page cannot read the answer", call, c.headers)
			}
		}
	}
	for _, open := range []string{"/healthz", "/sub/"} {
		got := p.send(t, "GET", open, "", "Origin: https://evil.example")
		if got.status != http.StatusOK || got.header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %d, %v", open, got.status, got.header)
		}
	}
	if got := p.send(t, "GET", "/healthz", "", origin); got.header.Get("Access-Control-Allow-Origin") != "https://skills.example" {
		t.Errorf("the page cannot read %v", got.header)
	}
}

// TestPassedOn: what came through another server may be from anywhere, and needs
// a token.
func TestPassedOn(t *testing.T) {
	p := withVerifier(t, new(fakeverifier.Verifier), nil)
	for _, header := range []string{
		"Forwarded: for=192.0.2.1", "Forwarded: ", "X-Forwarded-For: 127.0.0.1", "x-forwarded-for: ", "X-Forwarded-Host: localhost",
		"X-Forwarded-Proto: https", "X-Forwarded: for=192.0.2.1", "X-Real-IP: 127.0.0.1", "Via: 1.1 front", "CF-Connecting-IP: 192.0.2.1",
		"True-Client-IP: 192.0.2.1",
	} {
		for _, call := range []string{"POST " + inlineOf("not-an-address"), "POST /api/v1/verify", "GET /me"} {
			method, target, _ := strings.Cut(call, " ")
			got := p.send(t, method, target, `{"emails":["ann@mail.example"]}`, header)
			if got.status != http.StatusForbidden || !strings.Contains(got.body, "set PROXY_TOKEN") {
				t.Errorf("%s with %s: %d %s", call, header, got.status, got.body)
			}
		}
	}
}

// TestHosts: names given with --host stand for any port, unless they have one,
// and take the place of the usual ones.
func TestHosts(t *testing.T) {
	p := start(t, map[string]string{"PROXY_TOKEN": proxyToken}, "--host", "Verify.Example", "--host", "other.example:8443")
	for host, want := range map[string]int{
		"verify.example": 200, "verify.example:9000": 200, "other.example:8443": 200,
		"other.example": 403, "other.example:1": 403, "evil.example": 403, "localhost": 403,
	} {
		if got := p.send(t, "POST", inlineOf("ann@mail.example"), "", "Host: "+host, rightToken); got.status != want {
			t.Errorf("%s: %d, want %d", host, got.status, want)
		}
	}
}

// TestPort80: browsers leave it out.
func TestPort80(t *testing.T) {
	c := newCallers(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80}, options{})
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "127.0.0.1:80"} {
		r := httptest.NewRequest("POST", "http://"+host+pathInline, nil)
		r.Header.Set("Origin", "http://"+strings.TrimSuffix(host, ":80"))
		if refused := c.judge(r); refused != nil {
			t.Errorf("%s: %+v", host, refused)
		}
	}
}

// TestPreflight: a browser asks before it sends a token from another origin.
func TestPreflight(t *testing.T) {
	p := start(t, map[string]string{"PROXY_TOKEN": proxyToken}, "--origin", "https://skills.example")
	ask := []string{"Access-Control-Request-Method: POST", "Access-Control-Request-Headers: authorization"}
	got := p.send(t, "OPTIONS", "/api/v1/verify_inline", "", append(ask, "Origin: https://skills.example")...)
	want := map[string]string{
		"Access-Control-Allow-Origin": "https://skills.example", "Access-Control-Allow-Methods": "POST",
		"Access-Control-Allow-Headers": "Authorization, Content-Type", "Vary": "Origin", "Access-Control-Allow-Credentials": "",
	}
	for name, value := range want {
		if got.status != http.StatusNoContent || got.header.Get(name) != value {
			t.Errorf("%d, %s: %q, want %q", got.status, name, got.header.Get(name), value)
		}
	}
	for _, origin := range []string{"https://evil.example", "null"} {
		got := p.send(t, "OPTIONS", "/api/v1/verify_inline", "", append(ask, "Origin: "+origin)...)
		if got.status != http.StatusForbidden || got.header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %d, %v", origin, got.status, got.header)
		}
	}
	if got := p.send(t, "OPTIONS", "/healthz", ""); got.status != http.StatusMethodNotAllowed {
		t.Errorf("healthz: %d", got.status)
	}
}
