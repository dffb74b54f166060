package codehost

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
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
	Type            string    `json:"type"` // User, Organization or Bot
	PublicRepos     int       `json:"public_repos"`
	Followers       int       `json:"followers"`
	CreatedAt       time.Time `json:"created_at,omitzero"`
	HTMLURL         string    `json:"html_url"`
}

// User fetches a profile: one request. The login is percent-encoded
// (dependabot[bot] is one). A deleted account is [ErrNotFound].
func (c *Client) User(ctx context.Context, login string) (User, error) {
	attempt := "fetch the profile of " + clean(login)
	if !ValidLogin(login) {
		return User{}, c.fail(ErrRequest, attempt, 0, "", "that is no login: letters, digits and hyphens, at most 100")
	}
	u, err := c.account(ctx, attempt, "/users/"+url.PathEscape(login))
	if err == nil && !ValidLogin(u.Login) {
		u.Login = login
	}
	return u, err
}

// Self tells whose the token is: one request, which needs no permission.
// Without a token it is refused before anything is sent; a token that the
// host does not know is [ErrBadToken], one of an app, which may list and
// fetch all the same, [ErrForbidden].
func (c *Client) Self(ctx context.Context) (User, error) {
	const attempt = "find out whose the token is"
	if !c.HasToken() {
		return User{}, c.fail(ErrRequest, attempt, 0, "", "give a token first; one without any permission will do")
	}
	u, err := c.account(ctx, attempt, "/user")
	if err == nil && !ValidLogin(u.Login) {
		return User{}, c.fail(ErrMalformed, attempt, http.StatusOK, "", c.checkBase())
	}
	if e, ok := errors.AsType[*Error](err); ok {
		switch e.Kind {
		case ErrForbidden:
			e.Next = "it belongs to an app rather than to a person, perhaps; what is public it can read all the same"
		case ErrNotFound:
			e.Next = c.checkBase()
		}
	}
	return u, err
}

// account fetches a profile; whether the login is one is for the caller.
func (c *Client) account(ctx context.Context, attempt, path string) (User, error) {
	ans, err := c.get(ctx, request{attempt: attempt, target: c.at(path, ""), accept: mediaJSON, limit: maxUserBody})
	if err != nil {
		return User{}, err
	}
	if ans.status != http.StatusOK {
		return User{}, c.refused(attempt, ans)
	}
	var u User
	if err := c.decode(attempt, ans, &u); err != nil {
		return User{}, err
	}
	if u.Login == "" {
		return User{}, c.fail(ErrMalformed, attempt, ans.status, "", c.checkBase())
	}
	return u, nil
}

// ValidLogin tells whether a text can be a login: printable, without a slash
// or white space, not a path step, at most 100 bytes. It is deliberately
// wider than today's rules (dependabot[bot], managed_accounts).
func ValidLogin(s string) bool {
	return s != "" && s != "." && s != ".." && len(s) <= 100 &&
		!strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune(`/\?#%@:<>"`, r) })
}

// Repository is what the host says about a repository.
type Repository struct {
	FullName string `json:"full_name"` // after a renaming, the new name
	Stars    int    `json:"stargazers_count"`
	Watchers int    `json:"subscribers_count"` // watchers_count means stars
	Forks    int    `json:"forks_count"`
}

func (r Repository) count(source Source) int {
	switch source {
	case Stargazers:
		return r.Stars
	case Watchers:
		return r.Watchers
	}
	return 0
}

// Repository fetches a repository's own object: one request.
func (c *Client) Repository(ctx context.Context, repo Repo) (Repository, error) {
	attempt := "look at " + repo.String()
	ans, err := c.get(ctx, request{attempt: attempt, target: c.at(repo.path(), ""), accept: mediaJSON, limit: maxUserBody})
	if err != nil {
		return Repository{}, err
	}
	if ans.status != http.StatusOK {
		return Repository{}, c.refused(attempt, ans)
	}
	var r Repository
	return r, c.decode(attempt, ans, &r)
}

// RateLimit asks for the primary quota; that costs nothing of it, and is
// possible while it is used up. A host without a quota answers with
// Quota.Known false.
func (c *Client) RateLimit(ctx context.Context) (Quota, error) {
	const attempt = "look up the quota"
	ans, err := c.get(ctx, request{attempt: attempt, target: c.at("/rate_limit", ""), accept: mediaJSON, limit: maxUserBody, free: true})
	if err != nil {
		return Quota{}, err
	}
	if ans.status == http.StatusNotFound { // rate limiting is off
		return Quota{}, nil
	}
	if ans.status != http.StatusOK {
		return Quota{}, c.refused(attempt, ans)
	}
	var body struct {
		Resources struct{ Core json.RawMessage }
		Rate      json.RawMessage // gone since API version 2026-03-10
	}
	if err := c.decode(attempt, ans, &body); err != nil {
		return Quota{}, err
	}
	raw := body.Resources.Core
	if len(raw) == 0 {
		raw = body.Rate
	}
	var core struct{ Limit, Remaining, Reset int }
	if err := json.Unmarshal(raw, &core); err != nil || core.Limit < 0 || core.Remaining < 0 || core.Reset <= 0 {
		return Quota{}, c.fail(ErrMalformed, attempt, ans.status, "", c.checkBase())
	}
	c.gate.mu.Lock()
	defer c.gate.mu.Unlock()
	q := Quota{Known: true, Limit: core.Limit, Remaining: core.Remaining, Reset: c.local(core.Reset, ans.header)}
	c.setQuota(q, ans.began)
	if !q.Reset.After(ans.began) { // the clock is ahead
		q.Reset = c.gate.quota.Reset
	}
	return q, nil
}
