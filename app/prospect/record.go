package prospect

import (
	"net/url"
	"strings"
	"time"

	"marketingskills/app/prospect/codehost"
	"marketingskills/app/text"
	"marketingskills/app/verify"
)

// Record is one match, with its source. Texts are as the person wrote
// them, without control characters and marks of writing direction; line breaks
// stay. The JSON names are the columns of the CSV.
type Record struct {
	codehost.User
	Source     string    `json:"source"`              // stargazers, forks, watchers, contributors, user
	SourceRepo string    `json:"source_repo"`         // owner/name
	SourceURL  string    `json:"source_url"`          // the listing page the person was read from
	StarredAt  time.Time `json:"starred_at,omitzero"` // stargazers only
	FetchedAt  time.Time `json:"fetched_at"`          // when the last of this was read
	// Verification is what is known of the email; nil if it was not checked.
	Verification *Verification `json:"verification,omitempty"`
}

// Verification is what the free checks or a verifier said about an email.
type Verification struct {
	State      verify.State    `json:"email_state"`
	SubState   verify.SubState `json:"email_sub_state"`
	DidYouMean string          `json:"did_you_mean,omitempty"`
	VerifiedAt string          `json:"verified_at"` // as it was sent
	Source     verify.Source   `json:"source"`      // a verifier or the free checks
}

// NewVerification keeps of an answer what belongs to a record.
func NewVerification(r verify.Result, by verify.Source) *Verification {
	return &Verification{State: r.State, SubState: r.SubState, DidYouMean: r.DidYouMean, VerifiedAt: r.VerifiedAt, Source: by}
}

// Result is the answer again, as far as it was kept.
func (v *Verification) Result(address string) verify.Result {
	return verify.Result{Address: address, State: v.State, SubState: v.SubState, DidYouMean: v.DidYouMean,
		VerifiedAt: v.VerifiedAt, Source: v.Source}
}

// cleanVerification drops one without a state.
func cleanVerification(v *Verification) *Verification {
	if v == nil || v.State == "" {
		return nil
	}
	const most = 320 // bytes of a text, as many as an email has at most
	return &Verification{
		State:      verify.State(text.Line(string(v.State), most)),
		SubState:   verify.SubState(text.Line(string(v.SubState), most)),
		DidYouMean: text.Line(v.DidYouMean, most),
		VerifiedAt: text.Line(v.VerifiedAt, most),
		Source:     verify.Source(text.Line(string(v.Source), most)),
	}
}

// UserRecord is the record of a profile fetched by login.
func UserRecord(u codehost.User, address string, at time.Time) Record {
	return Record{User: cleanUser(u), Source: "user", SourceURL: address, FetchedAt: at.UTC().Truncate(time.Second)}
}

func cleanUser(u codehost.User) codehost.User {
	for _, t := range []*string{&u.Login, &u.Name, &u.Company, &u.Email, &u.Blog, &u.Location, &u.Bio, &u.TwitterUsername, &u.Type} {
		*t = text.Plain(*t)
	}
	u.HTMLURL, u.CreatedAt = webAddress(u.HTMLURL), utc(u.CreatedAt)
	return u
}

func cleanPerson(p codehost.Person) codehost.Person {
	return codehost.Person{Login: text.Plain(p.Login), Type: text.Plain(p.Type), URL: webAddress(p.URL), StarredAt: utc(p.StarredAt)}
}

// utc is a time as files hold it. RFC 3339 has years up to 9999 only; other
// times count as unknown.
func utc(t time.Time) time.Time {
	if t = t.UTC(); t.Year() < 0 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

// webAddress keeps only addresses that a page may link to.
func webAddress(s string) string {
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return ""
	}
	return text.Plain(u.String())
}
