package verify

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"marketingskills/app/rest"
)

const (
	// inFlight is how many addresses are asked about at once. An answer takes
	// a second or three, and ten requests may leave in a second.
	inFlight = 30
	// tries is how often an address is asked about, as long as that costs nothing,
	// before it counts as failed; being told to wait does not count.
	tries = 3
	// outage is how many addresses in a row may fail before the run stops: the
	// other side is away.
	outage = 5
	// patience is the longest wait for a limit that is simply taken.
	patience = 2 * time.Minute
	// mostWaits is how often in a row one address may be told to wait, while none
	// is answered, before the run ends with it.
	mostWaits = 20
)

// Asker answers about one address; [Client] is one.
type Asker interface {
	Inline(ctx context.Context, address string) (Result, error)
}

// Run asks about every address that is open. Each is called after every answer
// and every failure, from several goroutines.
//
// A request that may have cost a credit is not sent again. Failures that may go
// away and cost nothing are tried again, and waits that the other side asks for
// are taken, up to two minutes. A longer one ends the run with its
// [*LimitError], and so does the twentieth in a row about one address while none
// is answered. Errors that hold for all addresses ([ErrKey], [ErrPayment],
// [ErrRefused], [ErrNoKey], [ErrAbsent]) and five failures in a row end the run
// with the error; what fails on one address alone is noted there. A run that
// was stopped or whose context ended returns [rest.ErrInterrupted]. Run again, after
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

	r := &run{job: j, asker: asker, each: each, starting: starting, end: end}
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
	case j.Credits() == 0: // whatever ended it, nothing is left open
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%w (%w)", errInterrupted, context.Cause(ctx))
	}
	return context.Cause(starting) // nil if nothing failed but single addresses
}

var errInterrupted = fmt.Errorf("%w; results so far are kept; resume to continue", rest.ErrInterrupted)

// run is one call of [Job.Run].
type run struct {
	job   *Job
	asker Asker
	each  func()

	// starting ends, with the error of the run as its cause, when no more requests
	// may start. The answers to those under way are still taken. The first call of
	// end says which error it is.
	starting context.Context
	end      context.CancelCauseFunc

	mu      sync.Mutex
	answers int // to all addresses so far
	failed  int // addresses since the last answer
}

// handOut gives the workers one open address after the other.
func (r *run) handOut(places chan<- int) {
	defer close(places)
	for place := range r.job.Len() {
		if !r.job.at(place).Open() {
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
	address := r.job.at(place).Address
	attempts := 0 // that failed
	var told waits
	for r.mayStart() {
		result, err := r.asker.Inline(ctx, address)
		if err != nil && ctx.Err() != nil {
			return // not a failure of the address
		}
		switch limit, ok := errors.AsType[*LimitError](err); {
		case err == nil:
			r.answered(place, result)
			return
		case ok: // the address is not the cause
			if limit.Wait > patience || told.inARow(r.answersSoFar()) >= mostWaits {
				r.end(err)
				return
			}
			r.job.hold(limit.Wait)
		case Temporary(err):
			if attempts++; attempts == tries || MayHaveCost(err) {
				r.failedFor(place, err)
				return
			}
			sleep(r.starting, backoff(attempts))
		case errors.Is(err, ErrRequest): // another address may do better
			r.failedFor(place, err)
			return
		default: // it is the same for all addresses
			r.end(err)
			return
		}
	}
}

// waits counts how often one address was told to wait while none was answered.
type waits struct{ n, answers int }

func (w *waits) inARow(answers int) int {
	if answers != w.answers {
		*w = waits{answers: answers}
	}
	w.n++
	return w.n
}

func (r *run) answersSoFar() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.answers
}

// mayStart waits for the end of a pause and of a wait that the other side asked
// for. It tells whether a request may start.
func (r *run) mayStart() bool {
	for r.starting.Err() == nil {
		switch paused, wait := r.job.hindrances(); {
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

// answered notes the answer about an address.
func (r *run) answered(place int, result Result) {
	r.job.change(place, func(e *Entry) { e.Result, e.Asked, e.Err = result, true, nil })
	r.mu.Lock()
	r.answers++
	r.failed = 0
	r.mu.Unlock()
	r.each()
}

// failedFor notes that an address was asked about in vain, and ends the run if
// that happens with one after the other.
func (r *run) failedFor(place int, err error) {
	r.job.change(place, func(e *Entry) { e.Err = err })
	if Temporary(err) {
		r.mu.Lock()
		r.failed++
		failed := r.failed
		r.mu.Unlock()
		if failed == outage {
			r.end(fmt.Errorf("%d emails in a row failed, the last: %w", failed, err))
		}
	}
	r.each()
}

// backoff is the wait before another try: half a second to a second after the
// first, one to two after the second.
func backoff(try int) time.Duration {
	d := time.Second << (try - 1)
	return d/2 + rand.N(d/2)
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
