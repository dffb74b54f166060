package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"marketingskills/app/text"
	"marketingskills/app/upgrade"
	planning "marketingskills/app/upgrade/plan"
	"marketingskills/tools/clis/skills-upgrade/internal/aside"
)

// errFindings says that something needs attention.
var errFindings = errors.New("findings")

// command is everything that the command may touch.
type command struct {
	stdin          *bufio.Reader
	stdout, stderr io.Writer
	// dir and home are the present and the home directory.
	dir, home string
	now       time.Time
	// windows is set where the plan is for PowerShell.
	windows bool
	// asks is set when someone can answer; paint when colours are wanted.
	asks, paint bool
	// aside says where the journals of --fix are kept.
	aside aside.Settings
}

// call is the command with what it was called with.
type call struct {
	*command
	options options
	known   known
}

func (c *command) run(ctx context.Context, args []string) error {
	o, err := parseOptions(args)
	switch {
	case err != nil:
		return err
	case o.help:
		_, err := io.WriteString(c.stdout, usage)
		return err
	case o.version:
		k, err := compiledIn()
		if err == nil {
			_, err = fmt.Fprintf(c.stdout, "skills-upgrade with %s\n", k)
		}
		return err
	}
	if o.fix || len(o.undo) > 0 {
		// Stop between steps; the second time at once, which is safe too. A
		// mere look ends at once as it is.
		var stop context.CancelFunc
		ctx, stop = signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
		defer stop()
		context.AfterFunc(ctx, stop)
	}
	call := &call{command: c, options: o}
	if len(o.undo) > 0 {
		return call.undo(ctx)
	}
	if call.known, err = c.source(o); err != nil {
		return err
	}
	if o.fix {
		err = call.fix(ctx)
	} else {
		err = call.check()
	}
	if o.exitZero && errors.Is(err, errFindings) {
		return nil
	}
	return err
}

// source reads the manifest and, with --from, the collection.
func (c *command) source(o options) (known, error) {
	switch {
	case o.from != "":
		k, err := c.openCollection(o.from)
		if err != nil {
			return known{}, fmt.Errorf("reading the collection in %s: %w", text.Name(o.from), err)
		}
		return k, nil
	case o.manifest != "":
		return otherManifest(o.manifest)
	}
	return compiledIn()
}

// check reports, with a plan for everything that needs attention.
func (c *call) check() error {
	s, err := c.see()
	if err != nil {
		return err
	}
	p, err := s.plan(false)
	if err != nil {
		return err
	}
	if err := c.print(func(out *printer) { out.report(s, p) }); err != nil {
		return err
	}
	if err := s.writeJSON(p, nil); err != nil {
		return err
	}
	return s.verdict()
}

// verdict is what the exit status says. A place that could not be read is not
// clean.
func (s *state) verdict() error {
	if s.report.Attention > 0 || slices.ContainsFunc(s.report.Places, func(p upgrade.PlaceSummary) bool { return p.Problem != "" }) {
		return errFindings
	}
	return nil
}

// fixed is what --fix did, for JSON.
type fixed struct {
	DryRun bool          `json:"dry_run"`
	Done   []aside.Event `json:"done"`
	// Undo is the command that takes it back; empty when nothing was done.
	Undo string `json:"undo"`
	// After is the report afterwards.
	After upgrade.Report `json:"after"`
}

// writeJSON writes the only object that --json prints.
func (s *state) writeJSON(p planning.Plan, f *fixed) error {
	if !s.options.json {
		return nil
	}
	type source struct {
		Source  string `json:"source"`
		Release string `json:"release"`
		Date    string `json:"date"`
	}
	posix, powerShell := p.POSIX(), p.PowerShell()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(struct {
		Schema   int               `json:"schema"`
		Manifest source            `json:"manifest"`
		Report   upgrade.Report    `json:"report"`
		Missing  []string          `json:"not_found"`
		Plan     planning.Plan     `json:"plan"`
		Commands map[string]string `json:"commands"`
		Undo     map[string]string `json:"undo"`
		Fix      *fixed            `json:"fix,omitempty"`
	}{
		1, source{s.known.source, s.report.Release, s.report.Date}, s.report, append([]string{}, s.missing...), p,
		map[string]string{"posix": posix.Do, "powershell": powerShell.Do},
		map[string]string{"posix": posix.Undo, "powershell": powerShell.Undo}, f,
	})
	if err == nil {
		_, err = s.stdout.Write(b.Bytes())
	}
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}
