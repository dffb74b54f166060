package main

import (
	"errors"

	"marketingskills/app/text"
	"marketingskills/tools/internal/args"
)

const usage = `Usage: skills-upgrade [DIR...]                     check only, change nothing
       skills-upgrade --fix [--from DIR] [DIR...]   fix the folders that are safe to change
       skills-upgrade --undo BACKUPDIR...           undo a --fix

Checks installed skills: which are from this collection, which are outdated,
renamed or merged, and how to update them. Without DIR it checks the usual
skills folders in the current directory and in the home directory. DIR is a
skills folder or a project.

  --from DIR           install the latest skills from a local copy of the
                       collection (it has skills/ and VERSIONS.md)
  --manifest FILE      compare with this VERSIONS.md instead of the built-in one
  --commands           print the plan as commands for this system's shell
  --json               print the report and the plan as one JSON object
  --exit-zero          exit 0 even if skills need attention

  --fix                show the changes and ask before making them
  --dry-run            with --fix: only show the changes
  --yes                with --fix: do not ask
  --undo BACKUPDIR     put back what --fix moved to this backup folder

  --help, --version

--fix changes only folders that are safe to change. It moves them to a hidden
backup folder next to the skills folder, .skills-backup-TIME, and deletes nothing.
Safe to change are folders with a SKILL.md of the same name, a name the skill had
in 1.x, and a version below 2.0.0. With --from, folders with a current name and an
older published version are safe to change too. Everything else is only reported,
and so are skills folders that a symbolic link leads to outside the project, and
those in hidden folders that agents do not load skills from. Every change is a
rename, so a run that was stopped leaves each folder in one of the two places.

Exit status: 0 up to date, 1 something needs attention, 2 error or stopped.
`

// options are what the arguments say.
type options struct {
	dirs          []string
	from          string
	manifest      string
	undo          []string
	json          bool
	commands      bool
	exitZero      bool
	fix, dry, yes bool
	help, version bool
}

// seeHelp ends errors in how the command was called.
const seeHelp = "; see skills-upgrade --help"

func parseOptions(arguments []string) (options, error) {
	var o options
	command := args.Command{
		Name: "skills-upgrade",
		Hint: func(name string) string {
			return "for a folder of that name write ./" + text.Name(name) + seeHelp
		},
		Options: []args.Option{
			args.Text("--from", &o.from), args.Text("--manifest", &o.manifest),
			args.Flag("--json", &o.json), args.Flag("--commands", &o.commands), args.Flag("--exit-zero", &o.exitZero),
			args.Flag("--fix", &o.fix), args.Flag("--dry-run", &o.dry), args.Flag("--yes", &o.yes),
			{Name: "--undo", Repeatable: true, Set: func(dir string) error { o.undo = append(o.undo, dir); return nil }},
			args.Flag("--help", &o.help), args.Flag("--version", &o.version),
		},
	}
	var err error
	if o.dirs, _, err = command.Parse(arguments); err != nil {
		return o, err
	}
	return o, o.check()
}

func (o *options) check() error {
	var wrong string
	switch {
	case o.help || o.version:
	case o.dry && !o.fix, o.yes && !o.fix:
		wrong = "--dry-run and --yes work only with --fix"
	case o.dry && o.yes:
		wrong = "--dry-run and --yes cannot be used together"
	case len(o.undo) > 0 && (o.fix || o.json || o.exitZero || o.from != "" || o.manifest != ""):
		wrong = "--undo cannot be combined with other options"
	case o.from != "" && o.manifest != "":
		wrong = "--from already has a VERSIONS.md; leave out --manifest"
	case o.commands && (o.fix || o.json || len(o.undo) > 0):
		wrong = "--commands cannot be combined with --fix, --json or --undo"
	case o.json && o.fix && !o.dry && !o.yes:
		wrong = "--json with --fix needs --dry-run or --yes"
	}
	if wrong != "" {
		return errors.New(wrong + seeHelp)
	}
	if len(o.undo) > 0 {
		o.undo, o.dirs = append(o.undo, o.dirs...), nil
	}
	return nil
}
