package site

import (
	"path"
	"slices"
	"strings"

	"marketingskills/app/collection/markdown"
	"marketingskills/app/collection/registry"
	"marketingskills/app/pages"
	"marketingskills/app/pages/article"
	"marketingskills/app/pages/catalog"
	"marketingskills/app/search"
	"marketingskills/app/text"
	"marketingskills/app/ui"
)

func toolPath(id string) string { return pages.PathTools + id + "/" }

func (g *generator) toolsPage() (*pages.Page, error) {
	tools := g.collection.Tools
	d := &catalog.Data{
		Noun: "tool", Below: pages.PathTools,
		Lead:      "Choose your task: what to use first, the free way, and when not to. All tools follow, by category.",
		Hint:      "Task, tool or keyword",
		Ways:      registry.Ways,
		Index:     g.assets.tools,
		Tasks:     g.taskGroups(),
		TaskIndex: g.assets.tasks,
	}
	for _, category := range tools.Categories {
		c := catalog.Category{ID: markdown.Slug(category.Name), Name: category.Name}
		for i, label := range registry.AdviceLabels {
			c.Advice = append(c.Advice, ui.Property{Name: label, Value: plainText(category.Advice[i])})
		}
		for _, t := range tools.Tools {
			if t.Category == category.Name {
				c.Count++
				d.Cards = append(d.Cards, g.toolCard(t, c.ID))
			}
		}
		d.Categories = append(d.Categories, c)
	}
	for _, s := range g.collection.Skills {
		if len(tools.For(s.Dir)) > 0 {
			d.Skills = append(d.Skills, s.Dir)
		}
	}
	return newPage(g, pages.Page{
		Kind:  pages.KindTools,
		Title: "Tools",
		Description: countInWords(len(tools.Tools), "tool") + " for " + strings.ToLower(countInWords(len(tools.Tasks), "marketing task")) +
			": the first choice, the free way, and when not to. How to connect each, its limits, and the way without it.",
	}, d)
}

func (g *generator) toolCard(t *registry.Tool, categoryID string) catalog.Card {
	ways := "by hand"
	if len(t.Ways) > 0 {
		ways = strings.Join(t.Ways, " · ")
	}
	return catalog.Card{
		Name:        t.ID,
		Title:       t.Name,
		Description: purpose(t.Guide),
		CategoryID:  categoryID,
		Details:     []string{ways, text.Count(len(t.Guide.Skills), "skill")},
		For:         g.taskLinks(t),
		Ways:        t.Ways,
		Skills:      t.Guide.Skills,
		Words:       strings.Join(slices.Concat(t.Tasks, operations(t)), " "),
	}
}

// purpose says what a tool is for: the first sentence of its guide, and the next
// one if the first is short.
func purpose(g registry.Guide) string {
	const short = 70
	whole := plainText(g.Purpose)
	end := 0
	for sentence := range strings.SplitAfterSeq(whole, ". ") {
		if end > short {
			break
		}
		end += len(sentence)
	}
	return strings.TrimSpace(whole[:end])
}

// operations are the headings of level 3 of a guide, which say what one can do with
// the tool.
func operations(t *registry.Tool) []string {
	var names []string
	for _, h := range t.Guide.Doc.Headings {
		if h.Level == 3 {
			names = append(names, h.Text)
		}
	}
	return names
}

func (g *generator) toolDocuments() []search.Document {
	var documents []search.Document
	for _, t := range g.collection.Tools.Tools {
		d := search.Document{
			Name: t.ID, Title: t.Name, Category: t.Category, Description: purpose(t.Guide),
			Keywords: []string{t.Category}, Headings: operations(t), Body: t.Guide.Doc.Text(),
		}
		// Who looks for a task gets its first choice before others.
		for _, task := range g.collection.Tools.Tasks {
			if slices.Contains(task.Begins, t.ID) {
				d.Keywords = append(append(d.Keywords, task.Name), task.Words...)
			} else if slices.Contains(t.Tasks, task.Name) {
				d.Headings = append(d.Headings, task.Name)
			}
		}
		documents = append(documents, d)
	}
	return documents
}

// toolPage is the page of a guide.
func (g *generator) toolPage(t *registry.Tool) (*pages.Page, error) {
	guide := t.Guide
	facts := []ui.Property{{Name: "Category", Value: t.Category}}
	for _, a := range guide.Access {
		value := "no"
		if a.Supported {
			value = "yes"
		}
		facts = append(facts, ui.Property{Name: a.Way, Value: value})
	}
	facts = append(facts, ui.Property{Name: "Checked", Value: day(guide.Checked)})
	var skills, siblings []pages.Anchor
	for _, name := range guide.Skills {
		skills = append(skills, g.skillLink(name))
	}
	for _, other := range g.collection.Tools.Tools {
		if other != t && other.Category == t.Category {
			siblings = append(siblings, pages.Anchor{Href: g.config.BasePath + toolPath(other.ID), Text: other.Name})
		}
	}
	return newPage(g, pages.Page{
		Kind:          pages.KindTool,
		Path:          toolPath(t.ID),
		Title:         t.Name,
		DocumentTitle: t.Name + " guide · Marketing Skills",
		Description:   text.Clip(purpose(guide), 160),
		Markup: articleElement(guide.Doc.HTML(markdown.Options{
			DropTitle:   true,
			RewriteLink: func(target string) string { return g.fileAddress(path.Dir(guide.File), target) },
			RenderFence: renderFence("Response, shortened"),
		})),
	}, &article.Data{
		Crumbs: []pages.Anchor{
			{Href: g.config.BasePath + pages.PathTools, Text: "Tools"},
			{Href: g.config.BasePath + pages.PathTools + "?category=" + markdown.Slug(t.Category), Text: t.Category},
		},
		Contents: tableOfContents(guide.Text),
		Files:    []pages.Anchor{{Href: g.config.BasePath + guide.File, Text: "View " + path.Base(guide.File) + " as plain text"}},
		Details:  facts,
		LinkLists: withLinks(article.LinkList{Title: "For", Links: g.taskLinks(t)},
			article.LinkList{Title: "Used by skills", Links: skills}, article.LinkList{Title: "Same category", Links: siblings}),
	})
}
