package site

import (
	"fmt"
	"slices"
	"strings"

	"marketingskills/app/collection"
	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/markdown"
	"marketingskills/app/collection/skill"
	"marketingskills/app/pages"
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
	main, _ := s.Text(skill.Main)
	var headings []string
	for _, h := range main.Doc.Headings {
		if h.Level == 2 && !slices.Contains(collection.EverySkill, h.Text) {
			headings = append(headings, h.Text)
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
		Tokens:      aboutTokens(main.Body),
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
	for _, path := range []string{"changelog/", pages.PathUpgrade, pages.PathProspects} {
		d.Names = append(d.Names, pages.Anchor{Href: g.BasePath + path, Text: strings.TrimSuffix(path, "/")})
	}
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
		Versions: g.BasePath + "versions.json",
		Site:     strings.TrimSuffix(g.absolute(""), "/"),
	}
	for _, s := range g.collection.Skills {
		d.Published = append(d.Published, s.Dir)
	}
	return &pages.Page{
		Kind:          pages.KindUpgrade,
		Base:          g.BasePath,
		Path:          pages.PathUpgrade,
		Title:         "Upgrade",
		DocumentTitle: "Upgrade checker · Marketing Skills",
		Description:   "Shows for every installed skill folder what it is, what it became since 1.x, and exactly what to type. No file leaves the page.",
		Release:       g.release,
		Upgrade:       d,
	}
}

func (g *generator) prospectsPage() *pages.Page {
	return &pages.Page{
		Kind:          pages.KindProspects,
		Base:          g.BasePath,
		Path:          pages.PathProspects,
		Title:         "Prospects",
		DocumentTitle: "Prospect extraction · Marketing Skills",
		Description:   "A small, lawful list of the people around a public repository, made in your browser with your own token: planned, filtered, and exported with its lineage.",
		Release:       g.release,
		Prospects:     &pages.ProspectsData{API: g.GitHubAPIURL},
	}
}
