package prospect

import (
	"errors"
	"strings"
	"time"

	"marketingskills/app/prospect/codehost"
)

// judgeListed decides what can be decided without the profile: an account
// that is gone, a suppressed login, the filters the listing answers.
func judgeListed(e *Entry, q Query, s *Suppression) (Verdict, string) {
	switch {
	case e.Login == "":
		return Failed, "gone"
	case s.login(e.Login):
		return Suppressed, "login"
	case q.Type != "" && e.Type != "" && !strings.EqualFold(e.Type, q.Type):
		return Filtered, "type"
	case !q.StarredSince.IsZero() && e.StarredAt.Before(q.StarredSince):
		return Filtered, "starred-since"
	}
	return Waiting, ""
}

// judge decides about a person whose record is complete.
func judge(r Record, q Query, s *Suppression) (Verdict, string) {
	if by := s.Cause(r); by != "" {
		return Suppressed, by
	}
	switch {
	case q.Type != "" && !strings.EqualFold(r.Type, q.Type):
		return Filtered, "type"
	case q.WithEmail && !hasAddress(r):
		return Filtered, "with-email"
	case q.WithCompany && r.Company == "":
		return Filtered, "with-company"
	case q.WithBlog && r.Blog == "":
		return Filtered, "with-blog"
	}
	return Kept, ""
}

func hasAddress(r Record) bool { return strings.Contains(r.Email, "@") }

// record makes a record of what the listing says, or of the profile.
func (e *Entry) record(q Query, profile *codehost.User, at time.Time) Record {
	r := Record{Login: Plain(e.Login), Type: Plain(e.Type), HTMLURL: webAddress(e.URL)}
	if profile != nil {
		r = profileRecord(*profile)
		r.Type = orElse(r.Type, Plain(e.Type))
		r.HTMLURL = orElse(r.HTMLURL, webAddress(e.URL))
	}
	r.Source, r.SourceRepo, r.SourceURL = string(q.Source), q.Repo.String(), e.Page
	r.StarredAt, r.FetchedAt = e.StarredAt.UTC(), at.UTC().Truncate(time.Second)
	return r
}

// The causes of failures that may pass.
const (
	causeNetwork = "network"
	causeTimeout = "time-out"
	causeHost    = "host"
)

// failure is a failed profile as a cause; again tells whether asking once
// more may help.
func failure(err error) (cause string, again bool) {
	switch {
	case errors.Is(err, codehost.ErrNotFound):
		return "missing", false
	case errors.Is(err, codehost.ErrTakenDown):
		return "taken-down", false
	case errors.Is(err, codehost.ErrNetwork):
		return causeNetwork, true
	case errors.Is(err, codehost.ErrTimeout):
		return causeTimeout, true
	case errors.Is(err, codehost.ErrServer):
		return causeHost, true
	}
	return "other", false
}

// ends tells whether an error ends the whole run rather than one person.
func ends(err error) bool {
	_, limit := codehost.RetryAt(err)
	return limit || errors.Is(err, codehost.ErrInterrupted) || errors.Is(err, codehost.ErrBadToken)
}

// Stop is why a run is incomplete.
type Stop struct {
	// Reason is a word: quota, penalty, interrupted, network, host, token,
	// restricted, list-limit, paging, output or error.
	Reason  string    `json:"reason"`
	Message string    `json:"message"`
	RetryAt time.Time `json:"retry_at,omitzero"` // when going on makes sense, if known
	// Resumable: the saved state can go on from here.
	Resumable bool  `json:"resumable"`
	Err       error `json:"-"`
}

func newStop(err error) *Stop {
	s := &Stop{Reason: "error", Message: Plain(err.Error()), Err: err, Resumable: true}
	s.RetryAt, _ = codehost.RetryAt(err)
	_, penalty := errors.AsType[*codehost.PenaltyError](err)
	switch {
	case penalty:
		s.Reason = "penalty"
	case !s.RetryAt.IsZero():
		s.Reason = "quota"
	case errors.Is(err, codehost.ErrInterrupted):
		s.Reason = "interrupted"
	case errors.Is(err, codehost.ErrServer):
		s.Reason = "host"
	case codehost.Transient(err):
		s.Reason = "network"
	case errors.Is(err, codehost.ErrBadToken):
		s.Reason = "token"
	case errors.Is(err, codehost.ErrRestricted):
		s.Reason = "restricted"
	case errors.Is(err, codehost.ErrListEnd):
		s.Reason, s.Resumable = "list-limit", false
	case errors.Is(err, codehost.ErrLoop), errors.Is(err, codehost.ErrForeignHost):
		s.Reason, s.Resumable = "paging", false
	}
	return s
}
