package plan

import (
	"slices"
	"strings"

	"marketingskills/app/text"
	"marketingskills/app/upgrade"
	"marketingskills/app/upgrade/paths"
)

// group is what happens to one skill in one place: the folders that go, and
// whether it is installed.
type group struct {
	place, skill string
	rows         []*upgrade.Row
}

type groupKey struct{ place, skill string }

type planner struct {
	report  *upgrade.Report
	options Options
	order   []*group
	groups  map[groupKey]*group
	left    []Left
	// there has what is in every place by name, places the places.
	there   map[groupKey]*upgrade.Row
	places  map[string]bool
	backups map[string]string
}

func (p *planner) lookAround() {
	p.there = make(map[groupKey]*upgrade.Row, len(p.report.Rows))
	p.places = map[string]bool{}
	for i := range p.report.Rows {
		row := &p.report.Rows[i]
		p.there[groupKey{row.Place, row.Folder}] = row
		p.places[paths.Clean(row.Place)] = true
	}
}

func (p *planner) leave(row *upgrade.Row, why string) {
	p.left = append(p.left, Left{row.Place, row.Folder, why})
}

// take puts a row into the plan or says why not.
func (p *planner) take(row *upgrade.Row) {
	if !row.State.NeedsAttention() {
		return
	}
	_, hasRoom := backupFolder(row.Place, p.options.Date)
	inPlace := row.State == upgrade.Unversioned || row.State == upgrade.Outdated
	switch {
	case row.State == upgrade.Misnamed && row.Replacement == "":
		p.leave(row, "it is not from this collection")
	case row.Kind == upgrade.Unreadable:
		p.leave(row, "it could not be read; check its permissions and try again")
	case !movable(row.Folder):
		p.leave(row, "its name cannot be written in a command; move it by hand")
	case !hasRoom:
		p.leave(row, "a backup folder cannot be created next to "+upgrade.PlaceName(row.Place))
	case !text.IsSkillName(row.Replacement):
		p.leave(row, "its name in VERSIONS.md is not a valid skill name")
	case p.options.CertainOnly && !row.Certain:
		p.leave(row, "it may not be from this collection; check it yourself")
	case inPlace && !p.options.Source.has(row.Replacement):
		p.leave(row, row.Replacement+" has no install source")
	case row.State == upgrade.Unversioned && row.Version == "" && !row.Seen && !p.options.Unseen:
		p.leave(row, "its version is unknown")
	default:
		p.add(row)
	}
}

func (p *planner) add(row *upgrade.Row) {
	key := groupKey{row.Place, row.Replacement}
	g := p.groups[key]
	if g == nil {
		g = &group{place: row.Place, skill: row.Replacement}
		p.groups[key] = g
		p.order = append(p.order, g)
	}
	listed := func(have *upgrade.Row) bool { return have.Folder == row.Folder }
	if !slices.ContainsFunc(g.rows, listed) {
		g.rows = append(g.rows, row)
	}
}

// finish turns the groups into steps.
func (p *planner) finish() Plan {
	c := Plan{Backups: []Backup{}, Steps: []Step{}, Left: []Left{}}
	var fetch, work []Step
	for _, g := range p.order {
		backup, known := p.backups[g.place]
		if !known {
			backup = p.backupOf(g.place)
		}
		f, w := p.steps(g, backup)
		if !known && len(w) > 0 {
			p.backups[g.place] = backup
			c.Backups = append(c.Backups, Backup{g.place, backup})
		}
		fetch, work = append(fetch, f...), append(work, w...)
	}
	c.Steps = append(append(c.Steps, fetch...), work...)
	c.Left = append(c.Left, p.left...)
	return c
}

func (p *planner) steps(g *group, backup string) (fetch, work []Step) {
	certain, again := true, false
	for _, row := range g.rows {
		certain = certain && row.Certain
		again = again || row.Folder == g.skill
	}
	source := p.options.Source
	there := p.there[groupKey{g.place, g.skill}]
	if (there == nil || again) && source.lacks(g.skill) {
		for _, row := range g.rows {
			p.leave(row, g.skill+" is not available on this site yet; keep the old folder for now")
		}
		return nil, nil
	}
	if there != nil && there.Kind == upgrade.RegularFile && source.has(g.skill) {
		for _, row := range g.rows {
			p.leave(row, "something that is not a skill folder has the name "+g.skill)
		}
		return nil, nil
	}
	for _, row := range g.rows {
		work = append(work, Step{
			Action: Move, Place: g.place, Folder: row.Folder, Skill: g.skill,
			From: paths.Join(g.place, row.Folder), To: paths.Join(backup, "old", row.Folder),
			Again: row.Folder == g.skill, Certain: row.Certain, Why: row.Evidence,
		})
	}
	if there != nil && !again {
		if there.State == upgrade.Misnamed && there.Replacement == "" {
			p.leave(there, "it has the name of "+g.skill+", which cannot be installed next to it")
		}
		return nil, work
	}
	if !source.has(g.skill) {
		return nil, work
	}
	from := strings.TrimSuffix(source.Site, "/") + "/skills/" + g.skill + "/" + g.skill + ".zip"
	if source.Dir != "" {
		from = paths.Join(source.Dir, "skills", g.skill)
	}
	staged, dest := paths.Join(backup, "new", g.skill), paths.Join(g.place, g.skill)
	get := Step{Action: Fetch, Place: g.place, Skill: g.skill, From: from, To: staged, Again: again, Certain: certain}
	put := Step{Action: Install, Place: g.place, Skill: g.skill, From: staged, To: dest, Again: again, Certain: certain}
	get.Why, put.Why = "get it before anything is moved", "install the latest version"
	return []Step{get}, append(append(work, put), keeps(g, backup)...)
}

// keeps copies the files that are likely the user's.
func keeps(g *group, backup string) []Step {
	var all []Step
	for _, row := range g.rows {
		for _, file := range row.Unfamiliar {
			parts := strings.Split(file, "/")
			if row.Kind != upgrade.Symlink && !slices.ContainsFunc(parts, func(part string) bool { return !movable(part) }) {
				all = append(all, Step{
					Action: Keep, Place: g.place, Folder: row.Folder, Skill: g.skill,
					From: paths.Join(paths.Join(backup, "old", row.Folder), parts...), To: paths.Join(paths.Join(g.place, g.skill), parts...),
					Certain: row.Certain, Why: "a file that you probably added",
				})
			}
		}
	}
	return all
}

// backupOf returns the backup folder of a place: next to it, and next to
// whatever other place that would be inside of.
func (p *planner) backupOf(place string) string {
	path, _ := backupFolder(place, p.options.Date)
	for outer := paths.Parent(paths.Clean(place)); outer != ""; outer = paths.Parent(outer) {
		if p.places[outer] {
			if moved, ok := backupFolder(outer, p.options.Date); ok {
				path = moved
			}
		}
	}
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

// movable reports whether a name can be one part of a path everywhere.
func movable(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\\\x00")
}
