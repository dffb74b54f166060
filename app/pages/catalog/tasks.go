package catalog

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/pages"
	"marketingskills/app/search"
	"marketingskills/app/text"
	"marketingskills/app/ui"
)

// TaskGroup is tasks of one kind. ID is its form in addresses.
type TaskGroup struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Tasks []Task `json:"tasks"`
}

// Task is a job, and what does it. First, Free and NotWhen are safe HTML, an
// element each.
type Task struct {
	// ID is its form in addresses; see [TaskID].
	ID      string `json:"id"`
	Name    string `json:"name"`
	First   string `json:"first"`
	Free    string `json:"free"`
	NotWhen string `json:"not_when"`
	// Tools are the cards' names of all tools for it, Also links to those of them
	// that First and Free do not name.
	Tools []string       `json:"tools"`
	Also  []pages.Anchor `json:"also,omitempty"`
	// Words are what it is looked for by, beside its name.
	Words string `json:"words"`
}

// TaskAddress is what follows the path of a page in the address of one of its
// tasks: a query, for those who can filter, and the place in the whole list.
func TaskAddress(id, name string) string {
	return "?" + request{Text: name}.encode() + "#" + TaskID(id)
}

// TaskID is the name of a task in the index, and of its place on the page.
func TaskID(id string) string { return "task-" + id }

func taskGroupID(id string) string { return "tasks-" + id }

// taskView is the tasks of one group that are shown; those that are ranked are
// one group without.
type taskView struct {
	group TaskGroup
	// names are what to mark in the names of the group's tasks.
	names [][]ui.Range
}

// Of the tasks that are found for words, the best few are shown, and as many as
// maxTasks with a share of the best one's score: others only share a word.
const (
	fewTasks  = 3
	maxTasks  = 8
	nearShare = 0.3
)

// tasksOf decides which tasks to show. Nobody asks for a job in exactly the words
// that stand here, as with a name: without an index, those are right that have
// most of them. Words of one or two characters count only if there are no
// others. The rule is that of web/js/page.js.
func (d *Data) tasksOf(r request, index *search.Index) []taskView {
	words := wordsOf(r.Text)
	if len(words) > 0 && index != nil {
		return d.rankedTasks(r, index.Search(r.Text, ""))
	}
	if long := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return utf8.RuneCountInString(w) < 3 }); len(long) > 0 {
		words = long
	}
	most := 0
	var views []taskView
	for _, g := range d.Tasks {
		all := g.Tasks
		g.Tasks = nil
		for _, t := range all {
			if !d.serves(r, t) {
				continue
			}
			n := t.begins(words)
			if n > most {
				most, views, g.Tasks = n, nil, nil
			}
			if len(words) == 0 || n == most && n > 0 {
				g.Tasks = append(g.Tasks, t)
			}
		}
		if len(g.Tasks) > 0 {
			views = append(views, taskView{group: g, names: make([][]ui.Range, len(g.Tasks))})
		}
	}
	return views
}

// begins counts the words that begin a word of the task.
func (t Task) begins(words []string) int {
	hay := " " + lower(t.Name+" "+t.Words)
	n := 0
	for _, w := range words {
		if strings.Contains(hay, " "+w) {
			n++
		}
	}
	return n
}

// serves tells whether a task has a tool that passes the filters.
func (d *Data) serves(r request, t Task) bool {
	if r.Category == "" && r.Way == "" && r.Skill == "" {
		return true
	}
	return slices.ContainsFunc(d.Cards, func(c Card) bool {
		return slices.Contains(t.Tools, c.Name) && (r.Category == "" || c.CategoryID == r.Category) && r.fits(c)
	})
}

func (d *Data) rankedTasks(r request, result search.Result) []taskView {
	var v taskView
	for _, h := range result.Hits {
		if n := len(v.names); n == maxTasks || n >= fewTasks && h.Score < nearShare*result.Hits[0].Score {
			break
		}
		for _, g := range d.Tasks {
			i := slices.IndexFunc(g.Tasks, func(t Task) bool { return TaskID(t.ID) == h.Name })
			if i >= 0 && d.serves(r, g.Tasks[i]) {
				v.group.Tasks, v.names = append(v.group.Tasks, g.Tasks[i]), append(v.names, ranges(h.TitleMarks))
			}
		}
	}
	if len(v.names) == 0 {
		return nil
	}
	return []taskView{v}
}

// under keeps the cards of the tools for tasks.
func under(cards []Card, tasks []taskView) []Card {
	var names []string
	for _, v := range tasks {
		for _, t := range v.group.Tasks {
			names = append(names, t.Tools...)
		}
	}
	return slices.DeleteFunc(slices.Clone(cards), func(c Card) bool { return !slices.Contains(names, c.Name) })
}

// counted says how many tasks and cards are shown.
func (d *Data) counted(tasks []taskView, cards int) string {
	n := 0
	for _, v := range tasks {
		n += len(v.group.Tasks)
	}
	switch {
	case n == 0:
		return d.count(cards)
	case cards == 0:
		return text.Count(n, "task")
	}
	return text.Count(n, "task") + ", " + d.count(cards)
}

// hiddenIf hides an element. In a file, an attribute hides whatever its value.
func hiddenIf[E interface{ Hidden(bool) E }](hidden bool, element E) E {
	if hidden {
		return element.Hidden(true)
	}
	return element
}

// drawTasks draws what stands above the list: nothing where there are no tasks.
func drawTasks(views []taskView) app.UI {
	tables := make([]app.UI, 0, len(views))
	for _, v := range views {
		tables = append(tables, taskTable(v))
	}
	return hiddenIf(len(views) == 0, app.Div().ID("tasks").Class("Tasks").Body(tables...))
}

func taskTable(v taskView) app.UI {
	title, table := v.group.Name, app.Table().Class("Tasks-group")
	if title == "" {
		title = "Tasks"
	} else {
		table = table.ID(ui.Attr(taskGroupID(v.group.ID)))
	}
	rows := make([]app.UI, 0, len(v.group.Tasks))
	for i, t := range v.group.Tasks {
		rows = append(rows, taskRow(t, v.names[i]))
	}
	return table.Body(
		app.THead().Body(app.Tr().Body(
			app.Th().Scope("col").Body(app.H2().Class("Tasks-title").Text(title)),
			app.Th().Scope("col").Text(firstChoice),
			app.Th().Scope("col").Text(freeWay),
			app.Th().Scope("col").Text(notWhen),
		)),
		app.TBody().Body(rows...),
	)
}

// The columns beside the task. On a narrow screen they stand before each cell.
const (
	firstChoice = "First choice"
	freeWay     = "Free way"
	notWhen     = "Not when"
)

func taskRow(t Task, marks []ui.Range) app.UI {
	first := []app.UI{app.Raw(t.First)}
	if len(t.Also) > 0 {
		first = append(first, inLine("Task-also", "Also: ", t.Also))
	}
	cell := func(label string, inside ...app.UI) app.UI {
		return app.Td().Body(ui.Span("Task-label", label), app.Div().Body(inside...))
	}
	return app.Tr().Class("Task").ID(ui.Attr(TaskID(t.ID))).Body(
		app.Th().Scope("row").Body(ui.Marked(t.Name, marks)...),
		cell(firstChoice, first...),
		cell(freeWay, app.Raw(t.Free)),
		cell(notWhen, app.Raw(t.NotWhen)),
	)
}

// inLine is links behind a word, in one paragraph. Those within the page lead to
// its fragment, too, when it shows something else by then.
func inLine(class, word string, links []pages.Anchor) app.UI {
	parts := []app.UI{ui.Span("", word)}
	for i, a := range links {
		if i > 0 {
			parts = append(parts, ui.Span("", " · "))
		}
		parts = append(parts, ui.Link(a.Href, a.Text).DataSet("arrives", "here"))
	}
	return app.P().Class(class).Body(parts...)
}

// drawGroups draws links to the groups of tasks that are shown.
func drawGroups(views []taskView) app.UI {
	links := make([]app.UI, 0, len(views))
	for _, v := range views {
		if v.group.ID != "" {
			links = append(links, app.Li().Body(app.A().Class("Shelf").Attr("href", ui.Attr("#"+taskGroupID(v.group.ID))).Body(
				ui.Span("", v.group.Name), ui.Span("Shelf-count", fmt.Sprint(len(v.group.Tasks))),
			)))
		}
	}
	return hiddenIf(len(links) == 0, app.Nav().ID("groups").Aria("label", "Tasks").Body(
		app.H2().Class("Label").Text("Tasks"), app.Ul().Class("Shelves-list").Body(links...),
	))
}
