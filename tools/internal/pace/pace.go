// Package pace keeps requests below a limit of so many a second as the other
// side sees them arrive, in any second and not only on average.
//
// A request arrives some time after it was allowed, and never the same time:
// the first ones wait for their connections. So it counts from when it is
// allowed until a little more than a second after it was written, which
// [Written] tells. A bucket that refills would let twice as many through in a
// second that lies across its edge.
package pace

import (
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"marketingskills/app/verify"
)

const (
	// Limit is the verifier's: requests a second and endpoint. Source: the
	// specification, "Limits".
	Limit = 10
	// Span is how long a request counts after it was written: a second, and a
	// margin for what the network and two schedulers do. Ten requests in 1.03 s
	// are 9.7 a second.
	Span = 1030 * time.Millisecond
	// Lease is how long a request may take to be written: most of it passes until
	// there is a connection. If its sender went away without a word, it counts
	// for Lease and Span.
	Lease = 10 * time.Second
	// accept is how much later than its first bytes are written a server may
	// notice a connection that is new.
	accept = 100 * time.Millisecond
)

// Window is the limit of one endpoint.
type Window interface {
	// Allow lets one request leave now, or says how long to wait before asking
	// again; one of written and wait is set. The error means that it cannot be
	// found out. Allow has no context: it answers soon, and whoever has left
	// meanwhile must still learn of the request that was allowed.
	Allow() (written Written, wait time.Duration, err error)
}

// Written must be called when the request that was allowed has just been
// written, or never will be: it counts for [Span] from then on. Of several calls
// the last is decisive.
type Written func()

// Local is a [Window] of one process.
type Local struct {
	mu    sync.Mutex
	taken []*time.Time // until when each request counts
}

// Allow never fails.
func (l *Local) Allow() (Written, time.Duration, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	l.taken = slices.DeleteFunc(l.taken, func(until *time.Time) bool { return !until.After(now) })
	if len(l.taken) >= Limit {
		first := slices.MinFunc(l.taken, func(a, b *time.Time) int { return a.Compare(*b) })
		return nil, min(first.Sub(now), Span), nil // those not written yet will end earlier
	}
	until := now.Add(Lease + Span)
	l.taken = append(l.taken, &until)
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		until = time.Now().Add(Span)
	}, 0, nil
}

// Wait returns once a request may leave.
func Wait(ctx context.Context, w Window) (Written, error) {
	for {
		written, wait, err := w.Allow()
		if err != nil || written != nil {
			return written, err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Trace returns the context to send an allowed request with. It calls written
// once the request was written. If that takes longer than [Lease], the context
// ends with [context.DeadlineExceeded] as its cause: the place may be another's
// by then. The function returned must be called once the request has ended,
// however it did.
func Trace(ctx context.Context, written Written) (traced context.Context, ended func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	late := time.AfterFunc(Lease, func() { cancel(context.DeadlineExceeded) })
	var fresh atomic.Bool // a transport calls from several goroutines
	traced = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(c httptrace.GotConnInfo) { fresh.Store(!c.Reused) },
		WroteRequest: func(httptrace.WroteRequestInfo) {
			late.Stop()
			written()
			if fresh.Load() {
				time.AfterFunc(accept, written)
			}
		},
	})
	return traced, func() {
		if late.Stop() { // it was not written
			written()
		}
		cancel(nil)
	}
}

// NewHTTPClient returns a client that sends each request at most once, and
// follows no redirects, so that the key stays on its host.
func NewHTTPClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 100
	return &http.Client{CheckRedirect: verify.NoRedirects, Transport: once{transport}}
}

// once keeps a transport from sending a GET again when the server has closed the
// connection: it only does so with a body that it can read from the beginning.
// A POST is sent again only if nothing of it was written, or, with HTTP/2, if the
// server says that it did not look at it.
type once struct{ http.RoundTripper }

func (o once) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodGet {
		r = r.Clone(r.Context())
		r.Body, r.GetBody = io.NopCloser(strings.NewReader("")), nil
	}
	return o.RoundTripper.RoundTrip(r)
}
