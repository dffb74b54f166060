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
	"marketingskills/app/pages"
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
	evals := make([]pages.Eval, 0, len(s.Evals))
	for _, e := range s.Evals {
		evals = append(evals, pages.Eval{Prompt: e.Prompt, Expected: e.Expected, Assertions: e.Assertions})
	}
	drawn, err := render(pages.Evals(evals))
	if err != nil {
		return nil, fmt.Errorf("drawing the evals: %w", err)
	}
	row, _ := g.collection.Manifest.Row(s.Dir)
	contents := sections(t)
	contents = append(contents, pages.Anchor{Href: "#evals", Text: "Evals"})
	return &pages.Page{
		Kind:          pages.KindSkill,
		Base:          g.BasePath,
		Path:          skillPath(s.Dir),
		Title:         s.Title,
		DocumentTitle: s.Title + " · Marketing Skills",
		Description:   s.Description,
		Release:       g.release,
		Markup:        article(g.body(s, t) + drawn),
		Article: &pages.ArticleData{
			Crumbs: []pages.Anchor{
				{Href: g.BasePath, Text: "Catalog"},
				{Href: g.BasePath + "?category=" + markdown.Slug(s.Category), Text: s.Category},
			},
			Lead:     s.Description,
			Contents: contents,
			Install:  g.install(s.Dir),
			Files: []pages.Anchor{
				{Href: g.BasePath + zipPath(s.Dir), Text: "Download " + s.Dir + ".zip"},
				{Href: g.BasePath + skillPath(s.Dir) + "SKILL.md", Text: "Raw SKILL.md"},
			},
			Facts: []ui.Fact{
				{Name: "Folder", Value: s.Dir},
				{Name: "Version", Value: s.Version},
				{Name: "Updated", Value: Day(row.Updated)},
				{Name: "Always in context", Value: "about " + aboutTokens(s.Name+s.Description) + " tokens"},
				{Name: "When used", Value: "about " + aboutTokens(t.Body) + " tokens"},
				{Name: "Length", Value: ui.Number(words(t)) + " words"},
			},
			Blocks: g.blocks(s),
		},
	}, nil
}

// blocks are the lists of links beside a skill.
func (g *generator) blocks(s *collection.Skill) []pages.LinkBlock {
	var blocks []pages.LinkBlock
	add := func(title string, links []pages.Anchor) {
		if len(links) > 0 {
			blocks = append(blocks, pages.LinkBlock{Title: title, Links: links})
		}
	}
	add("References", g.references(s))
	add("Evals", []pages.Anchor{{Href: "#evals", Text: fmt.Sprintf("%s, readable in full", inCount(len(s.Evals)))}})
	var next, from []pages.Anchor
	for _, name := range g.outgoing[s.Dir] {
		next = append(next, g.skillLink(name))
	}
	for _, other := range g.collection.Skills {
		if slices.Contains(g.outgoing[other.Dir], s.Dir) && !slices.Contains(g.outgoing[s.Dir], other.Dir) {
			from = append(from, g.skillLink(other.Dir))
		}
	}
	add("Next to it", next)
	add("Leads here", from)
	var history []pages.Anchor
	for _, r := range g.collection.Manifest.Touching(s.Dir) {
		history = append(history, pages.Anchor{
			Href: g.BasePath + "changelog/?skill=" + s.Dir + "#" + pages.ReleaseID(r.Name()),
			Text: "Release " + r.Name(),
			Note: Day(r.Date),
		})
	}
	add("History", history)
	return blocks
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
	blocks := []pages.LinkBlock{{Title: "Belongs to", Links: []pages.Anchor{g.skillLink(s.Dir)}}}
	if len(siblings) > 0 {
		blocks = append(blocks, pages.LinkBlock{Title: "Beside it", Links: siblings})
	}
	return &pages.Page{
		Kind:          pages.KindReference,
		Base:          g.BasePath,
		Path:          at,
		Title:         t.Title,
		DocumentTitle: t.Title + " · " + s.Title + " · Marketing Skills",
		Description:   summary(t, s),
		Release:       g.release,
		Markup:        article(g.body(s, t)),
		Article: &pages.ArticleData{
			Crumbs: []pages.Anchor{
				{Href: g.BasePath, Text: "Catalog"},
				{Href: g.skillAddress(s.Dir), Text: s.Title},
			},
			Contents: sections(t),
			Files:    []pages.Anchor{{Href: g.BasePath + skillPath(s.Dir) + t.File, Text: "Raw " + path.Base(t.File)}},
			Facts: []ui.Fact{
				{Name: "When opened", Value: "about " + aboutTokens(t.Body) + " tokens"},
				{Name: "Length", Value: ui.Number(words(t)) + " words"},
			},
			Blocks: blocks,
		},
	}, nil
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

// article wraps the markup that is drawn as it is.
func article(markup string) string {
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
			file, anchor := markdown.SplitTarget(target)
			file = path.Join(path.Dir(t.File), file)
			at := ""
			switch {
			case file == "SKILL.md":
				at = skillPath(s.Dir)
			case strings.HasPrefix(file, "references/") && strings.HasSuffix(file, ".md"):
				at = referencePath(s.Dir, file)
			case slices.Contains(s.Files, file):
				at = skillPath(s.Dir) + file
			default:
				return ""
			}
			if anchor != "" {
				at += "#" + anchor
			}
			return g.BasePath + at
		},
		Fence: checkedExample,
	})
}

// checkedExample draws an example that validation has counted, with what was
// counted above it.
func checkedExample(info, body string) (string, bool) {
	label := ""
	switch info {
	case example.KindSMS:
		return textMessage(body), true
	case example.KindSearchAd:
		label = "search ad set"
	case example.KindJSON:
		label = "JSON"
	default:
		return "", false
	}
	return `<figure class="Example"><figcaption><span>Checked example</span><span>` + label + `</span></figcaption><pre tabindex="0"><code>` +
		html.EscapeString(body) + "</code></pre></figure>\n", true
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

func (g *generator) install(name string) []pages.Way {
	zip := g.absolute(zipPath(name))
	ways := []pages.Way{
		{For: "macOS and Linux, into the folder most agents read", Command: fmt.Sprintf("mkdir -p .agents/skills/%[2]s && curl -fsSL %[1]s -o %[2]s.zip && unzip -oq %[2]s.zip -d .agents/skills/%[2]s && rm %[2]s.zip", zip, name)},
		{For: "Windows PowerShell", Command: fmt.Sprintf(`Invoke-WebRequest %[1]s -OutFile %[2]s.zip; Expand-Archive -Force %[2]s.zip .agents\skills\%[2]s; Remove-Item %[2]s.zip`, zip, name)},
	}
	if g.RepoURL != "" {
		ways = append([]pages.Way{{For: "From the repository", Command: fmt.Sprintf("npx skills add %s --skill %s", g.RepoURL, name)}}, ways...)
	}
	return ways
}

func zipPath(name string) string { return skillPath(name) + name + ".zip" }
