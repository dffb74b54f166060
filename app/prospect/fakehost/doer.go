package fakehost

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Do answers a request in this process, as http.Client would over a wire: a
// dropped connection is an error, and the end of the request's context ends
// it. A request is counted before Do returns, also one that is given up.
// Requests to hosts other than [Base] are counted, and refused.
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
	switch {
	case rep.broken == Half:
		body = io.MultiReader(bytes.NewReader(encoded[:len(encoded)/2]), readFunc(func([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }))
	case rep.broken == Hang:
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
