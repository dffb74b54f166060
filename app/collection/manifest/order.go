package manifest

import (
	"cmp"
	"slices"
)

// place is where a release stands in the history. Places are compared part by
// part, so whatever the releases say, they have one order and it never runs in
// a circle.
type place struct {
	version rank // of a release headed only by its date, the newest that was out
	dated   bool // headed only by its date
	date    string
}

func (p place) compare(other place) int {
	return cmp.Or(p.version.compare(other.version), falseFirst(p.dated, other.dated), cmp.Compare(p.date, other.date))
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

// placed is a release and its place.
type placed struct {
	Release
	place
}

func (m *Manifest) history() []placed {
	all := make([]placed, len(m.Releases))
	for i, r := range m.Releases {
		all[i] = placed{r, place{ranked(r.Version), r.Version == "", r.Date}}
	}
	slices.SortStableFunc(all, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.date, b.date), falseFirst(a.dated, b.dated))
	})
	newest := rank{}
	for i := range all {
		switch p := &all[i]; {
		case p.dated:
			p.version = newest
		case IsDate(p.date) && newest.compare(p.version) < 0:
			newest = p.version
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return b.compare(a.place) })
	return all
}

// History returns the releases from the newest to the oldest, wherever they
// stand in the file. Versions decide, not dates; a release headed only by its
// date stands right above the newest version that was out by that day. Releases
// with the same heading keep the order of the file.
func (m *Manifest) History() []Release {
	var releases []Release
	for _, p := range m.history() {
		releases = append(releases, p.Release)
	}
	return releases
}
