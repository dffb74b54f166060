package verify

import (
	"errors"
	"time"

	"marketingskills/app/rest"
)

// Kinds of failure, for errors.Is, beside those of package rest. What to do next
// depends on who asked, and is said there.
var (
	// ErrKey: the key or token was missing or not accepted (401).
	ErrKey = &rest.Kind{What: "not accepted"}
	// ErrPayment: the account has no credits left (402).
	ErrPayment = &rest.Kind{What: "no credits left"}
	// ErrRefused: the caller may not ask, whatever the token (403).
	ErrRefused = &rest.Kind{What: "refused"}
	// ErrNoKey: there is a proxy, but it has no key for a verifier (501).
	ErrNoKey = &rest.Kind{What: "the proxy has no API key"}
	// ErrNoLists: there is a proxy, but its verifier takes no lists (405 to one).
	ErrNoLists = &rest.Kind{What: "the verifier takes no lists"}
	// ErrRequest: the request was not understood (other 4xx), which the
	// address may be the cause of.
	ErrRequest = &rest.Kind{What: "not understood"}
	// ErrAbsent: something answers, but no verifier: a page, for example.
	ErrAbsent = &rest.Kind{What: "no email verification there"}
	// ErrLimit is the kind of a [LimitError].
	ErrLimit = &rest.Kind{What: "too many requests"}
	// ErrServer: the other side failed (5xx).
	ErrServer = &rest.Kind{What: "server error"}
)

// LimitError says that requests must wait.
type LimitError struct {
	// Wait is how long, at least a second.
	Wait time.Duration
	// Err is of the kind ErrLimit.
	Err error
}

func (e *LimitError) Error() string { return e.Err.Error() }

func (e *LimitError) Unwrap() error { return e.Err }

// Temporary tells whether the same request may succeed a little later.
func Temporary(err error) bool {
	return errors.Is(err, ErrLimit) || errors.Is(err, ErrServer) || errors.Is(err, rest.ErrUnreachable) || errors.Is(err, rest.ErrTimeout)
}

// MayHaveCost tells whether a credit may be gone for a request that failed: the
// other side may have done what it was asked for. It has not if nothing was sent,
// or if it said so ([rest.ErrUnsent]).
func MayHaveCost(err error) bool {
	return Temporary(err) && !errors.Is(err, ErrLimit) && !errors.Is(err, rest.ErrUnsent)
}
