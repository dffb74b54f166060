package collection

import (
	"fmt"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/skill"
	"marketingskills/app/text"
)

// checkVersions checks that skills and rows of VERSIONS.md agree.
func (l *loader) checkVersions() {
	rows := l.report.On(manifestFile)
	for _, row := range l.collection.Manifest.Rows {
		if l.collection.Skill(row.Skill) == nil {
			rows.Errorf(row.Line, "row-without-skill", "add skills/"+row.Skill+"/ or remove the row", "%q has a row and no directory", row.Skill)
		}
	}
	if l.collection.Unreleased != nil {
		for _, p := range l.collection.Unreleased.Planned {
			if p.Version != "" && l.collection.Skill(p.Skill) == nil {
				rows.Errorf(p.Line, "skill-name", "correct the name, or add skills/"+p.Skill+"/", "there is no skill `%s`", p.Skill)
			}
		}
	}
	for _, s := range l.collection.Skills {
		l.checkVersion(s)
	}
}

// checkVersion checks the version of a skill against its row.
func (l *loader) checkVersion(s *Skill) {
	list := l.listFor(s, skill.MainFile)
	if why := manifest.Version(s.Version).Problem(); s.Version != "" && why != "" {
		list.Errorf(s.VersionLine, "version", "write MAJOR.MINOR.PATCH, for instance 1.0.0",
			"metadata.version %s is not MAJOR.MINOR.PATCH: %s", text.Quote(s.Version), why)
	}
	row, ok := l.collection.Manifest.Row(s.Dir)
	_, rename, old := l.collection.Manifest.Resolve(s.Dir)
	switch {
	case old:
		list.Errorf(0, "old-name", "move the directory to skills/"+rename.New+", or remove it if that exists",
			"%q was given up in %s", s.Dir, rename.Release)
	case !ok && len(l.collection.Manifest.Rows) > 0 && l.collection.Unreleased.Version(s.Dir) == "":
		list.Errorf(0, "skill-without-row", fmt.Sprintf("add a row, or name it in the entry Unreleased: `%s` (1.0.0)", s.Dir),
			"the skill has no row in "+manifestFile)
	case ok && s.Version != "" && s.Version != string(row.Version):
		list.Errorf(s.VersionLine, "version-differs", "make both equal, or every update check finds an update for ever",
			"metadata.version is %q, "+manifestFile+" says %q", s.Version, string(row.Version))
	}
}
