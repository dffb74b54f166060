package codehost

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"

	"marketingskills/app/rest"
)

const (
	maxRedirects  = 5
	maxLimits     = 5        // that one request is answered with, then it fails
	maxListBody   = 16 << 20 // bytes; a full page of forks has about 0.6 MB
	maxObjectBody = 1 << 20
	firstBackoff  = 500 * time.Millisecond
	mostBackoff   = 30 * time.Second
	mediaJSON     = "application/vnd.github+json"
	mediaStars    = "application/vnd.github.star+json"
)

type request struct {
	attempt string // in words, for errors
	target  *url.URL
	accept  string
	most    int64 // bytes of a response
	free    bool  // costs nothing of the primary quota
}

// response is what the host sent, with any status.
type response struct {
	*rest.Response
	message string    // of an error, in the host's words
	began   time.Time // when the request left
}

// get asks until there is a response that asking again would not change:
// limits are waited out, temporary faults tried again, redirects followed.
func (c *Client) get(ctx context.Context, r request) (*response, error) {
	tries, limits, redirects := 0, 0, 0
	for {
		if err := c.enter(ctx, r.attempt, r.free); err != nil {
			return nil, err
		}
		notify(ctx, Notice{Kind: NoticeSent})
		got, err := c.once(ctx, r)
		switch {
		case ctx.Err() != nil && err != nil:
			return nil, c.interrupted(ctx, r.attempt)
		case err == nil && limited(got):
			if limits++; limits > maxLimits {
				return nil, c.currentLimit(r.attempt)
			}
			continue
		case err == nil && got.Status >= 500:
			err = c.refused(r.attempt, got)
			fallthrough
		case err != nil:
			if tries++; !Transient(err) || tries > mostRetries {
				return nil, err
			}
			if err := c.backOff(ctx, r.attempt, tries, got, err); err != nil {
				return nil, err
			}
			continue
		}
		if got.Status/100 != 3 || got.Status == http.StatusNotModified {
			return got, nil
		}
		location := got.Header.Get("Location")
		if redirects++; redirects > maxRedirects {
			return nil, c.fail(errRedirects, r.attempt, got.Status, location)
		}
		target, ok := c.service.Resolve(r.target, location)
		if !ok || location == "" {
			return nil, c.foreign(r.attempt, got.Status, location)
		}
		r.target = target
	}
}

// once sends the request. What the response says about limits is known to the
// gate before the request counts as ended.
func (c *Client) once(ctx context.Context, r request) (*response, error) {
	defer c.leave()
	began := c.config.Now()
	sent, err := c.service.Send(ctx, rest.Request{Attempt: r.attempt, URL: r.target, Most: r.most,
		Header: http.Header{"Accept": {r.accept}, "X-Github-Api-Version": {apiVersion}}})
	if sent == nil {
		return nil, err
	}
	if _, ok := c.service.Resolve(c.service.Base(), sent.URL.String()); !ok {
		return nil, c.foreign(r.attempt, sent.Status, sent.URL.String())
	}
	c.learn(sent.Status, sent.Header, began)
	got := &response{Response: sent, began: began}
	if got.Status >= 300 {
		got.message = message(got.Body)
	}
	switch {
	case limited(got):
		c.limit(began, got.Header, c.service.Clean(got.message))
		return got, nil
	case err != nil && (got.Status < 300 || errors.Is(err, rest.ErrTooLarge)): // an error needs no whole body
		return nil, err
	case got.Status < 500:
		c.succeeded(began)
	}
	return got, nil
}

// backOff waits before another try: half a second doubled each time, at most
// 30 s, between half of it and all of it by chance.
func (c *Client) backOff(ctx context.Context, attempt string, tries int, got *response, why error) error {
	d := min(firstBackoff<<min(tries-1, 10), mostBackoff)
	d = d/2 + rand.N(d/2)
	if got != nil {
		if wait, ok := rest.RetryAfter(got.Header, c.config.Now()); ok {
			d = max(d, min(wait, c.config.Patience))
		}
	}
	notify(ctx, Notice{Kind: NoticeRetrying, Until: c.config.Now().Add(d), Why: why.Error()})
	select {
	case <-ctx.Done():
		return c.interrupted(ctx, attempt)
	case <-c.config.After(d):
		return nil
	}
}

// limited tells whether a response is a limit: the primary quota, or one of
// the secondary limits, which come as 403 or 429 with or without Retry-After.
func limited(got *response) bool {
	if got.Status == http.StatusTooManyRequests {
		return true
	}
	if got.Status != http.StatusForbidden {
		return false
	}
	if got.Header.Get("Retry-After") != "" || strings.TrimSpace(got.Header.Get("X-RateLimit-Remaining")) == "0" {
		return true
	}
	message := strings.ToLower(got.message)
	return strings.Contains(message, "rate limit") || strings.Contains(message, "abuse detection")
}

func (c *Client) currentLimit(attempt string) error {
	g, now := &c.gate, c.config.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.exhausted.After(now) && !g.pause.After(now) {
		return c.limitError(attempt, ErrQuota, g.exhausted)
	}
	return c.limitError(attempt, ErrPause, g.pause)
}

func message(body []byte) string {
	var m struct{ Message string }
	if json.Unmarshal(body, &m) == nil {
		return m.Message
	}
	return ""
}

// getObject fetches the JSON object of an account, a repository or the quota.
func (c *Client) getObject(ctx context.Context, r request, into any) (*response, error) {
	r.accept, r.most = mediaJSON, maxObjectBody
	got, err := c.get(ctx, r)
	if err != nil {
		return nil, err
	}
	if got.Status != http.StatusOK {
		return nil, c.refused(r.attempt, got)
	}
	if err := json.Unmarshal(got.Body, into); err != nil {
		return nil, c.malformed(r.attempt, got.Status, err.Error())
	}
	return got, nil
}
