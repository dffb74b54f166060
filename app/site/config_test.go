package site

import (
	"strings"
	"testing"
)

func TestConfigIsBroughtIntoOneForm(t *testing.T) {
	for _, c := range []struct{ site, base, wantSite, wantBase string }{
		{"https://skills.example", "/", "https://skills.example", "/"},
		{"https://skills.example/", "", "https://skills.example", "/"},
		{"http://127.0.0.1:8080//", "sub", "http://127.0.0.1:8080", "/sub/"},
		{"http://[::1]:8080", "/sub/path", "http://[::1]:8080", "/sub/path/"},
		{"https://xn--e1afmkfd.example", "//a-b_c~1/", "https://xn--e1afmkfd.example", "/a-b_c~1/"},
	} {
		got, err := Config{SiteURL: c.site, BasePath: c.base, GitHubAPIURL: "https://api.github.com/"}.normalized()
		if err != nil || got.SiteURL != c.wantSite || got.BasePath != c.wantBase || got.GitHubAPIURL != "https://api.github.com" {
			t.Errorf("%s and %s: got %+v, %v", c.site, c.base, got, err)
		}
	}
}

// TestBadSettingsAreNamed: the message says which setting, what it is, and
// what to write instead.
func TestBadSettingsAreNamed(t *testing.T) {
	addresses := []string{
		"skills.example", "ftp://skills.example", "https://", "https:///x", "//skills.example", "javascript:alert(1)", "https://a b",
		"https://a.example; script-src *", "https://a.example' 'unsafe-inline", "https://a,b.example", "https://a.example\nx", "https://%zz",
		"https://a.example?x=1", "https://a.example#x", "https://user:secret@a.example", "https://a.example/$(x)", "https://a.example/`x`",
		"https://a.example/x|y", "https://a.example/x&y", `https://a.example\x`, "https://a.example/\"x",
	}
	type setting struct {
		name  string
		set   func(c *Config, value string)
		empty bool
	}
	for _, s := range []setting{
		{"SITE_URL", func(c *Config, v string) { c.SiteURL = v }, false},
		{"REPO_URL", func(c *Config, v string) { c.RepoURL = v }, true},
		{"GITHUB_API_URL", func(c *Config, v string) { c.GitHubAPIURL = v }, false},
		{"PROXY_URL", func(c *Config, v string) { c.ProxyURL = v }, true},
	} {
		for _, value := range append(addresses, "") {
			config := testConfig("/")
			s.set(&config, value)
			_, err := config.normalized()
			if value == "" && s.empty {
				if err != nil {
					t.Errorf("%s may be left out: %v", s.name, err)
				}
				continue
			}
			if err == nil || !strings.HasPrefix(err.Error(), s.name+" is \"") || !strings.HasSuffix(err.Error(), ": write an address such as https://skills.example") {
				t.Errorf("%s %q: got %v", s.name, value, err)
			}
		}
	}
	for _, value := range []string{"/a b/", "/a//b/", "/../", "/a/./b/", "/v1.2/", "/a?b/", "/a#b/", "/a%20b/", `/a\b/`, "/a'b/", "/a\"b/", "/ü/", "/<b>/", "/a;b/", "/a\nb/"} {
		config := testConfig(value)
		if _, err := config.normalized(); err == nil || !strings.HasPrefix(err.Error(), "BASE_PATH is \"") || !strings.HasSuffix(err.Error(), ": write plain folders such as /marketing-skills/") {
			t.Errorf("BASE_PATH %q: got %v", value, err)
		}
	}
	config := testConfig("/")
	config.SiteURL = "https://skills.example/marketing"
	_, err := Build(nil, content, config, web, wasm)
	fails(t, err, `generating the site: SITE_URL is "https://skills.example/marketing": put the path into BASE_PATH`)
}

func TestPolicyNamesTheOtherHosts(t *testing.T) {
	for _, c := range []struct{ api, proxy, want string }{
		{"https://api.github.com", "", "connect-src 'self' https://api.github.com; "},
		{"https://code.example/api/v3", "http://127.0.0.1:8090/verify", "connect-src 'self' https://code.example http://127.0.0.1:8090; "},
		{"https://code.example/api", "https://code.example/proxy", "connect-src 'self' https://code.example; "},
	} {
		config := testConfig("/")
		config.GitHubAPIURL, config.ProxyURL = c.api, c.proxy
		if policy := (&generator{config: config}).policy("css", "js"); !strings.Contains(policy, c.want) {
			t.Errorf("got %s, want %s", policy, c.want)
		}
	}
}
