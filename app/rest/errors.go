package rest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Kind is a kind of failure, for errors.Is, and what is said of it. Services have
// kinds of their own beside those of this package.
type Kind struct {
	What string // as in "timed out"
	Next string // what to do next, unless the failure knows better; may be empty
}

func (k *Kind) Error() string { return k.What }

// Kinds of failure that any service has.
var (
	// ErrInterrupted: the caller's context ended; errors.Is also finds its error.
	ErrInterrupted = &Kind{"interrupted", "results so far are kept; resume to continue"}
	// ErrTimeout: there was no whole response in time.
	ErrTimeout = &Kind{"timed out", "try again later"}
	// ErrUnreachable: there was no response, or it broke off.
	ErrUnreachable = &Kind{"no connection", "check the network and try again"}
	// ErrTooLarge: the response was longer than any that is expected.
	ErrTooLarge = &Kind{"response too large", "try again later; if it happens again, report it"}
	// ErrInvalid: the request was refused before it was sent.
	ErrInvalid = &Kind{"invalid request", "report it"}
)

// ErrUnsent stands beside another kind when nothing of the request left.
var ErrUnsent = errors.New("nothing was sent")

// Failure is one failed attempt.
type Failure struct {
	Kind    *Kind
	Attempt string // "list the forks of octo/none"
	Status  int    // HTTP status, 0 when there was no response
	Message string // the other side's own words, cleaned
	Next    string // what to do next; may be empty
	Cause   error  // what else errors.Is finds; not for printing, it is not cleaned
}

// Error is one line: "could not list the forks of octo/none: not found or
// private (404: Not Found); check the spelling".
func (f *Failure) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "could not %s: %v", f.Attempt, f.Kind)
	switch {
	case f.Status != 0 && f.Message != "":
		fmt.Fprintf(&b, " (%d: %s)", f.Status, f.Message)
	case f.Status != 0:
		fmt.Fprintf(&b, " (%d)", f.Status)
	case f.Message != "":
		fmt.Fprintf(&b, " (%s)", f.Message)
	}
	if f.Next != "" {
		b.WriteString("; " + f.Next)
	}
	return b.String()
}

// Unwrap gives the kind and the cause.
func (f *Failure) Unwrap() []error {
	if f.Cause == nil {
		return []error{f.Kind}
	}
	return []error{f.Kind, f.Cause}
}

// Message returns what the other side said about a failure, "" if nothing.
func Message(err error) string {
	if f, ok := errors.AsType[*Failure](err); ok {
		return f.Message
	}
	return ""
}

// Fail makes the failure of a request. The message is cleaned of the secret and
// of what is private.
func (c *Client) Fail(r Request, kind *Kind, status int, message string) *Failure {
	if r.Private != "" {
		message = strings.ReplaceAll(message, r.Private, "[…]")
	}
	return &Failure{Kind: kind, Attempt: r.Attempt, Status: status, Message: c.Clean(message), Next: kind.Next}
}

// broken is the failure of a request whose response did not arrive as a whole:
// the context says whether there was no time, the caller left, or err was the
// reason. What an *http.Client says of the URL is left out, since that may hold
// something private.
func (c *Client) broken(ctx context.Context, r Request, err error) *Failure {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	var f *Failure
	switch {
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded), ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		f = c.Fail(r, ErrTimeout, 0, "")
	case ctx.Err() != nil:
		f, err = c.Fail(r, ErrInterrupted, 0, ""), ctx.Err()
	default:
		f = c.Fail(r, ErrUnreachable, 0, err.Error())
	}
	f.Cause = err
	return f
}
