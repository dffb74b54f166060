package registry

import (
	"slices"
	"strings"
	"testing"

	"marketingskills/app/collection/finding/findingtest"
)

// FuzzRegistry tries any text as REGISTRY.md. Its law: either something is
// found, or every way through the registry holds: from each task to its tools,
// from each tool to its tasks, and from each category to a task.
func FuzzRegistry(f *testing.F) {
	f.Add(sampleRegistry)
	f.Add(strings.ReplaceAll(sampleRegistry, "Ring people", "Count visits"))
	f.Add(strings.ReplaceAll(sampleRegistry, "|", "\\|"))
	f.Add(strings.ReplaceAll(sampleRegistry, "counter", "../counter"))
	f.Add("## Tasks\n\n### A\n\n| Task |\n|---|\n| [x](integrations/.md) |\n")
	f.Fuzz(func(t *testing.T, source string) {
		files := sample()
		findingtest.Put(registryFile, source)(t, files)
		r, found := Load(files)
		for _, problem := range found {
			if problem.Wrong == "" || problem.Right == "" || problem.Line < 0 {
				t.Fatalf("not complete: %+v", problem)
			}
		}
		if len(found) > 0 {
			return
		}
		begun := map[string]bool{}
		for i, task := range r.Tasks {
			tools := r.Under(task)
			if len(tools) == 0 && !strings.Contains(task.First, "clis/") || task.Group == "" || task.Free == "" || task.NotWhen == "" {
				t.Fatalf("nothing does %+v", task)
			}
			if slices.ContainsFunc(r.Tasks[:i], func(other Task) bool { return other.ID() == task.ID() }) {
				t.Fatalf("%s stands twice", task.Name)
			}
			for _, tool := range tools {
				if !slices.Contains(tool.Tasks, task.Name) {
					t.Fatalf("%s does not say that it is for %s", tool.Name, task.Name)
				}
				begun[tool.Category] = begun[tool.Category] || slices.Contains(task.Begins, tool.ID)
			}
		}
		for _, tool := range r.Tools {
			if len(tool.Tasks) == 0 || !begun[tool.Category] {
				t.Fatalf("%s is for %q, and a task begins with its category: %v", tool.Name, tool.Tasks, begun[tool.Category])
			}
			for _, name := range tool.Tasks {
				if !slices.ContainsFunc(r.Tasks, func(task Task) bool { return task.Name == name }) {
					t.Fatalf("%s is for %q, which is no task", tool.Name, name)
				}
			}
		}
	})
}
