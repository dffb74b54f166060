package plan

import (
	"fmt"
	"slices"
	"strings"

	"marketingskills/app/text"
	"marketingskills/app/upgrade/paths"
)

// Shell is a language that commands are written in.
//
// In the commands {name} stands for a path, quoted; <name> for one that the
// shell would take for a pattern all the same.
type Shell struct {
	// ID is the shell in JSON and on pages, Name what it is to people.
	ID, Name string

	// title is a line that says %s, ifReady a command that runs %s only if the new
	// skill is ready.
	title, ifReady string
	makeBackup     string
	// unzip and copy are how a skill is got, {get} in the command of an action.
	unzip, copy string
	// moveInto makes a folder and moves another one into it.
	moveInto string
	quote    func(path string) (quoted string, ok bool)
	command  func(*Action) string
}

// POSIX is sh, bash, dash, ksh and zsh. Its commands need curl and unzip when
// the source is a site.
var POSIX = &Shell{
	ID: "posix", Name: "macOS and Linux",
	// An interactive zsh, which is what a Mac has, takes a line that begins
	// with # for a command.
	title:      "echo '%s'\n",
	ifReady:    "[ -e {ready} ] && %s",
	makeBackup: "[ -e {place} ] && mkdir -p {backup}",
	unzip:      "curl -fsSL -o {zip} {from} && unzip -oq {zip} -d {download}",
	copy:       "cp -R {from} {downloads}/",
	// The slash makes sure that mv takes the target for a folder.
	moveInto: "mkdir -p {into} && mv -n {from} {into}/",
	quote:    func(path string) (string, bool) { return text.PosixPath(path), true },
	command:  func(a *Action) string { return a.posix },
}

// PowerShell is Windows PowerShell 5.1 and PowerShell 7. In place of a command
// with a path that it cannot take as it is there is a line that says so.
var PowerShell = &Shell{
	ID: "powershell", Name: "Windows PowerShell",
	title:      "# %s\n",
	ifReady:    "if (Test-Path -LiteralPath {ready}) { %s }",
	makeBackup: "if (Test-Path -LiteralPath {place}) { New-Item -ItemType Directory -Force -Path <backup> | Out-Null }",
	unzip: "Invoke-WebRequest -UseBasicParsing -Uri {from} -OutFile <zip>; " +
		"Expand-Archive -Force -LiteralPath {zip} -DestinationPath <download>",
	copy:     "Copy-Item -Recurse -Force -LiteralPath {from} -Destination <downloads>",
	moveInto: "New-Item -ItemType Directory -Force -Path {into}; Move-Item -LiteralPath {from} -Destination {into}",
	quote:    text.PowerShellPath,
	command:  func(a *Action) string { return a.powerShell },
}

// Shells are all of them.
var Shells = []*Shell{POSIX, PowerShell}

// words is how names are written for people.
var words = &Shell{quote: func(name string) (string, bool) { return text.Name(name), true }}

// Word writes a path as a word; one that the shell has no way to write, as
// people read it.
func (sh *Shell) Word(path string) string {
	if quoted, ok := sh.quote(path); ok {
		return quoted
	}
	return text.Name(path)
}

// Undo is the command that takes a plan back, the last place first.
func (sh *Shell) Undo(p Plan) string {
	command := "skills-upgrade --undo"
	for _, b := range slices.Backward(p.Backups) {
		command += " " + sh.Word(b.Path)
	}
	return command
}

// MoveInto moves a folder into another, which it makes if need be. It copies
// from one disk to another.
func (sh *Shell) MoveInto(from, into string) string {
	return strings.NewReplacer("{from}", sh.Word(from), "{into}", sh.Word(into)).Replace(sh.moveInto)
}

// write writes a command with its paths; "" when there is no way to write one of
// them.
func (sh *Shell) write(command string, named map[string]string) string {
	var words []string
	for name, path := range named {
		pattern := "<" + name + ">"
		if !strings.Contains(command, "{"+name+"}") && !strings.Contains(command, pattern) {
			continue
		}
		word, ok := sh.quote(path)
		if !ok || strings.Contains(command, pattern) && strings.ContainsAny(path, "[]*?`") {
			return ""
		}
		words = append(words, "{"+name+"}", word, pattern, word)
	}
	return strings.NewReplacer(words...).Replace(command)
}

// Script writes a plan as commands, a line a step.
//
// A line that fails, or that was run before, leaves the lines after it safe to
// run: an old folder moves only when what replaces it is ready, and nothing is
// overwritten. So a run that was cut off is finished by running all of it again.
// In another directory than meant, nothing happens.
func (sh *Shell) Script(p Plan) string {
	var b strings.Builder
	last := ""
	add := func(title, line string) {
		if title != last {
			fmt.Fprintf(&b, sh.title, title)
			last = title
		}
		if line == "" {
			fmt.Fprintf(&b, sh.title, "Skipped: a path that cannot be written here. Move it yourself.")
			return
		}
		b.WriteString(line + "\n")
	}
	for _, backup := range p.Backups {
		add("Make the backup folder", sh.write(sh.makeBackup, map[string]string{"place": paths.Join(backup.Place), "backup": backup.Path}))
	}
	for _, step := range p.Steps {
		title := "Install the latest " + step.Skill
		if step.staged == "" {
			title = "Move the old folders of " + step.Skill
		}
		add(title, sh.write(sh.of(step), step.names()))
	}
	return b.String()
}

// of returns the command of a step.
func (sh *Shell) of(s Step) string {
	command := sh.command(s.Action)
	switch {
	case s.Action == Fetch && strings.Contains(s.From, "://"):
		return strings.Replace(command, "{get}", sh.unzip, 1)
	case s.Action == Fetch:
		return strings.Replace(command, "{get}", sh.copy, 1)
	case s.staged != "":
		return fmt.Sprintf(sh.ifReady, command)
	}
	return command
}
