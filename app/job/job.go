// Package job does tasks several at a time and takes their results in order,
// while others pause, resume and stop it. It knows no services: what a task asks
// for, and whether it is worth asking again, is the caller's.
//
// A run is one call of [Control.Run]. All of its functions but [Task.Do] are
// called in the goroutine of that call, one at a time.
package job

import "context"

// Task is one piece of work.
type Task struct {
	// Do is done in a goroutine of its own, under a context that ends with the
	// run. It is nil for what takes no time, and only waits for its turn.
	Do func(context.Context)
	// Done is called as soon as Do has returned. It may be nil.
	Done func()
	// Take is called when Do has returned and all tasks before this one were
	// taken, also after [Control.Stop] and [Control.End], when it is called for
	// all tasks that were begun. An error ends the run at once: tasks under way
	// are cancelled, their Done is called, and nothing else is taken. It may be
	// nil.
	Take func() error
}

// Plan is what a run does.
type Plan struct {
	// Next gives the next task, nil if there is none before another one has
	// ended, was taken, or [Control.Wake] was called.
	Next func() *Task
	// AtOnce is the most tasks under way, Ahead the most of those begun and not
	// taken; tasks without Do do not count.
	AtOnce, Ahead int
	// Changed is called after methods of the Control were. It may be nil.
	Changed func()
}

// run is one call of [Control.Run].
type run struct {
	Plan
	ctx      context.Context
	queue    []*entry // in order, what was begun and not taken
	returned chan *entry
	underWay int
	ahead    int
}

type entry struct {
	*Task
	done bool
}

// Run starts tasks as the plan gives them, until it gives none and all were
// taken. It returns nil then, and otherwise why it ended before: the context's
// error, [ErrStopped], the error of [Control.End] or of a [Task.Take]. No task
// outlives the call.
func (c *Control) Run(ctx context.Context, plan Plan) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c.change(func() { c.end = nil })
	r := &run{Plan: plan, ctx: ctx, returned: make(chan *entry)}
	err := r.loop(c)
	cancel()
	for r.underWay > 0 {
		r.receive(<-r.returned)
	}
	return err
}

func (r *run) loop(c *Control) error {
	for changes := c.state().changes; ; {
		if err := r.take(); err != nil {
			return err
		}
		s := c.state()
		if s.end == nil {
			s.end = r.ctx.Err()
		}
		if s.changes != changes {
			changes = s.changes
			if r.Changed != nil {
				r.Changed()
			}
		}
		starts := s.end == nil && !s.paused && s.held <= 0
		if starts && r.start() {
			continue
		}
		if r.underWay == 0 && (s.end != nil || starts) {
			return s.end
		}
		done := r.ctx.Done()
		if s.end != nil { // known already
			done = nil
		}
		select {
		case e := <-r.returned:
			r.receive(e)
		case <-s.changed:
		case <-after(s.held):
		case <-done:
		}
	}
}

// start begins tasks, as many as may be, or up to one that can be taken at once,
// which it reports.
func (r *run) start() (ready bool) {
	for r.underWay < r.AtOnce && r.ahead < r.Ahead {
		task := r.Next()
		if task == nil {
			break
		}
		e := &entry{Task: task, done: task.Do == nil}
		r.queue = append(r.queue, e)
		if !e.done {
			r.underWay++
			r.ahead++
			go func() {
				task.Do(r.ctx)
				r.returned <- e
			}()
		} else if r.queue[0] == e {
			return true
		}
	}
	return false
}

func (r *run) receive(e *entry) {
	r.underWay--
	e.done = true
	if e.Done != nil {
		e.Done()
	}
}

// take takes the tasks in front that are done.
func (r *run) take() error {
	for len(r.queue) > 0 && r.queue[0].done {
		e := r.queue[0]
		r.queue = r.queue[1:]
		if e.Do != nil {
			r.ahead--
		}
		if e.Take == nil {
			continue
		}
		if err := e.Take(); err != nil {
			return err
		}
	}
	return nil
}
