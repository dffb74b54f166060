package pages

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// shown is a page that somebody has open.
type shown struct {
	app.Compo
	ctx             app.Context
	status, problem string
}

func (s *shown) OnPreRender(ctx app.Context) { s.ctx = ctx }
func (s *shown) Render() app.UI              { return app.Div() }
func (s *shown) UI() app.Context             { return s.ctx }
func (s *shown) Tell(status, problem string) { s.status, s.problem = status, problem }

// visit opens a page; settle does what is waiting to be done on it.
func visit(t *testing.T) (s *shown, settle func()) {
	t.Helper()
	s = &shown{}
	engine := app.NewTestEngine()
	if err := engine.Load(s); err != nil {
		t.Fatal(err)
	}
	engine.ConsumeAll()
	return s, engine.ConsumeAll
}

// An operation says what happens until it is done. One that was given up, as for
// another one, changes nothing any more.
func TestOperation(t *testing.T) {
	s, settle := visit(t)
	var e Operation
	var done []string
	run := func(status, name string) {
		e.Run(s, status, func(context.Context) func() { return func() { done = append(done, name) } })
	}
	run("First.", "first")
	run("Second.", "second")
	if s.status != "Second." {
		t.Errorf("it says %q", s.status)
	}
	if settle(); s.status != "" || strings.Join(done, " ") != "second" {
		t.Errorf("it says %q, done are %q", s.status, done)
	}
	s.status = "Else."
	run("", "quiet")
	e.GiveUp()
	if settle(); s.status != "Else." || len(done) != 1 {
		t.Errorf("it says %q, done are %q", s.status, done)
	}
}

func TestDownloadThatFails(t *testing.T) {
	s, settle := visit(t)
	Download(s, "x.csv", "text/csv", "", func(io.Writer) error { return errors.New("no room") }, func() { t.Error("it is done") })
	settle()
	if s.status != "" || s.problem != "x.csv could not be created. No room." {
		t.Errorf("it says %q and %q", s.status, s.problem)
	}
}

// job is one that ends when it is told to.
type job struct {
	paused  bool
	stopped chan struct{}
}

func (j *job) Pause()       { j.paused = true }
func (j *job) Resume()      { j.paused = false }
func (j *job) Paused() bool { return j.paused }
func (j *job) Stop()        { close(j.stopped) }

// What a job did is shown until it ends, or the page is left: then nobody is
// told.
func TestWork(t *testing.T) {
	for _, left := range []bool{false, true} {
		s, settle := visit(t)
		j := &job{paused: true, stopped: make(chan struct{})}
		refreshes, ended := 0, 0
		var w Work
		w.Start(s, Task{Name: "Work", Job: j,
			Run: func(ctx context.Context) func() {
				select {
				case <-j.stopped:
				case <-ctx.Done():
				}
				return func() { ended++ }
			},
			Refresh:  func() time.Duration { refreshes++; return time.Millisecond },
			Patience: func() time.Duration { return time.Millisecond },
		})
		if !w.On || j.paused || refreshes != 1 {
			t.Errorf("at work: %v, paused %v, %d refreshes", w.On, j.paused, refreshes)
		}
		if left {
			w.Leave()
		} else {
			w.stop(s.ctx, app.Event{})
			if !w.Stopping || s.status == "" {
				t.Errorf("stopping %v, it says %q", w.Stopping, s.status)
			}
		}
		if settle(); w.On || w.Stopping || ended != map[bool]int{false: 1}[left] {
			t.Errorf("left %v: at work %v, ended %d times", left, w.On, ended)
		}
	}
}
