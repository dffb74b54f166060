package verify

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"marketingskills/app/job"
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
	// Patience is the longest wait for a limit that [Job.Run] simply takes.
	Patience = 2 * time.Minute
	// mostWaits is how often in a row one address may be told to wait, while none
	// is answered, before the run ends with it.
	mostWaits = 20
)

// Ask asks about one address: [Verifier.Verify], or something in front of it.
type Ask func(ctx context.Context, address string) (Result, error)

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
func (j *Job) Run(ctx context.Context, ask Ask, each func()) error {
	r := &run{Job: j, ask: ask, each: each}
	err := j.Control.Run(ctx, job.Plan{Next: r.next, AtOnce: inFlight, Ahead: max(j.Len(), 1)})
	switch {
	case j.Credits() == 0: // whatever ended it, nothing is left open
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%w (%w)", errInterrupted, context.Cause(ctx))
	case errors.Is(err, job.ErrStopped):
		return errInterrupted
	}
	return err // nil if nothing failed but single addresses
}

var errInterrupted = fmt.Errorf("%w; results so far are kept; resume to continue", rest.ErrInterrupted)

// run is one call of [Job.Run].
type run struct {
	*Job
	ask   Ask
	each  func()
	index int // of the next address

	counting sync.Mutex
	answers  int // to all addresses so far
	failed   int // addresses since the last answer
}

// next gives the next open address.
func (r *run) next() *job.Task {
	for r.index < r.Len() {
		index := r.index
		r.index++
		if e := r.at(index); e.Open() {
			return &job.Task{Do: func(ctx context.Context) { r.verify(ctx, index, e.Address) }}
		}
	}
	return nil
}

// verify takes one address to its answer or failure.
func (r *run) verify(ctx context.Context, index int, address string) {
	attempts := 0 // that failed
	var told waits
	for r.Wait(ctx) {
		result, err := r.ask(ctx, address)
		if err != nil && ctx.Err() != nil {
			return // not a failure of the address
		}
		switch limit, ok := errors.AsType[*LimitError](err); {
		case err == nil:
			r.answered(index, result)
			return
		case ok: // the address is not the cause
			if limit.Wait > Patience || told.whileNoneAnswered(r.answersSoFar()) >= mostWaits {
				r.End(err)
				return
			}
			r.Hold(limit.Wait)
		case Temporary(err):
			if attempts++; attempts == tries || MayHaveCost(err) {
				r.failedFor(index, err)
				return
			}
			r.Sleep(ctx, backoff(attempts))
		case errors.Is(err, ErrRequest): // another address may do better
			r.failedFor(index, err)
			return
		default: // it is the same for all addresses
			r.End(err)
			return
		}
	}
}

// waits counts how often one address was told to wait while none was answered.
type waits struct{ n, answers int }

func (w *waits) whileNoneAnswered(answers int) int {
	if answers != w.answers {
		*w = waits{answers: answers}
	}
	w.n++
	return w.n
}

func (r *run) answersSoFar() int {
	r.counting.Lock()
	defer r.counting.Unlock()
	return r.answers
}

// answered notes the answer about an address.
func (r *run) answered(index int, result Result) {
	r.change(index, func(e *Entry) { e.Result, e.Asked, e.Err = result, true, nil })
	r.counting.Lock()
	r.answers++
	r.failed = 0
	r.counting.Unlock()
	r.each()
}

// failedFor notes that an address was asked about in vain, and ends the run if
// that happens with one after the other.
func (r *run) failedFor(index int, err error) {
	r.change(index, func(e *Entry) { e.Err = err })
	if Temporary(err) {
		r.counting.Lock()
		r.failed++
		failed := r.failed
		r.counting.Unlock()
		if failed == outage {
			r.End(fmt.Errorf("%d emails in a row failed, the last: %w", failed, err))
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
