package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// testSite is the files of a small site: each file's content is its name, and
// its compressed forms say which they are.
func testSite(t *testing.T, base string) *httptest.Server {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{
		"index.html", "index.html.br", "index.html.gz", "404.html", "404.html.br", "skills/sms/index.html", "skills/sms/SKILL.md",
		"skills/sms/sms.zip", "app.js", "app.0123456789ab.js", "app.0123456789xy.js", "app.js.gz", "app.wasm", "catalog.json", "feed.xml", "llms.txt", "a.svg", "a.png",
		"manifest.webmanifest", "odd.bin", "plain", "empty/x.txt", ".env", ".git/config", "skills/.hidden", ".well-known/agent-skills/index.json", "two words.txt",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("<"+name+">"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	handler, err := newStatic(dir, base)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

// ask sends a request as it stands, without tidying its target, and returns
// the answer without following it.
func ask(t *testing.T, server *httptest.Server, method, target string, headers ...string) (*http.Response, string) {
	t.Helper()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n", method, target)
	for _, h := range headers {
		fmt.Fprintf(conn, "%s\r\n", h)
	}
	fmt.Fprint(conn, "\r\n")
	response, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%s %s: %v", method, target, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, target, err)
	}
	return response, string(body)
}

func TestTypes(t *testing.T) {
	server := testSite(t, "/")
	for target, want := range map[string]string{
		"/":                                    "text/html; charset=utf-8",
		"/skills/sms/":                         "text/html; charset=utf-8",
		"/skills/sms/index.html":               "text/html; charset=utf-8",
		"/skills/sms/SKILL.md":                 "text/markdown; charset=utf-8",
		"/skills/sms/sms.zip":                  "application/zip",
		"/app.js":                              "text/javascript; charset=utf-8",
		"/app.wasm":                            "application/wasm",
		"/catalog.json":                        "application/json",
		"/feed.xml":                            "application/xml",
		"/llms.txt":                            "text/plain; charset=utf-8",
		"/a.svg":                               "image/svg+xml",
		"/a.png":                               "image/png",
		"/manifest.webmanifest":                "application/manifest+json",
		"/odd.bin":                             "application/octet-stream",
		"/plain":                               "application/octet-stream",
		"/two%20words.txt":                     "text/plain; charset=utf-8",
		"/.well-known/agent-skills/index.json": "application/json",
	} {
		response, body := ask(t, server, "GET", target)
		if got := response.Header.Get("Content-Type"); response.StatusCode != 200 || got != want || !strings.HasPrefix(body, "<") {
			t.Errorf("%s: got %d, %s, %s", target, response.StatusCode, got, body)
		}
		for name, value := range map[string]string{"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "frame-ancestors 'none'", "Vary": "Accept-Encoding"} {
			if got := response.Header.Get(name); got != value {
				t.Errorf("%s: %s is %q", target, name, got)
			}
		}
	}
}

func TestEncodings(t *testing.T) {
	server := testSite(t, "/")
	for _, c := range []struct{ target, accept, encoding, body string }{
		{"/", "", "", "<index.html>"},
		{"/", "br", "br", "<index.html.br>"},
		{"/", "gzip", "gzip", "<index.html.gz>"},
		{"/", "gzip, deflate, br, zstd", "br", "<index.html.br>"},
		{"/", "BR;q=0.5,GZIP", "br", "<index.html.br>"},
		{"/", "br;q=0, gzip", "gzip", "<index.html.gz>"},
		{"/", "br ; q=0.0 , gzip;Q=0.000", "", "<index.html>"},
		{"/", "gzip;q=0", "", "<index.html>"},
		{"/", "identity;q=0, *", "", "<index.html>"},
		{"/", "broken", "", "<index.html>"},
		{"/", ",,;=,", "", "<index.html>"},
		{"/", "deflate\r\nAccept-Encoding: gzip", "gzip", "<index.html.gz>"},
		{"/app.js", "br, gzip", "gzip", "<app.js.gz>"},
		{"/app.js", "br", "", "<app.js>"},
		{"/app.wasm", "br, gzip", "", "<app.wasm>"},
		{"/nowhere", "br", "br", "<404.html.br>"},
		{"/nowhere", "gzip", "", "<404.html>"},
	} {
		response, body := ask(t, server, "GET", c.target, "Accept-Encoding: "+c.accept)
		if got := response.Header.Get("Content-Encoding"); got != c.encoding || body != c.body {
			t.Errorf("%s with %q: got %q, %s", c.target, c.accept, got, body)
		}
		if response.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s with %q: caches would mix encodings", c.target, c.accept)
		}
	}
}

func TestCaching(t *testing.T) {
	server := testSite(t, "/")
	const ever, never = "public, max-age=31536000, immutable", "no-cache"
	for target, want := range map[string]string{
		"/": never, "/?q=a": never, "/app.js": never, "/app.0123456789ab.js": ever, "/app.0123456789xy.js": never, "/app.js?v=abc": never,
		// What is missing today may be there tomorrow.
		"/gone.0123456789ab.js": never,
	} {
		response, _ := ask(t, server, "GET", target)
		if got := response.Header.Get("Cache-Control"); got != want {
			t.Errorf("%s: got %q", target, got)
		}
	}
	plain, _ := ask(t, server, "GET", "/")
	packed, _ := ask(t, server, "GET", "/", "Accept-Encoding: br")
	tag := plain.Header.Get("ETag")
	if !strings.HasPrefix(tag, `"`) || tag == packed.Header.Get("ETag") {
		t.Errorf("the tags are %s and %s", tag, packed.Header.Get("ETag"))
	}
	for match, status := range map[string]int{tag: 304, "W/" + tag: 304, `"x", ` + tag: 304, "*": 304, `"x"`: 200, packed.Header.Get("ETag"): 200} {
		response, body := ask(t, server, "GET", "/", "If-None-Match: "+match)
		if response.StatusCode != status || (body == "") != (status == 304) || response.Header.Get("ETag") != tag || response.Header.Get("Vary") == "" {
			t.Errorf("%s: got %d, %q, %v", match, response.StatusCode, body, response.Header)
		}
	}
	if response, body := ask(t, server, "GET", "/", "Range: bytes=1-5"); response.StatusCode != 206 || body != "index" {
		t.Errorf("a range: got %d, %q", response.StatusCode, body)
	}
}

func TestRedirects(t *testing.T) {
	for _, c := range []struct{ base, target, to string }{
		{"/", "/skills/sms", "/skills/sms/"},
		{"/", "/skills/sms?a=b&c=%2F#x", "/skills/sms/?a=b&c=%2F#x"},
		{"/", "/skills%2Fsms", "/skills/sms/"},
		{"/", "/empty", "/empty/"},
		{"/", "/.well-known", "/.well-known/"},
		{"/sub/path/", "/sub/path", "/sub/path/"},
		{"/sub/path/", "/sub/path?q=a%20b", "/sub/path/?q=a%20b"},
		{"/sub/path/", "/sub/path/skills/sms?q=a", "/sub/path/skills/sms/?q=a"},
		{"sub", "/sub", "/sub/"},
	} {
		server := testSite(t, c.base)
		response, _ := ask(t, server, "GET", strings.ReplaceAll(c.target, "#", "%23"))
		if got := response.Header.Get("Location"); response.StatusCode != 301 || got != strings.ReplaceAll(c.to, "#", "%23") {
			t.Errorf("%s under %s: got %d, %q, want %s", c.target, c.base, response.StatusCode, got, c.to)
		}
	}
}

func TestMissing(t *testing.T) {
	for base, targets := range map[string][]string{
		"/": {
			"/nowhere", "/nowhere/", "/skills/", "/index.html/", "/app.js/", "/app.js/x", "/empty/", "/" + strings.Repeat("x", 5000),
			"/..", "/../", "/../../etc/passwd", "/skills/../../x", "/./index.html", "/skills/sms/../sms/", "/%2e%2e/%2e%2e/etc/passwd",
			"/..%2f..%2fetc/passwd", "/%2e%2e%5c..%5cetc", `/..\..\etc\passwd`, `/skills\sms`, "/index.html%00", "/%00", "/%00/", "/index.html%00.png", "/a%0ab", "/%ff",
			"//", "//skills/sms", "//evil.example/skills", "//evil.example/..", "/skills//sms", `/\evil.example/`, "/%5cevil.example", "/%2f%2fevil.example/", "///evil.example",
			"/.env", "/.git/config", "/.git", "/skills/.hidden", "/.well-known/", "/.well-known/.x", "/...",
		},
		"/sub/": {"/", "/index.html", "/subx/", "/sub/nowhere", "/sub//", "/sub/../x", "//sub/", "/su", "//sub", "/sub/.env"},
	} {
		server := testSite(t, base)
		for _, target := range targets {
			response, body := ask(t, server, "GET", target)
			// Go itself answers a malformed request; it redirects nowhere.
			if response.StatusCode == 400 && response.Header.Get("Location") == "" {
				continue
			}
			if response.StatusCode != 404 || body != "<404.html>" || response.Header.Get("Location") != "" || response.Header.Get("ETag") != "" {
				t.Errorf("%s under %s: got %d, %q, %v", target, base, response.StatusCode, body, response.Header)
			}
			if got := response.Header.Get("Content-Type"); got != "text/html; charset=utf-8" {
				t.Errorf("%s: got %s", target, got)
			}
		}
	}
}

func TestMethods(t *testing.T) {
	server := testSite(t, "/")
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW"} {
		response, body := ask(t, server, method, "/")
		if response.StatusCode != 405 || response.Header.Get("Allow") != "GET, HEAD" || strings.Contains(body, "index") {
			t.Errorf("%s: got %d, %v, %q", method, response.StatusCode, response.Header, body)
		}
	}
	for target, want := range map[string]int{"/": 200, "/nowhere": 404, "/skills/sms": 301} {
		get, _ := ask(t, server, "GET", target)
		head, body := ask(t, server, "HEAD", target)
		if head.StatusCode != want || body != "" {
			t.Errorf("HEAD %s: got %d, %q", target, head.StatusCode, body)
		}
		for _, name := range []string{"Content-Type", "Content-Length", "ETag", "Cache-Control", "Vary", "Location"} {
			if want != 301 && head.Header.Get(name) != get.Header.Get(name) {
				t.Errorf("HEAD %s: %s is %q, GET says %q", target, name, head.Header.Get(name), get.Header.Get(name))
			}
		}
	}
}

func TestASiteWithoutA404PageStillAnswers(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	handler, err := newStatic(dir, "/")
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/x", nil))
	if w.Code != 404 || !bytes.Contains(w.Body.Bytes(), []byte("no such page")) {
		t.Errorf("got %d, %s", w.Code, w.Body)
	}
}

// TestTagsNeedNoReading: a file has another tag when its size or its time of
// change is another, and nobody reads it for that.
func TestTagsNeedNoReading(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "index.html")
	day := time.Date(2026, 5, 26, 0, 0, 0, 0, time.UTC)
	put := func(content string, changed time.Time) {
		if err := errors.Join(os.WriteFile(name, []byte(content), 0o644), os.Chtimes(name, changed, changed)); err != nil {
			t.Fatal(err)
		}
	}
	put("one", day)
	handler, err := newStatic(dir, "/")
	if err != nil {
		t.Fatal(err)
	}
	tagNow := func() string {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
		return w.Header().Get("ETag")
	}
	first := tagNow()
	put("two", day)
	if got := tagNow(); got != first {
		t.Errorf("the file was read again for its tag: %s, then %s", first, got)
	}
	put("two", day.Add(time.Second))
	if got := tagNow(); got == first || got == "" {
		t.Errorf("a changed file keeps the tag %s", got)
	}
}

// TestAVisitorWhoDoesNotRead is let go when the deadline for the file is over.
func TestAVisitorWhoDoesNotRead(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), make([]byte, 64<<20), 0o644); err != nil {
		t.Fatal(err)
	}
	handler, err := newStatic(dir, "/")
	if err != nil {
		t.Fatal(err)
	}
	handler.grace, handler.slowest = 50*time.Millisecond, 1<<40
	done := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(done)
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: site.example\r\n\r\n")
	<-done
}
