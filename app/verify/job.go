package verify

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// inFlight is how many addresses are asked about at once. An answer takes
	// a second or three, and ten requests may leave in a second.
	inFlight = 30
	// tries is how often an address is asked about before it counts as failed;
	// waits for a limit do not count.
	tries = 3
	// outage is how many addresses in a row may fail before the run stops: the
	// other side is away.
	outage = 5
	// checks is how many addresses the free checks are made of at once, most of
	// which wait for the domain name system.
	checks = 20
	// patience is the longest wait for a limit that is simply taken.
	patience = 2 * time.Minute
	// limits is how often in a row an address may be answered with a limit, while
	// no other gets an answer, before the run ends with it.
	limits = 20
)

// Asker answers about one address; [Client] is one.
type Asker interface {
	Inline(ctx context.Context, address string) (Result, error)
}

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
	ending  bool           // Stop was called, and Resume not since
	until   time.Time      // no request before
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
	return append([]Entry(nil), j.entries...)
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
	j.ending = false
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
	j.ending = true
	j.unpause()
}

// WaitUntil is until when the other side has the job wait; it is in the past
// when it does not.
func (j *Job) WaitUntil() time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.until
}

// Run asks about every address that is open. Each is called after every answer
// and every failure, from several goroutines.
//
// Failures that may go away are tried again, and waits that the other side asks
// for are taken, up to two minutes. A longer one ends the run with its
// [*LimitError], and so does the twentieth in a row about one address while none
// is answered. Errors that hold for all addresses ([ErrKey], [ErrPayment],
// [ErrRefused], [ErrNoKey], [ErrAbsent]) and five failures in a row end the run
// with the error; what fails on one address alone is noted there. A run that
// was stopped or whose context ended returns [ErrInterrupted]. Run again, after
// Resume if it was stopped, and it goes on where it ended.
func (j *Job) Run(ctx context.Context, asker Asker, each func()) error {
	r := &run{Job: j, asker: asker, each: each}
	places := make(chan int)
	var workers sync.WaitGroup
	for range inFlight {
		workers.Go(func() {
			for place := range places {
				r.ask(ctx, place)
			}
		})
	}
	err := r.hand(ctx, places)
	close(places)
	workers.Wait()
	if ctx.Err() != nil {
		return fmt.Errorf("%w (%w)", errInterrupted, context.Cause(ctx))
	}
	if err == nil {
		err = r.stopped() // by the last ones, after all were handed out
	}
	return err
}

// run is one call of [Job.Run].
type run struct {
	*Job
	asker Asker
	each  func()

	answers atomic.Int64
	failing sync.Mutex
	inARow  int // failures
	stop    error
}

var errInterrupted = fmt.Errorf("%w; results so far are kept; resume to continue", ErrInterrupted)

// hand gives the workers one open address after the other.
func (r *run) hand(ctx context.Context, places chan<- int) error {
	for i := range r.Len() {
		if !r.at(i).Open() {
			continue
		}
		if err := r.mayStart(ctx); err != nil {
			return err
		}
		select {
		case places <- i:
		case <-ctx.Done():
			return nil
		}
	}
	return r.stopped()
}

// mayStart waits while the job is paused, and tells whether it was stopped.
func (r *run) mayStart(ctx context.Context) error {
	for {
		r.mu.Lock()
		paused, ending := r.paused, r.ending
		r.mu.Unlock()
		switch {
		case ending:
			return errInterrupted
		case paused == nil:
			return r.stopped()
		}
		select {
		case <-paused:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (r *run) stopped() error {
	r.failing.Lock()
	defer r.failing.Unlock()
	return r.stop
}

// ask takes one address to its answer or failure.
func (r *run) ask(ctx context.Context, place int) {
	address := r.at(place).Address
	var row limitRow
	for try := 1; ; {
		if !r.waitTurn(ctx) {
			r.stopFor(errInterrupted) // unless it was stopped for something else
			return
		}
		result, err := r.asker.Inline(ctx, address)
		switch limit, limited := errors.AsType[*LimitError](err); {
		case err == nil:
			r.change(place, func(e *Entry) { e.Result, e.Asked, e.Err = result, true, nil })
			r.answers.Add(1)
			r.failed(nil)
			r.each()
			return
		case ctx.Err() != nil:
			return // not a failure of the address
		case limited && limit.Wait <= patience && row.next(r.answers.Load()) < limits:
			r.holdUntil(time.Now().Add(limit.Wait))
		case limited || !Temporary(err) && !errors.Is(err, ErrRequest):
			r.stopFor(err)
			return
		case Temporary(err) && try < tries && r.stopped() == nil:
			if !sleep(ctx, backoff(try)) {
				return
			}
			try++
		default:
			r.change(place, func(e *Entry) { e.Err = err })
			if Temporary(err) {
				r.failed(err)
			}
			r.each()
			return
		}
	}
}

// limitRow counts the limits that one address was answered with while there were
// no answers about any.
type limitRow struct {
	length  int
	answers int64 // of the run, when it began
}

func (l *limitRow) next(answers int64) int {
	if answers != l.answers {
		*l = limitRow{answers: answers}
	}
	l.length++
	return l.length
}

// waitTurn waits for a limit that the other side named, and for the end of a
// pause. It tells whether the request may start.
func (r *run) waitTurn(ctx context.Context) bool {
	for {
		if r.mayStart(ctx) != nil || ctx.Err() != nil {
			return false
		}
		wait := time.Until(r.WaitUntil())
		if wait <= 0 {
			return true
		}
		if !sleep(ctx, min(wait, time.Second)) {
			return false
		}
	}
}

func (r *run) holdUntil(at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if at.After(r.until) {
		r.until = at
	}
}

// stopFor notes why nothing new starts. Answers under way are still taken.
func (r *run) stopFor(err error) {
	r.failing.Lock()
	defer r.failing.Unlock()
	if r.stop == nil {
		r.stop = err
	}
}

// failed counts failures in a row; nil ends the row.
func (r *run) failed(err error) {
	r.failing.Lock()
	defer r.failing.Unlock()
	if err == nil {
		r.inARow = 0
		return
	}
	if r.inARow++; r.inARow >= outage && r.stop == nil {
		r.stop = fmt.Errorf("%d emails in a row failed, the last: %w", r.inARow, err)
	}
}

// backoff is the wait before another try: about a second, then two.
func backoff(try int) time.Duration {
	d := time.Second << (try - 1)
	return d/2 + rand.N(d/2)
}

func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
