package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/text"
	"marketingskills/app/upgrade"
	planning "marketingskills/app/upgrade/plan"
	"marketingskills/tools/clis/skills-upgrade/internal/aside"
)

// certain reports whether the command may act on a row. That is what the
// analysis calls certain: the frontmatter's name equals the folder's,
// which is a 1.x name, and the version is below 2.0.0.
//
// With a collection to install from, it is also a folder under a name of today
// whose SKILL.md has the same name and an older version that can have been
// published under that name: not before the release that gave the skill its
// name, and not below 1.0.0, where the versions of this collection begin. So
// ads 2.0.0 is brought to 2.0.1, while ads 1.3.0 is someone else's: in 1.x the
// skill was called paid-ads. A name and a version are all there is to go by,
// as old releases published no hashes; what was changed in the folder is safe
// in the backup.
func certain(r *upgrade.Row, m *manifest.Manifest, from bool) bool {
	if r.Certain {
		return true
	}
	if !from || r.State != upgrade.Outdated || r.Kind != upgrade.Directory || !r.Seen ||
		r.Folder != r.Name || r.Folder != r.Replacement ||
		slices.ContainsFunc(r.Notes, func(n upgrade.Note) bool { return n.Code == upgrade.NoteUnreadable }) {
		return false
	}
	least := manifest.Version("1.0.0")
	for _, rename := range m.Renames {
		if rename.New == r.Folder && manifest.Compare(rename.Release, least) > 0 {
			least = rename.Release
		}
	}
	return manifest.Compare(manifest.Version(r.Version), least) >= 0
}

// plan plans for everything that needs attention, or only for what is certain.
func (s *state) plan(certainOnly bool) (planning.Plan, error) {
	var p planning.Plan
	from, report := s.known.from, s.report
	report.Rows = slices.Clone(report.Rows)
	for i := range report.Rows {
		report.Rows[i].Certain = certain(&report.Rows[i], s.known.Manifest, from != nil)
	}
	var left []planning.Left
	if certainOnly {
		report.Rows, left = s.withoutUntouched(report.Rows)
	}
	o := planning.Options{CertainOnly: certainOnly}
	if from != nil {
		o.Source.Dir = from.dir
		for _, spot := range s.spots {
			if sameFile(spot.real, filepath.Join(from.real, "skills")) {
				return p, fmt.Errorf("%s is the collection to install from; nothing is installed into itself", text.Name(spot.label))
			}
		}
	}
	// A second fix on one day gets a backup of its own.
	for n := 1; n < 1000; n++ {
		o.Date = s.now.Format("2006-01-02")
		if n > 1 {
			o.Date += "-" + strconv.Itoa(n)
		}
		var err error
		if p, err = planning.New(report, o); err != nil {
			return p, err
		}
		if !slices.ContainsFunc(p.Backups, s.taken) {
			p.Left = append(p.Left, left...)
			return p, s.known.checkSource(p)
		}
	}
	return p, errors.New("there are too many backup folders of today; move some away")
}

// withoutUntouched leaves out the rows of places where nothing is changed.
func (s *state) withoutUntouched(rows []upgrade.Row) (rest []upgrade.Row, left []planning.Left) {
	for _, row := range rows {
		if why := s.spot(row.Place).untouched; why == "" {
			rest = append(rest, row)
		} else if row.State.NeedsAttention() {
			left = append(left, planning.Left{Place: row.Place, Folder: row.Folder, Why: why})
		}
	}
	return rest, left
}

// checkSource makes sure that all that is to be installed is there.
func (k *known) checkSource(p planning.Plan) error {
	for _, step := range p.Steps {
		if step.Action == planning.Fetch && k.from != nil {
			row, _ := k.Row(step.Skill)
			if err := k.from.check(step.Skill, row.Version); err != nil {
				return err
			}
		}
	}
	return nil
}

// spot finds a place, which all rows have one of.
func (s *state) spot(label string) spot {
	return s.spots[slices.IndexFunc(s.spots, func(at spot) bool { return at.label == label })]
}

// backup returns the folder that the backup of a place stands in: beside the
// place, or beside the outermost place that holds it, since agents would go
// on reading a backup inside of one.
func (s *state) backup(b planning.Backup) (parent, name string) {
	outer := s.spot(b.Place).real
	for _, other := range s.spots {
		if rel, err := filepath.Rel(other.real, outer); err == nil && filepath.IsLocal(rel) && other.untouched == "" {
			outer = other.real
		}
	}
	return filepath.Dir(outer), filepath.Base(b.Path)
}

func (s *state) taken(b planning.Backup) bool {
	_, err := os.Lstat(filepath.Join(s.backup(b)))
	return err == nil
}

// jobs turns the steps into what package aside does.
func (s *state) jobs(p planning.Plan) ([]aside.Job, error) {
	var jobs []aside.Job
	used := map[string]bool{}
	for _, b := range p.Backups {
		parent, name := s.backup(b)
		place, err := filepath.Rel(parent, s.spot(b.Place).real)
		if err != nil {
			return nil, err
		}
		label := b.Path
		for n := 2; used[filepath.Join(parent, name)]; n++ {
			name, label = name+"-in-"+strconv.Itoa(n), label+"-in-"+strconv.Itoa(n)
		}
		used[filepath.Join(parent, name)] = true
		jobs = append(jobs, aside.Job{
			Parent: parent, Place: place, Backup: name, Label: b.Place, BackupLabel: label,
			Skills: s.skills(p, b.Place),
		})
	}
	return jobs, nil
}

// skills are the skills of one place with all that is to happen to them.
func (s *state) skills(p planning.Plan, place string) []aside.Skill {
	var skills []aside.Skill
	for _, step := range p.Steps {
		if step.Place != place {
			continue
		}
		i := slices.IndexFunc(skills, func(s aside.Skill) bool { return s.Name == step.Skill })
		if i < 0 {
			i, skills = len(skills), append(skills, aside.Skill{Name: step.Skill})
		}
		skill := &skills[i]
		switch step.Action {
		case planning.Fetch:
			skill.From = s.known.from.skill(step.Skill)
		case planning.Move:
			skill.Folders = append(skill.Folders, step.Folder)
			row := slices.IndexFunc(s.report.Rows, func(r upgrade.Row) bool { return r.Place == place && r.Folder == step.Folder })
			for _, file := range s.report.Rows[row].Unfamiliar {
				skill.Keep = append(skill.Keep, aside.Keep{Folder: step.Folder, File: file})
			}
		}
	}
	return skills
}
