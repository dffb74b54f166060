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
//     the wait is 60 s, doubled each time. No request leaves while a pause
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
// link or a redirect says (see [rest.Doer]). It is in no error and no String.
//
// # Errors
//
// Every error says what was attempted, why it failed, and what to do next: it is
// a [*rest.Failure], or a [*LimitError]. Branch with errors.Is on the kinds, for
// example [ErrRestricted]; never on text.
//
// Sources: GitHub's REST documentation and changelog as of November 2026.
// The package compiles for the browser and uses no http.Client.
package codehost

import (
	"cmp"
	"context"
	"strings"
	"time"

	"marketingskills/app/rest"
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
	longestMessage         = 200              // bytes of what was given that an error repeats
)

// Config says how to reach the host. Only Doer is needed.
type Config struct {
	// Base is the API's address, [DefaultBase] if empty. It may have a path
	// (https://code.example.com/api/v3). Plain http is refused together with
	// a token, except to this machine.
	Base string
	// Token is optional: 60 requests an hour without, 5,000 with one.
	Token rest.Secret
	// Doer sends the requests. One that follows redirects itself, as fetch does,
	// is fine: a hop is not paced, counted or noticed as a request, though the
	// host may count it.
	Doer rest.Doer
	// UserAgent names the caller; the host refuses requests without one.
	UserAgent string
	// PointsPerMinute paces the requests; 0 is 900, negative is no pacing.
	PointsPerMinute int
	// Timeout bounds one request, from its start to the last byte of its
	// answer; 0 is 30 s. It runs on the system's clock.
	Timeout time.Duration
	// Patience is the longest wait for a quota or a pause that is simply
	// taken; 0 is two minutes, negative is none. A longer wait is an error
	// at once, before anything is sent.
	Patience time.Duration
	// Now and After are the clock; that of package time if nil.
	Now   func() time.Time
	After func(time.Duration) <-chan time.Time
}

// Client asks one host. Its methods may be called from many goroutines.
type Client struct {
	service *rest.Client
	config  Config // nothing in it is left to its default
	gate    gate
}

// New checks the configuration; it sends nothing.
func New(c Config) (*Client, error) {
	c.Base = cmp.Or(strings.TrimSpace(c.Base), DefaultBase)
	c.PointsPerMinute = max(cmp.Or(c.PointsPerMinute, DefaultPointsPerMinute), 0)
	c.Patience = max(cmp.Or(c.Patience, defaultPatience), 0)
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.After == nil {
		c.After = time.After
	}
	service, err := rest.New(rest.Config{Name: "the GitHub API", Base: c.Base, Secret: c.Token, Doer: c.Doer,
		Timeout: cmp.Or(c.Timeout, defaultTimeout), UserAgent: cmp.Or(c.UserAgent, "marketingskills-prospects")})
	if err != nil {
		return nil, err
	}
	return &Client{service: service, config: c,
		gate: gate{points: c.PointsPerMinute, turn: make(chan struct{}, 1), changed: make(chan struct{})}}, nil
}

// Base is the address the client was made for.
func (c *Client) Base() string { return c.service.Base().String() }

// HasToken tells whether requests are authenticated.
func (c *Client) HasToken() bool { return c.service.HasSecret() }

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

// The kinds: a request leaves; the client waits for a quota or a pause; it
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
