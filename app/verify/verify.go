// Package verify tells whether email addresses can be written to.
//
// Two things answer: [Checker], which is free, sends nothing to the verifier
// and never claims more than can be known without asking a mail server, and
// [Client], which asks a verifier, or a proxy in front of one, and spends a
// credit for each address. [Job] takes a list through both, the free checks
// first, and loses no answer when it pauses, stops or fails.
//
// An address keeps its spelling. Two spellings of one address are one only as
// far as the mail standards say so: see [Key].
//
// Sources: rules 19 to 21 of docs/rules.md; the verifier's
// published OpenAPI description as of November 2026. The package uses the
// standard library only and compiles for the browser; what needs files or the
// network is given to it.
package verify

// State is what is known of an address. A verifier may send values that are
// not among the constants; they are kept.
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
	Address    string   `json:"address"`
	Domain     string   `json:"domain"`
	Canonical  string   `json:"canonical"`
	MXRecord   string   `json:"mx_record,omitempty"`
	FirstName  string   `json:"first_name,omitempty"`
	LastName   string   `json:"last_name,omitempty"`
	State      State    `json:"email_state"`
	SubState   SubState `json:"email_sub_state"`
	VerifiedAt string   `json:"verified_at"` // RFC 3339, as it was sent
	DidYouMean string   `json:"did_you_mean,omitempty"`
	// Reason says in a few words what a free check found, without a full stop.
	// A verifier sends none.
	Reason string `json:"reason,omitempty"`
	// Source is where a proxy took it from; it travels in a header.
	Source Source `json:"-"`
}

// NeedsCredit tells whether a free check left open what a verifier may know.
func (r Result) NeedsCredit() bool { return r.State == Unknown }

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
