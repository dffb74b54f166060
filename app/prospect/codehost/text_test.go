package codehost_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"marketingskills/app/prospect/codehost"
)

func TestRepositoriesAreReadLiberally(t *testing.T) {
	for _, text := range []string{
		"o/r", " o/r ", "o/r/", "https://github.com/o/r", "http://www.github.com/o/r/", "github.com/o/r", "www.github.com/o/r",
		"https://github.com/o/r?tab=readme-ov-file#usage", "https://github.com/o/r.git", "o/r.git", "git@github.com:o/r.git",
		"git@github.com:o/r", "ssh://git@github.com/o/r.git", "git://github.com/o/r", "https://github.com/o/r/tree/main/docs/a.b",
		"https://github.com/o/r/stargazers", "https://api.github.com/repos/o/r/forks", "HTTPS://GitHub.com/o/r", "ssh://git@ssh.github.com:443/o/r.git",
		"https://code.example.com/o/r",
	} {
		got, err := codehost.ParseRepo(text, "https://api.code.example.com/v3")
		if err != nil || got.String() != "o/r" {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"acme": "acme/<repository>", "https://github.com/acme": "acme/<repository>", "https://gitlab.com/o/r": "a different server",
		"": "contains no repository name", "https://github.com": "contains no repository name", "github.com": "contains no repository name", "o/..": "owner/repository", "o o/r": "owner/repository",
		"../r": "a different server", "o/r\x1b[2J": "owner/repository", "ftp://github.com/o/r": "not the URL", "ö/r": "owner/repository",
		"https://github.com.evil.example/o/r": "a different server", "https://evil.example/github.com/o/r": "a different server",
	} {
		_, err := codehost.ParseRepo(text, "")
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestLinks(t *testing.T) {
	for header, want := range map[string]map[string]string{
		`<https://api.github.com/repos/o/r/forks?page=2>; rel="next", <https://api.github.com/repos/o/r/forks?page=9>; rel="last"`: {"next": "https://api.github.com/repos/o/r/forks?page=2", "last": "https://api.github.com/repos/o/r/forks?page=9"},
		`<https://h/repositories/1/stargazers?page=2&a=,b;c>; rel=next`:                                                            {"next": "https://h/repositories/1/stargazers?page=2&a=,b;c"},
		`</x>; title="a, \"b\"; rel=next"; rel="prev Next"`:                                                                        {"prev": "/x", "next": "/x"},
		`</a>;rel="next" , </b>;rel="next"`:                                                                                        {"next": "/a"},
		`</a>; rel="next"; rel="last"`:                                                                                             {"next": "/a"},
		`rel="next"`:                                                                                                               {}, ``: {}, `<`: {}, `<a`: {}, `<a>; rel="`: {}, `<>; rel=next`: {}, `<a>; rel`: {},
	} {
		if got := codehost.Links(header); !maps.Equal(got, want) {
			t.Errorf("%s: %v", header, got)
		}
	}
}

// What is written as a Link header reads back, and whatever is read was in
// the header.
func FuzzLinks(f *testing.F) {
	f.Add(`<https://h/a?page=2>; rel="next", </b>; rel=last`, "/repositories/1/forks?page=2")
	f.Add(`<a>; x="\"; rel=next`, "x")
	f.Fuzz(func(t *testing.T, header, target string) {
		for rel, found := range codehost.Links(header) {
			if !strings.Contains(header, found) || found == "" || rel == "" {
				t.Errorf("%q has %q for %q", header, found, rel)
			}
		}
		target = strings.TrimSpace(strings.Map(func(r rune) rune {
			if strings.ContainsRune("<>", r) {
				return -1
			}
			return r
		}, target))
		if target == "" {
			return
		}
		got := codehost.Links(`<first>; title="a,b;c"; rel="first", <` + target + `>; rel="next", <last>; rel=last`)
		if got["next"] != target || got["first"] != "first" || got["last"] != "last" || len(slices.Collect(maps.Keys(got))) != 3 {
			t.Errorf("%q reads back as %v", target, got)
		}
	})
}

func FuzzParseRepo(f *testing.F) {
	f.Add("git@github.com:o/r.git")
	f.Add("https://github.com/o/r?tab=x")
	f.Fuzz(func(t *testing.T, text string) {
		repo, err := codehost.ParseRepo(text, "")
		if err != nil {
			return
		}
		again, err := codehost.ParseRepo(repo.String(), "")
		if err == nil && again != repo && !strings.HasSuffix(repo.Name, ".git") {
			t.Errorf("%q reads as %v, then as %v", text, repo, again)
		}
		if strings.ContainsAny(repo.Owner+repo.Name, "/?#% \n") || repo.Name == ".." {
			t.Errorf("%q gives the path %v", text, repo)
		}
	})
}
