package main

import (
	"context"
	"encoding/json"
	"errors"
	"expvar"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"marketingskills/app/text"
	"marketingskills/app/verify"
	"marketingskills/tools/internal/pace"
)

const (
	maxInlineBody = 64 << 10
	maxBulkBody   = 1 << 20
	mostBulk      = 10_000 // addresses in a call
	// longestCall bounds a call: the queue, and the verifier's answer, which
	// takes up to 30 s.
	longestCall = 90 * time.Second
	// upstreamTimeout is for one request to the verifier.
	upstreamTimeout = 40 * time.Second
)

// api is the interface of the verifier, for callers who do not have its key.
type api struct {
	callers  *callers
	checker  verify.Checker
	upstream *verify.Client // nil without a key
	memory   *memory        // nil: nothing is remembered
	queues   map[string]*queue
	counters *expvar.Map
	log      *slog.Logger
}

// endpoint is a row of the interface.
type endpoint struct {
	method  string
	maxBody int64
	answer  func(*api, *call) error
}

const (
	pathInline = "/api/v1/verify_inline"
	pathBulk   = "/api/v1/verify"
	pathMe     = "/me"
	pathHealth = "/healthz"
	pathVars   = "/debug/vars"
)

var endpoints = map[string]endpoint{
	pathInline: {http.MethodPost, maxInlineBody, (*api).inline},
	pathBulk:   {http.MethodPost, maxBulkBody, (*api).bulk},
	pathMe:     {http.MethodGet, maxInlineBody, (*api).me},
}

// call is one request to the interface.
type call struct {
	*http.Request
	w      http.ResponseWriter
	path   string
	body   []byte
	source verify.Source // of the answer; "" for none
}

// apiError is an answer that is not a success.
type apiError struct {
	status     int
	words      string        // for the caller
	retryAfter time.Duration // 0: the answer does not say
}

func (e *apiError) Error() string { return e.words }

// ServeHTTP answers the interface's paths, and 404 for all others.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	recorder := &recorder{ResponseWriter: w}
	c := &call{Request: r, w: recorder, path: r.URL.Path}
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	err := a.serve(c)
	switch {
	case err != nil && r.Context().Err() != nil:
		a.counters.Add("callers who left", 1)
	case err != nil:
		c.fail(err)
	}
	if r.URL.Path == pathHealth || r.URL.Path == pathVars {
		return
	}
	path := c.path
	if _, known := endpoints[path]; !known {
		path = "other"
	}
	a.counters.Add("answers "+path+" "+strconv.Itoa(recorder.status), 1)
	if c.source != "" {
		a.counters.Add("source "+string(c.source), 1)
	}
	// Neither the query nor a message: both may hold an address. The status of
	// a caller who left is 0.
	a.log.Info("answered", "method", r.Method, "path", path, "status", recorder.status,
		"source", string(c.source), "ms", time.Since(began).Milliseconds())
}

// recorder keeps the status that was written.
type recorder struct {
	http.ResponseWriter
	status int
}

func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController find the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (a *api) serve(c *call) error {
	switch c.path {
	case pathHealth:
		return a.health(c)
	case pathVars:
		return a.vars(c)
	}
	e, ok := endpoints[c.path]
	if !ok {
		return &apiError{status: http.StatusNotFound, words: "there is nothing at this path; see verify-proxy --help for those there are"}
	}
	if refused := a.callers.judge(c.Request); refused != nil {
		a.counters.Add("refused", 1)
		if refused.status == http.StatusUnauthorized {
			a.callers.permit(c.w, c.Request, e.method)
			c.w.Header().Set("WWW-Authenticate", "Bearer")
		}
		return &apiError{status: refused.status, words: refused.words}
	}
	a.callers.permit(c.w, c.Request, e.method)
	switch c.Method {
	case http.MethodOptions:
		c.w.WriteHeader(http.StatusNoContent)
		return nil
	case e.method:
	default:
		c.w.Header().Set("Allow", e.method+", OPTIONS")
		return &apiError{status: http.StatusMethodNotAllowed, words: "this path only answers " + e.method}
	}
	if err := c.read(e.maxBody); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Context(), longestCall)
	defer cancel()
	c.Request = c.WithContext(ctx)
	return e.answer(a, c)
}

// read takes in the body. After it the server's deadlines for a request and its
// answer make way for that of a call: waiting for the verifier takes longer.
func (c *call) read(most int64) error {
	body, err := io.ReadAll(http.MaxBytesReader(c.w, c.Body, most))
	if _, tooLong := errors.AsType[*http.MaxBytesError](err); tooLong {
		return &apiError{status: http.StatusRequestEntityTooLarge, words: fmt.Sprintf("the body is longer than %s bytes", text.Number(int(most)))}
	}
	if err != nil {
		return &apiError{status: http.StatusBadRequest, words: "the body broke off"}
	}
	c.body = body
	control := http.NewResponseController(c.w)
	// Tests call without a connection, which has no deadlines.
	_ = control.SetReadDeadline(time.Time{})
	_ = control.SetWriteDeadline(time.Now().Add(longestCall + 10*time.Second))
	return nil
}

// inline verifies one address: what the free checks settle is answered by them,
// what is remembered by the memory, the rest by the verifier.
func (a *api) inline(c *call) error {
	address, err := addressOf(c.URL)
	if err != nil {
		return err
	}
	local := a.checker.Check(c.Context(), address)
	if a.upstream == nil || !local.NeedsCredit() {
		return c.result(local, verify.FromChecks)
	}
	if r, ok := a.memory.recall(c.Context(), address); ok {
		r.Address = address // as it is spelt this time
		return c.result(r, verify.FromMemory)
	}
	var r verify.Result
	err = a.ask(c, func(ctx context.Context) (err error) {
		r, err = a.upstream.Inline(ctx, address)
		return err
	})
	if err != nil {
		return err
	}
	a.memory.remember(c.Context(), address, r)
	return c.result(r, verify.FromVerifier)
}

func addressOf(u *url.URL) (string, error) {
	query, err := url.ParseQuery(u.RawQuery)
	switch addresses := query["email"]; {
	case err != nil || len(addresses) != 1 || strings.TrimSpace(addresses[0]) == "":
		return "", &apiError{status: http.StatusBadRequest, words: "name one email in the query, such as ?email=name@example.com"}
	case strings.ContainsAny(strings.TrimSpace(addresses[0]), " ,;") && !strings.Contains(addresses[0], `"`):
		return "", &apiError{status: http.StatusBadRequest, words: "name one email only; write a + in it as %2B"}
	default:
		return strings.TrimSpace(addresses[0]), nil
	}
}

func (c *call) result(r verify.Result, source verify.Source) error {
	c.source = source
	c.w.Header().Set(verify.HeaderSource, string(source))
	return c.json(http.StatusOK, struct {
		Emails []verify.Result `json:"emails"`
	}{[]verify.Result{r}})
}

// bulk submits a list. Only the addresses go on: whatever else the body holds
// could send the results elsewhere.
func (a *api) bulk(c *call) error {
	var given struct{ Emails []string }
	if err := json.Unmarshal(c.body, &given); err != nil || len(given.Emails) == 0 {
		return &apiError{status: http.StatusBadRequest, words: `the body is not a list of emails; write {"emails": ["name@example.com"]}`}
	}
	if len(given.Emails) > mostBulk {
		return &apiError{status: http.StatusRequestEntityTooLarge,
			words: fmt.Sprintf("the list has more than %s emails; submit it in parts", text.Number(mostBulk))}
	}
	if a.upstream == nil {
		return errNoKey
	}
	err := a.ask(c, func(ctx context.Context) error { return a.upstream.Bulk(ctx, given.Emails) })
	if err != nil {
		return err
	}
	c.source = verify.FromVerifier
	return c.json(http.StatusOK, struct {
		Submitted int `json:"submitted"`
	}{len(given.Emails)})
}

// me tells whose the key is: the fields of verify.Account and no others, since
// the verifier's answer also holds the key.
func (a *api) me(c *call) error {
	if a.upstream == nil {
		return errNoKey
	}
	var account verify.Account
	err := a.ask(c, func(ctx context.Context) (err error) {
		account, err = a.upstream.Me(ctx)
		return err
	})
	if err != nil {
		return err
	}
	c.source = verify.FromVerifier
	return c.json(http.StatusOK, account)
}

// ask waits for the caller's turn at an endpoint, and does what asks the
// verifier.
func (a *api) ask(c *call, do func(context.Context) error) error {
	q := a.queues[c.path]
	caller, _, _ := net.SplitHostPort(c.RemoteAddr)
	ticket, err := q.wait(c.Context(), caller)
	if err != nil {
		return err
	}
	a.counters.Add("requests to the verifier", 1)
	ctx, ended := pace.Trace(c.Context(), q.window, c.path, ticket)
	err = do(ctx)
	ended()
	if limit, ok := errors.AsType[*verify.LimitError](err); ok {
		q.hold(limit.Wait)
	}
	return err
}

var errNoKey = &apiError{status: http.StatusNotImplemented,
	words: "this proxy has no key for a verifier and makes free checks only; set VERIFY_URL and VERIFY_API_KEY and start it again"}

// answerTo is what a caller is told about an error.
func answerTo(err error) *apiError {
	if e, ok := errors.AsType[*apiError](err); ok {
		return e
	}
	if full, ok := errors.AsType[fullError](err); ok {
		return &apiError{http.StatusTooManyRequests, "too many requests are waiting; try again later", full.retryAfter}
	}
	if limit, ok := errors.AsType[*verify.LimitError](err); ok {
		return &apiError{http.StatusTooManyRequests, "the verifier asks for a pause", limit.Wait}
	}
	status, words := http.StatusBadGateway, ""
	switch {
	case errors.Is(err, errNoLimit):
		return &apiError{http.StatusServiceUnavailable,
			"the limit that this proxy shares with others cannot be read, because Redis does not answer; nothing was sent", 5 * time.Second}
	case errors.Is(err, verify.ErrKey):
		words = "the verifier does not accept this proxy's key; set VERIFY_API_KEY to a valid one and start it again"
	case errors.Is(err, verify.ErrPayment):
		status, words = http.StatusPaymentRequired, "the verifier's account has no credits left"
	case errors.Is(err, verify.ErrRequest):
		status, words = http.StatusUnprocessableEntity, "the verifier did not take this"
	case errors.Is(err, verify.ErrTimeout), errors.Is(err, context.DeadlineExceeded):
		status, words = http.StatusGatewayTimeout, "the verifier did not answer in time; try again"
	case errors.Is(err, verify.ErrAbsent), errors.Is(err, verify.ErrRefused):
		words = "what answers at VERIFY_URL is no verifier for this proxy; check VERIFY_URL and start it again"
	case errors.Is(err, verify.ErrUnreachable):
		words = "the verifier cannot be reached; try again later"
	default:
		words = "the verifier failed; try again later"
	}
	if message := verify.Message(err); message != "" && !errors.Is(err, verify.ErrUnreachable) && !errors.Is(err, verify.ErrTimeout) {
		words += " (it says: " + message + ")"
	}
	return &apiError{status: status, words: words}
}

func (c *call) fail(err error) {
	e := answerTo(err)
	if e.retryAfter > 0 {
		c.w.Header().Set("Retry-After", strconv.Itoa(int((e.retryAfter + time.Second - 1).Seconds())))
	}
	_ = c.json(e.status, struct {
		Error string `json:"error"`
	}{e.words}) // nobody is left to tell
}

func (c *call) json(status int, answer any) error {
	body, err := json.Marshal(answer)
	if err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	c.w.Header().Set("Content-Type", "application/json")
	c.w.WriteHeader(status)
	_, _ = c.w.Write(append(body, '\n')) // a caller who has gone is nothing to report
	return nil
}

// health answers everybody; pages of origins that may not call cannot read the
// answer.
func (a *api) health(c *call) error {
	if c.Method != http.MethodGet && c.Method != http.MethodHead {
		c.w.Header().Set("Allow", "GET, HEAD")
		return &apiError{status: http.StatusMethodNotAllowed, words: "this path only answers GET"}
	}
	a.callers.permit(c.w, c.Request, http.MethodGet)
	return c.json(http.StatusOK, struct {
		Status string `json:"status"`
		verify.Health
	}{"ok", verify.Health{Key: a.upstream != nil, Token: a.callers.token != ""}})
}

// vars answers programs on this machine.
func (a *api) vars(c *call) error {
	if !direct(c.Request) || !a.callers.knowsHost(c.Host) {
		return &apiError{status: http.StatusNotFound, words: "there is nothing at this path for other machines"}
	}
	if c.Method != http.MethodGet {
		c.w.Header().Set("Allow", "GET")
		return &apiError{status: http.StatusMethodNotAllowed, words: "this path only answers GET"}
	}
	for path, q := range a.queues {
		waiting := new(expvar.Int)
		waiting.Set(int64(q.length()))
		a.counters.Set("waiting "+path, waiting)
	}
	c.w.Header().Set("Content-Type", "application/json")
	c.w.WriteHeader(http.StatusOK)
	_, _ = io.WriteString(c.w, a.counters.String()+"\n")
	return nil
}
