package site

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"marketingskills/app/browser"
)

// render draws a component as HTML that equals, node by node, what the browser will
// draw. go-app's encoder does not: it adds line breaks and indentation around
// every child, writes true attributes without a value, and attributes in no
// particular order.
func render(ui app.UI) (string, error) {
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(app.HTMLString(ui)), body)
	if err != nil {
		return "", fmt.Errorf("reading what was drawn: %w", err)
	}
	var b bytes.Buffer
	for _, n := range nodes {
		normalize(n, 0)
		if err := html.Render(&b, n); err != nil {
			return "", fmt.Errorf("writing what was drawn: %w", err)
		}
	}
	return b.String(), nil
}

// normalize undoes that in an element that the encoder wrote at the given depth.
// The inside of an article was not written by the encoder and stays. A text that
// is the only child of an element has no space around it.
func normalize(n *html.Node, depth int) {
	if n.Type != html.ElementNode {
		return
	}
	sortAttributes(n)
	if isRaw(n) || n.FirstChild == nil || n.FirstChild == n.LastChild && n.FirstChild.Type == html.TextNode {
		return
	}
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		if c.Type != html.TextNode {
			normalize(c, depth+1)
		} else if c.Data = unindent(c.Data, depth+1, next == nil); c.Data == "" {
			n.RemoveChild(c)
		}
		c = next
	}
}

// rawAttributes are those of elements whose inside is drawn as it was given.
var rawAttributes = []string{browser.ArticleMark, "data-raw"}

func isRaw(n *html.Node) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return slices.Contains(rawAttributes, a.Key) })
}

// unindent removes exactly the line breaks and spaces that the encoder wrote around
// a child at the given depth, so that a text keeps its own. The last child is
// followed by the end tag of its parent, which is indented by one step less.
func unindent(s string, depth int, last bool) string {
	before := "\n" + strings.Repeat("  ", depth)
	after := before
	if last {
		after = before[:len(before)-2]
	}
	s = strings.TrimSuffix(s, after)
	return strings.TrimPrefix(s, before)
}

func sortAttributes(n *html.Node) {
	for i := range n.Attr {
		a := &n.Attr[i]
		if strings.HasPrefix(a.Key, "aria-") && a.Val == "" {
			a.Val = "true"
		}
	}
	slices.SortFunc(n.Attr, func(a, b html.Attribute) int { return cmp.Compare(a.Key, b.Key) })
}
