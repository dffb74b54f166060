// Package pace keeps requests below a limit of so many a second as the other
// side sees them arrive, in any second and not only on average.
//
// Two things make this harder than it looks. A bucket that refills lets twice
// as many through in a second that lies across its edge. And a request arrives
// later than it leaves, by a time that is never the same: the first ones wait
// for their connections. So a request counts from the moment it was allowed
// until a little more than a second after it was written, which [Written] tells.
package pace

import (
	"context"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"

	"marketingskills/app/verify"
)

// Limit is the verifier's: requests a second and endpoint. Source: the
// specification, "Limits".
const Limit = 10

// Span is how long a request counts after it was written: a second, and a
// margin for what the network and two schedulers do. Ten requests in 1.03 s are
// 9.7 a second.
const Span = 1030 * time.Millisecond

// Lease is the longest that a request which was allowed may take to be written;
// its connection must be there by then. It bounds how long one counts whose
// sender went away.
const Lease = 5 * time.Second

// Window allows requests. The time of [Window.Allow] is that of the window's
// own clock.
type Window interface {
	// Allow lets one request of an endpoint leave now, or says how long to wait
	// before asking again. The error means that it cannot be found out.
	Allow(ctx context.Context, endpoint string) (Ticket, time.Duration, error)
}

// Ticket is the permission for one request.
type Ticket interface {
	// Written says that the request has been written just now, or never will
	// be.
	Written()
}

// Local is a [Window] of one process.
type Local struct {
	mu      sync.Mutex
	tickets map[string][]*localTicket // by endpoint, the oldest first
}

type localTicket struct {
	window *Local
	until  time.Time // it counts until then
}

// Allow never fails.
func (l *Local) Allow(_ context.Context, endpoint string) (Ticket, time.Duration, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.tickets == nil {
		l.tickets = map[string][]*localTicket{}
	}
	now := time.Now()
	counting, first := l.tickets[endpoint][:0], now.Add(time.Hour)
	for _, t := range l.tickets[endpoint] {
		if t.until.After(now) {
			counting = append(counting, t)
			if t.until.Before(first) {
				first = t.until
			}
		}
	}
	var ticket *localTicket
	if len(counting) < Limit {
		ticket = &localTicket{l, now.Add(Lease + Span)}
		counting = append(counting, ticket)
	}
	l.tickets[endpoint] = counting
	if ticket == nil {
		// A ticket that is not written yet will end earlier than it says.
		return nil, min(first.Sub(now), Span), nil
	}
	return ticket, 0, nil
}

// Written ends the lease.
func (t *localTicket) Written() {
	t.window.mu.Lock()
	defer t.window.mu.Unlock()
	t.until = time.Now().Add(Span)
}

// Wait takes a ticket as soon as there is one.
func Wait(ctx context.Context, w Window, endpoint string) (Ticket, error) {
	for {
		ticket, wait, err := w.Allow(ctx, endpoint)
		if err != nil || ticket != nil {
			return ticket, err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// accept is how much later than its first bytes are written a server may notice
// a connection that is new.
const accept = 100 * time.Millisecond

// Trace returns a context for the request that a ticket is for, which tells the
// ticket when it was written; of a request that is sent once more, the last
// time counts. The function returned must be called once the request has ended,
// however it did.
func Trace(ctx context.Context, t Ticket) (context.Context, func()) {
	var mu sync.Mutex
	var fresh, wrote bool
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(c httptrace.GotConnInfo) {
			mu.Lock()
			defer mu.Unlock()
			fresh = !c.Reused
		},
		WroteRequest: func(httptrace.WroteRequestInfo) {
			mu.Lock()
			defer mu.Unlock()
			wrote = true
			t.Written()
			if fresh {
				time.AfterFunc(accept, t.Written)
			}
		},
	})
	return traced, func() {
		mu.Lock()
		defer mu.Unlock()
		if !wrote {
			t.Written()
		}
	}
}

// NewHTTPClient returns a client whose connections are there well within
// [Lease]. It follows no redirects, so that the key stays on its host.
func NewHTTPClient() *http.Client {
	const most = Lease / 2
	dialer := &net.Dialer{Timeout: most, KeepAlive: 30 * time.Second}
	return &http.Client{
		CheckRedirect: verify.NoRedirects,
		Transport: &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         dialer.DialContext,
			ForceAttemptHTTP2:   true,
			TLSHandshakeTimeout: most - 100*time.Millisecond,
			IdleConnTimeout:     90 * time.Second,
			MaxIdleConnsPerHost: 100,
		},
	}
}
