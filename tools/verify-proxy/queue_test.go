package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"marketingskills/app/verify/fakeverifier"
	"marketingskills/tools/internal/pace"
)

func newQueue() *queue { return &queue{window: pace.NewLocal(limit), limit: limit} }

// TestQueueKeepsThePace: never more than ten are written in a second, however
// long writing takes, and hardly fewer.
func TestQueueKeepsThePace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue()
		var mu sync.Mutex
		var wrote []time.Time
		var all sync.WaitGroup
		for i := range mostPerCaller {
			all.Go(func() {
				slot, err := q.wait(t.Context(), fmt.Sprint(i%7))
				if err != nil {
					t.Error(err)
					return
				}
				time.Sleep(time.Duration(i%5) * 20 * time.Millisecond)
				mu.Lock()
				defer mu.Unlock()
				wrote = append(wrote, time.Now())
				slot.Written()
			})
		}
		all.Wait()
		if most := fakeverifier.Densest(wrote); most > limit {
			t.Errorf("%d in a second", most)
		}
		// Writing takes up to 80 ms here, which a slot is not free.
		if rate := float64(len(wrote)-limit) / wrote[len(wrote)-1].Sub(wrote[0]).Seconds(); rate < 8.9 {
			t.Errorf("%.2f a second", rate)
		}
	})
}

// TestQueueIsFair: somebody who comes with one request does not wait for all of
// another's.
func TestQueueIsFair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue()
		var all sync.WaitGroup
		take := func(caller string) {
			all.Go(func() {
				slot, err := q.wait(t.Context(), caller)
				if err != nil {
					t.Error(err)
					return
				}
				slot.Written()
			})
		}
		for range mostPerCaller {
			take("greedy")
		}
		synctest.Wait() // the first ten have gone
		began := time.Now()
		take("late")
		synctest.Wait()
		waits := func() bool {
			q.mu.Lock()
			defer q.mu.Unlock()
			return slices.ContainsFunc(q.waiting, func(w *waiter) bool { return w.caller == "late" })
		}
		for waits() {
			time.Sleep(10 * time.Millisecond)
		}
		if waited := time.Since(began); waited > 2*time.Second {
			t.Errorf("it waited %v behind another's requests", waited)
		}
		all.Wait()
	})
}

// TestQueueIsBounded: what would wait too long is refused at once, with the
// time after which there is room again; one caller cannot take all slots.
func TestQueueIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue()
		ctx, leave := context.WithCancel(t.Context())
		var all sync.WaitGroup
		join := func(caller string, n int) {
			for range n {
				all.Go(func() {
					if slot, err := q.wait(ctx, caller); err == nil {
						slot.Written()
					}
				})
			}
			synctest.Wait()
		}
		q.hold(longestPause) // nobody goes
		full := func(caller string) {
			began := time.Now()
			_, err := q.wait(ctx, caller)
			e, ok := errors.AsType[*apiError](err)
			if !ok || e.status != http.StatusTooManyRequests || e.retryAfter < longestPause || time.Since(began) > 0 {
				t.Errorf("one more of %s, after %v with %d waiting: %+v", caller, time.Since(began), q.length(), err)
			}
		}
		join("a", mostPerCaller)
		full("a")
		join("b", mostWaiting-mostPerCaller)
		if q.length() != mostWaiting {
			t.Errorf("%d wait", q.length())
		}
		full("c")
		leave()
		all.Wait()
		if q.length() != 0 {
			t.Errorf("%d wait although all left", q.length())
		}
	})
}

// TestQueueLosesNoTurn: callers who leave while their turn comes take nobody
// else's.
func TestQueueLosesNoTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue()
		var all sync.WaitGroup
		served := 0
		var mu sync.Mutex
		for i := range 90 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i%9)*515*time.Millisecond)
			patient := i%3 == 0
			if patient {
				ctx = t.Context()
			}
			all.Go(func() {
				defer cancel()
				slot, err := q.wait(ctx, fmt.Sprint(i%4))
				if err == nil {
					slot.Written()
					mu.Lock()
					defer mu.Unlock()
					served++
				} else if patient {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if served < 30 {
			t.Errorf("%d were served", served)
		}
	})
}

// TestQueueFirstLeaves: who stands first and leaves takes no slot with him, and
// the next one does not wait longer than he would have.
func TestQueueFirstLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue()
		ctx, leave := context.WithCancel(t.Context())
		leave()
		for range 10 * limit {
			if _, err := q.wait(ctx, "a"); !errors.Is(err, context.Canceled) {
				t.Fatalf("who had left: %v", err)
			}
		}
		for range limit {
			slot, err := q.wait(t.Context(), "a")
			if err != nil {
				t.Fatal(err)
			}
			slot.Written()
		}
		began := time.Now()
		ctx, leave = context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() {
			if _, err := q.wait(ctx, "a"); !errors.Is(err, context.Canceled) {
				t.Errorf("the first: %v", err)
			}
		})
		synctest.Wait()
		for range limit {
			all.Go(func() {
				if _, err := q.wait(t.Context(), "b"); err != nil || time.Since(began) != pace.Span {
					t.Errorf("another, after %v: %v", time.Since(began), err)
				}
			})
		}
		synctest.Wait()
		leave()
		all.Wait()
		if q.length() != 0 {
			t.Errorf("%d still wait", q.length())
		}
	})
}

// TestQueueKeepsTime: however long the queue is, the verifier's time is left.
func TestQueueKeepsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, began := newQueue(), time.Now()
		var pauses sync.WaitGroup
		defer pauses.Wait()
		pauses.Go(func() {
			for time.Since(began) < callTimeout {
				q.hold(longestPause)
				time.Sleep(longestPause / 2)
			}
		})
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), callTimeout)
		defer cancel()
		_, err := q.wait(ctx, "a")
		if e, ok := errors.AsType[*apiError](err); !ok || e.status != 429 || time.Since(began) > callTimeout-verifierTimeout {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
	})
}

// TestQueueLongPause: who waits hears at once that the verifier wants a pause
// that nobody can wait for, and how long it is; so does who comes later. A call
// whose time is over in a shorter one hears how much of it is left.
func TestQueueLongPause(t *testing.T) {
	for pause, after := range map[time.Duration]time.Duration{time.Hour: time.Second, longestPause: 10 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			q := newQueue()
			q.hold(2 * time.Second)
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			began := time.Now()
			var all sync.WaitGroup
			join := func() {
				all.Go(func() {
					_, err := q.wait(ctx, "a")
					e, ok := errors.AsType[*apiError](err)
					if took := time.Since(began); !ok || took != after || e.retryAfter != pause+time.Second-after {
						t.Errorf("a pause of %v, after %v: %+v", pause, took, err)
					}
				})
			}
			for range 3 {
				join()
			}
			time.Sleep(time.Second)
			q.hold(pause)
			join()
			all.Wait()
			if q.length() != 0 {
				t.Errorf("%d wait", q.length())
			}
		})
	}
}

// TestQueueTakesTurns: one request of each caller in turn, a caller's own in the
// order they came.
func TestQueueTakesTurns(t *testing.T) {
	q := newQueue()
	numbers := map[*waiter]int{}
	for i, caller := range []string{"a", "a", "a", "b", "b", "c", "a", "d"} {
		w := newWaiter(caller)
		numbers[w] = i
		if err := q.join(w); err != nil {
			t.Fatal(err)
		}
	}
	var order []string
	for len(q.waiting) > 0 {
		first := q.waiting[0]
		select {
		case <-first.turn:
		default:
			t.Errorf("%s%d is the first and has not heard", first.caller, numbers[first])
		}
		order = append(order, fmt.Sprint(first.caller, numbers[first]))
		q.leave(first)
	}
	if got := strings.Join(order, " "); got != "a0 b3 c5 d7 a1 b4 a2 a6" {
		t.Error(got)
	}
}

// broken is a window that cannot be asked.
type broken struct{}

func (broken) Allow() (pace.Slot, time.Duration, error) {
	time.Sleep(3 * time.Second)
	return nil, 0, errors.New("connection refused")
}

// TestQueueFailsClosed: without a limit nothing goes, and nobody waits.
func TestQueueFailsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := &queue{window: broken{}, limit: limit}
		var all sync.WaitGroup
		began := time.Now()
		for i := range mostPerCaller {
			all.Go(func() {
				slot, err := q.wait(t.Context(), fmt.Sprint(i%3))
				if e, ok := errors.AsType[*apiError](err); slot != nil || !ok || e.status != 503 || e.cause != "connection refused" {
					t.Errorf("%v, %v", slot, err)
				}
			})
		}
		all.Wait()
		if waited := time.Since(began); waited > 6*time.Second {
			t.Errorf("they heard after %v", waited)
		}
	})
}
