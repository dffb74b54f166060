package plan

import (
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

// shell writes single commands; "" for what it cannot write.
type shell interface {
	// title is a line that says what the next ones are for.
	title(s string) string
	// makeFolders makes folders and those above, if a path exists.
	makeFolders(ifThere string, folders ...string) string
	// fetch gets a skill, from the URL of a zip or a folder, and moves it into
	// a folder once it is whole, unless a path exists.
	fetch(unless, from, download, into string) string
	// move moves a folder into another if a path exists; always if that is "".
	move(ifThere, from, into string) string
	// keep copies a file to where none is, into a folder that is made if need
	// be, if a path exists.
	keep(ifThere, from, to string) string
}

// POSIX writes the plan for sh, bash, dash, ksh and zsh. It needs curl and
// unzip when the source is a site.
func (p Plan) POSIX() Commands { return p.commands(posix{}) }

// PowerShell writes the plan for Windows PowerShell 5.1 and PowerShell 7. In
// place of a command with a path that PowerShell cannot take as it is there is
// a line that says so.
func (p Plan) PowerShell() Commands { return p.commands(powerShell{}) }

func (p Plan) commands(sh shell) Commands {
	if len(p.Steps) == 0 {
		return Commands{}
	}
	var do, undo script
	do.shell, undo.shell = sh, sh
	staged, backups := map[groupKey]string{}, map[string]string{}
	fetches := map[string]bool{}
	for _, s := range p.Steps {
		if s.Action == Fetch {
			fetches[s.Place] = true
			staged[groupKey{s.Place, s.Skill}] = paths.Join(s.To, "SKILL.md")
		}
	}
	for _, b := range p.Backups {
		backups[b.Place] = b.Path
		folders := []string{paths.Join(b.Path, "old")}
		if fetches[b.Place] {
			folders = append(folders, paths.Join(b.Path, "new"), paths.Join(b.Path, "download"))
		}
		// In another directory than meant nothing is made, and all else fails.
		do.add("Make the backup folder", sh.makeFolders(paths.Join(b.Place), folders...))
	}
	for _, s := range p.Steps {
		if s.Action == Fetch {
			done := paths.Join(s.Place, s.Skill)
			if s.Again {
				done = paths.Join(backups[s.Place], "old", s.Skill)
			}
			do.add("Get the latest skills", sh.fetch(done, s.From, paths.Join(backups[s.Place], "download", s.Skill), paths.Parent(s.To)))
		}
	}
	for _, s := range p.Steps {
		if s.Action == Move {
			do.add("Move the old folders to the backup folder", sh.move(staged[groupKey{s.Place, s.Skill}], s.From, paths.Parent(s.To)))
		}
	}
	for _, s := range p.Steps {
		if s.Action == Install {
			do.add("Install the latest skills", sh.move(staged[groupKey{s.Place, s.Skill}], s.From, paths.Join(s.Place)))
			ifThere := ""
			if s.Again {
				ifThere = paths.Join(backups[s.Place], "old", s.Skill)
			}
			undo.add("Move the new skills out again", sh.move(ifThere, s.To, paths.Parent(s.From)))
		}
	}
	for _, s := range p.Steps {
		switch s.Action {
		case Keep:
			do.add("Copy your own files into the new folders", sh.keep(paths.Join(s.Place, s.Skill, "SKILL.md"), s.From, s.To))
		case Move:
			undo.add("Move the old folders back", sh.move("", s.To, paths.Join(s.Place)))
		}
	}
	return Commands{do.text.String(), undo.text.String()}
}

// script collects lines, under a title where what they do changes.
type script struct {
	shell shell
	text  strings.Builder
	title string
}

func (s *script) add(title, line string) {
	if title != s.title {
		s.text.WriteString(s.shell.title(title) + "\n")
		s.title = title
	}
	if line == "" {
		line = s.shell.title("Skipped: a path that cannot be written here. Move it yourself.")
	}
	s.text.WriteString(line + "\n")
}

// posix writes echo for comments: an interactive zsh, which is what a Mac has,
// takes a line that begins with # for a command.
type posix struct{}

func (posix) title(s string) string { return "echo " + text.PosixWord(s) }

func (posix) makeFolders(ifThere string, folders ...string) string {
	line := whenPOSIX(ifThere) + "mkdir -p"
	for _, f := range folders {
		line += " " + text.PosixPath(f)
	}
	return line
}

func (posix) fetch(unless, from, download, into string) string {
	zip := text.PosixPath(download + ".zip")
	get := "curl -fsSL -o " + zip + " " + text.PosixWord(from) + " && unzip -oq " + zip + " -d " + text.PosixPath(download)
	if !isZip(from) {
		get = "cp -R " + text.PosixPath(from) + " " + inside(paths.Parent(download))
	}
	return "[ ! -e " + text.PosixPath(unless) + " ] && " + get + " && mv -n " + text.PosixPath(download) + " " + inside(into)
}

func (posix) move(ifThere, from, into string) string {
	// The slash makes sure that mv takes the target for a folder.
	return whenPOSIX(ifThere) + "mv -n " + text.PosixPath(from) + " " + inside(into)
}

func (posix) keep(ifThere, from, to string) string {
	folder := paths.Parent(to)
	return whenPOSIX(ifThere) + "mkdir -p " + text.PosixPath(folder) + " && cp -pn " + text.PosixPath(from) + " " + inside(folder)
}

func whenPOSIX(path string) string {
	if path == "" {
		return ""
	}
	return "[ -e " + text.PosixPath(path) + " ] && "
}

func inside(folder string) string { return text.PosixPath(folder) + "/" }

// isZip tells the URL of a zip from a folder.
func isZip(from string) bool { return strings.HasSuffix(from, ".zip") && strings.Contains(from, "://") }

type powerShell struct{}

func (powerShell) title(s string) string { return "# " + s }

func (powerShell) makeFolders(ifThere string, folders ...string) string {
	list := ""
	for i, f := range folders {
		path := target(f)
		if path == "" {
			return ""
		}
		if i > 0 {
			list += ", "
		}
		list += path
	}
	return whenPowerShell(ifThere, "New-Item -ItemType Directory -Force -Path "+list+" | Out-Null")
}

func (powerShell) fetch(unless, from, download, into string) string {
	zip, folder, to := target(download+".zip"), target(download), target(into)
	source, ok := text.PowerShellPath(from)
	done, okDone := text.PowerShellPath(unless)
	if !ok || !okDone || zip == "" || to == "" {
		return ""
	}
	get := "Invoke-WebRequest -UseBasicParsing -Uri " + source + " -OutFile " + zip +
		"; Expand-Archive -Force -LiteralPath " + zip + " -DestinationPath " + folder
	if !isZip(from) {
		get = "Copy-Item -Recurse -Force -LiteralPath " + source + " -Destination " + target(paths.Parent(download))
	}
	return "if (-not (Test-Path -LiteralPath " + done + ")) { " + get +
		"; if ($?) { Move-Item -LiteralPath " + folder + " -Destination " + to + " } }"
}

func (powerShell) move(ifThere, from, into string) string {
	source, ok := text.PowerShellPath(from)
	to := target(into)
	if !ok || to == "" {
		return ""
	}
	return whenPowerShell(ifThere, "Move-Item -LiteralPath "+source+" -Destination "+to)
}

func (p powerShell) keep(ifThere, from, to string) string {
	source, ok := text.PowerShellPath(from)
	file := target(to)
	if !ok || file == "" {
		return ""
	}
	return whenPowerShell(ifThere, p.makeFolders("", paths.Parent(to))+
		"; if (-not (Test-Path -LiteralPath "+file+")) { Copy-Item -LiteralPath "+source+" -Destination "+file+" }")
}

func whenPowerShell(path, command string) string {
	if path == "" {
		return command
	}
	quoted, ok := text.PowerShellPath(path)
	if !ok {
		return ""
	}
	return "if (Test-Path -LiteralPath " + quoted + ") { " + command + " }"
}

// target writes a path for a parameter that knows wildcards; "" for one that
// has any.
func target(path string) string {
	quoted, ok := text.PowerShellPath(path)
	if !ok || strings.ContainsAny(path, "[]*?`") {
		return ""
	}
	return quoted
}
