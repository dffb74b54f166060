package markdown_test

import (
	"strings"
	"testing"
	"time"

	"marketingskills/app/collection/markdown"
)

// TestHostileLinks: of a link that leads where none may, only the words stay.
func TestHostileLinks(t *testing.T) {
	for _, target := range []string{
		"javascript:alert(1)", "JaVaScRiPt:alert(1)", "javascript&colon;alert(1)", "java&#115;cript:alert(1)",
		"&#x6A;avascript:alert(1)", "&#0000106;avascript:alert(1)", `javascript\:alert(1)`,
		"<java\tscript:alert(1)>", "<\tjavascript:alert(1)>", "< javascript:alert(1)>", "java&Tab;script:alert(1)",
		"&#1;javascript:alert(1)", "java&NewLine;script:alert(1)", "&nbsp;javascript:alert(1)", "java\u200bscript:alert(1)",
		"javascript://a.example/%0aalert(1)", "jav%61script:alert(1)", "java\x00script:alert(1)", "javaſcript:alert(1)",
		"data:text/html,<script>alert(1)</script>", "DATA:text/html;base64,PHN2Zz4=", "vbscript:msgbox(1)", "VBSCRIPT:a",
		"//evil.example/", "///evil.example/", "////evil.example/", `/\evil.example/`, `\\evil.example/`, `/\/evil.example`,
		"<  //evil.example>", "&#32;//evil.example", "&sol;/evil.example", "&#47;&#47;evil.example", `\//evil.example`, "&bsol;/evil.example",
		"blob:https://a.example/1", "file:///etc/passwd", "intent://a#Intent;end", "view-source:https://a.example", "x:y",
	} {
		for _, source := range []string{
			"[words](" + target + ")",
			"[words][r]\n\n[r]: " + target,
			`[words](` + target + ` "title")`,
		} {
			// Not every spelling is a link; none may become one that leads there.
			if got := draw(source, markdown.Options{}); strings.Contains(got, "href") || alive(got) != "" {
				t.Errorf("%q: got %s", source, got)
			}
		}
	}
}

func TestHostileAddresses(t *testing.T) {
	for source, want := range map[string]string{
		"<javascript:alert(1)>":   "<p>javascript:alert(1)</p>",
		"<DATA:text/html,a>":      "<p>DATA:text/html,a</p>",
		"![w](javascript:a)":      "<p>w</p>",
		"![\"><script>](x)":       "<p>&#34;&gt;&lt;script&gt;</p>",
		"[a](x\"onclick=\"y)":     `<p><a href="x&#34;onclick=&#34;y">a</a></p>`,
		"[a](<x' onclick='y>)":    `<p><a href="x&#39; onclick=&#39;y">a</a></p>`,
		"# a {onclick=b}":         "{onclick=b}",
		"```a\" onclick=\"b\n```": `<pre tabindex="0"><code></code></pre>`,
	} {
		if got := draw(source, markdown.Options{}); !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", source, got, want)
		}
	}
}

// pathological are texts that take careless parsers time with the square of
// their length.
func pathological(size int) map[string]string {
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	nest := func(left, right string) string {
		n := size / (len(left) + len(right))
		return strings.Repeat(left, n) + "a" + strings.Repeat(right, n)
	}
	var runs strings.Builder
	for n := 1; runs.Len() < size; n++ {
		runs.WriteString("a" + strings.Repeat("`", n))
	}
	wide := strings.Repeat("a|", 500) + "\n" + strings.Repeat("-|", 500) + "\n"
	return map[string]string{
		"brackets": fill("["), "quotations": fill(">"), "spaced quotations": fill("> ") + "a", "backticks": fill("`"),
		"backtick runs": runs.String(), "lists": fill("+ * "), "quoted lists": fill("- >"), "numbers": fill("1. 1) "),
		"nested brackets": nest("[", "]"), "nested links": nest("[", "](x)"), "nested images": nest("![", "](x)"),
		"open links": fill("[a]("), "unclosed links": fill("[a](b"), "unclosed addresses": fill("[a](<b"),
		"emphasis": fill("*a_ "), "mixed emphasis": "a**b" + fill("c* "), "a heading": "# " + fill("*a_ "),
		"an underlined heading": fill("*a_ ") + "\n===\n", "same headings": fill("# a\n"), "code spans": fill("`a` "),
		"code and emphasis": fill("`a`*`b`*"), "narrow rows": wide + fill("a\n"), "escaped pipes": "|a|\n|-|\n|" + fill("`\\|") + "|\n",
		"a table's cell": "|a|\n|-|\n|" + fill("*a_ ") + "|\n", "definitions": fill("[a]: b\n") + "\n" + fill("[a]"),
		"open titles": fill("[a]: b \"\n"), "tags": fill("<a "), "comments": fill("a <!-- "), "NUL": fill("\x00"), "carriage returns": fill("\r"),
	}
}

// TestHostileSize gives a megabyte of each and far more time than it takes;
// time with the square of the length would be minutes.
func TestHostileSize(t *testing.T) {
	size := 1 << 20
	if testing.Short() {
		size = 1 << 17
	}
	for name, source := range pathological(size) {
		start := time.Now()
		d := markdown.Parse([]byte(source))
		d.Text()
		markup := d.HTML(markdown.Options{LinkCodeSpan: func(string) string { return "#" }})
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
		if len(markup) > 60*len(source) {
			t.Errorf("%s: %d bytes became %d", name, len(source), len(markup))
		}
	}
}

// TestLimitsKeepTheWords: what is beyond a limit is shown as it stands, and
// what follows is Markdown again.
func TestLimitsKeepTheWords(t *testing.T) {
	long := strings.Repeat("word ", 3000)
	for name, source := range map[string]string{
		"paragraph": "*a* " + long, "heading": "# *a* " + long, "underlined": "*a* " + long + "\n---",
		"quotation": strings.Repeat("> ", 200) + "*a*", "list": strings.Repeat("- ", 200) + "*a*",
	} {
		d := markdown.Parse([]byte(source + "\n\n## Next\n"))
		if got := d.HTML(markdown.Options{}); !strings.Contains(got, "a") || !strings.Contains(got, `<h2 id="next">Next`) {
			t.Errorf("%s: got %.200s", name, got)
		}
		if h := d.Headings[len(d.Headings)-1]; h.Line != 3+strings.Count(source, "\n") {
			t.Errorf("%s: the heading is on line %d", name, h.Line)
		}
	}
	rows := strings.Repeat("| a | 1 |\n", 5000)
	if got := draw("| h | n |\n|---|--:|\n"+rows, markdown.Options{}); strings.Count(got, "<tr>") != 5001 {
		t.Errorf("an honest table of 5,000 rows has %d", strings.Count(got, "<tr>"))
	}
}
