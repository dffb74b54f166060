package verify

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"marketingskills/app/text"
)

// Kinds of failure, for errors.Is.
var (
	// ErrKey: the key or token was missing or not accepted (401).
	ErrKey = errors.New("not accepted")
	// ErrPayment: the account has no credits left (402).
	ErrPayment = errors.New("no credits left")
	// ErrRefused: the caller may not ask, whatever the token (403).
	ErrRefused = errors.New("refused")
	// ErrNoKey: there is a proxy, but it has no key for a verifier (501).
	ErrNoKey = errors.New("the proxy has no API key")
	// ErrRequest: the request was not understood (other 4xx), which the
	// address may be the cause of.
	ErrRequest = errors.New("not understood")
	// ErrAbsent: something answers, but no verifier: a page, for example.
	ErrAbsent = errors.New("no email verification there")
	// ErrLimit is the kind of a [LimitError].
	ErrLimit = errors.New("too many requests")
	// ErrServer: the other side failed (5xx).
	ErrServer = errors.New("server error")
	// ErrUnreachable: there was no answer, or it broke off.
	ErrUnreachable = errors.New("no connection")
	// ErrTimeout: there was no whole answer in time.
	ErrTimeout = errors.New("timed out")
	// ErrUnspent stands beside another kind: nothing was spent, because the request
	// did not leave (a [Doer] that can tell says so), or because the other side said
	// that it did not take it.
	ErrUnspent = errors.New("nothing was spent")
	// ErrInterrupted: the caller ended it; errors.Is also finds the context's
	// own error.
	ErrInterrupted = errors.New("interrupted")
)

// LimitError says that requests must wait.
type LimitError struct {
	// Wait is how long, at least a second.
	Wait time.Duration
	err  error // of the kind ErrLimit
}

func (e *LimitError) Error() string { return e.err.Error() }

func (e *LimitError) Unwrap() error { return e.err }

// failure is one failed attempt.
type failure struct {
	kind    error
	attempt string // what was attempted: "verify an email"
	host    string
	status  int    // HTTP status, 0 when there was no answer
	message string // the other side's own words, cleaned
	cause   error
}

// Error is one line: "could not verify an email with api.example: no credits
// left (402): Payment required".
func (e *failure) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "could not %s with %s: %v", e.attempt, e.host, e.kind)
	if e.status > 0 {
		fmt.Fprintf(&b, " (%d)", e.status)
	}
	if e.message != "" {
		b.WriteString(": " + e.message)
	}
	return b.String()
}

func (e *failure) Unwrap() []error {
	if e.cause == nil {
		return []error{e.kind}
	}
	return []error{e.kind, e.cause}
}

// Message returns what the other side said about a failure, "" if nothing.
func Message(err error) string {
	if f, ok := errors.AsType[*failure](err); ok {
		return f.message
	}
	return ""
}

// kindOf is the kind of a status that is not a success.
func kindOf(status int) error {
	switch {
	case status == http.StatusUnauthorized:
		return ErrKey
	case status == http.StatusPaymentRequired:
		return ErrPayment
	case status == http.StatusForbidden:
		return ErrRefused
	case status == http.StatusTooManyRequests:
		return ErrLimit
	case status == http.StatusNotImplemented:
		return ErrNoKey
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed, status < 400:
		return ErrAbsent
	case status < 500:
		return ErrRequest
	}
	return ErrServer
}

// Temporary tells whether the same request may succeed a little later.
func Temporary(err error) bool {
	return errors.Is(err, ErrLimit) || errors.Is(err, ErrServer) || errors.Is(err, ErrUnreachable) || errors.Is(err, ErrTimeout)
}

// MayHaveCost tells whether a credit may be gone for a request that failed: the
// other side may have done what it was asked for.
func MayHaveCost(err error) bool {
	return Temporary(err) && !errors.Is(err, ErrLimit) && !errors.Is(err, ErrUnspent)
}

func (c *Client) fail(q request, kind error, status int, message string, cause error) *failure {
	if q.about != "" {
		message = strings.ReplaceAll(message, q.about, "[email]")
	}
	return &failure{kind: kind, attempt: q.attempt, host: c.base.Host, status: status, message: c.clean(message), cause: cause}
}

// broken is the error of a request whose answer did not arrive as a whole: the
// context says whether there was no time, the caller left, or err was the
// reason.
func (c *Client) broken(ctx context.Context, q request, err error) error {
	var unspent error
	if errors.Is(err, ErrUnspent) {
		unspent = ErrUnspent
	}
	switch {
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return c.fail(q, ErrTimeout, 0, "", unspent)
	case ctx.Err() != nil:
		return c.fail(q, ErrInterrupted, 0, "", ctx.Err())
	}
	return c.fail(q, ErrUnreachable, 0, err.Error(), unspent)
}

// longestMessage is how much of a text from outside an error repeats, in bytes.
const longestMessage = 300

// clean makes a text from outside fit for a message.
func (c *Client) clean(s string) string { return text.Line(c.secret.mask(s), longestMessage) }
