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

// articleElement wraps markup that the page's program draws as it is.
func articleElement(markup string) string {
	return "<article class=\"Article\" " + browser.ArticleMark + "=\"\">" + markup + "</article>"
}

// renderOptions says how a text of a skill is drawn: as a page, or, if section is
// not "", as the section of a page with that ID.
func (g *generator) renderOptions(s *collection.Skill, file, section string) markdown.Options {
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
			if !strings.HasPrefix(at, g.config.BasePath+skillPath(s.Dir)) {
				return "" // a skill is copied without the others
			}
			return at
		},
		RenderFence: renderFence(checkedExample),
	}
}

// fileAddress returns the URL for a link in a folder of the collection: of the page
// of a file, or of the file itself if it has no page; "" if it is not published.
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
	case commandPage(file) != "":
		at = commandPage(file)
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
	return g.config.BasePath + at
}

// renderFence draws a fenced block with a button that copies it; above a checked
// example it shows what was counted. jsonTitle says what JSON is.
func renderFence(jsonTitle string) func(info, body string) (string, bool) {
	return func(info, body string) (string, bool) {
		title, label := checkedExample, example.AdLabel(info, body)
		block := `<pre tabindex="0"><code>` + html.EscapeString(body) + "</code></pre>" + copyButton("Copy this block", "")
		switch {
		case info == example.KindSMS:
			return textMessage(body), true
		case info == example.KindJSON:
			title, label = jsonTitle, "JSON"
		case label == "":
			return `<div class="Code">` + block + "</div>\n", true
		}
		return exampleHead(title, label) + block + "</figure>\n", true
	}
}

// copyButton draws a button that copies the text before it, or, if from is not "",
// that of the element with this ID. label is its accessible name. The page script
// does the copying.
func copyButton(label, from string) string {
	if from != "" {
		from = ` data-copy-from="` + html.EscapeString(from) + `"`
	}
	return `<button class="Copy" type="button" data-copy=""` + from + ` aria-label="` + html.EscapeString(label) + `">` +
		`<span class="Copy-idle">Copy</span><span class="Copy-done">Copied</span></button>`
}

// tableOfContents returns links to the headings of level 2.
func tableOfContents(t collection.Text) []pages.Anchor {
	var links []pages.Anchor
	for _, h := range t.Doc.Headings {
		if h.Level == 2 {
			links = append(links, pages.Anchor{Href: "#" + h.ID, Text: h.Text})
		}
	}
	return links
}

// checkedExample is the title of what validation counts or reads.
const checkedExample = "Checked example"

// exampleHead draws the beginning of the figure of an example; label says what was
// counted.
func exampleHead(title, label string) string {
	return `<figure class="Example"><figcaption><span>` + html.EscapeString(title) + "</span><span>" +
		html.EscapeString(label) + "</span></figcaption>"
}

// textMessage draws an example of a text message with its size.
func textMessage(body string) string {
	m := example.ParseSMS(body, 1, &finding.List{})
	var b strings.Builder
	b.WriteString(exampleHead(checkedExample, m.Size.String()))
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

// linksMarkup writes links with commas between them.
func linksMarkup(links []pages.Anchor) string {
	var all []string
	for _, l := range links {
		all = append(all, fmt.Sprintf(`<a href="%s">%s</a>`, html.EscapeString(l.Href), html.EscapeString(l.Text)))
	}
	return strings.Join(all, ", ")
}
