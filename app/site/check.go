package site

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"marketingskills/app/browser"
	"marketingskills/app/pages"
)

// parsedPage is what check looks at of a page.
type parsedPage struct {
	title    string
	headings []string // those of level 1
	ids      map[string]bool
	links    []string
	data     string
	problems []error
}

// check parses every page that was written and reports all that is wrong with
// them.
func (g *generator) check() error {
	parsed := map[string]*parsedPage{}
	for _, p := range g.pages {
		parsed[pageFile(p)] = parsePage(g.files[pageFile(p)])
	}
	return g.compare(parsed)
}

// compare holds the parsed pages against what they were meant to be, and against
// each other.
func (g *generator) compare(parsed map[string]*parsedPage) error {
	titles := map[string]*pages.Page{}
	var problems []error
	fail := func(p *pages.Page, format string, args ...any) {
		problems = append(problems, fmt.Errorf("page /%s: "+format, append([]any{p.Path}, args...)...))
	}
	for _, p := range g.pages {
		w := parsed[pageFile(p)]
		for _, err := range w.problems {
			fail(p, "%w", err)
		}
		switch other := titles[w.title]; {
		case strings.TrimSpace(w.title) == "" || len(w.headings) > 0 && strings.TrimSpace(w.headings[0]) == "":
			fail(p, "it has no title; give a skill one in metadata.title, a reference a heading of level 1")
		case other != nil:
			fail(p, "its title %q is also that of /%s; make them differ", w.title, other.Path)
		default:
			titles[w.title] = p
		}
		if n := len(w.headings); n != 1 {
			fail(p, "it has %d headings of level 1, not one", n)
		}
		var own struct{ Path string }
		if err := json.Unmarshal([]byte(w.data), &own); err != nil || own.Path != p.Path {
			fail(p, "the file answers for %q", own.Path)
		}
	}
	for _, p := range g.pages {
		for _, link := range parsed[pageFile(p)].links {
			if err := g.resolve(p, link, parsed); err != nil {
				fail(p, "%w", err)
			}
		}
	}
	return errors.Join(problems...)
}

// resolve returns an error if a link of a page leads nowhere.
func (g *generator) resolve(p *pages.Page, link string, parsed map[string]*parsedPage) error {
	u, err := url.Parse(link)
	if err != nil {
		return fmt.Errorf("the link %q is malformed", link)
	}
	if u.Scheme != "" || u.Host != "" {
		return nil
	}
	file := pageFile(p)
	if u.Path != "" {
		below, ok := strings.CutPrefix(u.Path, g.config.BasePath)
		if !ok {
			return fmt.Errorf("the link %q leaves the site; start it with %s", link, g.config.BasePath)
		}
		file = below
		if file == "" || strings.HasSuffix(file, "/") {
			file += "index.html"
		}
	}
	if _, ok := g.files[file]; !ok {
		return fmt.Errorf("the link %q leads to no file", link)
	}
	if w := parsed[file]; w != nil && u.Fragment != "" && !w.ids[u.Fragment] {
		return fmt.Errorf("the link %q leads to no section of %s", link, path.Dir(file))
	}
	return nil
}

func parsePage(page []byte) *parsedPage {
	w := &parsedPage{ids: map[string]bool{}}
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		w.problems = append(w.problems, err)
		return w
	}
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode {
			w.element(n)
		}
	}
	return w
}

func (w *parsedPage) element(n *html.Node) {
	attributes := map[string]string{}
	for _, a := range n.Attr {
		attributes[a.Key] = a.Val
	}
	if id := attributes["id"]; id != "" {
		if w.ids[id] {
			w.problems = append(w.problems, fmt.Errorf("the ID %q stands twice; a heading that has it needs other words", id))
		}
		w.ids[id] = true
	}
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		if name == "style" || strings.HasPrefix(name, "on") {
			w.problems = append(w.problems, fmt.Errorf("<%s> has the attribute %q, which the policy refuses", n.Data, name))
		}
	}
	switch n.Data {
	case "title":
		w.title = textContent(n)
	case "h1":
		w.headings = append(w.headings, textContent(n))
	case "a", "link":
		w.links = append(w.links, attributes["href"])
	case "script":
		if attributes["id"] == browser.DataID {
			w.data = textContent(n)
		}
		if attributes["src"] != "" {
			w.links = append(w.links, attributes["src"])
		}
	}
}

func textContent(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
