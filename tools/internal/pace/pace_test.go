package pace_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"marketingskills/tools/internal/pace"
)

// send has so many senders write requests for a while, each after a delay of at
// most so long, and returns when they were written.
func send(t *testing.T, w pace.Window, senders, requests int, delay func() time.Duration, each time.Duration) []time.Time {
	t.Helper()
	var mu sync.Mutex
	var written []time.Time
	var all sync.WaitGroup
	for range senders {
		all.Go(func() {
			for {
				mu.Lock()
				enough := len(written) >= requests
				mu.Unlock()
				if enough {
					return
				}
				ticket, err := pace.Wait(t.Context(), w, "verify")
				if err != nil {
					t.Error(err)
					return
				}
				time.Sleep(delay())
				mu.Lock()
				written = append(written, time.Now())
				mu.Unlock()
				ticket.Written()
				time.Sleep(each)
			}
		})
	}
	all.Wait()
	return written
}

// check complains of a second with more than ten requests. The times are in
// order.
func check(t *testing.T, written []time.Time) {
	t.Helper()
	for i := pace.Limit; i < len(written); i++ {
		if span := written[i].Sub(written[i-pace.Limit]); span <= time.Second {
			t.Fatalf("%d requests within %s", pace.Limit+1, span)
		}
	}
}

func TestNeverMoreThanTenASecond(t *testing.T) {
	for _, most := range []time.Duration{0, 30 * time.Millisecond, 400 * time.Millisecond, 4 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			written := send(t, new(pace.Local), 30, 400, func() time.Duration { return rand.N(most + 1) }, 2*time.Second)
			check(t, written)
			rate := float64(len(written)-pace.Limit) / written[len(written)-1].Sub(written[0]).Seconds()
			if most <= 30*time.Millisecond && rate < 9.5 {
				t.Errorf("with delays of up to %s, %.2f requests a second", most, rate)
			}
		})
	}
}

func TestEndpointsCountEach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w pace.Local
		for _, endpoint := range []string{"a", "b"} {
			for range pace.Limit {
				if ticket, wait, err := w.Allow(t.Context(), endpoint); ticket == nil || wait != 0 || err != nil {
					t.Fatalf("%s: %v, %s, %v", endpoint, ticket, wait, err)
				}
			}
			if ticket, wait, err := w.Allow(t.Context(), endpoint); ticket != nil || wait <= 0 || err != nil {
				t.Fatalf("%s: %v, %s, %v", endpoint, ticket, wait, err)
			}
		}
	})
}

// TestLease: a sender that went away does not keep its place for ever.
func TestLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w pace.Local
		for range pace.Limit {
			if _, err := pace.Wait(t.Context(), &w, "verify"); err != nil {
				t.Fatal(err)
			}
		}
		start := time.Now()
		if _, err := pace.Wait(t.Context(), &w, "verify"); err != nil || time.Since(start) < pace.Lease || time.Since(start) > pace.Lease+2*pace.Span {
			t.Errorf("after %s: %v", time.Since(start), err)
		}
	})
}

func TestWaitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w pace.Local
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		var err error
		for range pace.Limit + 1 {
			_, err = pace.Wait(ctx, &w, "verify")
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}

// ticket counts how often it was told that its request was written.
type ticket struct {
	mu      sync.Mutex
	written int
}

func (t *ticket) Written() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.written++
}

func (t *ticket) count() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.written
}

// TestTrace: the ticket hears once, when the request is written and not when it
// is answered, and also when it never leaves.
func TestTrace(t *testing.T) {
	var tk ticket
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		for deadline := time.Now().Add(10 * time.Second); tk.count() == 0 && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		if tk.count() != 1 {
			t.Error("the request is there, and the ticket has not heard")
		}
	}))
	get := func() error {
		ctx, done := pace.Trace(t.Context(), &tk)
		defer done()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, nil)
		if err != nil {
			return err
		}
		resp, err := server.Client().Do(req)
		if err == nil {
			resp.Body.Close()
		}
		return err
	}
	if err := get(); err != nil || tk.count() != 1 {
		t.Errorf("%v; it heard %d times", err, tk.count())
	}
	server.Close()
	if err := get(); err == nil || tk.count() != 2 {
		t.Errorf("%v; it heard %d times", err, tk.count())
	}
}
