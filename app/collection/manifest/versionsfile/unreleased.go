package versionsfile

import (
	"fmt"
	"regexp"
	"strings"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/text"
)

// Unreleased is the entry of that name in Recent Changes, which collects changes
// for the next release. It is not a release, and so not in the manifest.
type Unreleased struct {
	// Changes is how many changes it lists.
	Changes int
	// Planned are the skills that it names in backticks, each time that it
	// does, in the order of the text.
	Planned []Planned
	// Line is the line of its heading in VERSIONS.md, End that of the next heading,
	// 0 for none; both are counted from 1.
	Line, End int
}

// Planned is one mention of a skill that the next release changes.
type Planned struct {
	// Skill is the name as written: that of a skill or of none.
	Skill string
	// Version is the one in parentheses behind the name, the skill's from the
	// next release on; "" when there is none.
	Version manifest.Version
	Line    int
}

// Version returns the version that a skill gets in the next release; "" when
// none is planned. It works for nil.
func (u *Unreleased) Version(skill string) manifest.Version {
	if u != nil {
		for _, p := range u.Planned {
			if p.Skill == skill && p.Version != "" {
				return p.Version
			}
		}
	}
	return ""
}

// NewestVersion returns the version of the newest release that has one; "" when none
// has.
func NewestVersion(m *manifest.Manifest) manifest.Version {
	var newest manifest.Version
	for _, r := range m.Releases {
		if manifest.Compare(r.Version, newest) > 0 {
			newest = r.Version
		}
	}
	return newest
}

// behindName matches a version in parentheses behind the name of a skill.
var behindName = regexp.MustCompile(`^\s*\(\s*([vV]?[0-9][^()\s]*)\s*\)`)

// readUnreleased reads the entry Unreleased.
func (r *reader) readUnreleased(entry section) {
	if r.unreleased != nil {
		r.list.Errorf(entry.heading.Line, "manifest-unreleased", "join the two",
			"line %d has an entry %s already", r.unreleased.Line, unreleasedTitle)
		return
	}
	if len(r.releases) > 0 {
		r.list.Errorf(entry.heading.Line, "manifest-unreleased", "put it above the releases",
			"the entry %s stands below a release", unreleasedTitle)
	}
	r.unreleased = &Unreleased{Line: entry.heading.Line, End: entry.end}
	for _, b := range r.bullets(entry, unreleasedTitle) {
		if totalOf(b.Text) > 0 {
			r.list.Errorf(b.Line, "manifest-unreleased", "leave it out; the release gets it", "the entry %s gives a total", unreleasedTitle)
			continue
		}
		r.unreleased.Changes++
		for _, code := range b.CodeSpans {
			if name := strings.TrimSpace(code.Text); text.IsSkillName(name) {
				p := Planned{Skill: name, Line: code.Line}
				if version := behindName.FindStringSubmatch(code.After); version != nil {
					p.Version = manifest.Version(version[1])
				}
				r.unreleased.Planned = append(r.unreleased.Planned, p)
			}
		}
	}
}

// checkUnreleased checks the entry Unreleased: that it has changes, and gives each
// skill that it names one version, newer than that of its row.
func (c checker) checkUnreleased() {
	if c.unreleased == nil {
		return
	}
	if c.unreleased.Changes == 0 {
		c.list.Errorf(c.unreleased.Line, "manifest-release-empty", "say in bullets what changed, or remove it",
			"the entry %s has no changes", unreleasedTitle)
	}
	const rule = "manifest-unreleased-version"
	planned := map[string]manifest.Version{}
	for _, p := range c.unreleased.Planned {
		if first := planned[p.Skill]; first == "" {
			planned[p.Skill] = p.Version
		} else if p.Version != "" && p.Version != first {
			c.list.Errorf(p.Line, rule, "keep one of them", "%s gets the versions %s and %s",
				text.Quote(p.Skill), text.Quote(string(first)), text.Quote(string(p.Version)))
		}
	}
	for _, p := range c.unreleased.Planned {
		row, ok := c.manifest.Row(p.Skill)
		version, once := planned[p.Skill]
		delete(planned, p.Skill)
		switch right := fmt.Sprintf("write the version that it gets: `%s` (MAJOR.MINOR.PATCH)", p.Skill); {
		case !once:
		case version == "" && ok:
			c.list.Errorf(p.Line, rule, right+", or leave out the backticks", "the change of %s has no version", text.Quote(p.Skill))
		case version == "":
		case !version.Valid():
			c.checkVersion(p.Line, text.Quote(p.Skill), version)
		case ok && manifest.Compare(version, row.Version) <= 0:
			c.list.Errorf(p.Line, rule, right,
				"%s gets version %s, and its row has %s", text.Quote(p.Skill), version, text.Quote(string(row.Version)))
		}
	}
}
