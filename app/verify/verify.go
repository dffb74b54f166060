// Package verify tells whether email addresses can be written to.
//
// Two things answer: [Checker], which is free, sends nothing to a verifier and
// never claims more than can be known without asking a mail server, and a
// [Verifier], which spends a credit for each address.
// [Job] takes a list through both, the free checks first, and loses no answer
// when it pauses, stops or fails.
//
// An address keeps its spelling. Two spellings of one address are one only as
// far as the mail standards say so: see [Key].
//
// Sources: rules 19 to 21 of docs/rules.md. The package uses the standard library
// only and compiles for the browser; what needs files or the network is given to
// it.
package verify

import (
	"context"

	"marketingskills/app/rest"
)

// Verifier is a service that verifies email addresses: its client asks, and says
// what it was told in the words of this package. Package verifytest holds any
// client to what follows; [JSONClient] does most of it for one that speaks JSON.
//
// Methods may be called from many goroutines. Each sends one request, once and at
// once: who calls keeps to the limit, and decides whether to ask again.
//
// Errors are of the kinds of this package and of package rest; that of too many
// requests is a [*LimitError]. Their [rest.Failure] names the attempt and repeats
// the service's words, never the key nor the address that was asked about. Its
// Next is empty: what to do depends on who asked, a page, a command or a proxy,
// and is said there. Results and accounts do not hold the key either.
type Verifier interface {
	// Verify asks about one address, which spends a credit. The result has a State:
	// a constant of this package where the service means one, its own word where
	// that means something else. An answer without one is [ErrServer].
	Verify(ctx context.Context, address string) (Result, error)
	// Account tells whose the key is.
	Account(ctx context.Context) (Account, error)
	// Limit is how many requests a second each method may send: 1 or more, and the
	// same for every configuration.
	Limit() int
}

// Submitter is a [Verifier] that takes whole lists. Each address spends a credit;
// the results arrive at the verifier's dashboard.
type Submitter interface {
	Submit(ctx context.Context, addresses []string) error
}

// Health is what a proxy tells everybody about itself.
type Health struct {
	Key   bool `json:"key"`             // it has a verifier's key: otherwise it makes free checks only
	Token bool `json:"token"`           // it wants a token
	Lists bool `json:"lists"`           // its verifier takes lists: it is a Submitter
	Limit int  `json:"limit,omitempty"` // its verifier's, in requests a second; 0 without a key
}

// HeaderSource is the header in which a proxy says where an answer comes from.
const HeaderSource = "Verification-Source"

// Source is where an answer comes from.
type Source string

// The sources that a proxy names; a verifier names none.
const (
	FromVerifier Source = "verifier"
	FromMemory   Source = "remembered" // the verifier's answer of a while ago
	FromChecks   Source = "free-checks"
)

// State is what is known of an address, "" in no result. A verifier may send
// values that are not among the constants; they are kept.
type State string

// The states of rule 20.
const (
	OK           State = "ok"
	EmailInvalid State = "email_invalid"
	Risky        State = "risky"
	Unknown      State = "unknown"
	AcceptAll    State = "accept_all"
)

// States lists the states of rule 20, the safest to write to first.
var States = []State{OK, AcceptAll, Risky, Unknown, EmailInvalid}

// SubState says more about a State. The two are not paired: ok with is_role
// occurs. A verifier may send values that are not among the constants; they
// are kept.
type SubState string

// The sub-states of rule 20.
const (
	EmailOK         SubState = "email_ok"
	IsDisposable    SubState = "is_disposable"
	IsRole          SubState = "is_role"
	UnknownError    SubState = "unknown_error"
	FailedSMTPCheck SubState = "failed_smtp_check"
)

// Result is the answer about one address. Everything but the address and its
// state may be missing.
type Result struct {
	Address   string   `json:"address"`
	Domain    string   `json:"domain"`
	Canonical string   `json:"canonical"`
	MXRecord  string   `json:"mx_record,omitempty"`
	FirstName string   `json:"first_name,omitempty"`
	LastName  string   `json:"last_name,omitempty"`
	State     State    `json:"email_state"`
	SubState  SubState `json:"email_sub_state"`
	// VerifiedAt is when that was found out: RFC 3339, as it was sent, or "".
	VerifiedAt string `json:"verified_at"`
	DidYouMean string `json:"did_you_mean,omitempty"`
	// Reason says in a few words what a free check found, without a full stop.
	// A verifier sends none.
	Reason string `json:"reason,omitempty"`
	// Source is where a proxy took it from; it travels in a header.
	Source Source `json:"-"`
}

// NeedsCredit tells whether a free check left open what a verifier may know.
func (r Result) NeedsCredit() bool { return r.State == Unknown }

// Masked is the result without a secret that the other side repeated in it.
func (r Result) Masked(secret rest.Secret) Result {
	for _, s := range []*string{&r.Address, &r.Domain, &r.Canonical, &r.MXRecord, &r.FirstName, &r.LastName, (*string)(&r.State),
		(*string)(&r.SubState), &r.VerifiedAt, &r.DidYouMean, &r.Reason, (*string)(&r.Source)} {
		*s = secret.Mask(*s)
	}
	return r
}

// Account is whose the verifier's key is: what clients read of it, but no secret
// and nobody else.
type Account struct {
	Name     string `json:"name"`
	Email    string `json:"email"`
	UUID     string `json:"uuid"`
	TimeZone string `json:"time_zone"`
	IsAdmin  bool   `json:"is_admin_role"`
	Account  struct {
		Name        string `json:"name"`
		PaymentPlan string `json:"payment_plan"`
	} `json:"account"`
}

// Masked is the account without a secret that the other side repeated in it.
func (a Account) Masked(secret rest.Secret) Account {
	for _, s := range []*string{&a.Name, &a.Email, &a.UUID, &a.TimeZone, &a.Account.Name, &a.Account.PaymentPlan} {
		*s = secret.Mask(*s)
	}
	return a
}
