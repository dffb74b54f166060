package codehost

import (
	"fmt"
	"net/url"
	"strings"
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
func (r *Repo) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*r = Repo{}
		return nil
	}
	owner, name, ok := strings.Cut(string(text), "/")
	if !ok || !validOwner(owner) || !validName(name) {
		return fmt.Errorf("%q is no owner/repository", clean(string(text)))
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
// takes. Addresses of hosts other than github.com are understood when they
// are named in hosts. What is refused is refused with a suggestion.
func ParseRepo(text string, hosts ...string) (Repo, error) {
	given := strings.TrimSpace(text)
	rest, _, _ := strings.Cut(given, "#")
	rest, _, _ = strings.Cut(rest, "?")
	host := ""
	if scheme, after, ok := strings.Cut(rest, "://"); ok {
		switch strings.ToLower(scheme) {
		case "http", "https", "ssh", "git", "git+ssh", "git+https":
		default:
			return Repo{}, refuse(given, "is no address of a repository")
		}
		host, rest, _ = strings.Cut(after, "/")
		if host == "" {
			return Repo{}, refuse(given, "names no host")
		}
	} else if before, after, ok := strings.Cut(rest, ":"); ok && strings.Contains(before, "@") && !strings.Contains(before, "/") {
		host, rest = before, after // git@host:owner/name
	} else if first, after, ok := strings.Cut(rest, "/"); ok && strings.Contains(first, ".") {
		host, rest = first, after
	} else if knownHost(rest, hosts) {
		host, rest = rest, ""
	}
	if host != "" && !knownHost(host, hosts) {
		return Repo{}, refuse(given, "is on another host than this one asks")
	}
	parts := strings.FieldsFunc(rest, func(r rune) bool { return r == '/' })
	if len(parts) > 2 && parts[0] == "repos" && strings.HasPrefix(bareHost(host), "api.") {
		parts = parts[1:]
	}
	switch len(parts) {
	case 0:
		return Repo{}, refuse(given, "names no repository")
	case 1:
		if !validOwner(parts[0]) {
			return Repo{}, refuse(given, "names no repository")
		}
		return Repo{}, fmt.Errorf("%q is an account, not a repository; write %s/<repository>, the way it stands in the address of the repository's page", parts[0], parts[0])
	}
	owner, name := parts[0], strings.TrimSuffix(parts[1], ".git")
	if !validOwner(owner) || !validName(name) {
		return Repo{}, refuse(given, "is no repository's name")
	}
	return Repo{owner, name}, nil
}

func refuse(given, why string) error {
	return fmt.Errorf("%q %s; write owner/repository or paste its address, for example https://github.com/owner/repository", clean(given), why)
}

func bareHost(host string) string {
	if _, after, ok := strings.Cut(host, "@"); ok {
		host = after
	}
	host, _, _ = strings.Cut(strings.ToLower(host), ":")
	return strings.TrimPrefix(host, "www.")
}

func knownHost(host string, hosts []string) bool {
	bare := bareHost(host)
	if bare == "github.com" || bare == "api.github.com" || bare == "ssh.github.com" {
		return true
	}
	for _, h := range hosts {
		if bare == bareHost(h) {
			return true
		}
	}
	return false
}

// validOwner accepts letters, digits, hyphens and the underscore of managed
// accounts, 39 characters in the public service and some more elsewhere.
func validOwner(s string) bool {
	return s != "" && len(s) <= 100 && !strings.ContainsFunc(s, func(r rune) bool {
		return !alphanumeric(r) && r != '-' && r != '_'
	})
}

func validName(s string) bool {
	return s != "" && s != "." && s != ".." && len(s) <= 100 && !strings.ContainsFunc(s, func(r rune) bool {
		return !alphanumeric(r) && r != '-' && r != '_' && r != '.'
	})
}

func alphanumeric(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}
