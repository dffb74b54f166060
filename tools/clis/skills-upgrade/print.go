package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"marketingskills/app/text"
	"marketingskills/app/upgrade"
	"marketingskills/app/upgrade/paths"
	planning "marketingskills/app/upgrade/plan"
)

// Rules of speech. The report goes to standard output, as does what --fix and
// --undo did. Questions and what goes wrong go to standard error; errors begin
// with "skills-upgrade: " and a small letter and end without a full stop.
// Everything else is a sentence. Names of others go through text.Name, their
// sentences through text.Printable: nothing found on a disk acts on the
// terminal. Colour only ever repeats what a word says.

// printer lays out texts.
type printer struct {
	bytes.Buffer
	paint bool
}

// print lays out and writes at once, so that a full disk is noticed. With
// --json there is nothing but the object at the end.
func (c *command) print(lay func(*printer)) error {
	if c.options.json {
		return nil
	}
	p := &printer{paint: c.paint}
	lay(p)
	if _, err := c.stdout.Write(p.Bytes()); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// say prints a line.
func (c *command) say(format string, args ...any) error {
	return c.print(func(p *printer) { p.line(format, args...) })
}

const (
	bold   = "1"
	red    = "31"
	yellow = "33"
	green  = "32"
	faint  = "2"
)

func (p *printer) in(colour, s string) string {
	if !p.paint {
		return s
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}

func (p *printer) line(format string, args ...any) {
	fmt.Fprintf(p, format+"\n", args...)
}

// title begins a part.
func (p *printer) title(s string) { p.line("\n%s", p.in(bold, s)) }

func colourOf(s upgrade.State) string {
	switch {
	case s == upgrade.Current:
		return green
	case s == upgrade.NotOurs:
		return faint
	case s == upgrade.Merged || s == upgrade.Renamed:
		return red
	}
	return yellow
}

// report is the whole of what a check prints. Of the folders that the plan
// moves, --fix moves as many as fixable.
func (p *printer) report(s *state, plan planning.Plan, fixable int) {
	p.line("%s", p.in(bold, s.report.Summary))
	p.line("Compared with %s.", s.command.source)
	shown, others := map[upgrade.Change]bool{}, false
	for i := range s.report.Rows { // those that need attention come first
		row := &s.report.Rows[i]
		if row.State.NeedsAttention() {
			p.block(row, shown)
			continue
		}
		if !others {
			others = true
			p.title("Nothing to do:")
		}
		p.rest(row)
	}
	p.files(&s.report)
	p.plan(plan, s.command)
	if len(plan.Steps) > 0 && !s.command.options.commands {
		p.line("")
		if fixable > 0 {
			p.line("The same command with --fix does this for the %s safe to change.", text.Count(fixable, "folder"))
		}
		p.line("With --commands it prints the whole plan as commands.")
	}
	p.skipped(plan)
	p.footer(s)
}

// heading names a row.
func (p *printer) heading(r *upgrade.Row) string {
	return fmt.Sprintf("%s %s", p.in(colourOf(r.State), fmt.Sprintf("%-12s", r.State.Title())), p.in(bold, showIn(r.Place, r.Folder)))
}

func showIn(place, folder string) string {
	if text.Name(folder) == folder && place != "" {
		return text.Name(paths.Below(paths.Clean(place), folder))
	}
	return text.Name(folder) + " in " + text.Name(place)
}

// block is a row that needs attention.
func (p *printer) block(r *upgrade.Row, shown map[upgrade.Change]bool) {
	p.line("\n%s", p.heading(r))
	p.line("    %s.", r.Evidence)
	p.line("    %s", p.in(bold, r.Advice))
	for _, n := range r.Notes {
		p.line("    Note: %s", n)
	}
	again := 0
	for _, c := range r.Changes {
		if shown[c] {
			again++
			continue
		}
		shown[c] = true
		p.line("    New in %s", c.Line())
	}
	if again > 0 {
		p.line("    Also new: %s listed above.", text.Count(again, "change"))
	}
}

// rest is a row with nothing to do.
func (p *printer) rest(r *upgrade.Row) {
	what := ""
	if r.State == upgrade.Current {
		what = " " + r.Version
	}
	if r.Newer || r.Suggestion != "" {
		what += ": " + r.Evidence + ". " + r.Advice
	}
	p.line("  %s%s", p.heading(r), strings.Join(append([]string{what}, r.Notes...), " "))
}

// files are what stands beside the skills.
func (p *printer) files(r *upgrade.Report) {
	for _, l := range r.Locks {
		p.title("Lock file " + text.Name(l.Path) + ":")
		switch {
		case l.Problem != "":
			p.line("    %s", l.Problem)
		case len(l.Names) == 0:
			p.line("    No old skill names.")
		}
		if l.Advice != "" {
			p.line("    %s", p.in(bold, l.Advice))
		}
	}
	if len(r.Context.Found) > 0 {
		p.title("Product context:")
		p.line("    Skills use %s.", r.Context.Found[0])
		if r.Context.Advice != "" {
			p.line("    %s", r.Context.Advice)
		}
	}
}

// plan prints the plan, in words or as commands to copy.
func (p *printer) plan(plan planning.Plan, c *command) {
	switch {
	case len(plan.Steps) == 0 && c.options.fix:
		p.title("There is nothing to fix automatically.")
	case len(plan.Steps) == 0:
	case c.options.commands:
		p.title("The plan as commands for " + c.shell.Name + ". Run them in this directory:")
		p.line("\n%s", c.shell.Script(plan))
		p.line("To undo it: %s", c.shell.Undo(plan))
	default:
		p.title("Plan:")
		for _, s := range plan.Steps {
			p.line("    %s", s)
		}
	}
}

// skipped says what the plan skips, and what would help.
func (p *printer) skipped(plan planning.Plan) {
	if len(plan.Left) > 0 {
		p.title("Skipped:")
	}
	for _, l := range plan.Left {
		p.line("    %s: %s", showIn(l.Place, l.Folder), l.Why)
	}
	if plan.NeedsSource {
		p.line("\nTo install the latest skills, use --from DIR. DIR is a local copy of the collection.")
	}
}

// fixes is the plan of --fix: only what is safe to change.
func (p *printer) fixes(s *state, plan planning.Plan) {
	p.line("%s", p.in(bold, s.report.Summary))
	p.line("Compared with %s.", s.command.source)
	p.plan(plan, s.command)
	p.skipped(plan)
	for _, l := range s.report.Locks {
		if l.Advice != "" {
			p.line("    %s", l.Advice)
		}
	}
	p.backups(s.backups)
	p.notes(s.report.Unchecked)
	p.line("")
}

// backups says what can be put back, and what a run that was cut off left.
func (p *printer) backups(found []foundBackup) {
	if len(found) > 0 {
		p.title("Backup folders:")
	}
	for _, b := range found {
		holds := "no old folders"
		if len(b.Old) > 0 {
			holds = names(b.Old)
		}
		p.line("    %s holds %s. To put back: %s", text.Name(b.Path), holds, b.Undo)
		if len(b.Ready) > 0 {
			p.line("        A run was stopped: it also holds the new %s, not installed.", names(b.Ready))
		}
	}
}

func names(all []string) string {
	shown := make([]string, 0, len(all))
	for _, name := range all {
		shown = append(shown, text.Name(name))
	}
	return text.List(shown)
}

func (p *printer) notes(notes []string) {
	if len(notes) > 0 {
		p.title("Notes:")
	}
	for _, n := range notes {
		p.line("    %s", n)
	}
}

// footer says what was not found, what can be put back, and what was not checked.
func (p *printer) footer(s *state) {
	if len(s.missing) > 0 {
		p.title("Not found:")
		p.line("    %s", names(s.missing))
	}
	p.backups(s.backups)
	unchecked := slices.Clone(s.report.Unchecked)
	if len(s.command.options.dirs) == 0 {
		unchecked = append(unchecked, "Other skills folders that your agent may use, and skills from plug-ins, were not checked.")
	}
	p.notes(unchecked)
}
