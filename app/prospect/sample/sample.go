// Package sample is a code host of invented people, for trying an extraction
// without a token and without a network: a [Host] is a codehost.Doer that
// answers from memory as GitHub's REST API does. The engine over it is the
// real one.
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
//
// It shares no code with package fakehost, whose faults and limits for tests
// would make the browser's program 82 KB larger (14 KB with brotli).
package sample

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"marketingskills/app/prospect/codehost"
)

// Base is the host's address for codehost.Config; Token is a token it takes.
const (
	Base  = "https://api.sample.invalid"
	Token = "sample"
)

// Repo is the only repository.
var Repo = codehost.Repo{Owner: "acme", Name: "engine"}

const root = "/repos/acme/engine" // where it is in the API

// Host is a codehost.Doer; it may be asked by many goroutines.
type Host struct {
	wait     func(context.Context, time.Duration) error
	accounts map[string]*account   // by login; those gone are missing
	lists    map[string][]*account // by the last part of the address

	mu    sync.Mutex
	used  int       // requests of this hour
	reset time.Time // its end
}

// New makes a host with a quota of its own, whose hour starts with the first
// request. An answer takes 60 to 140 ms, in the same sequence every time: wait
// spends them, [Sleep] for instance; nil is no latency.
func New(wait func(ctx context.Context, d time.Duration) error) *Host {
	if wait == nil {
		wait = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	}
	h := &Host{wait: wait, accounts: map[string]*account{}, lists: map[string][]*account{}}
	h.settle()
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

// Do answers a request once its latency is spent; the error is that of the
// wait.
func (h *Host) Do(r *http.Request) (*http.Response, error) {
	known := r.Header.Get("Authorization") != ""
	header := http.Header{"Content-Type": {"application/json; charset=utf-8"}}
	path := strings.ToLower(r.URL.Path)
	quota, ok := h.charge(path == "/rate_limit", known, header)
	status, body := http.StatusForbidden, refusal("API rate limit exceeded for user ID 1.")
	if ok {
		status, body = h.answer(r, path, known, quota, header)
	}
	encoded, err := json.Marshal(body)
	if err == nil {
		err = h.wait(r.Context(), time.Duration(60+quota["used"]*37%81)*time.Millisecond)
	}
	if err != nil {
		return nil, err
	}
	return &http.Response{Status: strconv.Itoa(status), StatusCode: status, Header: header,
		Body: io.NopCloser(bytes.NewReader(encoded)), ContentLength: int64(len(encoded)), Request: r}, nil
}

type object = map[string]any

func refusal(message string) any {
	return object{"message": message, "documentation_url": site + "docs"}
}

// answer gives status and body, and sets the header of a list.
func (h *Host) answer(r *http.Request, path string, known bool, quota map[string]int, header http.Header) (int, any) {
	login := strings.TrimPrefix(path, "/users/")
	if path == "/user" {
		login = visitor
	}
	list := strings.TrimPrefix(path, root+"/")
	switch {
	case r.Method != http.MethodGet:
	case !known && (path == "/user" || path != list && (list == "stargazers" || list == "subscribers")):
		return http.StatusUnauthorized, refusal("Requires authentication")
	case path == "/rate_limit":
		return http.StatusOK, object{"resources": object{"core": quota}, "rate": quota}
	case login != path && h.accounts[login] != nil:
		return http.StatusOK, h.accounts[login].profile(known)
	case path != list && h.lists[list] != nil:
		return http.StatusOK, h.page(r, list, header)
	case path == root:
		stars := len(h.lists["stargazers"])
		return http.StatusOK, object{"id": 1, "name": Repo.Name, "full_name": Repo.String(), "html_url": site + Repo.String(),
			"forks_count": people, "stargazers_count": stars, "watchers_count": stars, "subscribers_count": len(h.lists["subscribers"])}
	}
	return http.StatusNotFound, refusal("Not Found")
}

// charge takes a request off the hour's quota, unless it is free, and sets
// the headers about it. It is false when nothing is left.
func (h *Host) charge(free, known bool, header http.Header) (quota map[string]int, ok bool) {
	limit := 60
	if known {
		limit = 5000
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if now := time.Now(); !now.Before(h.reset) {
		h.used, h.reset = 0, now.Add(time.Hour).Truncate(time.Second)
	}
	ok = free || h.used < limit
	if ok && !free {
		h.used++
	}
	quota = map[string]int{"limit": limit, "remaining": max(limit-h.used, 0), "used": h.used, "reset": int(h.reset.Unix())}
	for name, n := range quota {
		header.Set("X-RateLimit-"+name, strconv.Itoa(n))
	}
	header.Set("X-RateLimit-Resource", "core")
	return quota, ok
}

// page is a page of a list, of the client's size whatever is asked for; its
// neighbours are in the Link header. After the last, pages are empty.
func (h *Host) page(r *http.Request, list string, header http.Header) any {
	const size = codehost.PageSize
	all := h.lists[list]
	last := (len(all) + size - 1) / size
	number, _ := strconv.Atoi(r.URL.Query().Get("page"))
	number = min(max(number, 1), last+1)
	var links []string
	link := func(rel string, page int, there bool) {
		if there {
			links = append(links, "<"+Base+root+"/"+list+"?per_page="+strconv.Itoa(size)+"&page="+strconv.Itoa(page)+`>; rel="`+rel+`"`)
		}
	}
	link("prev", number-1, number > 1)
	link("next", number+1, number < last)
	link("last", last, number < last)
	link("first", 1, number > 1)
	if links != nil {
		header.Set("Link", strings.Join(links, ", "))
	}
	entries := []any{}
	for _, a := range all[min((number-1)*size, len(all)):min(number*size, len(all))] {
		entries = append(entries, a.entry(list, strings.Contains(r.Header.Get("Accept"), "star+json")))
	}
	return entries
}
