package prospect

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"marketingskills/app/prospect/codehost"
	"marketingskills/app/rest"
)

// run is one call of [Job.Run]; only its goroutine touches it. The way of a
// person through it: request and receive (fetch.go), filter (filter.go), emit.
type run struct {
	*Job
	each     func(Event) error
	ctx      context.Context
	started  time.Time
	requests atomic.Int64
	notices  chan codehost.Notice

	head, cursor int   // first person not emitted; first not looked at
	inFlight     int   // requests
	ahead        int   // profiles requested and not emitted yet
	reading      bool  // a page is being read
	pageMarks    []int // pages read for people not reached yet
	responses    chan response
	stop         error // why nothing new starts
	pageErr      error // why there are no more pages for now
	failures     int   // failed requests in a row
	forecast     forecast
}

// ErrOutput: the caller's function failed; the run ended.
var ErrOutput = errors.New("could not write the results")

// Run lists, fetches, filters and stops. Every outcome is given to each, one
// at a time, in the order of the listing; an error from it ends the run. The
// report is always complete in itself; the error is nil exactly if
// Report.Complete. No goroutine outlives the call.
//
// Called again, it resumes where it ended; people who failed with a temporary
// error are requested, and given to each, again.
func (j *Job) Run(ctx context.Context, each func(Event) error) (Report, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{Job: j, each: each, started: time.Now(), responses: make(chan response), notices: make(chan codehost.Notice, 16), ctx: ctx}
	r.rewind()
	err := r.loop()
	cancel()
	r.drain()
	if errors.Is(err, errDone) {
		err = nil
	} else if !errors.Is(err, ErrOutput) {
		r.emitRest()
	}
	return r.report(err)
}

func (r *run) notice(n codehost.Notice) {
	if n.Kind == codehost.NoticeSent {
		r.requests.Add(1)
		return
	}
	select {
	case r.notices <- n:
	default: // a page that is slow to draw misses some
	}
}

// rewind takes back the temporary failures of a run before this one.
func (r *run) rewind() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forecast.left, r.stopping = -1, false
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

var (
	errDone        = errors.New("done") // ends the loop when nothing more is wanted
	errInterrupted = fmt.Errorf("%w; results so far are kept; resume to continue", rest.ErrInterrupted)
)

func (r *run) loop() error {
	for {
		if err := r.emitReady(); err != nil {
			return err
		}
		r.mu.Lock()
		stopping, paused := r.stopping, r.paused
		r.mu.Unlock()
		switch {
		case r.stop != nil:
		case r.ctx.Err() != nil:
			r.stop = fmt.Errorf("%w (%w)", errInterrupted, r.ctx.Err())
		case stopping:
			r.stop = errInterrupted
		}
		if r.stop != nil && r.inFlight == 0 {
			return r.stop
		}
		if r.stop == nil && !paused {
			r.request()
		}
		if r.frontReady() {
			continue
		}
		if r.inFlight == 0 && !paused {
			switch {
			case r.pageErr != nil:
				return r.pageErr
			case r.listedAll && r.head == len(r.entries):
				return errDone
			}
			return errors.New("internal error: the run made no progress; please report it")
		}
		if err := r.wait(); err != nil {
			return err
		}
	}
}

func (r *run) wait() error {
	var done <-chan struct{}
	if r.stop == nil {
		done = r.ctx.Done()
	}
	select {
	case a := <-r.responses:
		r.receive(a)
	case n := <-r.notices:
		return r.send(Event{Notice: &n})
	case <-r.wake:
		return r.send(Event{})
	case <-done:
	}
	return nil
}

// stopFor notes the first reason to stop.
func (r *run) stopFor(err error) {
	if r.stop == nil {
		r.stop = err
	}
}

func (r *run) frontReady() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.head < len(r.entries) && r.ready(r.entries[r.head])
}

// known reports, under the lock, whether all about a person is known that will
// be, short of a failure.
func (e *person) known() bool { return e.Record != nil || e.Verdict != Waiting }

// ready reports, under the lock, whether a person can be judged now.
func (r *run) ready(e *person) bool {
	return e.emitted || e.known() || e.err != nil || !e.requested && !r.needs(e)
}

// emitReady emits the outcomes of those in front that are ready.
func (r *run) emitReady() error {
	for {
		e, err := r.advance()
		if e == nil || err != nil {
			return err
		}
		if err := r.emit(e, r.head); err != nil {
			return err
		}
		if r.failures >= outage && r.stop == nil {
			r.stop = fmt.Errorf("%d requests in a row failed, the last: %w", r.failures, e.err)
		}
	}
}

// advance returns the next person to be emitted; nil if nobody is ready.
func (r *run) advance() (*person, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.full() {
		return nil, errDone
	}
	if r.head == len(r.entries) || !r.ready(r.entries[r.head]) {
		return nil, nil
	}
	e := r.entries[r.head]
	r.head++
	r.cursor = max(r.cursor, r.head)
	for len(r.pageMarks) > 0 && r.pageMarks[0] <= r.head {
		r.pageMarks = r.pageMarks[1:]
	}
	if e.requested {
		r.ahead--
	}
	return e, nil
}

// emit filters a person and gives the outcome to the caller, in one go for
// [Job.Suppress].
func (r *run) emit(e *person, number int) error {
	r.handing.Lock()
	defer r.handing.Unlock()
	r.mu.Lock()
	if e.emitted {
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
	outcome := Outcome{number, e.Entry}
	r.mu.Unlock()
	return r.send(Event{Outcome: &outcome})
}

// drain waits for what is in flight, and keeps what still comes.
func (r *run) drain() {
	for r.inFlight > 0 {
		r.receive(<-r.responses)
	}
}

// emitRest emits the outcomes of those whose response came behind somebody
// whose did not: results so far are not lost.
func (r *run) emitRest() {
	for i := r.head; i < len(r.entries); i++ {
		r.mu.Lock()
		e, full := r.entries[i], r.full()
		ready := e.known() || e.err != nil
		r.mu.Unlock()
		if full || ready && r.emit(e, i+1) != nil {
			return
		}
	}
}

func (r *run) send(e Event) error {
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
