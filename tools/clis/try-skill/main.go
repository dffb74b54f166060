// Command try-skill finds out whether a skill makes answers better: it prepares
// folders for agents, has them answered, gives pairs of answers to readers who
// do not know which is which, and reports what is known and how sure it is.
//
// One folder holds a trial. Which file knows what keeps it blind:
//
//	folders/<id>/        what an agent sees: a request, a skill or none; answer.md is its answer
//	trial.json           requests, pairs of folders, no conditions: all that answer and judge open
//	verdicts/<reader>.json   what a reader said, by folder
//	key.json             the condition of each folder; report alone opens it
//
// IDs of folders and pairs are random. A reader is given a request and two
// answers, as text on standard input in an empty folder or on a local page, and
// nothing else: no file of the trial, so no name, order, time or size. How the
// figures are made is told in package tryout.
package main

import (
	"errors"
	"os"
	"os/signal"
	"syscall"

	"marketingskills/tools/internal/console"
)

func main() { os.Exit(start()) }

func start() int {
	c := &command{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, asks: console.IsTerminal(os.Stdin)}
	// The reader of a pipe that goes away is a failed write, not the end.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := console.Interrupted()
	defer stop()
	err := c.run(ctx, os.Args[1:])
	if err != nil && !errors.Is(err, console.ErrIncomplete) {
		c.say("try-skill: %s", err)
	}
	return console.Status(err)
}
