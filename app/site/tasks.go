package site

import (
	"path"
	"slices"
	"strings"

	"marketingskills/app/collection/markdown"
	"marketingskills/app/collection/registry"
	"marketingskills/app/pages"
	"marketingskills/app/pages/catalog"
	"marketingskills/app/search"
)

// commandPages are the pages that do what commands of this project do.
var commandPages = map[string]string{
	"github-prospects": pages.PathProspects,
	"skills-upgrade":   pages.PathUpgrade,
	"verify-emails":    pages.PathVerify,
}

// taskGroups are the tasks as the page of tools begins with them.
func (g *generator) taskGroups() []catalog.TaskGroup {
	var groups []catalog.TaskGroup
	for _, t := range g.collection.Tools.Tasks {
		if len(groups) == 0 || groups[len(groups)-1].Name != t.Group {
			groups = append(groups, catalog.TaskGroup{ID: markdown.Slug(t.Group), Name: t.Group})
		}
		last := &groups[len(groups)-1]
		last.Tasks = append(last.Tasks, g.task(t))
	}
	return groups
}

func (g *generator) task(t registry.Task) catalog.Task {
	task := catalog.Task{
		ID: t.ID(), Name: t.Name, First: g.cell(t.First), Free: g.cell(t.Free), NotWhen: g.cell(t.NotWhen),
		Words: strings.Join(append(g.toolNames(t), t.Words...), " "),
	}
	for _, tool := range g.collection.Tools.Under(t) {
		task.Tools = append(task.Tools, tool.ID)
		if !slices.Contains(t.Begins, tool.ID) {
			task.Also = append(task.Also, pages.Anchor{Href: g.config.BasePath + toolPath(tool.ID), Text: tool.Name})
		}
	}
	return task
}

// cell draws a cell of the table of tasks.
func (g *generator) cell(source string) string {
	inline := strings.TrimSpace(markdown.Parse([]byte(source)).HTML(markdown.Options{
		RewriteLink: func(target string) string { return g.fileAddress(registry.Dir, target) },
	}))
	return `<p data-raw="">` + strings.TrimPrefix(inline, "<p>")
}

func (g *generator) toolNames(t registry.Task) []string {
	var names []string
	for _, tool := range g.collection.Tools.Under(t) {
		names = append(names, tool.Name)
	}
	return names
}

// taskLinks lead to the tasks of a tool.
func (g *generator) taskLinks(t *registry.Tool) []pages.Anchor {
	var links []pages.Anchor
	for _, task := range g.collection.Tools.Tasks {
		if slices.Contains(t.Tasks, task.Name) {
			links = append(links, pages.Anchor{Href: g.config.BasePath + taskPath(task), Text: task.Name})
		}
	}
	return links
}

func taskPath(t registry.Task) string { return pages.PathTools + catalog.TaskAddress(t.ID(), t.Name) }

// taskDocuments are what the search knows of the tasks.
func (g *generator) taskDocuments() []search.Document {
	var documents []search.Document
	for _, t := range g.collection.Tools.Tasks {
		d := search.Document{
			Name: catalog.TaskID(t.ID()), Title: t.Name, Category: t.Group, Keywords: t.Words, Headings: g.toolNames(t),
			Description: "First choice: " + plainText(t.First) + ". Free: " + plainText(t.Free),
		}
		for _, tool := range g.collection.Tools.Under(t) {
			if slices.Contains(t.Begins, tool.ID) {
				d.Body += tool.Category + "\n" + plainText(tool.Guide.Purpose) + "\n"
			}
		}
		documents = append(documents, d)
	}
	return documents
}

// taskEntry is one task in tools.json, toolEntry one tool. What people read is
// plain text; tools are named as in the list of tools, the first choice first.
type (
	taskEntry struct {
		Name        string   `json:"name"`
		Group       string   `json:"group"`
		FirstChoice string   `json:"first_choice"`
		FreeWay     string   `json:"free_way"`
		NotWhen     string   `json:"not_when"`
		AlsoTypedAs []string `json:"also_typed_as"`
		Tools       []string `json:"tools"`
		Page        string   `json:"page"`
	}
	toolEntry struct {
		Name     string   `json:"name"`
		Title    string   `json:"title"`
		Category string   `json:"category"`
		Purpose  string   `json:"purpose"`
		For      []string `json:"for"`
		Access   []string `json:"access"`
		Skills   []string `json:"skills"`
		Checked  string   `json:"checked"`
		Page     string   `json:"page"`
		Markdown string   `json:"markdown"`
	}
)

func (g *generator) toolsJSON() ([]byte, error) {
	tasks, tools := []taskEntry{}, []toolEntry{}
	for _, t := range g.collection.Tools.Tasks {
		e := taskEntry{
			Name: t.Name, Group: t.Group, FirstChoice: plainText(t.First), FreeWay: plainText(t.Free), NotWhen: plainText(t.NotWhen),
			AlsoTypedAs: t.Words, Tools: []string{}, Page: g.absolute(taskPath(t)),
		}
		for _, tool := range g.collection.Tools.Under(t) {
			e.Tools = append(e.Tools, tool.ID)
		}
		tasks = append(tasks, e)
	}
	for _, t := range g.collection.Tools.Tools {
		tools = append(tools, toolEntry{
			Name: t.ID, Title: t.Name, Category: t.Category, Purpose: plainText(t.Guide.Purpose), For: t.Tasks,
			Access: append([]string{}, t.Ways...), Skills: t.Guide.Skills, Checked: t.Guide.Checked,
			Page: g.absolute(toolPath(t.ID)), Markdown: g.absolute(t.Guide.File),
		})
	}
	return readableJSON(struct {
		Registry string      `json:"registry"`
		Tasks    []taskEntry `json:"tasks"`
		Tools    []toolEntry `json:"tools"`
	}{g.absolute(registry.File), tasks, tools})
}

// commandPage is the path of the page that does what a command does, given by its
// directory; "" if there is none.
func commandPage(dir string) string {
	if path.Dir(dir) != registry.CommandsDir {
		return ""
	}
	return commandPages[path.Base(dir)]
}
