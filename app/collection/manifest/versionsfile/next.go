package versionsfile

import (
	"fmt"
	"regexp"
	"strings"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/text"
)

// Next is the entry Unreleased of Recent Changes, which collects what the next
// release will say. It is no release, and so no part of the manifest.
type Next struct {
	// Bullets is how many changes it lists.
	Bullets int
	// Planned are the skills that it names in backticks, each time that it
	// does, in the order of the text.
	Planned []Planned
	// Line is where the heading stands in VERSIONS.md, End where the heading
	// after the entry does, 0 for none; both are counted from 1.
	Line, End int
}

// Planned is a skill that the next release changes.
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
func (n *Next) Version(skill string) manifest.Version {
	if n != nil {
		for _, p := range n.Planned {
			if p.Skill == skill && p.Version != "" {
				return p.Version
			}
		}
	}
	return ""
}

// Newest returns the version of the newest release that has one; "" when none
// has.
func Newest(m *manifest.Manifest) manifest.Version {
	var newest manifest.Version
	for _, r := range m.Releases {
		if manifest.Compare(r.Version, newest) > 0 {
			newest = r.Version
		}
	}
	return newest
}

// behindName is a version in parentheses behind the name of a skill.
var behindName = regexp.MustCompile(`^\s*\(\s*([vV]?[0-9][^()\s]*)\s*\)`)

// unreleased reads the entry that collects changes for the next release.
func (r *reader) unreleased(entry part) {
	if r.next != nil {
		r.Errorf(entry.Line, "manifest-unreleased", "join the two", "line %d has an entry %s already", r.next.Line, nextTitle)
		return
	}
	if len(r.releases) > 0 {
		r.Errorf(entry.Line, "manifest-unreleased", "put it above the releases", "the entry %s stands below a release", nextTitle)
	}
	r.next = &Next{Line: entry.Line, End: entry.end}
	for _, b := range r.bullets(entry, nextTitle) {
		if totalOf(b.Text) > 0 {
			r.Errorf(b.Line, "manifest-unreleased", "leave it out; the release gets it", "the entry %s gives a total", nextTitle)
			continue
		}
		r.next.Bullets++
		for _, code := range b.Codes {
			if name := strings.TrimSpace(code.Text); text.IsSkillName(name) {
				p := Planned{Skill: name, Line: code.Line}
				if version := behindName.FindStringSubmatch(code.After); version != nil {
					p.Version = manifest.Version(version[1])
				}
				r.next.Planned = append(r.next.Planned, p)
			}
		}
	}
}

// nextRelease asks of the entry that it says what becomes of the versions of the
// skills that it names.
func (c checker) nextRelease() {
	if c.next == nil {
		return
	}
	if c.next.Bullets == 0 {
		c.Errorf(c.next.Line, "manifest-release-empty", "say in bullets what changed, or remove it", "the entry %s has no changes", nextTitle)
	}
	const rule = "manifest-unreleased-version"
	planned := map[string]manifest.Version{}
	for _, p := range c.next.Planned {
		if first := planned[p.Skill]; first == "" {
			planned[p.Skill] = p.Version
		} else if p.Version != "" && p.Version != first {
			c.Errorf(p.Line, rule, "keep one of them", "%s gets the versions %s and %s",
				text.Quote(p.Skill), text.Quote(string(first)), text.Quote(string(p.Version)))
		}
	}
	for _, p := range c.next.Planned {
		row, ok := c.m.Row(p.Skill)
		version, once := planned[p.Skill]
		delete(planned, p.Skill)
		switch right := fmt.Sprintf("write the version that it gets: `%s` (MAJOR.MINOR.PATCH)", p.Skill); {
		case !once:
		case version == "" && ok:
			c.Errorf(p.Line, rule, right+", or leave out the backticks", "the change of %s has no version", text.Quote(p.Skill))
		case version == "":
		case !version.Valid():
			c.version(p.Line, text.Quote(p.Skill), version)
		case ok && manifest.Compare(version, row.Version) <= 0:
			c.Errorf(p.Line, rule, right, "%s gets version %s, and its row has %s", text.Quote(p.Skill), version, text.Quote(string(row.Version)))
		}
	}
}
