package codehost

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"marketingskills/app/text"
)

// Repo names a repository.
type Repo struct {
	Owner, Name string
}

func (r Repo) String() string {
	if r.Owner == "" {
		return ""
	}
	return r.Owner + "/" + r.Name
}

// MarshalText writes owner/name.
func (r Repo) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what MarshalText writes, and nothing more liberal.
func (r *Repo) UnmarshalText(from []byte) error {
	if len(from) == 0 {
		*r = Repo{}
		return nil
	}
	owner, name, ok := strings.Cut(string(from), "/")
	if !ok || !validOwner(owner) || !validName(name) {
		return fmt.Errorf("%q is not owner/repository", text.Line(string(from), longestMessage))
	}
	*r = Repo{owner, name}
	return nil
}

func (r Repo) path() string {
	return "/repos/" + url.PathEscape(r.Owner) + "/" + url.PathEscape(r.Name)
}

// ParseRepo reads a repository however people write it: owner/name, an
// address from the browser's address bar with or without scheme, www., a
// path below the repository, a query or .git, and the forms git itself
// takes. Besides github.com, the server of the API's URL is understood, and
// the one whose name is without "api.". What is refused is refused with a
// suggestion.
func ParseRepo(given, api string) (Repo, error) {
	given = strings.TrimSpace(given)
	rest, _, _ := strings.Cut(given, "#")
	rest, _, _ = strings.Cut(rest, "?")
	host := ""
	if scheme, after, ok := strings.Cut(rest, "://"); ok {
		switch strings.ToLower(scheme) {
		case "http", "https", "ssh", "git", "git+ssh", "git+https":
		default:
			return Repo{}, refuse(given, "is not the URL of a repository")
		}
		host, rest, _ = strings.Cut(after, "/")
		if host == "" {
			return Repo{}, refuse(given, "contains no server name")
		}
	} else if before, after, ok := strings.Cut(rest, ":"); ok && strings.Contains(before, "@") && !strings.Contains(before, "/") {
		host, rest = before, after // git@host:owner/name
	} else if first, after, ok := strings.Cut(rest, "/"); ok && strings.Contains(first, ".") {
		host, rest = first, after
	} else if knownHost(rest, api) {
		host, rest = rest, ""
	}
	if host != "" && !knownHost(host, api) {
		return Repo{}, refuse(given, "is on a different server")
	}
	parts := strings.FieldsFunc(rest, func(r rune) bool { return r == '/' })
	if len(parts) > 2 && parts[0] == "repos" && strings.HasPrefix(bareHost(host), "api.") {
		parts = parts[1:]
	}
	switch len(parts) {
	case 0:
		return Repo{}, refuse(given, "contains no repository name")
	case 1:
		if !validOwner(parts[0]) {
			return Repo{}, refuse(given, "contains no repository name")
		}
		return Repo{}, fmt.Errorf("%q is an account, not a repository; enter %s/<repository>", parts[0], parts[0])
	}
	owner, name := parts[0], strings.TrimSuffix(parts[1], ".git")
	if !validOwner(owner) || !validName(name) {
		return Repo{}, refuse(given, "is not a repository name")
	}
	return Repo{owner, name}, nil
}

func refuse(given, why string) error {
	return fmt.Errorf("%q %s; enter owner/repository or a URL such as https://github.com/owner/repository",
		text.Line(given, longestMessage), why)
}

func bareHost(host string) string {
	if _, after, ok := strings.Cut(host, "@"); ok {
		host = after
	}
	host, _, _ = strings.Cut(strings.ToLower(host), ":")
	return strings.TrimPrefix(host, "www.")
}

func knownHost(host, api string) bool {
	host = bareHost(host)
	if _, after, hasScheme := strings.Cut(api, "://"); hasScheme {
		api = after
	}
	api, _, _ = strings.Cut(strings.TrimSpace(api), "/")
	api = bareHost(api)
	return slices.Contains([]string{"github.com", "api.github.com", "ssh.github.com", api, strings.TrimPrefix(api, "api.")}, host)
}

// validOwner accepts letters, digits, hyphens and the underscore of managed
// accounts, 39 characters in the public service and some more elsewhere.
func validOwner(s string) bool { return valid(s, "-_") }

func validName(s string) bool { return s != "." && s != ".." && valid(s, "-_.") }

// valid accepts up to 100 letters and digits, and the signs that are allowed too.
func valid(s, signs string) bool {
	return s != "" && len(s) <= 100 && !strings.ContainsFunc(s, func(r rune) bool {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
		return !letter && !strings.ContainsRune(signs, r)
	})
}
