// Command verify-emails tells whether email addresses can be written to: free
// checks first, then a verifier or a verify-proxy in front of one.
//
// The engine is packages verify and csvfile, the same as on the site's page.
// Only this command touches the environment, files and the network. It is made
// of the standard library and of the collection's own packages alone, because
// it is given a key.
package main

import (
	"errors"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"marketingskills/app/verify"
	"marketingskills/tools/internal/console"
	"marketingskills/tools/internal/maildns"
)

const version = "1.0.0"

func main() { os.Exit(start(maildns.New(nil), time.Now)) }

func start(mail *maildns.Checker, now func() time.Time) int {
	c := &command{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, now: now, doer: newHTTPClient(), mail: mail,
		base: os.Getenv("VERIFY_URL"), asks: console.IsTerminal(os.Stdin),
		terminal: console.IsTerminal(os.Stderr) && os.Getenv("TERM") != "dumb",
	}
	c.key, c.keyErr = readKey(os.Getenv("VERIFY_API_KEY"), os.Getenv("VERIFY_API_KEY_FILE"))
	// The reader of a pipe that goes away is a failed write, not the end: what
	// was answered is saved.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := console.Interrupted()
	defer stop()
	err := c.run(ctx, os.Args[1:])
	if err != nil && !errors.Is(err, console.ErrIncomplete) {
		c.say("verify-emails: %s", err)
	}
	return console.Status(err)
}

// newHTTPClient follows no redirects, so that the key stays on its host, and
// has its connections within the time that package pace gives a request to be
// written; the verifier's client bounds the request as a whole.
func newHTTPClient() *http.Client {
	dialer := &net.Dialer{Timeout: 2500 * time.Millisecond, KeepAlive: 30 * time.Second}
	return &http.Client{
		CheckRedirect: verify.NoRedirects,
		Transport: &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         dialer.DialContext,
			ForceAttemptHTTP2:   true,
			TLSHandshakeTimeout: 2500 * time.Millisecond,
			IdleConnTimeout:     90 * time.Second,
			MaxIdleConnsPerHost: 50,
		},
	}
}
