package site

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

// A check says what is wrong with an element, nil when nothing is. Checks
// compose: in applies others to the one element a selector finds.
type check func(*html.Node) error

// verify reads a page of the site and reports every check that fails.
func verify(t *testing.T, files Files, name string, checks ...check) {
	t.Helper()
	doc, err := html.Parse(bytes.NewReader(files[name]))
	if err != nil || len(files[name]) == 0 {
		t.Errorf("%s: %d bytes, %v", name, len(files[name]), err)
		return
	}
	for _, c := range checks {
		if err := c(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// find returns what a selector finds, in the order of the page.
func find(n *html.Node, selector string) []*html.Node {
	return cascadia.QueryAll(n, cascadia.MustCompile(selector))
}

// in wants exactly one element and applies the checks to it.
func in(selector string, checks ...check) check {
	return func(n *html.Node) error {
		found := find(n, selector)
		if len(found) != 1 {
			return fmt.Errorf("%d of %s, want one", len(found), selector)
		}
		for _, c := range checks {
			if err := c(found[0]); err != nil {
				return fmt.Errorf("%s: %w", selector, err)
			}
		}
		return nil
	}
}

// has wants at least one element.
func has(selector string) check {
	return func(n *html.Node) error {
		if len(find(n, selector)) == 0 {
			return fmt.Errorf("no %s", selector)
		}
		return nil
	}
}

// count wants so many elements.
func count(selector string, want int) check {
	return func(n *html.Node) error {
		if got := len(find(n, selector)); got != want {
			return fmt.Errorf("%d of %s, want %d", got, selector, want)
		}
		return nil
	}
}

// wordsOf returns an element's text with its spaces as a reader sees them.
func wordsOf(n *html.Node) string { return strings.Join(strings.Fields(textContent(n)), " ") }

// says wants the element's text to be this.
func says(want string) check {
	return func(n *html.Node) error {
		if got := wordsOf(n); got != want {
			return fmt.Errorf("it says %q, want %q", got, want)
		}
		return nil
	}
}

// mentions wants this within the element's text.
func mentions(want string) check {
	return func(n *html.Node) error {
		if got := wordsOf(n); !strings.Contains(got, want) {
			return fmt.Errorf("it says %q, want %q in it", got, want)
		}
		return nil
	}
}

// each wants the texts of what a selector finds to be these, in order.
func each(selector string, want ...string) check {
	return func(n *html.Node) error {
		var got []string
		for _, f := range find(n, selector) {
			got = append(got, wordsOf(f))
		}
		if !slices.Equal(got, want) {
			return fmt.Errorf("%s: got %q, want %q", selector, got, want)
		}
		return nil
	}
}

// value returns an attribute, "" when there is none.
func value(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// attribute wants the element's attribute to be this.
func attribute(name, want string) check {
	return func(n *html.Node) error {
		if got := value(n, name); got != want {
			return fmt.Errorf("%s is %q, want %q", name, got, want)
		}
		return nil
	}
}
