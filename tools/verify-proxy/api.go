package main

import (
	"context"
	"encoding/json"
	"errors"
	"expvar"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"marketingskills/app/text"
	"marketingskills/app/verify"
)

// api is the interface of the verifier for callers who do not have its key, and
// all that the proxy knows while it runs.
type api struct {
	site     *static // what has no path here goes to it; nil: there is none
	callers  *callers
	checker  verify.Checker
	upstream verify.Verifier   // nil without a key
	memory   *memory           // nil: nothing is remembered
	queues   map[string]*queue // by path
	inlines  questions[verify.Result]
	bulks    questions[map[string]int]
	accounts questions[verify.Account]
	counters *expvar.Map
	log      *slog.Logger
}

// endpoint is a path of the interface.
type endpoint struct {
	methods string // as in the header Allow; the first is the one to use
	// guarded ones may ask the verifier: each has a queue, only those who may call
	// are answered, and it is logged.
	guarded bool
	maxBody int64 // bytes
	// answer returns what is written as JSON.
	answer func(*api, *call) (any, error)
}

const (
	pathInline = "/api/v1/verify_inline"
	pathBulk   = "/api/v1/verify"
	pathMe     = "/me"
	pathHealth = "/healthz"
	pathVars   = "/debug/vars"
)

var endpoints = map[string]endpoint{
	pathInline: {"POST, OPTIONS", true, maxBody, (*api).inline},
	pathBulk:   {"POST, OPTIONS", true, maxBulkBody, (*api).bulk},
	pathMe:     {"GET, OPTIONS", true, maxBody, (*api).me},
	pathHealth: {"GET, HEAD", false, maxBody, (*api).health},
	pathVars:   {"GET", false, maxBody, (*api).vars},
}

// call is one request to the interface.
type call struct {
	*http.Request
	w      http.ResponseWriter
	body   []byte
	source verify.Source // of the answer, if it is about an email
}

// apiError is an answer that is not a success.
type apiError struct {
	status     int
	words      string        // for the caller
	retryAfter time.Duration // 0: the answer does not say
	cause      string        // for the log; it holds no address
}

func (e *apiError) Error() string { return e.words }

func refuse(status int, words string) *apiError { return &apiError{status: status, words: words} }

// ServeHTTP answers the interface's paths, and leaves others to the site.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	e, known := endpoints[path]
	switch {
	case known:
	case a.site != nil && !strings.HasPrefix(path, "/api/"):
		a.site.ServeHTTP(w, r)
		return
	default:
		path = "other"
	}
	began, c := time.Now(), &call{Request: r, w: w}
	if e.guarded {
		a.counters.Add("calls under way", 1)
		defer a.counters.Add("calls under way", -1)
	}
	answer, err := a.serve(c, e)
	status, cause := 0, ""
	switch {
	// The context of the call has ended by now; this one also ends when a body
	// breaks off, which is told.
	case r.Context().Err() != nil && (err == nil || errors.Is(err, context.Canceled)):
		a.counters.Add("callers who left", 1)
	case err == nil && answer == nil:
		status = http.StatusNoContent
		c.write(status, nil)
	case err == nil:
		status = http.StatusOK
		c.write(status, answer)
	default:
		e := toAPIError(err)
		c.writeError(e)
		status, cause = e.status, e.cause
	}
	if known && !e.guarded {
		return
	}
	a.counters.Add("answers "+path+" "+strconv.Itoa(status), 1)
	// Neither the query nor the words: both may hold an address.
	about := []any{"method", text.Line(r.Method, longestMethod), "path", path, "status", status, "ms", time.Since(began).Milliseconds()}
	if c.source != "" {
		a.counters.Add("source "+string(c.source), 1)
		about = append(about, "source", string(c.source))
	}
	if cause != "" {
		about = append(about, "cause", cause)
	}
	a.log.Info("answered", about...)
}

// serve returns the answer to a call; nil is one without content.
func (a *api) serve(c *call, e endpoint) (any, error) {
	if e.answer == nil {
		return nil, refuse(http.StatusNotFound, "there is nothing at this path; see verify-proxy --help for those there are")
	}
	method, _, _ := strings.Cut(e.methods, ", ")
	a.callers.setCORS(c.w.Header(), c.Request, method)
	if e.guarded {
		if refused := a.callers.judge(c.Request); refused != nil {
			a.counters.Add("refused", 1)
			return nil, refused
		}
	}
	switch {
	case !slices.Contains(strings.Split(e.methods, ", "), c.Method):
		c.w.Header().Set("Allow", e.methods)
		return nil, refuse(http.StatusMethodNotAllowed, "this path only answers "+method)
	case c.Method == http.MethodOptions:
		return nil, nil
	}
	var err error
	c.body, err = io.ReadAll(http.MaxBytesReader(c.w, c.Body, e.maxBody))
	if _, tooLong := errors.AsType[*http.MaxBytesError](err); tooLong {
		return nil, refuse(http.StatusRequestEntityTooLarge, "the body is longer than "+text.Number(int(e.maxBody))+" bytes")
	}
	if err != nil {
		return nil, refuse(http.StatusBadRequest, "the body broke off")
	}
	// The server's deadlines for a request make way for those of a call. Tests
	// call without a connection, which has none.
	control := http.NewResponseController(c.w)
	_ = control.SetReadDeadline(time.Time{})
	_ = control.SetWriteDeadline(time.Now().Add(answerTimeout))
	ctx, cancel := context.WithTimeout(c.Context(), callTimeout)
	defer cancel()
	c.Request = c.WithContext(ctx)
	return e.answer(a, c)
}

func (c *call) writeError(e *apiError) {
	header := c.w.Header()
	if e.status == http.StatusUnauthorized {
		header.Set("WWW-Authenticate", "Bearer")
	}
	if e.retryAfter > 0 {
		header.Set("Retry-After", strconv.Itoa(int((e.retryAfter + time.Second - 1).Seconds())))
	}
	c.write(e.status, map[string]string{"error": e.words})
}

// write writes JSON; nil is no content.
func (c *call) write(status int, content any) {
	header := c.w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-store")
	if content == nil {
		c.w.WriteHeader(status)
		return
	}
	header.Set("Content-Type", "application/json")
	c.w.WriteHeader(status)
	_ = json.NewEncoder(c.w).Encode(content) // a caller who has gone is nothing to report
}

// inline verifies one address: what the free checks settle is answered by them,
// what is remembered by the memory, the rest by the verifier.
func (a *api) inline(c *call) (any, error) {
	address, err := addressOf(c.URL)
	if err != nil {
		return nil, err
	}
	local := a.checker.Check(c.Context(), address)
	local.Source = verify.FromChecks
	r := local
	if a.upstream != nil && r.NeedsCredit() {
		r, err = a.inlines.ask(c.Context(), verify.Key(address), func(ctx context.Context) (verify.Result, error) {
			return a.knownOrAsked(ctx, c, address, local)
		})
	}
	if err != nil {
		return nil, err
	}
	r.Address = address // as it is spelt this time
	c.source = r.Source
	c.w.Header().Set(verify.HeaderSource, string(r.Source))
	return map[string][]verify.Result{"emails": {r}}, nil
}

// knownOrAsked returns what is remembered of an address or what the verifier says,
// which it remembers. Another proxy may be asking just now. local is what the free
// checks say.
func (a *api) knownOrAsked(ctx context.Context, c *call, address string, local verify.Result) (verify.Result, error) {
	for mayAsk := false; ; {
		r := local
		switch {
		case a.memory.recall(ctx, address, &r):
			r.Source, r.Reason = verify.FromMemory, ""
			return r, nil
		case mayAsk:
			return a.asked(ctx, c, address)
		}
		var release func()
		if release, mayAsk = a.memory.claim(ctx, address); mayAsk {
			defer release()
			continue // the other may have remembered meanwhile
		}
		select {
		case <-time.After(claimed):
		case <-ctx.Done():
			return r, ctx.Err()
		}
	}
}

// asked returns what the verifier says of an address, and remembers it.
func (a *api) asked(ctx context.Context, c *call, address string) (verify.Result, error) {
	r, err := askVerifier(ctx, a, c, func(ctx context.Context) (verify.Result, error) { return a.upstream.Verify(ctx, address) })
	if err == nil {
		a.memory.remember(context.WithoutCancel(ctx), address, r)
	}
	r.Source = verify.FromVerifier
	return r, err
}

func addressOf(u *url.URL) (string, error) {
	query, err := url.ParseQuery(u.RawQuery)
	addresses := query["email"]
	if err != nil || len(addresses) != 1 || strings.TrimSpace(addresses[0]) == "" {
		return "", refuse(http.StatusBadRequest, "name one email in the query, such as ?email=name@example.com")
	}
	address := strings.TrimSpace(addresses[0])
	if strings.ContainsAny(address, " ,;") && !strings.Contains(address, `"`) {
		return "", refuse(http.StatusBadRequest, "name one email only; write a + in it as %2B")
	}
	return address, nil
}

// bulk submits a list. Only the addresses go on: whatever else the body holds
// could send the results elsewhere.
func (a *api) bulk(c *call) (any, error) {
	var given struct{ Emails []string }
	if err := json.Unmarshal(c.body, &given); err != nil || len(given.Emails) == 0 {
		return nil, refuse(http.StatusBadRequest, `the body is not a list of emails; write {"emails": ["name@example.com"]}`)
	}
	if len(given.Emails) > mostBulk {
		return nil, refuse(http.StatusRequestEntityTooLarge, "the list has more than "+text.Number(mostBulk)+" emails; submit it in parts")
	}
	submitter, ok := a.upstream.(verify.Submitter)
	if a.upstream != nil && !ok {
		c.w.Header().Set("Allow", http.MethodOptions)
		return nil, errNoLists
	}
	return a.bulks.ask(c.Context(), fmt.Sprintf("%q", given.Emails), func(ctx context.Context) (map[string]int, error) {
		return askVerifier(ctx, a, c, func(ctx context.Context) (map[string]int, error) {
			return map[string]int{"submitted": len(given.Emails)}, submitter.Submit(ctx, given.Emails)
		})
	})
}

// me tells whose the key is: the fields of verify.Account and no others, since
// the verifier's answer also holds the key.
func (a *api) me(c *call) (any, error) {
	return a.accounts.ask(c.Context(), "", func(ctx context.Context) (verify.Account, error) {
		return askVerifier(ctx, a, c, func(ctx context.Context) (verify.Account, error) { return a.upstream.Account(ctx) })
	})
}

// health answers everybody; pages of origins that may not call cannot read the
// answer.
func (a *api) health(*call) (any, error) {
	h := verify.Health{Key: a.upstream != nil, Token: a.callers.token != ""}
	if h.Key {
		_, h.Lists = a.upstream.(verify.Submitter)
		h.Limit = a.upstream.Limit()
	}
	return struct {
		Status string `json:"status"`
		verify.Health
	}{"ok", h}, nil
}

// vars answers programs on this machine.
func (a *api) vars(c *call) (any, error) {
	if !a.callers.fromThisMachine(c.Request) {
		return nil, refuse(http.StatusNotFound, "there is nothing at this path for other machines")
	}
	return json.RawMessage(a.counters.String()), nil
}
