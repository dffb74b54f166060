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
	// patience is the longest wait for a limit that is simply taken.
	patience = 2 * time.Minute
	// limits is how often in a row one address may be told to wait, while none is
	// answered, before the run ends with it.
	limits = 20
)

// Asker answers about one address; [Client] is one.
type Asker interface {
	Inline(ctx context.Context, address string) (Result, error)
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
	starting, end := context.WithCancelCause(ctx)
	defer end(nil)
	j.mu.Lock()
	j.end = end
	if j.stopped {
		end(errInterrupted)
	}
	j.mu.Unlock()

	r := &run{Job: j, asker: asker, each: each, starting: starting, end: end}
	places := make(chan int)
	var workers sync.WaitGroup
	for range inFlight {
		workers.Go(func() {
			for place := range places {
				r.ask(ctx, place)
			}
		})
	}
	r.handOut(places)
	workers.Wait()
	switch {
	case j.Credits() == 0: // whatever ended, it came too late to keep anything open
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%w (%w)", errInterrupted, context.Cause(ctx))
	}
	return context.Cause(starting)
}

var errInterrupted = fmt.Errorf("%w; results so far are kept; resume to continue", ErrInterrupted)

// run is one call of [Job.Run].
type run struct {
	*Job
	asker Asker
	each  func()

	// starting ends, with the error of the run as its cause, when no more requests
	// may start. The answers to those under way are still taken. The first call of
	// end says which error it is.
	starting context.Context
	end      context.CancelCauseFunc

	answers  atomic.Int64
	failures int // in a row, of all addresses
}

// handOut gives the workers one open address after the other.
func (r *run) handOut(places chan<- int) {
	defer close(places)
	for place := range r.Len() {
		if !r.at(place).Open() {
			continue
		}
		select {
		case places <- place:
		case <-r.starting.Done():
			return
		}
	}
}

// ask takes one address to its answer or failure.
func (r *run) ask(ctx context.Context, place int) {
	address := r.at(place).Address
	failures := 0
	told, answers := 0, r.answers.Load() // how often to wait since there were so many answers
	for r.mayStart() {
		result, err := r.asker.Inline(ctx, address)
		if err != nil && ctx.Err() != nil {
			return // not a failure of the address
		}
		switch limit, limited := errors.AsType[*LimitError](err); {
		case err == nil:
			r.settle(place, result, nil)
			return
		case limited: // the address is not the cause
			if now := r.answers.Load(); now != answers {
				told, answers = 0, now
			}
			if told++; told >= limits || limit.Wait > patience {
				r.end(err)
				return
			}
			r.hold(limit.Wait)
		case Temporary(err) && failures+1 < tries:
			failures++
			sleep(r.starting, backoff(failures))
		case Temporary(err), errors.Is(err, ErrRequest): // another address may do better
			r.settle(place, result, err)
			return
		default: // it is the same for all addresses
			r.end(err)
			return
		}
	}
}

// mayStart waits for the end of a pause and of a wait that the other side asked
// for. It tells whether a request may start.
func (r *run) mayStart() bool {
	for r.starting.Err() == nil {
		r.mu.Lock()
		paused, wait := r.paused, time.Until(r.until)
		r.mu.Unlock()
		switch {
		case paused != nil:
			select {
			case <-paused:
			case <-r.starting.Done():
			}
		case wait > 0:
			sleep(r.starting, wait)
		default:
			return true
		}
	}
	return false
}

// hold keeps requests from being started for a while.
func (r *run) hold(wait time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if until := time.Now().Add(wait); until.After(r.until) {
		r.until = until
	}
}

// settle notes how an address ended in this run.
func (r *run) settle(place int, result Result, err error) {
	r.change(place, func(e *Entry) {
		e.Err = err
		switch {
		case err == nil:
			e.Result, e.Asked = result, true
			r.answers.Add(1)
			r.failures = 0
		case Temporary(err):
			if r.failures++; r.failures == outage {
				r.end(fmt.Errorf("%d emails in a row failed, the last: %w", r.failures, err))
			}
		}
	})
	r.each()
}

// backoff is the wait before another try: about a second, then two.
func backoff(try int) time.Duration {
	d := time.Second << (try - 1)
	return d/2 + rand.N(d/2)
}

// sleep waits, and tells whether it did so to the end.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
