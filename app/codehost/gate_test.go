package codehost_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"marketingskills/app/codehost"
	"marketingskills/app/codehost/codehosttest"
)

// ask fetches n profiles, ten at once, and returns the errors.
func ask(ctx context.Context, c *codehost.Client, n int) (failed []error) {
	var mu sync.Mutex
	var group sync.WaitGroup
	numbers := make(chan int)
	for range 10 {
		group.Go(func() {
			for i := range numbers {
				if _, err := c.User(ctx, fmt.Sprintf("person-%05d", i)); err != nil {
					mu.Lock()
					failed = append(failed, err)
					mu.Unlock()
				}
			}
		})
	}
	for i := range n {
		numbers <- i
	}
	close(numbers)
	group.Wait()
	return failed
}

func TestPaceKeepsTheMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &codehosttest.Host{People: codehosttest.Crowd(2020), PerMinute: 900, Latency: 80 * time.Millisecond}
		start := time.Now()
		if failed := ask(t.Context(), client(t, h, nil), 2020); failed != nil {
			t.Error(failed[0])
		}
		took, count := time.Since(start), h.Count()
		if count.OverPace != 0 || count.Requests != 2020 {
			t.Errorf("%d requests, %d over the pace", count.Requests, count.OverPace)
		}
		if ratio := took.Seconds() / 120; ratio > 1.05 {
			t.Errorf("took %v, %.3f of the bound", took, ratio)
		}
	})
}

func TestPaceOfOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &codehosttest.Host{People: codehosttest.Crowd(5), PerMinute: 1}
		c := client(t, h, func(c *codehost.Config) { c.PointsPerMinute = 1 })
		if failed := ask(t.Context(), c, 5); failed != nil || h.Count().OverPace != 0 {
			t.Errorf("%v, %d over", failed, h.Count().OverPace)
		}
	})
}

func TestQuotaIsNotOverdrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &codehosttest.Host{People: codehosttest.Crowd(200), Quota: 57, Latency: 80 * time.Millisecond}
		c := client(t, h, nil)
		failed := ask(t.Context(), c, 100)
		if len(failed) != 43 || h.Count().Requests != 57 || h.Count().InPenalty != 0 {
			t.Errorf("%d failed, %d requests, %d in the penalty", len(failed), h.Count().Requests, h.Count().InPenalty)
		}
		quota, ok := errors.AsType[*codehost.QuotaError](failed[0])
		if !ok || quota.Limit != 57 || time.Until(quota.Reset) < 50*time.Minute {
			t.Fatalf("%v", failed[0])
		}
		if at, ok := codehost.RetryAt(failed[0]); !ok || !at.Equal(quota.Reset) {
			t.Error("RetryAt")
		}
		if q, err := c.RateLimit(t.Context()); err != nil || q.Remaining != 0 || q.Limit != 57 {
			t.Errorf("the look-up is free: %+v, %v", q, err)
		}
		time.Sleep(time.Until(quota.Reset))
		if failed := ask(t.Context(), c, 20); failed != nil {
			t.Errorf("after the reset: %v", failed[0])
		}
	})
}

func TestPatienceWaitsForTheQuota(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &codehosttest.Host{People: codehosttest.Crowd(200), Quota: 57, Latency: 80 * time.Millisecond}
		c := client(t, h, func(c *codehost.Config) { c.Patience = 2 * time.Hour })
		waits := 0
		var mu sync.Mutex
		ctx := codehost.WithNotices(t.Context(), func(n codehost.Notice) {
			mu.Lock()
			defer mu.Unlock()
			if n.Kind == codehost.NoticeWaiting {
				waits++
			}
		})
		if failed := ask(ctx, c, 100); failed != nil || h.Count().InPenalty != 0 || waits == 0 {
			t.Errorf("%v, %d in the penalty, %d waits told", failed, h.Count().InPenalty, waits)
		}
	})
}

func TestPenaltiesAreKept(t *testing.T) {
	for _, kind := range []codehosttest.Kind{codehosttest.Secondary, codehosttest.Secondary429, codehosttest.SecondaryMum} {
		synctest.Test(t, func(t *testing.T) {
			h := &codehosttest.Host{People: codehosttest.Crowd(200), Latency: 80 * time.Millisecond,
				Faults: []*codehosttest.Fault{{Kind: kind, From: 30, Times: 12}}}
			failed := ask(t.Context(), client(t, h, nil), 100)
			if failed != nil || h.Count().InPenalty != 0 {
				t.Errorf("kind %d: %v; %d requests in the penalty", kind, failed, h.Count().InPenalty)
			}
		})
		synctest.Test(t, func(t *testing.T) {
			h := &codehosttest.Host{People: codehosttest.Crowd(200), Latency: 80 * time.Millisecond,
				Faults: []*codehosttest.Fault{{Kind: kind, From: 30, Wait: 10 * time.Minute}}}
			failed := ask(t.Context(), client(t, h, nil), 100)
			if len(failed) != 71 || h.Count().InPenalty != 0 {
				t.Fatalf("kind %d: %d failed; %d requests in the penalty", kind, len(failed), h.Count().InPenalty)
			}
			if p, ok := errors.AsType[*codehost.PenaltyError](failed[0]); !ok || !p.Until.After(time.Now()) {
				t.Errorf("%v", failed[0])
			}
			noToken(t, failed[0])
		})
	}
}

func TestHostWithoutQuota(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &codehosttest.Host{People: codehosttest.Crowd(200), Unlimited: true, Latency: 80 * time.Millisecond}
		if failed := ask(t.Context(), client(t, h, nil), 200); failed != nil || h.Count().MostAtOnce != 10 {
			t.Errorf("%v, %d at once", failed, h.Count().MostAtOnce)
		}
	})
}

func TestCancellationEndsEveryWait(t *testing.T) {
	for name, h := range map[string]*codehosttest.Host{
		"penalty": {People: codehosttest.Crowd(20), Faults: []*codehosttest.Fault{{Kind: codehosttest.Secondary, Wait: 100 * time.Second}}},
		"retry":   {People: codehosttest.Crowd(20), Faults: []*codehosttest.Fault{{Kind: codehosttest.Drop}}},
		"hang":    {People: codehosttest.Crowd(20), Faults: []*codehosttest.Fault{{Kind: codehosttest.Hang}}},
		"latency": {People: codehosttest.Crowd(20), Latency: 20 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			start := time.Now()
			_, err := client(t, h, nil).User(ctx, "person-00001")
			if !errors.Is(err, codehost.ErrInterrupted) || !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > time.Second {
				t.Errorf("%s: %v after %v", name, err, time.Since(start))
			}
		})
	}
}

// What is said to be the least time is what it takes, but for the answers.
func TestLeastTimeIsWhatItTakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &codehosttest.Host{People: codehosttest.Crowd(300)}
		c := client(t, h, func(c *codehost.Config) { c.PointsPerMinute = 60 })
		if c.LeastTime(60) != 0 || c.LeastTime(0) != 0 || c.LeastTime(61).Round(time.Second) != time.Minute || c.LeastTime(180).Round(time.Second) != 2*time.Minute {
			t.Errorf("at first %v, %v, %v", c.LeastTime(60), c.LeastTime(61), c.LeastTime(180))
		}
		for _, n := range []int{40, 15, 30, 100, 61} {
			start, least := time.Now(), c.LeastTime(n)
			if failed := ask(t.Context(), c, n); failed != nil {
				t.Fatal(failed[0])
			}
			if took := time.Since(start); (took - least).Abs() > time.Second {
				t.Errorf("%d requests took %v; the least was said to be %v", n, took, least)
			}
			time.Sleep(7 * time.Second)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		h := &codehosttest.Host{People: codehosttest.Crowd(300), Quota: 50}
		c := client(t, h, func(c *codehost.Config) { c.Patience, c.PointsPerMinute = 2*time.Hour, -1 })
		ask(t.Context(), c, 20)
		if c.LeastTime(30) != 0 || c.LeastTime(31).Round(time.Minute) != time.Hour || c.LeastTime(81).Round(time.Minute) != 2*time.Hour {
			t.Errorf("%v, %v, %v", c.LeastTime(30), c.LeastTime(31), c.LeastTime(81))
		}
		c = client(t, h, func(c *codehost.Config) { c.PointsPerMinute = -1 })
		ask(t.Context(), c, 1)
		if c.LeastTime(1000) != 0 { // a wait that is not taken is none
			t.Errorf("%v", c.LeastTime(1000))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		h := &codehosttest.Host{People: codehosttest.Crowd(3), Faults: []*codehosttest.Fault{{Kind: codehosttest.Secondary, Wait: 10 * time.Minute}}}
		c := client(t, h, nil)
		ask(t.Context(), c, 1)
		if least := c.LeastTime(1); least < 9*time.Minute || least > 10*time.Minute {
			t.Errorf("in a penalty of 10 minutes %v", least)
		}
	})
}
