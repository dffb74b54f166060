package site

import (
	"os"
	"strings"
	"testing"

	"marketingskills/app/search"
	"marketingskills/app/search/relevance"
)

// TestTaskRelevance tries jobs in strangers' words on the index of tasks, and on
// that of tools: what the right task begins with has to be found as well.
func TestTaskRelevance(t *testing.T) {
	g := &generator{collection: load(t, content)}
	var tasks, tools []string
	begins := map[string][]string{}
	for _, task := range g.collection.Tools.Tasks {
		tasks = append(tasks, task.ID())
		begins[task.ID()] = task.Begins
	}
	for _, tool := range g.collection.Tools.Tools {
		tools = append(tools, tool.ID)
	}
	findTask, findTool := finder(t, g.taskDocuments()), finder(t, g.toolDocuments())
	for _, list := range []struct {
		name             string
		tuned            bool
		first, firstFew  float64
		toolFirst, tools float64
	}{
		{"tasks.txt", true, 90, 99, 85, 95},
		{"tasks-held.txt", false, 65, 90, 65, 85},
	} {
		cases, err := relevance.Load(os.DirFS("../search/testdata"), list.name)
		if err != nil {
			t.Fatal(err)
		}
		report := func(what string, r relevance.Report, first, firstFew float64) {
			t.Logf("%s, %s: %s", list.name, what, r)
			for _, m := range r.Missed {
				if list.tuned {
					t.Logf("line %d: %q: want %v, got %v", m.Line, m.Query, m.Expect, m.Got)
				}
			}
			if !r.Reaches(first, firstFew) {
				t.Errorf("%s, %s: want right first ≥ %g%%, in the first three ≥ %g%%", list.name, what, first, firstFew)
			}
		}
		report("tasks", relevance.Run(findTask, tasks, cases), list.first, list.firstFew)
		for i, c := range cases {
			cases[i].Expect = nil
			for _, task := range c.Expect {
				cases[i].Expect = append(cases[i].Expect, begins[task]...)
			}
		}
		report("tools", relevance.Run(findTool, tools, cases), list.toolFirst, list.tools)
	}
}

func finder(t *testing.T, documents []search.Document) func(query string) []string {
	t.Helper()
	data, err := search.Compile(documents)
	if err != nil {
		t.Fatal(err)
	}
	index, err := search.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return func(query string) []string {
		var names []string
		for _, h := range index.Search(query, "").Hits {
			names = append(names, strings.TrimPrefix(h.Name, "task-"))
		}
		return names
	}
}
