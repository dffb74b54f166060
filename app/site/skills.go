package site

import (
	"fmt"
	"html"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"marketingskills/app/browser"
	"marketingskills/app/collection"
	"marketingskills/app/collection/example"
	"marketingskills/app/collection/markdown"
	"marketingskills/app/collection/registry"
	"marketingskills/app/collection/skill"
	"marketingskills/app/pages"
	"marketingskills/app/pages/article"
	"marketingskills/app/text"
	"marketingskills/app/ui"
)

// skillPages adds the page of a skill and those of its references.
func (g *generator) skillPages(s *collection.Skill) error {
	for _, t := range s.Texts {
		page := g.referencePage
		if t.File == skill.Main {
			page = g.skillPage
		}
		p, err := page(s, t)
		if err != nil {
			return fmt.Errorf("skill %s, %s: %w", s.Dir, t.File, err)
		}
		g.pages = append(g.pages, p)
	}
	return nil
}

// blocks are the lists of links beside a skill.
func (g *generator) blocks(s *collection.Skill) []article.LinkBlock {
	var tools, next, from []pages.Anchor
	for _, t := range g.collection.Tools.For(s.Dir) {
		tools = append(tools, pages.Anchor{Href: g.BasePath + toolPath(t.ID), Text: t.Name})
	}
	for _, name := range g.outgoing[s.Dir] {
		next = append(next, g.skillLink(name))
	}
	for _, other := range g.collection.Skills {
		if slices.Contains(g.outgoing[other.Dir], s.Dir) && !slices.Contains(g.outgoing[s.Dir], other.Dir) {
			from = append(from, g.skillLink(other.Dir))
		}
	}
	return notEmpty(
		article.LinkBlock{Title: "Tools", Links: tools},
		article.LinkBlock{Title: "Related skills", Links: next},
		article.LinkBlock{Title: "Linked from", Links: from},
	)
}

// notEmpty leaves out lists without a link.
func notEmpty(blocks ...article.LinkBlock) []article.LinkBlock {
	return slices.DeleteFunc(blocks, func(b article.LinkBlock) bool { return len(b.Links) == 0 })
}

func (g *generator) skillLink(name string) pages.Anchor {
	return pages.Anchor{Href: g.skillAddress(name), Text: g.collection.Skill(name).Title}
}

func (g *generator) references(s *collection.Skill) []pages.Anchor {
	var links []pages.Anchor
	for _, t := range s.References() {
		links = append(links, pages.Anchor{Href: g.BasePath + referencePath(s.Dir, t.File), Text: t.Title})
	}
	return links
}

func referencePath(dir, file string) string {
	return skillPath(dir) + strings.TrimSuffix(path.Base(file), ".md") + "/"
}

func (g *generator) referencePage(s *collection.Skill, t collection.Text) (*pages.Page, error) {
	at := referencePath(s.Dir, t.File)
	siblings := slices.DeleteFunc(g.references(s), func(l pages.Anchor) bool { return l.Href == g.BasePath+at })
	return newPage(g, pages.Page{
		Kind:          pages.KindReference,
		Path:          at,
		Title:         t.Title,
		DocumentTitle: t.Title + " · " + s.Title + " · Marketing Skills",
		Description:   summary(t, s),
		Markup:        articleElement(g.body(s, t)),
	}, &article.Data{
		Crumbs: []pages.Anchor{
			{Href: g.BasePath, Text: "Catalog"},
			{Href: g.skillAddress(s.Dir), Text: s.Title},
		},
		Contents: sections(t),
		Files:    []pages.Anchor{{Href: g.BasePath + skillPath(s.Dir) + t.File, Text: "View " + path.Base(t.File) + " as plain text"}},
		Facts: []ui.Fact{
			{Name: "Loaded when opened", Value: "about " + aboutTokens(t.Body) + " tokens"},
			{Name: "Length", Value: text.Number(words(t)) + " words"},
		},
		Blocks: notEmpty(
			article.LinkBlock{Title: "Part of", Links: []pages.Anchor{g.skillLink(s.Dir)}},
			article.LinkBlock{Title: "Other references", Links: siblings},
		),
	})
}

// summary describes a reference by its own first words.
func summary(t collection.Text, s *collection.Skill) string {
	line := s.Title + ":"
	most := utf8.RuneCountInString(line) + 155
	for word := range strings.FieldsSeq(strings.TrimPrefix(strings.TrimSpace(t.Doc.Text()), t.Title)) {
		if utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > most {
			return strings.TrimRight(line, ",;:") + " …"
		}
		line += " " + word
	}
	return line
}

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
		Code: func(text string) string {
			if text == s.Dir {
				return ""
			}
			return g.skillAddress(text)
		},
		Link: func(target string) string {
			at := g.fileAddress(path.Join("skills", s.Dir, path.Dir(file)), target)
			if !strings.HasPrefix(at, g.BasePath+skillPath(s.Dir)) {
				return "" // a skill is copied without the others
			}
			return at
		},
		Fence: code,
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
	case commandPage(file) != "":
		at = commandPage(file)
	case slices.ContainsFunc(g.collection.Tools.Tools, func(t *registry.Tool) bool { return t.Guide.File == file }):
		at = toolPath(strings.TrimSuffix(path.Base(file), ".md"))
	case top != "skills" || s == nil:
		return ""
	case below == skill.Main:
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

func zipPath(name string) string { return skillPath(name) + name + ".zip" }
