package plan

import (
	"slices"
	"strings"

	"marketingskills/app/text"
	"marketingskills/app/upgrade"
	"marketingskills/app/upgrade/paths"
)

// inPlace is something in a place, by its name.
type inPlace struct{ place, name string }

type planner struct {
	Plan
	options Options
	// there has what is in every place, places the places.
	there   map[inPlace]*upgrade.Row
	places  map[string]bool
	backups map[string]string
}

func (p *planner) leave(row *upgrade.Row, why string) {
	p.Left = append(p.Left, Left{row.Place, row.Folder, why})
}

// refuse says why a row is not put into the plan; "" for one that is.
func (p *planner) refuse(row *upgrade.Row) string {
	_, hasRoom := backupFolder(row.Place, p.options.Date)
	renewed := row.State == upgrade.Unversioned || row.State == upgrade.Outdated
	switch {
	case row.State == upgrade.Misnamed && row.Replacement == "":
		return "it is not from this collection"
	case row.Kind == upgrade.Unreadable:
		return "it could not be read; check its permissions and try again"
	case !movable(row.Folder):
		return "its name cannot be written in a command; move it by hand"
	case !hasRoom:
		return "a backup folder cannot be created next to " + upgrade.PlaceName(row.Place)
	case !text.IsSkillName(row.Replacement):
		return "its name in VERSIONS.md is not a valid skill name"
	case row.State == upgrade.Outdated && !p.options.Source.has(row.Replacement):
		return p.noSource(row.Replacement)
	case p.options.CertainOnly && !row.Certain:
		return "it may not be from this collection; check it yourself"
	case renewed && !p.options.Source.has(row.Replacement):
		return p.noSource(row.Replacement)
	case row.State == upgrade.Unversioned && row.Version == "" && !row.Seen && !p.options.Unseen:
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
	again := slices.ContainsFunc(rows, func(row *upgrade.Row) bool { return row.Folder == skill })
	free := there == nil || again
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
	if !free && there.State == upgrade.Misnamed && there.Replacement == "" {
		p.leave(there, "it has the name of "+skill+", which cannot be installed next to it")
	}
	step := Step{Place: place, Skill: skill, backup: p.backupOf(place)}
	staged, dest := paths.Join(step.backup, "new", skill), paths.Join(place, skill)
	installs := free && source.has(skill)
	if installs {
		step.staged = paths.Join(staged, "SKILL.md")
	}
	certain := true
	for _, row := range rows {
		certain = certain && row.Certain
		move := step
		move.Action, move.Folder, move.Again, move.Certain, move.Why = Move, row.Folder, row.Folder == skill, row.Certain, row.Evidence
		move.From, move.To = paths.Join(place, row.Folder), paths.Join(step.backup, "old", row.Folder)
		p.Steps = append(p.Steps, move)
		for _, file := range row.Unfamiliar {
			parts := strings.Split(file, "/")
			if !installs || row.Kind == upgrade.Symlink || !movable(parts...) {
				continue
			}
			keep := move
			keep.Action, keep.Again, keep.Why = Keep, false, "a file that you probably added"
			keep.From, keep.To = paths.Join(move.To, parts...), paths.Join(dest, parts...)
			p.Steps = append(p.Steps, keep)
		}
	}
	if !installs {
		return
	}
	get := step
	get.Again, get.Certain = again, certain
	put := get
	get.Action, get.From, get.To, get.Why = Fetch, source.of(skill), staged, "get it before anything is moved"
	put.Action, put.From, put.To, put.Why = Install, staged, dest, "install the latest version"
	p.Steps = append(p.Steps, get, put)
}

// backupOf returns the backup folder of a place: next to it, and next to
// whatever other place that would be inside of.
func (p *planner) backupOf(place string) string {
	if known, ok := p.backups[place]; ok {
		return known
	}
	path, _ := backupFolder(place, p.options.Date)
	for outer := paths.Parent(paths.Clean(place)); outer != ""; outer = paths.Parent(outer) {
		if p.places[outer] {
			if moved, ok := backupFolder(outer, p.options.Date); ok {
				path = moved
			}
		}
	}
	p.backups[place] = path
	p.Backups = append(p.Backups, Backup{place, path})
	return path
}

// backupFolder returns the folder next to a place, and false when there is
// nothing next to it.
func backupFolder(place, date string) (string, bool) {
	path := paths.Clean(place)
	name := paths.Base(path)
	switch {
	case path == "/" || path == `\` || path == "~" || strings.HasSuffix(name, ":") || name == "":
		return "", false
	case path == ".":
		return paths.Join("..", "skills-backup-"+date), true
	case name == "." || name == "..":
		// Where it is says nothing about what it is called.
		return paths.Join(path, "..", "skills-backup-"+date), true
	}
	return paths.Join(path + "-backup-" + date), true
}

// movable reports whether each of the names can be one part of a path
// everywhere.
func movable(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		return name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\\\x00")
	})
}
