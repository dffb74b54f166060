package main

import (
	"marketingskills/app/text"
	"marketingskills/app/upgrade"
	planning "marketingskills/app/upgrade/plan"
	"marketingskills/tools/clis/skills-upgrade/internal/aside"
)

// fixes is the plan of --fix: only what is safe to change.
func (p *printer) fixes(s *state, left []planning.Left, jobs []aside.Job) {
	p.line("%s", p.in(bold, s.report.Summary))
	p.line("Compared with %s.", s.known)
	if len(jobs) == 0 {
		p.title("There is nothing to fix automatically.")
	} else {
		p.title("Changes:")
	}
	for _, j := range jobs {
		for _, skill := range j.Skills {
			row, _ := s.known.Row(skill.Name)
			for _, folder := range skill.Folders {
				p.line("  move     %s to %s", showIn(j.Label, folder), showIn(j.BackupLabel+"/old", folder))
			}
			if skill.From != "" {
				p.line("  install  %s %s", showIn(j.Label, skill.Name), row.Version)
			}
			for _, k := range skill.Keep {
				what := "stays in the backup folder"
				if skill.From != "" {
					what = "copied to the new folder, unless that file exists there"
				}
				p.line("  keep     %s, probably your file: %s", text.Name(k.Folder+"/"+k.File), what)
			}
		}
	}
	var locks []upgrade.Lock
	for _, l := range s.report.Locks {
		if len(l.Names) > 0 {
			locks = append(locks, l)
		}
	}
	p.skipped(left, locks)
	if len(left) > 0 && s.known.from == nil {
		p.line(useFrom)
	}
	p.notes(s.report.Unchecked)
	p.line("")
}

// event says what was done.
func (p *printer) event(e aside.Event) {
	name := showIn(e.Place, e.Name)
	switch e.Did {
	case "moved":
		p.line("moved %s to %s", name, text.Name(e.To))
	case "kept":
		p.line("kept your file %s", name)
	case "left":
		p.line("your file %s is now only in the backup folder: %s", text.Name(e.Name), text.Name(e.To))
	case "removed":
		p.line("moved %s to the backup folder", name)
	case "ready":
		p.line("copied the latest %s", text.Name(e.Name))
	default:
		p.line("%s %s", e.Did, name)
	}
}
