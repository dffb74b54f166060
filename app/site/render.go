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

// render draws a component into HTML that equals, node by node, what the
// browser will draw: go-app's encoder adds line breaks and indentation around
// every child, spells true attributes without a value, and writes attributes
// in no particular order.
func render(ui app.UI) (string, error) {
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(app.HTMLString(ui)), body)
	if err != nil {
		return "", fmt.Errorf("reading what was drawn: %w", err)
	}
	var b bytes.Buffer
	for _, n := range nodes {
		clean(n, 0)
		if err := html.Render(&b, n); err != nil {
			return "", fmt.Errorf("writing what was drawn: %w", err)
		}
	}
	return b.String(), nil
}

// clean works on an element the encoder wrote at the given depth. What stands
// inside an article was never the encoder's and stays. A text that is an
// element's only child was written without any space around it.
func clean(n *html.Node, depth int) {
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
			clean(c, depth+1)
		} else if c.Data = unindent(c.Data, depth+1, next == nil); c.Data == "" {
			n.RemoveChild(c)
		}
		c = next
	}
}

// rawMarks are the attributes of elements whose inside is drawn as given.
var rawMarks = []string{browser.ArticleMark, "data-raw"}

func isRaw(n *html.Node) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return slices.Contains(rawMarks, a.Key) })
}

// unindent removes the line breaks and spaces the encoder put around a child
// at the given depth: no more, so that a text keeps its own. The last child is
// followed by its parent's end, which stands one step to the left.
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
