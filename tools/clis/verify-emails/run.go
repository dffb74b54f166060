package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"marketingskills/app/rest"
	"marketingskills/app/verify"
	"marketingskills/app/verify/disposable"
	"marketingskills/tools/internal/console"
	"marketingskills/tools/internal/filelock"
	"marketingskills/tools/internal/maildns"
	"marketingskills/tools/internal/outfile"
	"marketingskills/tools/internal/pace"
	"marketingskills/tools/internal/version"
)

// command is one run of the command: everything it may touch but files, and
// what it was asked for.
type command struct {
	options
	stdin          io.Reader
	stdout, stderr io.Writer
	now            func() time.Time
	doer           rest.Doer
	mail           *maildns.Checker
	base, key      string
	service        string // which verifier
	keyErr         error  // why there is no key
	asks           bool   // standard input is a terminal
	terminal       bool   // standard error is one
}

func (c *command) run(ctx context.Context, args []string) error {
	var err error
	c.options, err = parseOptions(args, c.key)
	switch {
	case err != nil:
		return err
	case c.help:
		_, err := io.WriteString(c.stdout, usage())
		return err
	case c.version:
		return version.Print(c.stdout, "verify-emails")
	}
	var client verify.Verifier
	if !c.local && !c.dry {
		if client, err = c.client(); err != nil {
			return err
		}
	}
	if c.resume != "" && !c.dry {
		release, err := filelock.Beside(c.resume)
		if err != nil {
			return console.Refuse("--resume %s: another run is using this file; wait until it ends", c.resume)
		}
		defer release()
	}
	in, err := c.read()
	if err != nil {
		return err
	}
	if c.dry {
		return c.plan(ctx, in)
	}
	if err := c.sameFiles(in); err != nil {
		return err
	}
	return c.verify(ctx, in, client)
}

var errInterrupted = fmt.Errorf("%w; results so far are kept", rest.ErrInterrupted)

// verify makes the checks, asks the verifier if there is one, and writes what
// was found, whole or not.
func (c *command) verify(ctx context.Context, in *input, client verify.Verifier) error {
	out, err := outfile.Open(c.output, c.stdout)
	if err != nil {
		return console.Refuse("--output %s: %w", c.output, err)
	}
	defer out.Discard()
	k := newAutosave(in, c.options)
	defer k.end()
	m := c.meter(in, k)
	// The first Ctrl-C starts nothing new; answers under way are paid for.
	defer context.AfterFunc(ctx, func() {
		in.job.Stop()
		m.interrupted()
	})()
	err = in.job.Check(ctx, c.checker(), m.checked)
	if err == nil && client != nil {
		c.settle(ctx)
		p := &paced{client: client, window: pace.NewLocal(client.Limit()), stopped: ctx, limited: m.limited}
		m.verifying(p)
		err = in.job.Run(context.WithoutCancel(ctx), p.verify, m.answered)
	}
	m.end()
	if ctx.Err() != nil && in.open() > 0 {
		err = errInterrupted
	}
	return c.finish(in, out, k, m, err)
}

func (c *command) checker() verify.Checker {
	checker := verify.Checker{Disposable: disposable.Domains(), Now: c.now}
	if !c.noDNS && !c.dry {
		checker.Mail = c.mail
	}
	return checker
}

// finish writes the output. What is incomplete goes beside an older file, and
// it says how to go on.
func (c *command) finish(in *input, out *outfile.Sink, k *autosave, m *meter, stop error) error {
	open := in.open()
	if stop == nil && open > 0 {
		stop = in.failure(open)
	}
	if open == in.job.Len() && open > 0 { // there is nothing to keep
		if stop == errInterrupted {
			return errors.New("interrupted before the first result; nothing was saved")
		}
		return c.explained(stop)
	}
	replace := open == 0 || c.overwrite || !exists(c.output) || same(c.output, c.resume)
	if !replace && out.Regular() {
		out.Kept = c.output
	} else if err := in.output(out, c.json, stop); err != nil {
		return c.unwritten(k, err)
	} else if err := out.Commit(); err != nil {
		return c.unwritten(k, err)
	}
	if open == 0 {
		k.drop()
		m.summary(out)
		return nil
	}
	path := c.output
	if out.Regular() && out.Kept == "" && !c.json {
		k.drop()
	} else if err := k.save(); err != nil {
		return err
	} else {
		path = k.path
	}
	if out.Kept != "" {
		c.say("%s was not replaced, because this run is incomplete. To replace older files: --overwrite.", out.Kept)
	}
	m.summary(out)
	c.say("verify-emails: incomplete: %s", c.explained(stop))
	c.say("The results are saved in %s. To resume: %s", path, c.resumeCommand(path))
	return console.ErrIncomplete
}

// unwritten is for an output that could not be written: the answers are saved
// elsewhere.
func (c *command) unwritten(k *autosave, err error) error {
	err = fmt.Errorf("could not write the output: %w", outfile.Bare(err))
	if saveErr := k.save(); saveErr != nil {
		return fmt.Errorf("%w; %w", err, saveErr)
	}
	c.say("verify-emails: incomplete: %s", err)
	c.say("The results are saved in %s. To write them again: %s", k.path, c.resumeCommand(k.path))
	return console.ErrIncomplete
}

// say writes a line to standard error, never the key.
func (c *command) say(format string, args ...any) {
	fmt.Fprintln(c.stderr, console.Printable(fmt.Sprintf(format, args...), c.key, "[key]"))
}
