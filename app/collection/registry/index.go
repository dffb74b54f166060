package registry

import (
	"path"
	"slices"
	"strings"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/markdown"
	"marketingskills/app/collection/skill"
	"marketingskills/app/text"
)

// The marks of the index and of a guide's table.
const (
	yes = "✓"
	no  = "–"
)

// The sections of REGISTRY.md that are read; others are for readers only.
const (
	sectionIndex      = "Tool Index"
	sectionCategories = "Categories"
)

// columns are those of the index, and no others.
var columns = slices.Concat([]string{"Tool", "Category", "For"}, Ways, []string{"Guide"})

// readIndex reads the rows of the table below Tool Index.
func (l *loader) readIndex(t skill.Text, list *finding.List) {
	head, rows, _ := markdown.Table(t.Doc.Section(sectionIndex))
	if !slices.Equal(head.Cells, columns) {
		list.Errorf(0, "registry-index", "write ## "+sectionIndex+" and a table with the columns "+strings.Join(columns, " | "),
			"there is no such table")
		return
	}
	for _, b := range rows {
		if tool := l.readRow(b, list); tool != nil {
			l.registry.Tools = append(l.registry.Tools, tool)
		}
	}
	for i, tool := range l.registry.Tools[min(1, len(l.registry.Tools)):] {
		if above := l.registry.Tools[i]; strings.ToLower(tool.Name) < strings.ToLower(above.Name) {
			list.Errorf(tool.line, "registry-order", "sort the rows by name", "%s stands below %s", tool.Name, above.Name)
		}
	}
}

// readRow reads one row. It returns nil, with a finding, when the row does not say
// which guide is meant.
func (l *loader) readRow(b markdown.Block, list *finding.List) *Tool {
	if len(b.Cells) != len(columns) {
		list.Errorf(b.Line, "registry-row", "fill in "+strings.Join(columns, " | "), "the row has %s", text.Count(len(b.Cells), "cell"))
		return nil
	}
	id := ""
	for _, link := range b.Links {
		if dir, file := path.Split(link.Target); dir == "integrations/" {
			id = strings.TrimSuffix(file, ".md")
		}
	}
	switch {
	case !text.IsSkillName(id):
		list.Errorf(b.Line, "registry-row", "link the guide as [name](integrations/name.md)",
			"the row of %s has no link to a guide", text.Quote(b.Cells[0]))
		return nil
	case l.registry.Tool(id) != nil:
		list.Errorf(b.Line, "registry-row", "keep one row for each guide", "integrations/%s.md has a row already", id)
		return nil
	}
	tool := &Tool{ID: id, Name: b.Cells[0], Category: b.Cells[1], line: b.Line}
	for name := range strings.SplitSeq(b.Cells[2], ";") {
		if name = strings.TrimSpace(name); name != "" {
			tool.Tasks = append(tool.Tasks, name)
		}
	}
	if tool.Tasks == nil {
		list.Errorf(b.Line, "registry-for", "write below For the names of its tasks, with ; between them", "%s is for no task", tool.Name)
	}
	for i, way := range Ways {
		switch mark := b.Cells[3+i]; mark {
		case yes:
			tool.Ways = append(tool.Ways, way)
		case no:
		default:
			list.Errorf(b.Line, "registry-row", "write "+yes+" or "+no, "%s of %s is %s", way, tool.Name, text.Quote(mark))
		}
	}
	return tool
}

// readCategories reads the sections below Categories, and reports categories
// without a tool and tools without a category.
func (l *loader) readCategories(t skill.Text, list *finding.List) {
	for _, b := range t.Doc.Section(sectionCategories) {
		switch {
		case b.Kind == markdown.KindHeading && b.Level == 3:
			l.registry.Categories = append(l.registry.Categories, Category{Name: b.Text, line: b.Line})
		case b.Kind == markdown.KindItem && len(l.registry.Categories) > 0:
			l.registry.Categories[len(l.registry.Categories)-1].addAdvice(b.Text)
		}
	}
	for _, c := range l.registry.Categories {
		if slices.Contains(c.Advice[:], "") {
			list.Errorf(c.line, "registry-category", "give it four bullets: **"+strings.Join(AdviceLabels, "** **")+"**",
				"the category %s is not complete", text.Quote(c.Name))
		}
		if !slices.ContainsFunc(l.registry.Tools, func(t *Tool) bool { return t.Category == c.Name }) {
			list.Errorf(c.line, "registry-category", "remove the section or add a tool to the index",
				"no tool is in the category %s", text.Quote(c.Name))
		}
	}
	for _, tool := range l.registry.Tools {
		if !slices.ContainsFunc(l.registry.Categories, func(c Category) bool { return c.Name == tool.Category }) {
			list.Errorf(tool.line, "registry-category", "add ### "+tool.Category+" below ## "+sectionCategories+", or correct the row",
				"the category %s of %s has no section", text.Quote(tool.Category), tool.Name)
		}
	}
}

// AdviceLabels are the words in bold with which the bullets of a category begin.
var AdviceLabels = []string{"Use these to", "Not when:", "Free way:", "Advice:"}

// addAdvice reads one bullet of the section.
func (c *Category) addAdvice(bullet string) {
	for i, label := range AdviceLabels {
		if rest, ok := strings.CutPrefix(bullet, "**"+label+"**"); ok {
			c.Advice[i] = strings.TrimSpace(rest)
		}
	}
}
