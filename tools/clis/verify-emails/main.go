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
	"os"
	"os/signal"
	"syscall"
	"time"

	"marketingskills/tools/internal/console"
	"marketingskills/tools/internal/maildns"
	"marketingskills/tools/internal/pace"
)

func main() { os.Exit(start(maildns.New(nil), time.Now)) }

func start(mail *maildns.Checker, now func() time.Time) int {
	c := &command{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, now: now, doer: pace.NewHTTPClient(), mail: mail,
		base: os.Getenv("VERIFY_URL"), service: os.Getenv("VERIFY_SERVICE"), asks: console.IsTerminal(os.Stdin),
		terminal: console.IsTerminal(os.Stderr) && os.Getenv("TERM") != "dumb",
	}
	c.key, c.keyErr = console.Secret(os.Getenv, "VERIFY_API_KEY")
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
