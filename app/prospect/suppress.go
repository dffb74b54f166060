package prospect

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"net/url"
	"strings"

	"marketingskills/app/prospect/codehost"
)

// Suppression is the list of those who must not be in any output. The zero
// value and nil suppress nobody.
type Suppression struct {
	entries map[suppressed]bool
}

// suppressed is an entry: what it is, as the cause, in lower case.
type suppressed struct{ cause, text string }

// Len is the number of entries.
func (s *Suppression) Len() int {
	if s == nil {
		return 0
	}
	return len(s.entries)
}

const (
	maxSuppression = 32 << 20 // bytes
	mostBad        = 5        // lines named
)

// ParseSuppression reads a list: one login, address or domain a line. A login
// may have an @ in front or be the address of a profile; a domain contains a
// dot, may have an @ or *. in front and covers what is below it. What follows
// a # is a comment. Lines that are none of these are an error that names
// them.
func ParseSuppression(r io.Reader) (*Suppression, error) {
	s := &Suppression{map[suppressed]bool{}}
	limited := &io.LimitedReader{R: r, N: maxSuppression + 1}
	lines := bufio.NewScanner(limited)
	var bad []string // the first of them
	more := 0
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(strings.TrimPrefix(lines.Text(), "\ufeff"), "#")
		text = strings.ToLower(strings.Trim(strings.TrimSpace(text), `"',;`))
		switch {
		case text == "" || s.add(text):
		case len(bad) < mostBad:
			bad = append(bad, fmt.Sprintf("line %d: %.60q", n, text))
		default:
			more++
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("suppression list: %w", err)
	}
	if limited.N <= 0 {
		return nil, fmt.Errorf("suppression list: longer than %d MB", maxSuppression>>20)
	}
	if len(bad) > 0 {
		list := strings.Join(bad, ", ")
		if more > 0 {
			list += fmt.Sprintf(" and %d more", more)
		}
		return nil, fmt.Errorf("suppression list: not a username, email or domain: %s; "+
			"correct the lines, or start them with # to ignore them", list)
	}
	return s, nil
}

// with is both lists in one; neither is changed.
func (s *Suppression) with(other *Suppression) *Suppression {
	if s.Len() == 0 {
		return other
	}
	both := &Suppression{maps.Clone(s.entries)}
	maps.Copy(both.entries, other.entries)
	return both
}

func (s *Suppression) add(text string) bool {
	if _, after, ok := strings.Cut(text, "://"); ok {
		host, path, _ := strings.Cut(after, "/")
		path = strings.Trim(path, "/")
		if host == "github.com" || strings.HasSuffix(host, ".github.com") {
			return s.addLogin(path)
		}
		// A profile of another code host, or a site: both are suppressed.
		s.addLogin(path)
		return s.addDomain(host)
	}
	text = strings.TrimPrefix(text, "mailto:")
	local, domain, at := strings.Cut(text, "@")
	switch {
	case at && local != "":
		return s.put(suppressedEmail, text, validDomain(domain) && !strings.ContainsAny(local, " <>,;"))
	case at:
		text = domain
	}
	if strings.Contains(text, ".") {
		return s.addDomain(text)
	}
	return s.addLogin(text)
}

func (s *Suppression) addLogin(login string) bool {
	return s.put(suppressedLogin, login, codehost.ValidLogin(login))
}

func (s *Suppression) addDomain(domain string) bool {
	domain = strings.Trim(strings.TrimPrefix(strings.TrimPrefix(domain, "*."), "www."), ".")
	return s.put(suppressedDomain, domain, validDomain(domain))
}

func (s *Suppression) put(cause, text string, valid bool) bool {
	if valid {
		s.entries[suppressed{cause, text}] = true
	}
	return valid
}

func validDomain(s string) bool {
	return strings.Contains(s, ".") && !strings.HasPrefix(s, ".") && !strings.Contains(s, "..") && !strings.ContainsAny(s, " @/\\:<>,;")
}

// login tells whether the login itself is on the list: known before any
// profile is fetched.
func (s *Suppression) login(login string) bool {
	return s != nil && s.entries[suppressed{suppressedLogin, strings.ToLower(login)}]
}

// Cause tells by what a record is suppressed: login, address or domain (of the
// address or of the website); empty: by nothing. A record of a login alone
// tells whether the profile need be fetched at all.
func (s *Suppression) Cause(u Record) string {
	if s == nil {
		return ""
	}
	if s.login(u.Login) {
		return suppressedLogin
	}
	email := strings.ToLower(u.Email)
	if s.entries[suppressed{suppressedEmail, email}] {
		return suppressedEmail
	}
	if at := strings.LastIndex(email, "@"); at >= 0 && s.domain(email[at+1:]) {
		return suppressedDomain
	}
	blog := strings.ToLower(u.Blog)
	if !strings.Contains(blog, "://") {
		blog = "https://" + blog
	}
	if site, err := url.Parse(blog); err == nil && s.domain(site.Hostname()) {
		return suppressedDomain
	}
	return ""
}

func (s *Suppression) domain(host string) bool {
	for host = strings.Trim(host, ". "); host != ""; {
		if s.entries[suppressed{suppressedDomain, host}] {
			return true
		}
		_, host, _ = strings.Cut(host, ".")
	}
	return false
}
