package upgrade

import (
	"cmp"
	"slices"

	"marketingskills/app/text"
	"marketingskills/app/upgrade"
	"marketingskills/app/upgrade/paths"
	"marketingskills/app/upgrade/plan"
)

// The filters beside those of the states.
const (
	filterAll  = "all"
	filterTodo = "attention"
)

// view is what the page shows of a report, decided.
type view struct {
	filters []stateFilter
	rows    []upgrade.Row
	// more is how many rows there are below those drawn.
	more int
}

// stateFilter is one choice of the filter.
type stateFilter struct {
	id    string
	title string
	count int
}

// viewOf decides which rows to show: those of the chosen filter, as many
// as are drawn.
func viewOf(r upgrade.Report, filter string, drawn int) view {
	todo := 0
	var states []stateFilter
	for _, s := range upgrade.States {
		n := r.Counts[s]
		if s.NeedsAttention() {
			todo += n
		}
		if n > 0 && n < len(r.Rows) {
			states = append(states, stateFilter{string(s), s.Title(), n})
		}
	}
	v := view{filters: []stateFilter{{filterAll, "All", len(r.Rows)}}}
	if r.Attention > 0 && r.Attention < len(r.Rows) {
		v.filters = append(v.filters, stateFilter{filterTodo, "To do", todo})
	}
	v.filters = append(v.filters, states...)
	for _, row := range r.Rows {
		if filter == filterAll || string(row.State) == filter || filter == filterTodo && row.State.NeedsAttention() {
			v.rows = append(v.rows, row)
		}
	}
	v.more = max(0, len(v.rows)-drawn)
	v.rows = v.rows[:len(v.rows)-v.more]
	return v
}

// became is what a folder became: a few words, most with the name of a skill in
// them.
type became struct {
	before, name, after string
}

func becameOf(r upgrade.Row) became {
	switch {
	case r.Suggestion != "":
		return became{"did you mean ", r.Suggestion, "?"}
	case r.State == upgrade.Merged, r.State == upgrade.Renamed:
		return became{"now ", r.Replacement, " " + r.Latest}
	case r.State == upgrade.Outdated:
		return became{before: cmp.Or(r.Version, "?") + ", latest " + r.Latest}
	case r.Newer:
		return became{before: r.Version + ", latest known " + r.Latest}
	case r.State == upgrade.Current:
		return became{before: r.Version}
	case r.State == upgrade.Unclear && r.Name != "" && r.Name != r.Folder:
		return became{before: "SKILL.md says " + text.Name(r.Name)}
	case r.State == upgrade.Unclear:
		return became{before: "latest " + r.Latest}
	}
	return became{}
}

// placed names a folder with its place.
func placed(r upgrade.Row) string {
	return text.Name(paths.Below(r.Place, r.Folder))
}

// reportNotes are what the report says beside its rows: the product context, lock
// files, and what was not checked.
func reportNotes(r upgrade.Report) []string {
	var more []string
	if unseenRows(r) {
		more = append(more, "A listing shows names only. To compare versions, choose the folder itself.")
	}
	if r.Context.Advice != "" {
		more = append(more, r.Context.Advice)
	}
	for _, l := range r.Locks {
		if l.Advice != "" {
			more = append(more, l.Advice)
		}
	}
	return append(more, r.Unchecked...)
}

// undoing says how to take a plan back. The command finds the skills folder by the
// name of the backup folder, and touches none that is hidden; here is the name
// that a folder without a path has, if that is known.
func undoing(p plan.Plan, shell *plan.Shell, here string) string {
	var folders []string
	guessed, hidden := false, false
	for _, b := range p.Backups {
		folders = append(folders, text.Name(b.Path))
		place := paths.Clean(b.Place)
		if place == "." {
			guessed, place = here == "", here
		}
		hidden = hidden || upgrade.Hidden(place)
	}
	said := "To undo it, move the new skills out of your skills folder and the folders in " + text.List(folders) + " back into it."
	switch {
	case hidden:
		return said
	case guessed:
		return said + " If your skills folder has the name skills, " + shell.Undo(p) + " does this for you, run in the same folder."
	}
	return said + " Run in the same folder, " + shell.Undo(p) + " does this for you."
}

// unseenRows tells whether a plan could include skills whose version nobody
// saw, as in a plain listing.
func unseenRows(r upgrade.Report) bool { return slices.ContainsFunc(r.Rows, unseen) }

func unseen(row upgrade.Row) bool {
	return row.State == upgrade.Unclear && row.Kind == upgrade.Directory && row.Version == "" && !row.Seen && !row.Bare
}

// fromBefore tells whether names of 1.x prove that the collection is an old one.
func fromBefore(r upgrade.Report) bool { return r.Counts[upgrade.Renamed]+r.Counts[upgrade.Merged] > 0 }

// where says in which folder to run the plan.
func where(r upgrade.Report) string {
	const run = "Run these commands in a terminal, in "
	above := ""
	for _, p := range r.Places {
		first := paths.First(p.Path)
		switch {
		case first == ".":
			return run + "your skills folder."
		case first == "..":
			return run + "the folder where you made the listing."
		case above == "":
			above = first
		}
	}
	if above == "" {
		return run + "any folder."
	}
	return run + "the folder that contains " + text.Name(above) + "."
}
