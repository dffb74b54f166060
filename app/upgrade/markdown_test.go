package upgrade

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"

	"marketingskills/app/collection/markdown"
	"marketingskills/app/text/texttest"
)

func TestMarkdown(t *testing.T) {
	in := with(skillFolder("paid-ads", "1.1.0"))
	in.Contexts = []string{".agents/product-marketing-context.md"}
	in.Locks = []LockFile{{"skills-lock.json", []byte(`{"skills":{"page-cro":{}}}`)}}
	in.Unchecked = []string{"~/.codex/skills was not found."}
	got := Analyze(in, repository(t)).Markdown()
	for _, want := range []string{
		"# Upgrade report\n\n1 of 5 folders needs attention: 1 duplicate. skills-lock.json still lists 1 old skill name.",
		"\nCompared with release 2.2.0 of 2026-05-26.\n",
		"\n| Duplicate | `paid-ads` | `.claude/skills` | 1.1.0 | ads 2.0.1 | ",
		"The new skill, ads, is installed next to it; agents load both. paid-ads was renamed to ads in 2.0.0.",
		"\n| Other | `pdf` | `.claude/skills` |  |  | ",
		"\n- 2.2.0 of 2026-05-26: `ads` moves from 2.0.0 to 2.0.1, which specifies its search-ad output. (1 folder)\n",
		"\n- 2.0.0 of 2026-05-05: **Breaking:** ",
		"\n## Product context\n\nUsed: `.agents/product-marketing-context.md`.\n",
		"\n## Lock file `skills-lock.json`\n\n- `page-cro`, now `cro`: `skills.page-cro`, 1 time\n",
		"\n## Notes\n\n- \\~/.codex/skills was not found.\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestMarkdownHostile: whatever a folder is called, it is one row of as many
// cells, and nothing gets out of its cell.
func TestMarkdownHostile(t *testing.T) {
	in := Installation{Places: []Place{{Path: "a|b`c\n# d"}}}
	names := append([]string{"a | b", "`|`", "``", "<img src=x onerror=alert(1)>", "[x](javascript:alert(1))", "\n# Title\n", "| --- |", "\\|", "\\"}, texttest.Hostile...)
	for _, name := range names {
		in.Places[0].Folders = append(in.Places[0].Folders, Folder{Name: name, Front: &Frontmatter{Name: "cro", Version: name}, Problem: name})
	}
	in.Unchecked = []string{"\n# Title\n<b>"}
	got := Analyze(in, repository(t)).Markdown()
	doc := markdown.Parse([]byte(got))
	heads, rows, columns := 0, 0, 0
	for _, b := range doc.Blocks {
		switch {
		case b.Kind == markdown.TableHead:
			heads, columns = heads+1, len(b.Cells)
		case b.Kind == markdown.TableRow:
			rows++
			if len(b.Cells) != columns {
				t.Errorf("%d cells: %q", len(b.Cells), b.Cells)
			}
		}
	}
	if heads != 1 || rows != len(names) {
		t.Fatalf("%d tables with %d rows", heads, rows)
	}
	if len(doc.Headings) != 3 || len(doc.Links) != 0 {
		t.Errorf("%d headings, links %v in\n%s", len(doc.Headings), doc.Links, got)
	}
	var page strings.Builder
	trusting := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	if err := trusting.Convert([]byte(got), &page); err != nil {
		t.Fatal(err)
	}
	for _, tag := range []string{"<img", "<b>", "<a ", "<x>", "<!--"} {
		if strings.Contains(page.String(), tag) {
			t.Errorf("%s became HTML", tag)
		}
	}
}
