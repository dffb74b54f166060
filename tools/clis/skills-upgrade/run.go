package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"marketingskills/app/upgrade/plan"
	"marketingskills/tools/internal/version"
)

// errFindings says that something needs attention.
var errFindings = errors.New("findings")

// command is everything that the command may touch, and what it was called with.
type command struct {
	stdin          *bufio.Reader
	stdout, stderr io.Writer
	// dir and home are the current and the home directory.
	dir, home string
	now       time.Time
	// shell is this system's.
	shell *plan.Shell
	// asks is set when someone can answer; paint when colours are wanted.
	asks, paint bool
	// beforeRename is for tests: see package backup.
	beforeRename func(from, to string) error

	options options
	source  source
}

func (c *command) run(ctx context.Context, args []string) error {
	var err error
	c.options, err = parseOptions(args)
	switch {
	case err != nil:
		return err
	case c.options.help:
		_, err := io.WriteString(c.stdout, usage)
		return err
	case c.options.version:
		s, err := builtIn()
		if err == nil {
			err = version.Print(c.stdout, "skills-upgrade")
		}
		if err == nil {
			_, err = fmt.Fprintln(c.stdout, s)
		}
		return err
	}
	if c.options.fix || len(c.options.undo) > 0 {
		// Stop between steps; the second time at once, which is safe too. A
		// mere check ends at once as it is.
		var stop context.CancelFunc
		ctx, stop = signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
		defer stop()
		context.AfterFunc(ctx, stop)
	}
	if len(c.options.undo) > 0 {
		return c.undo(ctx)
	}
	if c.source, err = c.openSource(); err != nil {
		return err
	}
	if c.options.fix {
		err = c.fix(ctx)
	} else {
		err = c.check()
	}
	if c.options.exitZero && errors.Is(err, errFindings) {
		return nil
	}
	return err
}
