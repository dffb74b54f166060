// Package plan turns a report into steps that bring an installation up to
// date, and the steps into commands to copy.
//
// [New] takes what an analysis found and returns a [Plan]: every folder that
// needs attention is moved to a dated backup folder next to its skills folder,
// and the latest skill is put in its place. Nothing is deleted and nothing
// overwritten. What is to be installed is fetched first, so that a skill whose
// download fails stays as it is, and taking the steps twice does no harm. A
// name that is only similar brings no step.
//
// [Plan.POSIX] and [Plan.PowerShell] write the steps as plain commands, a line
// a folder, and how to undo them. Paths in them are as the places were named,
// so they are run from where those start.
package plan

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

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
	// Date marks the backup folder: YYYY-MM-DD, or any letters, digits and
	// hyphens.
	Date   string
	Source Source
	// CertainOnly leaves out all but the folders that are certainly from the
	// collection: the steps a command may take by itself.
	CertainOnly bool
	// Unseen includes current names whose version was not seen, as in a plain
	// listing.
	Unseen bool
}

// Action is what a step does.
type Action string

const (
	// Fetch gets a skill ready in To, inside the backup folder, before
	// anything is moved. From is the URL of a zip or a local folder.
	Fetch Action = "fetch"
	// Move moves a folder, or a link itself, to the backup folder.
	Move Action = "move"
	// Install moves what was fetched to its place.
	Install Action = "install"
	// Keep copies a file the user had added from the backup into the new
	// folder, unless one is there.
	Keep Action = "keep"
)

// inOrder are the actions as they follow one another.
var inOrder = []Action{Fetch, Move, Install, Keep}

// Step is one step of a plan. Paths begin with the place as given; a leading ~
// is the home directory.
type Step struct {
	Action Action `json:"action"`
	// Place is the skills folder the step is about; empty when that is the
	// current directory.
	Place string `json:"place"`
	// Folder is the folder that is moved, Skill the skill that is installed.
	Folder string `json:"folder"`
	Skill  string `json:"skill"`
	From   string `json:"from"`
	To     string `json:"to"`
	// Again is set for a folder that is replaced by one of the same name.
	Again bool `json:"again"`
	// Certain is set when the step concerns only folders certainly from the
	// collection.
	Certain bool `json:"certain"`
	// Why says in words what the step is for.
	Why string `json:"why"`

	// backup is the backup folder of the place; staged stands in it once the
	// skill was fetched, and is empty when it is not.
	backup, staged string
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
	// Path stands next to the place, never inside it, where agents would go on
	// loading. Old folders go to old/ in it, new ones are made ready in new/.
	Path string `json:"path"`
}

// Plan has the steps in the order in which to take them.
type Plan struct {
	Backups []Backup `json:"backups"`
	Steps   []Step   `json:"steps"`
	Left    []Left   `json:"left"`
}

// New makes the plan for a report.
func New(r upgrade.Report, o Options) (Plan, error) {
	if err := o.check(); err != nil {
		return Plan{}, err
	}
	p := &planner{options: o, there: map[inPlace]*upgrade.Row{}, places: map[string]bool{}, backups: map[string]string{}}
	p.Plan = Plan{Backups: []Backup{}, Steps: []Step{}, Left: []Left{}}
	var order []inPlace
	groups := map[inPlace][]*upgrade.Row{}
	for i := range r.Rows {
		row := &r.Rows[i]
		p.places[paths.Clean(row.Place)] = true
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
	slices.SortStableFunc(p.Steps, func(a, b Step) int { return slices.Index(inOrder, a.Action) - slices.Index(inOrder, b.Action) })
	return p.Plan, nil
}

func (o *Options) check() error {
	const allowed = "-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if o.Date == "" || strings.Trim(o.Date, allowed) != "" || len(o.Date) > 40 {
		return fmt.Errorf("the date %q is not made of letters, digits and hyphens", o.Date)
	}
	if o.Source.Site != "" {
		u, err := url.Parse(o.Source.Site)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
			return fmt.Errorf("%q is not the URL of a site", o.Source.Site)
		}
	}
	return nil
}
