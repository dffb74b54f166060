// Package http stands in for net/http in the programs that run in the browser.
//
// The browser sends their requests, and they serve nothing, so they use only a few
// types of net/http. Importing it would still link what its initialisation reaches,
// above all cryptography and TLS: a fifth of each program, more than 350 KB of
// brotli. So package wasmbuild gives this package to the compiler instead, together
// with net/http's constants for methods and statuses. What is here behaves as in
// net/http. If the compiler finds something undefined, such as http.Client, either
// the program must not use it, or it has to be added here.
package http

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"
)

// Header is the header of a request or a response, by canonical name.
type Header map[string][]string

// Add adds a value to those of a name.
func (h Header) Add(name, value string) {
	name = CanonicalHeaderKey(name)
	h[name] = append(h[name], value)
}

// Set replaces the values of a name.
func (h Header) Set(name, value string) { h[CanonicalHeaderKey(name)] = []string{value} }

// Get is the first value of a name, "" if there is none.
func (h Header) Get(name string) string {
	if values := h.Values(name); len(values) > 0 {
		return values[0]
	}
	return ""
}

// Values are all values of a name.
func (h Header) Values(name string) []string { return h[CanonicalHeaderKey(name)] }

// Del deletes the values of a name.
func (h Header) Del(name string) { delete(h, CanonicalHeaderKey(name)) }

// CanonicalHeaderKey returns a name as a [Header] has it: Retry-After for
// retry-after. What cannot be a name stays as it is.
func CanonicalHeaderKey(name string) string {
	canonical, upper := []byte(name), true
	for i, c := range canonical {
		switch {
		case !isToken(c):
			return name
		case upper && 'a' <= c && c <= 'z':
			canonical[i] -= 'a' - 'A'
		case !upper && 'A' <= c && c <= 'Z':
			canonical[i] += 'a' - 'A'
		}
		upper = c == '-'
	}
	return string(canonical)
}

func isToken(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0
}

// TimeFormat is the layout of times in headers. They are in GMT.
const TimeFormat = "Mon, 02 Jan 2006 15:04:05 GMT"

// ParseTime reads a time of a header in any of the three layouts that HTTP
// allows.
func ParseTime(s string) (time.Time, error) {
	var at time.Time
	var err error
	for _, layout := range []string{TimeFormat, time.RFC850, time.ANSIC} {
		if at, err = time.Parse(layout, s); err == nil {
			break
		}
	}
	return at, err
}

// Request is a request to be sent, or one that a handler is given.
type Request struct {
	Method     string
	URL        *url.URL
	Header     Header
	Body       io.ReadCloser
	Host       string
	RequestURI string
	TLS        *struct{} // never set: there is no TLS but the browser's

	ctx context.Context
}

// NewRequestWithContext makes a request. A body without a method Close gets one.
func NewRequestWithContext(ctx context.Context, method, target string, body io.Reader) (*Request, error) {
	if ctx == nil {
		return nil, errors.New("net/http: nil Context")
	}
	if method == "" {
		method = "GET"
	}
	for i := range len(method) {
		if !isToken(method[i]) {
			return nil, fmt.Errorf("net/http: invalid method %q", method)
		}
	}
	u, err := url.Parse(target)
	if err != nil {
		return nil, err
	}
	u.Host = strings.TrimSuffix(u.Host, ":")
	req := &Request{Method: method, URL: u, Header: Header{}, Host: u.Host, ctx: ctx}
	if body != nil {
		closer, ok := body.(io.ReadCloser)
		if !ok {
			closer = io.NopCloser(body)
		}
		req.Body = closer
	}
	return req, nil
}

// Context returns the context whose end ends the request.
func (r *Request) Context() context.Context {
	if r.ctx == nil {
		return context.Background()
	}
	return r.ctx
}

// WithContext returns a shallow copy of the request with another context.
func (r *Request) WithContext(ctx context.Context) *Request {
	other := *r
	other.ctx = ctx
	return &other
}

// NoBody is an empty body.
var NoBody = noBody{}

type noBody struct{}

func (noBody) Read([]byte) (int, error) { return 0, io.EOF }
func (noBody) Close() error             { return nil }

// Response is an answer to a request.
type Response struct {
	Status        string
	StatusCode    int
	Proto         string
	ProtoMajor    int
	ProtoMinor    int
	Header        Header
	Body          io.ReadCloser
	ContentLength int64
	Request       *Request
}

// ErrUseLastResponse would tell an http.Client, which is not here, to return
// redirects instead of following them.
var ErrUseLastResponse = errors.New("net/http: use last response")
