package site

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"marketingskills/app/collection"
	"marketingskills/app/pages"
	"marketingskills/app/pages/article"
	"marketingskills/app/text"
	"marketingskills/app/ui"
)

func (g *generator) referenceLinks(s *collection.Skill) []pages.Anchor {
	var links []pages.Anchor
	for _, t := range s.References() {
		links = append(links, pages.Anchor{Href: g.config.BasePath + referencePath(s.Dir, t.File), Text: t.Title})
	}
	return links
}

func referencePath(dir, file string) string {
	return skillPath(dir) + strings.TrimSuffix(path.Base(file), ".md") + "/"
}

// referencePage is the page of a reference.
func (g *generator) referencePage(s *collection.Skill, t collection.Text) (*pages.Page, error) {
	at := referencePath(s.Dir, t.File)
	siblings := slices.DeleteFunc(g.referenceLinks(s), func(l pages.Anchor) bool { return l.Href == g.config.BasePath+at })
	return newPage(g, pages.Page{
		Kind:          pages.KindReference,
		Path:          at,
		Title:         t.Title,
		DocumentTitle: t.Title + " · " + s.Title + " · Marketing Skills",
		Description:   referenceDescription(t, s),
		Markup:        articleElement(t.Doc.HTML(g.renderOptions(s, t.File, ""))),
	}, &article.Data{
		Crumbs: []pages.Anchor{
			{Href: g.config.BasePath, Text: "Catalog"},
			{Href: g.skillAddress(s.Dir), Text: s.Title},
		},
		Contents: tableOfContents(t),
		Files:    []pages.Anchor{{Href: g.config.BasePath + skillPath(s.Dir) + t.File, Text: "View " + path.Base(t.File) + " as plain text"}},
		Details: []ui.Property{
			{Name: "Loaded when opened", Value: "about " + aboutTokens(t.Body) + " tokens"},
			{Name: "Length", Value: text.Number(wordCount(t)) + " words"},
		},
		LinkLists: withLinks(
			article.LinkList{Title: "Part of", Links: []pages.Anchor{g.skillLink(s.Dir)}},
			article.LinkList{Title: "Other references", Links: siblings},
		),
	})
}

// referenceDescription describes a reference to search engines by its first words.
func referenceDescription(t collection.Text, s *collection.Skill) string {
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
