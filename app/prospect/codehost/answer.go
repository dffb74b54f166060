package codehost

import (
	"context"
	"errors"
	"net/http"
	"strings"
)

// refused makes an error of an answer that is no success, from the answer
// alone. Listings of stars and watchers need a second look: see explain.
func (c *Client) refused(attempt string, ans *answer) error {
	kind, next := ErrRequest, "report it: the host did not understand the request"
	switch ans.status {
	case http.StatusUnauthorized:
		kind, next = ErrForbidden, "use a token; one without any permission will do"
		if c.HasToken() {
			kind, next = ErrBadToken, "the token is wrong, expired or revoked; make a new one, without any permission, and try again"
		}
	case http.StatusForbidden:
		kind, next = ErrForbidden, "check what the token may read; public data needs no permission"
		if saml(ans) {
			kind, next = ErrSAML, "authorise the token for the organisation's single sign-on in the settings of the token, or use one that belongs to nobody in it"
		} else if strings.Contains(ans.said, "too large to list") {
			next = "the host lists no contributors of so large a repository; use forks instead"
		}
	case http.StatusNotFound:
		kind, next = ErrNotFound, "check the spelling; what is private is shown only to a token that may read it"
	case http.StatusGone:
		kind, next = ErrGone, "the host no longer answers this; a newer version of this tool may"
	case http.StatusUnavailableForLegalReasons:
		kind, next = ErrTakenDown, "there is nothing to be had here; leave it out"
	default:
		if ans.status >= 500 {
			kind, next = ErrServer, "try again later; the host's status page may say more"
		}
	}
	return c.fail(kind, attempt, ans.status, ans.said, next)
}

func saml(ans *answer) bool {
	return ans.header.Get("X-GitHub-SSO") != "" || strings.Contains(ans.said, "SAML")
}

// explain finds out why a listing of stars or watchers was refused or empty
// (err is nil then), by looking at the repository itself: one request. Since
// July 2026 such lists are shown to admins and collaborators only, which
// looks like 401, 403, 404 or an empty list, depending on the token. It
// returns nil when there is nothing to list indeed.
func (c *Client) explain(ctx context.Context, repo Repo, source Source, attempt string, err error) error {
	known, isError := errors.AsType[*Error](err)
	if err != nil && (!isError || !guarded(known)) {
		return err
	}
	about, probe := c.Repository(ctx, repo)
	switch {
	case probe == nil && err != nil:
		return c.restricted(source, attempt, known)
	case probe == nil && about.count(source) > 0:
		return c.restricted(source, attempt, &Error{Status: http.StatusOK, Said: "an empty list"})
	case probe == nil:
		return nil
	case err == nil || Transient(probe) || errors.Is(probe, ErrInterrupted):
		return probe
	}
	if _, limit := RetryAt(probe); limit {
		return probe
	}
	if refusal, ok := errors.AsType[*Error](probe); ok {
		e := *refusal
		e.Attempt = attempt
		return &e
	}
	return probe
}

// guarded tells whether a refusal can be the restriction: a 401, 403 or 404
// that does not already say something else.
func guarded(e *Error) bool {
	switch e.Status {
	case http.StatusUnauthorized:
		return !strings.EqualFold(e.Said, "Bad credentials")
	case http.StatusForbidden:
		return e.Kind != ErrSAML
	case http.StatusNotFound:
		return true
	}
	return false
}

func (c *Client) restricted(source Source, attempt string, seen *Error) error {
	what := "stars"
	if source == Watchers {
		what = "watchers"
	}
	return c.fail(ErrRestricted, attempt, seen.Status, seen.Said,
		"since July 2026 the host shows "+what+" to a repository's admins and collaborators only; its forks and contributors are still open: use one of those, or a token of a collaborator")
}
