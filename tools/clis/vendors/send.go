package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"marketingskills/app/collection/vendor"
	"marketingskills/app/rest"
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
	timeout     = time.Minute
	maxHops     = 5
)

// failure is a failed request, and how long the vendor asks to wait.
type failure struct {
	*rest.Failure
	wait time.Duration
}

func (f *failure) Unwrap() error { return f.Failure }

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
			(f.Status == http.StatusTooManyRequests || s.op.Effect == vendor.Reads && (f.Status == 0 || f.Status >= 500))
		if !again || f.wait > longestWait {
			return response, header, err
		}
		wait := max(f.wait, time.Duration(try)*time.Second)
		s.say("Waiting %s: %s", console.Short(wait), f)
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
	target, err := url.Parse(s.request.URL)
	if err != nil {
		return nil, nil, console.Refuse("the request cannot be made; check the variables of %s", s.id)
	}
	service, err := rest.New(rest.Config{Name: s.table.Name, Base: target.Scheme + "://" + target.Host, Doer: s.client,
		Timeout: timeout, UserAgent: "vendors/" + version.Number()})
	if err != nil {
		return nil, nil, console.Usage(err)
	}
	r := rest.Request{Attempt: fmt.Sprintf("call %s %s", s.id, s.op.Name), Method: s.request.Method, URL: target,
		Header: s.request.Header.Clone(), Body: s.request.Body, Most: maxResponse}
	r.Header.Set(s.header, s.value)
	got, err := service.Send(ctx, r)
	if err != nil {
		return nil, nil, s.broken(err)
	}
	body := bytes.TrimSpace(got.Body)
	failed := &failure{Failure: service.Fail(r, refused, got.Status, "")}
	failed.Message = s.excerpt(body)
	switch {
	case got.Status/100 != 2:
		return nil, nil, s.refused(failed, got.Header)
	case len(body) == 0:
		return nil, got.Header, nil
	case !json.Valid(body):
		failed.Kind, failed.Next = notJSON, s.doubt("check "+s.table.Docs)
		return nil, nil, failed
	case slices.ContainsFunc(s.table.Failed, func(path string) bool { return holds(at(body, path)) }):
		failed.Next = "see vendors describe " + s.id + " " + s.op.Name
		return nil, nil, failed
	}
	return body, got.Header, nil
}

// doubt is what to do when it is not known whether an operation took place.
func (s *session) doubt(otherwise string) string {
	if s.op.Effect == vendor.Reads {
		return otherwise
	}
	return "it may have been done all the same: look at " + s.table.Name + " before you retry"
}

// broken says what to do when no whole response came.
func (s *session) broken(err error) error {
	f, ok := errors.AsType[*rest.Failure](err)
	if !ok {
		return err
	}
	f.Message = s.mask.text(f.Message)
	switch {
	case f.Kind == rest.ErrInterrupted:
		f.Next = s.doubt("nothing else was sent")
	case f.Kind == rest.ErrTooLarge:
		f.Next = "ask for less"
	case errors.Is(err, errRedirected):
		f.Kind, f.Next = redirected, "check "+s.table.Docs
		f.Status, f.Message = http.StatusFound, strings.TrimPrefix(f.Message, errRedirected.Error()+" ")
	default:
		f.Next = s.doubt("check the network, or retry later")
	}
	return &failure{Failure: f}
}

// The kinds of failure that are not those of any service.
var (
	refused     = &rest.Kind{What: "refused"}
	notJSON     = &rest.Kind{What: "the response is not JSON"}
	redirected  = &rest.Kind{What: "redirected"}
	badKey      = &rest.Kind{What: "the key was not accepted"}
	payment     = &rest.Kind{What: "payment is required"}
	forbidden   = &rest.Kind{What: "not allowed"}
	notFound    = &rest.Kind{What: "not found"}
	tooMany     = &rest.Kind{What: "too many requests"}
	serverError = &rest.Kind{What: "server error"}
)

// refused makes of a failure what a status other than a success stands for.
func (s *session) refused(f *failure, header http.Header) error {
	env, later := s.table.Auth.Env, "retry later"
	if wait, ok := rest.RetryAfter(header, time.Now()); ok {
		f.wait, later = wait, "retry in "+console.Short(wait)
	}
	f.Next = "see vendors describe " + s.id + " " + s.op.Name
	switch status := f.Status; {
	case status == http.StatusUnauthorized:
		f.Kind, f.Next = badKey, fmt.Sprintf("check the key in %s or %[1]s_FILE", env)
	case status == http.StatusPaymentRequired:
		f.Kind, f.Next = payment, "check your plan and credits at "+s.table.Name
	case status == http.StatusForbidden:
		f.Kind, f.Next = forbidden, fmt.Sprintf("check what the key in %s may do, and your plan", env)
	case status == http.StatusNotFound:
		f.Kind, f.Next = notFound, "check the values of the parameters"
	case status == http.StatusTooManyRequests:
		f.Kind, f.Next = tooMany, later
	case status >= 500:
		f.Kind, f.Next = serverError, s.doubt(later)
	case status < 400:
		f.Kind, f.Next = redirected, "check "+s.table.Docs
	}
	return f
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
