package pace_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
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

// TestTrace: the ticket hears when the request is written, a little later once
// more because the connection is new, and also when the request never leaves.
func TestTrace(t *testing.T) {
	var tk ticket
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		for deadline := time.Now().Add(10 * time.Second); tk.count() == 0 && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		if tk.count() == 0 {
			t.Error("the request is there, and the ticket has not heard")
		}
	}))
	get := func() error {
		ctx, done := pace.Trace(t.Context(), new(pace.Local), "verify", &tk)
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
	for tk.count() < 2 {
		time.Sleep(time.Millisecond)
	}
	server.Close()
	if err := get(); err == nil || tk.count() != 3 {
		t.Errorf("%v; it heard %d times", err, tk.count())
	}
}

// counted is a window that counts how many tickets were taken.
type counted struct {
	pace.Local
	mu    sync.Mutex
	taken int
}

func (c *counted) Allow(ctx context.Context, endpoint string) (pace.Ticket, time.Duration, error) {
	ticket, wait, err := c.Local.Allow(ctx, endpoint)
	if ticket != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.taken++
	}
	return ticket, wait, err
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
		first, err := pace.Wait(t.Context(), &w, "me")
		if err != nil {
			t.Fatal(err)
		}
		ctx, done := pace.Trace(t.Context(), &w, "me", first)
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
		t.Errorf("%d arrivals with %d tickets", arrivals, w.taken)
	}
}

// TestSlowConnection: a ticket that may not count any more when the connection
// is there is not used.
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
	first, err := pace.Wait(t.Context(), &w, "me")
	if err != nil {
		t.Fatal(err)
	}
	ctx, done := pace.Trace(t.Context(), &w, "me", first)
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
	if w.taken != 2 {
		t.Errorf("%d tickets were taken", w.taken)
	}
}
