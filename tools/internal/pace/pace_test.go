package pace_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"marketingskills/app/rest"
	"marketingskills/tools/internal/pace"
)

// limit is the number of requests a second in these tests.
const limit = 10

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
				slot, err := pace.Wait(t.Context(), w)
				if err != nil {
					t.Error(err)
					return
				}
				time.Sleep(delay())
				mu.Lock()
				written = append(written, time.Now())
				mu.Unlock()
				slot.Written()
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
	for i := limit; i < len(written); i++ {
		if span := written[i].Sub(written[i-limit]); span <= time.Second {
			t.Fatalf("%d requests within %s", limit+1, span)
		}
	}
}

func TestNeverMoreThanTenASecond(t *testing.T) {
	for _, most := range []time.Duration{0, 30 * time.Millisecond, 400 * time.Millisecond, 4 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			written := send(t, pace.NewLocal(limit), 30, 400, func() time.Duration { return rand.N(most + 1) }, 2*time.Second)
			check(t, written)
			rate := float64(len(written)-limit) / written[len(written)-1].Sub(written[0]).Seconds()
			if most <= 30*time.Millisecond && rate < 9.5 {
				t.Errorf("with delays of up to %s, %.2f requests a second", most, rate)
			}
		})
	}
}

// TestWindowsCountEach: an endpoint has a window of its own.
func TestWindowsCountEach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, w := range map[string]*pace.Local{"a": pace.NewLocal(limit), "b": pace.NewLocal(limit)} {
			for range limit {
				if slot, wait, err := w.Allow(); slot == nil || wait != 0 || err != nil {
					t.Fatalf("%s: %v, %s, %v", name, slot, wait, err)
				}
			}
			if slot, wait, err := w.Allow(); slot != nil || wait <= 0 || err != nil {
				t.Fatalf("%s: %v, %s, %v", name, slot, wait, err)
			}
		}
	})
}

// TestLease: a sender that went away does not keep its slot for ever.
func TestLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := pace.NewLocal(limit)
		for range limit {
			if _, err := pace.Wait(t.Context(), w); err != nil {
				t.Fatal(err)
			}
		}
		start := time.Now()
		if _, err := pace.Wait(t.Context(), w); err != nil || time.Since(start) < pace.Lease || time.Since(start) > pace.Lease+2*pace.Span {
			t.Errorf("after %s: %v", time.Since(start), err)
		}
	})
}

// TestWrittenAgain: a transport that found its connection closed writes a request
// once more, perhaps after its slot was another's.
func TestWrittenAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := pace.NewLocal(limit)
		first, err := pace.Wait(t.Context(), w)
		if err != nil {
			t.Fatal(err)
		}
		first.Written()
		time.Sleep(2 * pace.Span)
		for range limit - 1 {
			if _, err := pace.Wait(t.Context(), w); err != nil {
				t.Fatal(err)
			}
		}
		first.Written()
		if slot, wait, _ := w.Allow(); slot != nil || wait != pace.Span {
			t.Errorf("one more may leave: %v, %v", slot, wait)
		}
	})
}

func TestWaitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := pace.NewLocal(limit)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		var err error
		for range limit + 1 {
			_, err = pace.Wait(ctx, w)
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}

// told is a slot that counts how often it was told.
type told struct{ atomic.Int32 }

func (t *told) Written() { t.Add(1) }

func (t *told) Deadline() time.Time { return time.Now().Add(pace.Lease) }

// TestTrace: the slot is told when the request is written, a little later once
// more because the connection is new, and also when the request never leaves.
func TestTrace(t *testing.T) {
	var slot told
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		for deadline := time.Now().Add(10 * time.Second); slot.Load() == 0 && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		if slot.Load() == 0 {
			t.Error("the request is there, and its slot was not told")
		}
	}))
	get := func() error {
		ctx, done := pace.Trace(t.Context(), &slot)
		defer func() {
			if unsent := done(); unsent {
				t.Error("it was sent, or could have been in time")
			}
		}()
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
	for slot.Load() < 2 {
		time.Sleep(time.Millisecond)
	}
	server.Close()
	if err := get(); err == nil || slot.Load() != 3 {
		t.Errorf("%v; the slot was told %d times", err, slot.Load())
	}
}

// TestSentOnce: a transport sends a GET again by itself when a server has closed
// the connection that it kept, which would be one more than was allowed.
func TestSentOnce(t *testing.T) {
	var arrivals, failed atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 || len(r.TransferEncoding) > 0 {
			t.Errorf("%s has a body: %d, %q", r.Method, r.ContentLength, r.TransferEncoding)
		}
		// A POST fails on the connection that the one before it left; a GET has none.
		if arrivals.Add(1)%2 == 0 {
			panic(http.ErrAbortHandler)
		}
	}))
	defer server.Close()
	const requests = 8
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodHead, http.MethodOptions, http.MethodTrace, "POST with a key"} {
		client := pace.NewHTTPClient()
		method, withKey := strings.CutSuffix(method, " with a key")
		arrivals.Store(0)
		failed.Store(0)
		for range requests {
			req, err := http.NewRequestWithContext(t.Context(), method, server.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			if withKey { // net/http then takes it for safe to send twice
				req.Header.Set("Idempotency-Key", "1")
			}
			if resp, err := client.Do(req); err == nil {
				resp.Body.Close()
			} else {
				failed.Add(1)
			}
		}
		if arrivals.Load() != requests || failed.Load() != requests/2 {
			t.Errorf("%s: %d arrivals of %d, %d failed", method, arrivals.Load(), requests, failed.Load())
		}
	}
}

// TestUnspent: the client knows whether a request that failed had left.
func TestUnspent(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	defer server.Close()
	gone := httptest.NewServer(nil)
	gone.Close()
	for target, want := range map[string]bool{server.URL: false, gone.URL: true} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			req, err := http.NewRequestWithContext(t.Context(), method, target, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := pace.NewHTTPClient().Do(req); err == nil || errors.Is(err, rest.ErrUnsent) != want {
				t.Errorf("%s: %v, unspent %v", method, err, !want)
			}
		}
	}
}

// TestSlowConnection: a request whose connection takes longer than its slot is
// kept does not leave.
func TestSlowConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var slot told
		ctx, done := pace.Trace(t.Context(), &slot)
		began := time.Now()
		<-ctx.Done()
		if took := time.Since(began); took != pace.Lease || context.Cause(ctx) != context.DeadlineExceeded {
			t.Errorf("after %v: %v", took, context.Cause(ctx))
		}
		if unsent := done(); !unsent || slot.Load() != 0 {
			t.Errorf("a request that never left: unsent is %v, and it was written %d times", unsent, slot.Load())
		}
	})
}

// TestSlowWriting: what may have been written in part is not called unsent.
func TestSlowWriting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, done := pace.Trace(t.Context(), new(told))
		httptrace.ContextClientTrace(ctx).GotConn(httptrace.GotConnInfo{})
		<-ctx.Done()
		if unsent := done(); unsent {
			t.Error("it is to be sent again")
		}
	})
}

// TestLeaver: who leaves before the request is written has it not sent; after
// that the answer is taken all the same.
func TestLeaver(t *testing.T) {
	arrived, answer := make(chan struct{}, 1), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		arrived <- struct{}{}
		<-answer
	}))
	defer server.Close()
	client := pace.NewHTTPClient()
	send := func(ctx context.Context) error {
		ctx, done := pace.Trace(ctx, new(told))
		defer done()
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL, nil)
		if err != nil {
			return err
		}
		resp, err := client.Do(req)
		if err == nil {
			resp.Body.Close()
		}
		return err
	}
	ctx, leave := context.WithCancel(t.Context())
	go func() {
		<-arrived
		leave()
		close(answer)
	}()
	if err := send(ctx); err != nil {
		t.Errorf("left after it was written: %v", err)
	}
	if err := send(ctx); !errors.Is(err, context.Canceled) || !errors.Is(err, rest.ErrUnsent) || len(arrived) > 0 {
		t.Errorf("left before: %v", err)
	}
}

// TestSlowAnswer: a request that was written may take longer.
func TestSlowAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, done := pace.Trace(t.Context(), new(told))
		httptrace.ContextClientTrace(ctx).WroteRequest(httptrace.WroteRequestInfo{})
		time.Sleep(10 * pace.Lease)
		if ctx.Err() != nil {
			t.Error(context.Cause(ctx))
		}
		done()
	})
}
