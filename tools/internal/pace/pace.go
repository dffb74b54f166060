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
	"net"
	"net/http"
	"net/http/httptrace"
	"slices"
	"sync"
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
	// Lease is how long a request may take to be written. If its sender went
	// away without a word, it counts for Lease and Span.
	Lease = 5 * time.Second
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

// Trace returns the context to send an allowed request with; it sees to it that
// written is called. A transport sends a request again by itself if the server
// closed the connection, and a connection may come so late that the lease may
// end: then the request waits for the window once more. The function returned
// must be called once the request has ended, however it did.
func Trace(ctx context.Context, w Window, written Written) (traced context.Context, ended func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	var mu sync.Mutex // a transport calls from several goroutines
	allowed, told, fresh := time.Now(), false, false
	giveUp := func() {
		if !told {
			written()
		}
	}
	traced = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(c httptrace.GotConnInfo) {
			mu.Lock()
			defer mu.Unlock()
			fresh = !c.Reused
			if !told && time.Since(allowed) < Lease/2 {
				return
			}
			giveUp()
			again, err := Wait(ctx, w)
			if err != nil {
				cancel(err) // before it is written
				return
			}
			written, allowed, told = again, time.Now(), false
		},
		WroteRequest: func(httptrace.WroteRequestInfo) {
			mu.Lock()
			defer mu.Unlock()
			told = true
			written()
			if fresh {
				time.AfterFunc(accept, written)
			}
		},
	})
	return traced, func() {
		mu.Lock()
		defer mu.Unlock()
		giveUp()
		cancel(nil)
	}
}

// NewHTTPClient returns a client that follows no redirects, so that the key
// stays on its host.
func NewHTTPClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DialContext = (&net.Dialer{Timeout: 10 * time.Second}).DialContext
	transport.MaxIdleConnsPerHost = 100
	return &http.Client{CheckRedirect: verify.NoRedirects, Transport: transport}
}
