package prospect

import (
	"errors"
	"time"

	"marketingskills/app/prospect/codehost"
	"marketingskills/app/text"
)

// Cause is why a person is not a match: a filter, an entry of the suppression
// list, or a failure.
type Cause struct {
	Name    string // as in saved runs and exports
	Verdict Verdict
	Title   string // in English, to follow "filtered out: ", "suppressed by " or "failed: "
	// Temporary: the same request may succeed later.
	Temporary bool

	err error // the kind of failure of a request
}

// The names of the causes.
const (
	filterType         = "type"
	filterStarredSince = "starred-since"
	filterEmail        = "with-email"
	filterCompany      = "with-company"
	filterBlog         = "with-blog"

	suppressedLogin  = "login"
	suppressedEmail  = "address"
	suppressedDomain = "domain"

	failedGone  = "gone"
	failedOther = "other"
)

// Causes lists all of them.
var Causes = []Cause{
	{Name: filterType, Verdict: Filtered, Title: "other account type"},
	{Name: filterStarredSince, Verdict: Filtered, Title: "starred before that date"},
	{Name: filterEmail, Verdict: Filtered, Title: "no email"},
	{Name: filterCompany, Verdict: Filtered, Title: "no company"},
	{Name: filterBlog, Verdict: Filtered, Title: "no website"},

	{Name: suppressedLogin, Verdict: Suppressed, Title: "username"},
	{Name: suppressedEmail, Verdict: Suppressed, Title: "email"},
	{Name: suppressedDomain, Verdict: Suppressed, Title: "domain"},

	{Name: failedGone, Verdict: Failed, Title: "account deleted"},
	{Name: "missing", Verdict: Failed, Title: "profile not found", err: codehost.ErrNotFound},
	{Name: "taken-down", Verdict: Failed, Title: "taken down for legal reasons", err: codehost.ErrTakenDown},
	{Name: "network", Verdict: Failed, Title: "no connection", Temporary: true, err: codehost.ErrNetwork},
	{Name: "time-out", Verdict: Failed, Title: "timed out", Temporary: true, err: codehost.ErrTimeout},
	{Name: "host", Verdict: Failed, Title: "GitHub server error", Temporary: true, err: codehost.ErrServer},
	{Name: failedOther, Verdict: Failed, Title: "other error"},
}

// CauseTitle returns the title of a cause; a name that is not in [Causes],
// which a saved run may hold, is its own.
func CauseTitle(name string) string {
	for _, c := range Causes {
		if c.Name == name {
			return c.Title
		}
	}
	return name
}

// failure is the cause of a failed request for a profile.
func failure(err error) Cause {
	for _, c := range Causes {
		if c.err != nil && errors.Is(err, c.err) || c.Name == failedOther {
			return c
		}
	}
	panic("unreachable: the last cause is for every error")
}

// Reason is why a run is incomplete.
type Reason string

// The reasons.
const (
	reasonQuota       Reason = "quota"       // the hour's requests are used up
	reasonPenalty     Reason = "penalty"     // the host asked for a pause
	ReasonInterrupted Reason = "interrupted" // by the caller
	reasonNetwork     Reason = "network"     // no connection, or time-outs
	reasonHost        Reason = "host"        // server errors
	reasonToken       Reason = "token"       // rejected
	reasonRestricted  Reason = "restricted"  // the list is shown to collaborators only
	reasonListLimit   Reason = "list-limit"  // the host lists no further
	reasonPaging      Reason = "paging"      // the pages repeat, or lead elsewhere
	reasonOutput      Reason = "output"      // the results could not be written
	reasonError       Reason = "error"       // anything else
)

// reasons are the errors that have a reason of their own. Of
// several that an error is, the first counts.
var reasons = []struct {
	err    error
	reason Reason
}{
	{ErrOutput, reasonOutput},
	{codehost.ErrPause, reasonPenalty},
	{codehost.ErrQuota, reasonQuota},
	{codehost.ErrInterrupted, ReasonInterrupted},
	{codehost.ErrServer, reasonHost},
	{codehost.ErrNetwork, reasonNetwork},
	{codehost.ErrTimeout, reasonNetwork},
	{codehost.ErrBadToken, reasonToken},
	{codehost.ErrRestricted, reasonRestricted},
	{codehost.ErrListEnd, reasonListLimit},
	{codehost.ErrLoop, reasonPaging},
	{codehost.ErrForeignHost, reasonPaging},
}

func reasonOf(err error) Reason {
	for _, r := range reasons {
		if errors.Is(err, r.err) {
			return r.reason
		}
	}
	return reasonError
}

// Stop is why a run is incomplete.
type Stop struct {
	Reason  Reason    `json:"reason"`
	Message string    `json:"message"`
	RetryAt time.Time `json:"retry_at,omitzero"` // when going on makes sense, if known
	// Resumable: the saved state can go on from here.
	Resumable bool  `json:"resumable"`
	Err       error `json:"-"`
}

// NewStop describes the error that ended a run.
func NewStop(err error) *Stop {
	s := &Stop{Reason: reasonOf(err), Message: text.Plain(err.Error()), Err: err}
	s.RetryAt, _ = codehost.RetryAt(err)
	s.Resumable = s.Reason != reasonListLimit && s.Reason != reasonPaging
	return s
}
