package upgrade

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Source says where the current skills come from. At most one field is set;
// without any, a plan moves old names aside, installs nothing and leaves
// outdated skills where they are.
type Source struct {
	// Site is the address of the collection's site, http or https; its zips
	// are at skills/<name>/<name>.zip below it.
	Site string
	// Command installs the whole collection from a repository, as in
	// "npx skills add owner/name". It is one line, and is run as it is.
	Command string
	// Dir is a local copy of the collection, with skills/<name>/ in it.
	Dir string
	// Only lists the skills the source has; nil means all. What it does not
	// have stays as it is, since its successor could not be put in its place.
	Only []string
}

// lacks tells whether the source is known not to have a skill.
func (s Source) lacks(skill string) bool {
	return s.Only != nil && !slices.Contains(s.Only, skill)
}

// PlanOptions says how to plan.
type PlanOptions struct {
	// Date marks the backup folder: YYYY-MM-DD, or any letters, digits and
	// hyphens.
	Date   string
	Source Source
	// CertainOnly leaves out all but the folders that are certainly ours: the
	// steps a command may take by itself.
	CertainOnly bool
	// Unseen includes current names whose version was not seen, as in a plain
	// listing.
	Unseen bool
}

// ErrPlan is the reason in every error about options.
var ErrPlan = errors.New("no plan can be made")

// Action is what a step does.
type Action string

const (
	// Fetch gets a current skill ready in To, inside the backup folder, before
	// anything is moved. From is the URL of a zip or a local folder.
	Fetch Action = "fetch"
	// Move moves a folder, or a link itself, aside.
	Move Action = "move"
	// Install moves what was fetched to its place.
	Install Action = "install"
	// Keep copies a file the user had added from the backup into the new
	// folder, unless one is there.
	Keep Action = "keep"
	// Run runs the command that installs from a repository.
	Run Action = "run"
	// Verify makes sure that a skill is there after Run.
	Verify Action = "verify"
)

// Step is one step of a clean-up. Paths begin with the place as given; a
// leading ~ is the home directory.
type Step struct {
	Action Action `json:"action"`
	// Place is the folder of skills the step is about; empty when that is the
	// current directory.
	Place string `json:"place"`
	// Folder is the folder that is moved, Skill the skill that is installed.
	Folder string `json:"folder"`
	Skill  string `json:"skill"`
	From   string `json:"from"`
	To     string `json:"to"`
	// Done is a path that shows, when it exists, that the step was taken by an
	// earlier run.
	Done string `json:"done"`
	// Again is set for a folder that is replaced by one of the same name.
	Again bool `json:"again"`
	// Certain is set when the step concerns only folders certainly ours.
	Certain bool `json:"certain"`
	// Why says in words what the step is for.
	Why string `json:"why"`
}

// Left is something that the plan leaves alone though it needs attention.
type Left struct {
	Place  string `json:"place"`
	Folder string `json:"folder"`
	Why    string `json:"why"`
}

// Backup is where a place's folders are moved.
type Backup struct {
	Place string `json:"place"`
	// Path stands beside the place, never inside it, where agents would go on
	// reading. Old folders go to old/ in it, new ones are made ready in new/.
	Path string `json:"path"`
}

// Cleanup is a plan. [Cleanup.POSIX] and [Cleanup.PowerShell] write it as text
// to copy; a command may take the steps itself.
type Cleanup struct {
	Source  Source   `json:"-"`
	Backups []Backup `json:"backups"`
	Steps   []Step   `json:"steps"`
	Left    []Left   `json:"left"`
}

// Plan makes the clean-up for a report: everything that needs attention is
// moved aside into a dated folder and the current skill is put in its place.
// Nothing is deleted. What is to be installed is fetched first, so that a
// failing download changes nothing. The steps are in the order in which to
// take them, and taking them twice does no harm.
func Plan(r Report, o PlanOptions) (Cleanup, error) {
	if err := o.check(); err != nil {
		return Cleanup{}, err
	}
	p := &planner{report: &r, options: o, groups: map[groupKey]*group{}, backups: map[string]string{}}
	p.lookAround()
	for i := range r.Rows {
		p.take(&r.Rows[i])
	}
	return p.finish(), nil
}

func (o *PlanOptions) check() error {
	if o.Date == "" || strings.Trim(o.Date, "-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" || len(o.Date) > 40 {
		return fmt.Errorf("%w: the date %q is not made of letters, digits and hyphens", ErrPlan, o.Date)
	}
	s := o.Source
	set := 0
	for _, field := range []string{s.Site, s.Command, s.Dir} {
		if field != "" {
			set++
		}
	}
	if set > 1 {
		return fmt.Errorf("%w: more than one source is given", ErrPlan)
	}
	if s.Command != "" && (printable(s.Command) != s.Command || strings.TrimSpace(s.Command) == "") {
		return fmt.Errorf("%w: the command is not one printable line", ErrPlan)
	}
	if s.Site != "" {
		u, err := url.Parse(s.Site)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
			return fmt.Errorf("%w: %q is not the address of a site", ErrPlan, s.Site)
		}
	}
	return nil
}

// zip is the address of a skill's archive.
func (s Source) zip(skill string) string {
	return strings.TrimSuffix(s.Site, "/") + "/skills/" + skill + "/" + skill + ".zip"
}

// has tells whether a skill can be got from the source.
func (s Source) has(skill string) bool {
	return (s.Site != "" || s.Command != "" || s.Dir != "") && !s.lacks(skill)
}
