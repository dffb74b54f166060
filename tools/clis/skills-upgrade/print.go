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
func (c *call) print(lay func(*printer)) error {
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
func (c *call) say(format string, args ...any) error {
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
	case s.NeedsAttention() && s != upgrade.Outdated && s != upgrade.Unversioned:
		return red
	}
	return yellow
}

// report is the whole of what a check prints.
func (p *printer) report(s *state, plan planning.Plan) {
	p.line("%s", p.in(bold, s.report.Summary))
	p.line("Compared with %s.", s.known)
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
	if len(plan.Steps) > 0 || len(plan.Left) > 0 {
		p.plan(plan, s.windows, s.options.commands)
	}
	if len(plan.Left) > 0 && s.known.from == nil {
		p.line(useFrom)
	}
	p.unseen(s)
}

// useFrom is what to do about skills that could not be got.
const useFrom = "To install the latest skills, use --from DIR. DIR is a local copy of the collection."

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
		p.line("    Note: %s", n.Text)
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
	switch r.State {
	case upgrade.Current, upgrade.Ahead:
		what = " " + r.Version
	}
	if r.State == upgrade.Ahead || r.State == upgrade.DidYouMean {
		what += ": " + r.Evidence + ". " + r.Advice
	}
	for _, n := range r.Notes {
		if n.Code != upgrade.NoteUnseen {
			what += " " + n.Text
		}
	}
	p.line("  %s%s", p.heading(r), what)
}

// files are what stands beside the skills.
func (p *printer) files(r *upgrade.Report) {
	for _, l := range r.Locks {
		p.title("Lock file " + text.Name(l.Path) + ":")
		for _, n := range l.Names {
			times := text.Count(n.Times, "time")
			p.line("    %s is now %s; listed %s, first at %s.", text.Name(n.Name), text.Name(n.Now), times, text.Name(n.At))
		}
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
		p.line("    Skills use %s.", r.Context.Read)
		if r.Context.Advice != "" {
			p.line("    %s", r.Context.Advice)
		}
	}
}

// plan prints the plan: in words, or as commands to copy, and what it skips.
func (p *printer) plan(plan planning.Plan, windows, commands bool) {
	certain := 0
	for _, s := range plan.Steps {
		if s.Action == planning.Move && s.Certain {
			certain++
		}
	}
	switch {
	case len(plan.Steps) == 0:
	case commands:
		shell, script := "macOS and Linux", plan.POSIX()
		if windows {
			shell, script = "Windows PowerShell", plan.PowerShell()
		}
		p.title("The plan as commands for " + shell + ". Run them in this directory:")
		p.line("\n%s", script.Do)
		p.line("%s\n\n%s", p.in(bold, "To undo it, run these in this directory:"), strings.TrimSuffix(script.Undo, "\n"))
	default:
		p.title("Plan:")
		for _, s := range plan.Steps {
			p.line("    %-8s %s to %s", s.Action, text.Name(s.From), text.Name(s.To))
		}
		p.line("")
		if certain > 0 {
			p.line("skills-upgrade --fix does this for the %s safe to change.", text.Count(certain, "folder"))
		}
		p.line("skills-upgrade --commands prints the whole plan as commands.")
	}
	p.skipped(plan.Left, nil)
}

// skipped says why what needs attention is left alone.
func (p *printer) skipped(left []planning.Left, locks []upgrade.Lock) {
	if len(left)+len(locks) > 0 {
		p.title("Skipped:")
	}
	for _, l := range left {
		p.line("    %s: %s", showIn(l.Place, l.Folder), l.Why)
	}
	for _, l := range locks {
		p.line("    %s: %s", text.Name(l.Path), l.Advice)
	}
}

func (p *printer) notes(notes []string) {
	if len(notes) > 0 {
		p.title("Notes:")
	}
	for _, n := range notes {
		p.line("    %s", n)
	}
}

// unseen says what was not found, and what was not looked at.
func (p *printer) unseen(s *state) {
	if len(s.missing) > 0 {
		shown := make([]string, 0, len(s.missing))
		for _, place := range s.missing {
			shown = append(shown, text.Name(place))
		}
		p.title("Not found:")
		p.line("    %s", strings.Join(shown, ", "))
	}
	unchecked := slices.Clone(s.report.Unchecked)
	if len(s.options.dirs) == 0 {
		unchecked = append(unchecked, "Other skills folders that your agent may use, and skills from plug-ins, were not checked.")
	}
	p.notes(unchecked)
}
