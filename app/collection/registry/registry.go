// Package registry reads the registry of tools, tools/REGISTRY.md, and the
// guide of every tool below tools/integrations.
//
// Load checks the form of both and that they agree: no row without a guide, no
// guide without a row, no mark that the guide does not support, no category
// without a tool, no tool and no category without a task. What a link needs to
// lead somewhere, and what every text of the collection has in common, package
// collection checks.
package registry

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/skill"
	"marketingskills/app/text"
)

const (
	// Dir holds everything about tools.
	Dir = "tools"
	// File is the path of the registry, guides the directory of the guides.
	File   = Dir + "/REGISTRY.md"
	guides = Dir + "/integrations"
	// Commands is the directory of the project's own commands.
	Commands = Dir + "/clis"
)

// Ways are the ways in which a program reaches a tool, in the order of the
// columns of the index and of the rows of a guide's table.
var Ways = []string{"API", "MCP", "CLI", "SDK"}

// Registry is what tools/ says about tools. The zero value has none.
type Registry struct {
	// Tasks stand in the order of the file, those of a group together.
	Tasks []Task
	// Tools stand in the order of the index, by name.
	Tools []*Tool
	// Categories stand in the order of their sections.
	Categories []Category
	// Texts are REGISTRY.md and the guides, those that could be read; their
	// files are paths from the root of the collection.
	Texts []skill.Text

	commands []string // directories, as paths from the root
}

// Tool is a row of the index and its guide.
type Tool struct {
	// ID is the name of the guide's file without .md, and the tool's address.
	ID string
	// Name is the tool's name as its vendor writes it.
	Name     string
	Category string
	// Tasks are the names of those that it is for.
	Tasks []string
	// Ways are those of [Ways] that the index marks.
	Ways []string
	// Guide is empty when it could not be read, which is a finding.
	Guide Guide

	line int
}

// Category is a section of the registry. Advice says what its tools are good for,
// under each of [Labels], as inline Markdown.
type Category struct {
	Name   string
	Advice [4]string
	line   int
}

// Tool returns the tool with that ID, nil when there is none.
func (r *Registry) Tool(id string) *Tool {
	i := slices.IndexFunc(r.Tools, func(t *Tool) bool { return t.ID == id })
	if i < 0 {
		return nil
	}
	return r.Tools[i]
}

// Text returns the text of a file, given by its path from the root.
func (r *Registry) Text(file string) (t skill.Text, ok bool) {
	i := slices.IndexFunc(r.Texts, func(t skill.Text) bool { return t.File == file })
	if i < 0 {
		return skill.Text{}, false
	}
	return r.Texts[i], true
}

// HasCommand tells whether the project has a command in that directory, given by
// its path from the root: "tools/clis/verify-emails".
func (r *Registry) HasCommand(dir string) bool { return slices.Contains(r.commands, dir) }

// For returns the tools whose guides name the skill, in the order of the
// index.
func (r *Registry) For(name string) []*Tool {
	var tools []*Tool
	for _, t := range r.Tools {
		if slices.Contains(t.Guide.Skills, name) {
			tools = append(tools, t)
		}
	}
	return tools
}

// Load reads the registry of the collection whose root fsys is. A collection
// with neither registry nor guides has none, and nothing is wrong with that.
func Load(fsys fs.FS) (*Registry, []finding.Finding) {
	l := &loader{fsys: fsys, registry: &Registry{}}
	if !l.has(File) && !l.has(guides) {
		return l.registry, nil
	}
	l.ownCommands()
	list := l.On(File)
	if t, ok := l.read(File, list); ok {
		l.tasks(t, list)
		l.index(t, list)
		l.categories(t, list)
		l.assigned(list)
	}
	l.guides()
	return l.registry, l.All()
}

type loader struct {
	fsys     fs.FS
	registry *Registry
	finding.Report
}

func (l *loader) has(name string) bool {
	_, err := fs.Stat(l.fsys, name)
	return !errors.Is(err, fs.ErrNotExist)
}

func (l *loader) read(file string, list *finding.List) (skill.Text, bool) {
	source, ok := list.ReadText(l.fsys, "add it, with a row for each guide")
	if !ok {
		return skill.Text{}, false
	}
	t := skill.NewText(file, source, 1)
	l.registry.Texts = append(l.registry.Texts, t)
	return t, true
}

// ownCommands lists the project's commands. A copy of the texts alone has none.
func (l *loader) ownCommands() {
	entries, _ := fs.ReadDir(l.fsys, Commands)
	for _, e := range entries {
		if e.IsDir() {
			l.registry.commands = append(l.registry.commands, path.Join(Commands, e.Name()))
		}
	}
}

// guides reads the guide of every row, and reports those without a row.
func (l *loader) guides() {
	entries, err := fs.ReadDir(l.fsys, guides)
	if err != nil {
		l.On(guides).Errorf(0, "unreadable", "add a guide for each tool of the registry",
			"the directory cannot be listed: %v", finding.Cause(err))
	}
	for _, e := range entries {
		file := path.Join(guides, e.Name())
		list := l.On(file)
		id, isMarkdown := strings.CutSuffix(e.Name(), ".md")
		switch {
		case !e.Type().IsRegular() || !isMarkdown || !text.IsSkillName(id):
			list.Errorf(0, "guide-name", "name guides after their tool: "+text.SkillName+", and .md", "this is not a guide")
			continue
		case l.registry.Tool(id) == nil:
			list.Errorf(0, "guide-without-row", "add the tool to the index of "+File, "the registry does not list this guide")
		}
		t, ok := l.read(file, list)
		if !ok {
			continue
		}
		g := readGuide(t, list)
		if tool := l.registry.Tool(id); tool != nil {
			tool.Guide = g
			l.compare(tool)
		}
	}
	for _, t := range l.registry.Tools {
		if !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == t.ID+".md" }) {
			l.On(File).Errorf(t.line, "row-without-guide", "write "+guides+"/"+t.ID+".md or remove the row", "%s has no guide", t.Name)
		}
	}
}

// compare holds a row of the index against its guide.
func (l *loader) compare(t *Tool) {
	list := l.On(File)
	if t.Guide.Title != "" && t.Guide.Title != t.Name {
		list.Errorf(t.line, "guide-differs", "write the name as the vendor does, in both",
			"the row says %s, the title of its guide %s", text.Quote(t.Name), text.Quote(t.Guide.Title))
	}
	if len(t.Guide.Access) == 0 {
		return
	}
	for _, way := range Ways {
		marked := slices.Contains(t.Ways, way)
		if supported := t.Guide.supports(way); marked != supported {
			says := map[bool]string{true: yes, false: no}
			list.Errorf(t.line, "guide-differs", "correct the one that is wrong",
				"%s of %s is %s here and %s in its guide", way, t.Name, says[marked], says[supported])
		}
	}
}
