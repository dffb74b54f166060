// Package maildns asks the domain name system whether a domain can receive
// email. A [Checker] is a [verify.MailDomains]; it keeps its answers for an hour,
// so that many addresses of one domain need one question. That nothing could be
// found out is kept for seconds only.
//
// A domain can receive email if it has a mail server (MX) or, without one, an
// address (RFC 5321, 5.1), and has not said that it takes none (RFC 7505). Only
// an answer that is certain counts as "cannot": time-outs, failing servers and a
// missing network are errors, and so is what a resolver says that does not know
// .com either, asked anew each time: behind a firewall or a page to log in there
// are such, and a machine moves there. The verdict is about the domain; whether
// its server works and knows the mailbox is for a verifier to say.
package maildns

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"marketingskills/app/verify"
)

const (
	// timeout is for all questions about one domain, retries included.
	timeout = 5 * time.Second
	// most is how many answers are kept.
	most = 20_000
	// Domains get mail servers and lose them; networks come back sooner.
	keepAnswer  = time.Hour
	keepFailure = 10 * time.Second
)

// Resolver asks the domain name system; *net.Resolver is one. That a name or
// its records do not exist is a *net.DNSError with IsNotFound.
type Resolver interface {
	LookupMX(ctx context.Context, name string) ([]*net.MX, error)
	LookupIPAddr(ctx context.Context, host string) ([]net.IPAddr, error)
	LookupNS(ctx context.Context, name string) ([]*net.NS, error)
}

// Checker asks and remembers. Its methods may be called from many goroutines.
type Checker struct {
	resolver Resolver
	timeout  time.Duration
	most     int
	mu       sync.Mutex
	answers  map[string]*answer
	failed   map[string]bool // domains, up to most
}

var _ verify.MailDomains = (*Checker)(nil)

// answer is one domain's; until done is closed, somebody asks for it.
type answer struct {
	done  chan struct{}
	ok    bool
	why   string
	err   error
	left  bool      // who asked gave up: there is none
	until time.Time // it is kept until then; zero while somebody asks
}

func (a *answer) expired() bool { return !a.until.IsZero() && !time.Now().Before(a.until) }

// New makes a checker; without a resolver it uses the system's.
func New(r Resolver) *Checker {
	if r == nil {
		r = &net.Resolver{}
	}
	return &Checker{resolver: r, timeout: timeout, most: most, answers: map[string]*answer{}, failed: map[string]bool{}}
}

// Receives is [verify.MailDomains]. A domain in another script than ASCII is an
// error: which name it has in the domain name system is not decided here.
func (c *Checker) Receives(ctx context.Context, domain string) (ok bool, why string, err error) {
	for {
		a, asked := c.answer(domain)
		if !asked {
			c.fill(ctx, domain, a)
			return a.ok, a.why, a.err
		}
		select {
		case <-a.done:
			if !a.left {
				return a.ok, a.why, a.err
			}
		case <-ctx.Done():
			return false, "", ctx.Err()
		}
	}
}

// answer returns a domain's, and whether somebody asks or has asked for it;
// otherwise it is the caller who must fill it.
func (c *Checker) answer(domain string) (a *answer, asked bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if a, asked = c.answers[domain]; asked && !a.expired() {
		return a, true
	}
	c.forget()
	a = &answer{done: make(chan struct{})}
	c.answers[domain] = a
	return a, false
}

// fill asks for an answer, and lets those who wait for it go on.
func (c *Checker) fill(ctx context.Context, domain string, a *answer) {
	ok, why, err := c.ask(ctx, domain)
	c.mu.Lock()
	defer c.mu.Unlock()
	defer close(a.done)
	a.ok, a.why, a.err = ok, why, err
	switch {
	case err == nil:
		a.until = time.Now().Add(keepAnswer)
		delete(c.failed, domain)
	case ctx.Err() != nil: // this caller's end, and no other's
		a.left = true
		delete(c.answers, domain)
	default:
		a.until = time.Now().Add(keepFailure)
		if len(c.failed) < c.most {
			c.failed[domain] = true
		}
	}
}

// Failed is for how many domains nothing could be found out so far.
func (c *Checker) Failed() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.failed)
}

// forget makes room for an answer: any other goes. Callers hold the lock.
func (c *Checker) forget() {
	for domain, a := range c.answers {
		if len(c.answers) < c.most {
			return
		}
		select {
		case <-a.done:
			delete(c.answers, domain)
		default: // somebody waits for it
		}
	}
}

// ask believes that a domain receives no email only if, in the same network,
// the resolver knows a domain that exists: it asks for that one in between.
// The machine may move to another network before any of the questions.
func (c *Checker) ask(ctx context.Context, domain string) (ok bool, why string, err error) {
	if strings.ContainsFunc(domain, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return false, "", errors.New("the domain is not written in ASCII")
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	if ok, why, err = c.lookUp(ctx, domain); ok || err != nil {
		return ok, why, err
	}
	known, err := c.resolver.LookupNS(ctx, "com.")
	if err == nil && len(known) == 0 {
		err = errors.New("an empty answer")
	}
	if err != nil {
		return false, "", fmt.Errorf("the resolver does not know .com, so its word on %s does not count; "+
			"check whether this network wants a login, and try again: %w", domain, err)
	}
	return c.lookUp(ctx, domain)
}

func (c *Checker) lookUp(ctx context.Context, domain string) (ok bool, why string, err error) {
	name := domain + "." // not below the domains that this machine searches
	servers, err := c.resolver.LookupMX(ctx, name)
	switch {
	case len(servers) == 1 && strings.TrimSuffix(servers[0].Host, ".") == "":
		return false, "the domain takes no email", nil
	case len(servers) > 0: // beside an error for others that are malformed
		return true, "", nil
	case err != nil && !notFound(err):
		return false, "", fmt.Errorf("asking for the mail servers of %s: %w", domain, err)
	}
	addresses, err := c.resolver.LookupIPAddr(ctx, name)
	switch {
	case len(addresses) > 0:
		return true, "", nil
	case err != nil && !notFound(err):
		return false, "", fmt.Errorf("asking for the address of %s: %w", domain, err)
	}
	return false, "the domain does not exist or has no mail server", nil
}

// notFound tells whether an error is the certain answer that there is nothing.
func notFound(err error) bool {
	e, ok := errors.AsType[*net.DNSError](err)
	return ok && e.IsNotFound && !e.IsTimeout && !e.IsTemporary
}
