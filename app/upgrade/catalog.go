package upgrade

import (
	"sort"

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

// catalog answers the questions about the manifest that come up once a folder,
// each in constant time.
type catalog struct {
	names map[string]known
	rows  map[string]manifest.Row
	// firstNames are the names that 2.0.0 gave to skills it renamed or merged.
	firstNames map[string]bool
	// order are all names from this collection: current ones as the manifest has
	// them, then old ones.
	order []string

	history []manifest.Release
	// bases has, for each release of the history, its version, or that of the
	// newest release below it that has one.
	bases []manifest.Version
	// about lists, for each skill, the places in the history of the releases
	// that changed it, newest first. breaking lists the breaking ones.
	about    map[string][]int
	breaking []int

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
		history:    m.History(),
		about:      map[string][]int{},
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
	c.readHistory()
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

func (c *catalog) readHistory() {
	c.bases = make([]manifest.Version, len(c.history))
	var base manifest.Version
	for i := len(c.history) - 1; i >= 0; i-- {
		if v := c.history[i].Version; v != "" {
			base = v
		}
		c.bases[i] = base
	}
	for i, r := range c.history {
		seen := map[string]bool{}
		for _, change := range r.Changes {
			for _, skill := range change.Skills {
				if !seen[skill] {
					seen[skill] = true
					c.about[skill] = append(c.about[skill], i)
				}
			}
		}
		if r.Breaking() {
			c.breaking = append(c.breaking, i)
		}
	}
}

// newerThan returns how many releases of the history are newer than a version
// of the collection.
func (c *catalog) newerThan(v manifest.Version) int {
	return sort.Search(len(c.history), func(i int) bool {
		order := manifest.Compare(c.bases[i], v)
		if c.history[i].Version == "" {
			return order < 0 // it stands right above the release of that version
		}
		return order <= 0
	})
}
