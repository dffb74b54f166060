package codehost

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"marketingskills/app/rest"
	"marketingskills/app/text"
)

// User is an account's public profile, as far as an extraction needs it.
// Absent values are empty. Email is always empty without a token: the host
// shows addresses to authenticated requests only.
type User struct {
	Login           string    `json:"login"`
	Name            string    `json:"name"`
	Company         string    `json:"company"`
	Email           string    `json:"email"`
	Blog            string    `json:"blog"`
	Location        string    `json:"location"`
	Bio             string    `json:"bio"`
	TwitterUsername string    `json:"twitter_username"`
	Type            string    `json:"type"`                // User, Organization or Bot
	PublicRepos     *int      `json:"public_repos"`        // nil: unknown
	Followers       *int      `json:"followers"`           // nil: unknown
	CreatedAt       time.Time `json:"created_at,omitzero"` // of the account
	HTMLURL         string    `json:"html_url"`            // the profile's page
}

// User fetches a profile: one request. The login is percent-encoded
// (dependabot[bot] is one). A deleted account is [ErrNotFound].
func (c *Client) User(ctx context.Context, login string) (User, error) {
	attempt := "fetch the profile of " + text.Line(login, longestMessage)
	if !ValidLogin(login) {
		return User{}, c.refuse(attempt, "this is not a username", "use letters, digits and hyphens")
	}
	u, err := c.account(ctx, attempt, "/users/"+url.PathEscape(login))
	if f, ok := errors.AsType[*rest.Failure](err); ok && f.Kind == ErrNotFound {
		f.Attempt, f.Next = attempt, "check the spelling; the account may have been renamed or deleted"
	}
	if err == nil && !ValidLogin(u.Login) {
		u.Login = login
	}
	return u, err
}

// Self tells whose the token is: one request, which needs no permission.
// Without a token it is refused before anything is sent; a token that the
// host does not know is [ErrBadToken], one of an app, which may list and
// fetch all the same, [errForbidden].
func (c *Client) Self(ctx context.Context) (User, error) {
	const attempt = "check the token"
	if !c.HasToken() {
		return User{}, c.refuse(attempt, "there is no token", "enter one (no permissions needed)")
	}
	u, err := c.account(ctx, attempt, "/user")
	if err == nil && !ValidLogin(u.Login) {
		return User{}, c.malformed(attempt, http.StatusOK, "")
	}
	if f, ok := errors.AsType[*rest.Failure](err); ok {
		switch f.Kind {
		case errForbidden:
			f.Next = "it may belong to an app, not to a person; it can still fetch public data"
		case ErrNotFound:
			f.Next = c.checkBase()
		}
	}
	return u, err
}

// refuse is the failure of a request that is not sent.
func (c *Client) refuse(attempt, why, next string) error {
	f := c.fail(errRequest, attempt, 0, why)
	f.Next = next
	return f
}

// account fetches a profile; whether the login is one is for the caller.
func (c *Client) account(ctx context.Context, attempt, path string) (User, error) {
	var u struct {
		User
		CreatedAt json.RawMessage `json:"created_at"`
	}
	_, err := c.getObject(ctx, request{attempt: attempt, target: c.service.At(path, "")}, &u)
	if err == nil && u.Login == "" {
		err = c.malformed(attempt, http.StatusOK, "")
	}
	u.User.CreatedAt = parseTime(u.CreatedAt)
	return u.User, err
}

// ValidLogin tells whether a text can be a login: printable, without a slash
// or white space, not a path step, at most 100 bytes. It is deliberately
// wider than today's rules (dependabot[bot], managed_accounts).
func ValidLogin(s string) bool {
	return s != "" && s != "." && s != ".." && len(s) <= 100 &&
		!strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune(`/\?#%@:<>"`, r) })
}

// RateLimit asks for the primary quota; that costs nothing of it, and is
// possible while it is used up. A host without a quota answers with
// Quota.Known false.
func (c *Client) RateLimit(ctx context.Context) (Quota, error) {
	const attempt = "fetch the API quota"
	type counts struct{ Limit, Remaining, Reset int }
	var body struct {
		Resources struct{ Core *counts }
		Rate      *counts // gone since API version 2026-03-10
	}
	got, err := c.getObject(ctx, request{attempt: attempt, target: c.service.At("/rate_limit", ""), free: true}, &body)
	switch {
	case errors.Is(err, ErrNotFound): // rate limiting is off
		return Quota{}, nil
	case err != nil:
		return Quota{}, err
	}
	core := body.Resources.Core
	if core == nil {
		core = body.Rate
	}
	if core == nil || core.Limit < 0 || core.Remaining < 0 || core.Reset <= 0 {
		return Quota{}, c.malformed(attempt, got.Status, "")
	}
	c.gate.mu.Lock()
	defer c.gate.mu.Unlock()
	q := Quota{Known: true, Limit: core.Limit, Remaining: core.Remaining, Reset: c.local(core.Reset, got.Header)}
	c.setQuota(q, got.began)
	if !q.Reset.After(got.began) { // the clock is ahead
		q.Reset = c.gate.quota.Reset
	}
	return q, nil
}
