// Package plan turns a report into steps that bring an installation up to
// date, and the steps into commands to copy.
//
// [New] takes what an analysis found and returns a [Plan]: every folder that
// needs attention is moved to a backup folder next to its skills folder, and the
// latest skill is put in its place. Nothing is deleted and nothing overwritten.
// What is to be installed is made ready in the backup folder first, so that a
// skill whose download fails stays as it is, and each change is a rename. A name
// that is only similar brings no step.
//
//	skills/                 what agents load
//	.skills-backup-TIME/    hidden, so that agents do not load it
//	    NAME/               an old folder
//	    .new/NAME/NAME/     a skill that was made ready; .new/NAME/ is empty
//	                        once it was installed
//
// So the backup folder says by itself what was done, and undoing it means to
// rename everything back. [Plan.POSIX] and [Plan.PowerShell] write the steps as
// plain commands, a line a step. Paths in them are as the places were named, so
// they are run from where those start.
package plan

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"marketingskills/app/text"
	"marketingskills/app/upgrade"
	"marketingskills/app/upgrade/paths"
)

// NewFolder is the folder in a backup where skills are made ready.
const NewFolder = ".new"

// Source says where the latest skills come from. Site or Dir is set; without
// either, a plan moves old names to the backup folder, installs nothing and
// leaves outdated skills where they are.
type Source struct {
	// Site is the URL of the collection's site, http or https; its zips are at
	// skills/<name>/<name>.zip below it.
	Site string
	// Dir is a local copy of the collection, with skills/<name>/ in it.
	Dir string
	// Only lists the skills the source has; nil means all. What it does not
	// have stays as it is, since its successor could not be put in its place.
	Only []string
}

// lacks reports whether the source is known not to have a skill.
func (s Source) lacks(skill string) bool {
	return s.Only != nil && !slices.Contains(s.Only, skill)
}

// has reports whether a skill can be got from the source.
func (s Source) has(skill string) bool {
	return (s.Site != "" || s.Dir != "") && !s.lacks(skill)
}

// of is where a skill is to be got.
func (s Source) of(skill string) string {
	if s.Dir != "" {
		return paths.Join(s.Dir, "skills", skill)
	}
	return strings.TrimSuffix(s.Site, "/") + "/skills/" + skill + "/" + skill + ".zip"
}

// Options say how to plan.
type Options struct {
	// Time marks the backup folders: letters, digits and hyphens.
	Time   string
	Source Source
	// Here is the name of the current directory, for places that are named by
	// a dot or not at all; "skills" when it is not known.
	Here string
	// SafeOnly leaves out all but the folders that are safe to change: the
	// steps a command may take by itself.
	SafeOnly bool
	// Unseen includes names of today whose version was not seen, as in a plain
	// listing.
	Unseen bool
}

// Action is what a step does.
type Action string

const (
	// Fetch makes a skill ready in To, inside the backup folder. From is the URL
	// of a zip or a local folder.
	Fetch Action = "fetch"
	// Keep copies a file that the user had added into the skill made ready,
	// unless one is there.
	Keep Action = "keep"
	// Move moves a folder, or a link itself, to the backup folder.
	Move Action = "move"
	// Install moves what was made ready to its place.
	Install Action = "install"
)

// Step is one step of a plan. Paths begin with the place as given; a leading ~
// is the home directory.
type Step struct {
	Action Action `json:"action"`
	// Place is the skills folder the step is about; empty when that is the
	// current directory.
	Place string `json:"place"`
	// Folder is the folder that is moved, or that File is in; Skill the skill
	// that takes its place.
	Folder string `json:"folder"`
	Skill  string `json:"skill"`
	// File is the user's file to keep, by its path in the folder.
	File string `json:"file"`
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

// String says in words what the step does.
func (s Step) String() string {
	switch s.Action {
	case Fetch:
		return "Get the latest " + s.Skill + " from " + text.Name(s.From)
	case Keep:
		return "Copy your file " + text.Name(s.Folder+"/"+s.File) + " into it"
	case Move:
		return "Move " + text.Name(s.From) + " to " + text.Name(s.To)
	case Install:
		return "Install " + text.Name(s.To)
	}
	return string(s.Action)
}

// Left is something that the plan skips though it needs attention.
type Left struct {
	Place  string `json:"place"`
	Folder string `json:"folder"`
	Why    string `json:"why"`
}

// Backup is where a place's folders are moved.
type Backup struct {
	Place string `json:"place"`
	// Path stands next to the place, on the same disk.
	Path string `json:"path"`
}

// Plan has the steps in the order in which to take them: those of one skill
// after those of another.
type Plan struct {
	Backups []Backup `json:"backups"`
	Steps   []Step   `json:"steps"`
	Left    []Left   `json:"left"`
}

// inPlace is something in a place, by its name.
type inPlace struct{ place, name string }

type planner struct {
	plan    Plan
	options Options
	// there has what is in every place.
	there map[inPlace]*upgrade.Row
}

// New makes the plan for a report.
func New(r upgrade.Report, o Options) (Plan, error) {
	if err := o.check(); err != nil {
		return Plan{}, err
	}
	p := &planner{Plan{Backups: []Backup{}, Steps: []Step{}, Left: []Left{}}, o, map[inPlace]*upgrade.Row{}}
	var order []inPlace
	groups := map[inPlace][]*upgrade.Row{}
	for i := range r.Rows {
		row := &r.Rows[i]
		at, group := inPlace{row.Place, row.Folder}, inPlace{row.Place, row.Replacement}
		if p.there[at] != nil {
			continue // listed twice
		}
		p.there[at] = row
		if !row.State.NeedsAttention() {
			continue
		}
		if why := p.refuse(row); why != "" {
			p.leave(row, why)
			continue
		}
		if groups[group] == nil {
			order = append(order, group)
		}
		groups[group] = append(groups[group], row)
	}
	for _, group := range order {
		p.add(group.place, group.name, groups[group])
	}
	return p.plan, nil
}

func (o *Options) check() error {
	const allowed = "-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if o.Time == "" || strings.Trim(o.Time, allowed) != "" || len(o.Time) > 40 {
		return fmt.Errorf("the time %q is not made of letters, digits and hyphens", o.Time)
	}
	if o.Source.Site != "" {
		u, err := url.Parse(o.Source.Site)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
			return fmt.Errorf("%q is not the URL of a site", o.Source.Site)
		}
	}
	return nil
}

func (p *planner) leave(row *upgrade.Row, why string) {
	p.plan.Left = append(p.plan.Left, Left{row.Place, row.Folder, why})
}

// safe reports whether a command may change a folder by itself.
func (p *planner) safe(row *upgrade.Row) bool {
	return row.Certain || row.Published && p.options.Source.has(row.Replacement)
}

// refuse says why a row is not put into the plan; "" for one that is.
func (p *planner) refuse(row *upgrade.Row) string {
	sameName := row.Folder == row.Replacement
	switch {
	case row.Replacement == "":
		return "it is not from this collection"
	case row.Kind == upgrade.Unreadable:
		return "it could not be read; check its permissions and try again"
	case !movable(row.Folder) || row.Folder == NewFolder:
		return "its name cannot be written in a command; move it by hand"
	case p.backupPath(row.Place) == "":
		return "a backup folder cannot be created next to " + upgrade.PlaceName(row.Place)
	case !text.IsSkillName(row.Replacement):
		return "its name in VERSIONS.md is not a valid skill name"
	case row.State == upgrade.Outdated && !p.options.Source.has(row.Replacement):
		return p.noSource(row.Replacement)
	case p.options.SafeOnly && !p.safe(row):
		return "it may not be from this collection; check it yourself"
	case sameName && !p.options.Source.has(row.Replacement):
		return p.noSource(row.Replacement)
	case sameName && row.Version == "" && !row.Seen && !p.options.Unseen:
		return "its version is unknown"
	}
	return ""
}

// noSource says why a skill cannot be got.
func (p *planner) noSource(skill string) string {
	if p.options.Source.lacks(skill) {
		return skill + " is not available on this site yet; keep the old folder for now"
	}
	return "it cannot be updated without a copy of the collection"
}

// add adds what happens to one skill in one place, and to the folders there
// that it takes the place of.
func (p *planner) add(place, skill string, rows []*upgrade.Row) {
	source, there := p.options.Source, p.there[inPlace{place, skill}]
	replaces := slices.ContainsFunc(rows, func(row *upgrade.Row) bool { return row.Folder == skill })
	free := there == nil || replaces
	why := ""
	switch {
	case free && source.lacks(skill):
		why = p.noSource(skill)
	case there != nil && there.Kind == upgrade.RegularFile && source.has(skill):
		why = "a file has the name " + skill + "; move it and check again"
	}
	if why != "" {
		for _, row := range rows {
			p.leave(row, why)
		}
		return
	}
	if !free && there.State == upgrade.Unclear && there.Replacement == "" {
		p.leave(there, "it has the name of "+skill+", which cannot be installed next to it")
	}
	base := Step{Place: place, Skill: skill, backup: p.backupPath(place), replaces: replaces}
	if b := (Backup{place, base.backup}); !slices.Contains(p.plan.Backups, b) {
		p.plan.Backups = append(p.plan.Backups, b)
	}
	base.Safe = !slices.ContainsFunc(rows, func(row *upgrade.Row) bool { return !p.safe(row) })
	step := func(action Action, folder, file, from, to string) {
		s := base
		s.Action, s.Folder, s.File, s.From, s.To = action, folder, file, from, to
		p.plan.Steps = append(p.plan.Steps, s)
	}
	if free && source.has(skill) {
		base.staged = paths.Join(base.backup, NewFolder, skill, skill)
		step(Fetch, "", "", source.of(skill), base.staged)
		for _, row := range rows {
			for _, file := range row.Unfamiliar {
				if parts := strings.Split(file, "/"); row.Kind == upgrade.Directory && movable(parts...) {
					step(Keep, row.Folder, file, paths.Join(paths.Join(place, row.Folder), parts...), paths.Join(base.staged, parts...))
				}
			}
		}
	}
	for _, row := range rows {
		step(Move, row.Folder, "", paths.Join(place, row.Folder), paths.Join(base.backup, row.Folder))
		p.plan.Steps[len(p.plan.Steps)-1].Safe = p.safe(row)
	}
	if base.staged != "" {
		step(Install, "", "", base.staged, paths.Join(place, skill))
	}
}

// backupPath returns the backup folder of a place, next to it; "" when there is
// nothing next to it, or nobody knows what.
func (p *planner) backupPath(place string) string {
	name := func(base string) string { return "." + base + "-backup-" + p.options.Time }
	path := paths.Clean(place)
	base := paths.Base(path)
	switch {
	case path == ".":
		if p.options.Here == "" {
			return paths.Join("..", name("skills"))
		}
		return paths.Join("..", name(p.options.Here))
	case path == "~" || base == "" || base == "." || base == ".." || strings.HasSuffix(base, ":"):
		return ""
	}
	return paths.Join(strings.TrimSuffix(path, base) + name(base))
}

// movable reports whether each of the names can be one part of a path
// everywhere.
func movable(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		return name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\\\x00")
	})
}
