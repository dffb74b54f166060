package main

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"marketingskills/tools/internal/pace"
)

const (
	// mostWaiting is how many requests wait for one endpoint: 20 s of work.
	mostWaiting = 200
	// mostPerCaller is how many of them are one caller's.
	mostPerCaller = mostWaiting / 2
)

// queue lets the requests of one endpoint leave at the pace of its window, one
// of each caller in turn. The first in the queue asks the window; the others
// wait until they are the first.
type queue struct {
	window pace.Window

	mu      sync.Mutex
	waiting []*waiter // in the order in which they leave
	pause   time.Time // none leaves before: the verifier asked for it
}

type waiter struct {
	caller string
	// turn receives nil once the waiter is the first, or why it cannot be.
	turn chan error
}

// wait returns once a request of a caller may leave. The errors are an
// *apiError and [context.Canceled].
func (q *queue) wait(ctx context.Context, caller string) (pace.Written, error) {
	w := &waiter{caller, make(chan error, 1)}
	if err := q.join(w); err != nil {
		return nil, err
	}
	defer q.leave(w)
	var again <-chan time.Time // when to ask once more
	for {
		select {
		case err := <-w.turn:
			if err != nil {
				return nil, err
			}
		case <-again:
		case <-ctx.Done():
		}
		switch err := ctx.Err(); {
		case errors.Is(err, context.DeadlineExceeded):
			return nil, errFull(time.Second)
		case err != nil:
			return nil, err
		}
		written, wait, err := q.ask()
		if err != nil || written != nil {
			return written, err
		}
		again = time.After(wait)
	}
}

func (q *queue) join(w *waiter) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	pause := time.Until(q.pause)
	if pause > longestPause {
		return errFull(pause)
	}
	own := 0
	for _, other := range q.waiting {
		if other.caller == w.caller {
			own++
		}
	}
	if len(q.waiting) >= mostWaiting || own >= mostPerCaller {
		everybody := time.Duration(len(q.waiting)/pace.Limit+1) * time.Second
		return errFull(max(pause, 0) + everybody)
	}
	// A caller's first request stands behind the first of every other, the
	// second behind the second of every other, and so on.
	seen := map[string]int{}
	place := slices.IndexFunc(q.waiting, func(other *waiter) bool {
		seen[other.caller]++
		return seen[other.caller] > own+1
	})
	if place < 0 {
		place = len(q.waiting)
	}
	q.waiting = slices.Insert(q.waiting, place, w)
	if place == 0 {
		w.turn <- nil
	}
	return nil
}

// leave makes room, and lets the next one be the first.
func (q *queue) leave(w *waiter) {
	q.mu.Lock()
	defer q.mu.Unlock()
	place := slices.Index(q.waiting, w)
	if place < 0 { // ask sent all away
		return
	}
	q.waiting = slices.Delete(q.waiting, place, place+1)
	if place == 0 && len(q.waiting) > 0 {
		q.waiting[0].turn <- nil
	}
}

// ask asks the window, unless the verifier wants a pause. If the window cannot
// be asked, all who wait are sent away: nobody's turn would come soon.
func (q *queue) ask() (written pace.Written, wait time.Duration, err error) {
	q.mu.Lock()
	pause := time.Until(q.pause)
	q.mu.Unlock()
	if pause > 0 {
		return nil, pause, nil
	}
	written, wait, err = q.window.Allow()
	if err == nil {
		return written, wait, nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, w := range q.waiting {
		w.turn <- errNoLimit
	}
	q.waiting = nil
	return nil, 0, errNoLimit
}

// hold lets no request leave for a while.
func (q *queue) hold(d time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if end := time.Now().Add(d); end.After(q.pause) {
		q.pause = end
	}
}

// length is how many wait.
func (q *queue) length() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting)
}
