package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"time"

	"marketingskills/app/verify"
	"marketingskills/tools/internal/pace"
)

// askVerifier asks the verifier when it is the call's turn.
func askVerifier[T any](a *api, c *call, question func(context.Context) (T, error)) (answer T, err error) {
	if a.upstream == nil {
		return answer, errNoKey
	}
	q := a.queues[c.URL.Path]
	caller, _, _ := net.SplitHostPort(c.RemoteAddr)
	written, err := q.wait(c.Context(), caller)
	if err != nil {
		return answer, err
	}
	a.counters.Add("requests to the verifier", 1)
	ctx, ended := pace.Trace(c.Context(), written)
	defer ended()
	answer, err = question(ctx)
	if limit, ok := errors.AsType[*verify.LimitError](err); ok {
		q.hold(limit.Wait)
	}
	return answer, err
}

var (
	errNoKey = refuse(http.StatusNotImplemented,
		"this proxy has no key for a verifier and makes free checks only; set VERIFY_URL and VERIFY_API_KEY and start it again")
	errNoLimit = &apiError{http.StatusServiceUnavailable,
		"the limit that this proxy shares with others cannot be read, because Redis does not answer; nothing was sent", 5 * time.Second}
)

func errFull(retryAfter time.Duration) *apiError {
	return &apiError{http.StatusTooManyRequests, "too many requests are waiting; try again later", retryAfter}
}

// failure says what callers are told when the verifier fails in some way.
type failure struct {
	kind   error
	status int
	words  string
	quote  bool // add what the verifier says
}

const noVerifier = "what answers at VERIFY_URL is no verifier for this proxy; check VERIFY_URL and start it again"

var failures = []failure{
	{verify.ErrKey, 502, "the verifier does not accept this proxy's key; set VERIFY_API_KEY to a valid one and start it again", true},
	{verify.ErrPayment, 402, "the verifier wants payment", true},
	{verify.ErrLimit, 429, "the verifier asks for a pause", false},
	{verify.ErrRequest, 422, "the verifier did not take this", true},
	{verify.ErrTimeout, 504, "the verifier did not answer in time; try again", false},
	{verify.ErrAbsent, 502, noVerifier, true},
	{verify.ErrRefused, 502, noVerifier, true},
	{verify.ErrUnreachable, 502, "the verifier cannot be reached; try again later", false},
}

// answerTo is what a caller is told about an error.
func answerTo(err error) *apiError {
	if e, ok := errors.AsType[*apiError](err); ok {
		return e
	}
	f := failure{nil, 502, "the verifier failed; try again later", true}
	if i := slices.IndexFunc(failures, func(f failure) bool { return errors.Is(err, f.kind) }); i >= 0 {
		f = failures[i]
	}
	switch said := verify.Message(err); {
	case !f.quote || said == "":
	case f.kind == verify.ErrPayment: // who reads a 402 needs no more of our words
		f.words = said
	default:
		f.words += " (it says: " + said + ")"
	}
	answer := refuse(f.status, f.words)
	if limit, ok := errors.AsType[*verify.LimitError](err); ok {
		answer.retryAfter = limit.Wait
	}
	return answer
}
