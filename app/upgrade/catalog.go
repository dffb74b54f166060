package upgrade

import (
	"marketingskills/app/collection/manifest"
)

// known is what a name from this collection stands for.
type known struct {
	// skill is the name of today.
	skill string
	// rename is what took the name away; nil for a current name.
	rename *manifest.Rename
}

func (k known) old() bool { return k.rename != nil }

// catalog answers the questions about the manifest that come up once a folder.
type catalog struct {
	names map[string]known
	rows  map[string]manifest.Row
	// firstNames are the names that 2.0.0 gave to skills it renamed or merged.
	firstNames map[string]bool
	// order are all names from this collection: current ones as the manifest has
	// them, then old ones.
	order []string

	manifest *manifest.Manifest
	history  []manifest.Release
	// sinceNames is how many releases there were since the skills got their
	// names of today.
	sinceNames int

	changes map[skillVersion][]Change
}

// Known returns a function that reports whether a name is from the collection,
// a current one or an old one.
func Known(m *manifest.Manifest) func(name string) bool {
	names := newCatalog(m).names
	return func(name string) bool {
		_, ok := names[name]
		return ok
	}
}

type skillVersion struct {
	skill   string
	version manifest.Version
}

func newCatalog(m *manifest.Manifest) *catalog {
	if m == nil {
		m = &manifest.Manifest{}
	}
	c := &catalog{
		names:      make(map[string]known, len(m.Rows)+len(m.Renames)),
		rows:       make(map[string]manifest.Row, len(m.Rows)),
		firstNames: map[string]bool{},
		manifest:   m,
		history:    m.History(),
		sinceNames: len(m.Since(firstNamed)),
		changes:    map[skillVersion][]Change{},
	}
	for _, row := range m.Rows {
		if _, twice := c.rows[row.Skill]; !twice && row.Skill != "" {
			c.rows[row.Skill] = row
			c.names[row.Skill] = known{skill: row.Skill}
			c.order = append(c.order, row.Skill)
		}
	}
	c.addOldNames(m.Renames)
	return c
}

// addOldNames follows the renames, as [manifest.Manifest.Resolve] does, but
// all of them at once.
func (c *catalog) addOldNames(renames []manifest.Rename) {
	first := make(map[string]*manifest.Rename, len(renames))
	for i := range renames {
		if r := &renames[i]; first[r.Old] == nil && r.Old != "" {
			first[r.Old] = r
		}
	}
	nowhere := map[string]bool{}
	for i := range renames {
		var path []string
		name, skill := renames[i].Old, ""
		for {
			if k, ok := c.names[name]; ok {
				skill = k.skill
				break
			}
			r := first[name]
			if r == nil || nowhere[name] {
				break
			}
			nowhere[name] = true // until it leads somewhere; a circle does not
			path = append(path, name)
			name = r.New
		}
		for _, old := range path {
			if skill != "" {
				c.names[old] = known{skill, first[old]}
				if first[old].Release == firstNamed {
					c.firstNames[skill] = true
				}
				c.order = append(c.order, old)
			}
		}
	}
}
