package collection

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestCommands(t *testing.T) {
	for script, want := range map[string][][]string{
		"vendors hunter account\n":                            {{"vendors", "hunter", "account"}},
		"vendors a b \\\n  c=1":                               {{"vendors", "a", "b", "c=1"}},
		"vendors a b 'c={\"d\": \"e f\"}' \"g=$h \\\"i\\\"\"": {{"vendors", "a", "b", `c={"d": "e f"}`, `g=$h "i"`}},
		"KEY=x vendors a b | jq '.c | d' > e.json":            {{"vendors", "a", "b"}, {"jq", ".c | d"}, {"e.json"}},
		"for x in 1 2; do vendors a b c=\"$x\"; done":         {{"for", "x", "in", "1", "2"}, {"vendors", "a", "b", "c=$x"}, {"done"}},
		"id=$(vendors a b) && echo it\\'s":                    {{"vendors", "a", "b"}, {"echo", "it's"}},
		"":                                                    nil,
	} {
		if got := commands(script); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %q, want %q", script, got, want)
		}
	}
}

// TestVendors breaks one thing in a tool with a table and a guide that uses it.
func TestVendors(t *testing.T) {
	const (
		guide    = "tools/integrations/counter.md"
		table    = "tools/clis/vendors/tables/counter.json"
		registry = "# Tools\n\n## Tool Index\n\n| Tool | Category | API | MCP | CLI | SDK | Guide |\n|---|---|---|---|---|---|---|\n" +
			"| Counter | Numbers | – | – | ✓ | – | [counter](integrations/counter.md) |\n"
		text = `# Counter

## Access

| Way | Mark | Details |
|---|---|---|
| API | – | none |
| MCP | – | none |
| CLI | ✓ | ` + "`vendors counter`" + ` |
| SDK | – | none |

## Authentication

## Operations

` + "```sh\nvendors counter pages limit=10 --csv path | sort\nvendors counter page id=\"$id\" at=@day.json --dry-run\nvendors counter\nvendors list\n```" + `

## Limits and errors

## Data and terms

## Cost

## Without it

## Recipes

## Skills

## Version
`
		values = `{"name": "Counter", "base": "https://counter.example", "docs": "https://counter.example/docs", "checked": "2026-11-22",
"auth": {"env": "COUNTER_KEY", "header": "X-Key"}, "operations": [
{"name": "pages", "does": "list pages", "request": "GET /pages", "query": ["limit:integer"]},
{"name": "page", "does": "show a page", "request": "GET /pages/{id}", "query": ["at:json"]}]}`
	)
	whole := put("tools/REGISTRY.md", registry).Then(put(guide, text)).Then(put(table, values))
	for _, c := range []struct {
		name, in, old, new string
		want               []string
	}{
		{"in order", guide, "", "", nil},
		{"other operation", guide, "counter pages", "counter sites", []string{guide + ":17 guide-command"}},
		{"other parameter", guide, "limit=10", "limits=10", []string{guide + ":17 guide-command"}},
		{"other kind", guide, "limit=10", "limit=ten", []string{guide + ":17 guide-command"}},
		{"missing parameter", guide, `id="$id" `, "", []string{guide + ":17 guide-command"}},
		{"stray word", guide, "counter pages", "counter pages more", []string{guide + ":17 guide-command"}},
		{"no such table", guide, "vendors counter pages", "vendors abacus pages", []string{guide + ":17 guide-command"}},
		{"another shell", guide, "```sh", "```text", nil},
		{"command not named", guide, "`vendors counter`", "`counter`", []string{table + " vendor-differs"}},
		{"another name", table, `"name": "Counter"`, `"name": "Abacus"`, []string{table + " vendor-differs"}},
		{"key in a query", table, `"limit:integer"`, `"limit:integer", "api_key"`, []string{table + ":3 vendor-secret"}},
		{"not a table", table, `"operations"`, `"operation"`, []string{table + " vendor-table", guide + ":17 guide-command"}},
		{"no tool", "tools/REGISTRY.md", "counter.md", "abacus.md", []string{table + " vendor-without-guide"}},
	} {
		files := sample()
		whole(t, files)
		if c.old != "" {
			replace(c.in, c.old, c.new)(t, files)
		}
		_, found, err := Load(files)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range found {
			if strings.HasPrefix(f.Rule, "vendor") || f.Rule == "guide-command" {
				got = append(got, place(f))
			}
		}
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
