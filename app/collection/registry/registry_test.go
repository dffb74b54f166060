package registry

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"marketingskills/app/collection/finding/findingtest"
)

// The sample is a registry in order: two tools in two categories, for two tasks.
// Each test breaks one thing in it.
const (
	sampleRegistry = `# Tools

## Tasks

### Everything

| Task | First choice | Free way | Not when | Also typed as |
| --- | --- | --- | --- | --- |
| Count visits | [Counter](integrations/counter.md) | [tally](clis/tally/) counts a log. | A guess does. | visitors; how many people |
| Ring people | [Buzzer](integrations/buzzer.md) or [Counter](integrations/counter.md) | Knock. | They sleep. | wake somebody |

## Tool Index

| Tool | Category | For | API | MCP | CLI | SDK | Guide |
| --- | --- | --- | --- | --- | --- | --- | --- |
| Buzzer | Messages | Ring people; Count visits | – | – | – | – | [buzzer](integrations/buzzer.md) |
| Counter | Numbers | Count visits; Ring people | ✓ | – | ✓ | ✓ | [counter](integrations/counter.md) |

## Categories

### Messages

- **Use these to** write to people who asked.
- **Not when:** they did not.
- **Free way:** write yourself.
- **Advice:** send one to yourself first.

### Numbers

- **Use these to** count something.
- **Not when:** a guess does.
- **Free way:** a tally.
- **Advice:** read first.
`
	sampleGuide = `# Counter

Counts what visitors do.

**Not for:** people by name.

` + "```sh\ncurl -H \"X-Key: $COUNTER_KEY\" https://counter.example/v1/me\n```" + `

## Access

| Way | Mark | Details |
| --- | --- | --- |
| API | ✓ | [reference](https://counter.example/docs) |
| MCP | – | none |
| CLI | ✓ | ` + "`vendors counter`" + ` |
| SDK | ✓ | [Go](https://counter.example/go) |

## Authentication

A key.

## Operations

### Read the account
### Count visits
### Count pages
### List sites
### Add a site

FILLER

## Limits and errors

Ten a second.

## Data and terms

None.

## Cost

Free.

## Without it

Count by hand.

## Recipes

None.

## Skills

- [analytics](../../skills/analytics/SKILL.md): to count.

## Version

API 1. Checked on 2026-11-22.

## Sources

- [Limits](https://counter.example/limits), 2026-10: requests a second.
- [Prices](https://counter.example/prices), 2026-11: class of cost.
`
	registryFile = "tools/REGISTRY.md"
	counter      = "tools/integrations/counter.md"
	buzzer       = "tools/integrations/buzzer.md"
)

var filler = strings.Repeat("Plain words say what happens here. ", 60)

func sample() fstest.MapFS {
	guide := strings.Replace(sampleGuide, "FILLER", filler, 1)
	byHand := strings.NewReplacer("# Counter", "# Buzzer", "✓", "–", "### Count pages\n### List sites\n### Add a site\n", "").Replace(guide)
	files := fstest.MapFS{"tools/clis/tally/main.go": {}}
	for name, text := range map[string]string{registryFile: sampleRegistry, counter: guide, buzzer: byHand} {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

var put, remove, replace = findingtest.Put, findingtest.Remove, findingtest.Replace

func TestSample(t *testing.T) {
	r, found := Load(sample())
	findingtest.Expect(t, found)
	tool := r.Tool("counter")
	if len(r.Tools) != 2 || len(r.Texts) != 3 || tool == nil || r.Tool("other") != nil {
		t.Fatalf("got %+v", r)
	}
	if len(r.Tasks) != 2 || r.Tasks[1].Name != "Ring people" || r.Tasks[1].ID() != "ring-people" || r.Tasks[1].Group != "Everything" ||
		r.Tasks[0].Free != "[tally](clis/tally/) counts a log." || !slices.Equal(r.Tasks[0].Words, []string{"visitors", "how many people"}) {
		t.Errorf("got %+v", r.Tasks)
	}
	for i, want := range []string{"counter buzzer", "buzzer counter"} {
		if got := ids(r.Under(r.Tasks[i])); got != want {
			t.Errorf("for %s: %s, want %s", r.Tasks[i].Name, got, want)
		}
	}
	if !r.HasCommand("tools/clis/tally") || r.HasCommand("tools/clis") {
		t.Error("there is one command, tally")
	}
	g := tool.Guide
	if tool.Name != "Counter" || tool.Category != "Numbers" || !slices.Equal(tool.Ways, []string{"API", "CLI", "SDK"}) ||
		g.Purpose != "Counts what visitors do." || g.NotFor != "people by name." || g.Checked != "2026-11-22" ||
		!slices.Equal(g.Skills, []string{"analytics"}) || len(g.Access) != 4 || g.Access[2].Details != "`vendors counter`" ||
		len(g.Sources) != 2 || g.Sources[0].URL != "https://counter.example/limits" || g.Sources[0].Read != "2026-10" {
		t.Errorf("got %+v", tool)
	}
	if c := r.Categories; len(c) != 2 || c[1].Name != "Numbers" ||
		c[1].Advice != [4]string{"count something.", "a guess does.", "a tally.", "read first."} {
		t.Errorf("got %+v", c)
	}
	if tools := r.For("analytics"); len(tools) != 2 || tools[0].ID != "buzzer" || r.For("ads") != nil {
		t.Errorf("got %v", tools)
	}
	if r, found := Load(fstest.MapFS{"tools/clis/main.go": {}}); len(r.Tools) != 0 || len(found) != 0 {
		t.Errorf("without a registry: %+v, %v", r, found)
	}
}

func ids(tools []*Tool) string {
	var all []string
	for _, t := range tools {
		all = append(all, t.ID)
	}
	return strings.Join(all, " ")
}

func TestBroken(t *testing.T) {
	const (
		tasks = registryFile + ":9 "  // Count visits
		rows  = registryFile + ":17 " // Counter

		limits     = "- [Limits](https://counter.example/limits), 2026-10: requests a second.\n"
		prices     = "- [Prices](https://counter.example/prices), 2026-11: class of cost.\n"
		limitsLine = counter + ":64 guide-sources"
		pricesLine = counter + ":65 guide-sources"
	)
	// withoutCounter is what follows from a row of Counter that cannot be read.
	withoutCounter := []string{counter + " guide-without-row", registryFile + ":28 registry-category",
		tasks + "registry-task", registryFile + ":10 registry-task"}
	for _, c := range []struct {
		name   string
		change findingtest.Change
		want   []string
	}{
		{"no registry", remove(registryFile), []string{registryFile + " unreadable", counter + " guide-without-row", buzzer + " guide-without-row"}},
		{"no guides", remove(counter, buzzer), []string{"tools/integrations unreadable", registryFile + ":16 row-without-guide", rows + "row-without-guide"}},
		{"other columns", replace(registryFile, "| SDK | Guide |", "| Guide | SDK |"),
			[]string{registryFile + " registry-index", counter + " guide-without-row", buzzer + " guide-without-row",
				registryFile + ":21 registry-category", registryFile + ":28 registry-category"}},
		{"cell missing", replace(registryFile, "| Counter | Numbers |", "| Counter |"),
			append([]string{rows + "registry-row"}, withoutCounter...)},
		{"no link", replace(registryFile, "[counter](integrations/counter.md)", "counter"),
			append([]string{rows + "registry-row"}, withoutCounter...)},
		{"twice", replace(registryFile, "[counter](integrations/counter.md)", "[buzzer](integrations/buzzer.md)"),
			append([]string{rows + "registry-row"}, withoutCounter...)},
		{"other mark", replace(registryFile, "Ring people | ✓ |", "Ring people | yes |"), []string{rows + "registry-row", rows + "guide-differs"}},
		{"order", replace(registryFile, "| Counter |", "| Abacus |").Then(replace(counter, "# Counter", "# Abacus")), []string{rows + "registry-order"}},
		{"category without a section", replace(registryFile, "| Numbers |", "| Figures |"),
			[]string{rows + "registry-category", registryFile + ":28 registry-category"}},
		{"category without a bullet", replace(registryFile, "- **Advice:** read first.\n", ""), []string{registryFile + ":28 registry-category"}},
		{"row without a guide", remove(counter), []string{rows + "row-without-guide"}},
		{"guide without a row", put("tools/integrations/other.md", string(sample()[buzzer].Data)), []string{"tools/integrations/other.md guide-without-row"}},
		{"not a guide", put("tools/integrations/Notes.txt", ""), []string{"tools/integrations/Notes.txt guide-name"}},
		{"other name", replace(counter, "# Counter", "# Abacus"), []string{rows + "guide-differs"}},
		{"mark without support", replace(registryFile, "| ✓ | – | ✓ | ✓ |", "| ✓ | ✓ | ✓ | ✓ |"), []string{rows + "guide-differs"}},
		{"support without a mark", replace(registryFile, "| ✓ | – | ✓ | ✓ |", "| ✓ | – | – | ✓ |"), []string{rows + "guide-differs"}},

		{"no tasks", replace(registryFile, "## Tasks", "## Jobs"), []string{registryFile + " registry-tasks"}},
		{"tasks after the index", replace(registryFile, "# Tools\n", "# Tools\n\n## More\n\nWords.\n"), []string{registryFile + " registry-tasks"}},
		{"tasks without a group", replace(registryFile, "### Everything\n", ""), []string{registryFile + ":6 registry-tasks"}},
		{"a group without tasks", replace(registryFile, "### Everything", "### Nothing\n\n### Everything"), []string{registryFile + ":5 registry-tasks"}},
		{"other columns of tasks", replace(registryFile, "| Not when |", "| When |"), []string{registryFile + ":7 registry-tasks"}},
		{"a task not complete", replace(registryFile, "| They sleep. |", "| |"), []string{registryFile + ":10 registry-task",
			registryFile + ":16 registry-for", rows + "registry-for", registryFile + ":21 registry-for"}},
		{"a cell too many", replace(registryFile, "| They sleep. |", "| They sleep. | They do. |"), []string{registryFile + ":10 registry-task",
			registryFile + ":16 registry-for", rows + "registry-for", registryFile + ":21 registry-for"}},
		{"a long cell", replace(registryFile, "A guess does.", strings.Repeat("long ", 21)), []string{tasks + "registry-task"}},
		{"a long link is not long", replace(registryFile, "Knock.", "[Knock](clis/tally/"+strings.Repeat("../tally/", 20)+")."), nil},
		{"long words", replace(registryFile, "how many people", strings.Repeat("many ", 11)), []string{tasks + "registry-task"}},
		{"words left out", replace(registryFile, "visitors; how", "visitors; ; how"), []string{tasks + "registry-task"}},
		{"nothing to begin with", replace(registryFile, "| [Counter](integrations/counter.md) | [tally]", "| Count. | [tally]"),
			[]string{tasks + "registry-task"}},
		{"a command to begin with", replace(registryFile, "[Buzzer](integrations/buzzer.md) or", "[tally](clis/tally/) or"),
			[]string{registryFile + ":21 registry-for"}},
		{"a link elsewhere", replace(registryFile, "Knock.", "[Knock](https://knock.example)."), []string{registryFile + ":10 registry-task"}},
		{"no such command", replace(registryFile, "clis/tally/", "clis/telly/"), []string{tasks + "registry-task"}},
		{"no such tool", replace(registryFile, "| Count visits | [Counter](integrations/counter.md)", "| Count visits | [Counter](integrations/abacus.md)"),
			[]string{tasks + "registry-task"}},
		{"a task twice", replace(registryFile, "| Ring people |", "| Count visits |").Then(
			replace(registryFile, "Ring people; Count visits", "Count visits")).Then(replace(registryFile, "Count visits; Ring people", "Count visits")),
			[]string{registryFile + ":10 registry-task-repeated"}},
		{"words of another task", replace(registryFile, "wake somebody", "How many people"), []string{registryFile + ":10 registry-task-repeated"}},
		{"a tool for nothing", replace(registryFile, "| Ring people; Count visits |", "| |"),
			[]string{registryFile + ":16 registry-for", registryFile + ":16 registry-for"}},
		{"a tool for no task that there is", replace(registryFile, "Ring people; Count visits", "Ring people; Count vists"), []string{registryFile + ":16 registry-for"}},
		{"a tool that hides what it is for", replace(registryFile, "Count visits; Ring people", "Ring people"), []string{rows + "registry-for"}},

		{"no limits of use", replace(counter, "**Not for:**", "Not for:"), []string{counter + " guide-opening"}},
		{"nothing to type", replace(counter, "```sh\ncurl -H \"X-Key: $COUNTER_KEY\" https://counter.example/v1/me\n```", "Type."), []string{counter + " guide-opening"}},
		{"part missing", replace(counter, "## Cost\n\nFree.\n", ""), []string{counter + " guide-parts"}},
		{"parts in another order", replace(counter, "## Cost", "## Kosten").Then(replace(counter, "## Recipes", "## Cost")).Then(replace(counter, "## Kosten", "## Recipes")),
			[]string{counter + " guide-parts"}},
		{"way missing", replace(counter, "| MCP | – | none |\n", ""), []string{counter + " guide-access"}},
		{"way without a link", replace(counter, "[Go](https://counter.example/go)", "Go"), []string{counter + ":18 guide-access"}},
		{"way with an odd mark", replace(counter, "| MCP | – |", "| MCP | no |"), []string{counter + ":16 guide-access"}},
		{"few operations", replace(counter, "### Add a site\n", ""), []string{counter + " guide-operations"}},
		{"many operations", replace(counter, "### Add a site\n", "### Add a site\n### A\n### B\n### C\n### D\n"), []string{counter + " guide-operations"}},
		{"one operation by hand", replace(buzzer, "### Count visits\n", ""), []string{buzzer + " guide-operations"}},
		{"short", replace(counter, filler, "Short."), []string{counter + " guide-words"}},
		{"long", replace(counter, "Count by hand.", strings.Repeat("Word ", 800)), []string{counter + " guide-words"}},
		{"code is not counted", replace(counter, "Count by hand.", "```\n"+strings.Repeat("Word ", 800)+"\n```"), nil},
		{"no skill", replace(counter, "[analytics](../../skills/analytics/SKILL.md)", "`analytics`"), []string{counter + " guide-skills"}},
		{"skill in another section", replace(counter, "- [analytics](../../skills/analytics/SKILL.md): to count.", "None.").Then(
			replace(counter, "Count by hand.", "See [analytics](../../skills/analytics/SKILL.md).")), []string{counter + " guide-skills"}},
		{"not checked", replace(counter, "Checked on 2026-11-22.", ""), []string{counter + " guide-checked"}},
		{"no list of sources", replace(counter, "\n## Sources\n\n"+limits+prices, ""), []string{counter + " guide-parts"}},
		{"no source", replace(counter, limits, "").Then(replace(counter, prices, "")), []string{counter + " guide-sources"}},
		{"source without a link", replace(counter, "[Limits](https://counter.example/limits)", "Limits"), []string{limitsLine}},
		{"source without a secure address", replace(counter, "https://counter.example/limits", "http://counter.example/limits"), []string{limitsLine}},
		{"source in a paragraph", replace(counter, "- [Limits]", "[Limits]"), []string{limitsLine}},
		{"source that backs nothing", replace(counter, ": requests a second.", ""), []string{limitsLine}},
		{"source read in no month", replace(counter, "2026-10", "2026-13"), []string{limitsLine}},
		{"source read on a day", replace(counter, "2026-10", "2026-10-05"), []string{limitsLine}},
		{"source twice", replace(counter, "counter.example/prices", "counter.example/limits"), []string{pricesLine}},
		{"sources are not counted", replace(counter, "class of cost.", strings.Repeat("word ", 800)), nil},
		{"not confirmed", replace(counter, "Count by hand.", "A limit is not confirmed: none is public."), []string{counter + ":48 guide-unconfirmed"}},
		{"not confirmed in a table", replace(counter, "| MCP | – | none |", "| MCP | – | Not confirmed |"), []string{counter + ":16 guide-unconfirmed"}},
		{"not confirmed, without a reason", replace(counter, "Count by hand.", "Free (not confirmed). Look twice."),
			[]string{counter + ":48 guide-unconfirmed"}},
		{"not confirmed, with the place to look", replace(counter, "Count by hand.", "A limit is not confirmed: none is public; look in Settings."), nil},
		{"checked on no day", replace(counter, "2026-11-22", "2026-11-31"), []string{counter + " guide-checked"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := sample()
			c.change(t, files)
			_, found := Load(files)
			findingtest.Expect(t, found, c.want...)
		})
	}
}
