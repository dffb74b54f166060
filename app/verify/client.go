package verify

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
)

const (
	// A verification takes up to 30 s. A proxy, where it may have to wait for its
	// turn before, gives up after 90 s.
	defaultTimeout = 100 * time.Second
	healthTimeout  = 10 * time.Second
	maxResponse    = 1 << 20
	// HeaderSource is the header in which a proxy says where an answer comes
	// from.
	HeaderSource = "Verification-Source"
)

// Source is where an answer comes from.
type Source string

// The sources that a proxy names; a verifier names none.
const (
	FromVerifier Source = "verifier"
	FromMemory   Source = "remembered" // the verifier's answer of a while ago
	FromChecks   Source = "free-checks"
)

// Config says how to reach a verifier or a proxy. Base and Doer are needed.
type Config struct {
	// Base is where the interface is; it may have a path. Plain http is
	// refused together with a secret, except to this machine.
	Base   string
	Secret rest.Secret
	Doer   rest.Doer
	// Timeout is for one request with its response; 0 is 100 s, which is longer
	// than a verify-proxy takes.
	Timeout time.Duration
	// UserAgent names the caller. A browser names itself.
	UserAgent string
}

// Client asks a verifier, or a proxy in front of one. It sends each request
// once. Its methods may be called from many goroutines. Errors are of the kinds
// of this package and of package rest. Neither they nor results hold the secret,
// should the other side repeat it; the errors of Inline do not hold the address
// as it was given.
type Client struct {
	service *rest.Service
	secret  rest.Secret
}

// NewClient checks a configuration. It sends nothing.
func NewClient(c Config) (*Client, error) {
	service, err := rest.New(rest.Config{Name: "the verifier", Base: c.Base, Secret: c.Secret, Doer: c.Doer,
		Timeout: cmp.Or(c.Timeout, defaultTimeout), UserAgent: c.UserAgent})
	if err != nil {
		return nil, err
	}
	return &Client{service, c.Secret}, nil
}

// Inline verifies one address, which spends a credit.
func (c *Client) Inline(ctx context.Context, address string) (Result, error) {
	q := c.request("verify an email", http.MethodPost, "/api/v1/verify_inline", "email="+url.QueryEscape(address))
	q.Private = address
	var answer struct {
		Emails []Result `json:"emails"`
	}
	head, err := c.send(ctx, q, &answer)
	if err != nil {
		return Result{}, err
	}
	of := slices.IndexFunc(answer.Emails, func(r Result) bool { return same(r.Address, address) })
	switch {
	case len(answer.Emails) == 0 || answer.Emails[max(of, 0)].State == "":
		return Result{}, c.service.Fail(q, ErrServer, http.StatusOK, "the answer holds no result")
	case of < 0:
		return Result{}, c.service.Fail(q, ErrServer, http.StatusOK, "the answer is about another email")
	}
	result := answer.Emails[of]
	result.Source = Source(head.Get(HeaderSource))
	c.mask(&result)
	return result, nil
}

func (c *Client) mask(r *Result) {
	for _, s := range []*string{&r.Address, &r.Domain, &r.Canonical, &r.MXRecord, &r.FirstName, &r.LastName, (*string)(&r.State),
		(*string)(&r.SubState), &r.VerifiedAt, &r.DidYouMean, &r.Reason, (*string)(&r.Source)} {
		*s = c.secret.Mask(*s)
	}
}

// Bulk submits a list. Each address spends a credit; the results arrive where
// the verifier's account is looked at, not here.
func (c *Client) Bulk(ctx context.Context, addresses []string) error {
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

// Me tells whose the key is.
func (c *Client) Me(ctx context.Context) (Account, error) {
	var a Account
	_, err := c.send(ctx, c.request("ask for the account", http.MethodGet, "/me", ""), &a)
	return a, err
}

// Health is what a proxy tells everybody about itself.
type Health struct {
	Key   bool `json:"key"`   // it has a verifier's key: otherwise it makes free checks only
	Token bool `json:"token"` // it wants a token
}

// Health asks a proxy about itself. A verifier answers [ErrAbsent].
func (c *Client) Health(ctx context.Context) (Health, error) {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	var answer struct {
		Health
		Status string `json:"status"`
	}
	q := c.request("ask for the state of the proxy", http.MethodGet, "/healthz", "")
	_, err := c.send(ctx, q, &answer)
	if err == nil && answer.Status == "" {
		err = c.service.Fail(q, ErrAbsent, http.StatusOK, "")
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
		return nil, c.service.Fail(q, ErrServer, got.Status, "the answer is longer than 1 MiB")
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
			return nil, c.service.Fail(q, ErrAbsent, got.Status, "a page answered instead")
		}
		return nil, c.service.Fail(q, ErrServer, got.Status, "the answer is not the JSON that was expected")
	}
	return got.Header, nil
}

func (c *Client) refused(q rest.Request, got *rest.Response) error {
	var said struct{ Error string }
	_ = json.Unmarshal(got.Body, &said) // a response that is no JSON says nothing more
	f := c.service.Fail(q, kindOf(got.Status), got.Status, said.Error)
	wait, told := rest.RetryAfter(got.Header, time.Now())
	switch {
	case f.Kind == ErrLimit:
		return &LimitError{max(wait, time.Second), f}
	case f.Status == http.StatusServiceUnavailable && told: // without it, a gateway may have lost the response
		f.Cause = rest.ErrUnsent
	}
	return f
}
