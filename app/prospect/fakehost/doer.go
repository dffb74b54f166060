package fakehost

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Do answers a request in this process, as http.Client would over a wire: a
// dropped connection is an error, and the end of the request's context ends
// it. A request is counted before Do returns, also one that is given up.
// Requests to other hosts are counted, and refused.
func (h *Host) Do(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if r.URL.Host != strings.TrimPrefix(Base, "https://") {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.count.Foreign++
		if r.Header.Get("Authorization") != "" {
			h.count.Leaks++
		}
		return nil, fmt.Errorf("dial %s: no such host", r.URL.Host)
	}
	return h.respond(r)
}

func (h *Host) respond(r *http.Request) (*http.Response, error) {
	rep := h.arrive(r)
	err := h.wait(r.Context())
	if err == nil && rep.broken == Drop {
		err = fmt.Errorf("read %s: %w: connection reset, sent %q", r.URL.Host, io.ErrUnexpectedEOF, r.Header.Get("Authorization"))
	}
	if err != nil {
		h.depart(rep)
		return nil, err
	}
	encoded := rep.encode()
	var body io.Reader = bytes.NewReader(encoded)
	switch rep.broken {
	case Half:
		body = io.MultiReader(bytes.NewReader(encoded[:len(encoded)/2]), readFunc(func([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }))
	case Hang:
		body = io.MultiReader(body, readFunc(func([]byte) (int, error) {
			<-r.Context().Done()
			return 0, r.Context().Err()
		}))
	}
	return &http.Response{StatusCode: rep.status, Status: http.StatusText(rep.status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: rep.headers(h.now()), Body: &responseBody{body, sync.OnceFunc(func() { h.depart(rep) })}, ContentLength: -1, Request: r}, nil
}

func (h *Host) wait(ctx context.Context) error {
	if h.Latency <= 0 {
		return ctx.Err()
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(h.Latency):
		return nil
	}
}

type readFunc func([]byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }

// responseBody tells the host when the client is done with a response.
type responseBody struct {
	io.Reader
	done func()
}

func (b *responseBody) Close() error {
	b.done()
	return nil
}

// ServeHTTP answers a request over a wire, to pages of other origins, too.
func (h *Host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("Access-Control-Expose-Headers", "ETag, Link, Location, Retry-After, "+
		"X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Used, X-RateLimit-Resource, X-RateLimit-Reset")
	if r.Method == http.MethodOptions { // browsers ask this by themselves: no request, and free
		header.Set("Access-Control-Allow-Methods", "GET, POST, PATCH, PUT, DELETE")
		header.Set("Access-Control-Allow-Headers", "Authorization, If-None-Match, X-GitHub-Api-Version, Accept, User-Agent")
		header.Set("Access-Control-Max-Age", "86400")
		w.WriteHeader(http.StatusNoContent)
		return
	}
	resp, err := h.respond(r)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer resp.Body.Close()
	maps.Copy(header, resp.Header)
	w.WriteHeader(resp.StatusCode)
	if _, err := io.Copy(flushing{w}, resp.Body); err != nil {
		panic(http.ErrAbortHandler)
	}
}

// flushing sends what it is given at once: a broken answer has a beginning.
type flushing struct{ w http.ResponseWriter }

func (f flushing) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	return n, cmp.Or(err, http.NewResponseController(f.w).Flush())
}
