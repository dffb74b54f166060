package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"marketingskills/app/prospect/codehost"
	"marketingskills/app/rest"
	"marketingskills/tools/internal/console"
	"marketingskills/tools/internal/version"
)

// command is one run of the command: everything it may touch but files, and
// what it was asked for.
type command struct {
	options
	client         *codehost.Client // once the options are read
	stdout, stderr io.Writer
	now            func() time.Time
	doer           rest.Doer
	base, token    string
	terminal       bool // standard error is one
}

func (c *command) run(ctx context.Context, args []string) error {
	var err error
	c.options, err = parseOptions(args, c.base)
	switch {
	case err != nil:
		return err
	case c.help:
		_, err := io.WriteString(c.stdout, usage)
		return err
	case c.version:
		return version.Print(c.stdout, "github-prospects")
	}
	if c.client, err = c.connect(); err != nil {
		return err
	}
	switch c.command {
	case cmdUser:
		return c.user(ctx)
	case cmdRateLimit:
		return c.rateLimit(ctx)
	}
	return c.list(ctx)
}

// patience with --wait: longer than any quota or penalty lasts.
const patience = 25 * time.Hour

func (c *command) connect() (*codehost.Client, error) {
	config := codehost.Config{
		Base: c.base, Token: rest.NewSecret(c.token), Doer: c.doer,
		UserAgent: "github-prospects/" + version.Number(), PointsPerMinute: c.points,
	}
	if c.wait {
		config.Patience = patience
	}
	client, err := codehost.New(config)
	if err != nil {
		return nil, console.Refuse("reading GITHUB_API_URL and GITHUB_TOKEN: %w", err)
	}
	if client.Base() == codehost.DefaultBase && c.points > codehost.DefaultPointsPerMinute {
		return nil, console.Refuse("--points-per-minute %d: GitHub allows %d", c.points, codehost.DefaultPointsPerMinute)
	}
	return client, nil
}

// say writes a line to standard error: one line, whatever is in it, nothing
// that acts on a terminal, and never the token.
func (c *command) say(format string, args ...any) {
	fmt.Fprintln(c.stderr, c.printable(fmt.Sprintf(format, args...)))
}

// tell says what --quiet leaves out.
func (c *command) tell(format string, args ...any) {
	if !c.quiet {
		c.say(format, args...)
	}
}

func (c *command) printable(s string) string { return console.Printable(s, c.token, "[token]") }
