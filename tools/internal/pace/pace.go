// Package pace keeps requests below a limit of so many a second as the other
// side sees them arrive, in any second and not only on average.
//
// Two things make this harder than it looks. A bucket that refills lets twice
// as many through in a second that lies across its edge. And a request arrives
// later than it leaves, by a time that is never the same: the first ones wait
// for their connections. So a request counts from the moment it was allowed
// until a little more than a second after it was written, which
// [Ticket.Written] tells.
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

// Lease is the longest that a request which was allowed may take to be written,
// see [Trace]. It bounds how long one counts whose sender went away.
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
	// be. Of several calls the last counts.
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

// Trace returns a context for the request that a ticket of an endpoint is for,
// which tells the ticket when the request was written. A request that is sent
// once more, or whose connection was so long in coming that the ticket's lease
// may end, waits for another ticket first: an HTTP transport sends again by
// itself what a server that closes a connection cannot have read. The function
// returned must be called once the request has ended, however it did.
func Trace(ctx context.Context, w Window, endpoint string, ticket Ticket) (traced context.Context, ended func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	s := &sending{ticket: ticket, granted: time.Now()}
	traced = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(c httptrace.GotConnInfo) {
			if s.connected(!c.Reused) {
				return
			}
			another, err := Wait(ctx, w, endpoint)
			if err != nil {
				cancel(err) // before it is written
				return
			}
			s.renew(another)
		},
		WroteRequest: func(httptrace.WroteRequestInfo) { s.wrote() },
	})
	return traced, func() {
		s.end()
		cancel(nil)
	}
}

// sending is one request on its way.
type sending struct {
	mu      sync.Mutex
	ticket  Ticket
	granted time.Time
	fresh   bool // the connection is new
	written bool // with the present ticket
}

// connected tells whether the ticket is good for the connection that was just
// got.
func (s *sending) connected(fresh bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fresh = fresh
	return !s.written && time.Since(s.granted) < Lease/2
}

func (s *sending) renew(t Ticket) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.written {
		s.ticket.Written()
	}
	s.ticket, s.granted, s.written = t, time.Now(), false
}

func (s *sending) wrote() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.written = true
	s.ticket.Written()
	if s.fresh {
		time.AfterFunc(accept, s.ticket.Written)
	}
}

func (s *sending) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.written {
		s.ticket.Written()
	}
}

// NewHTTPClient returns a client that follows no redirects, so that the key
// stays on its host.
func NewHTTPClient() *http.Client {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Client{
		CheckRedirect: verify.NoRedirects,
		Transport: &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         dialer.DialContext,
			ForceAttemptHTTP2:   true,
			TLSHandshakeTimeout: 10 * time.Second,
			IdleConnTimeout:     90 * time.Second,
			MaxIdleConnsPerHost: 100,
		},
	}
}
