// Package site writes the collection as a static site: prerendered pages, the
// same texts for machines, and everything the browser needs to take a page
// over.
//
// Build returns all files in memory. It fails, naming the page, rather than
// return a site with a broken link, a page without a title or two with the
// same, a second first-level heading, or a page that answers for another
// address. The same input gives the same bytes.
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

// Config is what a site is generated for; none of it can change afterwards.
type Config struct {
	// SiteURL is the address of the host, without a path:
	// "https://skills.example". Feeds, canonical links and install commands
	// need it.
	SiteURL string
	// BasePath is the path the site lives under, "/" or "/sub/path/".
	BasePath string
	// RepoURL is the repository skills can be installed from, "" for none.
	RepoURL string
	// GitHubAPIURL and ProxyURL are the other hosts pages may talk to. An
	// empty ProxyURL means the site's own.
	GitHubAPIURL string
	ProxyURL     string
}

// normalize checks the configuration and brings it into one form.
func (c Config) normalize() (Config, error) {
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
			strings.ContainsAny(*a.value, unfit) {
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
		strings.Contains(c.BasePath, "//") || strings.ContainsAny(c.BasePath, unfit+".") {
		return c, fmt.Errorf("BASE_PATH is %q: write plain folders such as /marketing-skills/", c.BasePath)
	}
	return c, nil
}

// unfit are characters that mean something in the places the addresses go to:
// the policy of a page, a command to paste into a shell. A query or a fragment
// would end up in the middle of an address.
const unfit = " ,;'\"<>`$&|()\\?#"

// Files are the site's files by path, without a leading slash.
type Files map[string][]byte

// generator is the work on one site.
type generator struct {
	Config
	collection *collection.Collection
	content    fs.FS
	release    pages.Release
	assets     assets
	files      Files
	pages      []*pages.Page
	immutable  []string            // files whose names carry their hash
	outgoing   map[string][]string // skill to the skills its texts name
	tryouts    []trial
	// offlineSize stands in the pages for a size that is known when all of them
	// are written. It is chosen by chance, so that no text can contain it.
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
	config, err := config.normalize()
	return &generator{Config: config, collection: c, content: content, files: Files{}, offlineSize: rand.Text()}, err
}

func (g *generator) build(web fs.FS, compiled Programs) error {
	if err := g.draw(web, compiled); err != nil {
		return err
	}
	g.sayOfflineSize()
	if err := g.worker(web); err != nil {
		return err
	}
	return g.check()
}

// draw makes every file but the service worker.
func (g *generator) draw(web fs.FS, compiled Programs) error {
	latest, ok := g.collection.Manifest.Latest()
	if !ok {
		return errors.New("the manifest has no release; add one to VERSIONS.md")
	}
	g.release = pages.Release{Version: latest.Name(), Date: day(latest.Date)}
	g.outgoing = g.collection.Related()
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
		if err := g.skillPages(s); err != nil {
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
	if err := g.machineFiles(); err != nil {
		return err
	}
	for _, p := range g.pages {
		html, err := g.document(p)
		if err != nil {
			return fmt.Errorf("page /%s: %w", p.Path, err)
		}
		g.files[pageFile(p)] = html
		// The article is in the file now and need not be held twice.
		p.Markup = ""
	}
	return nil
}

// pageFile is where a page is written: hosts answer a directory's address with
// its index.html, and any unknown one with 404.html.
func pageFile(p *pages.Page) string {
	if p.Kind == pages.KindMissing {
		return "404.html"
	}
	return p.Path + "index.html"
}

// hash names content by itself, so that an address changes when its content
// does.
func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:6])
}
