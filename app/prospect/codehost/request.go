package codehost

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"time"
)

const (
	maxRedirects  = 5
	maxPenalties  = 5        // per request, then it fails
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
	limit   int64 // most bytes of an answer
	free    bool  // costs nothing of the primary quota
}

// answer is a complete answer of the host, any status.
type answer struct {
	status  int
	header  http.Header
	body    []byte
	url     *url.URL  // where it came from, redirects followed
	message string    // of an error, in the host's words
	began   time.Time // when the request left
}

func (c *Client) at(path string, query string) *url.URL {
	u := *c.base
	u.Path, u.RawPath, u.RawQuery = "", "", ""
	target, err := url.Parse(u.String() + strings.TrimRight(c.base.EscapedPath(), "/") + path)
	if err != nil { // paths are made of escaped segments
		target = &u
	}
	target.RawQuery = query
	return target
}

// get asks until there is an answer that asking again would not change:
// limits are waited out, passing faults tried again, redirects followed.
func (c *Client) get(ctx context.Context, r request) (*answer, error) {
	tries, penalties, redirects := 0, 0, 0
	for {
		if err := c.enter(ctx, r.attempt, r.free); err != nil {
			return nil, err
		}
		notify(ctx, Notice{Kind: NoticeSent})
		ans, err := c.once(ctx, r)
		switch {
		case ctx.Err() != nil && err != nil:
			return nil, c.interrupted(ctx, r.attempt)
		case err == nil && limited(ans):
			if penalties++; penalties > maxPenalties {
				return nil, c.currentLimit(r.attempt)
			}
			continue
		case err == nil && ans.status >= 500:
			err = c.refused(r.attempt, ans)
			fallthrough
		case err != nil:
			if tries++; !Transient(err) || tries > mostRetries {
				return nil, err
			}
			if err := c.pause(ctx, r.attempt, tries, ans, err); err != nil {
				return nil, err
			}
			continue
		}
		if location := ans.header.Get("Location"); ans.status/100 == 3 && ans.status != http.StatusNotModified {
			if redirects++; redirects > maxRedirects {
				return nil, c.fail(errRedirects, r.attempt, ans.status, location, "report it to GitHub support")
			}
			target, ok := c.sameHost(r.target, location)
			if !ok || location == "" {
				return nil, c.foreign(r.attempt, ans.status, location)
			}
			r.target = target
			continue
		}
		return ans, nil
	}
}

// once sends the request and reads the whole answer, within the deadline.
// What the answer says about limits is known to the gate before the request
// counts as ended.
func (c *Client) once(outer context.Context, r request) (*answer, error) {
	defer c.leave()
	ctx, cancel := context.WithTimeout(outer, c.config.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.target.String(), nil)
	if err != nil {
		return nil, c.fail(errRequest, r.attempt, 0, err.Error(), "report it")
	}
	req.Header.Set("Accept", r.accept)
	req.Header.Set("X-GitHub-Api-Version", apiVersion)
	if runtime.GOOS != "js" { // a browser names itself
		req.Header.Set("User-Agent", c.config.UserAgent)
	}
	if secret := c.config.Token.secret(); secret != "" {
		req.Header.Set("Authorization", "Bearer "+secret)
	}
	began := c.config.Now()
	resp, err := c.config.Doer.Do(req)
	if err != nil {
		return nil, c.broken(ctx, r.attempt, err)
	}
	defer resp.Body.Close()
	defer context.AfterFunc(ctx, func() { resp.Body.Close() })()
	from := r.target
	if resp.Request != nil && resp.Request.URL != nil {
		var ok bool
		if from, ok = c.sameHost(c.base, resp.Request.URL.String()); !ok {
			return nil, c.foreign(r.attempt, resp.StatusCode, resp.Request.URL.String())
		}
	}
	c.learn(resp.StatusCode, resp.Header, began)
	body, err := io.ReadAll(io.LimitReader(resp.Body, r.limit+1))
	ans := &answer{status: resp.StatusCode, header: resp.Header, body: body, url: from, began: began}
	if ans.status >= 300 {
		ans.message = message(body)
	}
	if limited(ans) {
		c.punish(began, resp.Header, c.clean(ans.message))
		return ans, nil
	}
	if (err != nil || ctx.Err() != nil) && ans.status < 300 {
		return nil, c.broken(ctx, r.attempt, cmp.Or(err, ctx.Err()))
	}
	if int64(len(body)) > r.limit {
		return nil, c.fail(errTooLarge, r.attempt, ans.status, "", "try again later; if it happens again, report it")
	}
	if ans.status < 500 {
		c.forgive(began)
	}
	return ans, nil
}

// pause waits before another try: half a second doubled each time, at most
// 30 s, between half of it and all of it by chance.
func (c *Client) pause(ctx context.Context, attempt string, tries int, ans *answer, why error) error {
	d := min(firstBackoff<<min(tries-1, 10), mostBackoff)
	d = d/2 + rand.N(d/2)
	if ans != nil {
		if wait, ok := retryAfter(ans.header.Get("Retry-After"), c.config.Now()); ok {
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

// limited tells whether an answer is a limit: the primary quota, or one of
// the secondary limits, which come as 403 or 429 with or without Retry-After.
func limited(ans *answer) bool {
	if ans.status == http.StatusTooManyRequests {
		return true
	}
	if ans.status != http.StatusForbidden {
		return false
	}
	if ans.header.Get("Retry-After") != "" || strings.TrimSpace(ans.header.Get("X-RateLimit-Remaining")) == "0" {
		return true
	}
	message := strings.ToLower(ans.message)
	return strings.Contains(message, "rate limit") || strings.Contains(message, "abuse detection")
}

func (c *Client) currentLimit(attempt string) error {
	g, now := &c.gate, c.config.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.exhausted.After(now) && !g.penalty.After(now) {
		return c.limitError(attempt, ErrQuota, g.exhausted)
	}
	return c.limitError(attempt, ErrPause, g.penalty)
}

func message(body []byte) string {
	var m struct{ Message string }
	if json.Unmarshal(body, &m) == nil {
		return m.Message
	}
	return ""
}

// getObject fetches the JSON object of an account, a repository or the quota.
func (c *Client) getObject(ctx context.Context, r request, into any) (*answer, error) {
	r.accept, r.limit = mediaJSON, maxObjectBody
	ans, err := c.get(ctx, r)
	if err != nil {
		return nil, err
	}
	if ans.status != http.StatusOK {
		return nil, c.refused(r.attempt, ans)
	}
	if err := json.Unmarshal(ans.body, into); err != nil {
		return nil, c.malformed(r.attempt, ans.status, err.Error())
	}
	return ans, nil
}
