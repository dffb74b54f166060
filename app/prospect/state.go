package prospect

import (
	"slices"
	"time"

	"marketingskills/app/prospect/codehost"
)

// State is a run, finished or not, as a file: what the command's --resume and
// the page read. It is one JSON object:
//
//	format      "prospects-run"
//	version     1; a reader refuses versions it does not know
//	saved_at    time
//	base        URL of the API that the run used
//	query       as in [Query], with purpose, lawful_basis and countries
//	position    address of the listing page to read next; empty: none
//	last_read   address of the one read last; going on reads it once more
//	pages       listing pages read
//	last_page   pages there are, as far as the host told
//	list_end    why the listing ended before its end; empty: it did not
//	duplicates  people the listing showed again
//	people      everyone listed so far, in order: login ("" for an account
//	            that is gone), type, starred_at, page (where listed), and if
//	            checked verdict (kept, filtered, suppressed, failed),
//	            cause, detail, again (a temporary failure), and for
//	            matches the record; waiting people whose profile is there
//	            already have a record, too
//
// A reader takes the keys in any order, and refuses one that is there twice.
//
// A listing may shift between the end of a run and its going on. Who came in
// front (forks are listed newest first) moves the others to later pages: they
// are listed again, and counted as duplicates; the newcomers themselves are
// not looked for. Who left in front moves the others up, onto pages that were
// read: those who moved onto the last of them are found, because it is read
// once more. If more than a page of people left in front, or the order
// changed (contributors are listed by the number of their contributions),
// others may be missed, as may happen within a run while it is under way;
// for all of them, start a new run.
type State struct {
	Format  string    `json:"format"`
	Version int       `json:"version"`
	SavedAt time.Time `json:"saved_at"`
	Base    string    `json:"base"`
	Query   Query     `json:"query"`
	codehost.Position
	ListEnd    string  `json:"list_end,omitempty"`
	Duplicates int     `json:"duplicates"`
	People     []Entry `json:"people"` // the last, see [State.Write]
}

// Entry is one person of a [State].
type Entry struct {
	codehost.Person
	Page    string  `json:"page"`
	Verdict Verdict `json:"verdict,omitempty"`
	Cause   string  `json:"cause,omitempty"`
	Detail  string  `json:"detail,omitempty"`
	Again   bool    `json:"again,omitempty"`
	Record  *Record `json:"record,omitempty"`
}

// Finished reports whether nothing is left to request: nobody failed
// temporarily, and going through the people in order, everybody was considered until
// the target or the limit is reached, or the end. Opening such a run sends no
// request.
func (s *State) Finished() bool { return s.answers(s.Query) }

// answers tells whether the saved run is all there is to a query.
func (s *State) answers(q Query) bool {
	if slices.ContainsFunc(s.People, func(e Entry) bool { return e.Again }) {
		return false
	}
	matches := 0
	for i, e := range s.People {
		switch e.Verdict {
		case Waiting:
			return false
		case Matched:
			matches++
		}
		if q.Target > 0 && matches >= q.Target || q.Limit > 0 && i+1 >= q.Limit {
			return true
		}
	}
	return s.Pages > 0 && s.Next == ""
}
