package prospect

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"marketingskills/app/prospect/codehost"
)

// run is the state of one call of Run; only its goroutine touches it.
type run struct {
	*Job
	each     func(Event) error
	ctx      context.Context
	started  time.Time
	requests atomic.Int64
	notices  chan codehost.Notice

	head, cursor int   // first person not told; first not looked at
	inFlight     int   // requests
	ahead        int   // profiles asked for and not told yet
	listing      bool  // a page is being read
	pageMarks    []int // pages read for people not reached yet
	answers      chan answer
	stop         error // why nothing new starts
	pageErr      error // why there are no more pages for now
	failures     int   // failed requests in a row
	forecast     forecast
}

// answer is a profile, or a page if who is nil.
type answer struct {
	who  *person
	user codehost.User
	page codehost.Page
	err  error
	sent *time.Time // when the request left
}

// ErrOutput: the caller's function failed; the run ended.
var ErrOutput = errors.New("output failed")

// Run lists, enriches, filters and stops. Every outcome is given to each, one
// at a time, in the order of the listing; an error from it ends the run. The
// report is always complete in itself; the error is nil exactly if
// Report.Complete. No goroutine outlives the call.
//
// Called again, it goes on where it ended; people who failed for a passing
// reason are asked for, and told, again.
func (j *Job) Run(ctx context.Context, each func(Event) error) (Report, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{Job: j, each: each, started: j.now(), answers: make(chan answer), notices: make(chan codehost.Notice, 16), ctx: ctx}
	r.rewind()
	err := r.loop()
	cancel()
	r.drain()
	if errors.Is(err, errDone) {
		err = nil
	} else if !errors.Is(err, ErrOutput) {
		r.rest()
	}
	return r.report(err)
}

// notice counts requests and passes waits on.
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

// rewind takes back what a run before this one failed at for now.
func (r *run) rewind() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forecast.left, r.stopping = -1, false
	for i, e := range r.entries {
		e.asked, e.err = false, nil
		if e.Again {
			if e.told {
				r.counts.add(e.Verdict, e.Cause, -1)
			}
			e.Verdict, e.Cause, e.Detail, e.Again, e.told, e.replayed = Waiting, "", "", false, false, false
		}
		if !e.told && e.there() && (r.query.Limit == 0 || i < r.query.Limit) {
			r.forecast.free++
		}
	}
}

// errDone ends the loop when nothing more is wanted.
var errDone = errors.New("done")

func (r *run) loop() error {
	for {
		if err := r.conclude(); err != nil {
			return err
		}
		switch {
		case r.stop != nil:
		case r.ctx.Err() != nil:
			r.stop = fmt.Errorf("%w: what was found is kept; start again to go on (%w)", codehost.ErrInterrupted, r.ctx.Err())
		case r.toldToStop():
			r.stop = fmt.Errorf("%w: what was found is kept; start again to go on", codehost.ErrInterrupted)
		}
		if r.stop != nil && r.inFlight == 0 {
			return r.stop
		}
		paused := r.Paused()
		if r.stop == nil && !paused {
			r.start()
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
			return errors.New("the run came to a standstill; report it")
		}
		var done <-chan struct{}
		if r.stop == nil {
			done = r.ctx.Done()
		}
		select {
		case a := <-r.answers:
			r.receive(a)
		case n := <-r.notices:
			if err := r.tell(Event{Notice: &n}); err != nil {
				return err
			}
		case <-r.wake:
			if err := r.tell(Event{}); err != nil {
				return err
			}
		case <-done:
		}
	}
}

// start sends as many requests as are allowed: at most concurrency at once,
// and with a target never more than concurrency that are not yet known to be
// needed.
func (r *run) start() {
	r.mu.Lock()
	defer r.mu.Unlock()
	window := r.concurrency
	if r.query.Target == 0 {
		window = 8 * r.concurrency // nothing is in vain: one slow answer must not stop the rest
	}
	for r.inFlight < r.concurrency && r.ahead+len(r.pageMarks)+boolean(r.listing) < window {
		limited := r.query.Limit > 0 && max(r.cursor, len(r.entries)) >= r.query.Limit
		low := r.cursor == len(r.entries) || (r.query.Target == 0 && r.query.Enriches() && len(r.entries)-r.cursor <= r.concurrency)
		if low && !limited && !r.listing && !r.listedAll && r.pageErr == nil && !r.enough() {
			r.listing = true
			r.inFlight++
			lister := r.lister
			ctx, sent := r.timed()
			go func() {
				page, err := lister.Next(ctx)
				r.answers <- answer{page: page, err: err, sent: sent}
			}()
			continue
		}
		if r.cursor == len(r.entries) || (r.query.Limit > 0 && r.cursor >= r.query.Limit) {
			return
		}
		e := r.entries[r.cursor]
		if r.needs(e) {
			if r.enough() {
				return
			}
			e.asked = true
			r.inFlight++
			r.ahead++
			ctx, sent := r.timed()
			go func() {
				user, err := r.client.User(ctx, e.Login)
				r.answers <- answer{who: e, user: user, err: err, sent: sent}
			}()
		}
		r.cursor++
	}
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// enough tells, under the lock, whether the requests under way reach the
// target for certain: nothing in a profile can make a person fall through.
func (r *run) enough() bool {
	q := r.query
	certain := !q.WithEmail && !q.WithCompany && !q.WithBlog && r.suppress.Len() == 0
	return q.Target > 0 && certain && r.counts.Kept+r.ahead >= q.Target
}

// receive takes an answer in.
func (r *run) receive(a answer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.inFlight--
	if !a.sent.IsZero() {
		r.forecast.pace.measure(r.now().Sub(*a.sent))
	}
	if a.who == nil {
		r.listing = false
		at := len(r.entries)
		r.take(a.page, a.err)
		if at > r.head {
			r.pageMarks = append(r.pageMarks, at)
		}
		switch {
		case r.listedAll || a.err == nil:
		case ends(a.err):
			r.end(a.err)
		default:
			r.pageErr = a.err
		}
		return
	}
	e := a.who
	switch {
	case a.err == nil:
		record := e.record(r.query, &a.user, r.now())
		e.Record = &record
		r.same.entry(&e.Entry)
	case ends(a.err) || (r.stop != nil && codehost.Transient(a.err)):
		e.asked = false
		r.end(a.err)
	default:
		e.err = a.err
	}
}

// end notes the first reason to stop.
func (r *run) end(err error) {
	if r.stop == nil {
		r.stop = err
	}
}

func (r *run) frontReady() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.head < len(r.entries) && r.ready(r.entries[r.head])
}

// there tells, under the lock, whether all about a person is known that will
// be, short of a failure.
func (e *person) there() bool { return e.Record != nil || e.Verdict != Waiting }

// ready tells, under the lock, whether a person can be judged now.
func (r *run) ready(e *person) bool {
	if e.told || e.there() || e.err != nil {
		return true
	}
	return !e.asked && !r.needs(e)
}

// conclude tells the outcomes of those in front that are ready.
func (r *run) conclude() error {
	for {
		e, err := r.step()
		if e == nil || err != nil {
			return err
		}
		if err := r.decide(e, r.head); err != nil {
			return err
		}
		if r.failures >= outage && r.stop == nil {
			r.stop = fmt.Errorf("%d requests in a row failed, the last: %w", r.failures, e.err)
		}
	}
}

// step goes past the person in front, who is to be decided about, if that can
// be done now.
func (r *run) step() (*person, error) {
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
	if e.asked {
		r.ahead--
	}
	return e, nil
}

// decide judges a person and tells the outcome, in one go for [Job.Suppress].
func (r *run) decide(e *person, number int) error {
	r.handing.Lock()
	defer r.handing.Unlock()
	r.mu.Lock()
	if e.told {
		r.mu.Unlock()
		return nil
	}
	if f := &r.forecast; !e.asked && e.there() {
		f.free--
	} else {
		f.fresh++
		f.asked += boolean(e.asked)
	}
	detail := e.Detail
	switch {
	case e.Verdict == Kept: // from a saved run: the suppression may be new
		e.Verdict, e.Cause = judge(*e.Record, r.query, r.suppress)
	case e.Verdict != Waiting:
	case e.err != nil:
		e.Verdict, detail = Failed, Plain(e.err.Error())
		e.Cause, e.Again = failure(e.err)
	default:
		e.Verdict, e.Cause = judgeListed(&e.Entry, r.query, r.suppress)
		if e.Cause == "gone" {
			detail = "the listing names nobody: the account is gone"
		}
		if e.Verdict == Waiting {
			if e.Record == nil {
				record := e.record(r.query, nil, r.now())
				e.Record = &record
			}
			e.Verdict, e.Cause = judge(*e.Record, r.query, r.suppress)
		}
	}
	if e.Again {
		r.failures++
	} else if e.asked {
		r.failures = 0
	}
	e.Detail, e.told = detail, true
	if e.Verdict != Kept {
		e.Record = nil
	}
	r.counts.add(e.Verdict, e.Cause, 1)
	outcome := Outcome{Number: number, Login: e.Login, Verdict: e.Verdict, Cause: e.Cause, Detail: detail, Again: e.Again, Replayed: e.replayed, Record: e.Record}
	r.mu.Unlock()
	return r.tell(Event{Outcome: &outcome})
}

// drain waits for what is in flight, and keeps what still comes.
func (r *run) drain() {
	for r.inFlight > 0 {
		r.receive(<-r.answers)
	}
}

// rest tells the outcomes of those who were answered behind somebody who was
// not: what was found is kept.
func (r *run) rest() {
	for i := r.head; i < len(r.entries); i++ {
		r.mu.Lock()
		e, full := r.entries[i], r.full()
		known := e.there() || e.err != nil
		r.mu.Unlock()
		if full || known && r.decide(e, i+1) != nil {
			return
		}
	}
}

func (r *run) tell(e Event) error {
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
	report := Report{Query: r.query, Counts: r.totals(), Requests: int(r.requests.Load()), Quota: r.client.Quota(), Started: r.started, Finished: r.now()}
	switch {
	case err != nil:
		report.Stop = newStop(err)
		if errors.Is(err, ErrOutput) {
			report.Stop.Reason = "output"
		}
	case !r.full() && r.listEnd != nil:
		report.Stop, err = r.listEnd, r.listEnd.Err
	default:
		report.Complete = true
	}
	if !r.listedAll && r.pages > 0 {
		_ = r.readAgain(r.lastRead) // an address of the lister's own
	}
	r.last = report
	return report, err
}
