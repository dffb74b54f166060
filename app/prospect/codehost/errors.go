package codehost

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
)

// Kinds of failure, for errors.Is.
var (
	// ErrRestricted: the repository is there, but its list of stars or
	// watchers is shown to its admins and collaborators only (since July
	// 2026). Forks and contributors are still open.
	ErrRestricted = errors.New("listing restricted to the repository's admins and collaborators")
	ErrNotFound   = errors.New("missing, or not public")
	ErrBadToken   = errors.New("token refused")
	ErrSAML       = errors.New("token not authorised for the organisation's single sign-on")
	ErrForbidden  = errors.New("forbidden")
	ErrGone       = errors.New("retired by the host")
	ErrTakenDown  = errors.New("taken down for legal reasons")
	// ErrListEnd: the host lists no further than 400 pages.
	ErrListEnd = errors.New("end of what the host lists")
	// ErrLoop: the pages of a listing lead in a circle.
	ErrLoop = errors.New("paging runs in a circle")
	// ErrForeignHost: a link or a redirect led to another host; it was not
	// followed.
	ErrForeignHost = errors.New("led to another host")
	ErrRedirects   = errors.New("too many redirects")
	ErrTooLarge    = errors.New("answer too large")
	ErrMalformed   = errors.New("answer not understood")
	ErrServer      = errors.New("the host failed")
	ErrNetwork     = errors.New("no connection")
	ErrTimeout     = errors.New("no answer in time")
	ErrRequest     = errors.New("request refused")
	// ErrInterrupted: the caller ended it; errors.Is also finds the context's
	// own error.
	ErrInterrupted = errors.New("interrupted")
)

// Error is one failed attempt, told completely.
type Error struct {
	Kind    error  // one of the kinds above
	Attempt string // what was attempted: "list the forks of o/r, page 3"
	With    string // with what: "with a token", "without a token"
	Status  int    // HTTP status, 0 when there was no answer
	Said    string // what the host said, cleaned, at most 200 characters
	Next    string // what to do next
	cause   error
}

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %v", e.Attempt, e.With, e.Kind)
	if e.Status != 0 {
		fmt.Fprintf(&b, " (%d", e.Status)
		if e.Said != "" {
			fmt.Fprintf(&b, ": %s", e.Said)
		}
		b.WriteByte(')')
	} else if e.Said != "" {
		fmt.Fprintf(&b, " (%s)", e.Said)
	}
	if e.Next != "" {
		b.WriteString("; " + e.Next)
	}
	return b.String()
}

// Unwrap gives the kind and, for an ended context, its error.
func (e *Error) Unwrap() []error {
	if e.cause == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.cause}
}

// Transient tells whether the same request may well succeed later: the
// network, a time-out or the host itself failed.
func Transient(err error) bool {
	return errors.Is(err, ErrNetwork) || errors.Is(err, ErrTimeout) || errors.Is(err, ErrServer)
}

// QuotaError: the hour's quota is used up until Reset.
type QuotaError struct {
	Attempt       string
	Limit         int       // requests an hour, 0 if the host did not say
	Reset         time.Time // by this machine's clock
	Authenticated bool
}

func (e *QuotaError) Error() string {
	quota := "the quota"
	if e.Limit > 0 {
		quota = fmt.Sprintf("the quota of %d requests an hour", e.Limit)
	}
	next := "go on after that"
	if !e.Authenticated {
		next += ", or use a token: 5,000 an hour instead of 60"
	}
	return fmt.Sprintf("%s: %s is used up until %s; %s", e.Attempt, quota, e.Reset.UTC().Format(time.RFC3339), next)
}

// PenaltyError: the host asked for a pause (a secondary limit) until Until.
type PenaltyError struct {
	Attempt string
	Until   time.Time // by this machine's clock
	Said    string
	Times   int // how often in a row the host asked
}

func (e *PenaltyError) Error() string {
	said := ""
	if e.Said != "" {
		said = " (" + e.Said + ")"
	}
	return fmt.Sprintf("%s: the host asked for a pause until %s%s; go on after that, more slowly", e.Attempt, e.Until.UTC().Format(time.RFC3339), said)
}

// RetryAt tells when a limit ends, if err is one.
func RetryAt(err error) (time.Time, bool) {
	if q, ok := errors.AsType[*QuotaError](err); ok {
		return q.Reset, true
	}
	if p, ok := errors.AsType[*PenaltyError](err); ok {
		return p.Until, true
	}
	return time.Time{}, false
}

// fail makes an Error; text from outside is cleaned of the token.
func (c *Client) fail(kind error, attempt string, status int, said string, next string) *Error {
	with := "without a token"
	if c.token.Present() {
		with = "with a token"
	}
	return &Error{Kind: kind, Attempt: attempt, With: with, Status: status, Said: c.clean(said), Next: next}
}

func (c *Client) clean(s string) string {
	if secret := c.token.secret(); secret != "" {
		s = strings.ReplaceAll(s, secret, "[token]")
	}
	return clean(s)
}

// clean makes text from outside fit for a message: one line, no control
// characters (terminal escapes included), none that turn the direction of
// writing, at most 200 characters.
func clean(s string) string {
	var b strings.Builder
	count := 0
	for _, r := range s {
		if count == 200 {
			b.WriteRune('…')
			break
		}
		switch {
		case r == '\n' || r == '\t' || r == '\r' || r == '\u2028' || r == '\u2029':
			r = ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			continue
		}
		b.WriteRune(r)
		count++
	}
	return strings.TrimSpace(b.String())
}
