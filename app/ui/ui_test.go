package ui_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"golang.org/x/net/html"

	"marketingskills/app/ui"
)

// hostile are values that have broken attributes before.
var hostile = []string{
	"", "plain", "true", "false", `"`, `" onclick="alert(1)`, `' onclick='alert(1)`, `\`, `\" onclick=\"x`, `C:\new\table\u0041`,
	"&", "&amp;", "&quot;", "&#34;", "&lt", "<", "</a><script>", ">", "`", "=", "a=b c=d", "{{x}}", "<!--", "]]>", "%22",
	"a\nb", "a\r\nb", "a\tb", "\n a \n", "a\x00b", "a\x1b[31mb", "a\x7fb", "a\u0085b", "a\u009fb",
	"🎉", "👩‍👩‍👧", "é e\u0301", "א\u200fב \u202etxt\u202c", "a\u00a0b", "a\u2028b", "\ufeffa", "\ue000", "\ufffe", "\U0001fffe",
	"\xff\xfe", "a\xc3", "日本語", strings.Repeat(`"`, 1000),
}

// want is what a value must be once a browser has it: its printable
// characters, white space as spaces, none at the ends.
func want(value string) string {
	value = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, string([]rune(value)))
	return strings.TrimSpace(value)
}

// parse reads what was drawn and returns its first element.
func parse(t *testing.T, drawn app.UI) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(app.HTMLString(drawn)))
	if err != nil {
		t.Fatal(err)
	}
	return doc.LastChild.LastChild.FirstChild
}

func checkAttr(t *testing.T, value string) {
	t.Helper()
	n := parse(t, app.Div().Attr("title", ui.Attr(value)).DataSet("x", ui.Attr(value)).Attr("href", ui.Attr(value)).Text("t"))
	expected := want(value)
	for _, name := range []string{"title", "data-x", "href"} {
		i := slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
		switch {
		case i < 0 && expected != "":
			t.Errorf("%q: there is no %s", value, name)
		case i >= 0 && n.Attr[i].Val != expected:
			t.Errorf("%q: %s is %q, want %q", value, name, n.Attr[i].Val, expected)
		}
	}
	if len(n.Attr) > 3 || n.NextSibling != nil || n.FirstChild == nil || n.FirstChild.Data != "t" {
		t.Errorf("%q: drew %s", value, app.HTMLString(app.Div().Attr("title", ui.Attr(value))))
	}
}

func TestAttributeValuesSurvive(t *testing.T) {
	for _, value := range hostile {
		checkAttr(t, value)
	}
}

func FuzzAttr(f *testing.F) {
	for _, value := range hostile {
		f.Add(value)
	}
	f.Fuzz(checkAttr)
}

// TestWidgetsEscape draws every widget with hostile values: none of them gains
// an element or an attribute.
func TestWidgetsEscape(t *testing.T) {
	shape := func(u app.UI) string {
		var b strings.Builder
		for n := range parse(t, app.Div().Body(u)).Descendants() {
			if n.Type == html.ElementNode {
				fmt.Fprintf(&b, "%s(", n.Data)
				var keys []string
				for _, a := range n.Attr {
					keys = append(keys, a.Key)
				}
				slices.Sort(keys)
				fmt.Fprintf(&b, "%s) ", strings.Join(keys, " "))
			}
		}
		return b.String()
	}
	for name, draw := range map[string]func(s string) app.UI{
		"link":    func(s string) app.UI { return ui.Link(s, s) },
		"current": func(s string) app.UI { return ui.Current(ui.Link(s, s), true) },
		"span":    func(s string) app.UI { return ui.Span("", s) },
		"facts":   func(s string) app.UI { return ui.Properties([]ui.Property{{Name: s, Value: s}}) },
		"block":   func(s string) app.UI { return ui.Block(s, ui.Links(ui.Link(s, s))) },
		"command": func(s string) app.UI { return ui.Command(s) },
		"marked": func(s string) app.UI {
			return app.P().Body(ui.Marked(s, []ui.Range{{From: 0, To: len(s)}})...)
		},
	} {
		plain := shape(draw("plain"))
		for _, value := range hostile {
			if value == "" || want(value) == "" {
				continue
			}
			if got := shape(draw(value)); got != plain {
				t.Errorf("%s with %q: got %s, want %s", name, value, got, plain)
			}
		}
	}
}

func TestMarked(t *testing.T) {
	type r = ui.Range
	for _, c := range []struct {
		name, text string
		marks      []ui.Range
		want       string
	}{
		{"nothing", "text", nil, "text"},
		{"empty text", "", []r{{0, 1}}, ""},
		{"within", "one two", []r{{4, 7}}, "one [two]"},
		{"whole", "one", []r{{0, 3}}, "[one]"},
		{"side by side", "onetwo", []r{{0, 3}, {3, 6}}, "[one][two]"},
		{"empty", "one", []r{{1, 1}}, "one"},
		{"turned round", "one", []r{{2, 1}}, "one"},
		{"beyond the end", "one", []r{{1, 4}}, "one"},
		{"before the start", "one", []r{{-1, 2}}, "one"},
		{"overlapping", "one two", []r{{0, 4}, {3, 7}}, "[one ]two"},
		{"out of order", "one two", []r{{4, 7}, {0, 3}}, "one [two]"},
		{"twice", "one", []r{{0, 3}, {0, 3}}, "[one]"},
		{"half a letter", "aéb", []r{{0, 2}, {2, 3}, {1, 3}}, "a[é]b"},
		{"beyond, then fitting", "one", []r{{0, 9}, {0, 1}}, "[o]ne"},
	} {
		var got strings.Builder
		for _, part := range ui.Marked(c.text, c.marks) {
			n := parse(t, part)
			if n.Data == "mark" {
				got.WriteString("[" + n.FirstChild.Data + "]")
			} else {
				got.WriteString(n.FirstChild.Data)
			}
		}
		if got.String() != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got.String(), c.want)
		}
	}
}

func TestCommandCopiesItsLine(t *testing.T) {
	const line = `curl -O "https://a.example/?a&b" && unzip 'x' -d C:\skills`
	n := parse(t, ui.Command(line))
	texts := map[string]string{}
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.FirstChild != nil && d.FirstChild.Type == html.TextNode {
			texts[d.Data] = d.FirstChild.Data
		}
		for _, a := range d.Attr {
			texts[a.Key] = a.Val
		}
	}
	if texts["code"] != line || texts["data-copy"] != line || texts["aria-label"] != "Copy: "+line || texts["type"] != "button" {
		t.Errorf("got %q", texts)
	}
}
