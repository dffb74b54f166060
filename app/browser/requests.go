package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Doer sends requests to other hosts with the browser's fetch, as *http.Client
// does natively. Nothing of an answer is kept in the browser's cache, and no
// cookie is sent. Redirects are followed by the browser, which leaves the
// Authorization header behind when the host changes; the page's policy names
// the hosts that can be reached at all.
type Doer struct{}

// Do sends a request and returns once the head of the answer is
// there. It gives up when the request's context ends, and so does reading the
// body.
func (Doer) Do(req *http.Request) (*http.Response, error) {
	if app.IsServer {
		return nil, errors.New("there is no browser to send requests with")
	}
	abort := app.Window().Get("AbortController").New()
	headers := app.Window().Get("Headers").New()
	for name := range req.Header {
		headers.Call("set", name, req.Header.Get(name))
	}
	options := app.Window().Get("Object").New()
	for name, value := range map[string]any{
		"method":         req.Method,
		"headers":        headers,
		"signal":         abort.Get("signal"),
		"cache":          "no-store",
		"credentials":    "omit",
		"referrerPolicy": "no-referrer",
	} {
		options.Set(name, value)
	}
	if err := setBody(options, req); err != nil {
		return nil, fmt.Errorf("asking %s: %w", req.URL.Host, err)
	}
	release := context.AfterFunc(req.Context(), func() { abort.Call("abort") })
	response, err := await(app.Window().Call("fetch", req.URL.String(), options))
	if err != nil {
		release()
		if ended := req.Context().Err(); ended != nil {
			return nil, ended
		}
		return nil, fmt.Errorf("asking %s: %w", req.URL.Host, err)
	}
	answer := &http.Response{
		StatusCode: response.Get("status").Int(),
		Header:     http.Header{},
		Body:       http.NoBody,
		Request:    req,
	}
	each := app.FuncOf(func(_ app.Value, args []app.Value) any {
		answer.Header.Add(args[1].String(), args[0].String())
		return nil
	})
	response.Get("headers").Call("forEach", each)
	each.Release()
	if final, err := url.Parse(response.Get("url").String()); err == nil && response.Get("redirected").Bool() {
		answer.Request = req.WithContext(req.Context())
		answer.Request.URL = final
	}
	if body := response.Get("body"); body.Truthy() {
		answer.Body = &streamed{reader: body.Call("getReader"), release: release}
	} else {
		release()
	}
	return answer, nil
}

// setBody reads the body of a request, if it has one, for the browser to send.
func setBody(options app.Value, req *http.Request) error {
	if req.Body == nil || req.Body == http.NoBody {
		return nil
	}
	defer req.Body.Close()
	body, err := io.ReadAll(req.Body)
	if err != nil || len(body) == 0 {
		return err // GET must have none, not even an empty one
	}
	bytes := app.Window().Get("Uint8Array").New(len(body))
	app.CopyBytesToJS(bytes, body)
	options.Set("body", bytes)
	return nil
}

// streamed is the body of an answer, read as it arrives.
type streamed struct {
	reader  app.Value
	rest    []byte
	closed  bool
	release func() bool
}

var errClosed = errors.New("the answer was given up")

func (s *streamed) Read(into []byte) (int, error) {
	for len(s.rest) == 0 {
		if s.closed {
			return 0, errClosed
		}
		chunk, err := await(s.reader.Call("read"))
		switch {
		// A reader that was cancelled says that it is done.
		case s.closed:
			return 0, errClosed
		case err != nil:
			return 0, fmt.Errorf("the answer broke off: %w", err)
		case chunk.Get("done").Bool():
			return 0, io.EOF
		}
		bytes := chunk.Get("value")
		s.rest = make([]byte, bytes.Length())
		app.CopyBytesToGo(s.rest, bytes)
	}
	n := copy(into, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

func (s *streamed) Close() error {
	if !s.closed {
		s.closed = true
		s.release()
		// A stream that has failed already refuses to be cancelled; somebody
		// must have waited for that, or the browser complains.
		cancelled := s.reader.Call("cancel")
		go func() { _, _ = await(cancelled) }()
	}
	return nil
}
