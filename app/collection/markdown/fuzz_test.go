package markdown_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"marketingskills/app/collection/markdown"
)

// FuzzRenderedMarkdownIsInert: whatever the text, its HTML has nothing in it
// that runs, loads or leads anywhere but to the web, to mail and into the site.
func FuzzRenderedMarkdownIsInert(f *testing.F) {
	for _, source := range pathological(100) {
		f.Add(source)
	}
	for _, source := range []string{
		sample, "<script>alert(1)</script>", "<svg/onload=alert(1)>", "[a](javascript:alert(1))", "<javascript:a>",
		"[a](///evil.example)", "![a](x \"y\")", "# <b>\n# <b>", "# a-2\n# a\n# a", "```\n</code><script>\n", "- [ ] a\n\n\t<b>\n",
		"|a|b|\n|:-|-:|\n|`|`|<i>|", "&lt;script&gt;&#0;&colon;", "[a]: <x\"y>\n[a]", "a\\\nb\x00\xff\u202e",
	} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		d := markdown.Parse([]byte(source))
		checkPlaces(t, d, 1+strings.Count(source, "\n"))
		for _, o := range []markdown.Options{{}, {DropTitle: true, LinkCodeSpan: func(string) string { return "/x" }}} {
			markup := d.HTML(o)
			if problem := alive(markup); problem != "" {
				t.Fatalf("%s in %q", problem, markup)
			}
			if problem := alive("<article><p></p>" + markup + "</article>"); problem != "" {
				t.Fatalf("within an article: %s in %q", problem, markup)
			}
		}
	})
}

// checkPlaces wants lines inside the text and in order.
func checkPlaces(t *testing.T, d *markdown.Document, last int) {
	t.Helper()
	var heads, codes, fences []int
	ids := map[string]bool{}
	for _, h := range d.Headings {
		heads = append(heads, h.Line)
		if ids[h.ID] || h.ID == "" {
			t.Fatalf("the anchor %q is not one heading's", h.ID)
		}
		ids[h.ID] = true
	}
	for _, c := range d.CodeSpans {
		codes = append(codes, c.Line)
	}
	for _, f := range d.Fences {
		fences = append(fences, f.Line-1)
	}
	for _, lines := range [][]int{heads, codes, fences} {
		if !slices.IsSorted(lines) || len(lines) > 0 && (lines[0] < 1 || lines[len(lines)-1] > last) {
			t.Fatalf("of %d lines: %v", last, lines)
		}
	}
}

// allowed are the elements a rendered text may have, each with its attributes.
var allowed = map[string][]string{
	"h2": {"id"}, "h3": {"id"}, "h4": {"id"}, "h5": {"id"}, "h6": {"id"},
	"a": {"href", "class", "aria-label"}, "p": nil, "em": nil, "strong": nil, "code": nil, "br": nil, "hr": nil,
	"pre": {"tabindex"}, "blockquote": nil, "ul": nil, "ol": {"start"}, "li": nil,
	"div": {"class", "role", "aria-label", "tabindex"}, "table": nil, "thead": nil, "tbody": nil, "tr": nil,
	"th": {"scope", "class"}, "td": {"class"},
	// What the parser puts around a fragment, and what these tests do.
	"html": nil, "head": nil, "body": nil, "article": nil,
}

// alive says what in some markup is not inert, "" when all is.
func alive(markup string) string {
	doc, err := html.Parse(strings.NewReader("<!doctype html>" + markup))
	if err != nil {
		return err.Error()
	}
	ids := map[string]bool{}
	for n := range doc.Descendants() {
		switch n.Type {
		case html.TextNode, html.DoctypeNode:
			continue
		case html.ElementNode:
		default:
			return fmt.Sprintf("a node of type %d", n.Type)
		}
		attributes, ok := allowed[n.Data]
		if !ok || n.Namespace != "" {
			return "the element " + n.Data
		}
		for _, a := range n.Attr {
			switch {
			case !slices.Contains(attributes, a.Key):
				return "the attribute " + n.Data + " " + a.Key
			case a.Key == "href" && !harmless(a.Val):
				return "a link to " + a.Val
			case a.Key == "id" && ids[a.Val]:
				return "twice the ID " + a.Val
			case a.Key == "id":
				ids[a.Val] = true
			}
		}
	}
	return ""
}

var scheme = regexp.MustCompile(`(?i)^[a-z][a-z0-9+.-]*:`)

// harmless reads an address as a browser does (URL Standard, section 4.4):
// spaces and controls at its ends and all tabs and line breaks fall away, and
// a backslash is a slash.
func harmless(address string) bool {
	address = strings.Trim(address, "\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0b\x0c\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f ")
	address = strings.NewReplacer("\t", "", "\n", "", "\r", "", `\`, "/").Replace(address)
	switch strings.ToLower(scheme.FindString(address)) {
	case "http:", "https:", "mailto:":
		return true
	case "":
		return !strings.HasPrefix(address, "//")
	default:
		return false
	}
}
