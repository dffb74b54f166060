package plan

import (
	"strings"

	"marketingskills/app/text"
	"marketingskills/app/upgrade/paths"
)

// POSIX writes the plan for sh, bash, dash, ksh and zsh. It needs curl and
// unzip when the source is a site.
//
// A line that fails, or that was run before, leaves the lines after it safe to
// run: an old folder moves only when what replaces it is ready, and nothing is
// overwritten. So a run that was cut off is finished by running all of it again.
// In another directory than meant, nothing happens.
func (p Plan) POSIX() string { return p.commands(posix) }

// PowerShell writes the plan for Windows PowerShell 5.1 and PowerShell 7, with
// the same promises. In place of a command with a path that PowerShell cannot
// take as it is there is a line that says so.
func (p Plan) PowerShell() string { return p.commands(powerShell) }

// shell is how a shell writes the single commands. {name} stands for a path,
// quoted; <name> for one that the shell would take for a pattern all the same.
type shell struct {
	// title is put around a line that says what the next ones are for, ready
	// around a command that is run only if the new skill is ready.
	title, ready [2]string
	makeBackup   string
	// A skill is fetched unless done exists, and moved to where it is to be
	// ready once it is whole.
	fetchZip, fetchFolder string
	keep                  string
	// move and install both move a folder into another.
	move  string
	quote func(path string) (quoted string, ok bool)
}

var posix = shell{
	// An interactive zsh, which is what a Mac has, takes a line that begins
	// with # for a command.
	title:      [2]string{"echo '", "'"},
	ready:      [2]string{"[ -e {ready} ] && ", ""},
	makeBackup: "[ -e {place} ] && mkdir -p {backup}",
	fetchZip: "[ -e {backup} ] && [ ! -e {done} ] && mkdir -p {downloads} {stage} && curl -fsSL -o {zip} {from}" +
		" && unzip -oq {zip} -d {download} && mv -n {download} {stage}/",
	fetchFolder: "[ -e {backup} ] && [ ! -e {done} ] && mkdir -p {downloads} {stage} && cp -R {from} {downloads}/" +
		" && mv -n {download} {stage}/",
	keep: "mkdir -p {into} && cp -pn {from} {into}/",
	// The slash makes sure that mv takes the target for a folder.
	move:  "mv -n {from} {into}/",
	quote: func(path string) (string, bool) { return text.PosixPath(path), true },
}

const powerShellFetch = "if ((Test-Path -LiteralPath {backup}) -and -not (Test-Path -LiteralPath {done})) " +
	"{ New-Item -ItemType Directory -Force -Path <downloads>, <stage> | Out-Null; "

var powerShell = shell{
	title:      [2]string{"# ", ""},
	ready:      [2]string{"if (Test-Path -LiteralPath {ready}) { ", " }"},
	makeBackup: "if (Test-Path -LiteralPath {place}) { New-Item -ItemType Directory -Force -Path <backup> | Out-Null }",
	fetchZip: powerShellFetch + "Invoke-WebRequest -UseBasicParsing -Uri {from} -OutFile <zip>" +
		"; Expand-Archive -Force -LiteralPath {zip} -DestinationPath <download>" +
		"; if ($?) { Move-Item -LiteralPath {download} -Destination <stage> } }",
	fetchFolder: powerShellFetch + "Copy-Item -Recurse -Force -LiteralPath {from} -Destination <downloads>" +
		"; if ($?) { Move-Item -LiteralPath {download} -Destination <stage> } }",
	keep: "New-Item -ItemType Directory -Force -Path <into> | Out-Null" +
		"; if (-not (Test-Path -LiteralPath {to})) { Copy-Item -LiteralPath {from} -Destination <to> }",
	move:  "Move-Item -LiteralPath {from} -Destination <into>",
	quote: text.PowerShellPath,
}

// write writes a command with its paths; "" when there is no way to write one of
// them.
func (sh shell) write(command string, named map[string]string) string {
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

func (p Plan) commands(sh shell) string {
	s := script{shell: sh}
	for _, b := range p.Backups {
		s.add("Make the backup folder", sh.write(sh.makeBackup, map[string]string{"place": paths.Join(b.Place), "backup": b.Path}))
	}
	for _, step := range p.Steps {
		title := "Install the latest " + step.Skill
		if step.staged == "" {
			title = "Move the old folders of " + step.Skill
		}
		s.add(title, sh.step(step))
	}
	return s.text.String()
}

// step writes the command of a step.
func (sh shell) step(s Step) string {
	done := paths.Join(s.Place, s.Skill)
	if s.replaces {
		done = paths.Join(s.backup, s.Skill)
	}
	downloads := paths.Join(s.backup, ".download")
	download := paths.Join(downloads, s.Skill)
	command, into := sh.move, paths.Parent(s.To)
	switch s.Action {
	case Fetch:
		command = sh.fetchFolder
		if strings.Contains(s.From, "://") {
			command = sh.fetchZip
		}
	case Keep:
		command = sh.keep
	case Install:
		into = paths.Join(s.Place)
	}
	if s.Action != Fetch && s.staged != "" {
		command = sh.ready[0] + command + sh.ready[1]
	}
	return sh.write(command, map[string]string{
		"backup": s.backup, "done": done, "downloads": downloads, "download": download, "zip": download + ".zip",
		"stage": paths.Parent(s.staged), "ready": paths.Join(s.staged, "SKILL.md"), "from": s.From, "to": s.To, "into": into,
	})
}

// script collects lines, under a title where what they do changes.
type script struct {
	shell shell
	text  strings.Builder
	title string
}

func (s *script) add(title, line string) {
	say := func(words string) string { return s.shell.title[0] + words + s.shell.title[1] }
	if title != s.title {
		s.text.WriteString(say(title) + "\n")
		s.title = title
	}
	if line == "" {
		line = say("Skipped: a path that cannot be written here. Move it yourself.")
	}
	s.text.WriteString(line + "\n")
}
