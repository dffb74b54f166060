package codehost_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/fakehost"
	"marketingskills/app/rest"
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
		h := &fakehost.Host{People: fakehost.Crowd(2020), PerMinute: 900, Latency: 80 * time.Millisecond}
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
		h := &fakehost.Host{People: fakehost.Crowd(5), PerMinute: 1}
		c := client(t, h, func(c *codehost.Config) { c.PointsPerMinute = 1 })
		if failed := ask(t.Context(), c, 5); failed != nil || h.Count().OverPace != 0 {
			t.Errorf("%v, %d over", failed, h.Count().OverPace)
		}
	})
}

func TestQuotaIsNotOverdrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &fakehost.Host{People: fakehost.Crowd(200), Quota: 57, Latency: 80 * time.Millisecond}
		c := client(t, h, nil)
		failed := ask(t.Context(), c, 100)
		if len(failed) != 43 || h.Count().Requests != 57 || h.Count().InPenalty != 0 {
			t.Errorf("%d failed, %d requests, %d in the penalty", len(failed), h.Count().Requests, h.Count().InPenalty)
		}
		quota, ok := errors.AsType[*codehost.LimitError](failed[0])
		if !ok || quota.Kind != codehost.ErrQuota || quota.Limit != 57 || time.Until(quota.Until) < 50*time.Minute {
			t.Fatalf("%v", failed[0])
		}
		if at, ok := codehost.RetryAt(failed[0]); !ok || !at.Equal(quota.Until) {
			t.Error("RetryAt")
		}
		if q, err := c.RateLimit(t.Context()); err != nil || q.Remaining != 0 || q.Limit != 57 {
			t.Errorf("the look-up is free: %+v, %v", q, err)
		}
		time.Sleep(time.Until(quota.Until))
		if failed := ask(t.Context(), c, 20); failed != nil {
			t.Errorf("after the reset: %v", failed[0])
		}
	})
}

func TestPatienceWaitsForTheQuota(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &fakehost.Host{People: fakehost.Crowd(200), Quota: 57, Latency: 80 * time.Millisecond}
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
	for _, kind := range []fakehost.Kind{fakehost.Secondary, fakehost.Secondary429, fakehost.SecondaryBare} {
		synctest.Test(t, func(t *testing.T) {
			h := &fakehost.Host{People: fakehost.Crowd(200), Latency: 80 * time.Millisecond,
				Faults: []*fakehost.Fault{{Kind: kind, From: 30, Times: 12}}}
			failed := ask(t.Context(), client(t, h, nil), 100)
			if failed != nil || h.Count().InPenalty != 0 {
				t.Errorf("kind %d: %v; %d requests in the penalty", kind, failed, h.Count().InPenalty)
			}
		})
		synctest.Test(t, func(t *testing.T) {
			h := &fakehost.Host{People: fakehost.Crowd(200), Latency: 80 * time.Millisecond,
				Faults: []*fakehost.Fault{{Kind: kind, From: 30, Wait: 10 * time.Minute}}}
			failed := ask(t.Context(), client(t, h, nil), 100)
			if len(failed) != 71 || h.Count().InPenalty != 0 {
				t.Fatalf("kind %d: %d failed; %d requests in the penalty", kind, len(failed), h.Count().InPenalty)
			}
			if p, ok := errors.AsType[*codehost.LimitError](failed[0]); !ok || p.Kind != codehost.ErrPause || !p.Until.After(time.Now()) {
				t.Errorf("%v", failed[0])
			}
			noToken(t, failed[0])
		})
	}
}

func TestHostWithoutQuota(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &fakehost.Host{People: fakehost.Crowd(200), Unlimited: true, Latency: 80 * time.Millisecond}
		if failed := ask(t.Context(), client(t, h, nil), 200); failed != nil || h.Count().MostAtOnce != 10 {
			t.Errorf("%v, %d at once", failed, h.Count().MostAtOnce)
		}
	})
}

func TestCancellationEndsEveryWait(t *testing.T) {
	for name, h := range map[string]*fakehost.Host{
		"penalty": {People: fakehost.Crowd(20), Faults: []*fakehost.Fault{{Kind: fakehost.Secondary, Wait: 100 * time.Second}}},
		"retry":   {People: fakehost.Crowd(20), Faults: []*fakehost.Fault{{Kind: fakehost.Drop}}},
		"hang":    {People: fakehost.Crowd(20), Faults: []*fakehost.Fault{{Kind: fakehost.Hang}}},
		"latency": {People: fakehost.Crowd(20), Latency: 20 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			start := time.Now()
			_, err := client(t, h, nil).User(ctx, "person-00001")
			if !errors.Is(err, rest.ErrInterrupted) || !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > time.Second {
				t.Errorf("%s: %v after %v", name, err, time.Since(start))
			}
		})
	}
}

// What is said to be the least time is what it takes, but for the answers.
func TestLeastTimeIsWhatItTakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &fakehost.Host{People: fakehost.Crowd(300)}
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
		h := &fakehost.Host{People: fakehost.Crowd(300), Quota: 50}
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
		h := &fakehost.Host{People: fakehost.Crowd(3), Faults: []*fakehost.Fault{{Kind: fakehost.Secondary, Wait: 10 * time.Minute}}}
		c := client(t, h, nil)
		ask(t.Context(), c, 1)
		if least := c.LeastTime(1); least < 9*time.Minute || least > 10*time.Minute {
			t.Errorf("in a penalty of 10 minutes %v", least)
		}
	})
}

// dateless answers as a browser shows answers to a page: without the Date.
type dateless struct{ *fakehost.Host }

func (d dateless) Do(r *http.Request) (*http.Response, error) {
	resp, err := d.Host.Do(r)
	if err == nil {
		resp.Header.Del("Date")
	}
	return resp, err
}

// ahead is a clock that runs ahead of the host's.
type ahead time.Duration

func (a ahead) Now() time.Time { return time.Now().Add(time.Duration(a)) }

var clocks = []time.Duration{0, 3 * time.Second, 70 * time.Minute, 2 * time.Hour, 30 * time.Hour}

// visitor is a client in a browser, on a clock that runs ahead.
func visitor(t *testing.T, h *fakehost.Host, by time.Duration) *codehost.Client {
	return client(t, h, func(c *codehost.Config) { c.Doer, c.Now = dateless{h}, ahead(by).Now })
}

// A clock ahead of the host's, and nothing to set it by: a run is as fast as
// with a clock that is right, and what is left is what the host says.
func TestClockAheadOfTheHost(t *testing.T) {
	const answer = 20 * time.Millisecond
	for _, by := range clocks {
		t.Run(by.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := &fakehost.Host{People: fakehost.Crowd(200), Latency: answer}
				c := visitor(t, h, by)
				var resets []time.Time
				for asked := 100; asked <= 500; asked += 100 {
					start := time.Now()
					if failed := ask(t.Context(), c, 100); failed != nil {
						t.Fatal(failed[0])
					}
					if took := time.Since(start); took > 12*answer || h.Count().MostAtOnce != 10 {
						t.Errorf("100 people took %v, %d at once", took, h.Count().MostAtOnce)
					}
					q := c.Quota()
					if !q.Known || q.Limit != 5000 || q.Remaining != 5000-asked || !q.Reset.After(ahead(by).Now()) {
						t.Errorf("after %d the quota is %+v", asked, q)
					}
					resets = append(resets, q.Reset)
					time.Sleep(5 * time.Second)
				}
				if !resets[0].Equal(resets[4]) {
					t.Errorf("the reset moves with the answers: %v", resets)
				}
				time.Sleep(5 * time.Minute) // in which nothing is heard
				if q := c.Quota(); q.Remaining != 4500 {
					t.Errorf("after a rest %+v", q)
				}
			})
		})
	}
}

// What is used up is left alone until it is there again for certain.
func TestClockAheadKeepsTheQuota(t *testing.T) {
	for _, by := range clocks {
		t.Run(by.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := &fakehost.Host{People: fakehost.Crowd(200), Quota: 57, Latency: 20 * time.Millisecond}
				c := visitor(t, h, by)
				for round := range 3 {
					if q, err := c.RateLimit(t.Context()); err != nil || q.Remaining != 57 || !q.Reset.After(ahead(by).Now()) {
						t.Errorf("round %d: %+v, %v", round, q, err)
					}
					failed := ask(t.Context(), c, 100)
					if len(failed) != 43 {
						t.Fatalf("round %d: %d of 100 failed", round, len(failed))
					}
					at, limit := codehost.RetryAt(failed[0])
					if c.Quota().Remaining != 0 || !limit || !at.After(ahead(by).Now()) {
						t.Errorf("round %d: %v, %+v", round, failed[0], c.Quota())
					}
					time.Sleep(at.Sub(ahead(by).Now()) + 3*time.Second)
				}
				if n := h.Count().InPenalty; n > 0 {
					t.Errorf("%d requests were sent that could not be answered", n)
				}
			})
		})
	}
}

// The hour ends while it is listened to: what was taken for its end is past,
// and the host says the same as before.
func TestClockThatIsAheadInTheHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &fakehost.Host{People: fakehost.Crowd(200), Latency: 20 * time.Millisecond}
		c := visitor(t, h, 40*time.Minute)
		for asked := 100; asked <= 600; asked += 100 {
			start := time.Now()
			if failed := ask(t.Context(), c, 100); failed != nil {
				t.Fatal(failed[0])
			}
			if took := time.Since(start); took > 260*time.Millisecond || c.Quota().Remaining != 5000-asked {
				t.Errorf("after %d: %v, %+v", asked, took, c.Quota())
			}
			time.Sleep(9 * time.Minute)
		}
		time.Sleep(7 * time.Minute)
		if failed := ask(t.Context(), c, 100); failed != nil || c.Quota().Remaining != 4900 {
			t.Errorf("in the next hour %v, %+v", failed, c.Quota())
		}
	})
	for _, by := range []time.Duration{4 * time.Second, 40 * time.Minute} { // with nothing left
		synctest.Test(t, func(t *testing.T) {
			h := &fakehost.Host{People: fakehost.Crowd(200), Quota: 57}
			c := visitor(t, h, by)
			client(t, h, nil).RateLimit(t.Context()) // the hour begins
			time.Sleep(10 * time.Minute)
			start := time.Now()
			ask(t.Context(), c, 57)
			for _, err := c.User(t.Context(), "person-00001"); err != nil; _, err = c.User(t.Context(), "person-00001") {
				at, limit := codehost.RetryAt(err)
				if !limit {
					t.Fatal(err)
				}
				time.Sleep(at.Sub(ahead(by).Now()))
			}
			if n, took := h.Count().InPenalty, time.Since(start); n > 2 || took > max(by, time.Minute)+61*time.Minute || by < time.Minute && took > 52*time.Minute {
				t.Errorf("%v ahead: %d requests while nothing was left, for %v", by, n, took)
			}
		})
	}
}

// Whoever is to wait for an hour that may be over sooner can look: it is free.
func TestLookingUpTheQuotaEndsAWaitThatIsTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &fakehost.Host{People: fakehost.Crowd(200), Quota: 57}
		client(t, h, nil).RateLimit(t.Context()) // the hour begins
		time.Sleep(50 * time.Minute)
		c := client(t, h, func(c *codehost.Config) { c.Doer, c.Now = dateless{h}, ahead(5*time.Hour).Now })
		other := client(t, h, nil)
		if failed := ask(t.Context(), other, 57); failed != nil {
			t.Fatal(failed[0])
		}
		_, err := c.User(t.Context(), "person-00001") // hears it from the refusal
		if _, limit := codehost.RetryAt(err); !limit {
			t.Fatal(err)
		}
		sent := h.Count().Requests
		time.Sleep(11 * time.Minute)
		if _, err := c.User(t.Context(), "person-00001"); err == nil || h.Count().Requests != sent {
			t.Errorf("%v, %d requests", err, h.Count().Requests-sent)
		}
		if q, err := c.RateLimit(t.Context()); err != nil || q.Remaining != 57 {
			t.Errorf("%+v, %v", q, err)
		}
		if failed := ask(t.Context(), c, 57); failed != nil {
			t.Error(failed[0])
		}
	})
}
