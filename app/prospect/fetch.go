package prospect

import (
	"context"
	"errors"
	"time"

	"marketingskills/app/job"
	"marketingskills/app/prospect/codehost"
)

// next gives the next page or person: with a target, no more of them are begun
// than concurrency that are not yet known to be needed.
func (r *run) next() *job.Task {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.full() { // as a run before this one left it
		return nil
	}
	for {
		if r.wantsPage() {
			return r.page()
		}
		if r.cursor == len(r.entries) || r.query.Limit > 0 && r.cursor >= r.query.Limit {
			return nil
		}
		e := r.entries[r.cursor]
		needed := r.needs(e)
		if needed && r.enough() {
			return nil
		}
		r.cursor++
		number := r.cursor
		take := func() error { return r.emit(e, number) }
		switch {
		case needed:
			return r.profile(e, take)
		case !e.emitted:
			return &job.Task{Take: take}
		}
	}
}

// wantsPage reports, under the lock, whether the next page is to be read now.
func (r *run) wantsPage() bool {
	if r.reading || r.listedAll || r.pageErr != nil || r.enough() {
		return false
	}
	if r.query.Limit > 0 && max(r.cursor, len(r.entries)) >= r.query.Limit {
		return false
	}
	waiting := len(r.entries) - r.cursor
	return waiting == 0 || r.query.Target == 0 && r.query.Enriches() && waiting <= r.concurrency
}

// page reads the next page. It counts as begun until the people before it were
// emitted.
func (r *run) page() *job.Task {
	r.reading = true
	listing, request := r.listing, request{run: r}
	var page codehost.Page
	return &job.Task{
		Do:   func(ctx context.Context) { page, request.err = r.client.Page(request.timed(ctx), listing) },
		Done: func() { r.received(&request, func() { r.take(page) }) },
	}
}

func (r *run) profile(e *person, take func() error) *job.Task {
	e.requested = true
	r.ahead++
	request := request{run: r, of: e}
	var user codehost.User
	return &job.Task{
		Do: func(ctx context.Context) { user, request.err = r.client.User(request.timed(ctx), e.Login) },
		Done: func() {
			r.received(&request, func() {
				record := e.record(r.query, &user, time.Now())
				e.Record = &record
				e.compact(r.texts)
			})
		},
		Take: func() error {
			r.ahead--
			return take()
		},
	}
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// enough reports, under the lock, whether the requests under way reach the
// target for certain: no filter needs the profile.
func (r *run) enough() bool {
	q := r.query
	certain := !q.WithEmail && !q.WithCompany && !q.WithBlog && r.suppress.Len() == 0
	return q.Target > 0 && certain && r.counts.Matches+r.ahead >= q.Target
}

// request is one request for a profile, or for a page.
type request struct {
	run  *run
	of   *person   // nil: a page
	sent time.Time // when it left last; the zero time if it did not
	err  error
}

// timed is the context of a request, whose notices are the run's.
func (q *request) timed(ctx context.Context) context.Context {
	return codehost.WithNotices(ctx, func(n codehost.Notice) {
		if n.Kind == codehost.NoticeSent {
			q.sent = time.Now()
			q.run.requests.Add(1)
			return
		}
		q.run.send(Event{Notice: &n})
	})
}

// received takes in what came of a request: keep is called if it succeeded.
func (r *run) received(q *request, keep func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !q.sent.IsZero() {
		r.forecast.measure(time.Since(q.sent))
	}
	if q.of == nil {
		r.reading = false
	}
	switch ending := r.ctx.Err() != nil || r.Ending(); {
	case q.err == nil:
		keep()
	case q.of == nil && (errors.Is(q.err, codehost.ErrListEnd) || errors.Is(q.err, codehost.ErrForeignHost)):
		r.listedAll, r.listEnd = true, NewStop(q.err)
	case ends(q.err) || ending && codehost.Transient(q.err):
		if q.of != nil {
			q.of.requested = false
		}
		r.End(q.err)
	case q.of == nil:
		r.pageErr = q.err
	default:
		q.of.err = q.err
	}
}
