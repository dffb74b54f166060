package upgrade

import (
	"cmp"
	"slices"
	"strings"

	"marketingskills/app/collection/manifest"
)

// Analyze compares an installation with the manifest. The report has exactly
// one row per folder, and depends on nothing but the arguments. What is known
// of published files makes it tell which files were added or changed; without
// it the report is silent about that.
//
// It takes time proportional to the number of folders and files, times the
// logarithm of the folders, to sort.
func Analyze(in Installation, m *manifest.Manifest, published ...Published) Report {
	a := newAnalysis(in, m, published)
	r := Report{
		Schema:    1,
		Rows:      a.rows(),
		Counts:    make(map[State]int, len(States)),
		Places:    make([]PlaceSummary, len(in.Places)),
		Context:   contextOf(in.Contexts),
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
		r.Places[i] = PlaceSummary{Path: p.Path, Folders: len(p.Folders), Problem: printable(p.Problem)}
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		r.Counts[row.State]++
		if row.State.NeedsAttention() {
			r.Attention++
			r.Places[a.order[i].place].Attention++
		}
	}
	for _, l := range r.Locks {
		r.Attention += len(l.Names)
	}
	for _, s := range in.Unchecked {
		r.Unchecked = append(r.Unchecked, printable(s))
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
	published map[skillVersion]map[string]string
	// order are the folders in the order of the report's rows.
	order []at
	// holders has, for each place, the folders that agents know by a name
	// that is ours: their own name, or the one in their SKILL.md.
	holders []map[string][]int
	// former are the old names of each skill.
	former map[string][]string
	// homes has, for each skill, one folder of every place that has it.
	homes map[string][]at
}

func newAnalysis(in Installation, m *manifest.Manifest, published []Published) *analysis {
	a := &analysis{
		in:      in,
		catalog: newCatalog(m),
		former:  map[string][]string{},
		homes:   map[string][]at{},
	}
	a.suggester = newSuggester(a.catalog.order)
	a.published = publishedFiles(published)
	for _, name := range a.catalog.order {
		if k := a.catalog.names[name]; k.old() {
			a.former[k.skill] = append(a.former[k.skill], name)
		}
	}
	a.holders = make([]map[string][]int, len(in.Places))
	for p := range in.Places {
		a.lookAround(p)
	}
	return a
}

// lookAround notes which names of ours a place holds.
func (a *analysis) lookAround(p int) {
	here := map[string][]int{}
	a.holders[p] = here
	for i := range a.in.Places[p].Folders {
		f := &a.in.Places[p].Folders[i]
		if f.Kind == RegularFile {
			continue
		}
		own, ours := a.catalog.names[f.Name]
		if ours {
			here[f.Name] = append(here[f.Name], i)
			a.atHome(own.skill, at{p, i})
		}
		if name := f.frontName(); name != "" && name != f.Name {
			if k, said := a.catalog.names[name]; said {
				here[name] = append(here[name], i)
				if !ours || k.skill != own.skill {
					a.atHome(k.skill, at{p, i})
				}
			}
		}
	}
}

// atHome notes where a skill is installed, once for each place.
func (a *analysis) atHome(skill string, where at) {
	homes := a.homes[skill]
	if n := len(homes); n == 0 || homes[n-1].place != where.place {
		a.homes[skill] = append(homes, where)
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

// rows judges every folder and puts the rows in order.
func (a *analysis) rows() []Row {
	total := 0
	for _, p := range a.in.Places {
		total += len(p.Folders)
	}
	rows := make([]Row, 0, total)
	a.order = make([]at, 0, total)
	for p := range a.in.Places {
		for f := range a.in.Places[p].Folders {
			rows = append(rows, a.judge(at{p, f}))
			a.order = append(a.order, at{p, f})
		}
	}
	from := make([]int, total)
	for i := range from {
		from[i] = i
	}
	slices.SortFunc(from, func(i, j int) int {
		if rows[i].Urgency != rows[j].Urgency {
			return rows[i].Urgency - rows[j].Urgency
		}
		if a.order[i].place != a.order[j].place {
			return a.order[i].place - a.order[j].place
		}
		return cmp.Or(strings.Compare(rows[i].Folder, rows[j].Folder), i-j)
	})
	a.reorder(rows, from)
	return rows
}

// reorder brings the rows into their order, each from where it was. Rows are
// large, so they are moved in place.
func (a *analysis) reorder(rows []Row, from []int) {
	for start := range from {
		if from[start] == start {
			continue
		}
		row, where := rows[start], a.order[start]
		to := start
		for from[to] != start {
			next := from[to]
			rows[to], a.order[to] = rows[next], a.order[next]
			from[to] = to
			to = next
		}
		rows[to], a.order[to] = row, where
		from[to] = to
	}
}

// judge makes the row of one folder.
func (a *analysis) judge(where at) Row {
	place := &a.in.Places[where.place]
	f := &place.Folders[where.folder]
	j := &judgement{analysis: a, at: where, folder: f}
	j.row = Row{
		Place: place.Path, Folder: f.Name, Kind: cmp.Or(f.Kind, Directory),
		Seen: f.Front != nil, Name: f.frontName(), Version: f.version(),
		Notes: noNotes, Changes: noChanges, Added: noNames, Changed: noNames, Unfamiliar: noNames,
	}
	j.decide()
	j.row.Urgency = urgency[j.row.State]
	return j.row
}

// Empty lists, so that JSON never has null.
var (
	noNotes   = []Note{}
	noChanges = []Change{}
	noNames   = []string{}
)

var urgency = func() map[State]int {
	order := map[State]int{}
	for i, s := range byUrgency {
		order[s] = i + 1
	}
	return order
}()
