// Package fakehost is a code host in memory: it behaves like GitHub's REST API
// as far as an extraction can tell, its limits and its faults included, and it
// counts what a client must not do. It is an http.Handler for use over real
// HTTP (httptest, browser tests) and a Doer for use in one process, where time
// may be that of testing/synctest. It is for tests alone.
//
// Fill in a [Host], then send it requests; after the first one only its
// methods may be used.
package fakehost

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Token is the token that a host knows.
const Token = "ghp_TestTokenThatMustNeverBeSeen0123456789"

// Base is the address of the host behind [Host.Do].
const Base = "https://api.codehost.test"

// name is that of the repository.
const name = "octo/tool"

// Restriction is how the host refuses lists of stars and watchers.
type Restriction int

// The forms of the restriction of July 2026.
const (
	open Restriction = iota // the lists are open
	RestrictedUnauthorized
	RestrictedForbidden // with x-accepted-github-permissions
	RestrictedNotFound
	RestrictedEmpty
)

// Host is one repository, its people, and how the host behaves.
type Host struct {
	OldName string    // a former name of octo/tool: answered with 301
	People  []Account // in every list
	Self    Account   // whose the token is; token-owner, without more, if empty

	NumericLinks bool // Link in the form /repositories/1/forks?page=2
	Drift        int  // every page repeats that many people of the one before
	PageLimit    int  // pages listed before 422; 400 if 0
	ForeignLink  bool // rel="next" leads to another host
	LoopingLink  bool // rel="next" of page 2 leads to page 1
	Restriction  Restriction
	Missing      bool // the repository answers 404
	SAML         bool // everything of the repository answers 403, SAML

	Latency   time.Duration // of every answer
	Quota     int           // requests a window; 5,000 or 60 if 0
	Unlimited bool          // no quota, no quota headers
	Window    time.Duration // of the quota; an hour if 0
	PerMinute int           // secondary limit; 0: not kept
	Grace     time.Duration // how long after a limit was announced a request is no violation
	Faults    []*Fault      // the first that matches counts
	Now       func() time.Time

	mu        sync.Mutex
	used      int
	resetAt   time.Time
	arrivals  []time.Time
	announced []announcement
	count     Count
	inFlight  int
	byLogin   map[string]int
}

type announcement struct {
	from, until time.Time
	free        bool // concerns what costs no quota, too
}

// Count is what a host has seen.
type Count struct {
	Requests   int            // all of them, the quota look-up included
	Listing    int            // pages asked for
	Profiles   int            // profiles asked for
	InPenalty  int            // requests while a limit the client knew of lasted
	OverPace   int            // requests above the secondary limit
	Foreign    int            // requests to other hosts
	Leaks      int            // of them, with the token
	MostAtOnce int            // requests in flight
	ByPath     map[string]int // requests by path and query
}

// Count is what the host has seen so far.
func (h *Host) Count() Count {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.count
	c.ByPath = maps.Clone(c.ByPath)
	return c
}

func (h *Host) now() time.Time {
	if h.Now != nil {
		return h.Now()
	}
	return time.Now()
}

// reply is an answer decided on arrival and sent after the latency.
type reply struct {
	status int
	header map[string]string
	body   any
	raw    []byte
	broken Kind // Drop, Half or Hang; 0: not at all
	limit  *announcement
}

func refusal(status int, message string) reply {
	return reply{status: status, body: map[string]string{
		"message": message, "documentation_url": "https://docs.codehost.test/rest", "status": strconv.Itoa(status)}}
}

func (rep reply) headers(now time.Time) http.Header {
	h := http.Header{"Content-Type": {"application/json; charset=utf-8"}, "Date": {now.UTC().Format(http.TimeFormat)}}
	for name, value := range rep.header {
		h.Set(name, value)
	}
	return h
}

func (rep reply) encode() []byte {
	if rep.raw != nil || rep.status == http.StatusNoContent {
		return rep.raw
	}
	body, err := json.Marshal(rep.body)
	if err != nil {
		panic(err) // maps of texts and numbers
	}
	return body
}

// depart notes when a client can know of a limit.
func (h *Host) depart(rep reply) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.inFlight--
	if rep.limit != nil && rep.broken != Drop {
		a := *rep.limit
		a.from = h.now()
		h.announced = append(h.announced, a)
	}
}

// arrive counts the request and decides the answer.
func (h *Host) arrive(r *http.Request) reply {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.now()
	free := r.URL.Path == "/rate_limit"
	h.count.Requests++
	if h.count.ByPath == nil {
		h.count.ByPath = map[string]int{}
	}
	h.count.ByPath[r.URL.RequestURI()]++
	h.inFlight++
	h.count.MostAtOnce = max(h.count.MostAtOnce, h.inFlight)
	if slices.ContainsFunc(h.announced, func(a announcement) bool {
		return (a.free || !free) && now.After(a.from.Add(h.Grace)) && now.Before(a.until)
	}) {
		h.count.InPenalty++
	}
	known := false
	if auth := r.Header.Get("Authorization"); auth != "" {
		if known = auth == "Bearer "+Token; !known {
			return refusal(http.StatusUnauthorized, "Bad credentials")
		}
	}
	if h.resetAt.IsZero() || !now.Before(h.resetAt) {
		h.used, h.resetAt = 0, now.Add(cmp.Or(h.Window, time.Hour)).Truncate(time.Second)
	}
	if rep, over := h.overPace(now); over {
		return rep
	}
	quota := cmp.Or(h.Quota, map[bool]int{true: 5000, false: 60}[known])
	if !free && !h.Unlimited {
		if h.used >= quota {
			return h.withQuota(refusal(http.StatusForbidden, "API rate limit exceeded for user ID 1."), quota)
		}
		h.used++
	}
	rep := h.answer(r, known, quota)
	if f := h.fault(r, h.count.Requests); f != nil {
		rep = f.apply(rep, now)
	}
	return h.withQuota(rep, quota)
}

func (h *Host) withQuota(rep reply, quota int) reply {
	if h.Unlimited {
		return rep
	}
	if rep.header == nil {
		rep.header = map[string]string{}
	}
	rep.header["X-RateLimit-Limit"] = strconv.Itoa(quota)
	rep.header["X-RateLimit-Remaining"] = strconv.Itoa(max(quota-h.used, 0))
	rep.header["X-RateLimit-Used"] = strconv.Itoa(h.used)
	rep.header["X-RateLimit-Reset"] = strconv.FormatInt(h.resetAt.Unix(), 10)
	rep.header["X-RateLimit-Resource"] = "core"
	if h.used >= quota && rep.limit == nil {
		rep.limit = &announcement{until: h.resetAt}
	}
	return rep
}

// overPace keeps the secondary limit over any 60 seconds.
func (h *Host) overPace(now time.Time) (reply, bool) {
	if h.PerMinute <= 0 {
		return reply{}, false
	}
	for len(h.arrivals) > 0 && now.Sub(h.arrivals[0]) >= time.Minute {
		h.arrivals = h.arrivals[1:]
	}
	h.arrivals = append(h.arrivals, now)
	if len(h.arrivals) <= h.PerMinute {
		return reply{}, false
	}
	h.count.OverPace++
	return secondary(http.StatusForbidden, now, time.Minute), true
}

// url is the address of this host as the client sees it.
func (h *Host) url(r *http.Request, format string, args ...any) string {
	return cmp.Or(r.URL.Scheme, "http") + "://" + cmp.Or(r.Host, r.URL.Host) + fmt.Sprintf(format, args...)
}

func (h *Host) answer(r *http.Request, known bool, quota int) reply {
	path := strings.ToLower(r.URL.Path)
	switch {
	case r.Method != http.MethodGet:
		return refusal(http.StatusNotFound, "Not Found")
	case path == "/rate_limit":
		core := map[string]any{"limit": quota, "remaining": max(quota-h.used, 0), "used": h.used, "reset": h.resetAt.Unix()}
		return reply{status: 200, body: map[string]any{"resources": map[string]any{"core": core}, "rate": core}}
	case path == "/user":
		if !known {
			return refusal(http.StatusUnauthorized, "Requires authentication")
		}
		owner := h.Self
		owner.Login = cmp.Or(owner.Login, "token-owner")
		return owner.profile(known)
	case strings.HasPrefix(path, "/users/"):
		h.count.Profiles++
		return h.find(strings.TrimPrefix(path, "/users/"), known)
	case h.OldName != "" && strings.HasPrefix(path, strings.ToLower("/repos/octo/"+h.OldName)):
		rest := path[len("/repos/octo/"+h.OldName):]
		to := h.url(r, "/repositories/1%s?%s", rest, r.URL.RawQuery)
		return reply{status: 301, header: map[string]string{"Location": to}, body: map[string]string{"message": "Moved Permanently", "url": to}}
	}
	rest, ok := strings.CutPrefix(path+"/", "/repos/"+name+"/")
	if !ok {
		rest, ok = strings.CutPrefix(path+"/", "/repositories/1/")
	}
	if !ok || h.Missing {
		return refusal(http.StatusNotFound, "Not Found")
	}
	if h.SAML {
		rep := refusal(http.StatusForbidden, "Resource protected by organization SAML enforcement. "+
			"You must grant your Personal Access token access to this organization.")
		rep.header = map[string]string{"X-GitHub-SSO": "required; url=https://codehost.test/sso"}
		return rep
	}
	switch rest = strings.TrimSuffix(rest, "/"); rest {
	case "":
		n := len(h.People)
		return reply{status: 200, body: map[string]any{"id": 1, "full_name": name, "stargazers_count": n,
			"watchers_count": n, "subscribers_count": n, "forks_count": n}}
	case "stargazers", "subscribers", "forks", "contributors":
		h.count.Listing++
		return h.list(r, rest)
	}
	return refusal(http.StatusNotFound, "Not Found")
}
