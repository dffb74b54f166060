package codehost

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"marketingskills/app/rest"
)

// Quota is the primary quota as last heard of.
type Quota struct {
	// Known is false before the first answer and for hosts without a quota;
	// the JSON is null then.
	Known     bool `json:"-"`
	Limit     int  `json:"limit"`     // requests an hour
	Remaining int  `json:"remaining"` // of them left
	// Reset is when all are there again, by this machine's clock; if that is
	// ahead of the host's, by when they are at the latest.
	Reset time.Time `json:"reset"`
}

// MarshalJSON writes null for a quota that is not known, and times in UTC.
func (q Quota) MarshalJSON() ([]byte, error) {
	if !q.Known {
		return []byte("null"), nil
	}
	type fields Quota
	q.Reset = q.Reset.UTC()
	return json.Marshal(fields(q))
}

// gate is what a request passes before it leaves: one for all goroutines.
type gate struct {
	mu       sync.Mutex
	turn     chan struct{} // full while somebody waits to leave: the others queue for it, first come, first served
	changed  chan struct{} // closed and replaced whenever a request ends
	inFlight int
	points   int         // a minute; 0: no pacing
	ended    []time.Time // ends of requests in the last minute, oldest first

	quota     Quota
	announced time.Time // its reset in the host's words
	since     time.Time // when that was first heard
	heard     bool      // a response named the quota, or that there is none
	exhausted time.Time
	pause     time.Time // no request before
	message   string    // of the pause, in the host's words
	streak    int       // pauses in a row
}

const (
	minute     = time.Minute + time.Millisecond // strictly more than the host's
	leastPause = time.Minute
	mostWait   = 24 * time.Hour // for a quota, too
)

type hold struct {
	wait  time.Duration // 0: until something changes
	limit error         // ErrQuota, ErrPause or nil
	until time.Time     // when the limit ends
}

// next tells, under the lock, whether a request may leave now.
func (g *gate) next(now time.Time, free bool) (hold, bool) {
	if now.Before(g.pause) {
		return hold{g.pause.Sub(now), ErrPause, g.pause}, false
	}
	if !free {
		if now.Before(g.exhausted) {
			return hold{g.exhausted.Sub(now), ErrQuota, g.exhausted}, false
		}
		if g.quota.Known && !now.Before(g.quota.Reset) {
			g.quota.Known, g.heard = false, false
		}
		if !g.heard && g.inFlight > 0 {
			return hold{}, false // the first answer tells how many may follow
		}
		if g.quota.Known && g.quota.Remaining <= g.inFlight {
			if g.inFlight > 0 {
				return hold{}, false
			}
			return hold{g.quota.Reset.Sub(now), ErrQuota, g.quota.Reset}, false
		}
	}
	if g.inFlight >= maxInFlight {
		return hold{}, false
	}
	if g.points > 0 {
		for len(g.ended) > 0 && now.Sub(g.ended[0]) >= minute {
			g.ended = g.ended[1:]
		}
		if len(g.ended)+g.inFlight >= g.points {
			if len(g.ended) == 0 {
				return hold{}, false
			}
			return hold{wait: minute - now.Sub(g.ended[0])}, false
		}
	}
	return hold{}, true
}

// LeastTime is how long it takes at least until n more requests have left:
// what the pace leaves, a pause, and the quota if a wait for it is one that
// is taken (see [Config.Patience]). It sends nothing.
func (c *Client) LeastTime(n int) time.Duration {
	g := &c.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	now := c.config.Now()
	least := max(g.pause.Sub(now), 0)
	ended := g.ended
	for len(ended) > 0 && now.Sub(ended[0]) >= minute {
		ended = ended[1:]
	}
	// Every point comes back a minute after its request ended, the oldest
	// first, to be spent again.
	if over := n - max(g.points-len(ended)-g.inFlight, 0); g.points > 0 && over > 0 {
		last, comesBack := (over-1)%g.points, minute
		if last < len(ended) {
			comesBack -= now.Sub(ended[last])
		}
		least = max(least, time.Duration((over-1)/g.points)*minute+comesBack)
	}
	if over := n - max(g.quota.Remaining-g.inFlight, 0); g.quota.Known && g.quota.Limit > 0 && over > 0 {
		if wait := g.quota.Reset.Sub(now); wait > 0 && wait <= c.config.Patience {
			least = max(least, wait+time.Duration((over-1)/g.quota.Limit)*time.Hour)
		}
	}
	return least
}

// enter waits until a request may leave. Waits for limits longer than the
// patience are errors at once.
func (c *Client) enter(ctx context.Context, attempt string, free bool) error {
	g := &c.gate
	if !free {
		select {
		case g.turn <- struct{}{}:
			defer func() { <-g.turn }()
		case <-ctx.Done():
			return c.interrupted(ctx, attempt)
		}
	}
	var noticed time.Time
	for {
		if err := ctx.Err(); err != nil {
			return c.interrupted(ctx, attempt)
		}
		now := c.config.Now()
		g.mu.Lock()
		h, ok := g.next(now, free)
		if ok {
			g.inFlight++
			g.mu.Unlock()
			return nil
		}
		changed := g.changed
		err := c.limitError(attempt, h.limit, h.until)
		g.mu.Unlock()
		if h.limit != nil {
			if h.wait > c.config.Patience {
				return err
			}
			if !h.until.Equal(noticed) {
				noticed = h.until
				notify(ctx, Notice{Kind: NoticeWaiting, Until: h.until, Why: err.reason()})
			}
		}
		var timer <-chan time.Time
		if h.wait > 0 {
			timer = c.config.After(h.wait)
		}
		select {
		case <-ctx.Done():
		case <-changed:
		case <-timer:
		}
	}
}

// limitError is called under the lock.
func (c *Client) limitError(attempt string, kind error, until time.Time) *LimitError {
	return &LimitError{Kind: kind, Attempt: attempt, Until: until, Limit: c.gate.quota.Limit,
		Authenticated: c.HasToken(), Message: c.gate.message}
}

// leave ends a request: its point lasts a minute from now.
func (c *Client) leave() {
	g := &c.gate
	now := c.config.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inFlight--
	if g.points > 0 {
		g.ended = append(g.ended, now)
	}
	close(g.changed)
	g.changed = make(chan struct{})
}

// learn takes the quota out of the headers of an answer to a request that left
// at began. Answers overtake each other: within one hour the least number
// counts.
func (c *Client) learn(status int, h http.Header, began time.Time) {
	remaining, okRemaining := number(h.Get("X-RateLimit-Remaining"))
	reset, okReset := number(h.Get("X-RateLimit-Reset"))
	resource := h.Get("X-RateLimit-Resource")
	g := &c.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	if !okRemaining || !okReset || (resource != "" && resource != "core") {
		if status < 500 && !(okRemaining && okReset) {
			g.heard = true // a host without a quota
		}
		return
	}
	limit, _ := number(h.Get("X-RateLimit-Limit"))
	c.setQuota(Quota{Limit: limit, Remaining: remaining, Reset: c.local(reset, h)}, began)
}

// setQuota is called under the gate's lock.
func (c *Client) setQuota(q Quota, began time.Time) {
	g, now, announced := &c.gate, c.config.Now(), q.Reset
	q.Known = true
	switch apart := announced.Sub(g.announced); {
	case g.quota.Known && apart < -5*time.Second:
		return // an old hour
	case g.quota.Known && apart < 5*time.Second:
		q.Reset, announced = g.quota.Reset, g.announced
		q.Remaining = min(q.Remaining, g.quota.Remaining)
	case q.Remaining > 0 && apart >= 5*time.Second:
		g.exhausted = time.Time{}
	}
	if !announced.Equal(g.announced) {
		g.announced, g.since = announced, now
	}
	// Over before the request left: the clock is ahead of the host's. It
	// cannot be set by the answers, for a browser does not show their Date.
	if late := began.Sub(announced); late >= 0 && !q.Reset.After(now) {
		q.Reset = now.Add(leastPause)
		if over := g.since.Add(time.Hour); late >= leastPause && over.After(q.Reset) {
			q.Reset = over // more than some seconds ahead: by then it is over for certain
		}
	}
	g.quota, g.heard = q, true
}

// local turns a time by the host's clock (epoch seconds) into one by this
// machine's, with the help of the Date header when there is one. A second is
// added, because both are whole seconds. No limit is believed to last longer
// than a day.
func (c *Client) local(epoch int, h http.Header) time.Time {
	now := c.config.Now()
	latest := now.Add(mostWait)
	at := time.Unix(min(int64(epoch), latest.AddDate(1000, 0, 0).Unix()), 0)
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		if skew := now.Sub(date); skew.Abs() > 2*time.Second {
			at = at.Add(skew)
		}
	}
	if at = at.Add(time.Second); at.After(latest) {
		return latest
	}
	return at
}

// limit notes a limit the host answered with. began is when the request left:
// responses to requests sent before a pause do not lengthen it twice.
func (c *Client) limit(began time.Time, h http.Header, message string) {
	now := c.config.Now()
	g := &c.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	retry, hasRetry := rest.RetryAfter(h, now)
	if remaining, ok := number(h.Get("X-RateLimit-Remaining")); ok && remaining == 0 && !hasRetry {
		until := g.quota.Reset
		if until.Sub(now) <= 0 {
			until = now.Add(leastPause)
		}
		g.exhausted = until
		return
	}
	if !began.Before(g.pause) {
		g.streak++
	}
	wait := retry
	if !hasRetry {
		wait = leastPause << min(max(g.streak-1, 0), 8)
	}
	if until := now.Add(min(wait, mostWait)); until.After(g.pause) {
		g.pause = until
	}
	g.message = message
}

// succeeded ends a row of pauses once a request sent after them succeeded.
func (c *Client) succeeded(began time.Time) {
	c.gate.mu.Lock()
	defer c.gate.mu.Unlock()
	if !began.Before(c.gate.pause) {
		c.gate.streak = 0
	}
}

// Quota is the quota as last heard of; it sends nothing.
func (c *Client) Quota() Quota {
	c.gate.mu.Lock()
	defer c.gate.mu.Unlock()
	q := c.gate.quota
	if q.Known && !c.config.Now().Before(q.Reset) {
		q.Remaining = q.Limit
	}
	return q
}

func number(s string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	return n, err == nil && n >= 0 && int64(n) < 1<<40
}
