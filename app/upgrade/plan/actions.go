package plan

import "marketingskills/app/upgrade/paths"

// Step is one step of a plan. Paths of the installation begin with the place as
// given; a leading ~ is the home directory.
type Step struct {
	Action *Action `json:"action"`
	// Place is the skills folder the step is about; empty when that is the
	// current directory.
	Place string `json:"place"`
	// Folder is the folder that is moved, or that File is in; Skill the skill
	// that takes its place.
	Folder string `json:"folder"`
	Skill  string `json:"skill"`
	// File is the user's file to keep, by its path in the folder.
	File string `json:"file"`
	// From is what the step takes: a folder, a file, or the URL of a zip. To is
	// where it then is.
	From string `json:"from"`
	To   string `json:"to"`
	// Safe is set when the step concerns only folders that are safe to change.
	Safe bool `json:"safe"`

	// backup is the backup folder of the place; staged is where the skill is
	// made ready, "" when it is not.
	backup, staged string
	// replaces is set when a folder of the skill's name is replaced.
	replaces bool
}

// Action is what a step does, in every form that it takes. A new one has all of
// them, or it does not compile.
type Action struct {
	// name is the action in JSON.
	name string
	// words say it to people, posix and powerShell are the commands. Shell says
	// what stands for what in them.
	words, posix, powerShell string
	// take does it.
	take func(Disk, Step) (done bool, err error)
}

// Disk takes steps for real, in one place.
type Disk interface {
	Stage(skill string) error
	Keep(folder, file, skill string) (done bool, err error)
	Move(folder string) error
	Install(skill string) error
}

var (
	// Fetch makes a skill ready in To, inside the backup folder, unless it was
	// installed by an earlier run of the same commands.
	Fetch = &Action{
		"fetch", "Get the latest {skill} from {from}",
		"[ -e {backup} ] && [ ! -e {done} ] && mkdir -p {downloads} {stage} && {get} && mv -n {download} {stage}/",
		"if ((Test-Path -LiteralPath {backup}) -and -not (Test-Path -LiteralPath {done})) { " +
			"New-Item -ItemType Directory -Force -Path <downloads>, <stage> | Out-Null; {get}; " +
			"if ($?) { Move-Item -LiteralPath {download} -Destination <stage> } }",
		func(d Disk, s Step) (bool, error) { return true, d.Stage(s.Skill) },
	}
	// Keep copies a file that the user had added into the skill made ready,
	// unless one is there. A link is not followed.
	Keep = &Action{
		"keep", "Copy your file {file} into it",
		"[ -f {from} ] && [ ! -L {from} ] && mkdir -p {into} && cp -pn {from} {into}/",
		"if ((Test-Path -LiteralPath {from} -PathType Leaf) -and (Get-Item -Force -LiteralPath {from}).LinkType -ne 'SymbolicLink') { " +
			"New-Item -ItemType Directory -Force -Path <into> | Out-Null; " +
			"if (-not (Test-Path -LiteralPath {to})) { Copy-Item -LiteralPath {from} -Destination <to> } }",
		func(d Disk, s Step) (bool, error) { return d.Keep(s.Folder, s.File, s.Skill) },
	}
	// Move moves a folder that holds a SKILL.md to the backup folder. Links and
	// other folders stay, which is why undoing knows all that was moved.
	Move = &Action{
		"move", "Move {from} to {to}",
		"[ -f {skillfile} ] && [ ! -L {skillfile} ] && [ ! -L {from} ] && mv -n {from} {into}/",
		"if ((Test-Path -LiteralPath {skillfile} -PathType Leaf) -and (Get-Item -Force -LiteralPath {skillfile}).LinkType -ne 'SymbolicLink' " +
			"-and -not (Get-Item -Force -LiteralPath {from}).LinkType) { Move-Item -LiteralPath {from} -Destination <into> }",
		func(d Disk, s Step) (bool, error) { return true, d.Move(s.Folder) },
	}
	// Install moves what was made ready to its place.
	Install = &Action{
		"install", "Install {to}",
		"mv -n {from} {into}/",
		"Move-Item -LiteralPath {from} -Destination <into>",
		func(d Disk, s Step) (bool, error) { return true, d.Install(s.Skill) },
	}
)

// MarshalText writes the action's name.
func (a *Action) MarshalText() ([]byte, error) { return []byte(a.name), nil }

// String says in words what the step does.
func (s Step) String() string { return words.write(s.Action.words, s.names()) }

// Take takes the step; done is false where nothing had to be done.
func (s Step) Take(d Disk) (done bool, err error) { return s.Action.take(d, s) }

// names are what the placeholders of an action stand for.
func (s Step) names() map[string]string {
	done := paths.Join(s.Place, s.Skill)
	if s.replaces {
		done = paths.Join(s.backup, s.Skill)
	}
	into := paths.Parent(s.To)
	if s.Action == Install {
		into = paths.Join(s.Place)
	}
	downloads := paths.Join(s.backup, DownloadFolder)
	download := paths.Join(downloads, s.Skill)
	return map[string]string{
		"skill": s.Skill, "file": s.Folder + "/" + s.File, "from": s.From, "to": s.To, "into": into,
		"skillfile": paths.Join(s.From, "SKILL.md"), "ready": paths.Join(s.staged, "SKILL.md"), "stage": paths.Parent(s.staged),
		"backup": s.backup, "done": done, "downloads": downloads, "download": download, "zip": download + ".zip",
	}
}
