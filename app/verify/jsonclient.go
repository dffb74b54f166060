package verify

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"marketingskills/app/rest"
)

const (
	// Timeout is how long a client waits for an answer unless it is told otherwise:
	// a verification takes up to 30 s, and a verify-proxy, where it may have to wait
	// for its turn before, gives up after 90 s.
	Timeout = 100 * time.Second
	// maxResponse is the longest answer that is read, in bytes.
	maxResponse = 1 << 20
)

// JSONClient sends the requests of a [Verifier] whose service answers in JSON, and
// makes the failures that it promises. What is left to that is what to ask for,
// and what the answers mean.
type JSONClient struct {
	*rest.Client
	// Kinds are those of statuses that do not mean at this verifier what they do at
	// most: 401 [ErrKey], 402 [ErrPayment], 403 [ErrRefused], 429 [ErrLimit]; 3xx,
	// 404 and 405 [ErrAbsent]; other 4xx [ErrRequest]; 5xx [ErrServer].
	Kinds map[int]*rest.Kind
}

// Request is one to a path of the verifier, whose parts are escaped already.
// attempt is for errors, after "could not": "verify an email".
func (c JSONClient) Request(attempt, method, path, query string) rest.Request {
	return rest.Request{Attempt: attempt + " with " + c.Base().Host, Method: method, URL: c.At(path, query),
		Header: http.Header{"Accept": {"application/json"}}, Most: maxResponse}
}

// Call sends a request once and reads the JSON of its response into a value,
// unless that is nil. A page in place of JSON is [ErrAbsent], anything else that
// is not the value's JSON, or longer than 1 MiB, [ErrServer].
func (c JSONClient) Call(ctx context.Context, q rest.Request, into any) (http.Header, error) {
	got, err := c.Send(ctx, q)
	f, failed := errors.AsType[*rest.Failure](err)
	switch {
	case failed && f.Kind == rest.ErrTooLarge:
		return nil, c.Fail(q, ErrServer, got.Status, "the answer is longer than 1 MiB")
	case failed:
		f.Next = "" // see Verifier
		return nil, f
	case got.Status/100 != 2:
		return nil, c.refused(q, got)
	case into == nil:
		return got.Header, nil
	}
	if err := json.Unmarshal(got.Body, into); err != nil {
		if bytes.HasPrefix(bytes.TrimSpace(got.Body), []byte("<")) {
			return nil, c.Fail(q, ErrAbsent, got.Status, "a page answered instead")
		}
		return nil, c.Fail(q, ErrServer, got.Status, "the answer is not the JSON that was expected")
	}
	return got.Header, nil
}

// refused is the failure of a response that is not a success. The verifier's own
// words are in a field of it that is called error or message.
func (c JSONClient) refused(q rest.Request, got *rest.Response) error {
	var said struct{ Error, Message string }
	_ = json.Unmarshal(got.Body, &said) // a response that is no JSON says nothing more
	f := c.Fail(q, c.kindOf(got.Status), got.Status, cmp.Or(said.Error, said.Message))
	wait, told := rest.RetryAfter(got.Header, time.Now())
	switch {
	case f.Kind == ErrLimit:
		return &LimitError{Wait: max(wait, time.Second), Err: f}
	case f.Status == http.StatusServiceUnavailable && told: // without it, a gateway may have lost the response
		f.Cause = rest.ErrUnsent
	}
	return f
}

func (c JSONClient) kindOf(status int) *rest.Kind {
	if kind := c.Kinds[status]; kind != nil {
		return kind
	}
	switch {
	case status == http.StatusUnauthorized:
		return ErrKey
	case status == http.StatusPaymentRequired:
		return ErrPayment
	case status == http.StatusForbidden:
		return ErrRefused
	case status == http.StatusTooManyRequests:
		return ErrLimit
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed, status < 400:
		return ErrAbsent
	case status < 500:
		return ErrRequest
	}
	return ErrServer
}
