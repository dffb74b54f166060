package verifytest_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"marketingskills/app/rest"
	"marketingskills/app/verify"
	"marketingskills/app/verify/verifytest"
	"marketingskills/app/verify/verifytest/madeup"
)

// faulty is a client that gives something else back than a good one.
type faulty struct {
	verify.Verifier
	limit int
	after func(verify.Result, error) (verify.Result, error)
}

func (f faulty) Limit() int { return f.limit }

func (f faulty) Verify(ctx context.Context, address string) (verify.Result, error) {
	return f.after(f.Verifier.Verify(ctx, address))
}

// result changes what a client says of an email, failure how it fails.
func result(change func(*verify.Result)) faulty {
	return faulty{limit: 1, after: func(r verify.Result, err error) (verify.Result, error) {
		if err == nil {
			change(&r)
		}
		return r, err
	}}
}

func failure(change func(error) error) faulty {
	return faulty{limit: 1, after: func(r verify.Result, err error) (verify.Result, error) {
		if err != nil {
			err = change(err)
		}
		return r, err
	}}
}

// doer sends a request in a way of its own.
type doer func(*http.Request) (*http.Response, error)

func (d doer) Do(r *http.Request) (*http.Response, error) { return d(r) }

// TestFaults: what is against the contract is reported, and nothing else is.
func TestFaults(t *testing.T) {
	var key, address string // of the last request
	sends := func(r *http.Request) {
		key, address = r.Header.Get("X-Api-Key"), strings.TrimPrefix(r.URL.Path, "/check/")
	}
	for name, c := range map[string]struct {
		faulty
		send func(rest.Doer, *http.Request) (*http.Response, error) // nil: as it should
		want string
	}{
		"no fault":       {result(func(*verify.Result) {}), nil, ""},
		"no limit":       {faulty{after: result(func(*verify.Result) {}).after}, nil, "Limit: it is 0"},
		"no state":       {result(func(r *verify.Result) { r.State = "" }), nil, `"deliverable", which became the state ""; it must be "ok"`},
		"word not kept":  {result(func(r *verify.Result) { r.State = verify.Risky }), nil, `"never_heard_of", which became the state "risky"`},
		"no address":     {result(func(r *verify.Result) { r.Address = "" }), nil, `is about ""`},
		"another time":   {result(func(r *verify.Result) { r.VerifiedAt = "yesterday" }), nil, `VerifiedAt is "yesterday"`},
		"key in results": {result(func(r *verify.Result) { r.FirstName = key }), nil, "the result must have [secret] in its place"},
		"state made up": {faulty{limit: 1, after: func(r verify.Result, err error) (verify.Result, error) {
			if errors.Is(err, verify.ErrServer) {
				return verify.Result{State: verify.Unknown}, nil
			}
			return r, err
		}}, nil, `the result has the state "unknown"`},
		"no kind":         {failure(func(err error) error { return errors.New(err.Error()) }), nil, `its kind must be "no credits left"`},
		"no rest.Failure": {failure(func(err error) error { return fmt.Errorf("could not: %w", kindOf(err)) }), nil, "must be a rest.Failure, without Next"},
		"key in errors":   {failure(func(err error) error { return fmt.Errorf("%w %s", err, key) }), nil, "the key or the email is in the error"},
		"email in errors": {failure(func(err error) error { return fmt.Errorf("%w %s", err, address) }), nil, "the key or the email is in the error"},
		"two lines":       {failure(func(err error) error { return fmt.Errorf("%w\nin all", err) }), nil, "it must be one short line"},
		"another wait":    {failure(longer), nil, "it must be 7s"},
		"words not said":  {failure(silent), nil, "they must be repeated, without the key"},
		"said to be free": {failure(func(err error) error { return fmt.Errorf("%w (%w)", err, rest.ErrUnsent) }), nil, "nobody knows that this cost nothing"},
		"leaving is lost": {failure(noContext), nil, "the error could not"},
		"sent twice": {result(func(*verify.Result) {}), func(d rest.Doer, r *http.Request) (*http.Response, error) {
			if first, err := d.Do(r); err == nil {
				first.Body.Close()
			}
			return d.Do(r)
		}, "it sent 2 requests; each call sends one"},
		"key in the URL": {result(func(*verify.Result) {}), func(d rest.Doer, r *http.Request) (*http.Response, error) {
			r.URL.RawQuery = "key=" + key
			return d.Do(r)
		}, "the key must be in one header and nowhere else"},
	} {
		s := madeup.Dialect
		s.New = func(config rest.Config) (verify.Verifier, error) {
			d := config.Doer
			config.Doer = doer(func(r *http.Request) (*http.Response, error) {
				sends(r)
				if c.send != nil {
					return c.send(d, r)
				}
				return d.Do(r)
			})
			v, err := madeup.New(config)
			client := c.faulty
			client.Verifier = v
			return client, err
		}
		err := verifytest.TestVerifier(s)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: the report is %.2000v; want %q", name, err, c.want)
		}
	}
}

func kindOf(err error) error {
	if f, ok := errors.AsType[*rest.Failure](err); ok {
		return f.Kind
	}
	return err
}

func longer(err error) error {
	if limit, ok := errors.AsType[*verify.LimitError](err); ok {
		return &verify.LimitError{Wait: limit.Wait + 1, Err: limit.Err}
	}
	return err
}

func silent(err error) error {
	if f, ok := errors.AsType[*rest.Failure](err); ok {
		f.Message = ""
	}
	return err
}

func noContext(err error) error {
	if f, ok := errors.AsType[*rest.Failure](err); ok {
		f.Cause = nil
	}
	return err
}
