// Package sample is a code host of invented people, for trying an extraction
// without a token and without a network: [New] makes one that answers from
// memory as GitHub's REST API does. The engine over it is the real one.
//
// The host has one repository, [Repo]. Its forks fill four pages. As at a
// busy host, one person is listed on two of them, two accounts are gone when
// requested, and some owners are organisations. With [Token] there are email
// addresses, lists of stars and watchers, and 5,000 requests an hour. Without
// a token there are no addresses, no such lists, and 60 requests.
//
// Nobody in it can be written to or mistaken for somebody: domains are
// reserved ones (RFC 2606, RFC 6761), and a login has an underscore, which
// GitHub gives only to accounts that a company manages.
package sample

import (
	"time"

	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/fakehost"
)

// Base is the host's URL for codehost.Config; Token is the token it takes.
const (
	Base  = "https://api.sample.invalid"
	Token = "sample"
)

// Repo is the only repository.
var Repo = codehost.Repo{Owner: "acme", Name: "engine"}

// New makes a host with a quota of its own, whose hour starts with the first
// request. An answer takes 60 to 140 ms, in the same sequence every time.
func New() *fakehost.Host {
	h := host()
	h.Base, h.Token, h.Owner, h.Name = Base, Token, Repo.Owner, Repo.Name
	h.Site, h.Restriction = "https://sample.invalid/", fakehost.RestrictedToToken
	h.Self = fakehost.Account{Login: "you-sample", Name: "You", CreatedAt: day(4000)}
	h.Latency, h.Jitter = 60*time.Millisecond, 81*time.Millisecond
	return h
}
