package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"marketingskills/app/prospect/codehost"
	"marketingskills/tools/internal/console"
)

// command is one run of the command: everything it may touch but files.
type command struct {
	stdout, stderr io.Writer
	now            func() time.Time
	doer           codehost.Doer
	base, token    string
	terminal       bool // standard error is one
}

func (c *command) run(ctx context.Context, args []string) error {
	o, err := parseOptions(args, c.base)
	switch {
	case err != nil:
		return err
	case o.help:
		_, err := io.WriteString(c.stdout, usage)
		return err
	case o.version:
		_, err := fmt.Fprintf(c.stdout, "github-prospects %s\n", version)
		return err
	}
	client, err := c.client(o)
	if err != nil {
		return err
	}
	switch o.command {
	case cmdUser:
		return c.user(ctx, client, o)
	case cmdRateLimit:
		return c.rateLimit(ctx, client, o)
	}
	return c.list(ctx, client, o)
}

// patience with --wait: longer than any quota or penalty lasts.
const patience = 25 * time.Hour

func (c *command) client(o options) (*codehost.Client, error) {
	config := codehost.Config{
		Base: c.base, Token: codehost.NewToken(c.token), Doer: c.doer,
		UserAgent: "github-prospects/" + version, PointsPerMinute: o.points,
	}
	if o.wait {
		config.Patience = patience
	}
	client, err := codehost.New(config)
	if err != nil {
		return nil, console.Refuse("reading GITHUB_API_URL and GITHUB_TOKEN: %w", err)
	}
	if client.Base() == codehost.DefaultBase && o.points > codehost.DefaultPointsPerMinute {
		return nil, console.Refuse("--points-per-minute %d: GitHub allows %d", o.points, codehost.DefaultPointsPerMinute)
	}
	return client, nil
}

// say writes a line to standard error: one line, whatever is in it, nothing
// that acts on a terminal, and never the token.
func (c *command) say(format string, args ...any) {
	fmt.Fprintln(c.stderr, c.printable(fmt.Sprintf(format, args...)))
}

func (c *command) printable(s string) string { return console.Printable(s, c.token, "[token]") }
