// Package drawtest is for tests of what pages draw.
package drawtest

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Shape lists a document's elements with the names of their attributes: it
// differs when a text has become markup.
func Shape(doc *html.Node) []string {
	var all []string
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		var keys []string
		for _, a := range n.Attr {
			keys = append(keys, a.Key)
		}
		slices.Sort(keys)
		all = append(all, n.Data+"("+strings.Join(keys, " ")+")")
	}
	return all
}
