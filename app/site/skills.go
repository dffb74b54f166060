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
	"marketingskills/app/pages/changelog"
	"marketingskills/app/text"
	"marketingskills/app/ui"
)

// skillPages adds the page of a skill and those of its references.
func (g *generator) skillPages(s *collection.Skill) error {
	for _, t := range s.Texts {
		page := g.referencePage
		if t.File == "SKILL.md" {
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

func (g *generator) skillPage(s *collection.Skill, t collection.Text) (*pages.Page, error) {
	row, _ := g.collection.Manifest.Row(s.Dir)
	contents := sections(t)
	contents = append(contents, pages.Anchor{Href: "#evals", Text: "Evals"})
	return newPage(g, pages.Page{
		Kind:        pages.KindSkill,
		Path:        skillPath(s.Dir),
		Title:       s.Title,
		Description: s.Description,
		Markup:      articleElement(g.body(s, t) + evals(s.Evals)),
	}, &article.Data{
		Crumbs: []pages.Anchor{
			{Href: g.BasePath, Text: "Catalog"},
			{Href: g.BasePath + "?category=" + markdown.Slug(s.Category), Text: s.Category},
		},
		Lead:     s.Description,
		Contents: contents,
		Install:  g.install(s.Dir),
		Files: []pages.Anchor{
			{Href: g.BasePath + zipPath(s.Dir), Text: "Download " + s.Dir + ".zip", Note: "unzip into .agents/skills/" + s.Dir},
			{Href: g.BasePath + skillPath(s.Dir) + "SKILL.md", Text: "View SKILL.md as plain text"},
		},
		Facts: []ui.Fact{
			{Name: "Folder", Value: s.Dir},
			{Name: "Version", Value: s.Version},
			{Name: "Updated", Value: day(row.Updated)},
			{Name: "Always loaded", Value: "about " + aboutTokens(s.Name+s.Description) + " tokens"},
			{Name: "Loaded when used", Value: "about " + aboutTokens(t.Body) + " tokens"},
			{Name: "Length", Value: text.Number(words(t)) + " words"},
		},
		Blocks: g.blocks(s),
	})
}

// blocks are the lists of links beside a skill.
func (g *generator) blocks(s *collection.Skill) []article.LinkBlock {
	var tools, next, from, history []pages.Anchor
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
	for _, r := range g.collection.Manifest.Touching(s.Dir) {
		history = append(history, pages.Anchor{
			Href: g.BasePath + pages.PathChangelog + "?skill=" + s.Dir + "#" + changelog.ReleaseID(r.Name()),
			Text: "Release " + r.Name(),
			Note: day(r.Date),
		})
	}
	return notEmpty(
		article.LinkBlock{Title: "References", Links: g.references(s)},
		article.LinkBlock{Title: "Evals", Links: []pages.Anchor{{Href: "#evals", Text: fmt.Sprintf("Read all %d evals", len(s.Evals))}}},
		article.LinkBlock{Title: "Tools", Links: tools},
		article.LinkBlock{Title: "Related skills", Links: next},
		article.LinkBlock{Title: "Linked from", Links: from},
		article.LinkBlock{Title: "Version history", Links: history},
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
	return t.Doc.HTML(markdown.Options{
		DropTitle: true,
		Code: func(text string) string {
			if text == s.Dir {
				return ""
			}
			return g.skillAddress(text)
		},
		Link: func(target string) string {
			at := g.fileAddress(path.Join("skills", s.Dir, path.Dir(t.File)), target)
			if !strings.HasPrefix(at, g.BasePath+skillPath(s.Dir)) {
				return "" // a skill is copied without the others
			}
			return at
		},
		Fence: checkedExample,
	})
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

// checkedExample draws an example that validation has counted, with what was
// counted above it.
func checkedExample(info, body string) (string, bool) {
	label := example.AdLabel(info, body)
	switch {
	case info == example.KindSMS:
		return textMessage(body), true
	case info == example.KindJSON:
		label = "JSON"
	case label == "":
		return "", false
	}
	return exampleHead(label) + `<pre tabindex="0"><code>` + html.EscapeString(body) + "</code></pre></figure>\n", true
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

func (g *generator) install(name string) []article.Way {
	zip := g.absolute(zipPath(name))
	posix := "mkdir -p .agents/skills/%[2]s && curl -fsSL %[1]s -o %[2]s.zip && " +
		"unzip -oq %[2]s.zip -d .agents/skills/%[2]s && rm %[2]s.zip"
	powerShell := `Invoke-WebRequest %[1]s -OutFile %[2]s.zip; ` +
		`Expand-Archive -Force %[2]s.zip .agents\skills\%[2]s; Remove-Item %[2]s.zip`
	ways := []article.Way{
		{For: "With npx, from this site. Run in a terminal, in your project folder.", Command: g.installFromSite(name)},
		{For: "macOS and Linux. Run in a terminal, in your project folder; installs to .agents/skills.", Command: fmt.Sprintf(posix, zip, name)},
		{For: `Windows. Run in PowerShell, in your project folder; installs to .agents\skills.`, Command: fmt.Sprintf(powerShell, zip, name)},
	}
	if g.RepoURL != "" {
		npx := fmt.Sprintf("npx skills add %s --skill %s", g.RepoURL, name)
		ways = slices.Insert(ways, 1, article.Way{For: "With npx, from the repository. Run in a terminal, in your project folder.", Command: npx})
	}
	return ways
}

func zipPath(name string) string { return skillPath(name) + name + ".zip" }

// evals draws a skill's evaluation cases in full, as the end of its article.
func evals(cases []skill.Eval) string {
	var b strings.Builder
	b.WriteString(`<section class="Evals"><h2 id="evals">Evals</h2>` +
		`<p>Test requests for this skill, each with the expected answer and the checks that an answer must pass.</p>`)
	for _, c := range cases {
		fmt.Fprintf(&b, `<details class="Eval"><summary>%s</summary><h3>Expected answer</h3><p>%s</p><h3>Checks</h3><ul>`,
			html.EscapeString(c.Prompt), html.EscapeString(c.Expected))
		for _, assertion := range c.Assertions {
			b.WriteString("<li>" + html.EscapeString(assertion) + "</li>")
		}
		b.WriteString("</ul></details>")
	}
	b.WriteString("</section>")
	return b.String()
}
