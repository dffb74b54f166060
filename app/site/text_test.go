package site

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"marketingskills/app/collection"
	"marketingskills/app/collection/example"
	"marketingskills/app/collection/manifest"
)

func TestWordsAndNumbers(t *testing.T) {
	for n, want := range map[int]string{0: "No skills", 1: "One skill", 5: "Five skills", 20: "Twenty skills", 42: "Forty-two skills", 99: "Ninety-nine skills", 100: "100 skills", 1200: "1,200 skills"} {
		if got := countInWords(n, "skill"); got != want {
			t.Errorf("%d: got %s", n, got)
		}
	}
	for date, want := range map[string]string{"2026-05-26": "26 May 2026", "2026-01-02": "2 January 2026", "2026-02-30": "2026-02-30", "": "not released yet", "soon": "soon"} {
		if got := day(date); got != want {
			t.Errorf("%s: got %s, want %s", date, got, want)
		}
	}
	for characters, want := range map[int]string{0: "0", 19: "0", 20: "10", 160: "40", 796: "200", 800: "200", 1000: "300", 15_000: "3,800"} {
		if got := aboutTokens(strings.Repeat("é", characters)); got != want {
			t.Errorf("%d characters: got %s, want %s", characters, got, want)
		}
	}
}

// inert wants markup, drawn as it is inside an element, to hold no script, no
// foreign attribute and no way out of the element.
func inert(t *testing.T, name, markup string, context atom.Atom) []*html.Node {
	t.Helper()
	nodes, err := html.ParseFragment(strings.NewReader(markup), &html.Node{Type: html.ElementNode, Data: context.String(), DataAtom: context})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range nodes {
		for _, bad := range append(find(n, "script, img, iframe, style, b, form, [onclick], [style]"), find(n, `[href^="javascript"]`)...) {
			t.Errorf("%s: <%s> is in %s", name, bad.Data, markup)
		}
	}
	return nodes
}

var hostileTexts = []string{
	"<script>alert(1)</script>", "</li></ul><b>x</b>", "[x](javascript:alert(1))", "`</code><script>`", "a\n\n<b>b</b>", "# title", "- a\n- <b>",
	"```\n</pre><b>\n```", "![x](https://evil.example/x.png)", "| a |\n|--:|\n| <b> |", "\" onclick=\"x", "</figure><b>",
}

// TestChangesAreOneItem: whatever Markdown a release holds, each change is one
// list item, with nothing alive in it.
func TestChangesAreOneItem(t *testing.T) {
	g := &generator{config: testConfig("/"), collection: &collection.Collection{Manifest: &manifest.Manifest{}}}
	for _, text := range hostileTexts {
		for _, breaking := range []bool{false, true} {
			got := g.changelogItem(manifest.Change{Text: text, Breaking: breaking})
			nodes := inert(t, text, got.Markup, atom.Ul)
			if len(nodes) != 1 || nodes[0].Data != "li" || breaking != (len(find(nodes[0], "strong")) == 1) {
				t.Errorf("%q: got %s", text, got.Markup)
			}
		}
	}
	got := g.changelogItem(manifest.Change{Text: "`ads` **moves**", Skills: []string{"ads"}})
	if got.Markup != `<li data-raw=""><code>ads</code> <strong>moves</strong></li>` || len(got.Skills) != 1 {
		t.Errorf("got %+v", got)
	}
}

// TestExamplesEscape draws checked examples of every kind with hostile texts.
func TestExamplesEscape(t *testing.T) {
	for _, kind := range example.Kinds() {
		for _, text := range append(hostileTexts, "text: <b>x</b>\nconsent: <b>y</b>\nquiet-hours: <script>\n---\n<b>{x}</b>\n{x} = <b> | <script>") {
			markup, ok := renderFence(checkedExample)(kind, text)
			nodes := inert(t, kind, markup, atom.Article)
			if !ok || len(find(nodes[0], "figcaption")) != 1 || nodes[0].Data != "figure" {
				t.Errorf("%s: got %s", kind, markup)
			}
		}
	}
	if markup, _ := renderFence(checkedExample)("go", "x"); strings.Contains(markup, "figure") {
		t.Errorf("an unknown kind is drawn as a checked example: %s", markup)
	}
}
