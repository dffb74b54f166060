package main

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"marketingskills/app/rest"
	"marketingskills/app/verify"
	"marketingskills/tools/internal/pace"
)

// askVerifier asks the verifier when it is the call's turn, or gives up when ctx
// ends before. A question that got no connection while it had a slot waits for
// its turn again.
func askVerifier[T any](ctx context.Context, a *api, c *call, question func(context.Context) (T, error)) (answer T, failed error) {
	if a.upstream == nil {
		return answer, errNoKey
	}
	q := a.queues[c.URL.Path]
	for connecting := time.Duration(0); connecting < pace.Lease; {
		slot, err := q.wait(ctx, clientOf(c.RemoteAddr))
		if err != nil {
			return answer, err
		}
		began := time.Now()
		traced, ended := pace.Trace(ctx, slot)
		answer, failed = question(traced)
		if unsent := ended(); !unsent {
			break
		}
		connecting += time.Since(began)
	}
	a.counters.Add("requests to the verifier", 1)
	if limit, ok := errors.AsType[*verify.LimitError](failed); ok {
		q.hold(limit.Wait)
	}
	return answer, failed
}

var errNoKey = refuse(http.StatusNotImplemented,
	"this proxy has no key for a verifier and makes free checks only; set VERIFY_URL and VERIFY_API_KEY and start it again")

var errNoLists = refuse(http.StatusMethodNotAllowed, "the verifier takes no lists; verify emails one by one at "+pathInline)

func errNoLimit(cause error) *apiError {
	next := "try again later"
	if e, ok := errors.AsType[*redisError](cause); ok {
		next = e.next
	}
	return &apiError{status: http.StatusServiceUnavailable, retryAfter: unavailable, cause: cause.Error(),
		words: "the limit that this proxy shares with others cannot be kept in Redis; nothing was sent; " + next}
}

func errFull(retryAfter time.Duration) *apiError {
	return &apiError{status: http.StatusTooManyRequests, retryAfter: retryAfter, words: "too many requests are waiting; try again later"}
}

// reply says what callers are told when the verifier fails in some way.
type reply struct {
	kind   error
	status int
	words  string
	quote  bool // add what the verifier says
}

const (
	noVerifier = "what answers at VERIFY_URL is not the verifier that this proxy asks; check VERIFY_URL and VERIFY_SERVICE, and start it again"
	noAnswer   = "the verifier did not answer in time; try again"
)

var replies = []reply{
	{verify.ErrKey, 502, "the verifier does not accept this proxy's key; set VERIFY_API_KEY to a valid one and start it again", true},
	{verify.ErrPayment, 402, "the verifier wants payment", true},
	{verify.ErrLimit, 429, "the verifier asks for a pause", false},
	{verify.ErrNoLists, errNoLists.status, errNoLists.words, false},
	{verify.ErrRequest, 422, "the verifier did not take this", true},
	{rest.ErrTimeout, 504, noAnswer, false},
	{context.DeadlineExceeded, 504, noAnswer, false},
	{verify.ErrAbsent, 502, noVerifier, true},
	{verify.ErrRefused, 502, noVerifier, true},
	{rest.ErrUnreachable, 502, "the verifier cannot be reached; try again later", false},
}

// toAPIError is what a caller is told about an error.
func toAPIError(err error) *apiError {
	if e, ok := errors.AsType[*apiError](err); ok {
		return e
	}
	r := reply{nil, 502, "the verifier failed; try again later", true}
	if i := slices.IndexFunc(replies, func(r reply) bool { return errors.Is(err, r.kind) }); i >= 0 {
		r = replies[i]
	}
	e := &apiError{status: r.status, words: r.words, cause: err.Error()}
	if f, ok := errors.AsType[*rest.Failure](err); ok && f.Message != "" && f.Kind != rest.ErrUnreachable {
		quiet := *f
		quiet.Message = "" // the verifier's words may hold an address
		e.cause = quiet.Error()
		switch {
		case f.Kind == verify.ErrPayment: // who reads a 402 needs no more of our words
			e.words = f.Message
		case r.quote:
			e.words += " (it says: " + f.Message + ")"
		}
	}
	if limit, ok := errors.AsType[*verify.LimitError](err); ok {
		e.retryAfter = limit.Wait
	}
	if errors.Is(err, rest.ErrUnsent) { // a caller that knows may ask again by itself
		e.status, e.retryAfter = http.StatusServiceUnavailable, unavailable
	}
	return e
}
