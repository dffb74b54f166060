// Package pace keeps requests below a limit of so many a second as the other
// side sees them arrive, in any second and not only on average.
//
// A request arrives some time after it was allowed, and never the same time:
// the first ones wait for their connections. So it counts from when it is
// allowed until a little more than a second after it was written: it takes a
// [Slot] for so long. A bucket that refills would let twice as many through in a
// second that lies across its edge.
package pace

import (
	"context"
	"net/http"
	"net/http/httptrace"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"marketingskills/app/rest"
)

const (
	// Span is how long a request counts after it was written: a second, and a
	// margin for what the network and two schedulers do. Of ten requests a second,
	// 9.7 are left.
	Span = 1030 * time.Millisecond
	// Lease is how long a request of a [Local] may take to be written: most of it
	// passes until there is a connection. If its sender went away without a word,
	// it counts for Lease and Span.
	Lease = 10 * time.Second
	// accept is how much later than its first bytes are written a server may
	// notice a connection that is new.
	accept = 100 * time.Millisecond
)

// Window is the limit of one endpoint.
type Window interface {
	// Allow gives a slot to one request, which may leave now, or says how long to
	// wait before asking again; one of slot and wait is set. The error means that
	// it cannot be found out. Allow has no context: it answers soon, and whoever
	// has left meanwhile must still learn of the slot.
	Allow() (slot Slot, wait time.Duration, err error)
}

// Slot is where a request counts in a [Window].
type Slot interface {
	// Written must be called when the request has just been written, or never will
	// be: the slot is free again after [Span]. The last of several calls decides.
	// A slot that nobody called is free a Span after its deadline.
	Written()
	// Deadline is when the request must have been written, because the slot may
	// be another's soon after.
	Deadline() time.Time
}

// Local is a [Window] of one process.
type Local struct {
	limit int
	mu    sync.Mutex
	taken []*localSlot
}

// NewLocal returns a window of so many requests a second.
func NewLocal(limit int) *Local { return &Local{limit: limit} }

type localSlot struct {
	window   *Local
	deadline time.Time
	until    time.Time // it counts
}

func (s *localSlot) Deadline() time.Time { return s.deadline }

// Allow never fails.
func (l *Local) Allow() (Slot, time.Duration, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	l.taken = slices.DeleteFunc(l.taken, func(s *localSlot) bool { return !s.until.After(now) })
	if len(l.taken) >= l.limit {
		first := slices.MinFunc(l.taken, func(a, b *localSlot) int { return a.until.Compare(b.until) })
		return nil, min(first.until.Sub(now), Span), nil // those not written yet will end earlier
	}
	s := &localSlot{l, now.Add(Lease), now.Add(Lease + Span)}
	l.taken = append(l.taken, s)
	return s, 0, nil
}

func (s *localSlot) Written() {
	s.window.mu.Lock()
	defer s.window.mu.Unlock()
	s.until = time.Now().Add(Span)
	if !slices.Contains(s.window.taken, s) { // written again, long after the first time
		s.window.taken = append(s.window.taken, s)
	}
}

// Wait returns once a request may leave.
func Wait(ctx context.Context, w Window) (Slot, error) {
	for {
		slot, wait, err := w.Allow()
		if err != nil || slot != nil {
			return slot, err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Trace returns the context to send a request with that has a slot. It tells
// the slot when the request was written. If that is not done by the slot's
// deadline, the context ends with [context.DeadlineExceeded] as its cause. It
// ends with the context given until the request is being written, and no longer:
// what is paid for should be answered. The function returned must be called once
// the request has ended, however it did; it tells whether the deadline passed
// before there was a connection, so that the same request may be sent again with
// another slot.
func Trace(ctx context.Context, slot Slot) (traced context.Context, ended func() (unsent bool)) {
	traced, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	leave := func() { cancel(context.Cause(ctx)) }
	if ctx.Err() != nil {
		leave()
	}
	stay := context.AfterFunc(ctx, leave)
	late := time.AfterFunc(time.Until(slot.Deadline()), func() { cancel(context.DeadlineExceeded) })
	var connected, fresh atomic.Bool // a transport calls from several goroutines
	traced = httptrace.WithClientTrace(traced, &httptrace.ClientTrace{
		GotConn: func(c httptrace.GotConnInfo) {
			connected.Store(true)
			fresh.Store(!c.Reused)
		},
		WroteHeaders: func() { stay() },
		WroteRequest: func(httptrace.WroteRequestInfo) {
			late.Stop()
			slot.Written()
			if fresh.Load() {
				time.AfterFunc(accept, slot.Written)
			}
		},
	})
	return traced, func() bool {
		stay()
		inTime := late.Stop()
		if inTime { // it was not written
			slot.Written()
		}
		cancel(nil)
		return !inTime && !connected.Load()
	}
}

// NewHTTPClient returns a client that sends each request at most once, and
// follows no redirects, so that the key stays on its host. Its errors are
// [rest.ErrUnsent] if nothing of the request was sent.
func NewHTTPClient() *http.Client {
	t := onceTransport{kept: http.DefaultTransport.(*http.Transport).Clone(), fresh: http.DefaultTransport.(*http.Transport).Clone()}
	t.kept.MaxIdleConnsPerHost = 100
	t.fresh.DisableKeepAlives = true
	return &http.Client{CheckRedirect: rest.NoRedirects, Transport: t}
}

// onceTransport sends over a connection of its own what [http.Transport] would
// send again if it fails on a connection that was kept. Anything else it sends
// again only if nothing of it was written, or, with HTTP/2, if the server says
// that it did not look at it.
type onceTransport struct{ kept, fresh *http.Transport }

func (t onceTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	transport := t.kept
	if repeatable(r) {
		transport = t.fresh
	}
	var sent atomic.Bool
	ctx := httptrace.WithClientTrace(r.Context(), &httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }})
	response, err := transport.RoundTrip(r.WithContext(ctx))
	if err != nil && !sent.Load() {
		err = unsent{err}
	}
	return response, err
}

// repeatable tells which requests [http.Transport] takes for safe to send twice.
func repeatable(r *http.Request) bool {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace:
		return true
	}
	return r.Header["Idempotency-Key"] != nil || r.Header["X-Idempotency-Key"] != nil
}

// unsent is an error of a request of which nothing left.
type unsent struct{ error }

func (e unsent) Unwrap() error { return e.error }

func (unsent) Is(target error) bool { return target == rest.ErrUnsent }
