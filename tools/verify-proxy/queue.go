package main

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"marketingskills/tools/internal/pace"
)

// queue lets the requests of one endpoint leave at the pace of its window, one
// of each caller in turn. The first in the queue asks the window; the others
// wait until they are the first.
type queue struct {
	window pace.Window
	limit  int // requests a second, for estimates

	mu      sync.Mutex
	waiting []*waiter // in the order in which they leave
	pause   time.Time // none leaves before: the verifier asked this proxy for it
}

type waiter struct {
	caller string
	// turn receives nil once the waiter is the first, and an error if it shall
	// not wait any longer: each once at most, so that whoever sends never waits.
	turn chan error
}

func newWaiter(caller string) *waiter { return &waiter{caller, make(chan error, 2)} }

// wait returns once a request of a caller may leave. The errors are an
// *apiError and [context.Canceled].
func (q *queue) wait(ctx context.Context, caller string) (pace.Slot, error) {
	ctx, cancel := context.WithTimeout(ctx, longestPause+queueTimeout)
	defer cancel()
	w := newWaiter(caller)
	if err := q.join(w); err != nil {
		return nil, err
	}
	defer q.leave(w)
	if err := q.pass(ctx, w, nil); err != nil {
		return nil, err
	}
	for { // it is the first
		slot, wait, err := q.ask()
		if err != nil || slot != nil {
			return slot, err
		}
		if err := q.pass(ctx, w, time.After(wait)); err != nil {
			return nil, err
		}
	}
}

// pass returns nil when it is the waiter's turn, or enough is over, and an error
// when it has waited in vain.
func (q *queue) pass(ctx context.Context, w *waiter, enough <-chan time.Time) (err error) {
	select {
	case err = <-w.turn:
	case <-enough:
	case <-ctx.Done():
	}
	switch {
	case err != nil:
		return err
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return errFull(max(q.paused(), time.Second))
	}
	return ctx.Err()
}

func (q *queue) join(w *waiter) error {
	pause := q.paused()
	if pause > longestPause {
		return errFull(pause)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	own := 0
	for _, other := range q.waiting {
		if other.caller == w.caller {
			own++
		}
	}
	if len(q.waiting) >= mostWaiting || own >= mostPerCaller {
		everybody := time.Duration(len(q.waiting)/q.limit+1) * time.Second
		return errFull(pause + everybody)
	}
	// A caller's first request stands behind the first of every other, the
	// second behind the second of every other, and so on.
	seen := map[string]int{}
	index := slices.IndexFunc(q.waiting, func(other *waiter) bool {
		seen[other.caller]++
		return seen[other.caller] > own+1
	})
	if index < 0 {
		index = len(q.waiting)
	}
	q.waiting = slices.Insert(q.waiting, index, w)
	if len(q.waiting) == 1 {
		w.turn <- nil
	}
	return nil
}

// leave makes room, and lets the next one be the first.
func (q *queue) leave(w *waiter) {
	q.mu.Lock()
	defer q.mu.Unlock()
	index := slices.Index(q.waiting, w)
	if index < 0 { // all were sent away
		return
	}
	q.waiting = slices.Delete(q.waiting, index, index+1)
	if index == 0 && len(q.waiting) > 0 {
		q.waiting[0].turn <- nil
	}
}

// ask asks the window, unless the verifier wants a pause. If the window cannot
// be asked, nobody's turn would come soon.
func (q *queue) ask() (pace.Slot, time.Duration, error) {
	if pause := q.paused(); pause > 0 {
		return nil, pause, nil
	}
	slot, wait, err := q.window.Allow()
	if err != nil {
		err = errNoLimit(err)
		q.sendAway(err)
	}
	return slot, wait, err
}

// hold lets no request leave for a while. If it is longer than a call may take,
// nobody waits for its end.
func (q *queue) hold(d time.Duration) {
	q.mu.Lock()
	if end := time.Now().Add(d); end.After(q.pause) {
		q.pause = end
	}
	q.mu.Unlock()
	if d > longestPause {
		q.sendAway(errFull(d))
	}
}

// paused is how much longer no request leaves.
func (q *queue) paused() time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	return max(time.Until(q.pause), 0)
}

// sendAway ends the waiting of all.
func (q *queue) sendAway(why error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, w := range q.waiting {
		w.turn <- why
	}
	q.waiting = nil
}

// length is how many wait.
func (q *queue) length() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting)
}
