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
	"marketingskills/app/example"
	"marketingskills/app/manifest"
	"marketingskills/app/markdown"
	"marketingskills/app/pages"
	"marketingskills/app/skill"
	"marketingskills/app/ui"
)

func (g *generator) catalogPage() *pages.Page {
	d := &pages.CatalogData{
		Characters: g.collection.DescriptionCharacters(),
		Index:      g.assets.index,
	}
	for _, category := range skill.Categories {
		shelf := pages.Shelf{ID: markdown.Slug(category), Name: category}
		for _, s := range g.collection.Skills {
			if s.Category == category {
				shelf.Count++
				d.Cards = append(d.Cards, g.card(s, shelf.ID))
			}
		}
		if shelf.Count > 0 {
			d.Categories = append(d.Categories, shelf)
		}
	}
	n := len(d.Cards)
	return &pages.Page{
		Kind:          pages.KindCatalog,
		Base:          g.BasePath,
		Title:         inWords(n) + " an agent can do marketing with",
		DocumentTitle: "Marketing Skills: " + strings.ToLower(inWords(n)) + " for agents",
		Description:   fmt.Sprintf("%s for marketing work: instructions, worked examples and evals an agent can use. Search, read and install them.", inWords(n)),
		Release:       g.release,
		Catalog:       d,
	}
}

func (g *generator) card(s *collection.Skill, shelf string) pages.Card {
	row, _ := g.collection.Manifest.Row(s.Dir)
	var headings []string
	for _, t := range s.Texts[:min(1, len(s.Texts))] {
		for _, h := range t.Doc.Headings {
			if h.Level == 2 && !slices.Contains(collection.EverySkill, h.Text) {
				headings = append(headings, h.Text)
			}
		}
	}
	return pages.Card{
		Name:        s.Dir,
		Title:       s.Title,
		Description: s.Description,
		Shelf:       shelf,
		Version:     s.Version,
		Day:         row.Updated,
		Date:        Day(row.Updated),
		Tokens:      aboutTokens(s.Body),
		Evals:       len(s.Evals),
		Old:         strings.Join(g.collection.Manifest.OldNames(s.Dir), " "),
		Headings:    strings.Join(headings, " "),
	}
}

func (g *generator) changelogPage() *pages.Page {
	m := g.collection.Manifest
	d := &pages.ChangelogData{}
	named := map[string]bool{}
	for _, r := range m.History() {
		release := pages.ReleaseData{Name: r.Name(), Date: Day(r.Date), Breaking: r.Breaking()}
		for _, change := range r.Changes {
			for _, s := range change.Skills {
				named[s] = true
			}
			release.Items = append(release.Items, g.item(change))
		}
		if r.Total > 0 {
			release.Items = append(release.Items, pages.Item{Markup: fmt.Sprintf("<li data-raw=\"\">%d skills in all.</li>", r.Total)})
		}
		d.Releases = append(d.Releases, release)
	}
	for _, row := range m.Rows {
		if named[row.Skill] {
			d.Skills = append(d.Skills, row.Skill)
		}
	}
	slices.Sort(d.Skills)
	for _, r := range m.Renames {
		d.Renames = append(d.Renames, pages.Rename{Old: r.Old, New: r.New, Where: strings.TrimSpace(string(r.Kind) + "; " + plain(r.Where))})
	}
	return &pages.Page{
		Kind:          pages.KindChangelog,
		Base:          g.BasePath,
		Path:          "changelog/",
		Title:         "Changelog",
		DocumentTitle: "Changelog · Marketing Skills",
		Description:   "Every release of the collection, what is newer than the version you have, and the names given up in 2.0.0.",
		Release:       g.release,
		Changelog:     d,
	}
}

func (g *generator) item(change manifest.Change) pages.Item {
	text := change.Text
	if change.Breaking {
		text = "**Breaking.** " + text
	}
	inline := strings.TrimSpace(markdown.Parse([]byte(text)).HTML(markdown.Options{Code: g.skillAddress}))
	inline = strings.TrimSuffix(strings.TrimPrefix(inline, "<p>"), "</p>")
	return pages.Item{Markup: `<li data-raw="">` + inline + "</li>", Skills: change.Skills}
}

// plain drops the marks of inline Markdown.
func plain(text string) string {
	return strings.TrimSpace(markdown.Parse([]byte(text)).Text())
}

// skillAddress leads from a skill's name to its page, when it has one.
func (g *generator) skillAddress(name string) string {
	if g.collection.Skill(name) == nil {
		return ""
	}
	return g.BasePath + skillPath(name)
}

func skillPath(name string) string { return "skills/" + name + "/" }

func (g *generator) missingPage() *pages.Page {
	d := &pages.MissingData{}
	for _, s := range g.collection.Skills {
		here := pages.Anchor{Href: g.skillAddress(s.Dir), Text: s.Dir}
		d.Names = append(d.Names, here)
		for _, old := range g.collection.Manifest.OldNames(s.Dir) {
			d.Names = append(d.Names, pages.Anchor{Href: here.Href, Text: old, Note: s.Dir})
		}
	}
	d.Names = append(d.Names, pages.Anchor{Href: g.BasePath + "changelog/", Text: "changelog"})
	return &pages.Page{
		Kind:          pages.KindMissing,
		Base:          g.BasePath,
		Path:          "404.html",
		Title:         "No such page",
		DocumentTitle: "No such page · Marketing Skills",
		Description:   "The address leads to no page of Marketing Skills.",
		Release:       g.release,
		Missing:       d,
	}
}

func (g *generator) upgradePage() *pages.Page {
	d := &pages.UpgradeData{
		Versions: g.BasePath + "VERSIONS.md",
		Site:     strings.TrimSuffix(g.absolute(""), "/"),
	}
	for _, s := range g.collection.Skills {
		d.Published = append(d.Published, s.Dir)
	}
	return &pages.Page{
		Kind:          pages.KindUpgrade,
		Base:          g.BasePath,
		Path:          "upgrade/",
		Title:         "Upgrade",
		DocumentTitle: "Upgrade checker · Marketing Skills",
		Description:   "Shows for every installed skill folder what it is, what it became since 1.x, and exactly what to type. No file leaves the page.",
		Release:       g.release,
		Upgrade:       d,
	}
}

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
				{Name: "When used", Value: "about " + aboutTokens(s.Body) + " tokens"},
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
	for _, t := range s.Texts {
		if t.File != "SKILL.md" {
			links = append(links, pages.Anchor{Href: g.BasePath + referencePath(s.Dir, t.File), Text: t.Title})
		}
	}
	return links
}

func referencePath(dir, file string) string {
	return skillPath(dir) + strings.TrimSuffix(path.Base(file), ".md") + "/"
}

func (g *generator) referencePage(s *collection.Skill, t collection.Text) (*pages.Page, error) {
	var source string
	for _, r := range s.References {
		if r.Path() == t.File {
			source = r.Body
		}
	}
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
				{Name: "When opened", Value: "about " + aboutTokens(source) + " tokens"},
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
		{For: "macOS and Linux, into the folder most agents read", Command: fmt.Sprintf("curl -fsSLO %s && unzip -o %s.zip -d .agents/skills/%s", zip, name, name)},
		{For: "Windows PowerShell", Command: fmt.Sprintf(`Invoke-WebRequest %s -OutFile %s.zip; Expand-Archive -Force %s.zip .agents\skills\%s`, zip, name, name, name)},
	}
	if g.RepoURL != "" {
		ways = append([]pages.Way{{For: "From the repository", Command: fmt.Sprintf("npx skills add %s --skill %s", g.RepoURL, name)}}, ways...)
	}
	return ways
}

func zipPath(name string) string { return skillPath(name) + name + ".zip" }
