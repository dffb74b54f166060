// Package plan turns a report into steps that bring an installation up to
// date, and the steps into commands to copy.
//
// [New] takes what an analysis found and returns a [Plan]: every folder that
// needs attention is moved to a backup folder next to its skills folder, and the
// latest skill is put in its place. Some are skipped, with the reason; links and
// folders without a SKILL.md always are. Nothing is deleted and nothing
// overwritten. What is to be installed is made ready in the backup folder first,
// so that a skill whose download fails stays as it is, and each change is a
// rename. A name that is only similar brings no step.
//
//	skills/                 what agents load
//	.skills-backup-TIME/    hidden, so that agents do not load it
//	    NAME/               an old folder
//	    .new/NAME/NAME/     a skill that was made ready; .new/NAME/ is empty
//	                        once it was installed
//	    .download/          what printed commands had to download or copy, and
//	                        do not need any more
//
// So the backup folder says by itself what was done, and undoing it means to
// rename everything back.
//
// What a step is in words, in each shell and on the disk stands in one table,
// [Action]. [Shell.Script] writes a plan as commands, a line a step, and
// [Step.Take] does a step. Paths in them are as the places were named, so they
// hold where those start.
package plan

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"marketingskills/app/text"
	"marketingskills/app/upgrade"
	"marketingskills/app/upgrade/paths"
)

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

func (s Source) check() error {
	if s.Site == "" {
		return nil
	}
	u, err := url.Parse(s.Site)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return fmt.Errorf("%q is not the URL of a site", s.Site)
	}
	return nil
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
	// Time marks the backup folders.
	Time   time.Time
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
	// Untouched says why nothing may be changed in some places.
	Untouched map[string]string
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
	// NeedsSource is set when more would be installed if there were a source.
	NeedsSource bool `json:"-"`
}

// Moves are the steps that move an old folder.
func (p Plan) Moves() []Step {
	return slices.DeleteFunc(slices.Clone(p.Steps), func(s Step) bool { return s.Action != Move })
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
	if err := o.Source.check(); err != nil {
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

func (p *planner) leave(row *upgrade.Row, why string) {
	p.plan.Left = append(p.plan.Left, Left{row.Place, row.Folder, why})
}

// safe reports whether a command may change a folder by itself.
func safe(row *upgrade.Row) bool { return row.Certain || row.Published }

// refuse says why a row is not put into the plan; "" for one that is.
func (p *planner) refuse(row *upgrade.Row) string {
	o := &p.options
	sameName := row.Folder == row.Replacement
	switch {
	case o.Untouched[row.Place] != "":
		return o.Untouched[row.Place]
	case row.Replacement == "":
		return "its SKILL.md has another name, so it may be your own skill"
	case row.Kind == upgrade.Unreadable:
		return "it could not be read; check its permissions and try again"
	case row.Kind == upgrade.Symlink:
		return "it is a symbolic link; check the folder it leads to, or remove the link yourself"
	case row.Bare:
		return "it has no SKILL.md; move it yourself if you do not need it"
	case !movable(row.Folder) || row.Folder[0] == '.':
		return "its name cannot stand in a backup folder; move it by hand"
	case p.backupPath(row.Place) == "":
		return "a backup folder cannot be created next to " + upgrade.PlaceName(row.Place)
	case !text.IsSkillName(row.Replacement):
		return "its name in VERSIONS.md is not a valid skill name"
	case o.SafeOnly && !safe(row):
		return "it may not be from this collection; check it yourself"
	case sameName && row.Version == "" && !row.Seen && !o.Unseen:
		return "its version is unknown"
	case sameName && !o.Source.has(row.Replacement):
		return p.noSource(row.Replacement)
	}
	return ""
}

// noSource says why a skill cannot be got.
func (p *planner) noSource(skill string) string {
	if p.options.Source.lacks(skill) {
		return skill + " is not available on this site yet; check again later"
	}
	p.plan.NeedsSource = true
	return "updating it takes a copy of the collection"
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
	case free && !source.has(skill):
		p.plan.NeedsSource = true
	case !free && source.has(skill) && (there.Replacement != skill || there.Bare):
		why = "something else has the name " + skill + "; move it and check again"
	}
	if why != "" {
		for _, row := range rows {
			p.leave(row, why)
		}
		return
	}
	base := Step{Place: place, Skill: skill, backup: p.backupPath(place), replaces: replaces}
	if b := (Backup{place, base.backup}); !slices.Contains(p.plan.Backups, b) {
		p.plan.Backups = append(p.plan.Backups, b)
	}
	base.Safe = !slices.ContainsFunc(rows, func(row *upgrade.Row) bool { return !safe(row) })
	step := func(action *Action, folder, file, from, to string) {
		s := base
		s.Action, s.Folder, s.File, s.From, s.To = action, folder, file, from, to
		p.plan.Steps = append(p.plan.Steps, s)
	}
	if free && source.has(skill) {
		base.staged = paths.Join(base.backup, NewFolder, skill, skill)
		step(Fetch, "", "", source.of(skill), base.staged)
		for _, row := range rows {
			for _, file := range row.Unfamiliar {
				if parts := strings.Split(file, "/"); movable(parts...) {
					step(Keep, row.Folder, file, paths.Join(paths.Join(place, row.Folder), parts...), paths.Join(base.staged, parts...))
				}
			}
		}
	}
	for _, row := range rows {
		step(Move, row.Folder, "", paths.Join(place, row.Folder), paths.Join(base.backup, row.Folder))
		p.plan.Steps[len(p.plan.Steps)-1].Safe = safe(row)
	}
	if base.staged != "" {
		step(Install, "", "", base.staged, paths.Join(place, skill))
	}
}

// backupPath returns the backup folder of a place, next to it; "" when there is
// nothing next to it, or nobody knows what.
func (p *planner) backupPath(place string) string {
	path := paths.Clean(place)
	base := paths.Base(path)
	switch {
	case path == ".":
		return paths.Join("..", BackupName(cmp.Or(p.options.Here, "skills"), p.options.Time))
	case path == "~" || base == "" || base == "." || base == ".." || strings.HasSuffix(base, ":"):
		return ""
	}
	return paths.Join(strings.TrimSuffix(path, base) + BackupName(base, p.options.Time))
}

// movable reports whether each of the names can be one part of a path.
func movable(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		return name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\\\x00")
	})
}
