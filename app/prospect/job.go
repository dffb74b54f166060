package prospect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"marketingskills/app/codehost"
)

// Options are the choices of a run that do not change what it finds.
type Options struct {
	// Concurrency is the most requests at once; 0 is 10, at most 100.
	Concurrency int
	// Suppress are those who must not be found.
	Suppress *Suppression
	// State goes on with a saved run. Target, limit, purpose and suppression
	// may differ from it; source, repository, enrichment and filters may not.
	State *State
	// Now is the clock for time stamps and estimates; nil is the system's.
	Now func() time.Time
}

// Job is one extraction. Run may be called again after it ended incomplete.
type Job struct {
	client      *codehost.Client
	query       Query
	suppress    *Suppression
	concurrency int
	now         func() time.Time
	wake        chan struct{} // a change of paused

	mu         sync.Mutex // guards what follows; entries are changed under it
	paused     bool
	lister     *codehost.Lister
	entries    []*person
	seen       map[string]bool
	pages      int
	lastPage   int
	listedAll  bool
	listEnd    *Stop // the listing ended before its end
	duplicates int
	counts     Counts
}

// person is an entry and what this process did with it.
type person struct {
	Entry
	told     bool // the outcome was given to the caller
	replayed bool
	err      error // the failed request, until judged
	asked    bool
}

// NewJob checks everything that can be checked for free.
func NewJob(client *codehost.Client, query Query, options Options) (*Job, error) {
	if err := query.Check(client.HasToken()); err != nil {
		return nil, err
	}
	query.Purpose, query.LawfulBasis = Plain(query.Purpose), Plain(query.LawfulBasis)
	if options.Concurrency < 0 || options.Concurrency > MaxConcurrency {
		return nil, refuse("%d requests at once; the host allows 1 to %d", options.Concurrency, MaxConcurrency)
	}
	j := &Job{
		client: client, query: query, suppress: options.Suppress, concurrency: options.Concurrency, now: options.Now,
		wake: make(chan struct{}, 1), seen: map[string]bool{}, lister: client.List(query.Repo, query.Source),
	}
	if j.concurrency == 0 {
		j.concurrency = DefaultConcurrency
	}
	if j.now == nil {
		j.now = time.Now
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
		return refuse("the saved run has another %s than this one; give the same, or start afresh", what)
	}
	if s.Base != j.client.Base() {
		return refuse("the saved run asked %.100q, not %q; start afresh", Plain(s.Base), j.client.Base())
	}
	if s.Position != "" {
		lister, err := j.client.ListFrom(j.query.Repo, j.query.Source, s.Position, s.Pages)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrQuery, err)
		}
		j.lister = lister
	}
	j.listedAll = s.Position == "" && s.Pages > 0
	if s.ListEnd != "" {
		j.listEnd = &Stop{Reason: "list-limit", Message: s.ListEnd, Err: errors.New(s.ListEnd)}
	}
	j.pages, j.lastPage, j.duplicates = s.Pages, max(s.LastPage, s.Pages), s.Duplicates
	for _, e := range s.People {
		if e.Login != "" {
			j.seen[strings.ToLower(e.Login)] = true
		}
		j.entries = append(j.entries, &person{Entry: e, replayed: e.Verdict != Waiting && !e.Again})
	}
	return nil
}

// State is the run as it stands, to be saved; it may be asked for at any time.
func (j *Job) State() *State {
	j.mu.Lock()
	defer j.mu.Unlock()
	s := &State{Format: stateFormat, Version: stateVersion, SavedAt: j.now().UTC().Truncate(time.Second), Base: j.client.Base(),
		Query: j.query, Pages: j.pages, LastPage: j.lastPage, Duplicates: j.duplicates, People: make([]Entry, 0, len(j.entries))}
	if !j.listedAll && j.pages > 0 {
		s.Position, _ = j.lister.Position()
	}
	if j.listEnd != nil {
		s.ListEnd = j.listEnd.Message
	}
	for _, e := range j.entries {
		entry := e.Entry
		if entry.Verdict != Kept && entry.Verdict != Waiting {
			entry.Record = nil
		}
		s.People = append(s.People, entry)
	}
	return s
}

// Pause lets requests in flight end and starts no others; Resume goes on.
func (j *Job) Pause() { j.setPaused(true) }

// Resume ends a pause.
func (j *Job) Resume() { j.setPaused(false) }

func (j *Job) setPaused(paused bool) {
	j.mu.Lock()
	j.paused = paused
	j.mu.Unlock()
	select {
	case j.wake <- struct{}{}:
	default:
	}
}

// Paused tells whether the job is paused.
func (j *Job) Paused() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.paused
}

// take adds the people of a page, under the lock. err is what Next gave.
func (j *Job) take(page codehost.Page, err error) {
	switch {
	case errors.Is(err, io.EOF):
		j.listedAll = true
		return
	case errors.Is(err, codehost.ErrListEnd), errors.Is(err, codehost.ErrLoop), errors.Is(err, codehost.ErrForeignHost):
		j.listedAll, j.listEnd = true, newStop(err)
		return
	case err != nil:
		return
	}
	j.pages, j.lastPage = page.Number, max(page.Last, page.Number)
	for _, p := range page.People {
		key := strings.ToLower(p.Login)
		if key != "" && j.seen[key] {
			j.duplicates++
			continue
		}
		j.seen[key] = true
		j.entries = append(j.entries, &person{Entry: Entry{Login: Plain(p.Login), Type: Plain(p.Type), URL: webAddress(p.URL), StarredAt: p.StarredAt, Page: page.URL}})
	}
	if next, _ := j.lister.Position(); next == "" {
		j.listedAll = true
		if _, err := j.lister.Next(context.Background()); err != nil && !errors.Is(err, io.EOF) { // sends nothing
			j.listEnd = newStop(err)
		}
	}
}

// needs tells whether a person's profile is still to be fetched.
func (j *Job) needs(e *person) bool {
	if !j.query.Enriches() || e.asked || e.Record != nil || (e.Verdict != Waiting && !e.Again) {
		return false
	}
	verdict, _ := judgeListed(&e.Entry, j.query, j.suppress)
	return verdict == Waiting
}

// Report is how a run ended.
type Report struct {
	Query    Query
	Counts   Counts
	Requests int // sent by this run
	Quota    codehost.Quota
	// Complete: everything asked for was considered, or the target reached.
	Complete bool
	Stop     *Stop // why not
	Started  time.Time
	Finished time.Time
}

// Event is something that happened in a run. Progress always holds.
type Event struct {
	Outcome  *Outcome         // a person's end
	Notice   *codehost.Notice // a wait or another try
	Progress Progress
}

// Progress is what a progress bar shows.
type Progress struct {
	Matches  int // people kept
	Target   int // 0: none
	Listed   int // people considered
	People   int // people there are, at most, as far as known
	Requests int // sent by this run
	Quota    codehost.Quota
	// TimeLeft is an estimate from the pace so far and the pacing; it is
	// negative while nothing is known.
	TimeLeft time.Duration
	Paused   bool
}
