// Package truelist is the client of the verifier Truelist, or of a verify-proxy,
// which speaks the same interface whatever verifier it asks itself.
//
// Sources: rules 19 to 21 of docs/rules.md; the vendor's published OpenAPI
// description as of November 2026.
package truelist

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
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
	// A verification takes up to 30 s. A proxy, where it may have to wait for its
	// turn before, gives up after 90 s.
	defaultTimeout = 100 * time.Second
	healthTimeout  = 10 * time.Second
	maxResponse    = 1 << 20
	// limit is how many requests a second an endpoint takes (rule 21).
	limit = 10
)

// Client asks a verifier, or a proxy in front of one: it is a [verify.Verifier]
// and a [verify.Submitter]. It sends each request once. Errors are of the kinds of
// packages verify and rest. Neither they nor results hold the secret, should the
// other side repeat it; the errors of Verify do not hold the address as it was
// given.
type Client struct {
	service *rest.Service
	secret  rest.Secret
}

// New checks a configuration; it sends nothing. The default Timeout is 100 s,
// which is longer than a verify-proxy takes.
func New(c rest.Config) (*Client, error) {
	c.Name, c.Timeout = "the verifier", cmp.Or(c.Timeout, defaultTimeout)
	service, err := rest.New(c)
	if err != nil {
		return nil, err
	}
	return &Client{service, c.Secret}, nil
}

// Limit is how many requests a second each method may send.
func (*Client) Limit() int { return limit }

// Verify verifies one address, which spends a credit.
func (c *Client) Verify(ctx context.Context, address string) (verify.Result, error) {
	q := c.request("verify an email", http.MethodPost, "/api/v1/verify_inline", "email="+url.QueryEscape(address))
	q.Private = address
	var answer struct {
		Emails []verify.Result `json:"emails"`
	}
	head, err := c.send(ctx, q, &answer)
	if err != nil {
		return verify.Result{}, err
	}
	of := slices.IndexFunc(answer.Emails, func(r verify.Result) bool { return verify.SameAddress(r.Address, address) })
	switch {
	case len(answer.Emails) == 0 || answer.Emails[max(of, 0)].State == "":
		return verify.Result{}, c.service.Fail(q, verify.ErrServer, http.StatusOK, "the answer holds no result")
	case of < 0:
		return verify.Result{}, c.service.Fail(q, verify.ErrServer, http.StatusOK, "the answer is about another email")
	}
	result := answer.Emails[of]
	result.Source = verify.Source(head.Get(verify.HeaderSource))
	c.mask(&result)
	return result, nil
}

func (c *Client) mask(r *verify.Result) {
	for _, s := range []*string{&r.Address, &r.Domain, &r.Canonical, &r.MXRecord, &r.FirstName, &r.LastName, (*string)(&r.State),
		(*string)(&r.SubState), &r.VerifiedAt, &r.DidYouMean, &r.Reason, (*string)(&r.Source)} {
		*s = c.secret.Mask(*s)
	}
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
	q := c.request("submit a list of "+text.Count(len(addresses), "email"), http.MethodPost, "/api/v1/verify", "")
	q.Body = body
	_, err = c.send(ctx, q, nil)
	return err
}

// Account tells whose the key is.
func (c *Client) Account(ctx context.Context) (verify.Account, error) {
	var a verify.Account
	_, err := c.send(ctx, c.request("ask for the account", http.MethodGet, "/me", ""), &a)
	return a, err
}

// Health asks a proxy about itself. A verifier answers [verify.ErrAbsent].
func (c *Client) Health(ctx context.Context) (verify.Health, error) {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	var answer struct {
		verify.Health
		Status string `json:"status"`
	}
	q := c.request("ask for the state of the proxy", http.MethodGet, "/healthz", "")
	_, err := c.send(ctx, q, &answer)
	if err == nil && answer.Status == "" {
		err = c.service.Fail(q, verify.ErrAbsent, http.StatusOK, "")
	}
	return answer.Health, err
}

func (c *Client) request(attempt, method, path, query string) rest.Request {
	return rest.Request{Attempt: attempt + " with " + c.service.Base().Host, Method: method, URL: c.service.At(path, query),
		Header: http.Header{"Accept": {"application/json"}}, Most: maxResponse}
}

// send sends a request and reads the JSON of its response into the given value,
// unless that is nil.
func (c *Client) send(ctx context.Context, q rest.Request, into any) (http.Header, error) {
	got, err := c.service.Send(ctx, q)
	f, failed := errors.AsType[*rest.Failure](err)
	switch {
	case failed && f.Kind == rest.ErrTooLarge:
		return nil, c.service.Fail(q, verify.ErrServer, got.Status, "the answer is longer than 1 MiB")
	case failed:
		f.Next = "" // it depends on who asked
		return nil, f
	case got.Status/100 != 2:
		return nil, c.refused(q, got)
	case into == nil:
		return got.Header, nil
	}
	if err := json.Unmarshal(got.Body, into); err != nil {
		if bytes.HasPrefix(bytes.TrimSpace(got.Body), []byte("<")) {
			return nil, c.service.Fail(q, verify.ErrAbsent, got.Status, "a page answered instead")
		}
		return nil, c.service.Fail(q, verify.ErrServer, got.Status, "the answer is not the JSON that was expected")
	}
	return got.Header, nil
}

func (c *Client) refused(q rest.Request, got *rest.Response) error {
	var said struct{ Error string }
	_ = json.Unmarshal(got.Body, &said) // a response that is no JSON says nothing more
	f := c.service.Fail(q, kindOf(got.Status), got.Status, said.Error)
	wait, told := rest.RetryAfter(got.Header, time.Now())
	switch {
	case f.Kind == verify.ErrLimit:
		return &verify.LimitError{Wait: max(wait, time.Second), Err: f}
	case f.Status == http.StatusServiceUnavailable && told: // without it, a gateway may have lost the response
		f.Cause = rest.ErrUnsent
	}
	return f
}

// kindOf is the kind of a status that is not a success.
func kindOf(status int) *rest.Kind {
	switch {
	case status == http.StatusUnauthorized:
		return verify.ErrKey
	case status == http.StatusPaymentRequired:
		return verify.ErrPayment
	case status == http.StatusForbidden:
		return verify.ErrRefused
	case status == http.StatusTooManyRequests:
		return verify.ErrLimit
	case status == http.StatusNotImplemented:
		return verify.ErrNoKey
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed, status < 400:
		return verify.ErrAbsent
	case status < 500:
		return verify.ErrRequest
	}
	return verify.ErrServer
}
