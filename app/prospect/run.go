package prospect

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"marketingskills/app/job"
	"marketingskills/app/rest"
)

// run is one call of [Job.Run]; only its goroutine touches it. The way of a
// person through it: next, request and receive (fetch.go), filter (filter.go),
// emit.
type run struct {
	*Job
	each     func(Event) error // nil once it has failed
	ctx      context.Context
	started  time.Time
	requests atomic.Int64

	cursor   int   // first person not looked at
	ahead    int   // profiles requested whose people were not emitted
	reading  bool  // a page is being read
	pageErr  error // why there are no more pages for now
	failures int   // failed requests in a row
	forecast forecast
}

// ErrOutput: the caller's function failed; the run ended.
var ErrOutput = errors.New("could not write the results")

var (
	errEnough      = errors.New("enough") // ends a run when nothing more is wanted
	errInterrupted = fmt.Errorf("%w; results so far are kept; resume to continue", rest.ErrInterrupted)
)

// Run lists, fetches, filters and stops. Every outcome is given to each, one
// at a time, in the order of the listing; an error from it ends the run. The
// report is always complete in itself; the error is nil exactly if
// Report.Complete. No goroutine outlives the call.
//
// Called again, it resumes where it ended; people who failed with a temporary
// error are requested, and given to each, again.
func (j *Job) Run(ctx context.Context, each func(Event) error) (Report, error) {
	r := &run{Job: j, each: each, started: time.Now(), ctx: ctx}
	r.rewind()
	window := r.concurrency
	if r.query.Target == 0 {
		window *= 8 // every profile is needed: one slow response must not stop the rest
	}
	err := r.Control.Run(ctx, job.Plan{Next: r.next, AtOnce: r.concurrency, Ahead: window,
		Changed: func() { r.send(Event{}) }})
	switch {
	case errors.Is(err, errEnough):
		err = nil
	case errors.Is(err, job.ErrStopped):
		err = errInterrupted
	case err != nil && errors.Is(err, ctx.Err()):
		err = fmt.Errorf("%w (%w)", errInterrupted, err)
	case err == nil && r.pageErr != nil:
		err = r.pageErr
	}
	return r.report(err)
}

// rewind takes back the temporary failures of a run before this one.
func (r *run) rewind() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forecast.left = -1
	for i, e := range r.entries {
		e.requested, e.err = false, nil
		if e.Again {
			if e.emitted {
				r.counts.add(e.Verdict, e.Cause, -1)
			}
			e.Verdict, e.Cause, e.Detail, e.Again, e.emitted = Waiting, "", "", false, false
		}
		if !e.emitted && e.known() && (r.query.Limit == 0 || i < r.query.Limit) {
			r.forecast.free++
		}
	}
}

// known reports, under the lock, whether all about a person is known that will
// be, short of a failure.
func (e *person) known() bool { return e.Record != nil || e.Verdict != Waiting }

// emit filters a person and gives the outcome to the caller, in one go for
// [Job.Suppress]. Nothing is emitted of people whose request ended with the run.
func (r *run) emit(e *person, number int) error {
	r.handing.Lock()
	defer r.handing.Unlock()
	r.mu.Lock()
	if e.emitted || r.needs(e) {
		r.mu.Unlock()
		return nil
	}
	if f := &r.forecast; !e.requested && e.known() {
		f.free--
	} else {
		f.fresh++
		f.requested += boolean(e.requested)
	}
	r.filter(e)
	if e.Again {
		r.failures++
	} else if e.requested {
		r.failures = 0
	}
	e.emitted = true
	r.counts.add(e.Verdict, e.Cause, 1)
	outcome, full := Outcome{number, e.Entry}, r.full()
	r.mu.Unlock()
	if r.failures >= outage {
		r.End(fmt.Errorf("%d requests in a row failed, the last: %w", r.failures, e.err))
	}
	if err := r.give(Event{Outcome: &outcome}); err != nil {
		return err
	}
	if full {
		return errEnough
	}
	return nil
}

// send tells the caller of what is no outcome.
func (r *run) send(e Event) {
	r.handing.Lock()
	defer r.handing.Unlock()
	if err := r.give(e); err != nil {
		r.End(err)
	}
}

// give calls the caller's function; callers hold its lock.
func (r *run) give(e Event) error {
	if r.each == nil {
		return nil
	}
	e.Progress = r.progress()
	if err := r.each(e); err != nil {
		r.each = nil
		return fmt.Errorf("%w: %w", ErrOutput, err)
	}
	return nil
}

func (r *run) report(err error) (Report, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	report := Report{Query: r.query, Counts: r.totals(), Requests: int(r.requests.Load()), Quota: r.client.Quota(),
		Started: r.started, Finished: time.Now()}
	switch {
	case err != nil:
		report.Stop = NewStop(err)
	case !r.full() && r.listEnd != nil:
		report.Stop, err = r.listEnd, r.listEnd.Err
	default:
		report.Complete = true
	}
	if !r.listedAll {
		r.listing.Again = r.listing.LastRead != ""
	}
	r.last = report
	return report, err
}
