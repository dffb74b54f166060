package job

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrStopped is what a run ends with after [Control.Stop].
var ErrStopped = errors.New("stopped")

// Control is what others steer a run with, from any goroutine. The zero value is
// ready; it serves one run after the other, not several at once.
type Control struct {
	mu      sync.Mutex
	paused  bool
	stopped bool
	until   time.Time     // no task starts before
	end     error         // why no task of the present run starts any more
	changes int           // how often something of the above may have changed
	changed chan struct{} // closed at the next change; nil: nobody waits
}

// Pause keeps tasks from starting until Resume. Those under way end.
func (c *Control) Pause() { c.change(func() { c.paused = true }) }

// Resume ends a pause, and takes back a Stop.
func (c *Control) Resume() { c.change(func() { c.paused, c.stopped = false, false }) }

// Stop ends a pause, and has the run end with [ErrStopped] once the tasks under
// way have ended. It holds until Resume: a run that begins before starts nothing.
func (c *Control) Stop() { c.change(func() { c.paused, c.stopped = false, true }) }

// End has the present run end with an error once the tasks under way have ended.
// The first error counts.
func (c *Control) End(err error) {
	c.change(func() {
		if c.end == nil {
			c.end = err
		}
	})
}

// Hold keeps tasks from starting for a while.
func (c *Control) Hold(wait time.Duration) {
	c.change(func() {
		if until := time.Now().Add(wait); until.After(c.until) {
			c.until = until
		}
	})
}

// Wake has the run look again whether there are tasks.
func (c *Control) Wake() { c.change(func() {}) }

func (c *Control) change(do func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	do()
	c.changes++
	if c.changed != nil {
		close(c.changed)
		c.changed = nil
	}
}

// Paused tells whether tasks are kept from starting until Resume.
func (c *Control) Paused() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.paused
}

// HeldUntil is until when tasks are kept from starting; it is in the past when
// they are not.
func (c *Control) HeldUntil() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.until
}

// Ending tells whether no task of the present run starts any more.
func (c *Control) Ending() bool { return c.state().end != nil }

// Wait returns once a task may start. It reports false, at once, when none starts
// any more because the run or the context ends. A task that does something again
// waits here before.
func (c *Control) Wait(ctx context.Context) bool {
	for {
		s := c.state()
		switch {
		case s.end != nil || ctx.Err() != nil:
			return false
		case !s.paused && s.held <= 0:
			return true
		}
		select {
		case <-ctx.Done():
		case <-s.changed:
		case <-after(s.held):
		}
	}
}

// Sleep waits before a task does something again, at most until none starts any
// more.
func (c *Control) Sleep(ctx context.Context, d time.Duration) {
	for awake := after(d); awake != nil && ctx.Err() == nil; {
		s := c.state()
		if s.end != nil {
			return
		}
		select {
		case <-ctx.Done():
		case <-s.changed:
		case <-awake:
			return
		}
	}
}

// state is a Control at a moment.
type state struct {
	paused  bool
	held    time.Duration
	end     error
	changes int
	changed <-chan struct{}
}

func (c *Control) state() state {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.changed == nil {
		c.changed = make(chan struct{})
	}
	s := state{c.paused, time.Until(c.until), c.end, c.changes, c.changed}
	if s.end == nil && c.stopped {
		s.end = ErrStopped
	}
	return s
}

// after is time.After, and never comes for what is not in the future.
func after(d time.Duration) <-chan time.Time {
	if d <= 0 {
		return nil
	}
	return time.After(d)
}
