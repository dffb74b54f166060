// Package pages holds what all pages of the site share: the list of their
// kinds, the data that a page carries, the frame around it, the component that
// draws a page and follows links to others, and what a page does that takes its
// time: [Operation], [Work], [Download].
//
// A [Page] is plain data. The generator fills it, draws it with [Program.Root]
// into a file, and puts the same data into the document as JSON. The browser
// reads it from there, so that its first drawing equals what the visitor
// already sees. Each kind of page has a package below this one, which decides
// in a pure function what to show and only then lays it out; those packages do
// not know each other.
package pages

import (
	"encoding/json"
	"fmt"
)

// Page is everything one page shows.
type Page struct {
	Kind Kind `json:"kind"`
	// Base is the path the site lives under: it begins and ends with a slash.
	Base string `json:"base"`
	// Path is the page's own path below Base, without a leading slash: "" for
	// the catalog, "skills/sms/" for a skill.
	Path string `json:"path"`
	// Title is the heading; DocumentTitle and Description describe the page to
	// browsers, search engines and link previews.
	Title         string `json:"title"`
	DocumentTitle string `json:"-"`
	Description   string `json:"-"`
	// Build names the program and the style sheet the page was made for: one
	// program does not draw another one's pages.
	Build string `json:"build"`
	// Release is the latest release of the collection.
	Release Release `json:"release"`
	// OfflineSize is how much the browser stores to keep everything for
	// offline, "35 MB, about 7 MB to download".
	OfflineSize string `json:"offline_size"`
	// Content is what only this kind of page has, as its package defines it;
	// see [Content].
	Content json.RawMessage `json:"content,omitempty"`
	// Markup is the article's safe HTML: one element, drawn as it is. It lives
	// in the document, not in the JSON, so that it is sent once.
	Markup string `json:"-"`

	content any // Content, decoded
}

// Release names a version and its day as people write it ("26 May 2026").
type Release struct {
	Version string `json:"version"`
	Date    string `json:"date"`
}

// Anchor is a link: a URL, ready to use, and its text.
type Anchor struct {
	Href string `json:"href"`
	Text string `json:"text"`
	// Note stands behind the link in soft ink.
	Note string `json:"note,omitempty"`
}

// Href returns the URL path of a page or file of the site.
func (p *Page) Href(path string) string { return p.Base + path }

// SetContent gives the page what only its kind of page has.
func SetContent[T any](p *Page, content *T) error {
	encoded, err := json.Marshal(content)
	if err != nil {
		return fmt.Errorf("writing the content of the page /%s: %w", p.Path, err)
	}
	p.Content, p.content = encoded, content
	return nil
}

// Content returns what only this kind of page has, decoded once. It is empty
// when the page carries something else.
func Content[T any](p *Page) *T {
	if decoded, ok := p.content.(*T); ok {
		return decoded
	}
	content := new(T)
	if err := json.Unmarshal(p.Content, content); err != nil {
		content = new(T)
	}
	p.content = content
	return content
}
