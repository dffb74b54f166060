package verify

import (
	"context"
	"slices"
	"sync"
	"time"
)

// checks is how many addresses the free checks are made of at once, most of
// which wait for the domain name system.
const checks = 20

// Entry is one address of a job.
type Entry struct {
	Address string // as it was first written
	Times   int    // how often it was given, in any spelling
	Local   Result // what the free checks say
	Result  Result // what is known: Local until the verifier has answered
	Asked   bool   // the verifier, or a proxy by its own checks, has answered
	Err     error  // the last request failed; another run asks again
}

// Open tells whether the verifier may know more than is known.
func (e Entry) Open() bool { return !e.Asked && e.Local.NeedsCredit() }

// Job takes a list of addresses through the free checks and the verifier. Its
// methods may be called from many goroutines.
type Job struct {
	mu      sync.Mutex
	entries []Entry
	places  map[string]int // by Key
	paused  chan struct{}  // closed by Resume; nil while not paused
	until   time.Time      // no request before
	stopped bool           // Stop was called, and Resume not since
	// end keeps the run that began last from starting more requests; nil: none
	// has begun.
	end context.CancelCauseFunc
}

// NewJob makes a job of addresses, each once.
func NewJob(addresses []string) *Job {
	j := &Job{places: map[string]int{}}
	for _, address := range addresses {
		key := Key(address)
		if place, ok := j.places[key]; ok {
			j.entries[place].Times++
			continue
		}
		j.places[key] = len(j.entries)
		j.entries = append(j.entries, Entry{Address: address, Times: 1})
	}
	return j
}

// Check makes the free checks of all addresses that have not been checked, many
// at once, and calls each after every one, never twice at a time. It ends early
// with the context's error.
func (j *Job) Check(ctx context.Context, checker Checker, each func()) error {
	places := make(chan int)
	var workers sync.WaitGroup
	var calling sync.Mutex
	for range min(checks, j.Len()) {
		workers.Go(func() {
			for i := range places {
				if e := j.at(i); e.Local.State == "" {
					local := checker.Check(ctx, e.Address)
					if ctx.Err() != nil {
						continue // it may have been found out in part only
					}
					j.change(i, func(e *Entry) {
						e.Local = local
						if !e.Asked { // the verifier has said more
							e.Result = local
						}
					})
				}
				calling.Lock()
				each()
				calling.Unlock()
			}
		})
	}
	for i := 0; i < j.Len() && ctx.Err() == nil; i++ {
		places <- i
	}
	close(places)
	workers.Wait()
	return ctx.Err()
}

// Know gives the job an answer of an earlier run, so that it is not asked for
// again. It tells whether the address is in the job.
func (j *Job) Know(address string, r Result) bool {
	place, ok := j.places[Key(address)]
	if ok {
		j.change(place, func(e *Entry) { e.Result, e.Asked = r, true })
	}
	return ok
}

// Len is the number of different addresses.
func (j *Job) Len() int { return len(j.places) }

// Entries are all addresses, in the order in which they were first given.
func (j *Job) Entries() []Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.entries)
}

// Entry returns what is known of an address, in any spelling.
func (j *Job) Entry(address string) (e Entry, ok bool) {
	place, ok := j.places[Key(address)]
	if !ok {
		return Entry{}, false
	}
	return j.at(place), true
}

func (j *Job) at(i int) Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.entries[i]
}

func (j *Job) change(i int, do func(*Entry)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	do(&j.entries[i])
}

// Credits is how many addresses the verifier is still to be asked about, at a
// credit each.
func (j *Job) Credits() int {
	n := 0
	for _, e := range j.Entries() {
		if e.Open() {
			n++
		}
	}
	return n
}

// Pause keeps requests from being started until Resume. Those under way end.
func (j *Job) Pause() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.paused == nil {
		j.paused = make(chan struct{})
	}
}

// Resume ends a pause, and takes back a Stop.
func (j *Job) Resume() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.stopped = false
	j.unpause()
}

// unpause lets those go on that wait for the end of a pause. Callers hold the
// lock.
func (j *Job) unpause() {
	if j.paused != nil {
		close(j.paused)
		j.paused = nil
	}
}

// Paused tells whether the job is paused.
func (j *Job) Paused() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.paused != nil
}

// Stop has the run end once the answers under way are there, which are paid for.
// To give those up as well, end the run's context. Stop holds until Resume: a
// run that begins before asks nothing.
func (j *Job) Stop() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.stopped = true
	if j.end != nil {
		j.end(errInterrupted)
	}
	j.unpause()
}

// WaitUntil is until when the other side has the job wait; it is in the past
// when it does not.
func (j *Job) WaitUntil() time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.until
}

// hindrances are what keeps requests from being started: a pause, and a wait that
// the other side asked for. They are nil and 0 if there is none.
func (j *Job) hindrances() (paused <-chan struct{}, wait time.Duration) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.paused, max(time.Until(j.until), 0)
}

// hold keeps requests from being started for a while.
func (j *Job) hold(wait time.Duration) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if until := time.Now().Add(wait); until.After(j.until) {
		j.until = until
	}
}
