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
	// longestPause is how long a pause of the verifier may last for requests to
	// wait until it is over.
	longestPause = 30 * time.Second
)

// fullError says that a request would have to wait too long.
type fullError struct{ retryAfter time.Duration }

func (fullError) Error() string { return "too many requests are waiting" }

// errNoLimit: it cannot be found out whether a request may leave.
var errNoLimit = errors.New("the limit that several proxies share cannot be reached")

// queue lets the requests of one endpoint leave at the pace of its window, one
// of each caller in turn. A caller's own leave in the order they came.
type queue struct {
	endpoint string
	window   pace.Window

	mu      sync.Mutex
	lines   []*line // callers who wait, the next one first
	waiting int
	until   time.Time // none leaves before: the verifier asked for it
	working bool      // serve runs
}

// line is what one caller waits for.
type line struct {
	caller string
	waits  []chan<- turn
}

type turn struct {
	ticket pace.Ticket
	err    error
}

// wait returns once a request of a caller may leave. The errors are a
// fullError, errNoLimit, and the context's.
func (q *queue) wait(ctx context.Context, caller string) (pace.Ticket, error) {
	mine := make(chan turn, 1)
	if err := q.join(caller, mine); err != nil {
		return nil, err
	}
	select {
	case t := <-mine:
		return t.ticket, t.err
	case <-ctx.Done():
	}
	if !q.leave(caller, mine) { // the turn has come meanwhile
		if t := <-mine; t.ticket != nil {
			t.ticket.Written()
		}
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, fullError{time.Second}
	}
	return nil, ctx.Err()
}

func (q *queue) join(caller string, mine chan<- turn) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if pause := time.Until(q.until); pause > longestPause {
		return fullError{pause}
	}
	place := q.find(caller)
	if q.waiting >= mostWaiting || place >= 0 && len(q.lines[place].waits) >= mostPerCaller {
		// The whole queue.
		return fullError{max(time.Until(q.until), 0) + time.Duration(q.waiting/pace.Limit+1)*time.Second}
	}
	if place < 0 {
		q.lines = append(q.lines, &line{caller: caller})
		place = len(q.lines) - 1
	}
	q.lines[place].waits = append(q.lines[place].waits, mine)
	q.waiting++
	if !q.working {
		q.working = true
		go q.serve()
	}
	return nil
}

// find is called under the lock, as are the next two.
func (q *queue) find(caller string) int {
	return slices.IndexFunc(q.lines, func(l *line) bool { return l.caller == caller })
}

func (q *queue) drop(place, i int) {
	l := q.lines[place]
	l.waits = slices.Delete(l.waits, i, i+1)
	q.waiting--
	q.lines = slices.Delete(q.lines, place, place+1)
	if len(l.waits) > 0 { // it is the others' turn first
		q.lines = append(q.lines, l)
	}
}

func (q *queue) next() (mine chan<- turn, ok bool) {
	if len(q.lines) == 0 {
		return nil, false
	}
	mine = q.lines[0].waits[0]
	q.drop(0, 0)
	return mine, true
}

// leave tells whether somebody still waited.
func (q *queue) leave(caller string, mine chan<- turn) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	place := q.find(caller)
	if place < 0 {
		return false
	}
	i := slices.Index(q.lines[place].waits, mine)
	if i < 0 {
		return false
	}
	l := q.lines[place]
	if l.waits = slices.Delete(l.waits, i, i+1); len(l.waits) == 0 {
		q.lines = slices.Delete(q.lines, place, place+1)
	}
	q.waiting--
	return true
}

// hold lets no request leave for a while.
func (q *queue) hold(d time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if until := time.Now().Add(d); until.After(q.until) {
		q.until = until
	}
}

// held is how long none may leave, and whether anybody waits. When nobody
// does, serve ends.
func (q *queue) held() (d time.Duration, anybody bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.waiting == 0 {
		q.working = false
		return 0, false
	}
	return time.Until(q.until), true
}

// serve gives out turns as long as anybody waits.
func (q *queue) serve() {
	for {
		held, anybody := q.held()
		switch {
		case !anybody:
			return
		case held > 0:
			time.Sleep(min(held, time.Second))
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		ticket, wait, err := q.window.Allow(ctx, q.endpoint)
		cancel()
		if ticket == nil && err == nil {
			time.Sleep(wait)
			continue
		}
		q.mu.Lock()
		mine, ok := q.next()
		for ; err != nil && ok; mine, ok = q.next() { // nobody's turn will come soon
			mine <- turn{err: errors.Join(errNoLimit, err)}
		}
		q.mu.Unlock()
		switch {
		case err != nil:
		case ok:
			mine <- turn{ticket: ticket}
		default:
			ticket.Written()
		}
	}
}

// length is how many wait.
func (q *queue) length() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.waiting
}
