package verification

import (
	"context"
	"time"

	"marketingskills/app/verify"
)

// sampleVerifier stands in for a verifier with the sample data: it makes up its
// answers, always the same for an email.
type sampleVerifier struct{}

// sampleAnswers are what it says, each as often as it stands there.
const sampleAnswers = "ooooooooooooooooooooooaaaarru"

// Inline answers after a moment, so that there is something to watch.
func (sampleVerifier) Inline(ctx context.Context, address string) (verify.Result, error) {
	n := 0
	for _, c := range []byte(address) {
		n = (31*n + int(c)) % 997
	}
	select {
	case <-ctx.Done():
		return verify.Result{}, ctx.Err()
	case <-time.After(time.Duration(600+n) * time.Millisecond):
	}
	r := verify.Result{Address: address, State: verify.OK, SubState: verify.EmailOK, VerifiedAt: time.Now().UTC().Format(time.RFC3339),
		Source: verify.FromVerifier}
	switch sampleAnswers[n%len(sampleAnswers)] {
	case 'a':
		r.State, r.SubState = verify.AcceptAll, "accept_all"
	case 'r':
		r.State, r.SubState = verify.Risky, verify.IsDisposable
	case 'u':
		r.State, r.SubState = verify.Unknown, verify.UnknownError
	}
	if n%19 == 0 {
		r.State, r.SubState = verify.EmailInvalid, verify.FailedSMTPCheck
	}
	return r, nil
}
