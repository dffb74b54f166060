package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"marketingskills/app/collection/vendor"
	"marketingskills/app/text"
	"marketingskills/tools/internal/console"
	"marketingskills/tools/internal/version"
)

const (
	maxTries    = 3
	maxResponse = 32 << 20
	maxMessage  = 300 // bytes of a vendor's text
	// longestWait is how long a vendor may ask to wait; beyond it, the command ends.
	longestWait = 2 * time.Minute
	maxHops     = 5
)

// failure is why a request brought no result. Its text is the vendor's in part.
type failure struct {
	status int // 0: there was no response
	what   string
	next   string // what to do
	wait   time.Duration
}

func (f *failure) Error() string { return f.what + "; " + f.next }

var errRedirected = errors.New("redirected")

// stayThere follows redirects on the same host only, so that the key stays there,
// and only if the request stays the same and its URL free of keys.
func (c *command) stayThere(next *http.Request, before []*http.Request) error {
	first := before[0]
	switch {
	case !sameHost(next.URL, first.URL):
		return fmt.Errorf("%w to %s://%s, but the key belongs to %s", errRedirected, next.URL.Scheme, next.URL.Host, first.URL.Host)
	case c.mask.in(next.URL.String()):
		return fmt.Errorf("%w to a URL that contains a key, which is not asked for", errRedirected)
	case next.Method != first.Method:
		return fmt.Errorf("%w from %s to %s", errRedirected, first.Method, next.Method)
	case len(before) > maxHops:
		return fmt.Errorf("%w again and again", errRedirected)
	}
	return nil
}

func sameHost(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Host, b.Host) && a.User == nil
}

// fetch sends a request until there is a response, or no use in trying again:
// after a server error only what reads is sent again, since the rest may have been
// done.
func (s *session) fetch(ctx context.Context) (json.RawMessage, http.Header, error) {
	for try := 1; ; try++ {
		response, header, err := s.send(ctx)
		f, failed := errors.AsType[*failure](err)
		again := failed && ctx.Err() == nil && try < maxTries &&
			(f.status == http.StatusTooManyRequests || s.op.Effect == vendor.Reads && (f.status == 0 || f.status >= 500))
		if !again || f.wait > longestWait {
			return response, header, err
		}
		wait := max(f.wait, time.Duration(try)*time.Second)
		s.say("Waiting %s: %s", console.Short(wait), f.what)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
		}
	}
}

// send sends a request once. The response is JSON, or nil if it is empty.
func (s *session) send(ctx context.Context) (json.RawMessage, http.Header, error) {
	if s.mask.in(s.request.URL) {
		return nil, nil, console.Refuse("the URL would contain a key, and is not asked for; a key goes into the environment only")
	}
	request, err := http.NewRequestWithContext(ctx, s.request.Method, s.request.URL, bytes.NewReader(s.request.Body))
	if err != nil {
		return nil, nil, console.Refuse("the request cannot be made; check the variables of %s", s.id)
	}
	request.Header = s.request.Header.Clone()
	request.Header.Set("User-Agent", "vendors/"+version.Number())
	request.Header.Set(s.header, s.value)
	response, err := s.client.Do(request)
	if err != nil {
		return nil, nil, s.broken(ctx, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxResponse+1))
	body = bytes.TrimSpace(body)
	status := response.StatusCode
	switch {
	case err != nil:
		return nil, nil, s.broken(ctx, fmt.Errorf("the response broke off: %w", err))
	case status/100 != 2:
		return nil, nil, s.refused(response, body)
	case len(body) > maxResponse:
		return nil, nil, &failure{status: status, what: "the response is larger than 32 MiB", next: "ask for less"}
	case len(body) == 0:
		return nil, response.Header, nil
	case !json.Valid(body):
		return nil, nil, &failure{status: status, what: "the response is not JSON: " + s.excerpt(body), next: s.doubt("check " + s.table.Docs)}
	case slices.ContainsFunc(s.table.Failed, func(path string) bool { return holds(at(body, path)) }):
		return nil, nil, &failure{status: status, what: "refused: " + s.excerpt(body), next: "see vendors describe " + s.id + " " + s.op.Name}
	}
	return body, response.Header, nil
}

// doubt is what to do when it is not known whether an operation took place.
func (s *session) doubt(otherwise string) string {
	if s.op.Effect == vendor.Reads {
		return otherwise
	}
	return "it may have been done all the same: look at " + s.table.Name + " before you retry"
}

// broken is the failure of a connection. The URL, which has the values of
// parameters in it, is left out.
func (s *session) broken(ctx context.Context, err error) error {
	wrapped, ok := errors.AsType[*url.Error](err)
	switch {
	case ctx.Err() != nil:
		return &failure{what: "interrupted", next: s.doubt("nothing else was sent")}
	case ok && wrapped.Timeout():
		return &failure{what: "no response in time", next: s.doubt("check the network, or retry later")}
	case ok:
		err = wrapped.Err
	}
	if errors.Is(err, errRedirected) {
		return &failure{status: http.StatusFound, what: err.Error(), next: "check " + s.table.Docs}
	}
	return &failure{what: "no connection: " + err.Error(), next: s.doubt("check the network, or retry later")}
}

// refused is the failure that a status other than a success stands for.
func (s *session) refused(response *http.Response, body []byte) error {
	env := s.table.Auth.Env
	status := response.StatusCode
	f := &failure{status: status, what: "refused", next: "see vendors describe " + s.id + " " + s.op.Name,
		wait: retryAfter(response.Header.Get("Retry-After"))}
	later := "retry later"
	if f.wait > 0 {
		later = "retry in " + console.Short(f.wait)
	}
	switch {
	case status == http.StatusUnauthorized:
		f.what, f.next = "the key was not accepted", fmt.Sprintf("check the key in %s or %[1]s_FILE", env)
	case status == http.StatusPaymentRequired:
		f.what, f.next = "payment is required", "check your plan and credits at "+s.table.Name
	case status == http.StatusForbidden:
		f.what, f.next = "not allowed", fmt.Sprintf("check what the key in %s may do, and your plan", env)
	case status == http.StatusNotFound:
		f.what, f.next = "not found", "check the values of the parameters"
	case status == http.StatusTooManyRequests:
		f.what, f.next = "too many requests", later
	case status >= 500:
		f.what, f.next = "server error", s.doubt(later)
	case status < 400:
		f.what, f.next = "redirected to nowhere", "check "+s.table.Docs
	}
	f.what += fmt.Sprintf(" (%d)", status)
	if said := s.excerpt(body); said != "" {
		f.what += ": " + said
	}
	return f
}

// retryAfter reads seconds or a date; 0 if there is neither.
func retryAfter(s string) time.Duration {
	if seconds, err := strconv.Atoi(strings.TrimSpace(s)); err == nil {
		return time.Duration(min(max(seconds, 0), 86400)) * time.Second
	}
	at, err := http.ParseTime(s)
	if err != nil {
		return 0
	}
	return max(time.Until(at), 0)
}

// excerpt is the message in a body, or what the body begins with.
func (s *session) excerpt(body []byte) string {
	said := string(body)
	switch {
	case json.Valid(body):
		masked := s.mask.json(body)
		said = cell(at(masked, s.table.Message))
		for _, path := range s.table.Failed {
			said = cmp.Or(said, cell(at(masked, path)))
		}
		said = cmp.Or(said, cell(masked))
	case strings.HasPrefix(said, "<"):
		said = "a web page"
	}
	return text.Line(s.mask.text(said), maxMessage)
}
