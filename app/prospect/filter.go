package prospect

import (
	"cmp"
	"errors"
	"strings"
	"time"

	"marketingskills/app/prospect/codehost"
	"marketingskills/app/rest"
	"marketingskills/app/text"
)

// judgeListed decides what can be decided without the profile: an account
// that is gone, a suppressed login, the filters the listing answers.
func judgeListed(e *Entry, q Query, s *Suppression) (Verdict, string) {
	switch {
	case e.Login == "":
		return Failed, failedGone
	case s.login(e.Login):
		return Suppressed, suppressedLogin
	case q.Type != "" && e.Type != "" && !strings.EqualFold(e.Type, q.Type):
		return Filtered, filterType
	case !q.StarredSince.IsZero() && e.StarredAt.Before(q.StarredSince):
		return Filtered, filterStarredSince
	}
	return Waiting, ""
}

func judge(r Record, q Query, s *Suppression) (Verdict, string) {
	if by := s.Cause(r); by != "" {
		return Suppressed, by
	}
	switch {
	case q.Type != "" && !strings.EqualFold(r.Type, q.Type):
		return Filtered, filterType
	case q.WithEmail && !hasAddress(r):
		return Filtered, filterEmail
	case q.WithCompany && r.Company == "":
		return Filtered, filterCompany
	case q.WithBlog && r.Blog == "":
		return Filtered, filterBlog
	}
	return Matched, ""
}

func hasAddress(r Record) bool { return strings.Contains(r.Email, "@") }

// filter decides, under the lock, how a person ends.
func (r *run) filter(e *person) {
	switch {
	case e.Verdict == Matched: // from a saved run: the suppression may be new
		e.Verdict, e.Cause = judge(*e.Record, r.query, r.suppress)
	case e.Verdict != Waiting:
	case e.err != nil:
		cause := failure(e.err)
		e.Verdict, e.Cause, e.Again, e.Detail = Failed, cause.Name, cause.Temporary, text.Plain(e.err.Error())
	default:
		e.Verdict, e.Cause = judgeListed(&e.Entry, r.query, r.suppress)
		if e.Verdict == Failed {
			e.Detail = "the account was deleted"
		}
		if e.Verdict == Waiting {
			if e.Record == nil {
				record := e.record(r.query, nil, time.Now())
				e.Record = &record
			}
			e.Verdict, e.Cause = judge(*e.Record, r.query, r.suppress)
		}
	}
	if e.Verdict != Matched {
		e.Record = nil
	}
}

// record makes a record of what the listing says, or of the profile.
func (e *Entry) record(q Query, profile *codehost.User, at time.Time) Record {
	r := Record{User: codehost.User{Login: e.Login, Type: e.Type, HTMLURL: e.URL}}
	if profile != nil {
		r.User = cleanUser(*profile)
		r.Type = cmp.Or(r.Type, e.Type)
		r.HTMLURL = cmp.Or(r.HTMLURL, e.URL)
	}
	r.Source, r.SourceRepo, r.SourceURL = string(q.Source), q.Repo.String(), e.Page
	r.StarredAt, r.FetchedAt = e.StarredAt, at.UTC().Truncate(time.Second)
	return r
}

// ends reports whether an error ends the whole run rather than one person.
func ends(err error) bool {
	_, limit := codehost.RetryAt(err)
	return limit || errors.Is(err, rest.ErrInterrupted) || errors.Is(err, codehost.ErrBadToken)
}
