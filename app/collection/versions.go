package collection

import (
	"fmt"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/skill"
	"marketingskills/app/text"
)

// versions holds directories and manifest rows against each other.
func (c *checks) versions() {
	rows := c.On(manifestFile)
	for _, row := range c.Manifest.Rows {
		if c.Skill(row.Skill) == nil {
			rows.Errorf(row.Line, "row-without-skill", "add skills/"+row.Skill+"/ or remove the row", "%q has a row and no directory", row.Skill)
		}
	}
	if c.Next != nil {
		for _, p := range c.Next.Planned {
			if p.Version != "" && c.Skill(p.Skill) == nil {
				rows.Errorf(p.Line, "skill-name", "correct the name, or add skills/"+p.Skill+"/", "there is no skill `%s`", p.Skill)
			}
		}
	}
	for _, s := range c.Skills {
		c.version(s)
	}
}

func (c *checks) version(s *Skill) {
	list := c.of(s, skill.Main)
	if why := manifest.Version(s.Version).Problem(); s.Version != "" && why != "" {
		list.Errorf(s.VersionLine, "version", "write MAJOR.MINOR.PATCH, for instance 1.0.0",
			"metadata.version %s is not MAJOR.MINOR.PATCH: %s", text.Quote(s.Version), why)
	}
	row, ok := c.Manifest.Row(s.Dir)
	_, rename, old := c.Manifest.Resolve(s.Dir)
	switch {
	case old:
		list.Errorf(0, "old-name", "move the directory to skills/"+rename.New+", or remove it if that exists",
			"%q was given up in %s", s.Dir, rename.Release)
	case !ok && len(c.Manifest.Rows) > 0 && c.Next.Version(s.Dir) == "":
		list.Errorf(0, "skill-without-row", fmt.Sprintf("add a row, or name it in the entry Unreleased: `%s` (1.0.0)", s.Dir),
			"the skill has no row in "+manifestFile)
	case ok && s.Version != "" && s.Version != string(row.Version):
		list.Errorf(s.VersionLine, "version-differs", "make both equal, or every update check finds an update for ever",
			"metadata.version is %q, "+manifestFile+" says %q", s.Version, string(row.Version))
	}
}
