// Command verify-proxy serves the static site and verifies emails for its
// pages: it adds the verifier's key, which only it holds, and keeps to the
// verifier's limit.
//
// A call passes callers.go (who may call), api.go (what is asked), queue.go
// (the pace) and, in app/verify, the client. remember.go keeps answers for a
// while, redis.go is what several proxies share, static.go serves the site.
package main

import (
	"context"
	"errors"
	"expvar"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"

	"golang.org/x/net/netutil"

	"marketingskills/app/text"
	"marketingskills/app/verify"
	"marketingskills/app/verify/disposable"
	"marketingskills/tools/internal/console"
	"marketingskills/tools/internal/maildns"
	"marketingskills/tools/internal/pace"
)

// windowsAddressInUse is WSAEADDRINUSE, which Go does not count as EADDRINUSE.
const windowsAddressInUse = syscall.Errno(10048)

func main() {
	ctx, stop := console.Interrupted()
	defer stop()
	err := run(ctx, os.Args[1:], surroundings{os.Getenv, maildns.New(nil), os.Stdout, os.Stderr})
	if err != nil {
		fmt.Fprintf(os.Stderr, "verify-proxy: %v\n", err)
		os.Exit(console.Status(err))
	}
}

const (
	// mostConnections is how many visitors are served at once; others wait
	// until one of them is done.
	mostConnections = 1000
	// grace is how long what is under way may take after the end was asked for:
	// answers that wait are paid for, or will be.
	grace = longestCall + 5*time.Second
)

// listen opens a port that takes at most so many connections at once.
func listen(addr string, most int) (net.Listener, error) {
	listener, err := net.Listen("tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, windowsAddressInUse):
		return nil, fmt.Errorf("listening on %s: another program already uses it; stop that program, "+
			"or choose another address with --addr (ADDR=127.0.0.1:8081 with make)", addr)
	case err != nil:
		return nil, fmt.Errorf("listening on %s: %w; choose another address with --addr", addr, err)
	}
	return netutil.LimitListener(listener, most), nil
}

// surroundings are what the command touches beside files and the network.
type surroundings struct {
	getenv         func(string) string
	mail           verify.MailDomains
	stdout, stderr io.Writer
}

// run serves until ctx ends.
func run(ctx context.Context, arguments []string, s surroundings) error {
	o, err := parseOptions(arguments, s.getenv)
	if err != nil {
		return err
	}
	if o.help {
		_, err := io.WriteString(s.stdout, usage)
		return err
	}
	var site *static
	if o.dir != "" {
		if site, err = newStatic(o.dir, o.base); err != nil {
			return err
		}
	}
	a, err := newAPI(ctx, o, s)
	if err != nil {
		return err
	}
	listener, err := listen(o.addr, mostConnections)
	if err != nil {
		return err
	}
	a.callers = newCallers(listener.Addr(), o)
	server := &http.Server{
		Handler:           handler(a, site),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		// The site sets a deadline of its own for each file, by its size, and
		// the interface one for each call.
		WriteTimeout:   30 * time.Second,
		IdleTimeout:    2 * time.Minute,
		MaxHeaderBytes: 64 << 10,
	}
	what, path := "email verification", "/"
	if site != nil {
		what, path = o.dir, site.base
	}
	fmt.Fprintf(s.stderr, "Serving %s at http://%s%s (Ctrl-C stops)\n", what, listener.Addr(), path)
	fmt.Fprintln(s.stderr, o.verification())
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
	}
	ending, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if err := server.Shutdown(ending); err != nil {
		return fmt.Errorf("stopping: %w", err)
	}
	return nil
}

// newAPI makes the interface, but for who may call it.
func newAPI(ctx context.Context, o options, s surroundings) (*api, error) {
	a := &api{
		checker:  verify.Checker{Disposable: disposable.Domains(), Mail: s.mail},
		queues:   map[string]*queue{},
		counters: new(expvar.Map),
		log:      slog.New(slog.NewTextHandler(s.stderr, nil)),
	}
	if o.apiKey == "" {
		return a, nil
	}
	var err error
	a.upstream, err = verify.NewClient(verify.Config{Base: o.upstream, Secret: verify.NewSecret(o.apiKey), Doer: pace.NewHTTPClient(),
		Timeout: upstreamTimeout, UserAgent: "verify-proxy"})
	if err != nil {
		return nil, console.Usage(err)
	}
	var window pace.Window = new(pace.Local)
	var answers store = new(localStore)
	if o.redis != "" {
		redis, err := newShared(o.redis)
		if err != nil {
			return nil, console.Usage(err)
		}
		if err := redis.here(ctx); err != nil {
			a.log.Warn("Redis does not answer; calls that need the verifier get 503 until it does", "error", err)
		}
		window, answers = redis, redis
	}
	for path := range endpoints {
		a.queues[path] = &queue{endpoint: path, window: window}
	}
	if o.remember > 0 {
		a.memory, err = newMemory(o.apiKey, o.upstream, o.remember, answers)
	}
	return a, err
}

// verification says in a sentence what emails are verified with.
func (o *options) verification() string {
	if o.apiKey == "" {
		return "Emails: free checks only. Set VERIFY_URL and VERIFY_API_KEY to verify them."
	}
	return "Emails: verified with " + text.Line(o.upstream, 200) + "."
}

// handler sends the interface's paths to it and all others to the site.
func handler(a *api, site *static) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, known := endpoints[r.URL.Path]
		switch {
		case known, site == nil, r.URL.Path == pathHealth, r.URL.Path == pathVars, strings.HasPrefix(r.URL.Path, "/api/"):
			a.ServeHTTP(w, r)
		default:
			site.ServeHTTP(w, r)
		}
	})
}
