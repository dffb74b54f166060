package manifest

import (
	"cmp"
	"slices"
	"sort"
)

// place is where a release stands in the history. Places are compared part by
// part, so whatever the releases say, they have one order and it never runs in
// a circle.
//
// A release with a version stands where its version says, even when its date
// disagrees. One headed only by its date stands right above the newest version
// that was out by that day.
type place struct {
	version rank
	dated   bool // headed only by its date
	date    string
}

func (p place) compare(other place) int {
	if c := p.version.compare(other.version); c != 0 {
		return c
	}
	if p.dated != other.dated {
		if p.dated {
			return 1
		}
		return -1
	}
	return cmp.Compare(p.date, other.date)
}

// places finds the place of each of some releases among the others.
type places struct {
	// dates rise; newest[i] is the newest version out by dates[i].
	dates  []string
	newest []rank
}

func newPlaces(releases []Release) places {
	type version struct {
		date string
		rank rank
	}
	var versions []version
	for _, r := range releases {
		if r.Version != "" && IsDate(r.Date) {
			versions = append(versions, version{r.Date, ranked(r.Version)})
		}
	}
	slices.SortFunc(versions, func(a, b version) int { return cmp.Compare(a.date, b.date) })
	p := places{make([]string, len(versions)), make([]rank, len(versions))}
	for i, v := range versions {
		p.dates[i], p.newest[i] = v.date, v.rank
		if i > 0 && p.newest[i-1].compare(v.rank) > 0 {
			p.newest[i] = p.newest[i-1]
		}
	}
	return p
}

func (p places) of(r Release) place {
	if r.Version != "" {
		return place{ranked(r.Version), false, r.Date}
	}
	out := sort.Search(len(p.dates), func(i int) bool { return p.dates[i] > r.Date })
	if out == 0 {
		return place{date: r.Date, dated: true}
	}
	return place{p.newest[out-1], true, r.Date}
}

// History returns the releases from the newest to the oldest, wherever they
// stand in the file. Versions decide; a release headed only by its date stands
// right above the newest version that was out by that day. Releases with the
// same heading keep the order of the file.
func (m *Manifest) History() []Release {
	sorted, _ := m.history()
	return sorted
}

func (m *Manifest) history() ([]Release, []place) {
	type placed struct {
		release Release
		place   place
	}
	all := make([]placed, len(m.Releases))
	where := newPlaces(m.Releases)
	for i, r := range m.Releases {
		all[i] = placed{r, where.of(r)}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return b.place.compare(a.place) })
	releases, inOrder := make([]Release, len(all)), make([]place, len(all))
	for i, p := range all {
		releases[i], inOrder[i] = p.release, p.place
	}
	return releases, inOrder
}
