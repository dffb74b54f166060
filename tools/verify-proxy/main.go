// Command verify-proxy serves the static site on this machine.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"golang.org/x/net/netutil"
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

// errUsage marks errors in how the command was called.
var errUsage = errors.New("see verify-proxy --help")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case err == nil:
	case errors.Is(err, errUsage):
		fmt.Fprintf(os.Stderr, "verify-proxy: %v\n", err)
		os.Exit(2)
	default:
		fmt.Fprintf(os.Stderr, "verify-proxy: %v\n", err)
		os.Exit(1)
	}
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

// plainer says what package flag says as the other commands say it.
var plainer = strings.NewReplacer("flag provided but not defined: -", "unknown option --",
	"flag needs an argument: -", "a value is missing after --")

// run serves until ctx ends.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("verify-proxy", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	addr := flags.String("addr", "127.0.0.1:8080", "")
	dir := flags.String("dir", "build/dist", "")
	base := flags.String("base", "/", "")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(stdout, usage)
			return nil
		}
		return fmt.Errorf("%s; %w", plainer.Replace(err.Error()), errUsage)
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q; %w", flags.Arg(0), errUsage)
	}
	if _, _, err := net.SplitHostPort(*addr); err != nil {
		return fmt.Errorf("--addr is %q: write a host and a port, such as 127.0.0.1:8080; %w", *addr, errUsage)
	}
	site, err := newStatic(*dir, *base)
	if err != nil {
		return err
	}
	listener, err := listen(*addr, mostConnections)
	if err != nil {
		if errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, windowsAddressInUse) {
			return fmt.Errorf("listening on %s: another program already uses it; stop that program, "+
				"or choose another address with --addr (ADDR=127.0.0.1:8081 with make)", *addr)
		}
		return fmt.Errorf("listening on %s: %w; choose another address with --addr", *addr, err)
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
	fmt.Fprintf(stderr, "Serving %s at http://%s%s (Ctrl-C stops)\n", *dir, listener.Addr(), site.base)
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
