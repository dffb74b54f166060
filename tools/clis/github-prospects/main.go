// Command github-prospects lists the people around a repository, from the
// code host's public API, as CSV or JSON: who forked it, who contributed and,
// for those who run it, who starred or watches it.
//
// The engine is packages codehost and prospect, the same as on the site's page
// of prospects; the JSON it writes is documented in package export, the file a
// run is saved to at prospect.State. Only this command touches the
// environment, files and the network. It is made of the standard library and
// of the collection's own packages alone, because it is given a token.
package main

import (
	"errors"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"marketingskills/app/rest"
	"marketingskills/tools/internal/console"
)

func main() { os.Exit(start()) }

func start() int {
	c := &command{
		stdout: os.Stdout, stderr: os.Stderr, now: time.Now, doer: newHTTPClient(),
		base: os.Getenv("GITHUB_API_URL"), token: os.Getenv("GITHUB_TOKEN"),
		terminal: console.IsTerminal(os.Stderr) && os.Getenv("TERM") != "dumb",
	}
	// The reader of a pipe that goes away is a failed write, not the end:
	// what was found is saved.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := console.Interrupted()
	defer stop()
	err := c.run(ctx, os.Args[1:])
	if err != nil && !errors.Is(err, console.ErrIncomplete) {
		c.say("github-prospects: %s", err)
	}
	return console.Status(err)
}

// newHTTPClient follows no redirects, so that the token stays on its host, and
// gives up where nothing happens; codehost bounds the request as a whole.
func newHTTPClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DialContext = (&net.Dialer{Timeout: 10 * time.Second}).DialContext
	transport.ResponseHeaderTimeout = 20 * time.Second
	transport.MaxIdleConnsPerHost = 100
	return &http.Client{CheckRedirect: rest.NoRedirects, Transport: transport}
}
