package site

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"marketingskills/app/collection"
	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/markdown"
	"marketingskills/app/collection/skill"
	"marketingskills/app/pages"
	"marketingskills/app/pages/catalog"
	"marketingskills/app/pages/changelog"
	"marketingskills/app/pages/missing"
	"marketingskills/app/pages/prospects"
	"marketingskills/app/pages/prospects/verification"
	"marketingskills/app/pages/upgrade"
	"marketingskills/app/text"
)

func (g *generator) catalogPage() (*pages.Page, error) {
	d := &catalog.Data{
		Noun: "skill", Below: "skills/", Dated: true,
		Lead: "Add-ons that help your AI assistant with marketing work: emails, ads, pricing, SEO and more. " +
			"Install them with one command, then ask as usual.",
		Hint:       "Task, keyword or old skill name",
		Start:      g.firstSteps(),
		Characters: g.collection.DescriptionCharacters(),
		Map:        pages.PathMap,
		Index:      g.assets.skills,
		Also:       &catalog.Also{Noun: "tool", Path: pages.PathTools, Index: g.assets.tools},
	}
	for _, category := range skill.Categories {
		skills := g.skillsIn(category)
		c := catalog.Category{ID: markdown.Slug(category), Name: category, Picture: picture(category), Count: len(skills)}
		for _, s := range skills {
			d.Cards = append(d.Cards, g.card(s, c.ID))
		}
		if c.Count > 0 {
			d.Categories = append(d.Categories, c)
		}
	}
	n := len(d.Cards)
	return newPage(g, pages.Page{
		Kind:          pages.KindCatalog,
		Title:         countInWords(n, "marketing skill") + " for AI agents",
		DocumentTitle: "Marketing Skills: " + strings.ToLower(countInWords(n, "skill")) + " for AI agents",
		Description: countInWords(n, "skill") + " for AI agents that do marketing, with instructions, worked examples and evals. " +
			"Search, read and install them.",
	}, d)
}

// homeExample is the skill whose thin request is answered on the home page.
const homeExample = "pricing"

// firstSteps is what the home page shows to those who are here for the first time;
// nil if there is no example.
func (g *generator) firstSteps() *catalog.Start {
	s := g.collection.Skill(homeExample)
	if s == nil || len(s.AnsweredRequests()) == 0 {
		return nil
	}
	a := s.AnsweredRequests()[0]
	first, _, _ := strings.Cut(a.Answer, "\n\n")
	const most = 320
	return &catalog.Start{
		Command: g.installFromSite(""),
		Request: strings.Join(strings.Fields(plainText(a.Request)), " "),
		Answer:  text.Clip(strings.Join(strings.Fields(plainText(first)), " "), most),
		Skill:   s.Title,
		Path:    skillPath(s.Dir),
	}
}

func (g *generator) card(s *collection.Skill, categoryID string) catalog.Card {
	row, _ := g.collection.Manifest.Row(s.Dir)
	return catalog.Card{
		Name:        s.Dir,
		Title:       s.Title,
		Description: s.Summary,
		CategoryID:  categoryID,
		Changed:     g.changedIn(s.Dir),
		Details:     []string{day(row.Updated)},
		Day:         row.Updated,
		Old:         strings.Join(g.collection.Manifest.OldNames(s.Dir), " "),
		Words:       s.Description,
	}
}

// changedIn says that the latest release changed a skill; "" if it did not, or if
// it changed more than a third of the skills.
func (g *generator) changedIn(name string) string {
	latest, ok := g.collection.Manifest.Latest()
	changed := map[string]bool{}
	for _, change := range latest.Changes {
		for _, s := range change.Skills {
			changed[s] = true
		}
	}
	if !ok || !changed[name] || 3*len(changed) > len(g.collection.Skills) {
		return ""
	}
	return "Changed in " + latest.Name()
}

func (g *generator) changelogPage() (*pages.Page, error) {
	m := g.collection.Manifest
	d := &changelog.Data{}
	named := map[string]bool{}
	for _, r := range m.History() {
		release := changelog.Release{Name: r.Name(), Date: day(r.Date), Breaking: r.Breaking()}
		for _, change := range r.Changes {
			for _, s := range change.Skills {
				named[s] = true
			}
			release.Items = append(release.Items, g.changelogItem(change))
		}
		if r.Total > 0 {
			release.Items = append(release.Items, changelog.Item{Markup: fmt.Sprintf("<li data-raw=\"\">Total: %d skills.</li>", r.Total)})
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
		where := strings.TrimSpace(string(r.Kind) + "; " + plainText(r.Where))
		d.Renames = append(d.Renames, changelog.Rename{Old: r.Old, New: r.New, Where: where})
	}
	return newPage(g, pages.Page{
		Kind:        pages.KindChangelog,
		Title:       "Changelog",
		Description: "Every release, what is new since your version, and the skills renamed or merged in 2.0.0.",
	}, d)
}

func (g *generator) changelogItem(change manifest.Change) changelog.Item {
	inline := strings.TrimSpace(markdown.Parse([]byte(change.Text)).HTML(markdown.Options{LinkCodeSpan: g.skillAddress}))
	inline = strings.TrimSuffix(strings.TrimPrefix(inline, "<p>"), "</p>")
	if label := change.Label(); label != "" {
		inline = fmt.Sprintf(`<strong class="Change Change--%s">%s</strong> %s`, strings.ToLower(label), label, inline)
	}
	return changelog.Item{Markup: `<li data-raw="">` + inline + "</li>", Skills: change.Skills}
}

// newPage completes a page with what all pages have, and with its content. Where
// there is one page of a kind, the registry has its path. The title of the
// document is that of the page, unless it has another.
func newPage[T any](g *generator, page pages.Page, content *T) (*pages.Page, error) {
	if entry, _ := pages.EntryOf(page.Kind); !entry.Many {
		page.Path = entry.Path
	}
	page.DocumentTitle = cmp.Or(page.DocumentTitle, page.Title+" · Marketing Skills")
	page.Base, page.Release, page.OfflineSize = g.config.BasePath, g.release, g.offlineSize
	return &page, pages.SetContent(&page, content)
}

// plainText returns the text of some Markdown without markup.
func plainText(source string) string {
	return strings.TrimSpace(markdown.Parse([]byte(source)).Text())
}

// skillAddress returns the URL of a skill's page; "" if there is no such skill.
func (g *generator) skillAddress(name string) string {
	if g.collection.Skill(name) == nil {
		return ""
	}
	return g.config.BasePath + skillPath(name)
}

func skillPath(name string) string { return "skills/" + name + "/" }

// renameWords say what became of an old name; the present name follows.
var renameWords = map[manifest.Kind]string{manifest.Renamed: "renamed to", manifest.Merged: "merged into"}

func (g *generator) missingPage() (*pages.Page, error) {
	d := &missing.Data{}
	for _, s := range g.collection.Skills {
		d.Names = append(d.Names, missing.Name{Href: g.skillAddress(s.Dir), Text: s.Dir})
	}
	for _, r := range g.collection.Manifest.Renames {
		if g.collection.Skill(r.New) != nil {
			d.Names = append(d.Names, missing.Name{
				Href: g.skillAddress(r.New), Text: r.Old,
				Change: renameWords[r.Kind], Skill: r.New, Release: string(r.Release),
			})
		}
	}
	for _, t := range g.collection.Tools.Tools {
		d.Names = append(d.Names, missing.Name{Href: g.config.BasePath + toolPath(t.ID), Text: t.ID})
	}
	for _, e := range pages.Registry() {
		if e.Navigation != "" && e.Path != pages.PathCatalog {
			d.Names = append(d.Names, missing.Name{Href: g.config.BasePath + e.Path, Text: strings.TrimSuffix(e.Path, "/")})
		}
	}
	return newPage(g, pages.Page{
		Kind:        pages.KindMissing,
		Title:       "Page not found",
		Description: "There is no page at this URL.",
	}, d)
}

func (g *generator) upgradePage() (*pages.Page, error) {
	d := &upgrade.Data{
		Versions: g.config.BasePath + "versions.json",
		Site:     strings.TrimSuffix(g.absolute(""), "/"),
	}
	for _, s := range g.collection.Skills {
		d.Published = append(d.Published, s.Dir)
	}
	return newPage(g, pages.Page{
		Kind:  pages.KindUpgrade,
		Title: "Upgrade checker",
		Description: "Check your installed skills: which are outdated, renamed or merged, " +
			"and the commands to update them. Your files are not uploaded.",
	}, d)
}

func (g *generator) prospectsPage() (*pages.Page, error) {
	return newPage(g, pages.Page{
		Kind:  pages.KindProspects,
		Title: "Prospects",
		Description: "List the people who forked, starred, watch or contribute to a public GitHub repository. " +
			"Runs in your browser with your own token. Export to CSV, HubSpot, Salesforce or JSON.",
	}, &prospects.Data{API: g.config.GitHubAPIURL, Sample: g.assets.sample, Verification: g.verification()})
}

func (g *generator) verifyPage() (*pages.Page, error) {
	config := g.verification()
	return newPage(g, pages.Page{
		Kind:  pages.KindVerify,
		Title: "Verify emails",
		Description: "Check a list of emails for typing errors and throwaway mailboxes in your browser, and with a verifier " +
			"for mailboxes that do not exist. CSV files come back with four more columns.",
	}, &config)
}

func (g *generator) verification() verification.Config {
	return verification.Config{Disposable: g.assets.disposable, Proxy: g.config.ProxyURL}
}
