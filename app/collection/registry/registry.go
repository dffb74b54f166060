// Package registry reads the registry of tools, tools/REGISTRY.md, and the
// guide of every tool below tools/integrations.
//
// [Load] checks the form of both and that they agree: each row has a guide and
// each guide a row, with the same marks, each category has a tool, and each tool
// and category a task. Links, and what every text of the collection has in common,
// are checked by package collection.
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
	// Dir is the folder of everything about tools.
	Dir = "tools"
	// File is the path of the registry, guidesDir that of the folder of guides.
	File      = Dir + "/REGISTRY.md"
	guidesDir = Dir + "/integrations"
	// CommandsDir is the folder of the project's own commands.
	CommandsDir = Dir + "/clis"
)

// Ways are the ways in which a program reaches a tool, in the order of the
// columns of the index and of the rows of a guide's table.
var Ways = []string{"API", "MCP", "CLI", "SDK"}

// Registry is what tools/ says about tools. The zero value has no tools.
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

// Category is a section of the registry. Advice has a text, as inline Markdown, for
// each of [AdviceLabels].
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
	if !l.exists(File) && !l.exists(guidesDir) {
		return l.registry, nil
	}
	l.listCommands()
	list := l.report.On(File)
	if t, ok := l.readText(File, list); ok {
		l.readTasks(t, list)
		l.readIndex(t, list)
		l.readCategories(t, list)
		l.checkAssigned(list)
	}
	l.readGuides()
	return l.registry, l.report.All()
}

type loader struct {
	fsys     fs.FS
	registry *Registry
	report   finding.Report
}

func (l *loader) exists(name string) bool {
	_, err := fs.Stat(l.fsys, name)
	return !errors.Is(err, fs.ErrNotExist)
}

func (l *loader) readText(file string, list *finding.List) (skill.Text, bool) {
	source, ok := list.ReadText(l.fsys, "add it, with a row for each guide")
	if !ok {
		return skill.Text{}, false
	}
	t := skill.NewText(file, source, 1)
	l.registry.Texts = append(l.registry.Texts, t)
	return t, true
}

// listCommands lists the project's commands. A copy of the texts alone has none.
func (l *loader) listCommands() {
	entries, _ := fs.ReadDir(l.fsys, CommandsDir)
	for _, e := range entries {
		if e.IsDir() {
			l.registry.commands = append(l.registry.commands, path.Join(CommandsDir, e.Name()))
		}
	}
}

// readGuides reads the guides, and reports guides without a row and rows without
// a guide.
func (l *loader) readGuides() {
	entries, err := fs.ReadDir(l.fsys, guidesDir)
	if err != nil {
		l.report.On(guidesDir).Errorf(0, "unreadable", "add a guide for each tool of the registry",
			"the directory cannot be listed: %v", finding.Cause(err))
	}
	for _, e := range entries {
		file := path.Join(guidesDir, e.Name())
		list := l.report.On(file)
		id, isMarkdown := strings.CutSuffix(e.Name(), ".md")
		switch {
		case !e.Type().IsRegular() || !isMarkdown || !text.IsSkillName(id):
			list.Errorf(0, "guide-name", "name guides after their tool: "+text.SkillName+", and .md", "this is not a guide")
			continue
		case l.registry.Tool(id) == nil:
			list.Errorf(0, "guide-without-row", "add the tool to the index of "+File, "the registry does not list this guide")
		}
		t, ok := l.readText(file, list)
		if !ok {
			continue
		}
		g := readGuide(t, list)
		if tool := l.registry.Tool(id); tool != nil {
			tool.Guide = g
			l.checkAgainstGuide(tool)
		}
	}
	for _, t := range l.registry.Tools {
		if !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == t.ID+".md" }) {
			l.report.On(File).Errorf(t.line, "row-without-guide", "write "+guidesDir+"/"+t.ID+".md or remove the row", "%s has no guide", t.Name)
		}
	}
}

// checkAgainstGuide checks that a row of the index agrees with its guide.
func (l *loader) checkAgainstGuide(t *Tool) {
	list := l.report.On(File)
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
