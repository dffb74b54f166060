package manifest

import (
	"cmp"
	"slices"
)

// position decides where a release stands in the history. Positions are compared
// field by field, so any set of releases has one order without circles.
type position struct {
	// version is that of the release; of one headed only by its date, the newest
	// version that was out by that day.
	version  parsedVersion
	dateOnly bool // headed only by its date
	date     string
}

func (p position) compare(other position) int {
	return cmp.Or(p.version.compare(other.version), falseFirst(p.dateOnly, other.dateOnly), cmp.Compare(p.date, other.date))
}

func falseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// positioned is a release and its position in the history.
type positioned struct {
	release  Release
	position position
}

// history returns the releases as [Manifest.History] does, with their positions.
func (m *Manifest) history() []positioned {
	all := make([]positioned, len(m.Releases))
	for i, r := range m.Releases {
		all[i] = positioned{r, position{parseVersion(r.Version), r.Version == "", r.Date}}
	}
	slices.SortStableFunc(all, func(a, b positioned) int {
		return cmp.Or(cmp.Compare(a.position.date, b.position.date), falseFirst(a.position.dateOnly, b.position.dateOnly))
	})
	newest := parsedVersion{}
	for i := range all {
		switch p := &all[i].position; {
		case p.dateOnly:
			p.version = newest
		case IsDate(p.date) && newest.compare(p.version) < 0:
			newest = p.version
		}
	}
	slices.SortStableFunc(all, func(a, b positioned) int { return b.position.compare(a.position) })
	return all
}

// History returns the releases from the newest to the oldest, wherever they
// stand in the file. Versions decide, not dates; a release headed only by its
// date stands right above the newest version that was out by that day. Releases
// with the same heading keep the order of the file.
func (m *Manifest) History() []Release {
	var releases []Release
	for _, p := range m.history() {
		releases = append(releases, p.release)
	}
	return releases
}
