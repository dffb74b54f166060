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

	"marketingskills/app/verify/truelist"
	"marketingskills/tools/internal/pace"
)

// leaving is a window whose callers leave as soon as they are allowed.
type leaving struct {
	*pace.Local
	leave func()
}

func (l *leaving) Allow() (pace.Slot, time.Duration, error) {
	defer l.leave()
	return l.Local.Allow()
}

// TestLeaverGivesBackSlot: a caller who leaves when it is his turn keeps the
// others waiting for a second, not until his lease ends.
func TestLeaverGivesBackSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		window := &leaving{Local: pace.NewLocal(limit)}
		a := &api{upstream: new(truelist.Client), queues: map[string]*queue{pathMe: {window: window}}, counters: new(expvar.Map)}
		call := func(ctx context.Context) error {
			c := &call{Request: httptest.NewRequest("GET", pathMe, nil)}
			_, err := askVerifier(ctx, a, c, func(ctx context.Context) (any, error) { return nil, ctx.Err() })
			return err
		}
		began := time.Now()
		for range limit {
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

// brief is a window that gives slots for a short time only, as one in Redis
// does.
type brief struct{ *pace.Local }

type briefSlot struct {
	pace.Slot
	deadline time.Time
}

func (p briefSlot) Deadline() time.Time { return p.deadline }

func (b brief) Allow() (pace.Slot, time.Duration, error) {
	slot, wait, err := b.Local.Allow()
	if slot != nil {
		slot = briefSlot{slot, time.Now().Add(sharedLease)}
	}
	return slot, wait, err
}

// TestSlowToConnect: a question that had no connection before its slot was lost
// gets another, for as long as one process may take to connect; one that had may
// have been sent, and is not asked again.
func TestSlowToConnect(t *testing.T) {
	for _, test := range []struct {
		name       string
		connection int // the question that gets one
		written    bool
		asked      int
		took       time.Duration
		err        error
	}{
		{"at once", 1, true, 1, 0, nil},
		{"at the third question", 3, true, 3, 2 * sharedLease, nil},
		{"not written", 2, false, 2, 2 * sharedLease, context.DeadlineExceeded},
		{"never", 0, false, int(pace.Lease / sharedLease), pace.Lease, context.DeadlineExceeded},
	} {
		synctest.Test(t, func(t *testing.T) {
			a := &api{upstream: new(truelist.Client), queues: map[string]*queue{pathMe: {window: brief{pace.NewLocal(limit)}}}, counters: new(expvar.Map)}
			began, asked := time.Now(), 0
			_, err := askVerifier(t.Context(), a, &call{Request: httptest.NewRequestWithContext(t.Context(), "GET", pathMe, nil)},
				func(ctx context.Context) (any, error) {
					asked++
					trace := httptrace.ContextClientTrace(ctx)
					if asked == test.connection {
						trace.GotConn(httptrace.GotConnInfo{})
						if test.written {
							trace.WroteRequest(httptrace.WroteRequestInfo{})
							return nil, nil
						}
					}
					<-ctx.Done()
					return nil, context.Cause(ctx)
				})
			if took := time.Since(began); asked != test.asked || took != test.took || !errors.Is(err, test.err) {
				t.Errorf("%s: asked %d times in %v: %v", test.name, asked, took, err)
			}
		})
	}
}
