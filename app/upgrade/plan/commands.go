package plan

import (
	"slices"
	"strings"

	"marketingskills/app/text"
	"marketingskills/app/upgrade/paths"
)

// Commands are a plan for a shell. Both texts are empty when there is nothing
// to do.
type Commands struct {
	// Do takes the steps. A line that fails, or that was run before, leaves
	// the lines after it safe to run: an old folder moves only when what
	// replaces it was fetched, and nothing is overwritten. So a run that was
	// cut off is finished by running all of it again.
	Do string
	// Undo takes back what Do did, whether all of it or a part.
	Undo string
}

// POSIX writes the plan for sh, bash, dash, ksh and zsh. It needs curl and
// unzip when the source is a site.
func (p Plan) POSIX() Commands { return p.commands(posix) }

// PowerShell writes the plan for Windows PowerShell 5.1 and PowerShell 7. In
// place of a command with a path that PowerShell cannot take as it is there is
// a line that says so.
func (p Plan) PowerShell() Commands { return p.commands(powerShell) }

// shell is how a shell writes the single commands. {name} stands for a path,
// quoted; <name> for one that the shell would take for a pattern all the same.
type shell struct {
	// title is put around a line that says what the next ones are for, there
	// around a command that is run only if a path exists.
	title, there [2]string
	makeFolder   string
	makeFolders  string
	// A skill is fetched unless done exists, and moved into a folder once it
	// is whole.
	fetchZip, fetchFolder string
	move                  string
	// keep copies a file to where none is.
	keep  string
	quote func(path string) (quoted string, ok bool)
}

var posix = shell{
	// An interactive zsh, which is what a Mac has, takes a line that begins
	// with # for a command.
	title:       [2]string{"echo '", "'"},
	there:       [2]string{"[ -e {there} ] && ", ""},
	makeFolder:  "mkdir -p {old}",
	makeFolders: "mkdir -p {old} {new} {downloads}",
	fetchZip: "[ ! -e {done} ] && curl -fsSL -o {zip} {from} && unzip -oq {zip} -d {download}" +
		" && mv -n {download} {into}/",
	fetchFolder: "[ ! -e {done} ] && cp -R {from} {downloads}/ && mv -n {download} {into}/",
	// The slash makes sure that mv takes the target for a folder.
	move:  "mv -n {from} {into}/",
	keep:  "mkdir -p {into} && cp -pn {from} {into}/",
	quote: func(path string) (string, bool) { return text.PosixPath(path), true },
}

var powerShell = shell{
	title:       [2]string{"# ", ""},
	there:       [2]string{"if (Test-Path -LiteralPath {there}) { ", " }"},
	makeFolder:  "New-Item -ItemType Directory -Force -Path <old> | Out-Null",
	makeFolders: "New-Item -ItemType Directory -Force -Path <old>, <new>, <downloads> | Out-Null",
	fetchZip: "if (-not (Test-Path -LiteralPath {done})) { Invoke-WebRequest -UseBasicParsing -Uri {from} -OutFile <zip>" +
		"; Expand-Archive -Force -LiteralPath {zip} -DestinationPath <download>" +
		"; if ($?) { Move-Item -LiteralPath {download} -Destination <into> } }",
	fetchFolder: "if (-not (Test-Path -LiteralPath {done})) { Copy-Item -Recurse -Force -LiteralPath {from} -Destination <downloads>" +
		"; if ($?) { Move-Item -LiteralPath {download} -Destination <into> } }",
	move: "Move-Item -LiteralPath {from} -Destination <into>",
	keep: "New-Item -ItemType Directory -Force -Path <into> | Out-Null" +
		"; if (-not (Test-Path -LiteralPath {to})) { Copy-Item -LiteralPath {from} -Destination <to> }",
	quote: text.PowerShellPath,
}

// write writes a command with its paths, which are given behind their names;
// "" when there is no way to write one of them.
func (sh shell) write(command string, paths ...string) string {
	var words []string
	for named := range slices.Chunk(paths, 2) {
		name, path := named[0], named[1]
		word, ok := sh.quote(path)
		if pattern := "<" + name + ">"; !ok || strings.Contains(command, pattern) && strings.ContainsAny(path, "[]*?`") {
			return ""
		}
		words = append(words, "{"+name+"}", word, "<"+name+">", word)
	}
	return strings.NewReplacer(words...).Replace(command)
}

// writeIf writes a command that is run only if a path exists; always if that
// is "".
func (sh shell) writeIf(there, command string, paths ...string) string {
	if there != "" {
		command = sh.there[0] + command + sh.there[1]
	}
	return sh.write(command, append(paths, "there", there)...)
}

func (p Plan) commands(sh shell) Commands {
	do, undo, putBack := script{shell: sh}, script{shell: sh}, script{shell: sh}
	for _, b := range p.Backups {
		command := sh.makeFolder
		if slices.ContainsFunc(p.Steps, func(s Step) bool { return s.Action == Fetch && s.Place == b.Place }) {
			command = sh.makeFolders
		}
		// In another directory than meant nothing is made, and all else fails.
		do.add("Make the backup folder", sh.writeIf(paths.Join(b.Place), command, "old", paths.Join(b.Path, "old"),
			"new", paths.Join(b.Path, "new"), "downloads", paths.Join(b.Path, "download")))
	}
	for _, s := range p.Steps {
		switch s.Action {
		case Fetch:
			command := sh.fetchFolder
			if strings.Contains(s.From, "://") {
				command = sh.fetchZip
			}
			done, downloads := paths.Join(s.Place, s.Skill), paths.Join(s.backup, "download")
			if s.Again {
				done = paths.Join(s.backup, "old", s.Skill)
			}
			download := paths.Join(downloads, s.Skill)
			do.add("Get the latest skills", sh.write(command, "done", done, "from", s.From, "downloads", downloads,
				"download", download, "zip", download+".zip", "into", paths.Parent(s.To)))
		case Move:
			do.add("Move the old folders to the backup folder", sh.writeIf(s.staged, sh.move, "from", s.From, "into", paths.Parent(s.To)))
			putBack.add("Move the old folders back", sh.write(sh.move, "from", s.To, "into", paths.Join(s.Place)))
		case Install:
			do.add("Install the latest skills", sh.writeIf(s.staged, sh.move, "from", s.From, "into", paths.Join(s.Place)))
			replaced := ""
			if s.Again {
				replaced = paths.Join(s.backup, "old", s.Skill)
			}
			undo.add("Move the new skills out again", sh.writeIf(replaced, sh.move, "from", s.To, "into", paths.Parent(s.From)))
		case Keep:
			do.add("Copy your own files into the new folders",
				sh.writeIf(paths.Join(s.Place, s.Skill, "SKILL.md"), sh.keep, "from", s.From, "to", s.To, "into", paths.Parent(s.To)))
		}
	}
	return Commands{do.text.String(), undo.text.String() + putBack.text.String()}
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
