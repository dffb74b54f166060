package registry

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/markdown"
	"marketingskills/app/collection/skill"
	"marketingskills/app/text"
)

// Task is a job that somebody wants done, in their words, and what does it.
type Task struct {
	Name string
	// Group is the heading that its table stands below.
	Group string
	// First is what to use, Free the way without paying for a tool, and NotWhen
	// when to leave it, as inline Markdown.
	First, Free, NotWhen string
	// Words are other ways to ask for the job.
	Words []string
	// Begins are the IDs of the tools that First and Free link, in their order.
	Begins []string

	line int
}

// ID is the task's name as a part of an address.
func (t Task) ID() string { return markdown.Slug(t.Name) }

// Under returns the tools for a task: those it begins with, then the others in
// the order of the index.
func (r *Registry) Under(task Task) []*Tool {
	var tools []*Tool
	for _, id := range task.Begins {
		if t := r.Tool(id); t != nil {
			tools = append(tools, t)
		}
	}
	for _, t := range r.Tools {
		if slices.Contains(t.Tasks, task.Name) && !slices.Contains(tools, t) {
			tools = append(tools, t)
		}
	}
	return tools
}

const sectionTasks = "Tasks"

var taskColumns = []string{"Task", "First choice", "Free way", "Not when", "Also typed as"}

// linkRight says what First and Free may link.
const linkRight = "link a guide as [name](integrations/name.md), or a command as [name](clis/name/)"

// The most characters that a task may have: who looks for one reads dozens, each
// with one look.
const (
	maxTaskName = 45
	maxTaskCell = 100
	maxTaskWord = 50
)

// readTasks reads the tables below Tasks, each below the heading of a group.
func (l *loader) readTasks(t skill.Text, list *finding.List) {
	first := slices.IndexFunc(t.Doc.Headings, func(h markdown.Heading) bool { return h.Level == 2 })
	if first < 0 || t.Doc.Headings[first].Text != sectionTasks {
		list.Errorf(0, "registry-tasks", "let ## "+sectionTasks+" be the first section", "the registry does not begin with its tasks")
		return
	}
	const right = "write ### and the group, then a table with the columns "
	group, line, read := "", t.Doc.Headings[first].Line, true
	wanted := func() {
		if !read {
			list.Errorf(line, "registry-tasks", right+strings.Join(taskColumns, " | "), "there are no tasks in the group %s", text.Quote(group))
		}
	}
	columns := false
	for _, b := range t.Doc.Section(sectionTasks) {
		switch b.Kind {
		case markdown.KindHeading:
			wanted()
			group, line, read, columns = b.Text, b.Line, false, false
		case markdown.KindTableHead:
			if columns = slices.Equal(b.Cells, taskColumns); !columns || group == "" {
				list.Errorf(b.Line, "registry-tasks", right+strings.Join(taskColumns, " | "), "this is no table of tasks")
				read = true
			}
		case markdown.KindTableRow:
			if columns {
				read = true
				l.readTask(b, group, list)
			}
		}
	}
	wanted()
	l.repeated(list)
}

// readTask reads one row.
func (l *loader) readTask(b markdown.Block, group string, list *finding.List) {
	if len(b.Cells) != len(taskColumns) || slices.Contains(b.Cells, "") {
		list.Errorf(b.Line, "registry-task", "fill in "+strings.Join(taskColumns, " | "), "the row is not complete")
		return
	}
	t := Task{Name: b.Cells[0], Group: group, First: b.Cells[1], Free: b.Cells[2], NotWhen: b.Cells[3], line: b.Line}
	for word := range strings.SplitSeq(b.Cells[4], ";") {
		t.Words = append(t.Words, strings.TrimSpace(word))
	}
	for i, cell := range b.Cells[:4] {
		most := maxTaskCell
		if i == 0 {
			most = maxTaskName
		}
		l.short(words(cell), most, b.Line, list)
	}
	for _, word := range t.Words {
		l.short(word, maxTaskWord, b.Line, list)
	}
	tools, commands := l.begins(t.First, b.Line, list)
	if tools == nil && commands == 0 {
		list.Errorf(b.Line, "registry-task", linkRight,
			"the first choice of %s links nothing", text.Quote(t.Name))
	}
	free, _ := l.begins(t.Free, b.Line, list)
	for _, id := range append(tools, free...) {
		if !slices.Contains(t.Begins, id) {
			t.Begins = append(t.Begins, id)
		}
	}
	l.registry.Tasks = append(l.registry.Tasks, t)
}

// words are the words of inline Markdown.
func words(cell string) string { return strings.TrimSpace(markdown.Parse([]byte(cell)).Text()) }

func (l *loader) short(words string, most, line int, list *finding.List) {
	if n := utf8.RuneCountInString(words); n == 0 || n > most {
		list.Errorf(line, "registry-task", fmt.Sprintf("write 1 to %d characters", most), "%s has %d", text.Quote(words), n)
	}
}

// begins returns the guides that a cell links, and how many commands.
func (l *loader) begins(cell string, line int, list *finding.List) (tools []string, commands int) {
	for _, link := range markdown.Parse([]byte(cell)).Links {
		file := path.Join(Dir, link.Target)
		switch id, isGuide := strings.CutSuffix(path.Base(file), ".md"); {
		case isGuide && path.Dir(file) == guidesDir:
			tools = append(tools, id)
		case l.registry.HasCommand(file):
			commands++
		default:
			list.Errorf(line, "registry-task", linkRight,
				"%s is neither a guide nor a command of this project", text.Quote(link.Target))
		}
	}
	return tools, commands
}

// repeated reports names and words that lead to two tasks, or twice to one.
func (l *loader) repeated(list *finding.List) {
	owner := map[string]string{}
	for _, t := range l.registry.Tasks {
		for _, name := range append([]string{t.Name}, t.Words...) {
			id := markdown.Slug(name)
			if other, taken := owner[id]; taken {
				list.Errorf(t.line, "registry-task-repeated", "keep it where it fits best", "%s stands at the task %s already",
					text.Quote(name), text.Quote(other))
				continue
			}
			owner[id] = t.Name
		}
	}
}

// checkAssigned holds the tasks and the index against each other: no tool and no
// category is left out, and who comes from a tool finds its tasks.
func (l *loader) checkAssigned(list *finding.List) {
	if len(l.registry.Tasks) == 0 || len(l.registry.Tools) == 0 {
		return
	}
	var names []string
	first := map[string]bool{} // the tools that tasks begin with
	for _, task := range l.registry.Tasks {
		names = append(names, task.Name)
		for _, id := range task.Begins {
			first[id] = true
			if t := l.registry.Tool(id); t == nil {
				list.Errorf(task.line, "registry-task", "add it to the index, or correct the link",
					"the task %s links %s, which the index does not have", text.Quote(task.Name), text.Quote(id))
			} else if !slices.Contains(t.Tasks, task.Name) {
				list.Errorf(t.line, "registry-for", "write "+text.Quote(task.Name)+" below For",
					"the task begins with %s, whose row does not say so", t.Name)
			}
		}
	}
	of := map[string][]*Tool{}
	for _, t := range l.registry.Tools {
		of[t.Category] = append(of[t.Category], t)
		for _, name := range t.Tasks {
			if !slices.Contains(names, name) {
				right := "name tasks as ## " + sectionTasks + " does, with ; between them"
				if near := text.Nearest(name, names, 3); near != "" {
					right = "did you mean " + text.Quote(near) + "?"
				}
				list.Errorf(t.line, "registry-for", right, "there is no task %s", text.Quote(name))
			}
		}
	}
	for _, c := range l.registry.Categories {
		tools := of[c.Name] // none is a finding of its own
		if len(tools) > 0 && !slices.ContainsFunc(tools, func(t *Tool) bool { return first[t.ID] }) {
			list.Errorf(c.line, "registry-for", "link one of its tools as first choice or free way of a task",
				"no task begins with a tool of the category %s", text.Quote(c.Name))
		}
	}
}
