// Package rest sends requests to a service over HTTP. It knows no service: what
// the clients of all of them have in common stands here once.
//
// [New] checks where a service is and what it is asked with; [Client.Send] sends
// one request once. It promises:
//
//   - The secret travels in one header to the service's own URL, and over plain
//     http only to this machine. No error and no text that went through
//     [Client.Clean] holds it.
//   - A response is read up to a bound, within a deadline.
//   - An error is a [*Failure]: what was attempted, of which [Kind] the failure
//     is, what the other side said about it, and what to do next.
//
// Whether to wait, to repeat or to give up is for the caller. The package
// compiles for the browser and uses no http.Client.
package rest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"time"

	"marketingskills/app/text"
)

// Doer sends one request. *http.Client is one, the browser's fetch another. It
// must give up when the request's context ends, also while the body of the
// response is read.
//
// It should hand redirects over instead of following them: give an *http.Client
// the function [NoRedirects]. One that follows them all the same, as fetch does,
// must leave the secret's header behind when the host changes, and must say in
// Response.Request where the response came from. It may mark an error with
// [ErrUnsent].
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// NoRedirects is the CheckRedirect of an *http.Client that keeps the secret on
// its host.
func NoRedirects(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Config says how to reach a service. Name, Base, Doer and Timeout are needed.
type Config struct {
	// Name is what the service is called in errors: "the verifier".
	Name string
	// Base is the URL that paths are appended to; it may have a path itself.
	Base string
	// Secret is sent with every request, if there is one.
	Secret Secret
	// SecretHeader is the header that carries the secret, after SecretPrefix. If it
	// is empty, that is "Authorization: Bearer " (RFC 6750). A page cannot use
	// another one: fetch takes all but Authorization to wherever a redirect leads.
	SecretHeader, SecretPrefix string
	// Doer sends the requests.
	Doer Doer
	// Timeout is for one request, to the last byte of its response, and more than 0.
	// It runs on the system's clock.
	Timeout time.Duration
	// UserAgent names the caller. A browser names itself.
	UserAgent string
}

// Client asks one service. Its methods may be called from many goroutines.
type Client struct {
	base   *url.URL
	config Config
}

// New checks a configuration; it sends nothing. Errors repeat no more of the URL
// than its host: some people write a key into it.
func New(c Config) (*Client, error) {
	base, err := url.Parse(strings.TrimRight(strings.TrimSpace(c.Base), "/"))
	problem := ""
	switch {
	case err != nil || base.Host == "" || base.Scheme != "https" && base.Scheme != "http":
		problem = "is not one of http or https with a server's name; use a URL such as https://api.example.com"
	case base.User != nil:
		problem = "contains a username or password; leave them out, a key or token is given separately"
	case base.RawQuery != "" || base.ForceQuery || base.Fragment != "":
		problem = "contains a query or fragment; leave out what follows ? or #"
	case base.Scheme == "http" && c.Secret.Present() && !ThisMachine(base.Hostname()):
		problem = fmt.Sprintf("begins with http://%s, where the key or token would travel unencrypted; use https://%[1]s", base.Host)
	case strings.ContainsFunc(c.Secret.reveal(), func(r rune) bool { return r <= ' ' || r > '~' }):
		return nil, fmt.Errorf("the key or token for %s contains a space, a line break or another character that none has; copy it again", c.Name)
	}
	switch {
	case problem != "":
		return nil, fmt.Errorf("the URL of %s %s", c.Name, problem)
	case c.Doer == nil:
		return nil, fmt.Errorf("no Doer to send requests to %s with", c.Name)
	case c.Timeout <= 0:
		return nil, fmt.Errorf("no Timeout for requests to %s; it is %v", c.Name, c.Timeout)
	case c.SecretHeader == "":
		c.SecretHeader, c.SecretPrefix = "Authorization", "Bearer "
	}
	return &Client{base, c}, nil
}

// ThisMachine tells whether only this machine can be meant by a host, without a
// port and brackets: localhost or a loopback IP address. No name is looked up.
func ThisMachine(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}

// Base is the URL that paths are appended to.
func (c *Client) Base() *url.URL {
	base := *c.base
	return &base
}

// HasSecret tells whether requests carry a secret.
func (c *Client) HasSecret() bool { return c.config.Secret.Present() }

// Timeout is how long one request may take.
func (c *Client) Timeout() time.Duration { return c.config.Timeout }

// At is the URL of a path, which is escaped already and begins with a slash.
func (c *Client) At(path, query string) *url.URL {
	target := c.Base()
	if u, err := url.Parse(target.String() + path); err == nil {
		target = u
	}
	target.RawQuery = query
	return target
}

// Resolve reads a URL that the service gave at one of its own, and reports
// whether it stays on the service: same scheme, name and port, no username.
func (c *Client) Resolve(at *url.URL, given string) (target *url.URL, ok bool) {
	target, err := url.Parse(given)
	if err != nil {
		return nil, false
	}
	target = at.ResolveReference(target)
	target.Fragment, target.RawFragment = "", ""
	return target, target.Scheme == c.base.Scheme && strings.EqualFold(target.Host, c.base.Host) && target.User == nil
}

// Request is what [Client.Send] sends.
type Request struct {
	// Attempt is for errors, after "could not": "verify an email with api.example".
	Attempt string
	Method  string // GET if empty
	URL     *url.URL
	Header  http.Header
	Body    []byte // JSON, unless the header says what else; or nil
	// Most is how many bytes of the response are read; a longer one fails.
	Most int64
	// Private is a text that errors do not repeat, such as an email; they have
	// "[…]" instead.
	Private string
}

// Response is a response of any status.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
	// URL is where it came from: that of the request, unless the Doer followed
	// redirects.
	URL *url.URL
}

// Send sends a request once. With an error, the response is nil, or holds what
// arrived of it if its head did.
func (c *Client) Send(outer context.Context, r Request) (*Response, error) {
	ctx, cancel := context.WithTimeout(outer, c.config.Timeout)
	defer cancel()
	request, err := c.request(ctx, r)
	if err != nil {
		return nil, c.Fail(r, ErrInvalid, 0, "the request could not be made")
	}
	response, err := c.config.Doer.Do(request)
	if err != nil {
		return nil, c.broken(ctx, r, err)
	}
	defer response.Body.Close()
	defer context.AfterFunc(ctx, func() { response.Body.Close() })()
	got := &Response{Status: response.StatusCode, Header: response.Header, URL: r.URL}
	if response.Request != nil && response.Request.URL != nil {
		got.URL = response.Request.URL
	}
	got.Body, err = io.ReadAll(io.LimitReader(response.Body, r.Most+1))
	switch {
	case err != nil || ctx.Err() != nil:
		return got, c.broken(ctx, r, fmt.Errorf("the response broke off: %w", cmp.Or(err, ctx.Err())))
	case int64(len(got.Body)) > r.Most:
		return got, c.Fail(r, ErrTooLarge, got.Status, "")
	}
	return got, nil
}

func (c *Client) request(ctx context.Context, r Request) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, cmp.Or(r.Method, http.MethodGet), r.URL.String(), bytes.NewReader(r.Body))
	if err != nil {
		return nil, err
	}
	maps.Copy(request.Header, r.Header)
	if r.Body != nil && request.Header.Get("Content-Type") == "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if runtime.GOOS != "js" && c.config.UserAgent != "" {
		request.Header.Set("User-Agent", c.config.UserAgent)
	}
	if c.HasSecret() {
		request.Header.Set(c.config.SecretHeader, c.config.SecretPrefix+c.config.Secret.reveal())
	}
	return request, nil
}

// MostRetryAfter is the longest wait that the other side is believed to want.
const MostRetryAfter = 24 * time.Hour

// RetryAfter reads the header of that name: seconds, or an HTTP date, which is
// compared with now. The wait is between a second and a day; ok is false if the
// header is absent or says neither.
func RetryAfter(h http.Header, now time.Time) (wait time.Duration, ok bool) {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.Atoi(value); err == nil && seconds >= 0 || errors.Is(err, strconv.ErrRange) && seconds > 0 {
		wait = time.Duration(min(seconds, int(MostRetryAfter/time.Second))) * time.Second
	} else if at, err := http.ParseTime(value); err == nil {
		wait = at.Sub(now)
	} else {
		return 0, false
	}
	return min(max(wait, time.Second), MostRetryAfter), true
}

// longestMessage is how much of a text from outside an error repeats, in bytes.
const longestMessage = 300

// Clean makes a text from outside fit for a message: one line of at most 300
// bytes, without the secret.
func (c *Client) Clean(from string) string {
	return text.Line(c.config.Secret.Mask(from), longestMessage)
}
