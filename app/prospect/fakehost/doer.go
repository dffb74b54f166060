package fakehost

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// Do answers a request in this process, as http.Client would over a wire: a
// dropped connection is an error, an answer streams, the end of the request's
// context ends it. Requests to hosts other than that of [Base] are counted,
// and refused.
func (h *Host) Do(r *http.Request) (*http.Response, error) {
	if r.URL.Host != strings.TrimPrefix(Base, "https://") {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.count.Foreign++
		if r.Header.Get("Authorization") != "" {
			h.count.Leaks++
		}
		return nil, fmt.Errorf("dial %s: no such host", r.URL.Host)
	}
	server := r.Clone(r.Context())
	server.Host = r.URL.Host
	body, writer := io.Pipe()
	w := &responseWriter{header: http.Header{}, body: writer, ready: make(chan struct{})}
	failed := make(chan error, 1)
	go func() {
		defer func() {
			// the server's own way to drop a connection
			if p := recover(); p != nil {
				err := fmt.Errorf("read %s: %w: connection reset, sent %q", r.URL.Host, io.ErrUnexpectedEOF, r.Header.Get("Authorization"))
				failed <- err
				writer.CloseWithError(err)
				return
			}
			w.WriteHeader(http.StatusOK)
			writer.CloseWithError(r.Context().Err()) // nil: a proper end
		}()
		h.ServeHTTP(w, server)
	}()
	select {
	case <-w.ready:
	case err := <-failed:
		return nil, err
	case <-r.Context().Done():
		body.CloseWithError(r.Context().Err())
		return nil, r.Context().Err()
	}
	return &http.Response{StatusCode: w.status, Status: http.StatusText(w.status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.sent, Body: &contextBody{body, r}, ContentLength: -1, Request: r}, nil
}

type contextBody struct {
	*io.PipeReader
	r *http.Request
}

func (b *contextBody) Read(p []byte) (int, error) {
	n, err := b.PipeReader.Read(p)
	if errors.Is(err, io.ErrClosedPipe) && b.r.Context().Err() != nil {
		err = b.r.Context().Err()
	}
	return n, err
}

type responseWriter struct {
	header, sent http.Header
	body         *io.PipeWriter
	once         sync.Once
	status       int
	ready        chan struct{}
}

func (w *responseWriter) Header() http.Header { return w.header }

func (w *responseWriter) WriteHeader(status int) {
	w.once.Do(func() {
		w.status, w.sent = status, w.header.Clone()
		close(w.ready)
	})
}

func (w *responseWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(p)
}
