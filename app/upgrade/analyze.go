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
		Schema:    1,
		Counts:    make(map[State]int, len(States)),
		Context:   contextOf(in.Contexts),
		Rows:      []Row{},
		Places:    []PlaceSummary{},
		Locks:     []Lock{},
		Unchecked: []string{},
	}
	if len(a.history) > 0 {
		r.Release, r.Date = a.history[0].Name(), a.history[0].Date
	}
	for _, s := range States {
		r.Counts[s] = 0
	}
	for p, place := range in.Places {
		summary := PlaceSummary{Path: place.Path, Folders: len(place.Folders), Problem: text.Printable(place.Problem)}
		for f := range place.Folders {
			row := a.row(at{p, f})
			r.Counts[row.State]++
			if row.State.NeedsAttention() {
				summary.Attention++
			}
			r.Rows = append(r.Rows, row)
		}
		r.Attention += summary.Attention
		r.Places = append(r.Places, summary)
	}
	slices.SortFunc(r.Rows, func(a, b Row) int {
		return cmp.Or(a.Urgency-b.Urgency, a.at.place-b.at.place, strings.Compare(a.Folder, b.Folder), a.at.folder-b.at.folder)
	})
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

// at is a folder of an installation.
type at struct{ place, folder int }

type analysis struct {
	*catalog
	in        Installation
	suggester *suggester
	// holders has, for each place, the folders that agents know by a name
	// from this collection: their own name, or the one in their SKILL.md.
	holders []map[string][]int
	// homes has, for each skill, one folder of every place that has it.
	homes map[string][]at
}

func newAnalysis(in Installation, m *manifest.Manifest) *analysis {
	a := &analysis{catalog: newCatalog(m), in: in, homes: map[string][]at{}}
	a.suggester = newSuggester(a.names())
	for p, place := range in.Places {
		here := map[string][]int{}
		a.holders = append(a.holders, here)
		for i, f := range place.Folders {
			if f.Kind == RegularFile {
				continue
			}
			for _, name := range slices.Compact([]string{f.Name, f.frontName()}) {
				skill := a.Current(name)
				if skill == "" {
					continue
				}
				here[name] = append(here[name], i)
				if homes := a.homes[skill]; len(homes) == 0 || homes[len(homes)-1].place != p {
					a.homes[skill] = append(homes, at{p, i})
				}
			}
		}
	}
	return a
}

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
func (a *analysis) row(where at) Row {
	place := &a.in.Places[where.place]
	f := &place.Folders[where.folder]
	j := &judgement{analysis: a, folder: f}
	j.row = Row{
		at: where, Place: place.Path, Folder: f.Name, Kind: cmp.Or(f.Kind, Directory),
		Seen: f.Front != nil, Name: f.frontName(), Version: f.version(),
		Notes: []Note{}, Changes: []Change{}, Unfamiliar: []string{},
	}
	j.decide()
	j.row.Urgency = slices.Index(States, j.row.State) + 1
	return j.row
}
