package prospect

import (
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"marketingskills/app/prospect/codehost"
)

// Record is one person kept, with lineage. Texts are as the person wrote
// them, without control characters and those that turn the direction of
// writing; line breaks stay. The JSON names are the columns of the CSV.
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

// Columns are the columns of the CSV, in order.
var Columns = []string{"login", "name", "company", "email", "blog", "location", "bio", "twitter_username", "type",
	"public_repos", "followers", "created_at", "html_url", "source", "source_repo", "source_url", "starred_at", "fetched_at"}

// UserRecord is the record of a profile asked for by login.
func UserRecord(u codehost.User, address string, at time.Time) Record {
	r := profileRecord(u)
	r.Source, r.SourceURL, r.FetchedAt = "user", address, at.UTC().Truncate(time.Second)
	return r
}

func profileRecord(u codehost.User) Record {
	return Record{
		Login: Plain(u.Login), Name: Plain(u.Name), Company: Plain(u.Company), Email: Plain(u.Email), Blog: Plain(u.Blog),
		Location: Plain(u.Location), Bio: Plain(u.Bio), TwitterUsername: Plain(u.TwitterUsername), Type: Plain(u.Type),
		PublicRepos: &u.PublicRepos, Followers: &u.Followers, CreatedAt: u.CreatedAt.UTC(), HTMLURL: webAddress(u.HTMLURL),
	}
}

// row is the record as cells, in the order of [Columns], not yet disarmed.
func (r Record) row() []string {
	return []string{r.Login, r.Name, r.Company, r.Email, r.Blog, r.Location, r.Bio, r.TwitterUsername, r.Type,
		optional(r.PublicRepos), optional(r.Followers), stamp(r.CreatedAt), r.HTMLURL, r.Source, r.SourceRepo, r.SourceURL,
		stamp(r.StarredAt), stamp(r.FetchedAt)}
}

func optional(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// webAddress keeps only addresses that a page may link to.
func webAddress(s string) string {
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return ""
	}
	return Plain(u.String())
}

// Plain makes text from outside harmless to show: valid UTF-8, no control
// characters (terminal escapes, NUL), no characters that turn the direction
// of writing or are invisible; line breaks become "\n", tabs a space; no
// white space around it. Joiners stay, emoji and Persian need them.
func Plain(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\r\n", "\n")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\v' || r == '\f' || r == '\u0085' || r == '\u2028' || r == '\u2029':
			return '\n'
		case r == '\t':
			return ' '
		case unicode.IsControl(r), unwanted(r):
			return -1
		}
		return r
	}, s))
}

// unwanted are the marks, embeddings, overrides and isolates of bidirectional
// text, and characters without width.
func unwanted(r rune) bool {
	return r == '\u061c' || r == '\u200b' || r == '\u200e' || r == '\u200f' || '\u202a' <= r && r <= '\u202e' ||
		'\u2060' <= r && r <= '\u206f' || r == '\ufeff' || r == '\u00ad' || r == '\u180e' || '\ufff9' <= r && r <= '\ufffb'
}
