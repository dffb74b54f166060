// Package sample is a repository of invented people, for trying an extraction
// without a token and without a network: [New] fills a host of package
// fakehost with them. The engine over it is the real one.
//
// The host has one repository, [Repo]. Its forks fill four pages. As at a
// busy host, one person is listed on two of them, two accounts are gone when
// asked for, and some owners are organisations. Whoever asks with a token
// (any; [Token] is one) is a collaborator of the repository: there are
// addresses, lists of stars and watchers, and 5,000 requests an hour. Without
// a token there are no addresses, no such lists, and 60 requests.
//
// Nobody in it can be written to or mistaken for somebody: domains are
// reserved ones (RFC 2606, RFC 6761), and a login has an underscore, which
// GitHub gives only to accounts that a company manages.
package sample

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/fakehost"
)

// Base is the host's address for codehost.Config; Token is a token it takes.
const (
	Base  = "https://api.sample.invalid"
	Token = "sample"
)

// Repo is the only repository.
var Repo = codehost.Repo{Owner: "acme", Name: "engine"}

// New makes a host with a quota of its own, whose hour starts with the first
// request. An answer takes 60 to 140 ms, in the same sequence every time: wait
// spends them, [Sleep] for instance; nil is no latency.
func New(wait func(ctx context.Context, d time.Duration) error) *fakehost.Host {
	h := &fakehost.Host{Address: Base, Name: Repo.String(), AnyToken: true, Restriction: fakehost.RestrictedToTokens, PageLimit: math.MaxInt,
		Self:  fakehost.Account{Login: visitor, Name: "You", CreatedAt: day(4000), URL: site + visitor},
		Lists: map[string][]fakehost.Account{}}
	if wait != nil {
		var n atomic.Int64
		h.Wait = func(ctx context.Context) error { return wait(ctx, time.Duration(60+n.Add(1)*37%81)*time.Millisecond) }
	}
	settle(h)
	return h
}

// Sleep waits by the system's clock; the end of the context ends it.
func Sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
