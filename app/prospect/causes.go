package prospect

import (
	"errors"
	"time"

	"marketingskills/app/prospect/codehost"
	"marketingskills/app/rest"
	"marketingskills/app/text"
)

// cause is why a person is not a match: a filter, an entry of the suppression
// list, or a failure.
type cause struct {
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

// causes are all of them.
var causes = []cause{
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
	{Name: "network", Verdict: Failed, Title: "no connection", Temporary: true, err: rest.ErrUnreachable},
	{Name: "time-out", Verdict: Failed, Title: "timed out", Temporary: true, err: rest.ErrTimeout},
	{Name: "host", Verdict: Failed, Title: "GitHub server error", Temporary: true, err: codehost.ErrServer},
	{Name: failedOther, Verdict: Failed, Title: "other error"},
}

// CauseTitle returns the title of a cause; a name that is not in causes,
// which a saved run may hold, is its own.
func CauseTitle(name string) string {
	for _, c := range causes {
		if c.Name == name {
			return c.Title
		}
	}
	return name
}

// failure is the cause of a failed request for a profile.
func failure(err error) cause {
	for _, c := range causes {
		if c.err != nil && errors.Is(err, c.err) || c.Name == failedOther {
			return c
		}
	}
	panic("unreachable: the last cause is for every error")
}

// reasons are the errors that end a run and have a name of their own. Of
// several that an error is, the first counts.
var reasons = []struct {
	err  error
	name string
}{
	{ErrOutput, "output"},                  // the results could not be written
	{codehost.ErrPause, "penalty"},         // the host asked for a pause
	{codehost.ErrQuota, "quota"},           // the hour's requests are used up
	{rest.ErrInterrupted, interrupted},     // by the caller
	{codehost.ErrServer, "host"},           // server errors
	{rest.ErrUnreachable, "network"},       // no connection
	{rest.ErrTimeout, "network"},           // time-outs
	{codehost.ErrBadToken, "token"},        // rejected
	{codehost.ErrRestricted, "restricted"}, // the list is shown to collaborators only
	{codehost.ErrListEnd, listLimit},       // the host lists no further
	{codehost.ErrLoop, paging},             // the pages repeat
	{codehost.ErrForeignHost, paging},      // the pages lead elsewhere
}

const (
	interrupted = "interrupted"
	listLimit   = "list-limit" // after this and the next, nothing is left to go on with
	paging      = "paging"
)

// Stop is why a run is incomplete.
type Stop struct {
	Reason  string    `json:"reason"` // one of the names in reasons, or error
	Message string    `json:"message"`
	RetryAt time.Time `json:"retry_at,omitzero"` // when going on makes sense, if known
	// Resumable: the saved state can go on from here.
	Resumable bool  `json:"resumable"`
	Err       error `json:"-"`
}

// NewStop describes the error that ended a run.
func NewStop(err error) *Stop {
	s := &Stop{Reason: "error", Message: text.Plain(err.Error()), Err: err}
	for _, r := range reasons {
		if errors.Is(err, r.err) {
			s.Reason = r.name
			break
		}
	}
	s.RetryAt, _ = codehost.RetryAt(err)
	s.Resumable = s.Reason != listLimit && s.Reason != paging
	return s
}

// Interrupted reports whether the caller ended the run.
func (s *Stop) Interrupted() bool { return s != nil && s.Reason == interrupted }
