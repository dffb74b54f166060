package main

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"marketingskills/app/upgrade"
)

// Rules of speech. The report goes to standard output, as does what --fix and
// --undo did. Questions and what goes wrong go to standard error; errors begin
// with "skills-upgrade: " and a small letter and end without a full stop.
// Everything else is a sentence. Names of others go through upgrade.Show,
// their sentences through printable: nothing found on a disk acts on the
// terminal. Colour only ever repeats what a word says.

// printer lays out texts.
type printer struct {
	bytes.Buffer
	paint bool
}

// print lays out and writes at once, so that a full disk is noticed.
func (c *command) print(lay func(*printer)) error {
	p := &printer{paint: c.paint}
	lay(p)
	_, err := c.stdout.Write(p.Bytes())
	return err
}

const (
	bold   = "1"
	red    = "31"
	yellow = "33"
	green  = "32"
	faint  = "2"
)

func (p *printer) in(colour, s string) string {
	if !p.paint || colour == "" {
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
func (p *printer) report(s *state, plan plan, windows, commands bool) {
	p.line("%s", p.in(bold, s.report.Summary))
	p.line("Compared with %s.", s.known)
	said := map[upgrade.Change]bool{}
	rest := slices.IndexFunc(s.report.Rows, func(r upgrade.Row) bool { return !r.State.NeedsAttention() })
	if rest < 0 {
		rest = len(s.report.Rows)
	}
	for i := range s.report.Rows[:rest] {
		p.block(&s.report.Rows[i], said)
	}
	if rest < len(s.report.Rows) {
		p.title("Nothing to do:")
		for i := range s.report.Rows[rest:] {
			p.rest(&s.report.Rows[rest+i])
		}
	}
	p.files(&s.report)
	if len(plan.Steps) > 0 || len(plan.Left) > 0 {
		p.plan(plan, windows, commands)
	}
	p.unseen(s)
}

// heading names a row.
func (p *printer) heading(r *upgrade.Row) string {
	return fmt.Sprintf("%s %s", p.in(colourOf(r.State), fmt.Sprintf("%-12s", r.State.Title())), p.in(bold, showIn(r.Place, r.Folder)))
}

func showIn(place, folder string) string {
	if plainIn := upgrade.Show(folder); plainIn == folder && place != "" {
		return upgrade.Show(joinShown(place, folder))
	}
	return upgrade.Show(folder) + " in " + upgrade.Show(place)
}

func joinShown(place, folder string) string {
	if strings.HasSuffix(place, "/") || strings.HasSuffix(place, `\`) {
		return place + folder
	}
	if strings.Contains(place, `\`) && !strings.Contains(place, "/") {
		return place + `\` + folder
	}
	return place + "/" + folder
}

// block is a row that needs attention.
func (p *printer) block(r *upgrade.Row, said map[upgrade.Change]bool) {
	p.line("\n%s", p.heading(r))
	p.line("    %s.", upper(r.Evidence))
	p.line("    %s", p.in(bold, r.Advice))
	for _, n := range r.Notes {
		p.line("    Note: %s", n.Text)
	}
	again := 0
	for _, c := range r.Changes {
		if said[c] {
			again++
			continue
		}
		said[c] = true
		breaking := ""
		if c.Breaking {
			breaking = "Breaking: "
		}
		p.line("    Since: %s: %s%s", printable(c.Release), breaking, strings.ReplaceAll(c.Text, "`", ""))
	}
	if again > 0 {
		p.line("    Since: %s named above.", count(again, "change"))
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
		p.title("Lock file " + upgrade.Show(l.Path) + ":")
		for _, n := range l.Names {
			p.line("    %s is called %s today; it stands there %s, first at %s.", upgrade.Show(n.Name), n.Now, count(n.Times, "time"), upgrade.Show(n.At))
		}
		switch {
		case l.Problem != "":
			p.line("    %s", l.Problem)
		case len(l.Names) == 0:
			p.line("    It names no old skill.")
		}
		if l.Advice != "" {
			p.line("    %s", p.in(bold, l.Advice))
		}
	}
	if len(r.Context.Found) > 0 {
		p.title("Product context:")
		p.line("    Skills read %s.", r.Context.Read)
		if r.Context.Advice != "" {
			p.line("    %s", r.Context.Advice)
		}
	}
}

// plan prints what to do: in words, or as commands to copy.
func (p *printer) plan(plan plan, windows, commands bool) {
	certain := 0
	for _, s := range plan.Steps {
		if s.Action == upgrade.Move && plan.sure[placed{s.Place, s.Folder}] {
			certain++
		}
	}
	if commands && len(plan.Steps) > 0 {
		shell, text := "a POSIX shell", plan.POSIX()
		if windows {
			shell, text = "PowerShell", plan.PowerShell()
		}
		p.title("The plan, as commands for " + shell + ", from this folder. As it stands it changes nothing:")
		p.line("")
		p.WriteString(text)
		return
	}
	if len(plan.Steps) > 0 {
		p.title("What to do:")
		for _, s := range plan.Steps {
			p.line("    %-8s %s to %s", s.Action, upgrade.Show(s.From), upgrade.Show(s.To))
		}
		p.line("")
		switch certain {
		case 0:
		case 1:
			p.line("skills-upgrade --fix does this for the one folder that is certainly ours.")
		default:
			p.line("skills-upgrade --fix does this for the %d folders that are certainly ours.", certain)
		}
		p.line("skills-upgrade --commands prints all of it as commands to copy.")
	}
	if len(plan.Left) > 0 {
		p.title("Left alone:")
		for _, l := range plan.Left {
			p.left(l)
		}
	}
}

// left says why something that needs attention is left alone.
func (p *printer) left(l upgrade.Left) {
	p.line("    %s: %s", showIn(l.Place, l.Folder), l.Why)
}

// unseen says what was not found, and what was not looked at.
func (p *printer) unseen(s *state) {
	if len(s.missing) > 0 {
		shown := make([]string, 0, len(s.missing))
		for _, place := range s.missing {
			shown = append(shown, upgrade.Show(place))
		}
		p.title("Not found:")
		p.line("    %s", strings.Join(shown, ", "))
	}
	unchecked := slices.Clone(s.report.Unchecked)
	if s.usual {
		unchecked = append(unchecked, "Other folders that an agent may be set up to read, and what plug-ins bring.")
	}
	if len(unchecked) > 0 {
		p.title("Not looked at:")
	}
	for _, u := range unchecked {
		p.line("    %s", u)
	}
}

// count writes a number with its noun.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// upper begins a sentence.
func upper(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

// printable makes a text safe for a terminal: what would act on it or cannot
// be seen is written as an escape.
func printable(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case unicode.IsPrint(r):
			b.WriteString(s[i : i+size])
		default:
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
		i += size
	}
	return b.String()
}
