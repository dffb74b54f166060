package codehost

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
	// ErrRestricted: the repository is there, but its list of stars or
	// watchers is shown to its admins and collaborators only (since July
	// 2026). Forks and contributors are still open.
	ErrRestricted = errors.New("GitHub shows this list only to the repository's admins and collaborators")
	ErrNotFound   = errors.New("not found or private")
	ErrBadToken   = errors.New("GitHub rejected the token")
	errSAML       = errors.New("the token is not authorised for the organisation's single sign-on")
	errForbidden  = errors.New("access denied")
	errGone       = errors.New("no longer supported by GitHub")
	ErrTakenDown  = errors.New("taken down for legal reasons")
	// ErrListEnd: a listing has no further pages although there are more
	// people.
	ErrListEnd = errors.New("GitHub lists at most 40,000 people")
	// ErrLoop: a listing names a page as the next that was read before.
	ErrLoop = errors.New("the pages of the list repeat")
	// ErrForeignHost: a link or a redirect led to another server; it was not
	// followed.
	ErrForeignHost = errors.New("redirected to another server")
	errRedirects   = errors.New("too many redirects")
	errTooLarge    = errors.New("response too large")
	errMalformed   = errors.New("unexpected response")
	ErrServer      = errors.New("GitHub server error")
	ErrNetwork     = errors.New("no connection")
	ErrTimeout     = errors.New("timed out")
	errRequest     = errors.New("invalid request")
	// ErrQuota and ErrPause are the kinds of a [LimitError]: the hour's
	// requests are used up; the host asked for a pause (a secondary limit).
	ErrQuota = errors.New("the API quota is used up")
	ErrPause = errors.New("GitHub asked for a pause")
	// ErrInterrupted: the caller ended it; errors.Is also finds the context's
	// own error.
	ErrInterrupted = errors.New("interrupted")
)

// refused makes an error of a response whose status is not a success. The
// lists of stars and watchers need a second look: see explain.
func (c *Client) refused(attempt string, ans *answer) *failure {
	kind, next := errRequest, "this tool sent something that GitHub does not understand; report it"
	switch {
	case ans.status == http.StatusUnauthorized && c.HasToken():
		kind, next = ErrBadToken, "it is wrong, expired or revoked; create a new token (no permissions needed) and try again"
	case ans.status == http.StatusUnauthorized:
		kind, next = errForbidden, "use a token (no permissions needed)"
	case ans.status == http.StatusForbidden && needsSingleSignOn(ans):
		kind, next = errSAML, "authorise it in the settings of the token, or use a token of somebody outside the organisation"
	case ans.status == http.StatusForbidden && strings.Contains(ans.message, "too large to list"):
		kind, next = errForbidden, "GitHub does not list contributors of very large repositories; use forks instead"
	case ans.status == http.StatusForbidden:
		kind, next = errForbidden, "check the permissions of the token; public data needs none"
	case ans.status == http.StatusNotFound:
		kind, next = ErrNotFound, "check the spelling; a private repository needs a token with access"
	case ans.status == http.StatusGone:
		kind, next = errGone, "update this tool and try again"
	case ans.status == http.StatusUnavailableForLegalReasons:
		kind, next = ErrTakenDown, "this content is not available; skip it"
	case ans.status >= 500:
		kind, next = ErrServer, "try again later; GitHub's status page may say more"
	}
	return c.fail(kind, attempt, ans.status, ans.message, next)
}

func needsSingleSignOn(ans *answer) bool {
	return ans.header.Get("X-GitHub-SSO") != "" || strings.Contains(ans.message, "SAML")
}

func (c *Client) foreign(attempt string, status int, location string) error {
	return c.fail(ErrForeignHost, attempt, status, location,
		"not followed, so that the token stays with "+c.base.Host+"; if the server has moved, set its new URL")
}

func (c *Client) interrupted(ctx context.Context, attempt string) error {
	e := c.fail(ErrInterrupted, attempt, 0, "", "results so far are kept; resume to continue")
	e.cause = ctx.Err()
	return e
}

// broken tells a time-out from a lost connection.
func (c *Client) broken(ctx context.Context, attempt string, err error) error {
	if ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) {
		return c.fail(ErrTimeout, attempt, 0, "no complete response within "+c.config.Timeout.String(), "try again later")
	}
	return c.fail(ErrNetwork, attempt, 0, err.Error(), "check the connection to "+c.base.Host+" and try again")
}

// malformed is a response that is not what the API documents.
func (c *Client) malformed(attempt string, status int, why string) error {
	return c.fail(errMalformed, attempt, status, why, c.checkBase())
}

// checkBase is what to do when something else than the API seems to answer.
func (c *Client) checkBase() string { return "check that " + c.Base() + " is the URL of the API" }

// longestMessage is how much of a text from outside an error repeats, in bytes.
const longestMessage = 200

// fail makes a failure; text from outside is cleaned of the token.
func (c *Client) fail(kind error, attempt string, status int, message string, next string) *failure {
	return &failure{kind: kind, attempt: attempt, status: status, message: c.clean(message), next: next,
		tokenMissing: !c.HasToken() && (kind == errForbidden || kind == ErrNotFound || kind == ErrRestricted)}
}

// clean makes a text from outside fit for a message.
func (c *Client) clean(s string) string {
	if secret := c.config.Token.secret(); secret != "" {
		s = strings.ReplaceAll(s, secret, "[token]")
	}
	return text.Line(s, longestMessage)
}

// failure is one failed attempt.
type failure struct {
	kind    error  // one of the kinds above
	attempt string // what was attempted: "list the forks of o/r, page 3"
	status  int    // HTTP status, 0 when there was no response
	message string // the host's own words, cleaned, at most 200 bytes
	next    string // what to do next

	tokenMissing bool // there was no token, and one might have helped
	cause        error
}

// Error is one line: "could not list the forks of octo/none without a token:
// not found or private (404); check the spelling; …".
func (e *failure) Error() string {
	var b strings.Builder
	b.WriteString("could not " + e.attempt)
	if e.tokenMissing {
		b.WriteString(" without a token")
	}
	fmt.Fprintf(&b, ": %v", e.kind)
	message := e.message
	if e.kind == ErrNotFound {
		message = "" // the host only says so again
	}
	switch {
	case e.status != 0 && message != "":
		fmt.Fprintf(&b, " (%d: %s)", e.status, message)
	case e.status != 0:
		fmt.Fprintf(&b, " (%d)", e.status)
	case message != "":
		fmt.Fprintf(&b, " (%s)", message)
	}
	if e.next != "" {
		b.WriteString("; " + e.next)
	}
	return b.String()
}

// Unwrap gives the kind and, for an ended context, its error.
func (e *failure) Unwrap() []error {
	if e.cause == nil {
		return []error{e.kind}
	}
	return []error{e.kind, e.cause}
}

// Transient reports whether the same request may well succeed later: the
// network, a time-out or the host itself failed.
func Transient(err error) bool {
	return errors.Is(err, ErrNetwork) || errors.Is(err, ErrTimeout) || errors.Is(err, ErrServer)
}

// LimitError is a limit of the host: nothing is sent until it ends.
type LimitError struct {
	Kind          error // [ErrQuota] or [ErrPause]
	Attempt       string
	Until         time.Time // by this machine's clock
	Limit         int       // requests an hour, 0 if the host did not say
	Authenticated bool
	Message       string // of a pause: the host's own words
}

func (e *LimitError) Error() string {
	next := "resume after that"
	if e.Kind == ErrQuota && !e.Authenticated {
		next += ", or use a token: 5,000 requests an hour instead of 60"
	}
	return fmt.Sprintf("could not %s: %s; %s", e.Attempt, e.reason(), next)
}

func (e *LimitError) Unwrap() error { return e.Kind }

// reason is what a wait for the limit is explained with.
func (e *LimitError) reason() string {
	switch {
	case e.Kind == ErrQuota && e.Limit > 0:
		return fmt.Sprintf("the API quota of %s requests an hour is used up; it resets at %s", text.Number(e.Limit), clock(e.Until))
	case e.Kind == ErrQuota:
		return fmt.Sprintf("%v; it resets at %s", e.Kind, clock(e.Until))
	case e.Message != "":
		return fmt.Sprintf("%v until %s (%s)", e.Kind, clock(e.Until), e.Message)
	}
	return fmt.Sprintf("%v until %s", e.Kind, clock(e.Until))
}

// clock is a time of day where the reader is. Limits last a day at most.
func clock(t time.Time) string { return t.Local().Format("15:04 on 2 January") }

// RetryAt returns when a limit ends; ok is false if err is not a limit.
func RetryAt(err error) (at time.Time, ok bool) {
	if limit, ok := errors.AsType[*LimitError](err); ok {
		return limit.Until, true
	}
	return time.Time{}, false
}
