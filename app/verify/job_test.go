package verify

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"marketingskills/app/rest"
)

// fake is an [Asker] whose answers take a second each, in the test's own time.
type fake struct {
	mu     sync.Mutex
	asked  map[string]int
	at     []time.Time // of requests
	now    int         // requests under way
	most   int
	answer func(address string, n int) error // n: requests of all addresses so far
}

func (f *fake) Verify(ctx context.Context, address string) (Result, error) {
	f.mu.Lock()
	if f.asked == nil {
		f.asked = map[string]int{}
	}
	f.asked[address]++
	f.at = append(f.at, time.Now())
	n := len(f.at)
	f.now++
	f.most = max(f.most, f.now)
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		f.now--
		f.mu.Unlock()
	}()
	select {
	case <-time.After(time.Second):
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		return Result{}, &rest.Failure{Kind: rest.ErrInterrupted, Cause: ctx.Err()}
	}
	if f.answer != nil {
		if err := f.answer(address, n); err != nil {
			return Result{}, err
		}
	}
	return Result{Address: address, State: OK, SubState: EmailOK, VerifiedAt: "2026-11-03T10:00:00Z"}, nil
}

func (f *fake) requests() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.at)
}

// once complains of addresses that were asked for more or less than once.
func (f *fake) once(t *testing.T, addresses int) {
	t.Helper()
	if len(f.asked) != addresses {
		t.Errorf("%d addresses were asked about, want %d", len(f.asked), addresses)
	}
	for address, n := range f.asked {
		if n != 1 {
			t.Errorf("%s was asked about %d times", address, n)
		}
	}
}

func kindOnly(kind *rest.Kind) error {
	return &rest.Failure{Kind: kind, Attempt: "verify an email with x"}
}

func unsent(kind *rest.Kind) error { return &rest.Failure{Kind: kind, Cause: rest.ErrUnsent} }

func limit(wait time.Duration) error {
	return &LimitError{wait, kindOnly(ErrLimit)}
}

// many makes a checked job of so many plausible addresses.
func many(t *testing.T, n int) *Job {
	t.Helper()
	addresses := make([]string, n)
	for i := range addresses {
		addresses[i] = fmt.Sprintf("a%03d@x.example", i)
	}
	j := NewJob(addresses)
	if err := j.Check(t.Context(), Checker{}, func() {}); err != nil {
		t.Fatal(err)
	}
	return j
}

func asked(j *Job) (n int) {
	for _, e := range j.Entries() {
		if e.Asked {
			n++
		}
	}
	return n
}

func none() {}

func TestJobAsksOnceAndOnlyWhatIsOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := NewJob([]string{"a@x.example", "b@x.example", "A@x.example", " a@X.Example", "no address", "a@gone.example", "info@x.example", "known@x.example"})
		if !j.Know("known@X.example", Result{State: Risky}) || j.Know("other@x.example", Result{State: OK}) {
			t.Error("Know mixes up addresses")
		}
		if j.Credits() != 0 {
			t.Errorf("before the checks, %d credits are known of", j.Credits())
		}
		checks := 0
		if err := j.Check(t.Context(), Checker{Disposable: "gone.example"}, func() { checks++ }); err != nil || checks != 7 {
			t.Errorf("%d checks, %v", checks, err)
		}
		if j.Credits() != 4 || j.Len() != 7 {
			t.Errorf("%d credits for %d addresses", j.Credits(), j.Len())
		}
		var f fake
		var mu sync.Mutex
		answers := 0
		if err := j.Run(t.Context(), f.Verify, func() { mu.Lock(); answers++; mu.Unlock() }); err != nil || answers != 4 {
			t.Errorf("%d answers, %v", answers, err)
		}
		f.once(t, 4)
		for address, want := range map[string]State{"a@X.EXAMPLE": OK, "A@x.example": OK, "no address": EmailInvalid, "a@gone.example": Risky,
			"info@x.example": OK, "known@x.example": Risky} {
			if e, ok := j.Entry(address); !ok || e.Result.State != want || e.Open() {
				t.Errorf("%s: %+v", address, e)
			}
		}
		if e, _ := j.Entry("a@x.example"); e.Times != 2 || e.Address != "a@x.example" || e.Local.State != Unknown {
			t.Errorf("%+v", e)
		}
		if _, ok := j.Entry("other@x.example"); ok {
			t.Error("an address is in the job that was not given")
		}
		if err := j.Run(t.Context(), f.Verify, none); err != nil || f.requests() != 4 {
			t.Errorf("run again: %v, %d requests", err, f.requests())
		}
	})
}

func TestJobBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f fake
		if err := many(t, 200).Run(t.Context(), f.Verify, none); err != nil || f.most != inFlight {
			t.Errorf("%d requests at once, want %d; %v", f.most, inFlight, err)
		}
		f.once(t, 200)
	})
}

func TestPauseAndResume(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, f := many(t, 100), &fake{}
		done := make(chan error)
		go func() { done <- j.Run(t.Context(), f.Verify, none) }()
		time.Sleep(500 * time.Millisecond)
		j.Pause()
		j.Pause()
		time.Sleep(time.Hour)
		if n := f.requests(); n != inFlight || asked(j) != n || !j.Paused() {
			t.Errorf("paused, it has %d of %d answers", asked(j), n)
		}
		j.Resume()
		j.Resume()
		if err := <-done; err != nil || j.Paused() {
			t.Error(err)
		}
		f.once(t, 100)
	})
}

func TestStopKeepsWhatIsUnderWay(t *testing.T) {
	for _, paused := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			j, f := many(t, 100), &fake{}
			done := make(chan error)
			go func() { done <- j.Run(t.Context(), f.Verify, none) }()
			time.Sleep(500 * time.Millisecond)
			if paused {
				j.Pause()
			}
			j.Stop()
			err := <-done
			if !errors.Is(err, rest.ErrInterrupted) || f.requests() != inFlight || asked(j) != inFlight {
				t.Errorf("stopped: %v, %d of %d answers", err, asked(j), f.requests())
			}
			j.Resume()
			if err := j.Run(t.Context(), f.Verify, none); err != nil {
				t.Error(err)
			}
			f.once(t, 100)
		})
	}
}

// TestStopHolds: until Resume no run asks anything, also one that begins later.
func TestStopHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, f := many(t, 3), &fake{}
		j.Stop()
		for range 2 {
			if err := j.Run(t.Context(), f.Verify, none); !errors.Is(err, rest.ErrInterrupted) || f.requests() != 0 {
				t.Errorf("stopped: %v after %d requests", err, f.requests())
			}
		}
		j.Pause() // it does not keep a stopped run from ending
		if err := j.Run(t.Context(), f.Verify, none); !errors.Is(err, rest.ErrInterrupted) {
			t.Error(err)
		}
		j.Resume()
		if err := j.Run(t.Context(), f.Verify, none); err != nil {
			t.Error(err)
		}
		f.once(t, 3)
	})
}

// TestStopBetweenTries: what still waits for another try is left open, and it
// is said.
func TestStopBetweenTries(t *testing.T) {
	for _, kind := range []error{unsent(ErrServer), limit(time.Minute)} {
		synctest.Test(t, func(t *testing.T) {
			j := many(t, 3)
			f := &fake{answer: func(string, int) error { return kind }}
			time.AfterFunc(1100*time.Millisecond, j.Stop)
			if err := j.Run(t.Context(), f.Verify, none); !errors.Is(err, rest.ErrInterrupted) || j.Credits() != 3 || f.requests() != 3 {
				t.Errorf("%v after %d requests", err, f.requests())
			}
		})
	}
}

func TestEndOfContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, paused := range []bool{false, true} {
			j, f := many(t, 100), &fake{}
			ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
			if paused {
				j.Pause()
			}
			start := time.Now()
			err := j.Run(ctx, f.Verify, none)
			if !errors.Is(err, rest.ErrInterrupted) || !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 1500*time.Millisecond {
				t.Errorf("%v after %s", err, time.Since(start))
			}
			for _, e := range j.Entries() {
				if e.Err != nil {
					t.Errorf("%s failed: %v", e.Address, e.Err)
				}
			}
			cancel()
			j.Resume()
			if err := j.Run(t.Context(), f.Verify, none); err != nil || j.Credits() != 0 {
				t.Errorf("%d left, %v", j.Credits(), err)
			}
		}
	})
}

// A context that was ended for a reason of the caller's is an interruption too.
func TestCauseOfAnEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, why := many(t, 10), errors.New("the page was left")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(why)
		if err := j.Run(ctx, (&fake{}).Verify, none); !errors.Is(err, rest.ErrInterrupted) || !errors.Is(err, why) {
			t.Error(err)
		}
	})
}

func TestLimitIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := many(t, 50)
		f := &fake{answer: func(_ string, n int) error {
			if n <= 10 {
				return limit(90 * time.Second)
			}
			return nil
		}}
		waits := make(chan time.Time, 1)
		go func() {
			time.Sleep(10 * time.Second)
			waits <- j.HeldUntil()
		}()
		start := time.Now()
		if err := j.Run(t.Context(), f.Verify, none); err != nil {
			t.Error(err)
		}
		if until, want := <-waits, start.Add(91*time.Second); !until.Equal(want) {
			t.Errorf("it says it waits until %s, not %s", until, want)
		}
		for _, at := range f.at {
			if since := at.Sub(start); since > time.Second && since < 91*time.Second {
				t.Errorf("a request left after %s", since)
			}
		}
		if len(f.at) != 60 || asked(j) != 50 {
			t.Errorf("%d requests for %d answers", len(f.at), asked(j))
		}
	})
}

// TestLimitWithoutEnd: who always answers that it is too early is not asked for
// ever.
func TestLimitWithoutEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		j, always := many(t, 3), limit(time.Second)
		f := &fake{answer: func(string, int) error { return always }}
		if err := j.Run(ctx, f.Verify, none); err != always || j.Credits() != 3 || f.requests() > 3*mostWaits || f.requests() < mostWaits {
			t.Errorf("%v after %d requests", err, f.requests())
		}
		f.answer = nil
		if err := j.Run(ctx, f.Verify, none); err != nil || j.Credits() != 0 {
			t.Errorf("run again: %v, %d credits", err, j.Credits())
		}
	})
}

// TestLimitsOfOneAddress: as long as others are answered, it is only a limit.
func TestLimitsOfOneAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		j, f := many(t, 200), &fake{}
		refused := 0
		f.answer = func(address string, _ int) error {
			if address == "a000@x.example" && refused < mostWaits+3 {
				refused++
				return limit(time.Second)
			}
			return nil
		}
		if err := j.Run(ctx, f.Verify, none); err != nil || asked(j) != 200 || refused != mostWaits+3 {
			t.Errorf("%v, %d answers, %d times a limit", err, asked(j), refused)
		}
	})
}

// TestEndsOfARun: what holds for all addresses ends the run, keeps the answers
// and notes nothing at the addresses.
func TestEndsOfARun(t *testing.T) {
	for _, end := range []error{kindOnly(ErrKey), kindOnly(ErrPayment), kindOnly(ErrRefused), kindOnly(ErrNoKey), kindOnly(ErrAbsent), limit(time.Hour)} {
		synctest.Test(t, func(t *testing.T) {
			j := many(t, 100)
			bad := true
			f := &fake{answer: func(_ string, n int) error {
				if bad && n > 40 {
					return end
				}
				return nil
			}}
			err := j.Run(t.Context(), f.Verify, none)
			if err != end || asked(j) != 40 || f.requests() > 70 {
				t.Errorf("%v after %d answers of %d", err, asked(j), f.requests())
			}
			for _, e := range j.Entries() {
				if e.Err != nil || e.Open() == e.Asked {
					t.Errorf("%+v", e)
				}
			}
			bad = false
			if err := j.Run(t.Context(), f.Verify, none); err != nil || asked(j) != 100 {
				t.Errorf("run again: %v, %d answers", err, asked(j))
			}

			// All were handed out when it came to its end.
			j, bad = many(t, 3), true
			f = &fake{answer: func(string, int) error { return end }}
			if err := j.Run(t.Context(), f.Verify, none); err != end || asked(j) != 0 || f.requests() != 3 {
				t.Errorf("of 3: %v after %d answers of %d", err, asked(j), f.requests())
			}
		})
	}
}

func TestFailuresOfOneAddress(t *testing.T) {
	// What may have been paid for is not sent again.
	for kind, requests := range map[error]int{ErrRequest: 1, ErrServer: 1, rest.ErrTimeout: 1, rest.ErrUnreachable: 1, unsent(ErrServer): tries,
		unsent(rest.ErrTimeout): tries, unsent(rest.ErrUnreachable): tries} {
		synctest.Test(t, func(t *testing.T) {
			j := many(t, 100)
			f := &fake{answer: func(address string, _ int) error {
				if address == "a007@x.example" {
					return kind
				}
				return nil
			}}
			calls := 0
			var mu sync.Mutex
			if err := j.Run(t.Context(), f.Verify, func() { mu.Lock(); calls++; mu.Unlock() }); err != nil || calls != 100 || asked(j) != 99 {
				t.Errorf("%v: %v, %d calls, %d answers", kind, err, calls, asked(j))
			}
			e, _ := j.Entry("a007@x.example")
			if !errors.Is(e.Err, kind) || f.asked[e.Address] != requests || e.Result.State != Unknown || !e.Open() {
				t.Errorf("%v: %+v after %d requests", kind, e, f.asked[e.Address])
			}
			f.answer = nil
			if err := j.Run(t.Context(), f.Verify, none); err != nil || j.Credits() != 0 {
				t.Errorf("%v: run again: %v", kind, err)
			}
			if e, _ = j.Entry(e.Address); e.Err != nil || e.Result.State != OK {
				t.Errorf("%v: run again: %+v", kind, e)
			}
		})
	}
}

func TestPassingFailuresAreRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := many(t, 100)
		f := &fake{answer: func(_ string, n int) error {
			if n%4 == 0 {
				return unsent(rest.ErrUnreachable)
			}
			return nil
		}}
		if err := j.Run(t.Context(), f.Verify, none); err != nil || asked(j) < 95 {
			t.Errorf("%v, %d answers", err, asked(j))
		}
	})
}

func TestOutageEndsARun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := many(t, 500)
		f := &fake{answer: func(_ string, n int) error {
			if n > 100 {
				return kindOnly(rest.ErrUnreachable)
			}
			return nil
		}}
		err := j.Run(t.Context(), f.Verify, none)
		if !errors.Is(err, rest.ErrUnreachable) || asked(j) != 100 || f.requests() > 100+tries*inFlight+inFlight {
			t.Errorf("%v after %d answers and %d requests", err, asked(j), f.requests())
		}
		if want := "5 emails in a row failed, the last: could not verify an email with x: no connection"; err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
		f.answer = nil
		if err := j.Run(t.Context(), f.Verify, none); err != nil || asked(j) != 500 {
			t.Errorf("run again: %v, %d answers", err, asked(j))
		}
	})
}

// TestScatteredFailures: between answers they are no outage, however many.
func TestScatteredFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := many(t, 600)
		f := &fake{answer: func(address string, _ int) error {
			if at := address[2:4]; address < "a300" && (at == "00" || at == "30" || at == "60") {
				return kindOnly(ErrServer)
			}
			return nil
		}}
		if err := j.Run(t.Context(), f.Verify, none); err != nil || asked(j) != 600-9 || 9 < outage {
			t.Errorf("%v, %d answers", err, asked(j))
		}
	})
}

func TestChecksAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		addresses := make([]string, 100)
		for i := range addresses {
			addresses[i] = fmt.Sprintf("a@x%d.example", i)
		}
		var mu sync.Mutex
		now, most := 0, 0
		slow := Checker{Mail: domains(func(string) (bool, string, error) {
			mu.Lock()
			now++
			most = max(most, now)
			mu.Unlock()
			time.Sleep(time.Second)
			mu.Lock()
			defer mu.Unlock()
			now--
			return true, "", nil
		})}
		j, start, calls := NewJob(addresses), time.Now(), 0
		if err := j.Check(t.Context(), slow, func() { calls++ }); err != nil || calls != 100 || most != checks {
			t.Errorf("%v, %d calls, %d at once", err, calls, most)
		}
		if took := time.Since(start); took != 100/checks*time.Second {
			t.Errorf("it took %s", took)
		}
		start = time.Now()
		if err := j.Check(t.Context(), slow, func() { calls++ }); err != nil || calls != 200 || time.Since(start) > 0 {
			t.Errorf("checked again: %v, %d calls in %s", err, calls, time.Since(start))
		}

		// What was interrupted counts as not checked.
		j = NewJob(addresses)
		ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		defer cancel()
		if err := j.Check(ctx, slow, none); !errors.Is(err, context.DeadlineExceeded) || j.Credits() != checks {
			t.Errorf("interrupted: %v, %d checked", err, j.Credits())
		}
		if err := j.Check(t.Context(), slow, none); err != nil || j.Credits() != 100 {
			t.Errorf("gone on with: %v, %d checked", err, j.Credits())
		}
	})
}

func TestEmptyJob(t *testing.T) {
	j := NewJob(nil)
	if err := errors.Join(j.Check(t.Context(), Checker{}, none), j.Run(t.Context(), (&fake{}).Verify, none)); err != nil || j.Len()+j.Credits() != 0 {
		t.Error(err)
	}
}
