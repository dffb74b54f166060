// Package truelist is the client of the verifier Truelist, or of a verify-proxy,
// which speaks the same interface whatever verifier it asks itself.
//
// Sources: rules 19 to 21 of docs/rules.md; the vendor's published OpenAPI
// description as of November 2026.
package truelist

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"marketingskills/app/rest"
	"marketingskills/app/text"
	"marketingskills/app/verify"
)

const (
	healthTimeout = 10 * time.Second
	// Limit is how many requests a second an endpoint takes (rule 21).
	Limit = 10
)

// Client asks a verifier, or a proxy in front of one: it is a [verify.Verifier]
// and a [verify.Submitter].
type Client struct {
	service verify.JSONClient
	secret  rest.Secret
}

// New checks a configuration; it sends nothing. The default Timeout is
// [verify.Timeout].
func New(c rest.Config) (*Client, error) {
	c.Name, c.Timeout = "the verifier", cmp.Or(c.Timeout, verify.Timeout)
	plain, err := rest.New(c)
	if err != nil {
		return nil, err
	}
	return &Client{verify.JSONClient{Client: plain, Kinds: proxyKinds}, c.Secret}, nil
}

// What a proxy's statuses mean, to a list and to anything else.
var (
	proxyKinds = map[int]*rest.Kind{http.StatusNotImplemented: verify.ErrNoKey}
	listKinds  = map[int]*rest.Kind{http.StatusNotImplemented: verify.ErrNoKey, http.StatusMethodNotAllowed: verify.ErrNoLists}
)

// Limit is how many requests a second each method may send.
func (*Client) Limit() int { return Limit }

// Verify verifies one address, which spends a credit.
func (c *Client) Verify(ctx context.Context, address string) (verify.Result, error) {
	q := c.service.Request("verify an email", http.MethodPost, "/api/v1/verify_inline", "email="+url.QueryEscape(address))
	q.Private = address
	var answer struct {
		Emails []verify.Result `json:"emails"`
	}
	head, err := c.service.Call(ctx, q, &answer)
	if err != nil {
		return verify.Result{}, err
	}
	results := slices.DeleteFunc(answer.Emails, func(r verify.Result) bool { return r.State == "" })
	found := slices.IndexFunc(results, func(r verify.Result) bool { return verify.SameAddress(r.Address, address) })
	switch {
	case len(results) == 0:
		return verify.Result{}, c.service.Fail(q, verify.ErrServer, http.StatusOK, "the answer holds no result")
	case found < 0:
		return verify.Result{}, c.service.Fail(q, verify.ErrServer, http.StatusOK, "the answer is about another email")
	}
	result := results[found]
	result.Source = verify.Source(head.Get(verify.HeaderSource))
	return result.Masked(c.secret), nil
}

// Submit hands over a list. Each address spends a credit; the results arrive at
// the verifier's dashboard, not here.
func (c *Client) Submit(ctx context.Context, addresses []string) error {
	body, err := json.Marshal(struct {
		Emails []string `json:"emails"`
	}{addresses})
	if err != nil {
		return fmt.Errorf("writing the list: %w", err)
	}
	q := c.service.Request("submit a list of "+text.Count(len(addresses), "email"), http.MethodPost, "/api/v1/verify", "")
	q.Body = body
	_, err = verify.JSONClient{Client: c.service.Client, Kinds: listKinds}.Call(ctx, q, nil)
	return err
}

// Account tells whose the key is.
func (c *Client) Account(ctx context.Context) (verify.Account, error) {
	var a verify.Account
	_, err := c.service.Call(ctx, c.service.Request("ask for the account", http.MethodGet, "/me", ""), &a)
	return a.Masked(c.secret), err
}

// Health asks a proxy about itself. A verifier answers [verify.ErrAbsent].
func (c *Client) Health(ctx context.Context) (verify.Health, error) {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	var answer struct {
		verify.Health
		Status string `json:"status"`
	}
	q := c.service.Request("ask for the state of the proxy", http.MethodGet, "/healthz", "")
	_, err := c.service.Call(ctx, q, &answer)
	if err == nil && answer.Status == "" {
		err = c.service.Fail(q, verify.ErrAbsent, http.StatusOK, "")
	}
	return answer.Health, err
}
