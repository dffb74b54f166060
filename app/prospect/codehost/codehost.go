// Package codehost is a client for the part of a code host's REST API that an
// extraction needs: who starred, forked, watches or contributed to a
// repository, one account's public profile, whose the token is, and the quota.
// It speaks to api.github.com and to installations with the same interface.
//
// Most callers need [New] and two methods: [Client.Page], which reads a page of
// a listing that [List] begins, and [Client.User]. Both may be called from
// many goroutines; the client keeps the host's rules for all of them together.
//
// # Limits
//
//   - The primary quota: once the host has said that nothing is left, no
//     request leaves before the reset. What is in flight is subtracted from
//     what is left, so that ten requests at once do not overdraw one.
//   - The secondary limits: the client waits as Retry-After says; without it
//     the wait is 60 s, doubled each time. No request leaves while a penalty
//     lasts.
//   - Nothing the host says makes a limit longer than a day, or a listing
//     longer than [MaxPages].
//   - 900 points a minute (a GET costs one). A request counts from its start
//     until a minute after its end, so that no 60 seconds at the host ever
//     hold more, whatever the network does in between.
//   - Never more than 100 requests at once.
//
// Waits up to [Config.Patience] are taken; a longer one is an error that knows
// when to come back: [LimitError], [RetryAt].
//
// # The token
//
// It is sent to the host given at construction and to no other, whatever a
// link or a redirect says (see [Doer]). It is in no error and no String.
//
// # Errors
//
// Every error says what was attempted, why it failed, and what to do next; a
// limit is a [*LimitError]. Branch with
// errors.Is on the kinds, for example [ErrRestricted]; never on text.
//
// Sources: GitHub's REST documentation and changelog as of November 2026.
// The package compiles for the browser and uses no http.Client.
package codehost

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"marketingskills/app/text"
)

// DefaultBase is the address of the API when none is configured.
const DefaultBase = "https://api.github.com"

// Limits and defaults. Sources: GitHub REST documentation, "Rate limits" and
// "Pagination".
const (
	DefaultPointsPerMinute = 900              // secondary limit, one point per GET
	defaultTimeout         = 30 * time.Second // one request, answer included
	defaultPatience        = 2 * time.Minute  // longest wait that is simply taken
	mostRetries            = 4                // after the first try
	PageSize               = 100              // most entries on a listing page
	MaxPages               = 400              // where listings stop: 40,000 people
	maxInFlight            = 100              // secondary limit on concurrency
	apiVersion             = "2022-11-28"     // supported until 2028-03-10
)

// Doer sends one request. *http.Client is one, the browser's fetch another. It
// must give up when the request's context ends.
//
// It hands redirects over if it can: give an *http.Client the function
// [NoRedirects]. One that follows them itself, as fetch does, which hides them,
// must leave the Authorization header behind when the host changes, and must
// say in Response.Request where the answer came from: an answer of another host
// is refused, and the links on a page are read against its address. Such a hop
// is not paced, counted or noticed as a request; the host may count it.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// NoRedirects is for the field CheckRedirect of an *http.Client: the client
// here follows redirects by hand, so that the token stays on its host.
func NoRedirects(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Token is an access token that does not print itself: String, formatting
// with any verb and JSON show "[token]" or "[no token]".
type Token struct{ reveal func() string }

// NewToken wraps a token; surrounding white space is not part of it.
func NewToken(secret string) Token {
	secret = strings.TrimSpace(secret)
	if secret == "" {
		return Token{}
	}
	return Token{func() string { return secret }}
}

// Present reports whether there is a token.
func (t Token) Present() bool { return t.reveal != nil }

func (t Token) String() string {
	if t.Present() {
		return "[token]"
	}
	return "[no token]"
}

// GoString keeps %#v from printing the token.
func (t Token) GoString() string { return t.String() }

// MarshalText keeps encoders from writing the token.
func (t Token) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

func (t Token) secret() string {
	if t.reveal == nil {
		return ""
	}
	return t.reveal()
}

// Config says how to reach the host. Only Doer is needed.
type Config struct {
	// Base is the API's address, [DefaultBase] if empty. It may have a path
	// (https://code.example.com/api/v3). Plain http is refused together with
	// a token, except to this machine.
	Base string
	// Token is optional: 60 requests an hour without, 5,000 with one.
	Token Token
	// Doer sends the requests.
	Doer Doer
	// UserAgent names the caller; the host refuses requests without one.
	UserAgent string
	// PointsPerMinute paces the requests; 0 is 900, negative is no pacing.
	PointsPerMinute int
	// Timeout bounds one request, from its start to the last byte of its
	// answer; 0 is 30 s. It runs on the system's clock.
	Timeout time.Duration
	// Patience is the longest wait for a quota or a penalty that is simply
	// taken; 0 is two minutes, negative is none. A longer wait is an error
	// at once, before anything is sent.
	Patience time.Duration
	// Now and After are the clock; that of package time if nil.
	Now   func() time.Time
	After func(time.Duration) <-chan time.Time
}

// Client asks one host. Its methods may be called from many goroutines.
type Client struct {
	base   *url.URL
	config Config // without Base; nothing in it is left to its default
	gate   gate
}

// New checks the configuration; it sends nothing.
func New(c Config) (*Client, error) {
	if c.Doer == nil {
		return nil, errors.New("codehost: no Doer to send requests with")
	}
	base, err := parseBase(c.Base)
	if err != nil {
		return nil, err
	}
	if err := checkToken(c.Token, base); err != nil {
		return nil, err
	}
	c.UserAgent = cmp.Or(c.UserAgent, "marketingskills-prospects")
	c.PointsPerMinute = max(cmp.Or(c.PointsPerMinute, DefaultPointsPerMinute), 0)
	c.Timeout = cmp.Or(c.Timeout, defaultTimeout)
	c.Patience = max(cmp.Or(c.Patience, defaultPatience), 0)
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.After == nil {
		c.After = time.After
	}
	return &Client{base: base, config: c,
		gate: gate{points: c.PointsPerMinute, turn: make(chan struct{}, 1), changed: make(chan struct{})}}, nil
}

func parseBase(given string) (*url.URL, error) {
	base, err := url.Parse(cmp.Or(strings.TrimRight(strings.TrimSpace(given), "/"), DefaultBase))
	if err != nil || base.Host == "" || (base.Scheme != "https" && base.Scheme != "http") {
		return nil, fmt.Errorf("%q is not the URL of an API; use a URL such as %s or https://code.example.com/api/v3",
			text.Line(given, longestMessage), DefaultBase)
	}
	if base.User != nil {
		return nil, errors.New("the URL of the API contains a username or password; give the token separately")
	}
	if base.RawQuery != "" || base.Fragment != "" {
		return nil, fmt.Errorf("the URL of the API has a query or fragment; leave out what follows ? or # in %q",
			text.Line(given, longestMessage))
	}
	return base, nil
}

func checkToken(token Token, base *url.URL) error {
	secret := token.secret()
	if strings.ContainsFunc(secret, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("the token contains a space, a line break or another character that tokens do not have; copy it again")
	}
	address, err := netip.ParseAddr(base.Hostname())
	local := base.Hostname() == "localhost" || err == nil && address.IsLoopback()
	if secret != "" && base.Scheme == "http" && !local {
		return fmt.Errorf("a token is not sent over plain http; use https://%s", base.Host)
	}
	return nil
}

// Base is the address the client was made for.
func (c *Client) Base() string { return c.base.String() }

// HasToken tells whether requests are authenticated.
func (c *Client) HasToken() bool { return c.config.Token.Present() }

// PointsPerMinute is the pace kept; 0 is none.
func (c *Client) PointsPerMinute() int { return c.config.PointsPerMinute }

// Notice tells what a client does on behalf of a context: see [WithNotices].
type Notice struct {
	Kind NoticeKind
	// Until is when a wait ends; Why is its cause in words.
	Until time.Time
	Why   string
}

// NoticeKind is the kind of a [Notice].
type NoticeKind int

// The kinds: a request leaves; the client waits for a quota or a penalty; it
// will try a failed request again. Pacing is silent.
const (
	NoticeSent NoticeKind = iota
	NoticeWaiting
	NoticeRetrying
)

type noticesKey struct{}

// WithNotices has everything done under the context reported to f, which is
// called from many goroutines and must return at once.
func WithNotices(ctx context.Context, f func(Notice)) context.Context {
	return context.WithValue(ctx, noticesKey{}, f)
}

func notify(ctx context.Context, n Notice) {
	if f, ok := ctx.Value(noticesKey{}).(func(Notice)); ok {
		f(n)
	}
}
