package main

import (
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"marketingskills/app/verify/fakeverifier"
)

// bareFront is written without a second thought: it calls the proxy by the name of
// this machine, and does not say for whom. The version is what most releases of
// nginx use.
const bareFront = `server {
    listen 443 ssl;
    location / {
        proxy_pass http://127.0.0.1:8080;
        proxy_http_version 1.0;
    }
}
`

// TestFronts tries the web servers that README puts in front of the proxy, and
// the bare one. With a token, each call needs it; without, none gets through.
func TestFronts(t *testing.T) {
	for name, c := range map[string]struct {
		run    func(t *testing.T, config, at, proxy string)
		config string
		hosts  []string
		hides  bool // that it passes on: without a token, all are let in
	}{
		"nginx":        {runNginx, inREADME(t, "nginx"), []string{"--host", "verify.example"}, false},
		"bare nginx":   {runNginx, bareFront, nil, false},
		"hidden nginx": {runNginx, strings.Replace(bareFront, "1.0", "1.1", 1), nil, true},
		"Caddy":        {runCaddy, inREADME(t, "caddy"), []string{"--host", "verify.example"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			front := func(p *proxy) *proxy {
				at := freeAddress(t)
				c.run(t, c.config, at, strings.TrimPrefix(p.url, "http://"))
				return &proxy{url: "http://" + at}
			}
			v := new(fakeverifier.Verifier)
			env := map[string]string{"PROXY_TOKEN": proxyToken}
			closed := front(withVerifier(t, v, env, append(c.hosts, "--origin", "https://verify.example")...))
			open := front(withVerifier(t, v, nil))
			calls := []string{"POST " + inlineOf("ann@mail.example"), "POST /api/v1/verify", "GET /me", "GET /debug/vars"}
			for _, call := range calls {
				method, target, _ := strings.Cut(call, " ")
				try := func(p *proxy, want int, headers ...string) {
					t.Helper()
					if target == pathVars && (want != http.StatusOK || !c.hides || len(headers) > 1) {
						want = http.StatusNotFound
					}
					got := p.send(t, method, target, `{"emails":["ann@mail.example"]}`, append(headers, "Host: verify.example")...)
					if got.status != want {
						t.Errorf("%s with %q: %d %s, want %d", call, headers, got.status, got.body, want)
					}
				}
				try(closed, 401)
				try(closed, 401, "Authorization: Bearer wrong")
				try(closed, 200, rightToken)
				try(closed, 200, rightToken, "Origin: https://verify.example")
				try(closed, 403, rightToken, "Origin: https://evil.example")
				if c.hides {
					continue
				}
				try(open, 403)
				try(open, 403, "X-Forwarded-For: ", "Connection: X-Forwarded-For")
			}
			if len(v.Asked()) != 1 { // it is remembered
				t.Errorf("the verifier was asked about %q", v.Asked())
			}
		})
	}
}

// inREADME returns what README shows in a language.
func inREADME(t *testing.T, language string) string {
	t.Helper()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "```"+language+"\n")
	lines, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatalf("README shows nothing in %s", language)
	}
	return lines
}

func freeAddress(t *testing.T) string {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer free.Close()
	return free.Addr().String()
}

// ofTLS are the lines about it, which is not what is tried.
var ofTLS = regexp.MustCompile(`(?m)^\s*ssl_.*\n`)

func runNginx(t *testing.T, config, at, proxy string) {
	config = ofTLS.ReplaceAllString(strings.NewReplacer("443 ssl", at, "127.0.0.1:8080", proxy).Replace(config), "")
	dir := t.TempDir()
	config = "daemon off;\npid pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n" + config + "}\n"
	runFront(t, at, dir, config, "nginx", "-p", dir, "-c")
}

func runCaddy(t *testing.T, config, at, proxy string) {
	_, port, _ := net.SplitHostPort(at)
	config = strings.NewReplacer("verify.example {", "http://verify.example:"+port+" {\n\tbind 127.0.0.1", "127.0.0.1:8080", proxy).Replace(config)
	runFront(t, at, t.TempDir(), "{\n\tadmin off\n}\n"+config, "caddy", "run", "--adapter", "caddyfile", "--config")
}

// runFront runs a web server until the test ends; the name of its configuration
// is added to the arguments.
func runFront(t *testing.T, at, dir, config, name string, arguments ...string) {
	t.Helper()
	program, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("NOT CHECKED: the front of %s that README shows, since it is not in PATH", name)
	}
	file := filepath.Join(dir, "config")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, append(arguments, file)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir)
	log := new(record)
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		<-ended
	})
	for {
		conn, err := net.Dial("tcp", at)
		if err == nil {
			conn.Close()
			return
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("%s ended: %v\n%s", name, err, log)
		case <-time.After(10 * time.Millisecond):
		}
	}
}
