package job_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"marketingskills/app/job"
)

// work gives tasks that take so many seconds each, and notes what becomes of
// them.
type work struct {
	takes       []int
	given       int
	now, most   int // under way
	ended       []int
	taken       []int
	takeFails   int // the task whose Take fails; -1: none
	interrupted int // tasks whose context ended
	changed     int
}

func (w *work) plan(atOnce, ahead int) job.Plan {
	return job.Plan{AtOnce: atOnce, Ahead: ahead, Changed: func() { w.changed++ }, Next: func() *job.Task {
		if w.given == len(w.takes) {
			return nil
		}
		n := w.given
		w.given++
		task := &job.Task{Take: func() error {
			if n == w.takeFails {
				return errTake
			}
			w.taken = append(w.taken, n)
			return nil
		}}
		if seconds := w.takes[n]; seconds > 0 {
			w.now++
			w.most = max(w.most, w.now)
			stopped := false
			task.Do = func(ctx context.Context) {
				select {
				case <-time.After(time.Duration(seconds) * time.Second):
				case <-ctx.Done():
					stopped = true
				}
			}
			task.Done = func() {
				w.now--
				w.ended = append(w.ended, n)
				if stopped {
					w.interrupted++
				}
			}
		}
		return task
	}}
}

var errTake, errEnd = errors.New("not taken"), errors.New("ended")

func upTo(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

// TestOrder: results are taken in order, whatever ends first, and no more is under
// way or ahead than the plan says.
func TestOrder(t *testing.T) {
	for _, c := range []struct {
		takes         []int
		atOnce, ahead int
		ended         []int
		seconds, most int
	}{
		{nil, 3, 9, nil, 0, 0},
		{[]int{0, 0, 0}, 1, 1, nil, 0, 0},
		{[]int{3, 1, 2}, 3, 9, []int{1, 2, 0}, 3, 3},
		{[]int{3, 1, 1}, 1, 9, []int{0, 1, 2}, 5, 1},
		{[]int{3, 1, 1, 2}, 2, 2, []int{1, 0, 2, 3}, 5, 2}, // the second waits for the first to be taken
		{[]int{0, 3, 0, 1, 0}, 2, 9, []int{3, 1}, 3, 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			w, began := &work{takes: c.takes, takeFails: -1}, time.Now()
			var control job.Control
			if err := control.Run(t.Context(), w.plan(c.atOnce, c.ahead)); err != nil {
				t.Error(err)
			}
			took := int(time.Since(began) / time.Second)
			if !slices.Equal(w.taken, upTo(len(c.takes))) || !slices.Equal(w.ended, c.ended) || took != c.seconds || w.most != c.most {
				t.Errorf("%v, %d at once: taken %v, ended %v after %d s, %d under way", c.takes, c.atOnce, w.taken, w.ended, took, w.most)
			}
		})
	}
}

// TestReadyFirst: what takes no time is taken before the next task is asked for,
// since that may not be needed then.
func TestReadyFirst(t *testing.T) {
	w := &work{takes: make([]int, 9), takeFails: 4}
	var control job.Control
	if err := control.Run(t.Context(), w.plan(3, 9)); !errors.Is(err, errTake) || w.given != 5 {
		t.Errorf("%v, %d given", err, w.given)
	}
}

// TestEnds: how a run ends before its tasks do, and what is taken then.
func TestEnds(t *testing.T) {
	for name, c := range map[string]struct {
		after       time.Duration
		do          func(*job.Control, context.CancelFunc)
		want        error
		taken       int
		interrupted int
	}{
		"stopped":            {1500 * time.Millisecond, func(c *job.Control, _ context.CancelFunc) { c.Stop() }, job.ErrStopped, 6, 0},
		"stopped in a pause": {1500 * time.Millisecond, func(c *job.Control, _ context.CancelFunc) { c.Pause(); c.Stop() }, job.ErrStopped, 6, 0},
		"ended":              {1500 * time.Millisecond, func(c *job.Control, _ context.CancelFunc) { c.End(errEnd); c.End(errTake) }, errEnd, 6, 0},
		"left":               {1500 * time.Millisecond, func(_ *job.Control, leave context.CancelFunc) { leave() }, context.Canceled, 6, 3},
		"too late":           {time.Hour, func(c *job.Control, _ context.CancelFunc) { c.Stop() }, nil, 9, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			w := &work{takes: slices.Repeat([]int{1}, 9), takeFails: -1}
			var control job.Control
			time.AfterFunc(c.after, func() { c.do(&control, leave) })
			err := control.Run(ctx, w.plan(3, 9))
			if !errors.Is(err, c.want) || !slices.Equal(w.taken, upTo(c.taken)) || w.now != 0 || w.interrupted != c.interrupted {
				t.Errorf("%s: %v, taken %v, %d under way, %d interrupted", name, err, w.taken, w.now, w.interrupted)
			}
		})
	}
}

// TestTakeFails: tasks under way are cancelled and waited for, and nothing else is
// taken.
func TestTakeFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &work{takes: []int{1, 2, 3, 4}, takeFails: 1}
		var control job.Control
		err := control.Run(t.Context(), w.plan(4, 9))
		if !errors.Is(err, errTake) || fmt.Sprint(w.taken) != "[0]" || len(w.ended) != 4 || w.interrupted != 2 || w.now != 0 {
			t.Errorf("%v, taken %v, ended %v, %d interrupted", err, w.taken, w.ended, w.interrupted)
		}
	})
}

// TestPause: nothing starts while paused or held, and a Stop holds until Resume.
func TestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &work{takes: slices.Repeat([]int{1}, 6), takeFails: -1}
		var control job.Control
		time.AfterFunc(1500*time.Millisecond, control.Pause)
		time.AfterFunc(time.Hour, func() {
			if !control.Paused() || len(w.taken) != 4 {
				t.Errorf("paused %v, taken %v", control.Paused(), w.taken)
			}
			control.Hold(time.Hour)
			control.Resume()
		})
		began := time.Now()
		if err := control.Run(t.Context(), w.plan(2, 9)); err != nil || len(w.taken) != 6 || time.Since(began) != 2*time.Hour+time.Second || w.changed != 2 {
			t.Errorf("%v, taken %v after %v, %d changes", err, w.taken, time.Since(began), w.changed)
		}
		if !control.HeldUntil().Equal(began.Add(2 * time.Hour)) {
			t.Errorf("held until %v", control.HeldUntil())
		}
		control.Stop()
		for range 2 {
			if err := control.Run(t.Context(), (&work{takes: []int{1}, takeFails: -1}).plan(2, 9)); !errors.Is(err, job.ErrStopped) {
				t.Error(err)
			}
		}
		control.Resume()
		if err := control.Run(t.Context(), (&work{takes: []int{1}, takeFails: -1}).plan(2, 9)); err != nil {
			t.Error(err)
		}
	})
}

// TestWait: a task waits for the end of a pause, and not at all once the run ends.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var control job.Control
		began := time.Now()
		waited := func(want bool, after time.Duration) {
			t.Helper()
			if got := control.Wait(t.Context()); got != want || time.Since(began) != after {
				t.Errorf("%v after %v", got, time.Since(began))
			}
		}
		waited(true, 0)
		control.Pause()
		time.AfterFunc(time.Second, control.Resume)
		waited(true, time.Second)
		control.Hold(time.Second)
		waited(true, 2*time.Second)
		control.Sleep(t.Context(), time.Second)
		waited(true, 3*time.Second)
		control.Hold(time.Hour)
		time.AfterFunc(time.Second, func() { control.End(errEnd) })
		waited(false, 4*time.Second)
		control.Sleep(t.Context(), time.Hour)
		waited(false, 4*time.Second)
		if !control.Ending() {
			t.Error("not ending")
		}
	})
}
