// Command vendors calls the APIs of marketing tools. What it knows of them are
// tables, one a vendor, which package vendor reads; tools/WRITING.md says how to
// write one.
//
// It is made of the standard library and of the collection's own packages alone,
// because it is given keys. A key comes from the environment, travels in a header
// to the host of its table and nowhere else, and is masked in everything that is
// written.
package main

import (
	"errors"
	"os"
	"os/signal"
	"syscall"

	"marketingskills/tools/internal/console"
	"marketingskills/tools/internal/pace"
)

func main() { os.Exit(start()) }

func start() int {
	c := &command{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv, asks: console.IsTerminal(os.Stdin),
	}
	c.client = pace.NewHTTPClient()
	c.client.CheckRedirect = c.stayThere
	// The reader of a pipe that goes away is a failed write, not the end.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := console.Interrupted()
	defer stop()
	err := c.run(ctx, os.Args[1:])
	if err != nil && !errors.Is(err, console.ErrIncomplete) {
		c.say("vendors: %s", err)
	}
	return console.Status(err)
}
