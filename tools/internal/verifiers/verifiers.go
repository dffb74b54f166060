// Package verifiers lists the services that can verify emails.
package verifiers

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"marketingskills/app/rest"
	"marketingskills/app/text"
	"marketingskills/app/verify"
	"marketingskills/app/verify/truelist"
	"marketingskills/tools/internal/console"
)

// Known are all of them: the clients, by the names that VERIFY_SERVICE may have.
var Known = map[string]func(rest.Config) (verify.Verifier, error){
	// New returns *Client, which also has Health, and functions that differ in their
	// result differ in type.
	Default: func(c rest.Config) (verify.Verifier, error) { return truelist.New(c) },
}

// Default is the service if none is named. A verify-proxy speaks its interface.
const Default = "truelist"

// Names are those of all services, as a choice: "one, another or a third".
func Names() string { return text.Either(slices.Sorted(maps.Keys(Known))) }

// Name is one of those that are known.
type Name string

// Find reads VERIFY_SERVICE; empty is [Default].
func Find(name string) (Name, error) {
	name = cmp.Or(strings.TrimSpace(name), Default)
	if Known[name] == nil {
		return "", console.Refuse("VERIFY_SERVICE: unknown service %s; use %s", text.Quote(name), Names())
	}
	return Name(name), nil
}

// New returns the service's client, which is a [verify.Submitter] if the service
// takes lists. An answer without a state becomes an error here, whoever's client
// it is: callers take one without for none, and would pay for it again. It sends
// nothing.
func (n Name) New(c rest.Config) (verify.Verifier, error) {
	v, err := Known[string(n)](c)
	switch {
	case err != nil:
		return nil, console.Usage(err)
	case v.Limit() < 1:
		return nil, fmt.Errorf("the client of %s takes %d requests a second; its Limit must be 1 or more", n, v.Limit())
	}
	guarded := stateful{v, n}
	if submitter, ok := v.(verify.Submitter); ok {
		return statefulSubmitter{guarded, submitter}, nil
	}
	return guarded, nil
}

// stateful is a verifier all of whose answers have a state.
type stateful struct {
	verify.Verifier
	name Name
}

type statefulSubmitter struct {
	stateful
	verify.Submitter
}

func (s stateful) Verify(ctx context.Context, address string) (verify.Result, error) {
	r, err := s.Verifier.Verify(ctx, address)
	if err == nil && r.State == "" {
		err = &rest.Failure{Kind: verify.ErrServer, Attempt: "verify an email with " + string(s.name), Message: "the answer holds no state"}
	}
	return r, err
}

// Limit is how many requests a second the service takes, for which neither its
// URL nor its key need be known.
func (n Name) Limit() (int, error) {
	v, err := n.New(rest.Config{Base: "https://verifier.invalid", Doer: http.DefaultClient, Timeout: verify.Timeout})
	if err != nil {
		return 0, err
	}
	return v.Limit(), nil
}
