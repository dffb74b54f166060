// Package site makes the static site of a collection: prerendered pages, the same
// texts for programs, and what the browser needs to run a page's program.
//
// [Build] returns all files in memory. It fails, naming the page, if a link is
// broken, if a page has no title or that of another page, if it has not exactly
// one heading of level 1, or if it carries the data of another page. The same
// input gives the same bytes.
package site

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"

	"marketingskills/app/collection"
	"marketingskills/app/pages"
)

// Config has the settings of a site. They are written into its files and cannot be
// changed afterwards.
type Config struct {
	// SiteURL is the address of the host, without a path:
	// "https://skills.example". Feeds, canonical links and install commands
	// need it.
	SiteURL string
	// BasePath is the path the site lives under, "/" or "/sub/path/".
	BasePath string
	// RepoURL is the repository skills can be installed from, "" for none.
	RepoURL string
	// GitHubAPIURL and ProxyURL are the other hosts that pages may send requests
	// to. An empty ProxyURL stands for the host of the site.
	GitHubAPIURL string
	ProxyURL     string
}

// normalized returns the settings with slashes where they belong, or says which of
// them is not allowed.
func (c Config) normalized() (Config, error) {
	for _, a := range []struct {
		name  string
		value *string
		empty bool
	}{
		{"SITE_URL", &c.SiteURL, false},
		{"REPO_URL", &c.RepoURL, true},
		{"GITHUB_API_URL", &c.GitHubAPIURL, false},
		{"PROXY_URL", &c.ProxyURL, true},
	} {
		*a.value = strings.TrimRight(*a.value, "/")
		if *a.value == "" && a.empty {
			continue
		}
		u, err := url.Parse(*a.value)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil ||
			strings.ContainsAny(*a.value, unsafeCharacters) {
			return c, fmt.Errorf("%s is %q: write an address such as https://skills.example", a.name, *a.value)
		}
		if a.name == "SITE_URL" && u.Path != "" {
			return c, fmt.Errorf("SITE_URL is %q: put the path into BASE_PATH", *a.value)
		}
	}
	c.BasePath = "/" + strings.Trim(c.BasePath, "/") + "/"
	if c.BasePath == "//" {
		c.BasePath = "/"
	}
	u, err := url.Parse(c.BasePath)
	if err != nil || u.Path != c.BasePath || u.EscapedPath() != c.BasePath ||
		strings.Contains(c.BasePath, "//") || strings.ContainsAny(c.BasePath, unsafeCharacters+".") {
		return c, fmt.Errorf("BASE_PATH is %q: write plain folders such as /marketing-skills/", c.BasePath)
	}
	return c, nil
}

// unsafeCharacters have a meaning where addresses are used: in the security policy
// of a page, and in commands to paste into a shell. A query or a fragment would
// end up in the middle of an address.
const unsafeCharacters = " ,;'\"<>`$&|()\\?#"

// Files are the site's files by path, without a leading slash.
type Files map[string][]byte

// generator makes one site.
type generator struct {
	config     Config
	collection *collection.Collection
	content    fs.FS
	release    pages.Release
	assets     assets
	files      Files
	pages      []*pages.Page
	immutable  []string            // files that have the hash of their content in their names
	related    map[string][]string // by skill; see [collection.Collection.Related]
	trials     []trial
	// offlineSize is a placeholder in the pages for a size that is known only when
	// all of them are written. It is random, so that no text contains it.
	offlineSize string
}

// Build generates the site. content is the root the collection was read from,
// web holds the folders css, js and icons.
func Build(c *collection.Collection, content fs.FS, config Config, web fs.FS, compiled Programs) (Files, error) {
	g, err := newGenerator(c, content, config)
	if err == nil {
		err = g.build(web, compiled)
	}
	if err != nil {
		return nil, fmt.Errorf("generating the site: %w", err)
	}
	return g.files, nil
}

func newGenerator(c *collection.Collection, content fs.FS, config Config) (*generator, error) {
	config, err := config.normalized()
	return &generator{config: config, collection: c, content: content, files: Files{}, offlineSize: rand.Text()}, err
}

func (g *generator) build(web fs.FS, compiled Programs) error {
	if err := g.addFiles(web, compiled); err != nil {
		return err
	}
	g.fillInOfflineSize()
	if err := g.addWorker(web); err != nil {
		return err
	}
	return g.check()
}

// addFiles makes all files but the service worker.
func (g *generator) addFiles(web fs.FS, compiled Programs) error {
	latest, ok := g.collection.Manifest.Latest()
	if !ok {
		return errors.New("the manifest has no release; add one to VERSIONS.md")
	}
	g.release = pages.Release{Version: latest.Name(), Date: day(latest.Date)}
	g.related = g.collection.Related()
	err := g.readTryouts()
	if err != nil {
		return err
	}
	if g.assets, err = g.readAssets(web, compiled); err != nil {
		return err
	}
	for _, page := range []func() (*pages.Page, error){
		g.catalogPage, g.toolsPage, g.newsPage, g.changelogPage, g.upgradePage, g.prospectsPage, g.verifyPage,
		g.tryoutsPage, g.mapPage, g.missingPage,
	} {
		p, err := page()
		if err != nil {
			return err
		}
		g.pages = append(g.pages, p)
	}
	for _, s := range g.collection.Skills {
		if err := g.addSkillPages(s); err != nil {
			return err
		}
	}
	for _, t := range g.collection.Tools.Tools {
		p, err := g.toolPage(t)
		if err != nil {
			return fmt.Errorf("tool %s: %w", t.ID, err)
		}
		g.pages = append(g.pages, p)
	}
	if err := g.addMachineFiles(); err != nil {
		return err
	}
	for _, p := range g.pages {
		html, err := g.drawDocument(p)
		if err != nil {
			return fmt.Errorf("page /%s: %w", p.Path, err)
		}
		g.files[pageFile(p)] = html
		// It is in the file now, and need not be in memory twice.
		p.Markup = ""
	}
	return nil
}

// pageFile returns the path of a page's file. Hosts serve index.html for the URL of
// its directory, and 404.html for an unknown URL.
func pageFile(p *pages.Page) string {
	if p.Kind == pages.KindMissing {
		return "404.html"
	}
	return p.Path + "index.html"
}

// hash returns the beginning of the hash of some content, for a name that changes
// when the content does.
func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:6])
}
