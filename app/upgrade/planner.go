package upgrade

import "strings"

// group is what happens to one skill in one place: the folders that go, and
// whether it is installed.
type group struct {
	place, skill string
	rows         []*Row
}

type groupKey struct{ place, skill string }

type planner struct {
	report  *Report
	options PlanOptions
	order   []*group
	groups  map[groupKey]*group
	left    []Left
	// there has the folders of every place by name, places the places.
	there   map[groupKey]*Row
	places  map[string]bool
	backups map[string]string
}

func (p *planner) lookAround() {
	p.there = make(map[groupKey]*Row, len(p.report.Rows))
	p.places = map[string]bool{}
	for i := range p.report.Rows {
		row := &p.report.Rows[i]
		if row.Kind != RegularFile {
			p.there[groupKey{row.Place, row.Folder}] = row
		}
		p.places[cleanPath(row.Place)] = true
	}
}

func (p *planner) leave(row *Row, why string) {
	p.left = append(p.left, Left{row.Place, row.Folder, why})
}

// take puts a row into the plan or says why not.
func (p *planner) take(row *Row) {
	if !row.State.NeedsAttention() {
		return
	}
	_, canBeside := beside(row.Place, p.options.Date)
	switch {
	case row.State == Misnamed && row.Replacement == "":
		p.leave(row, "its content is not ours")
	case row.Kind == Unreadable:
		p.leave(row, "it could not be read; make it readable and check again")
	case !movable(row.Folder):
		p.leave(row, "its name cannot be written in a command; move it by hand")
	case !canBeside:
		p.leave(row, "there is no room for a backup beside "+showPlace(row.Place))
	case !validSkill(row.Replacement):
		p.leave(row, "the manifest's name for it is no valid name")
	case p.options.CertainOnly && !row.Certain:
		p.leave(row, "it is not certainly ours")
	case (row.State == Unversioned || row.State == Outdated) && !p.options.Source.has(row.Replacement):
		p.leave(row, "there is nowhere to install "+row.Replacement+" from")
	case row.State == Unversioned && row.Version == "" && !row.Seen && !p.options.Unseen:
		p.leave(row, "its version was not seen")
	default:
		key := groupKey{row.Place, row.Replacement}
		g := p.groups[key]
		if g == nil {
			g = &group{place: row.Place, skill: row.Replacement}
			p.groups[key] = g
			p.order = append(p.order, g)
		}
		for _, have := range g.rows {
			if have.Folder == row.Folder {
				return // listed twice
			}
		}
		g.rows = append(g.rows, row)
	}
}

// finish turns the groups into steps.
func (p *planner) finish() Cleanup {
	c := Cleanup{Source: p.options.Source, Backups: []Backup{}, Steps: []Step{}, Left: []Left{}}
	var fetch, work, verify []Step
	for _, g := range p.order {
		backup, ok := p.backups[g.place]
		if !ok {
			backup = p.backupOf(g.place)
		}
		f, w, v := p.steps(g, backup)
		if !ok && len(f)+len(w)+len(v) > 0 {
			p.backups[g.place] = backup
			c.Backups = append(c.Backups, Backup{g.place, backup})
		}
		fetch, work, verify = append(fetch, f...), append(work, w...), append(verify, v...)
	}
	c.Steps = append(append(c.Steps, fetch...), work...)
	if len(verify) > 0 {
		c.Steps = append(c.Steps, Step{Action: Run, From: p.options.Source.Command, Why: "install the current skills"})
		c.Steps = append(c.Steps, verify...)
	}
	c.Left = append(c.Left, p.left...)
	return c
}

func (p *planner) steps(g *group, backup string) (fetch, work, verify []Step) {
	certain := true
	again := false
	for _, row := range g.rows {
		certain = certain && row.Certain
		again = again || row.Folder == g.skill
	}
	there := p.there[groupKey{g.place, g.skill}]
	if (there == nil || again) && p.options.Source.lacks(g.skill) {
		for _, row := range g.rows {
			p.leave(row, g.skill+" is not published there yet; keep this until it is")
		}
		return nil, nil, nil
	}
	for _, row := range g.rows {
		work = append(work, Step{
			Action: Move, Place: g.place, Folder: row.Folder, Skill: g.skill,
			From: join(g.place, row.Folder), To: join(backup, "old", row.Folder),
			Again: row.Folder == g.skill, Certain: row.Certain, Why: row.Evidence,
		})
	}
	if there != nil && !again {
		if there.State == Misnamed && there.Replacement == "" {
			p.leave(there, "it has the name of "+g.skill+", which cannot be installed beside it")
		}
		return nil, work, nil
	}
	source := p.options.Source
	staged, dest := join(backup, "new", g.skill), join(g.place, g.skill)
	done := dest
	if again {
		done = join(backup, "old", g.skill)
	}
	switch {
	case source.Command != "" && source.has(g.skill):
		verify = append(verify, Step{Action: Verify, Place: g.place, Skill: g.skill, To: dest, Certain: certain, Why: "make sure that it is there"})
	case source.has(g.skill):
		from := source.zip(g.skill)
		if source.Dir != "" {
			from = join(source.Dir, "skills", g.skill)
		}
		fetch = append(fetch, Step{Action: Fetch, Place: g.place, Skill: g.skill, From: from, To: staged, Done: done, Certain: certain, Why: "get it before anything is moved"})
		work = append(work, Step{Action: Install, Place: g.place, Skill: g.skill, From: staged, To: dest, Certain: certain, Why: "install the current version"})
		work = append(work, keeps(g, backup)...)
	}
	return fetch, work, verify
}

// keeps copies the files that hashes show to be the user's. What is only
// likely theirs stays in the backup.
func keeps(g *group, backup string) []Step {
	var all []Step
	for _, row := range g.rows {
		if row.Kind == Symlink {
			continue
		}
		for _, file := range row.Added {
			if parts := strings.Split(file, "/"); allMovable(parts) {
				all = append(all, Step{
					Action: Keep, Place: g.place, Folder: row.Folder, Skill: g.skill,
					From: join(join(backup, "old", row.Folder), parts...), To: join(join(g.place, g.skill), parts...),
					Certain: row.Certain, Why: "a file that you added",
				})
			}
		}
	}
	return all
}

func allMovable(parts []string) bool {
	for _, part := range parts {
		if !movable(part) {
			return false
		}
	}
	return true
}

// backupOf returns the backup folder of a place: beside it, and beside
// whatever other place that would be inside of.
func (p *planner) backupOf(place string) string {
	path, _ := beside(place, p.options.Date)
	for outer := parent(cleanPath(place)); outer != ""; outer = parent(outer) {
		if p.places[outer] {
			if moved, ok := beside(outer, p.options.Date); ok {
				path = moved
			}
		}
	}
	return path
}

// validSkill tells whether a name from the manifest can be a folder and part
// of an address.
func validSkill(s string) bool {
	return s != "" && len(s) <= 64 && s[0] != '-' && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}
