package prospect

import (
	"errors"
	"time"

	"marketingskills/app/prospect/codehost"
)

// response is a profile, or a page if person is nil.
type response struct {
	person *person
	user   codehost.User
	page   codehost.Page
	err    error
	sent   *time.Time // when the request left
}

// request sends as many requests as are allowed: at most concurrency at once,
// and with a target never more than concurrency that are not yet known to be
// needed.
func (r *run) request() {
	r.mu.Lock()
	defer r.mu.Unlock()
	window := r.concurrency
	if r.query.Target == 0 {
		window = 8 * r.concurrency // every profile is needed: one slow response must not stop the rest
	}
	for r.inFlight < r.concurrency && r.ahead+len(r.pageMarks)+boolean(r.reading) < window {
		if r.wantsPage() {
			r.requestPage()
			continue
		}
		if r.cursor == len(r.entries) || (r.query.Limit > 0 && r.cursor >= r.query.Limit) {
			return
		}
		if e := r.entries[r.cursor]; r.needs(e) {
			if r.enough() {
				return
			}
			r.requestProfile(e)
		}
		r.cursor++
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

func (r *run) requestPage() {
	r.reading = true
	r.inFlight++
	listing := r.listing
	ctx, sent := r.timed()
	go func() {
		page, err := r.client.Page(ctx, listing)
		r.responses <- response{page: page, err: err, sent: sent}
	}()
}

func (r *run) requestProfile(e *person) {
	e.requested = true
	r.inFlight++
	r.ahead++
	ctx, sent := r.timed()
	go func() {
		user, err := r.client.User(ctx, e.Login)
		r.responses <- response{person: e, user: user, err: err, sent: sent}
	}()
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

func (r *run) receive(a response) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.inFlight--
	if !a.sent.IsZero() {
		r.forecast.measure(time.Since(*a.sent))
	}
	if a.person == nil {
		r.receivePage(a)
		return
	}
	e := a.person
	switch {
	case a.err == nil:
		record := e.record(r.query, &a.user, time.Now())
		e.Record = &record
		e.compact(r.texts)
	case ends(a.err) || (r.stop != nil && codehost.Transient(a.err)):
		e.requested = false
		r.stopFor(a.err)
	default:
		e.err = a.err
	}
}

func (r *run) receivePage(a response) {
	r.reading = false
	if before := len(r.entries); before > r.head {
		r.pageMarks = append(r.pageMarks, before)
	}
	switch {
	case a.err == nil:
		r.take(a.page)
	case errors.Is(a.err, codehost.ErrListEnd), errors.Is(a.err, codehost.ErrForeignHost):
		r.listedAll, r.listEnd = true, NewStop(a.err)
	case ends(a.err):
		r.stopFor(a.err)
	default:
		r.pageErr = a.err
	}
}
