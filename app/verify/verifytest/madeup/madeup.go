// Package madeup is the client of a verifier that does not exist. Tests use it to
// see that another one than package truelist's has its place, and it is an example
// of how little that takes: this service has words, a header for its key and a
// limit of its own, takes no lists and counts time in seconds.
package madeup

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"time"

	"marketingskills/app/rest"
	"marketingskills/app/verify"
)

type client struct {
	service verify.JSONClient
	secret  rest.Secret
}

// kinds: who has no valid key is told 403, not 401.
var kinds = map[int]*rest.Kind{http.StatusForbidden: verify.ErrKey}

// New checks a configuration; it sends nothing.
func New(c rest.Config) (verify.Verifier, error) {
	c.Name, c.SecretHeader = "the made-up verifier", "X-Api-Key"
	plain, err := rest.New(c)
	if err != nil {
		return nil, err
	}
	return client{verify.JSONClient{Client: plain, Kinds: kinds}, c.Secret}, nil
}

// Limit is how many requests a second each path takes.
func (client) Limit() int { return 2 }

// states are its verdicts in our words. It has more than these.
var states = map[string]verify.State{
	"deliverable":   verify.OK,
	"undeliverable": verify.EmailInvalid,
	"catch-all":     verify.AcceptAll,
	"doubtful":      verify.Risky,
	"no answer":     verify.Unknown,
}

func (c client) Verify(ctx context.Context, address string) (verify.Result, error) {
	q := c.service.Request("verify an email", http.MethodGet, "/check/"+url.PathEscape(address), "")
	q.Private = address
	var answer struct {
		Email, Verdict, Reason string
		Checked                int64 // in seconds since 1970
	}
	if _, err := c.service.Call(ctx, q, &answer); err != nil {
		return verify.Result{}, err
	}
	switch {
	case answer.Verdict == "":
		return verify.Result{}, c.service.Fail(q, verify.ErrServer, http.StatusOK, "the answer holds no verdict")
	case !verify.SameAddress(answer.Email, address):
		return verify.Result{}, c.service.Fail(q, verify.ErrServer, http.StatusOK, "the answer is about another email")
	}
	return verify.Result{
		Address:    answer.Email,
		State:      cmp.Or(states[answer.Verdict], verify.State(answer.Verdict)),
		SubState:   verify.SubState(answer.Reason),
		VerifiedAt: time.Unix(answer.Checked, 0).UTC().Format(time.RFC3339),
	}.Masked(c.secret), nil
}

func (c client) Account(ctx context.Context) (verify.Account, error) {
	var answer struct{ Holder, Plan string }
	if _, err := c.service.Call(ctx, c.service.Request("ask for the account", http.MethodGet, "/whoami", ""), &answer); err != nil {
		return verify.Account{}, err
	}
	account := verify.Account{Name: answer.Holder}
	account.Account.PaymentPlan = answer.Plan
	return account.Masked(c.secret), nil
}
