package markdown_test

import (
	"strings"
	"testing"

	"marketingskills/app/collection/markdown"
)

func draw(source string, o markdown.Options) string {
	return strings.TrimSpace(markdown.Parse([]byte(source)).HTML(o))
}

func TestHTML(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"paragraph", "a *b* **c**\nd", "<p>a <em>b</em> <strong>c</strong>\nd</p>"},
		{"heading", "## A & B", `<div class="Heading Heading--2"><h2 id="a-b">A &amp; B</h2><a class="Anchor" href="#a-b" aria-label="Link to A &amp; B">#</a></div>`},
		{"first level goes down", "# A", `<div class="Heading Heading--2"><h2 id="a">A</h2><a class="Anchor" href="#a" aria-label="Link to A">#</a></div>`},
		{"web link", "[a](https://a.example/?b=1&amp;c \"t\")", `<p><a href="https://a.example/?b=1&amp;c">a</a></p>`},
		{"address", "<https://a.example/&>", `<p><a href="https://a.example/&amp;">https://a.example/&amp;</a></p>`},
		{"mail", "<me@a.example>", `<p><a href="mailto:me@a.example">me@a.example</a></p>`},
		{"mail, spelt out", "<MAILTO:me@a.example>", `<p><a href="MAILTO:me@a.example">MAILTO:me@a.example</a></p>`},
		{"image", "![a *picture*](https://a.example/p.png \"t\")", "<p>a picture</p>"},
		{"image in a link", "[![words](p.png)](a.md)", `<p><a href="a.md">words</a></p>`},
		{"code span", "`<b>`", "<p><code>&lt;b&gt;</code></p>"},
		{"fence", "```html\n<b>\n```", `<pre tabindex="0"><code>&lt;b&gt;` + "\n</code></pre>"},
		{"indented code", "    <b>", `<pre tabindex="0"><code>&lt;b&gt;` + "\n</code></pre>"},
		{"raw block", "<div onclick=a()>\n**a**\n</div>", "<p>&lt;div onclick=a()&gt;\n**a**\n&lt;/div&gt;</p>"},
		{"raw block that ends", "<!-- a\n-->\nb", "<p>&lt;!-- a\n--&gt;\n</p>\n<p>b</p>"},
		{"raw words", "a <b onclick=a()>b</b> &lt;i&gt;", "<p>a &lt;b onclick=a()&gt;b&lt;/b&gt; &lt;i&gt;</p>"},
		{"list", "3. a\n4. b", "<ol start=\"3\">\n<li>a</li>\n<li>b</li>\n</ol>"},
		{"break", "a\\\nb", "<p>a<br>\nb</p>"},
	} {
		if got := draw(c.source, markdown.Options{}); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestTablesAlignByClass(t *testing.T) {
	got := draw("| a | b | c | d |\n|---|--:|:--|:-:|\n| 1 | 2 | 3 | `\\|` |\n", markdown.Options{})
	want := `<div class="Table" role="group" aria-label="Table" tabindex="0"><table>
<thead>
<tr>
<th scope="col">a</th>
<th scope="col" class="Cell--number">b</th>
<th scope="col">c</th>
<th scope="col">d</th>
</tr>
</thead>
<tbody>
<tr>
<td>1</td>
<td class="Cell--number">2</td>
<td>3</td>
<td><code>|</code></td>
</tr>
</tbody>
</table></div>`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestDropTitle(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"# A [b](c)\n\nd", "<p>d</p>"},
		{"d\n\n# A", "<p>d</p>"},
		{"## A", "A"},
		{"# A\n\n# B", "B"},
		{"# A\n# A", "#a-2"},
	} {
		got := draw(c.source, markdown.Options{DropTitle: true})
		if !strings.Contains(got, c.want) || strings.Contains(got, `"a"`) && c.want != "A" {
			t.Errorf("%q: got %s", c.source, got)
		}
	}
}

func TestOptionsRewriteLinks(t *testing.T) {
	o := markdown.Options{
		RewriteLink: func(target string) string {
			file, anchor := markdown.SplitTarget(target)
			if file == "gone.md" {
				return ""
			}
			return "/site/" + file + "?#" + anchor
		},
		LinkCodeSpan: func(text string) string {
			if text == "sms" {
				return "/skills/sms/?a&b"
			}
			return ""
		},
		RenderFence: func(info, body string) (string, bool) {
			return "<figure>" + info + "</figure>", info == "sms"
		},
	}
	for _, c := range []struct{ name, source, want string }{
		{"file", "[a](x/../form.md#b)", `<p><a href="/site/form.md?#b">a</a></p>`},
		{"dropped", "[*a*](gone.md) [b](gone.md#c)", "<p><em>a</em> b</p>"},
		{"nested drop", "[a ![b](c)](gone.md)", "<p>a b</p>"},
		{"within the page", "[a](#b)", `<p><a href="#b">a</a></p>`},
		{"the web", "[a](https://a.example/form.md)", `<p><a href="https://a.example/form.md">a</a></p>`},
		{"name", "`sms`", `<p><a href="/skills/sms/?a&amp;b"><code>sms</code></a></p>`},
		{"other code", "`sms `", "<p><code>sms </code></p>"},
		{"name in a link", "[`sms`](https://a.example)", `<p><a href="https://a.example"><code>sms</code></a></p>`},
		{"name in a heading", "## `sms`", `<div class="Heading Heading--2"><h2 id="sms"><code>sms</code></h2><a`},
		{"known fence", "```sms\n<b>\n```", "<figure>sms</figure>"},
		{"unknown fence", "```smsx\n<b>\n```", `<pre tabindex="0"><code>&lt;b&gt;`},
	} {
		if got := draw(c.source, o); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestADocumentIsDrawnMoreThanOnce(t *testing.T) {
	d := markdown.Parse([]byte(sample))
	first := d.HTML(markdown.Options{DropTitle: true})
	if second := d.HTML(markdown.Options{DropTitle: true}); second != first {
		t.Errorf("first\n%s\nthen\n%s", first, second)
	}
}
