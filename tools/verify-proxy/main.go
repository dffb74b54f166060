// Command verify-proxy serves the static site on this machine.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/net/netutil"

	"marketingskills/tools/internal/args"
)

const usage = `Usage: verify-proxy [--addr HOST:PORT] [--dir DIRECTORY] [--base PATH]

Serves a generated site, with the compressed files that lie beside it.

  --addr   where to listen (default 127.0.0.1:8080, this machine only)
  --dir    the generated site (default build/dist)
  --base   the path the site was generated for (default /)

Exit status: 0 stopped, 1 could not serve, 2 wrong usage.
`

// windowsAddressInUse is WSAEADDRINUSE, which Go does not count as EADDRINUSE.
const windowsAddressInUse = syscall.Errno(10048)

// usageError is an error in how the command was called.
type usageError struct{ error }

const seeHelp = "see verify-proxy --help"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err == nil {
		return
	}
	fmt.Fprintf(os.Stderr, "verify-proxy: %v\n", err)
	if _, wrong := errors.AsType[usageError](err); wrong {
		os.Exit(2)
	}
	os.Exit(1)
}

// mostConnections is how many visitors are served at once; others wait until
// one of them is done.
const mostConnections = 1000

// listen opens a port that takes at most so many connections at once.
func listen(addr string, most int) (net.Listener, error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	return netutil.LimitListener(listener, most), nil
}

// options are what the arguments say.
type options struct {
	addr, dir, base string
	help            bool
}

func parseOptions(arguments []string) (options, error) {
	o := options{addr: "127.0.0.1:8080", dir: "build/dist", base: "/"}
	command := args.Command{Name: "verify-proxy", Options: []args.Option{
		args.Text("--addr", &o.addr), args.Text("--dir", &o.dir), args.Text("--base", &o.base), args.Flag("--help", &o.help),
	}}
	words, _, err := command.Parse(arguments)
	switch {
	case err != nil:
		return o, usageError{err}
	case o.help:
	case len(words) > 0:
		return o, usageError{fmt.Errorf("unexpected argument %q; %s", words[0], seeHelp)}
	default:
		if _, _, err := net.SplitHostPort(o.addr); err != nil {
			return o, usageError{fmt.Errorf("--addr is %q: write a host and a port, such as 127.0.0.1:8080; %s", o.addr, seeHelp)}
		}
	}
	return o, nil
}

// run serves until ctx ends.
func run(ctx context.Context, arguments []string, stdout, stderr io.Writer) error {
	o, err := parseOptions(arguments)
	if err != nil {
		return err
	}
	if o.help {
		_, err := io.WriteString(stdout, usage)
		return err
	}
	site, err := newStatic(o.dir, o.base)
	if err != nil {
		return err
	}
	listener, err := listen(o.addr, mostConnections)
	if err != nil {
		if errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, windowsAddressInUse) {
			return fmt.Errorf("listening on %s: another program already uses it; stop that program, "+
				"or choose another address with --addr (ADDR=127.0.0.1:8081 with make)", o.addr)
		}
		return fmt.Errorf("listening on %s: %w; choose another address with --addr", o.addr, err)
	}
	server := &http.Server{
		Handler:           site,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		// The site sets a deadline of its own for each file, by its size.
		WriteTimeout:   30 * time.Second,
		IdleTimeout:    2 * time.Minute,
		MaxHeaderBytes: 64 << 10,
	}
	fmt.Fprintf(stderr, "Serving %s at http://%s%s (Ctrl-C stops)\n", o.dir, listener.Addr(), site.base)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return fmt.Errorf("stopping: %w", err)
	}
	return nil
}
