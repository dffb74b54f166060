package main

import (
	"context"
	"errors"
	"expvar"
	"net/http/httptest"
	"net/http/httptrace"
	"testing"
	"testing/synctest"
	"time"

	"marketingskills/app/verify"
	"marketingskills/tools/internal/pace"
)

// leaving is a window whose callers leave as soon as they are allowed.
type leaving struct {
	pace.Local
	leave func()
}

func (l *leaving) Allow() (pace.Written, time.Duration, error) {
	defer l.leave()
	return l.Local.Allow()
}

// TestLeaverGivesBackPlace: a caller who leaves when it is his turn keeps the
// others waiting for a second, not until his lease ends.
func TestLeaverGivesBackPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		window := new(leaving)
		a := &api{upstream: new(verify.Client), queues: map[string]*queue{pathMe: {window: window}}, counters: new(expvar.Map)}
		call := func(ctx context.Context) error {
			c := &call{Request: httptest.NewRequestWithContext(ctx, "GET", pathMe, nil)}
			_, err := askVerifier(a, c, func(ctx context.Context) (any, error) { return nil, ctx.Err() })
			return err
		}
		began := time.Now()
		for range pace.Limit {
			ctx, leave := context.WithCancel(t.Context())
			window.leave = leave
			if err := call(ctx); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		window.leave = func() {}
		if err := call(t.Context()); err != nil || time.Since(began) != pace.Span {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
	})
}

// once is a window that allows one request and cannot be asked afterwards.
type once struct{ asked bool }

func (o *once) Allow() (pace.Written, time.Duration, error) {
	if o.asked {
		return nil, 0, errors.New("connection refused")
	}
	o.asked = true
	return func() {}, 0, nil
}

// TestLimitLostOnTheWay: a request that the transport would send again is not,
// when the limit cannot be asked any more, and the caller hears why.
func TestLimitLostOnTheWay(t *testing.T) {
	a := &api{upstream: new(verify.Client), queues: map[string]*queue{pathMe: {window: new(once)}}, counters: new(expvar.Map)}
	c := &call{Request: httptest.NewRequestWithContext(t.Context(), "GET", pathMe, nil)}
	_, err := askVerifier(a, c, func(ctx context.Context) (any, error) {
		transport := httptrace.ContextClientTrace(ctx)
		transport.WroteRequest(httptrace.WroteRequestInfo{})
		transport.GotConn(httptrace.GotConnInfo{})
		return nil, ctx.Err()
	})
	if !errors.Is(err, errNoLimit) {
		t.Errorf("got %v", err)
	}
}
