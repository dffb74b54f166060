// Command verify-proxy serves the static site and verifies emails for its
// pages: it adds the verifier's key, which only it holds, and keeps to the
// verifier's limit.
//
// A call passes api.go (what is asked), callers.go (who may call), questions.go
// (does somebody ask the same), remember.go (is the answer known), queue.go (when
// it is its turn), and upstream.go (what the verifier says), which asks one of
// tools/internal/verifiers. doors.go lets connections in, redis.go is what several
// proxies share, limits.go says how long and how much everything may be, static.go
// serves the site.
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
	"syscall"

	"marketingskills/app/rest"
	"marketingskills/app/text"
	"marketingskills/app/verify"
	"marketingskills/app/verify/disposable"
	"marketingskills/tools/internal/console"
	"marketingskills/tools/internal/maildns"
	"marketingskills/tools/internal/pace"
	"marketingskills/tools/internal/version"
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
		_, err := io.WriteString(s.stdout, usage())
		return err
	}
	if o.version {
		return version.Print(s.stdout, "verify-proxy")
	}
	a, err := newAPI(o, s)
	if err != nil {
		return err
	}
	listener, err := listen(o.addr, mostConnections)
	if err != nil {
		return err
	}
	a.callers = newCallers(listener.Addr(), o)
	what, path := "email verification", "/"
	if a.site != nil {
		what, path = o.dir, a.site.base
	}
	fmt.Fprintf(s.stderr, "Serving %s at http://%s%s (Ctrl-C stops)\n", what, listener.Addr(), path)
	if a.upstream == nil {
		fmt.Fprintln(s.stderr, "Emails: free checks only. Set VERIFY_URL and VERIFY_API_KEY to verify them.")
	} else {
		fmt.Fprintf(s.stderr, "Emails: verified with %s.\n", text.Line(o.upstream, 200))
		if o.token == "" {
			fmt.Fprintln(s.stderr, "Programs on this machine can call. Before a web server passes requests on: set PROXY_TOKEN.")
		}
	}
	server := &http.Server{Handler: a, ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader, ConnState: listener.state}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
	}
	ending, cancel := context.WithTimeout(context.Background(), answerTimeout)
	defer cancel()
	if err := server.Shutdown(ending); err != nil {
		return fmt.Errorf("stopping: %w", err)
	}
	return nil
}

// listen opens a port that takes at most so many connections at once.
func listen(addr string, most int) (*doors, error) {
	listener, err := net.Listen("tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, windowsAddressInUse):
		return nil, fmt.Errorf("listening on %s: another program already uses it; stop that program, "+
			"or choose another address with --addr (ADDR=127.0.0.1:8081 with make)", addr)
	case err != nil:
		return nil, fmt.Errorf("listening on %s: %w; choose another address with --addr", addr, err)
	}
	return newDoors(listener, most), nil
}

// newAPI makes the interface. Who may call it depends on where it listens.
func newAPI(o options, s surroundings) (*api, error) {
	a := &api{
		checker:  verify.Checker{Disposable: disposable.Domains(), Mail: s.mail},
		queues:   map[string]*queue{},
		counters: new(expvar.Map),
		log:      slog.New(slog.NewTextHandler(s.stderr, nil)),
	}
	var err error
	if o.dir != "" {
		if a.site, err = newStatic(o.dir, o.base); err != nil {
			return nil, err
		}
	}
	if o.apiKey == "" {
		return a, nil
	}
	a.upstream, err = o.service.New(rest.Config{Base: o.upstream, Secret: rest.NewSecret(o.apiKey), Doer: pace.NewHTTPClient(),
		Timeout: verifierTimeout, UserAgent: "verify-proxy/" + version.Number()})
	if err != nil {
		return nil, err
	}
	limit := a.upstream.Limit()
	window := func(string) pace.Window { return pace.NewLocal(limit) }
	answers := newLocalStore
	if o.redis != "" {
		redis, err := newShared(o.redis, o.service, limit, a.log)
		if err != nil {
			return nil, console.Usage(err)
		}
		if err := redis.open(); err != nil && err.says(mayEvict) {
			return nil, err
		} else if err != nil {
			a.log.Warn("Redis cannot keep the limit; calls that need the verifier get 503 until it can", "error", err)
		}
		window, answers = redis.window, redis.store
	}
	for path, e := range endpoints {
		if e.guarded {
			q := &queue{window: window(path), limit: limit}
			a.queues[path] = q
			a.counters.Set("waiting "+path, expvar.Func(func() any { return q.length() }))
		}
	}
	if o.remember > 0 {
		a.memory, err = newMemory(o.apiKey, string(o.service)+" "+o.upstream, answers(o.remember))
	}
	return a, err
}
