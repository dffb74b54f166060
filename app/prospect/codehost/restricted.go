package codehost

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"marketingskills/app/rest"
)

// explain finds out why a listing of stars or watchers was refused or empty
// (err is nil then), by looking at the repository itself: one request. Since
// July 2026 such lists are shown to admins and collaborators only, which
// looks like 401, 403, 404 or an empty list, depending on the token. It
// returns nil when the list is really empty.
func (c *Client) explain(ctx context.Context, repo Repo, source Source, attempt string, err error) error {
	refusal, isError := errors.AsType[*rest.Failure](err)
	if err != nil && (!isError || !mayBeRestricted(refusal)) {
		return err
	}
	var about struct {
		Stars    int `json:"stargazers_count"`
		Watchers int `json:"subscribers_count"` // watchers_count means stars
	}
	_, probe := c.getObject(ctx, request{attempt: "fetch the repository " + repo.String(), target: c.service.At(repo.path(), "")}, &about)
	people := map[Source]int{Stargazers: about.Stars, Watchers: about.Watchers}[source]
	switch {
	case probe == nil && err != nil:
		return c.restricted(attempt, refusal.Status, refusal.Message)
	case probe == nil && people > 0:
		return c.restricted(attempt, http.StatusOK, "an empty list")
	case probe == nil:
		return nil
	case err == nil || Transient(probe) || errors.Is(probe, rest.ErrInterrupted):
		return probe
	}
	if e, ok := errors.AsType[*rest.Failure](probe); ok {
		e.Attempt = c.asVisitor(e.Kind, attempt)
	}
	return probe
}

// mayBeRestricted reports whether a refusal can be the restriction: a 401, 403
// or 404 that does not already mean something else.
func mayBeRestricted(e *rest.Failure) bool {
	switch e.Status {
	case http.StatusUnauthorized:
		return !strings.EqualFold(e.Message, "Bad credentials")
	case http.StatusForbidden:
		return e.Kind != errSAML
	case http.StatusNotFound:
		return true
	}
	return false
}

func (c *Client) restricted(attempt string, status int, message string) error {
	return c.fail(ErrRestricted, c.asVisitor(ErrRestricted, attempt), status, message)
}
