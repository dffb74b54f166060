package site

import (
	"fmt"
	"html"
	"path"
	"slices"
	"strings"

	"marketingskills/app/browser"
	"marketingskills/app/collection"
	"marketingskills/app/collection/example"
	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/markdown"
	"marketingskills/app/collection/registry"
	"marketingskills/app/collection/skill"
	"marketingskills/app/pages"
)

// articleElement wraps the markup that is drawn as it is.
func articleElement(markup string) string {
	return "<article class=\"Article\" " + browser.ArticleMark + "=\"\">" + markup + "</article>"
}

func (g *generator) body(s *collection.Skill, t collection.Text) string {
	return t.Doc.HTML(g.within(s, t.File, ""))
}

// within says how a text of a skill becomes a page, or with an ID that section
// of one.
func (g *generator) within(s *collection.Skill, file, section string) markdown.Options {
	return markdown.Options{
		DropTitle: true,
		Section:   section,
		LinkCodeSpan: func(text string) string {
			if text == s.Dir {
				return ""
			}
			return g.skillAddress(text)
		},
		RewriteLink: func(target string) string {
			at := g.fileAddress(path.Join("skills", s.Dir, path.Dir(file)), target)
			if !strings.HasPrefix(at, g.BasePath+skillPath(s.Dir)) {
				return "" // a skill is copied without the others
			}
			return at
		},
		RenderFence: code,
	}
}

// fileAddress leads from a link in a folder of the collection to the page of the
// file, or to the file if it has no page; "" when it is not published.
func (g *generator) fileAddress(dir, target string) string {
	file, anchor := markdown.SplitTarget(target)
	file = path.Join(dir, file)
	top, below, _ := strings.Cut(file, "/")
	name, below, _ := strings.Cut(below, "/")
	s := g.collection.Skill(name)
	at := ""
	switch {
	case file == registry.File:
		at = pages.PathTools
	case slices.ContainsFunc(g.collection.Tools.Tools, func(t *registry.Tool) bool { return t.Guide.File == file }):
		at = toolPath(strings.TrimSuffix(path.Base(file), ".md"))
	case top != "skills" || s == nil:
		return ""
	case below == skill.MainFile:
		at = skillPath(name)
	case strings.HasPrefix(below, "references/") && strings.HasSuffix(below, ".md"):
		at = referencePath(name, below)
	case s.Has(below):
		at = skillPath(name) + below
	default:
		return ""
	}
	if anchor != "" {
		at += "#" + anchor
	}
	return g.BasePath + at
}

// code draws a fenced block with a button that copies it. What was counted of an
// example that validation has checked stands above it.
func code(info, body string) (string, bool) {
	label := example.AdLabel(info, body)
	block := `<pre tabindex="0"><code>` + html.EscapeString(body) + "</code></pre>" + copyButton("Copy this block", "")
	switch {
	case info == example.KindSMS:
		return textMessage(body), true
	case info == example.KindJSON:
		label = "JSON"
	case label == "":
		return `<div class="Code">` + block + "</div>\n", true
	}
	return exampleHead(label) + block + "</figure>\n", true
}

// copyButton is the markup of a button that copies what stands before it, or the
// text of the element with an ID; label is its name for those who do not see
// where it stands. The script that every page carries does the copying.
func copyButton(label, from string) string {
	if from != "" {
		from = ` data-copy-from="` + html.EscapeString(from) + `"`
	}
	return `<button class="Copy" type="button" data-copy=""` + from + ` aria-label="` + html.EscapeString(label) + `">` +
		`<span class="Copy-idle">Copy</span><span class="Copy-done">Copied</span></button>`
}

func sections(t collection.Text) []pages.Anchor {
	var links []pages.Anchor
	for _, h := range t.Doc.Headings {
		if h.Level == 2 {
			links = append(links, pages.Anchor{Href: "#" + h.ID, Text: h.Text})
		}
	}
	return links
}

// exampleHead begins the figure of a checked example, labelled with what was
// counted.
func exampleHead(label string) string {
	return `<figure class="Example"><figcaption><span>Checked example</span><span>` + html.EscapeString(label) + "</span></figcaption>"
}

// textMessage draws a text message as a phone would count it.
func textMessage(body string) string {
	m := example.ParseSMS(body, 1, &finding.List{})
	var b strings.Builder
	b.WriteString(exampleHead(m.Size.String()))
	b.WriteString(`<pre class="Example-message" tabindex="0">` + html.EscapeString(m.Text) + "</pre>" + copyButton("Copy this message", ""))
	var notes []string
	for _, f := range m.Merges {
		notes = append(notes, fmt.Sprintf("{%s}: sample value %s, longest value %s", f.Field, f.Sample, f.Longest))
	}
	if len(m.Merges) > 0 {
		notes = append(notes, "longest message: "+m.Worst.String())
	}
	notes = append(notes, "consent: "+m.Consent, "quiet hours: "+m.QuietHours)
	b.WriteString(`<p class="Example-notes">` + html.EscapeString(strings.Join(notes, " · ")) + "</p></figure>\n")
	return b.String()
}
