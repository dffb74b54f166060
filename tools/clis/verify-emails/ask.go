package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"marketingskills/app/rest"
	"marketingskills/app/verify"
	"marketingskills/tools/internal/console"
	"marketingskills/tools/internal/pace"
	"marketingskills/tools/internal/verifiers"
	"marketingskills/tools/internal/version"
)

// paced is a verifier that is asked no faster than it allows.
type paced struct {
	client verify.Verifier
	window *pace.Local
	// stopped ends when no more requests shall start. Those that wait for
	// their turn do not count as started.
	stopped  context.Context
	limited  func(*verify.LimitError)
	requests atomic.Int64
	free     atomic.Int64 // answers of a proxy that asks no verifier
}

func (p *paced) verify(ctx context.Context, email string) (verify.Result, error) {
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(p.stopped, cancel)()
	slot, err := pace.Wait(waiting, p.window)
	if err != nil {
		return verify.Result{}, errInterrupted
	}
	ctx, done := pace.Trace(ctx, slot)
	defer done()
	p.requests.Add(1)
	r, err := p.client.Verify(ctx, email)
	if limit, ok := errors.AsType[*verify.LimitError](err); ok {
		p.limited(limit)
	}
	if r.Source == verify.FromChecks {
		p.free.Add(1)
	}
	return r, err
}

// settle waits until nothing counts any more that an earlier run asked just
// before it saved its results: the limit is the verifier's, not that of a run.
func (c *command) settle(ctx context.Context) {
	info, err := os.Stat(c.resume)
	if err != nil {
		return // no run is resumed, or its file is gone, which is said elsewhere
	}
	select {
	case <-time.After(min(pace.Span-time.Since(info.ModTime()), pace.Span)):
	case <-ctx.Done():
	}
}

// client makes the client of the verifier; it sends nothing.
func (c *command) client() (verify.Verifier, error) {
	switch {
	case c.base == "":
		return nil, console.Refuse("VERIFY_URL is not set; set it to the URL of a verifier or a verify-proxy, " +
			"or use --local to make only the free checks")
	case c.keyErr != nil:
		return nil, c.keyErr
	}
	service, err := verifiers.Find(c.service)
	if err != nil {
		return nil, err
	}
	client, err := service.New(rest.Config{Base: c.base, Secret: rest.NewSecret(c.key), Doer: c.doer, Timeout: verify.Timeout,
		UserAgent: "verify-emails/" + version.Number()})
	if err != nil {
		return nil, console.Refuse("reading VERIFY_URL and the key: %w", err)
	}
	return client, nil
}

// explained adds to an error what to do next.
func (c *command) explained(err error) error {
	limit, _ := errors.AsType[*verify.LimitError](err)
	for _, step := range []struct {
		kind error
		next string
	}{
		{verify.ErrKey, c.keyStep()},
		{verify.ErrPayment, "buy credits, then resume"},
		{verify.ErrRefused, "ask who runs it to allow your requests"},
		{verify.ErrNoKey, "ask who runs the proxy to give it a key, or use --local to make only the free checks"},
		{verify.ErrAbsent, "check VERIFY_URL and VERIFY_SERVICE"},
		{verify.ErrServer, "try again later"},
		{rest.ErrUnreachable, "check VERIFY_URL and the network"},
		{rest.ErrTimeout, "check the network, or try again later"},
	} {
		if errors.Is(err, step.kind) {
			if verify.MayHaveCost(err) {
				step.next += "; a credit may have been charged"
			}
			return fmt.Errorf("%w; %s", err, step.next)
		}
	}
	if limit != nil {
		return fmt.Errorf("%w; resume in %s", err, console.Short(limit.Wait))
	}
	return err
}

func (c *command) keyStep() string {
	if c.key == "" {
		return "set the key or the proxy's token in VERIFY_API_KEY"
	}
	return "check the key in VERIFY_API_KEY or VERIFY_API_KEY_FILE: it is wrong, expired or of another server"
}
