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
		Places:    make([]PlaceSummary, len(in.Places)),
		Context:   contextOf(in.Contexts),
		Rows:      []Row{},
		Locks:     a.locks(in.Locks),
		Unchecked: make([]string, 0, len(in.Unchecked)),
	}
	if len(a.catalog.history) > 0 {
		r.Release, r.Date = a.catalog.history[0].Name(), a.catalog.history[0].Date
	}
	for _, s := range States {
		r.Counts[s] = 0
	}
	for i, p := range in.Places {
		r.Places[i] = PlaceSummary{Path: p.Path, Folders: len(p.Folders), Problem: text.Printable(p.Problem)}
	}
	for p := range in.Places {
		for f := range in.Places[p].Folders {
			row := a.row(at{p, f})
			r.Counts[row.State]++
			if row.State.NeedsAttention() {
				r.Attention++
				r.Places[p].Attention++
			}
			r.Rows = append(r.Rows, row)
		}
	}
	slices.SortFunc(r.Rows, func(a, b Row) int {
		return cmp.Or(a.Urgency-b.Urgency, a.at.place-b.at.place, strings.Compare(a.Folder, b.Folder), a.at.folder-b.at.folder)
	})
	for _, l := range r.Locks {
		r.Attention += len(l.Names)
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
	in        Installation
	catalog   *catalog
	suggester *suggester
	// holders has, for each place, the folders that agents know by a name
	// from this collection: their own name, or the one in their SKILL.md.
	holders []map[string][]int
	// former are the old names of each skill.
	former map[string][]string
	// homes has, for each skill, one folder of every place that has it.
	homes map[string][]at
}

func newAnalysis(in Installation, m *manifest.Manifest) *analysis {
	a := &analysis{
		in:      in,
		catalog: newCatalog(m),
		former:  map[string][]string{},
		homes:   map[string][]at{},
	}
	a.suggester = newSuggester(a.catalog.order)
	for _, name := range a.catalog.order {
		if k := a.catalog.names[name]; k.old() {
			a.former[k.skill] = append(a.former[k.skill], name)
		}
	}
	a.holders = make([]map[string][]int, len(in.Places))
	for p := range in.Places {
		a.findHolders(p)
	}
	return a
}

// findHolders notes which names from this collection a place holds.
func (a *analysis) findHolders(p int) {
	here := map[string][]int{}
	a.holders[p] = here
	for i := range a.in.Places[p].Folders {
		f := &a.in.Places[p].Folders[i]
		if f.Kind == RegularFile {
			continue
		}
		names := []string{f.Name}
		if name := f.frontName(); name != "" && name != f.Name {
			names = append(names, name)
		}
		for _, name := range names {
			if k, known := a.catalog.names[name]; known {
				here[name] = append(here[name], i)
				if homes := a.homes[k.skill]; len(homes) == 0 || homes[len(homes)-1].place != p {
					a.homes[k.skill] = append(homes, at{p, i})
				}
			}
		}
	}
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
	j.row.Urgency = slices.Index(byUrgency, j.row.State) + 1
	return j.row
}
