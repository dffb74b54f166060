package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"marketingskills/app/text"
)

const (
	// A verification takes up to 30 s. A proxy, where it may have to wait for its
	// turn before, gives up after 90 s.
	defaultTimeout = 100 * time.Second
	healthTimeout  = 10 * time.Second
	maxAnswer      = 1 << 20
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

// Doer sends one request. *http.Client is one, the browser's fetch another. It
// must give up when the request's context ends, also while the answer's body is
// read, and should follow no redirects: see [NoRedirects].
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// NoRedirects is the CheckRedirect of an *http.Client that keeps the key on its
// host.
func NoRedirects(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Secret is a key of the verifier or a token of a proxy. It prints as
// "[secret]", whatever prints it: package fmt prints a string in a field that is
// not exported without asking, a function it does not call.
type Secret struct{ value func() string }

// NewSecret wraps a secret; surrounding white space is not part of it.
func NewSecret(s string) Secret {
	s = strings.TrimSpace(s)
	if s == "" {
		return Secret{}
	}
	return Secret{func() string { return s }}
}

// Present tells whether there is one.
func (s Secret) Present() bool { return s.value != nil }

func (s Secret) String() string {
	if s.Present() {
		return "[secret]"
	}
	return "[no secret]"
}

// GoString keeps %#v from printing the secret.
func (s Secret) GoString() string { return s.String() }

// MarshalText keeps encoders from writing the secret.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

func (s Secret) reveal() string {
	if s.value == nil {
		return ""
	}
	return s.value()
}

// shortestMasked is the least length of a secret that is looked for in texts: what
// is shorter is none, and may be part of any word.
const shortestMasked = 8

// mask takes the secret out of a text from outside.
func (s Secret) mask(text string) string {
	if secret := s.reveal(); len(secret) >= shortestMasked {
		return strings.ReplaceAll(text, secret, s.String())
	}
	return text
}

// Config says how to reach a verifier or a proxy. Base and Doer are needed.
type Config struct {
	// Base is where the interface is; it may have a path. Plain http is
	// refused together with a secret, except to this machine.
	Base   string
	Secret Secret
	Doer   Doer
	// Timeout is for one request with its answer; 0 is 100 s, which is longer than
	// a verify-proxy takes.
	Timeout time.Duration
	// UserAgent names the caller. A browser names itself.
	UserAgent string
}

// Client asks a verifier, or a proxy in front of one. It sends each request
// once. Its methods may be called from many goroutines. Errors are of the kinds
// of this package. Neither they nor results hold the secret, should the other
// side repeat it; the errors of Inline do not hold the address as it was given.
type Client struct {
	base      *url.URL
	secret    Secret
	doer      Doer
	timeout   time.Duration
	userAgent string
}

// NewClient checks a configuration. It sends nothing. Errors repeat no more of
// the URL than its host: some people write a key into it.
func NewClient(c Config) (*Client, error) {
	base, err := url.Parse(strings.TrimSuffix(c.Base, "/"))
	switch {
	case err != nil || base.Host == "" || base.Scheme != "https" && base.Scheme != "http":
		return nil, errors.New("the verifier's URL is not one of http or https with a host; write it like https://api.example.com")
	case base.User != nil:
		return nil, errors.New("the verifier's URL holds a user name or password; leave it out, the key travels in a header")
	case base.RawQuery != "" || base.ForceQuery || base.Fragment != "":
		return nil, errors.New("the verifier's URL holds a ? or #; leave out what follows, the key travels in a header")
	}
	if base.Scheme == "http" && c.Secret.Present() && !ThisMachine(base.Hostname()) {
		return nil, fmt.Errorf("the verifier's URL begins with http://%s: the key would travel unencrypted; use https", base.Host)
	}
	if strings.ContainsFunc(c.Secret.reveal(), func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("the key contains a space or a character that no key has; copy it again")
	}
	client := &Client{base: base, secret: c.Secret, doer: c.Doer, timeout: c.Timeout, userAgent: c.UserAgent}
	if client.timeout == 0 {
		client.timeout = defaultTimeout
	}
	return client, nil
}

// ThisMachine tells whether only this machine can be meant by a host, without a
// port and brackets: localhost or a loopback IP address. No name is looked up.
func ThisMachine(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}

// Inline verifies one address, which spends a credit.
func (c *Client) Inline(ctx context.Context, address string) (Result, error) {
	q := request{attempt: "verify an email", about: address,
		method: http.MethodPost, target: "/api/v1/verify_inline?email=" + url.QueryEscape(address)}
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
		return Result{}, c.fail(q, ErrServer, http.StatusOK, "the answer holds no result", nil)
	case of < 0:
		return Result{}, c.fail(q, ErrServer, http.StatusOK, "the answer is about another email", nil)
	}
	result := answer.Emails[of]
	result.Source = Source(head.Get(HeaderSource))
	c.mask(&result)
	return result, nil
}

func (c *Client) mask(r *Result) {
	for _, s := range []*string{&r.Address, &r.Domain, &r.Canonical, &r.MXRecord, &r.FirstName, &r.LastName, (*string)(&r.State),
		(*string)(&r.SubState), &r.VerifiedAt, &r.DidYouMean, &r.Reason, (*string)(&r.Source)} {
		*s = c.secret.mask(*s)
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
	_, err = c.send(ctx, request{attempt: "submit a list of " + text.Count(len(addresses), "email"), method: http.MethodPost,
		target: "/api/v1/verify", body: body}, nil)
	return err
}

// Me tells whose the key is.
func (c *Client) Me(ctx context.Context) (Account, error) {
	var a Account
	_, err := c.send(ctx, request{attempt: "ask for the account", method: http.MethodGet, target: "/me"}, &a)
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
	q := request{attempt: "ask for the state of the proxy", method: http.MethodGet, target: "/healthz"}
	_, err := c.send(ctx, q, &answer)
	if err == nil && answer.Status == "" {
		err = c.fail(q, ErrAbsent, http.StatusOK, "", nil)
	}
	return answer.Health, err
}

// request is what a method of [Client] sends.
type request struct {
	attempt        string // for errors: what was attempted
	method, target string
	body           []byte // JSON, or nil
	about          string // an address, which errors do not hold
}

// send sends a request and reads the JSON of its answer into the given value,
// unless that is nil.
func (c *Client) send(ctx context.Context, q request, into any) (http.Header, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, q.method, c.base.String()+q.target, bytes.NewReader(q.body))
	if err != nil {
		return nil, c.fail(q, ErrRequest, 0, "the request could not be made", nil)
	}
	if q.body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/json")
	if runtime.GOOS != "js" && c.userAgent != "" {
		req.Header.Set("User-Agent", c.userAgent)
	}
	if c.secret.Present() {
		req.Header.Set("Authorization", "Bearer "+c.secret.reveal())
	}
	resp, err := c.doer.Do(req)
	if err != nil {
		return nil, c.broken(ctx, q, withoutURL(err))
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err != nil {
		return nil, c.broken(ctx, q, fmt.Errorf("the answer broke off: %w", err))
	}
	if len(answer) > maxAnswer {
		return nil, c.fail(q, ErrServer, resp.StatusCode, "the answer is longer than 1 MiB", nil)
	}
	if resp.StatusCode/100 != 2 {
		return nil, c.refused(q, resp, answer)
	}
	if into == nil {
		return resp.Header, nil
	}
	if err := json.Unmarshal(answer, into); err != nil {
		if bytes.HasPrefix(bytes.TrimSpace(answer), []byte("<")) {
			return nil, c.fail(q, ErrAbsent, resp.StatusCode, "a page answered instead", nil)
		}
		return nil, c.fail(q, ErrServer, resp.StatusCode, "the answer is not the JSON that was expected", nil)
	}
	return resp.Header, nil
}

// withoutURL takes away the URL, which holds the address, from what an
// *http.Client says.
func withoutURL(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

func (c *Client) refused(q request, resp *http.Response, answer []byte) error {
	var said struct{ Error string }
	_ = json.Unmarshal(answer, &said) // an answer that is no JSON says nothing more
	f, later := c.fail(q, kindOf(resp.StatusCode), resp.StatusCode, said.Error, nil), resp.Header.Get("Retry-After")
	switch {
	case f.kind == ErrLimit:
		return &LimitError{retryAfter(later), f}
	case f.status == http.StatusServiceUnavailable && later != "": // without it, a gateway may have lost the answer
		f.cause = ErrUnspent
	}
	return f
}

// retryAfter reads seconds or an HTTP date; without either it is a second, at
// most it is a day.
func retryAfter(s string) time.Duration {
	wait := time.Second
	if seconds, err := strconv.Atoi(strings.TrimSpace(s)); err == nil || errors.Is(err, strconv.ErrRange) {
		wait = time.Duration(min(max(seconds, 1), 86400)) * time.Second
	} else if at, err := http.ParseTime(s); err == nil {
		wait = time.Until(at)
	}
	return min(max(wait, time.Second), 24*time.Hour)
}
