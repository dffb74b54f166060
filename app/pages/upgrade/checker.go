// Package upgrade draws the upgrade checker: what every installed folder is,
// what it became, and exactly what to type.
package upgrade

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"marketingskills/app/upgrade"
)

// filterAll is the filter that hides nothing.
const filterAll = "all"

// upgradeView is what the page shows of a report, decided.
type upgradeView struct {
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

// upgradeOf decides which rows to show: those of the chosen filter, as many
// as are drawn.
func upgradeOf(r upgrade.Report, filter string, drawn int) upgradeView {
	v := upgradeView{filters: []stateFilter{{filterAll, "all", len(r.Rows)}}}
	if r.Attention > 0 && r.Attention < len(r.Rows) {
		v.filters = append(v.filters, stateFilter{"attention", "to do", needing(r.Rows)})
	}
	for _, s := range upgrade.States {
		if n := r.Counts[s]; n > 0 && n < len(r.Rows) {
			v.filters = append(v.filters, stateFilter{string(s), s.Title(), n})
		}
	}
	for _, row := range r.Rows {
		if filter == filterAll || string(row.State) == filter || filter == "attention" && row.State.NeedsAttention() {
			v.rows = append(v.rows, row)
		}
	}
	v.more = max(0, len(v.rows)-drawn)
	v.rows = v.rows[:len(v.rows)-v.more]
	return v
}

func needing(rows []upgrade.Row) int {
	n := 0
	for _, r := range rows {
		if r.State.NeedsAttention() {
			n++
		}
	}
	return n
}

// replacement says in a few words what a folder became.
func replacement(r upgrade.Row) string {
	switch r.State {
	case upgrade.Merged:
		return "merged into " + r.Replacement + " " + r.Latest
	case upgrade.Renamed, upgrade.Duplicate:
		return "now " + r.Replacement + " " + r.Latest
	case upgrade.Outdated:
		return cmp.Or(r.Version, "?") + ", newest " + r.Latest
	case upgrade.Ahead:
		return r.Version + ", newest known " + r.Latest
	case upgrade.Current:
		return r.Version
	case upgrade.DidYouMean:
		return "did you mean " + r.Suggestion + "?"
	case upgrade.Unversioned:
		return "newest " + r.Latest
	case upgrade.Misnamed:
		return strings.TrimSpace("says it is " + upgrade.Show(cmp.Or(r.Name, "?")))
	default:
		return ""
	}
}

// placed names a folder with its place.
func placed(r upgrade.Row) string {
	if r.Place == "" {
		return upgrade.Show(r.Folder)
	}
	return upgrade.Show(strings.TrimSuffix(r.Place, "/") + "/" + r.Folder)
}

// progress says how far reading has come.
func progress(done, total int) string {
	return fmt.Sprintf("Reading %d of %d folders.", done, total)
}

// asides are what the report says beside its rows: the product context, lock
// files, and what could not be looked at.
func asides(r upgrade.Report) []string {
	var said []string
	if unseenRows(r) {
		said = append(said, "Only names were seen, not what the SKILL.md files say; show the folder itself to compare versions.")
	}
	if r.Context.Advice != "" {
		said = append(said, r.Context.Advice)
	}
	for _, l := range r.Locks {
		if l.Advice != "" {
			said = append(said, l.Advice)
		}
	}
	return append(said, r.Unchecked...)
}

// notesOf are a row's notes, without those that say for every row of a
// listing that only its name was seen, and those that repeat the evidence.
func notesOf(r upgrade.Row) []upgrade.Note {
	return slices.DeleteFunc(slices.Clone(r.Notes), func(n upgrade.Note) bool {
		return n.Code == upgrade.NoteUnseen ||
			!r.Seen && n.Code == string(upgrade.Unversioned) ||
			strings.HasPrefix(r.Evidence, strings.TrimSuffix(n.Text, "."))
	})
}

// stepText says in words what a step does.
func stepText(s upgrade.Step) string {
	switch s.Action {
	case upgrade.Fetch:
		return "Fetch " + s.Skill + " from " + s.From
	case upgrade.Move:
		return "Move " + upgrade.Show(s.From) + " to " + upgrade.Show(s.To)
	case upgrade.Install:
		return "Put the fetched " + s.Skill + " at " + upgrade.Show(s.To)
	case upgrade.Keep:
		return "Copy your own " + upgrade.Show(s.From) + " to " + upgrade.Show(s.To)
	case upgrade.Run:
		return "Run " + s.From
	default:
		return "Make sure that " + upgrade.Show(s.To) + " is there"
	}
}

// planText is the plan for a shell: as a dry run, which is how plans are
// written, or in earnest.
func planText(plan upgrade.Cleanup, windows, dry bool) string {
	text, first, act := plan.POSIX(), "dry_run=yes\n", "dry_run=no\n"
	if windows {
		text, first, act = plan.PowerShell(), "$DryRun = $true\n", "$DryRun = $false\n"
	}
	if rest, ok := strings.CutPrefix(text, first); ok && !dry {
		return act + rest
	}
	return text
}

func changeText(c upgrade.Change) string {
	text := c.Release + ": "
	if c.Breaking {
		text += "breaking: "
	}
	return text + strings.ReplaceAll(c.Text, "`", "")
}

// unseenRows tells whether a plan could include skills whose version nobody
// saw, as in a plain listing.
func unseenRows(r upgrade.Report) bool {
	return slices.ContainsFunc(r.Rows, func(row upgrade.Row) bool {
		return row.State == upgrade.Unversioned && row.Version == "" && !row.Seen
	})
}

// where says in which folder to run the plan.
func where(r upgrade.Report) string {
	for _, p := range r.Places {
		if p.Path == "" {
			return "Run it inside the folder that holds the skills."
		}
	}
	return "Run it in the folder that these paths start from."
}
