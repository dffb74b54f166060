package prospect

import (
	"net/url"
	"strings"
	"time"

	"marketingskills/app/prospect/codehost"
	"marketingskills/app/text"
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
