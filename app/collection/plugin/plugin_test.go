package plugin

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/finding/findingtest"
)

const (
	market = `{
  "name": "marketing-skills",
  "owner": {
    "name": "Marketing Skills"
  },
  "metadata": {
    "description": "42 marketing skills.",
    "version": "2.2.0"
  },
  "plugins": [
    {
      "name": "marketing-skills",
      "source": "./",
      "category": "marketing",
      "keywords": ["marketing", "seo"]
    }
  ]
}
`
	manifest = `{
  "name": "marketing-skills",
  "version": "2.2.0",
  "author": {
    "name": "Marketing Skills"
  },
  "license": "MIT"
}
`
)

func sample() fstest.MapFS {
	return fstest.MapFS{Marketplace: {Data: []byte(market)}, Manifest: {Data: []byte(manifest)}}
}

var replace, put = findingtest.Replace, findingtest.Put

// TestCheck breaks one thing in the sample and expects these findings, no more
// and no fewer.
func TestCheck(t *testing.T) {
	const m, p = Marketplace, Manifest
	everything := replace(m, `"owner": {`, `"description": "d", "version": "2.2.0", "owner": {"email": "a@b.example", "url": "https://b.example",`).
		Then(replace(m, `"version": "2.2.0"
`, `"version": "2.2.0", "pluginRoot": "./"
`)).
		Then(replace(m, `"category"`, `"version": "2.2.0", "description": "d", "license": "MIT", "tags": [], "homepage": "https://b.example", "category"`)).
		Then(replace(p, `"license"`, `"description": "d", "homepage": "https://b.example", "repository": "https://b.example/r", "keywords": ["a"], "license"`))
	for _, c := range []struct {
		name   string
		change findingtest.Change
		want   []string
	}{
		{"nothing", replace(m, "42", "41"), nil},
		{"all fields that are known", everything, nil},
		{"no folder", findingtest.Remove(m, p), nil},
		{"no marketplace", findingtest.Remove(m), []string{m + " unreadable"}},
		{"no plugin", findingtest.Remove(p), []string{p + " unreadable"}},
		{"a folder instead", findingtest.Remove(p).Then(put(p+"/x", "")), []string{p + " unreadable"}},
		{"too large", put(p, manifest+strings.Repeat(" ", finding.MaxText)), []string{p + " file-size"}},
		{"empty", put(p, ""), []string{p + ":1 plugin-json"}},
		{"broken", replace(m, `"2.2.0"`, `"2.2.0",`), []string{m + ":9 plugin-json"}},
		{"two values", put(p, manifest+manifest), []string{p + ":9 plugin-json"}},
		{"a list", put(p, "[]"), []string{p + ":1 plugin-json"}},
		{"byte order mark", put(p, "\ufeff"+manifest), []string{p + ":1 plugin-json"}},

		{"unknown field", replace(m, `"version"`, `"repository": "x", "version"`), []string{m + ":8 plugin-field"}},
		{"unknown field at the top", replace(m, `"owner"`, `"$schema": "https://x", "owner"`), []string{m + ":3 plugin-field"}},
		{"field of the other file", replace(p, `"license"`, `"category": "x", "license"`), []string{p + ":7 plugin-field"}},
		{"a dot in a key", replace(p, `"license"`, `"author.name": "x", "license"`), []string{p + ":7 plugin-field"}},
		{"capital letters", replace(p, `"license"`, `"License"`), []string{p + ":7 plugin-field"}},
		{"twice", replace(p, `"license": "MIT"`, `"license": "MIT", "license": "MIT"`), []string{p + ":7 plugin-field"}},
		{"no name", replace(p, `  "name": "marketing-skills",
`, ""), []string{p + ":1 plugin-field"}},
		{"no owner", replace(m, `  "owner": {
    "name": "Marketing Skills"
  },
`, ""), []string{m + ":1 plugin-field"}},
		{"owner without a name", replace(m, `"name": "Marketing Skills"`, ""), []string{m + ":3 plugin-field"}},
		{"owner as text", replace(m, `{
    "name": "Marketing Skills"
  }`, `"Marketing Skills"`), []string{m + ":3 plugin-field"}},
		{"author as text", replace(p, `{
    "name": "Marketing Skills"
  }`, `"Marketing Skills"`), []string{p + ":4 plugin-field"}},
		{"empty text", replace(p, `"MIT"`, `" "`), []string{p + ":7 plugin-field"}},
		{"null", replace(p, `"MIT"`, `null`), []string{p + ":7 plugin-field"}},
		{"version as a number", replace(p, `"2.2.0"`, `2`), []string{p + ":3 plugin-field"}},
		{"keywords as text", replace(m, `["marketing", "seo"]`, `"marketing"`), []string{m + ":15 plugin-field"}},
		{"a number among the keywords", replace(m, `"seo"`, `1`), []string{m + ":15 plugin-field"}},
		{"repository as an object", replace(p, `"license"`, `"repository": {"url": "https://x"}, "license"`), []string{p + ":7 plugin-field"}},
		{"homepage that is no URL", replace(p, `"license"`, `"homepage": "b.example", "license"`), []string{p + ":7 plugin-field"}},

		{"no plugin listed", replace(m, market[strings.Index(market, "    {\n      \"name\""):strings.Index(market, "  ]\n")], ""), []string{m + ":10 plugin-source"}},
		{"two plugins", replace(m, "    {\n      \"name\"", "    {\"name\": \"a\", \"source\": \"./\"},\n    {\n      \"name\""),
			[]string{m + ":10 plugin-source", p + ":2 plugin-name"}},
		{"a plugin as text", replace(m, "    {\n      \"name\"", "    \"x\", {\n      \"name\""), []string{m + ":10 plugin-source", m + ":11 plugin-field"}},
		{"plugins as an object", put(m, `{"name": "a", "owner": {"name": "b"}, "version": "2.2.0", "plugins": {}}`), []string{m + ":1 plugin-field"}},
		{"source without a slash", replace(m, `"./"`, `"."`), []string{m + ":13 plugin-source"}},
		{"source in a folder", replace(m, `"./"`, `"./plugins/a"`), []string{m + ":13 plugin-source"}},
		{"source as an object", replace(m, `"./"`, `{"source": "github"}`), []string{m + ":13 plugin-field", m + ":13 plugin-source"}},
		{"no source", replace(m, `      "source": "./",
`, ""), []string{m + ":11 plugin-field"}},
		{"skills", replace(m, `"source"`, `"skills": ["./skills/ads"], "source"`), []string{m + ":13 plugin-skills"}},
		{"skills at the top", replace(m, `"owner"`, `"skills": [], "owner"`), []string{m + ":3 plugin-skills"}},
		{"skills of the plugin", replace(p, `"license"`, `"skills": [], "license"`), []string{p + ":7 plugin-field"}},

		{"spaces in a name", replace(m, `{
  "name": "marketing-skills"`, `{
  "name": "Marketing skills"`), []string{m + ":2 plugin-name"}},
		{"another name", replace(p, `"marketing-skills"`, `"other"`), []string{p + ":2 plugin-name"}},
		{"older marketplace", replace(m, "2.2.0", "2.1.0"), []string{m + ":8 plugin-version"}},
		{"older plugin", replace(p, "2.2.0", "2.1.0"), []string{p + ":3 plugin-version"}},
		{"older entry", replace(m, `"category"`, `"version": "2.1.0", "category"`), []string{m + ":14 plugin-version"}},
		{"one of two versions", replace(m, `"owner"`, `"version": "2.1.0", "owner"`), []string{m + ":3 plugin-version"}},
		{"no version", replace(m, `,
    "version": "2.2.0"`, ""), []string{m + ":1 plugin-version"}},
		{"plugin without a version", replace(p, `  "version": "2.2.0",
`, ""), []string{p + ":1 plugin-version"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := sample()
			c.change(t, files)
			findingtest.Expect(t, Check(files, "2.2.0"), c.want...)
		})
	}
}

// TestNoRelease: without a release there is no version to compare.
func TestNoRelease(t *testing.T) {
	files := sample()
	replace(Manifest, `  "version": "2.2.0",
`, "")(t, files)
	findingtest.Expect(t, Check(files, ""))
}

// locked is a file system whose files cannot be read.
type locked struct{ fstest.MapFS }

func (l locked) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
}

func TestUnreadable(t *testing.T) {
	found := Check(locked{sample()}, "2.2.0")
	findingtest.Expect(t, found, Marketplace+" unreadable", Manifest+" unreadable")
	if got := found[0].String(); strings.Contains(got, "open") || !strings.Contains(got, "permission denied") {
		t.Errorf("got %s", got)
	}
}

// TestRepository: the collection is a plugin.
func TestRepository(t *testing.T) {
	for _, name := range []string{Marketplace, Manifest} {
		if _, err := os.Stat("../../../" + name); err != nil {
			t.Error(err)
		}
	}
	findingtest.Expect(t, Check(os.DirFS("../../.."), ""))
}
