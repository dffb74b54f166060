package prospect

import (
	"errors"
	"maps"
	"strings"
	"sync"
	"time"

	"marketingskills/app/job"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/text"
)

// Options are the choices of a run that do not change what it finds.
type Options struct {
	// Concurrency is the most requests at once; 0 is 10, at most 100.
	Concurrency int
	// Suppress are those who must not be found.
	Suppress *Suppression
	// State resumes a saved run. Target, limit, purpose, countries and
	// suppression may differ from it; source, repository, enrichment and
	// filters may not.
	State *State
}

// Job is one extraction. Run may be called again after it ended incomplete, and
// after Stop once Resume was called. Stop loses no response: to end a run that
// waits for a limit, end its context instead.
type Job struct {
	job.Control
	client      *codehost.Client
	query       Query
	concurrency int

	handing sync.Mutex // an outcome is decided and given away; locked before mu

	mu        sync.Mutex // guards what follows, the entries included
	suppress  *Suppression
	last      Report           // of the last Run that ended
	listing   codehost.Listing // after the last page taken
	entries   []*person
	seen      map[string]bool
	texts     sharedTexts
	listedAll bool
	listEnd   *Stop // the listing ended before its end
	counts    Counts
}

// person is an entry and what this process did with it.
type person struct {
	Entry
	emitted   bool  // the outcome was given to the caller
	err       error // the failed request, until judged
	requested bool
}

// NewJob checks everything that can be checked for free.
func NewJob(client *codehost.Client, query Query, options Options) (*Job, error) {
	query = query.Cleaned() // first: what is cleaned away takes no room, what is replaced may take more
	// What needs nothing of the host needs no token.
	if err := query.Check(client.HasToken() || options.State != nil && options.State.answers(query)); err != nil {
		return nil, err
	}
	if options.Concurrency < 0 || options.Concurrency > MaxConcurrency {
		return nil, refuse("%d requests at once; use 1 to %d", options.Concurrency, MaxConcurrency)
	}
	j := &Job{
		client: client, query: query, suppress: options.Suppress, concurrency: options.Concurrency,
		seen: map[string]bool{}, texts: sharedTexts{}, listing: codehost.List(query.Repo, query.Source),
	}
	if j.concurrency == 0 {
		j.concurrency = defaultConcurrency
	}
	if options.State != nil {
		if err := j.load(options.State); err != nil {
			return nil, err
		}
	}
	return j, nil
}

func (j *Job) load(s *State) error {
	if what := j.query.sameSearch(s.Query); what != "" {
		return refuse("the saved run used different settings (%s); use the same settings, or start a new run", what)
	}
	if s.Base != j.client.Base() {
		return refuse("the saved run used the server %.100q, not %q; start a new run", text.Plain(s.Base), j.client.Base())
	}
	position := s.Position
	position.LastPage = max(s.LastPage, s.Pages)
	if s.Next != "" {
		var err error
		if j.listing, err = j.client.ListFrom(j.query.Repo, j.query.Source, position); err != nil {
			return refuse("%v", err)
		}
	} else if s.Pages > 0 {
		j.listing.Position, j.listedAll = position, true
	}
	if s.ListEnd != "" {
		j.listEnd = &Stop{Reason: listLimit, Message: s.ListEnd, Err: errors.New(s.ListEnd)}
	}
	j.counts.Duplicates = s.Duplicates
	for _, e := range s.People {
		if e.Login != "" {
			j.seen[strings.ToLower(e.Login)] = true
		}
		j.entries = append(j.entries, &person{Entry: e})
	}
	return nil
}

// State is the run as it stands, to be saved; it may be called at any time.
func (j *Job) State() *State {
	j.mu.Lock()
	defer j.mu.Unlock()
	s := &State{Format: stateFormat, Version: stateVersion, SavedAt: time.Now().UTC().Truncate(time.Second), Base: j.client.Base(),
		Query: j.query, Position: j.listing.Position, Duplicates: j.counts.Duplicates, People: make([]Entry, 0, len(j.entries))}
	if j.listedAll {
		s.Next, s.LastRead = "", ""
	}
	if j.listEnd != nil {
		s.ListEnd = j.listEnd.Message
	}
	for _, e := range j.entries {
		entry := e.Entry
		if entry.Verdict != Matched && entry.Verdict != Waiting {
			entry.Record = nil
		}
		s.People = append(s.People, entry)
	}
	return s
}

// Declare says what the people are looked for: the purpose, the lawful basis
// and the countries of a query, for all outputs from here on. It must not be
// called while Run runs.
func (j *Job) Declare(purpose, lawfulBasis string, countries []string) error {
	query := j.query
	query.Purpose, query.LawfulBasis, query.Countries = purpose, lawfulBasis, countries
	query = query.Cleaned()
	if err := query.Check(true); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.query = query
	return nil
}

// Suppress adds to the list of those who must not be found, for the rest of
// the job. Matches that are on the list become suppressed: in the
// counts, in the reports that follow, and in the saved state, which has no
// record of them any more. removed are the records that outcomes have carried
// to the caller already, in the order of the listing, to be taken out of what
// is shown or written; outcomes that come later need no such care.
//
// It may be called at any time, before, during and after Run, but not from
// within the function given to Run: it waits until that returns, so that
// nobody is removed before their outcome was given. A target that Run had
// reached may be missed afterwards; calling Run again looks for others.
func (j *Job) Suppress(s *Suppression) (removed []Record) {
	if s.Len() == 0 {
		return nil
	}
	j.handing.Lock()
	defer j.handing.Unlock()
	defer j.Wake()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.suppress = j.suppress.with(s)
	for _, e := range j.entries {
		if e.Record == nil {
			continue // not a match, or judged by the new list later
		}
		by := j.suppress.Cause(*e.Record)
		if by == "" {
			continue
		}
		if e.emitted {
			j.counts.add(e.Verdict, e.Cause, -1)
			j.counts.add(Suppressed, by, 1)
			removed = append(removed, *e.Record)
		}
		e.Verdict, e.Cause, e.Record = Suppressed, by, nil
	}
	return removed
}

// Counts are the totals as they are now. Of a saved run they are what Run has
// gone through again; before that, everybody is unreached.
func (j *Job) Counts() Counts {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.totals()
}

// Report is that of the last Run that ended, with the counts as they are now:
// what an output written after [Job.Suppress] is closed with. Complete says
// how that run ended, a target reached then included. Before any run it has
// the query and the counts only.
func (j *Job) Report() Report {
	j.mu.Lock()
	defer j.mu.Unlock()
	r := j.last
	r.Query, r.Counts = j.query, j.totals()
	return r
}

// totals are the counts with those not reached, under the lock.
func (j *Job) totals() Counts {
	c := j.counts
	c.FilteredBy, c.SuppressedBy, c.FailedBy = maps.Clone(c.FilteredBy), maps.Clone(c.SuppressedBy), maps.Clone(c.FailedBy)
	c.Unreached = len(j.entries) - c.Listed
	return c
}

// take adds the people of the next page, under the lock.
func (j *Job) take(page codehost.Page) {
	again := j.listing.Again
	j.listing, j.listedAll = page.Listing, page.Next == ""
	if page.End != nil {
		j.listEnd = NewStop(page.End)
	}
	for _, p := range page.People {
		key := strings.ToLower(p.Login)
		switch {
		case again && (key == "" || j.seen[key]):
			continue // nothing new; accounts that are gone cannot be told apart, and nobody is lost with them
		case key != "" && j.seen[key]:
			j.counts.Duplicates++
			continue
		}
		j.seen[key] = true
		j.entries = append(j.entries, &person{Entry: Entry{Person: cleanPerson(p), Page: page.URL}})
	}
}

// extent is how many people there are, at most, under the lock; exact reports
// whether that is their number, not the last page taken for a full one.
func (j *Job) extent() (people int, exact bool) {
	people = len(j.entries)
	if !j.listedAll {
		people = max(people, j.listing.LastPage*codehost.PageSize)
	}
	if limit := j.query.Limit; limit > 0 && limit <= people {
		return limit, j.listedAll || limit <= len(j.entries)
	}
	return people, j.listedAll
}

func (j *Job) full() bool {
	return j.query.Target > 0 && j.counts.Matches >= j.query.Target || j.query.Limit > 0 && j.counts.Listed >= j.query.Limit
}

// needs tells, under the lock, whether a person's profile is still to be
// fetched.
func (j *Job) needs(e *person) bool {
	if !j.query.Enriches() || e.requested || e.Record != nil || (e.Verdict != Waiting && !e.Again) {
		return false
	}
	verdict, _ := judgeListed(&e.Entry, j.query, j.suppress)
	return verdict == Waiting
}

// Report is how a run ended. Its JSON is the end of an export.
type Report struct {
	Query    Query          `json:"-"`
	Counts   Counts         `json:"counts"`
	Requests int            `json:"requests"` // sent by this run
	Quota    codehost.Quota `json:"rate_limit"`
	// Complete: everybody was checked, or the target reached.
	Complete bool      `json:"complete"`
	Stop     *Stop     `json:"incomplete"` // why not
	Started  time.Time `json:"started_at"`
	Finished time.Time `json:"finished_at"`
}

// Event is something that happened in a run. Progress always holds.
type Event struct {
	Outcome  *Outcome         // a person's end
	Notice   *codehost.Notice // a wait or another try
	Progress Progress
}

// Progress is what a progress bar shows.
type Progress struct {
	Matches  int
	Target   int  // 0: none
	Listed   int  // people checked
	People   int  // people there are, at most, as far as known
	Exact    bool // People is their number, not the last page taken for a full one
	Requests int  // sent by this run
	Quota    codehost.Quota
	// TimeLeft is an estimate: the requests still needed at the pace of the
	// last ones, waits for the host's limits included that will be taken. It
	// is negative until something is known: 20 people, or 3 seconds. While
	// paused it stays as it was.
	TimeLeft time.Duration
	Paused   bool
}
