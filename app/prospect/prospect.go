// Package prospect is the extraction run: it lists the people around a
// repository, fetches their public profiles a few requests ahead, filters
// while it goes, stops early, and gives its results to a function of the
// caller.
//
// Most callers make a [Job] with [NewJob], show [Job.Plan], call [Job.Run]
// with a function that takes every [Event], and write the records of the
// matches with package export. [Job.Pause], [Job.Resume], [Job.State],
// [Job.Counts] and [Job.Suppress], for a suppression list that comes late, may
// be called meanwhile from other goroutines. [Summary] counts companies and
// locations.
//
// The way of a person through the code: fetch.go requests pages and profiles
// and receives them, filter.go decides, run.go gives the outcome to the
// caller; package job sees to the order. causes.go lists how a person and a
// run can end. What package
// codehost cannot fetch it reports with the sentences of its errors.go.
//
// # What is promised
//
//   - Order: outcomes come in the order of the listing.
//   - No silent loss: every person checked ends as a match, filtered out,
//     suppressed or failed, and the numbers add up ([Counts.Check]). People
//     the host listed but the run did not get to are counted as unreached;
//     they wait in the saved state.
//   - Early stop: with a target, the requests sent are at most the least
//     possible number plus concurrency − 1. Resuming a listing needs one more:
//     its last page is read again, for it may have shifted.
//   - An end before the end (quota, interruption, network) keeps all results
//     and the reason; a run resumed from the saved [State] does not fetch
//     again what it has.
//
// # What is not stored
//
// The outputs hold public profile data of the matches, and of nobody else.
// The state also has the profiles fetched ahead of their turn, and of those
// filtered out, suppressed or failed the login and the reason. The token is in
// none of them.
package prospect

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"marketingskills/app/prospect/codehost"
	"marketingskills/app/text"
)

// Limits of a run.
const (
	defaultConcurrency = 10
	MaxConcurrency     = 100    // the host's secondary limit
	MaxPeople          = 40_000 // what the host lists: 400 pages of 100
	maxPurpose         = 2_000  // bytes
	maxCountries       = 60
	maxCountry         = 80 // bytes of a name
	outage             = 3  // failed requests in a row that end a run
)

// Query is what is looked for, and what for.
type Query struct {
	Source codehost.Source `json:"source"`
	Repo   codehost.Repo   `json:"repo"`
	// Enrich fetches the profile of each person; the With filters imply it.
	Enrich      bool `json:"enrich"`
	WithEmail   bool `json:"with_email"`
	WithCompany bool `json:"with_company"`
	WithBlog    bool `json:"with_blog"`
	// Type keeps only "User" or "Organization"; empty keeps all.
	Type string `json:"type,omitempty"`
	// StarredSince keeps only those who starred then or later.
	StarredSince time.Time `json:"starred_since,omitzero"`
	// Target ends the run after that many matches; 0 is no target.
	Target int `json:"target,omitempty"`
	// Limit is the most people checked; 0 is all.
	Limit int `json:"limit,omitempty"`
	// Purpose and LawfulBasis go into every export.
	Purpose     string `json:"purpose,omitempty"`
	LawfulBasis string `json:"lawful_basis,omitempty"`
	// Countries are those of the people to be reached, by the names they were
	// chosen by: at most 60 of at most 80 bytes. They are exported with the
	// purpose, and filter nobody: profiles have no reliable country.
	Countries []string `json:"countries,omitempty"`
}

// Cleaned is the query with the texts that go into outputs made harmless, and
// each country once; the caller's slice stays as it is.
func (q Query) Cleaned() Query {
	q.Purpose, q.LawfulBasis = text.Plain(q.Purpose), text.Plain(q.LawfulBasis)
	var names []string
	for _, name := range q.Countries {
		if name = strings.Join(strings.Fields(text.Plain(name)), " "); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	q.Countries = names
	return q
}

// Enriches reports whether profiles are fetched.
func (q Query) Enriches() bool {
	return q.Enrich || q.WithEmail || q.WithCompany || q.WithBlog
}

// QueryError: the query cannot be run; nothing was sent.
type QueryError struct {
	Problem string // what is wrong and what to do, without a word in front
}

func (e *QueryError) Error() string { return "invalid settings: " + e.Problem }

func refuse(format string, args ...any) error {
	return &QueryError{fmt.Sprintf(format, args...)}
}

// Check returns a [*QueryError] if the query cannot be run. It sends nothing.
func (q Query) Check(hasToken bool) error {
	switch {
	case !slices.Contains(codehost.Sources, q.Source):
		return refuse("unknown list %q; use one of %v", string(q.Source), codehost.Sources)
	case q.Repo.Owner == "" || q.Repo.Name == "":
		return refuse("no repository; enter owner/repository")
	case q.Target < 0:
		return refuse("target %d; use a number of 1 or more", q.Target)
	case q.Limit < 0:
		return refuse("limit %d; use a number of 1 or more", q.Limit)
	case q.Type != "" && q.Type != "User" && q.Type != "Organization":
		return refuse("type %q; use User or Organization", q.Type)
	case !q.StarredSince.IsZero() && q.Source != codehost.Stargazers:
		return refuse("only stargazers have dates; leave out the date, or use stargazers instead of %s", q.Source)
	case utc(q.StarredSince).IsZero() && !q.StarredSince.IsZero():
		return refuse("there are no stars from the year %d; use for example 2026-01-31", q.StarredSince.UTC().Year())
	case q.WithEmail && !hasToken:
		return refuse("GitHub shows email addresses only to requests with a token; " +
			"use a token (no permissions needed) or remove the email filter")
	case len(q.Purpose) > maxPurpose || len(q.LawfulBasis) > maxPurpose:
		return refuse("the purpose is too long; use one short sentence")
	case len(q.Countries) > maxCountries:
		return refuse("%d countries; name at most %d", len(q.Countries), maxCountries)
	case slices.ContainsFunc(q.Countries, func(name string) bool { return len(name) > maxCountry }):
		return refuse("a country name is too long; separate countries with commas")
	}
	return nil
}

// sameSearch returns what differs between two queries so that the results of
// one are not results of the other; "" if nothing does.
func (q Query) sameSearch(other Query) string {
	switch {
	case q.Source != other.Source:
		return "source"
	case !strings.EqualFold(q.Repo.String(), other.Repo.String()):
		return "repository"
	case q.Enriches() != other.Enriches():
		return "enrichment"
	case q.WithEmail != other.WithEmail || q.WithCompany != other.WithCompany || q.WithBlog != other.WithBlog ||
		q.Type != other.Type || !q.StarredSince.Equal(other.StarredSince):
		return "filters"
	}
	return ""
}

// Verdict is how a listed person ended.
type Verdict string

// The four verdicts; Waiting is none yet.
const (
	Waiting    Verdict = ""
	Matched    Verdict = "kept"
	Filtered   Verdict = "filtered"
	Suppressed Verdict = "suppressed"
	Failed     Verdict = "failed"
)

// Outcome is how one person ended; only that of a match has a record.
type Outcome struct {
	Number int // position in the listing, from 1, duplicates not counted
	Entry
}

// Counts are the totals of a run.
type Counts struct {
	Listed     int `json:"listed"` // people checked; the next four add up to it
	Matches    int `json:"kept"`
	Filtered   int `json:"filtered"`
	Suppressed int `json:"suppressed"`
	Failed     int `json:"failed"`
	// By cause, as in [Outcome.Cause].
	FilteredBy   map[string]int `json:"filtered_by,omitempty"`
	SuppressedBy map[string]int `json:"suppressed_by,omitempty"`
	FailedBy     map[string]int `json:"failed_by,omitempty"`
	// Duplicates are people the listing showed again (pages drift); they are
	// not listed twice. Unreached were listed by the host but not considered:
	// the run ended before.
	Duplicates int `json:"duplicates"`
	Unreached  int `json:"unreached"`
}

// Temporary is how many failed with an error that may go away.
func (c Counts) Temporary() (n int) {
	for _, cause := range causes {
		if cause.Temporary {
			n += c.FailedBy[cause.Name]
		}
	}
	return n
}

// Check is an error unless the totals add up.
func (c Counts) Check() error {
	sum := func(m map[string]int) (n int) {
		for v := range maps.Values(m) {
			n += v
		}
		return n
	}
	if c.Matches+c.Filtered+c.Suppressed+c.Failed != c.Listed ||
		sum(c.FilteredBy) != c.Filtered || sum(c.SuppressedBy) != c.Suppressed || sum(c.FailedBy) != c.Failed {
		return fmt.Errorf("the totals do not add up: %v", c)
	}
	return nil
}

// String is how everybody ended, in sentences.
func (c Counts) String() string {
	words := text.Count(c.Listed, "person") + " checked: " + text.Count(c.Matches, "match")
	for _, part := range []struct {
		n    int
		name string
		by   map[string]int
	}{{c.Filtered, "filtered out", c.FilteredBy}, {c.Suppressed, "suppressed", c.SuppressedBy}, {c.Failed, "failed", c.FailedBy}} {
		words += ", " + text.Number(part.n) + " " + part.name
		var causes []string
		for _, cause := range slices.Sorted(maps.Keys(part.by)) {
			causes = append(causes, CauseTitle(cause)+": "+text.Number(part.by[cause]))
		}
		if causes != nil {
			words += " (" + strings.Join(causes, ", ") + ")"
		}
	}
	words += "."
	if c.Duplicates > 0 {
		words += " Duplicates removed: " + text.Number(c.Duplicates) + "."
	}
	if c.Unreached > 0 {
		words += " Not checked: " + text.Number(c.Unreached) + "."
	}
	return words
}

// add counts an outcome (by is 1) or takes it back (by is -1).
func (c *Counts) add(v Verdict, cause string, by int) {
	tally := func(n *int, m *map[string]int) {
		*n += by
		if *m == nil {
			*m = map[string]int{}
		}
		if (*m)[cause] += by; (*m)[cause] == 0 {
			delete(*m, cause)
		}
	}
	c.Listed += by
	switch v {
	case Matched:
		c.Matches += by
	case Filtered:
		tally(&c.Filtered, &c.FilteredBy)
	case Suppressed:
		tally(&c.Suppressed, &c.SuppressedBy)
	case Failed:
		tally(&c.Failed, &c.FailedBy)
	}
}
