package fakehost_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"marketingskills/app/prospect/fakehost"
)

// A request that is given up is counted by the time Do returns, or never:
// whoever compares two counts would else see it between them.
func TestGivenUpRequestsAreCountedInTime(t *testing.T) {
	h := &fakehost.Host{Latency: time.Hour}
	for range 200 {
		ctx, cancel := context.WithCancel(t.Context())
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, fakehost.Base+"/users/nobody", nil)
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		if _, err := h.Do(r); err == nil {
			t.Fatal("a request that was given up was answered")
		}
		count := h.Count().Requests
		time.Sleep(100 * time.Microsecond)
		if late := h.Count().Requests - count; late > 0 {
			t.Fatalf("%d requests arrived after Do had returned", late)
		}
	}
}
