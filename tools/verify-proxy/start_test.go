package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"marketingskills/app/verify/fakeverifier"
)

const (
	limit      = 10 // requests a second, which the verifier of tests takes (rule 21)
	apiKey     = "key-of-the-verifier-77e1"
	proxyToken = "token-of-the-proxy-5b20"
)

// proxy is the command at work.
type proxy struct {
	url  string // of its root
	stop func() error
	log  *record // what it wrote to standard error
}

// record keeps what is written.
type record struct {
	mu   sync.Mutex
	text strings.Builder
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// domains are a domain name system in which all domains can receive email but
// nomail.example.
type domains struct{}

func (domains) Receives(_ context.Context, domain string) (bool, string, error) {
	return domain != "nomail.example", "the domain has no mail server", nil
}

// start runs the command until the test ends, beside a small site below /sub
// unless the arguments say otherwise.
func start(t *testing.T, env map[string]string, arguments ...string) *proxy {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("home"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	printed, stderr := io.Pipe()
	ended := make(chan error, 1)
	if !slices.Contains(arguments, "--dir") {
		arguments = append(arguments, "--dir", dir, "--base", "/sub")
	}
	arguments = append(arguments, "--addr", "127.0.0.1:0")
	go func() {
		err := run(ctx, arguments, surroundings{func(name string) string { return env[name] }, domains{}, io.Discard, stderr})
		stderr.CloseWithError(io.EOF)
		ended <- err
	}()
	lines, log := bufio.NewReader(printed), new(record)
	line, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(<-ended)
	}
	go func() { _, _ = io.Copy(log, lines) }()
	stop := sync.OnceValue(func() error {
		cancel()
		return <-ended
	})
	t.Cleanup(func() { _ = stop() })
	_, rest, _ := strings.Cut(line, " at http://")
	host, _, ok := strings.Cut(rest, "/")
	if !ok || !strings.HasPrefix(line, "Serving ") || !strings.HasSuffix(line, " (Ctrl-C stops)\n") {
		t.Fatalf("it printed %q", line)
	}
	return &proxy{"http://" + host, stop, log}
}

// serve starts a fake verifier and returns its URL.
func serve(t *testing.T, v *fakeverifier.Verifier) string {
	t.Helper()
	server := httptest.NewServer(v)
	t.Cleanup(server.Close)
	return server.URL
}

// withVerifier starts the command in front of a fake verifier.
func withVerifier(t *testing.T, v *fakeverifier.Verifier, env map[string]string, arguments ...string) *proxy {
	t.Helper()
	if v.Key == "" {
		v.Key = apiKey
	}
	all := map[string]string{"VERIFY_URL": serve(t, v), "VERIFY_API_KEY": apiKey}
	for name, value := range env {
		all[name] = value
	}
	return start(t, all, arguments...)
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

// send sends a request with headers, each "Name: value"; Host is one of them.
func (p *proxy) send(t *testing.T, method, target, body string, headers ...string) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, p.url+target, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			r.Host = value
		}
		r.Header.Add(name, value)
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, string(content)}
}

func inlineOf(address string) string { return "/api/v1/verify_inline?email=" + address }
