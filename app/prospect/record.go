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
	Login           string    `json:"login"`
	Name            string    `json:"name"`
	Company         string    `json:"company"`
	Email           string    `json:"email"`
	Blog            string    `json:"blog"`
	Location        string    `json:"location"`
	Bio             string    `json:"bio"`
	TwitterUsername string    `json:"twitter_username"`
	Type            string    `json:"type"`                // User, Organization or Bot
	PublicRepos     *int      `json:"public_repos"`        // null: profile not fetched
	Followers       *int      `json:"followers"`           // null: profile not fetched
	CreatedAt       time.Time `json:"created_at,omitzero"` // of the account
	HTMLURL         string    `json:"html_url"`            // the profile's page
	Source          string    `json:"source"`              // stargazers, forks, watchers, contributors, user
	SourceRepo      string    `json:"source_repo"`         // owner/name
	SourceURL       string    `json:"source_url"`          // the listing page the person was read from
	StarredAt       time.Time `json:"starred_at,omitzero"` // stargazers only
	FetchedAt       time.Time `json:"fetched_at"`          // when the last of this was read
}

// UserRecord is the record of a profile fetched by login.
func UserRecord(u codehost.User, address string, at time.Time) Record {
	r := profileRecord(u)
	r.Source, r.SourceURL, r.FetchedAt = "user", address, at.UTC().Truncate(time.Second)
	return r
}

func profileRecord(u codehost.User) Record {
	return Record{
		Login: text.Plain(u.Login), Name: text.Plain(u.Name), Company: text.Plain(u.Company), Email: text.Plain(u.Email),
		Blog: text.Plain(u.Blog), Location: text.Plain(u.Location), Bio: text.Plain(u.Bio),
		TwitterUsername: text.Plain(u.TwitterUsername), Type: text.Plain(u.Type),
		PublicRepos: &u.PublicRepos, Followers: &u.Followers, CreatedAt: utc(u.CreatedAt), HTMLURL: webAddress(u.HTMLURL),
	}
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
