package codehost

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"marketingskills/app/rest"
	"marketingskills/app/text"
)

// Kinds of failure, for errors.Is, with what to do next.
var (
	// ErrRestricted: the repository is there, but its list of stars or
	// watchers is shown to its admins and collaborators only (since July
	// 2026). Forks and contributors are still open.
	ErrRestricted = &rest.Kind{What: "GitHub shows this list only to the repository's admins and collaborators",
		Next: "use forks or contributors instead, or a token of an admin or collaborator"}
	ErrNotFound = &rest.Kind{What: "not found or private",
		Next: "check the spelling; a private repository needs a token with access"}
	ErrBadToken = &rest.Kind{What: "GitHub rejected the token",
		Next: "it is wrong, expired or revoked; create a new token (no permissions needed) and try again"}
	errSAML = &rest.Kind{What: "the token is not authorised for the organisation's single sign-on",
		Next: "authorise it in the settings of the token, or use a token of somebody outside the organisation"}
	errForbidden = &rest.Kind{What: "access denied", Next: "check the permissions of the token; public data needs none"}
	errGone      = &rest.Kind{What: "no longer supported by GitHub", Next: "update this tool and try again"}
	ErrTakenDown = &rest.Kind{What: "taken down for legal reasons", Next: "this content is not available; skip it"}
	// ErrListEnd: a listing has no further pages although there are more
	// people.
	ErrListEnd = &rest.Kind{What: "GitHub lists at most 40,000 people",
		Next: fmt.Sprintf("GitHub lists %d pages of %d people at most; the people after them are not available", MaxPages, PageSize)}
	// ErrLoop: a listing names a page as the next that was read before.
	ErrLoop = &rest.Kind{What: "the pages of the list repeat", Next: "results so far are kept; report it to GitHub support"}
	// ErrForeignHost: a link or a redirect led to another server; it was not
	// followed.
	ErrForeignHost = &rest.Kind{What: "redirected to another server"}
	errRedirects   = &rest.Kind{What: "too many redirects", Next: "report it to GitHub support"}
	errMalformed   = &rest.Kind{What: "unexpected response"}
	ErrServer      = &rest.Kind{What: "GitHub server error", Next: "try again later; GitHub's status page may say more"}
	errRequest     = &rest.Kind{What: "invalid request", Next: "this tool sent something that GitHub does not understand; report it"}
)

// ErrQuota and ErrPause are the kinds of a [LimitError]: the hour's requests are
// used up; the host asked for a pause (a secondary limit).
var (
	ErrQuota = errors.New("the API quota is used up")
	ErrPause = errors.New("GitHub asked for a pause")
)

// refused makes an error of a response whose status is not a success. The
// lists of stars and watchers need a second look: see explain.
func (c *Client) refused(attempt string, got *response) *rest.Failure {
	kind, next := errRequest, ""
	switch {
	case got.Status == http.StatusUnauthorized && c.HasToken():
		kind = ErrBadToken
	case got.Status == http.StatusUnauthorized:
		kind, next = errForbidden, "use a token (no permissions needed)"
	case got.Status == http.StatusForbidden && needsSingleSignOn(got):
		kind = errSAML
	case got.Status == http.StatusForbidden && strings.Contains(got.message, "too large to list"):
		kind, next = errForbidden, "GitHub does not list contributors of very large repositories; use forks instead"
	case got.Status == http.StatusForbidden:
		kind = errForbidden
	case got.Status == http.StatusNotFound:
		kind = ErrNotFound
	case got.Status == http.StatusGone:
		kind = errGone
	case got.Status == http.StatusUnavailableForLegalReasons:
		kind = ErrTakenDown
	case got.Status >= 500:
		kind = ErrServer
	}
	f := c.fail(kind, c.asVisitor(kind, attempt), got.Status, got.message)
	f.Next = cmp.Or(next, f.Next)
	return f
}

func needsSingleSignOn(got *response) bool {
	return got.Header.Get("X-GitHub-SSO") != "" || strings.Contains(got.message, "SAML")
}

// asVisitor adds to an attempt that it was made without a token, where one might
// have helped.
func (c *Client) asVisitor(kind *rest.Kind, attempt string) string {
	if !c.HasToken() && (kind == errForbidden || kind == ErrNotFound || kind == ErrRestricted) {
		return attempt + " without a token"
	}
	return attempt
}

func (c *Client) foreign(attempt string, status int, location string) error {
	f := c.fail(ErrForeignHost, attempt, status, location)
	f.Next = "not followed, so that the token stays with " + c.service.Base().Host + "; if the server has moved, set its new URL"
	return f
}

func (c *Client) interrupted(ctx context.Context, attempt string) error {
	f := c.fail(rest.ErrInterrupted, attempt, 0, "")
	f.Cause = ctx.Err()
	return f
}

// malformed is a response that is not what the API documents.
func (c *Client) malformed(attempt string, status int, why string) error {
	f := c.fail(errMalformed, attempt, status, why)
	f.Next = c.checkBase()
	return f
}

// checkBase is what to do when something else than the API seems to answer.
func (c *Client) checkBase() string { return "check that " + c.Base() + " is the URL of the API" }

func (c *Client) fail(kind *rest.Kind, attempt string, status int, message string) *rest.Failure {
	if kind == ErrNotFound {
		message = "" // the host only says so again
	}
	return c.service.Fail(rest.Request{Attempt: attempt}, kind, status, message)
}

// Transient reports whether the same request may well succeed later: the
// network, a time-out or the host itself failed.
func Transient(err error) bool {
	return errors.Is(err, rest.ErrUnreachable) || errors.Is(err, rest.ErrTimeout) || errors.Is(err, ErrServer)
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
