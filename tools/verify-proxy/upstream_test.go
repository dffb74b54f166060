package main

import (
	"context"
	"errors"
	"expvar"
	"net/http/httptest"
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

func (l *leaving) Allow() (pace.Place, time.Duration, error) {
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
			c := &call{Request: httptest.NewRequest("GET", pathMe, nil)}
			_, err := askVerifier(ctx, a, c, func(ctx context.Context) (any, error) { return nil, ctx.Err() })
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
