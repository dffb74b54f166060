package markdown_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"marketingskills/app/collection/markdown"
)

// sample has one of everything, with what stands on which line.
const sample = `# Title

Words with a [link](references/form.md#validation "t"), ` + "`code`" + ` and <https://a.example/>.
Second line <me@a.example>, [](empty.md),
![a *picture*](p.png) and ` + "`more\ncode`" + `.

Set *below*
-----------

> ## Quoted ` + "`h`" + `
>
> - item
>   [deep](deep.md)

| Head | Number |
|---|--:|
| [cell](cell.md) | ` + "`1`" + ` |

` + "```json  a=1 \n{}\n```" + `

~~~

body
~~~

` + "```sms\n```\n\n```\n```" + `

[ref] and [text][ref]

[ref]: https://b.example "Title"
`

func TestLines(t *testing.T) {
	for _, ending := range []string{"\n", "\r\n"} {
		d := markdown.Parse([]byte(strings.ReplaceAll(sample, "\n", ending)))
		var got []string
		for _, h := range d.Headings {
			got = append(got, fmt.Sprintf("%d h%d %s #%s", h.Line, h.Level, h.Text, h.ID))
		}
		for _, l := range d.Links {
			kind := "link"
			if l.Image {
				kind = "image"
			}
			got = append(got, fmt.Sprintf("%d %s %s %q", l.Line, kind, l.Target, l.Text))
		}
		for _, c := range d.CodeSpans {
			got = append(got, fmt.Sprintf("%d code %s", c.Line, c.Text))
		}
		for _, f := range d.Fences {
			got = append(got, fmt.Sprintf("%d fence %q %q", f.Line, f.Info, f.Body))
		}
		want := []string{
			"1 h1 Title #title", "8 h2 Set below #set-below", "11 h2 Quoted h #quoted-h",
			`3 link references/form.md#validation "link"`, `3 link https://a.example/ "https://a.example/"`,
			`4 link mailto:me@a.example "me@a.example"`, `4 link empty.md ""`, `5 image p.png "a picture"`,
			`14 link deep.md "deep"`, `18 link cell.md "cell"`,
			`35 link https://b.example "ref"`, `35 link https://b.example "text"`,
			"3 code code", "5 code more code", "11 code h", "18 code 1",
			`21 fence "json  a=1" "{}\n"`, `25 fence "" "\nbody\n"`, `30 fence "sms" ""`, `33 fence "" ""`,
		}
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				t.Errorf("with %q: got\n%s\nwant\n%s", ending, strings.Join(got, "\n"), strings.Join(want, "\n"))
				break
			}
		}
	}
}

func TestTargetsAreResolved(t *testing.T) {
	for written, want := range map[string]string{
		`a\_b.md`:                      "a_b.md",
		"https://a.example/?a=1&amp;b": "https://a.example/?a=1&b",
		"a&#95;b.md":                   "a_b.md",
		"<a b.md>":                     "a b.md",
		"< a.md >":                     "a.md",
		"":                             "",
	} {
		if got := markdown.Parse([]byte("[x](" + written + ")")).Links[0].Target; got != want {
			t.Errorf("%s: got %q, want %q", written, got, want)
		}
	}
}

func TestCodeKnowsItsSurroundings(t *testing.T) {
	d := markdown.Parse([]byte("Use the `ads` skill, *or* `cro`; hand\nover to `sms`.\n\n**See `seo` too**\n"))
	var got []string
	for _, c := range d.CodeSpans {
		got = append(got, c.Before+"["+c.Text+"]"+c.After)
	}
	want := []string{
		"Use the [ads] skill, or cro; hand over to sms.",
		"Use the ads skill, or [cro]; hand over to sms.",
		"Use the ads skill, or cro; hand over to [sms].",
		"See [seo] too",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSlugs(t *testing.T) {
	for heading, want := range map[string]string{
		"Phase 1: ICP":            "phase-1-icp",
		"What you'd say – ’tis":   "what-youd-say-tis",
		"  *A*  --  B!  ":         "a-b",
		"Über `code` & ß":         "über-code-ß",
		"日本語 見出し":                 "日本語-見出し",
		"🎉":                       "section",
		"":                        "section",
		"A2P 10DLC / TCPA":        "a2p-10dlc-tcpa",
		"x\u00a0y\u200bz":         "x-y-z",
		`" onmouseover="alert(1)`: "onmouseover-alert-1",
	} {
		got := markdown.Slug(heading)
		if got != want {
			t.Errorf("%q: got %q, want %q", heading, got, want)
		}
		if again := markdown.Slug(got); again != got {
			t.Errorf("%q: the slug of %q is %q", heading, got, again)
		}
	}
}

func TestAnchorsAreUniqueAndStable(t *testing.T) {
	ids := func(headings ...string) []string {
		var got []string
		for _, h := range markdown.Parse([]byte("# " + strings.Join(headings, "\n\n# "))).Headings {
			got = append(got, h.ID)
		}
		return got
	}
	for _, c := range []struct{ headings, want []string }{
		{[]string{"A", "A", "a!", "B"}, []string{"a", "a-2", "a-3", "b"}},
		{[]string{"A", "A", "A-2"}, []string{"a", "a-2", "a-2-2"}},
		{[]string{"A-2", "A", "A", "A"}, []string{"a-2", "a", "a-3", "a-4"}},
		{[]string{"!", "?", "Section"}, []string{"section", "section-2", "section-3"}},
		// A heading in between changes no other's anchor.
		{[]string{"A", "New", "B", "A"}, []string{"a", "new", "b", "a-2"}},
	} {
		if got := ids(c.headings...); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.headings, got, c.want)
		}
	}
}

func TestText(t *testing.T) {
	d := markdown.Parse([]byte(sample))
	got := strings.Join(strings.Fields(d.Text()), " ")
	want := "Title Words with a link, code and . Second line , , a picture and more code. " +
		"Set below Quoted h item deep Head Number cell 1 ref and text"
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestSplitTarget(t *testing.T) {
	for target, want := range map[string][2]string{
		"references/form.md#a#b": {"references/form.md", "a#b"},
		"./../x/./y.md":          {"../x/y.md", ""},
		"#a":                     {"", "a"},
		"":                       {"", ""},
	} {
		if file, anchor := markdown.SplitTarget(target); file != want[0] || anchor != want[1] {
			t.Errorf("%q: got %q and %q, want %q", target, file, anchor, want)
		}
	}
}
