package site

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"marketingskills/app/ui"
)

// shape is what the browser would be told to draw: an element, or a text.
type shape struct {
	tag   string
	attrs map[string]string
	kids  []shape
	text  string
}

// tags are elements that may hold one another and text in any number.
var tags = []string{"div", "section", "span", "em", "b", "label", "output"}

// texts have all the spaces that the encoder writes too.
var texts = []string{
	"a", " ", "  ", "a ", " a", "  a  ", "\n", "\na", "a\n", "\n  a\n  ", "\n    ", "    \n", " · ", "a\n\nb", "\t", "\n\n",
	"<b>", "&amp;", "\"", "é", "\u00a0", "\u200b", "</div>",
}

func randomShape(rng *rand.Rand, depth int) shape {
	s := shape{tag: tags[rng.IntN(len(tags))], attrs: map[string]string{}}
	for range rng.IntN(4) {
		name := []string{"title", "data-a", "data-b", "aria-label", "aria-hidden", "aria-current"}[rng.IntN(6)]
		s.attrs[name] = append(texts, "true", "false", "page", `\`)[rng.IntN(len(texts)+4)]
	}
	wasText := false
	for range rng.IntN(5) {
		if !wasText && rng.IntN(2) == 0 {
			s.kids = append(s.kids, shape{text: texts[rng.IntN(len(texts))]})
			wasText = true
		} else if depth > 0 {
			s.kids = append(s.kids, randomShape(rng, depth-1))
			wasText = false
		}
	}
	return s
}

func (s shape) ui() app.UI {
	if s.tag == "" {
		return app.Text(s.text)
	}
	e := app.Elem(s.tag)
	for name, value := range s.attrs {
		e = e.Attr(name, ui.Attr(value))
	}
	var kids []app.UI
	for _, k := range s.kids {
		kids = append(kids, k.ui())
	}
	return e.Body(kids...)
}

// String writes the shape as a browser's document would hold it.
func (s shape) String() string {
	if s.tag == "" {
		return fmt.Sprintf("%q", s.text)
	}
	var b strings.Builder
	b.WriteString(s.tag + "[")
	for _, name := range []string{"aria-current", "aria-hidden", "aria-label", "data-a", "data-b", "title"} {
		value := strings.TrimSpace(strings.NewReplacer("\n", " ", "\t", " ", "\u00a0", " ").Replace(s.attrs[name]))
		if value != "" {
			fmt.Fprintf(&b, "%s=%q ", name, value)
		}
	}
	b.WriteString("](")
	for _, k := range s.kids {
		b.WriteString(k.String() + " ")
	}
	return b.String() + ")"
}

// read gives the shape of a parsed node.
func read(n *html.Node) shape {
	s := shape{tag: n.Data, attrs: map[string]string{}}
	if n.Type == html.TextNode {
		return shape{text: n.Data}
	}
	for _, a := range n.Attr {
		s.attrs[a.Key] = a.Val
	}
	for c := range n.ChildNodes() {
		s.kids = append(s.kids, read(c))
	}
	return s
}

func parsed(t *testing.T, markup string) []*html.Node {
	t.Helper()
	nodes, err := html.ParseFragment(strings.NewReader(markup), &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
	if err != nil {
		t.Fatal(err)
	}
	return nodes
}

// TestRenderedIsDrawn: what is written into a file, once parsed, is the very
// tree the browser draws: no text is added, none loses its spaces, and no
// attribute differs.
func TestRenderedIsDrawn(t *testing.T) {
	for seed := range uint64(3000) {
		want := randomShape(rand.New(rand.NewPCG(seed, 1)), 4)
		markup, err := render(want.ui())
		if err != nil {
			t.Fatal(err)
		}
		nodes := parsed(t, markup)
		if len(nodes) != 1 || read(nodes[0]).String() != want.String() {
			t.Fatalf("seed %d: wrote\n%s\nwhich is\n%s\nwant\n%s", seed, markup, read(nodes[0]), want)
		}
	}
}

func TestRenderSpellsTrueAndOrdersAttributes(t *testing.T) {
	const want = `<button aria-hidden="true" aria-label="true" class="a b" data-x="true" disabled="" id="i" tabindex="0" type="button">t</button>`
	for range 50 {
		got, err := render(app.Button().Type("button").ID("i").Class("a").Class("b").TabIndex(0).Disabled(true).
			Aria("hidden", "true").Aria("label", ui.Attr("true")).DataSet("x", ui.Attr("true")).Text("t"))
		if err != nil || got != want {
			t.Fatalf("got %s, %v; want %s", got, err, want)
		}
	}
}

func TestRenderLeavesRawMarkupAlone(t *testing.T) {
	const raw = "<article class=\"b a\" data-article=\"\" id=\"z\"><p>a\n  <b> b </b>\n</p>\n<pre>\n\n  c</pre>\n  </article>"
	got, err := render(app.Div().Body(app.P().Text("a"), app.Raw(raw), app.Ul().Body(app.Raw("<li data-raw=\"\">\n  <i>a</i>\n  b\n</li>"))))
	want := "<div><p>a</p>" + raw + "<ul><li data-raw=\"\">\n  <i>a</i>\n  b\n</li></ul></div>"
	if err != nil || got != want {
		t.Errorf("got\n%s, %v\nwant\n%s", got, err, want)
	}
}

// TestRenderDrawsStructures goes through elements whose parsing has rules of
// its own: no whitespace may stay between their parts.
func TestRenderDrawsStructures(t *testing.T) {
	got, err := render(app.Div().Body(
		app.Table().Body(
			app.THead().Body(app.Tr().Body(app.Th().Text("h"))),
			app.TBody().Body(app.Tr().Body(app.Td().Body(app.Code().Text("c")), app.Td().Text(" d "))),
		),
		app.Select().Body(app.Option().Value("a").Text("A"), app.Option().Value("b").Selected(true).Text(" B")),
		app.Dl().Body(app.Div().Body(app.Dt().Text("t"), app.Dd().Text("d"))),
		app.Pre().Text(" a\n  b\n"),
		app.Input().Attr("value", ui.Attr("a b")),
		app.Details().Body(app.Summary().Text("s"), app.P().Text("p")),
	))
	want := `<div><table><thead><tr><th>h</th></tr></thead><tbody><tr><td><code>c</code></td><td> d </td></tr></tbody></table>` +
		`<select><option value="a">A</option><option selected="" value="b"> B</option></select>` +
		`<dl><div><dt>t</dt><dd>d</dd></div></dl><pre>` + " a\n  b\n</pre>" + `<input value="a b"/>` +
		`<details><summary>s</summary><p>p</p></details></div>`
	if err != nil || got != want {
		t.Errorf("got\n%s, %v\nwant\n%s", got, err, want)
	}
}
