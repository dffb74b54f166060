package upgrade

import (
	"cmp"
	"slices"
	"strings"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/text"
)

// Analyze compares an installation with the manifest. The report has exactly
// one row per folder, and depends on nothing but the arguments.
//
// It takes time proportional to the number of folders and files, times the
// logarithm of the folders, to sort.
func Analyze(in Installation, m *manifest.Manifest) Report {
	a := newAnalysis(in, m)
	r := Report{
		Schema:    2,
		Counts:    make(map[State]int, len(States)),
		Context:   contextOf(in.Contexts),
		Rows:      []Row{},
		Places:    []PlaceSummary{},
		Locks:     []Lock{},
		Unchecked: []string{},
	}
	if len(a.releases.history) > 0 {
		r.Release, r.Date = a.releases.history[0].Name(), a.releases.history[0].Date
	}
	for _, s := range States {
		r.Counts[s] = 0
	}
	for p, place := range in.Places {
		summary := PlaceSummary{Path: place.Path, Folders: len(place.Folders), Problem: text.Printable(place.Problem)}
		for f := range place.Folders {
			row := a.row(position{p, f})
			r.Counts[row.State]++
			if row.State.NeedsAttention() {
				summary.Attention++
			}
			r.Rows = append(r.Rows, row)
		}
		r.Attention += summary.Attention
		r.Places = append(r.Places, summary)
	}
	slices.SortFunc(r.Rows, compareRows)
	for _, file := range in.Locks {
		lock := a.lock(file)
		r.Attention += len(lock.Names)
		r.Locks = append(r.Locks, lock)
	}
	for _, s := range in.Unchecked {
		r.Unchecked = append(r.Unchecked, text.Printable(s))
	}
	r.Summary = r.summarize()
	return r
}

// compareRows puts the most urgent first, and names that may be misspelt before
// those that are just somebody else's.
func compareRows(a, b Row) int {
	suggested := func(r Row) int {
		if r.Suggestion != "" {
			return 0
		}
		return 1
	}
	return cmp.Or(slices.Index(States, a.State)-slices.Index(States, b.State), suggested(a)-suggested(b),
		a.position.place-b.position.place, strings.Compare(a.Folder, b.Folder), a.position.folder-b.position.folder)
}

// position is where a folder stands in an installation.
type position struct{ place, folder int }

// skillInPlace is a skill in one of the places.
type skillInPlace struct {
	place int
	skill string
}

type analysis struct {
	releases  *releases
	suggester *suggester
	places    []Place
	// installed has the folders that agents load as a skill under its name of
	// today: their own name, or the one in their SKILL.md.
	installed map[skillInPlace][]position
}

func newAnalysis(in Installation, m *manifest.Manifest) *analysis {
	rs := newReleases(m)
	a := &analysis{rs, newSuggester(rs.names()), in.Places, map[skillInPlace][]position{}}
	for p, place := range in.Places {
		for i, f := range place.Folders {
			if f.Kind == RegularFile || f.Bare {
				continue
			}
			for _, name := range slices.Compact([]string{f.Name, f.frontName()}) {
				if name != "" && rs.manifest.Current(name) == name {
					key := skillInPlace{p, name}
					a.installed[key] = append(a.installed[key], position{p, i})
				}
			}
		}
	}
	return a
}

func (a *analysis) folder(at position) *Folder { return &a.places[at.place].Folders[at.folder] }

func (f *Folder) frontName() string {
	if f.Front == nil {
		return ""
	}
	return f.Front.Name
}

func (f *Folder) version() string {
	if f.Front != nil {
		return f.Front.Version
	}
	return f.Listed
}

// row makes the row of one folder.
func (a *analysis) row(at position) Row {
	f := a.folder(at)
	d := &decision{analysis: a, folder: f, row: Row{
		position: at, Place: a.places[at.place].Path, Folder: f.Name, Kind: cmp.Or(f.Kind, Directory),
		Seen: f.Front != nil, Bare: f.Bare, Name: f.frontName(), Version: f.version(),
		Notes: []string{}, Changes: []Change{}, Unfamiliar: []string{},
	}}
	d.decide()
	return d.row
}
