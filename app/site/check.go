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

// written is what one page says when it is read back.
type written struct {
	title    string
	headings []string // those of level 1
	ids      map[string]bool
	links    []string
	data     string
	problems []error
}

// check reads every page back and reports all that is wrong with any of them.
func (g *generator) check() error {
	read := map[string]*written{}
	for _, p := range g.pages {
		read[pageFile(p)] = readBack(g.files[pageFile(p)])
	}
	return g.compare(read)
}

// compare holds what was read back against the pages as they were meant, and
// against each other.
func (g *generator) compare(read map[string]*written) error {
	titles := map[string]*pages.Page{}
	var problems []error
	fail := func(p *pages.Page, format string, args ...any) {
		problems = append(problems, fmt.Errorf("page /%s: "+format, append([]any{p.Path}, args...)...))
	}
	for _, p := range g.pages {
		w := read[pageFile(p)]
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
		for _, link := range read[pageFile(p)].links {
			if err := g.resolve(p, link, read); err != nil {
				fail(p, "%w", err)
			}
		}
	}
	return errors.Join(problems...)
}

// resolve tells whether a link of a page leads somewhere.
func (g *generator) resolve(p *pages.Page, link string, read map[string]*written) error {
	u, err := url.Parse(link)
	if err != nil {
		return fmt.Errorf("the link %q is malformed", link)
	}
	if u.Scheme != "" || u.Host != "" {
		return nil
	}
	file := pageFile(p)
	if u.Path != "" {
		below, ok := strings.CutPrefix(u.Path, g.BasePath)
		if !ok {
			return fmt.Errorf("the link %q leaves the site; start it with %s", link, g.BasePath)
		}
		file = below
		if file == "" || strings.HasSuffix(file, "/") {
			file += "index.html"
		}
	}
	if _, ok := g.files[file]; !ok {
		return fmt.Errorf("the link %q leads to no file", link)
	}
	if w := read[file]; w != nil && u.Fragment != "" && !w.ids[u.Fragment] {
		return fmt.Errorf("the link %q leads to no section of %s", link, path.Dir(file))
	}
	return nil
}

func readBack(page []byte) *written {
	w := &written{ids: map[string]bool{}}
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

func (w *written) element(n *html.Node) {
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
		w.title = textOf(n)
	case "h1":
		w.headings = append(w.headings, textOf(n))
	case "a", "link":
		w.links = append(w.links, attributes["href"])
	case "script":
		if attributes["id"] == browser.DataID {
			w.data = textOf(n)
		}
		if attributes["src"] != "" {
			w.links = append(w.links, attributes["src"])
		}
	}
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
