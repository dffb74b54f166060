package pace_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
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
				told, err := pace.Wait(t.Context(), w)
				if err != nil {
					t.Error(err)
					return
				}
				time.Sleep(delay())
				mu.Lock()
				written = append(written, time.Now())
				mu.Unlock()
				told()
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

// TestWindowsCountEach: an endpoint has a window of its own.
func TestWindowsCountEach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, w := range map[string]*pace.Local{"a": {}, "b": {}} {
			for range pace.Limit {
				if written, wait, err := w.Allow(); written == nil || wait != 0 || err != nil {
					t.Fatalf("%s: %v, %s, %v", name, written == nil, wait, err)
				}
			}
			if written, wait, err := w.Allow(); written != nil || wait <= 0 || err != nil {
				t.Fatalf("%s: %v, %s, %v", name, written == nil, wait, err)
			}
		}
	})
}

// TestLease: a sender that went away does not keep its place for ever.
func TestLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w pace.Local
		for range pace.Limit {
			if _, err := pace.Wait(t.Context(), &w); err != nil {
				t.Fatal(err)
			}
		}
		start := time.Now()
		if _, err := pace.Wait(t.Context(), &w); err != nil || time.Since(start) < pace.Lease || time.Since(start) > pace.Lease+2*pace.Span {
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
			_, err = pace.Wait(ctx, &w)
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}

// TestTrace: written is called when the request is written, a little later once
// more because the connection is new, and also when the request never leaves.
func TestTrace(t *testing.T) {
	var told atomic.Int32
	written := func() { told.Add(1) }
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		for deadline := time.Now().Add(10 * time.Second); told.Load() == 0 && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		if told.Load() == 0 {
			t.Error("the request is there, and written was not called")
		}
	}))
	get := func() error {
		ctx, done := pace.Trace(t.Context(), new(pace.Local), written)
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
	if err := get(); err != nil {
		t.Error(err)
	}
	for told.Load() < 2 {
		time.Sleep(time.Millisecond)
	}
	server.Close()
	if err := get(); err == nil || told.Load() != 3 {
		t.Errorf("%v; written was called %d times", err, told.Load())
	}
}

// counted is a window that counts how many requests it allowed.
type counted struct {
	pace.Local
	mu    sync.Mutex
	taken int
}

func (c *counted) Allow() (pace.Written, time.Duration, error) {
	written, wait, err := c.Local.Allow()
	if written != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.taken++
	}
	return written, wait, err
}

// TestSentAgain: a transport sends again by itself when a server has closed the
// connection that it kept. Each time takes a place.
func TestSentAgain(t *testing.T) {
	var mu sync.Mutex
	arrivals := 0
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		arrivals++
		n := arrivals
		mu.Unlock()
		if n%2 == 0 { // a kept connection
			panic(http.ErrAbortHandler)
		}
	}))
	defer server.Close()
	var w counted
	client := pace.NewHTTPClient()
	for range 8 {
		first, err := pace.Wait(t.Context(), &w)
		if err != nil {
			t.Fatal(err)
		}
		ctx, done := pace.Trace(t.Context(), &w, first)
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Do(req)
		if err == nil {
			resp.Body.Close()
		}
		done()
	}
	if arrivals <= 8 {
		t.Fatalf("nothing was sent again: %d arrivals", arrivals)
	}
	if w.taken != arrivals {
		t.Errorf("%d arrivals, %d were allowed", arrivals, w.taken)
	}
}

// TestSlowConnection: a request that may not count any more when its connection
// is there waits once more.
func TestSlowConnection(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	client := pace.NewHTTPClient()
	transport := client.Transport.(*http.Transport)
	dial := transport.DialContext
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		time.Sleep(pace.Lease/2 + 100*time.Millisecond)
		return dial(ctx, network, address)
	}
	var w counted
	first, err := pace.Wait(t.Context(), &w)
	if err != nil {
		t.Fatal(err)
	}
	var gaveUp atomic.Bool
	ctx, done := pace.Trace(t.Context(), &w, func() { gaveUp.Store(true); first() })
	defer done()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if w.taken != 2 || !gaveUp.Load() {
		t.Errorf("%d were allowed; the first was given up: %v", w.taken, gaveUp.Load())
	}
}
