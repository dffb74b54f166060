package main

import (
	"errors"
	"fmt"
	"strings"

	"marketingskills/app/text"
	"marketingskills/app/upgrade"
)

const usage = `Usage: skills-upgrade [DIR...]                     look, and change nothing
       skills-upgrade --fix [--from DIR] [DIR...]   put right what is certain
       skills-upgrade --undo BACKUPDIR...           take that back

Tells for every folder of an agent's skills whether it is one of the marketing
skills, what it is called today, whether it is up to date, and what to type.
Without DIR it looks in the places that agents read, in the present directory
and in the home directory. DIR is a folder of skills or a project.

  --from DIR           install the current skills from a local copy of the
                       collection (it has skills/ and VERSIONS.md)
  --manifest FILE|URL  compare with this VERSIONS.md, not the one compiled in
  --commands           the plan as commands to copy, for this system's shell
  --json               the report and the plan as one JSON object
  --exit-zero          exit 0 whether or not there are findings

  --fix                show what would be done, and ask
  --dry-run            with --fix: show only
  --yes                with --fix: do not ask
  --undo BACKUPDIR     put back what --fix moved into this backup folder

  --help, --version

--fix acts only on folders that are certainly from this collection. It moves
them to a dated folder beside the folder of skills, and deletes nothing.
Certain are folders with a SKILL.md of the same name, a name the skill had in
1.x, and a version below 2.0.0; with --from also folders with a name of today
whose older version is one that was published under that name. Everything else
is reported only.

Exit status: 0 all is well, 1 something needs attention, 2 error or stopped.
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

// errUsage marks errors in how the command was called.
var errUsage = errors.New("see skills-upgrade --help")

var flagNames = []string{"--from", "--manifest", "--json", "--commands", "--exit-zero", "--fix", "--dry-run", "--yes", "--undo", "--help", "--version"}

func parseOptions(args []string) (options, error) {
	var o options
	given := map[string]bool{}
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if arg == "--" {
			o.dirs = append(o.dirs, args...)
			break
		}
		if arg == "" {
			return o, fmt.Errorf("an argument is empty; %w", errUsage)
		}
		if arg[0] != '-' || arg == "-" {
			o.dirs = append(o.dirs, arg)
			continue
		}
		name, value, hasValue := strings.Cut(arg, "=")
		if name == "-h" {
			name = "--help"
		}
		if given[name] && name != "--undo" {
			return o, fmt.Errorf("%s is given twice; %w", name, errUsage)
		}
		given[name] = true
		if text := o.text(name); text != nil {
			if !hasValue {
				if len(args) == 0 {
					return o, fmt.Errorf("%s needs a value; %w", name, errUsage)
				}
				value, args = args[0], args[1:]
			}
			if value == "" {
				return o, fmt.Errorf("%s is empty; %w", name, errUsage)
			}
			text(value)
			continue
		}
		on := o.toggle(name)
		switch {
		case on == nil:
			return o, unknownFlag(name)
		case hasValue:
			return o, fmt.Errorf("%s takes no value; %w", name, errUsage)
		}
		*on = true
	}
	return o, o.check()
}

func (o *options) text(name string) func(string) {
	switch name {
	case "--from":
		return func(s string) { o.from = s }
	case "--manifest":
		return func(s string) { o.manifest = s }
	case "--undo":
		return func(s string) { o.undo = append(o.undo, s) }
	}
	return nil
}

func (o *options) toggle(name string) *bool {
	switch name {
	case "--json":
		return &o.json
	case "--commands":
		return &o.commands
	case "--exit-zero":
		return &o.exitZero
	case "--fix":
		return &o.fix
	case "--dry-run":
		return &o.dry
	case "--yes":
		return &o.yes
	case "--help":
		return &o.help
	case "--version":
		return &o.version
	}
	return nil
}

func (o *options) check() error {
	var wrong string
	switch {
	case o.help || o.version:
	case o.dry && !o.fix, o.yes && !o.fix:
		wrong = "--dry-run and --yes go with --fix"
	case o.dry && o.yes:
		wrong = "--dry-run and --yes say opposite things"
	case len(o.undo) > 0 && (o.fix || o.json || o.exitZero || o.from != "" || o.manifest != ""):
		wrong = "--undo goes with no other option"
	case o.from != "" && o.manifest != "":
		wrong = "--from brings a manifest of its own; leave out --manifest"
	case o.commands && (o.fix || o.json || len(o.undo) > 0):
		wrong = "--commands is for looking: it goes with no --fix, --json or --undo"
	case o.json && o.fix && !o.dry && !o.yes:
		wrong = "--json with --fix needs --dry-run or --yes"
	}
	if wrong != "" {
		return fmt.Errorf("%s; %w", wrong, errUsage)
	}
	if len(o.undo) > 0 {
		o.undo, o.dirs = append(o.undo, o.dirs...), nil
	}
	return nil
}

func unknownFlag(name string) error {
	best, distance := "", 3
	for _, known := range flagNames {
		if d := text.Edits(strings.TrimLeft(name, "-"), strings.TrimLeft(known, "-")); d < distance && d < len(known)-2 {
			best, distance = known, d
		}
	}
	if best != "" {
		return fmt.Errorf("there is no option %s; did you mean %s?", upgrade.Show(name), best)
	}
	return fmt.Errorf("there is no option %s (for a folder of that name write ./%s); %w", upgrade.Show(name), upgrade.Show(name), errUsage)
}
