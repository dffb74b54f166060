package main

import (
	"marketingskills/app/upgrade"
	"marketingskills/tools/clis/skills-upgrade/internal/aside"
)

// fixes is the plan of --fix: only what is certain.
func (p *printer) fixes(s *state, plan plan, jobs []aside.Job) {
	p.line("%s", p.in(bold, s.report.Summary))
	p.line("Compared with %s.", s.known)
	if len(jobs) == 0 {
		p.title("There is nothing that is certain to do.")
	} else {
		p.title("What is certain:")
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
				what := "stays in the backup"
				if skill.From != "" {
					what = "into the new folder, unless it has one"
				}
				p.line("  keep     %s, likely yours: %s", upgrade.Show(k.Folder+"/"+k.File), what)
			}
		}
	}
	var locks []upgrade.Lock
	for _, l := range s.report.Locks {
		if len(l.Names) > 0 {
			locks = append(locks, l)
		}
	}
	if len(plan.Left)+len(locks) > 0 {
		p.title("Left alone:")
	}
	for _, l := range plan.Left {
		p.left(l)
	}
	for _, l := range locks {
		p.line("    %s: %s", upgrade.Show(l.Path), l.Advice)
	}
	if len(s.report.Unchecked) > 0 {
		p.title("Not looked at:")
	}
	for _, u := range s.report.Unchecked {
		p.line("    %s", u)
	}
	p.line("")
}

// event says what was done.
func (p *printer) event(e aside.Event) {
	name := showIn(e.Place, e.Name)
	switch e.Did {
	case "moved":
		p.line("moved %s to %s", name, upgrade.Show(e.To))
	case "kept":
		p.line("kept your file %s", name)
	case "left":
		p.line("your file %s is in the backup only: %s", upgrade.Show(e.Name), upgrade.Show(e.To))
	case "removed":
		p.line("took out %s, into the backup", name)
	case "ready":
		p.line("copied %s", upgrade.Show(e.Name))
	default:
		p.line("%s %s", e.Did, name)
	}
}
