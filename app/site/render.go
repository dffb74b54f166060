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
// inside an article was never the encoder's and stays.
func clean(n *html.Node, depth int) {
	if n.Type != html.ElementNode {
		return
	}
	sortAttributes(n)
	if isRaw(n) {
		return
	}
	inline := n.FirstChild != nil && n.FirstChild == n.LastChild &&
		n.FirstChild.Type == html.TextNode && !strings.HasPrefix(n.FirstChild.Data, "\n")
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		switch {
		case c.Type == html.TextNode && !inline:
			if c.Data = unindent(c.Data, depth+1); c.Data == "" {
				n.RemoveChild(c)
			}
		default:
			clean(c, depth+1)
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
// at the given depth: no more, so that a text keeps its own.
func unindent(s string, depth int) string {
	indent := strings.Repeat(" ", 2*depth)
	s = strings.TrimPrefix(s, "\n")
	s = strings.TrimPrefix(s, indent)
	for _, end := range []string{"\n" + indent, "\n" + indent[2:], "\n"} {
		if rest, ok := strings.CutSuffix(s, end); ok {
			return rest
		}
	}
	if strings.Trim(s, " ") == "" {
		return ""
	}
	return s
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
