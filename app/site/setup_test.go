package site

import (
	"io/fs"
	"maps"
	"os"
	"sync"
	"testing"

	"marketingskills/app/collection"
)

// The tests of this package build the site of the real collection: bad content
// cannot pass them, and neither can a page that no content fills.
var (
	content = os.DirFS("../..")
	web     = os.DirFS("../../web")
	wasm    = Programs{}
)

func init() {
	for _, name := range ProgramNames() {
		wasm[name] = []byte("\x00asm " + name)
	}
}

func testConfig(base string) Config {
	return Config{SiteURL: "https://skills.example", BasePath: base, GitHubAPIURL: "https://api.github.com"}
}

func load(t testing.TB, content fs.FS) *collection.Collection {
	t.Helper()
	c, findings, err := collection.Load(content)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		t.Error(f)
	}
	return c
}

// built remembers the sites that tests share: generating one takes seconds.
var built sync.Map

// build returns the real collection's site for a configuration. The map is the
// caller's own, the files in it are not.
func build(t testing.TB, config Config) Files {
	t.Helper()
	once, _ := built.LoadOrStore(config, sync.OnceValues(func() (Files, error) {
		return Build(load(t, content), content, config, web, wasm)
	}))
	files, err := once.(func() (Files, error))()
	if err != nil {
		t.Fatal(err)
	}
	return maps.Clone(files)
}

// bases are the places a site is tried at.
var bases = []string{"/", "/sub/path/"}

// withSite runs a test over the site at each base.
func withSite(t *testing.T, test func(t *testing.T, base string, files Files)) {
	for _, base := range bases {
		t.Run(base, func(t *testing.T) { test(t, base, build(t, testConfig(base))) })
	}
}
