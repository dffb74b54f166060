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
		"if ! vendors a b; then c; else d; fi":                {{"vendors", "a", "b"}, {"c"}, {"d"}, {"fi"}},
		"id=\"$(vendors a b)\"\nx '$(vendors a b)'":           {{"vendors", "a", "b"}, {"x", "$(vendors a b)"}},
		"# it's\nvendors a b#c # that's":                      {{"vendors", "a", "b#c"}},
		"":                                                    nil,
	} {
		if got := shellCommands(script); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %q, want %q", script, got, want)
		}
	}
}

const counterRegistry = "# Tools\n\n## Tool Index\n\n| Tool | Category | For | API | MCP | CLI | SDK | Guide |\n|---|---|---|---|---|---|---|---|\n" +
	"| Counter | Numbers | Count | – | – | ✓ | – | [counter](integrations/counter.md) |\n"

// TestVendors breaks one thing in a tool with a table and a guide that uses it.
func TestVendors(t *testing.T) {
	const (
		guide = "tools/integrations/counter.md"
		table = "tools/clis/vendors/tables/counter.json"
		text  = `# Counter

## Access

| Way | Mark | Details |
|---|---|---|
| API | – | none |
| MCP | – | none |
| CLI | ✓ | ` + "`vendors counter`" + ` |
| SDK | – | none |

## Authentication

## Operations

` + "```sh\nvendors counter pages limit=10 --csv path | sort\nvendors counter page id=\"$id\" at=@day.json unit=$unit --dry-run\nvendors counter\nvendors list\n```" + `

## Limits and errors

## Data and terms

## Cost

## Without it

## Recipes

## Skills

## Version

## Sources
`
		values = `{"name": "Counter", "category": "Numbers", "base": "https://counter.example", "docs": "https://counter.example/docs", "checked": "2026-11-22",
"auth": {"env": "COUNTER_KEY", "header": "X-Key"}, "operations": [
{"name": "pages", "does": "list pages", "request": "GET /pages", "query": ["limit:integer"]},
{"name": "page", "does": "show a page", "request": "GET /pages/{id}", "query": ["at:json", "unit"]}],
"params": {"unit": {"values": ["day", "week"]}}}`
	)
	whole := put("tools/REGISTRY.md", counterRegistry).Then(put(guide, text)).Then(put(table, values))
	for _, c := range []struct {
		name, in, old, new string
		want               []string
	}{
		{"in order", guide, "", "", nil},
		{"other operation", guide, "counter pages", "counter sites", []string{guide + ":17 guide-command"}},
		{"other parameter", guide, "limit=10", "limits=10", []string{guide + ":17 guide-command"}},
		{"other kind", guide, "limit=10", "limit=ten", []string{guide + ":17 guide-command"}},
		{"impossible value", guide, "unit=$unit", "unit=year", []string{guide + ":17 guide-command"}},
		{"missing parameter", guide, `id="$id" `, "", []string{guide + ":17 guide-command"}},
		{"stray word", guide, "counter pages", "counter pages more", []string{guide + ":17 guide-command"}},
		{"no such table", guide, "vendors counter pages", "vendors abacus pages", []string{guide + ":17 guide-command"}},
		{"as from a clone", guide, "vendors counter pages", "go run ./tools/clis/vendors counter pages", nil},
		{"other operation, as from a clone", guide, "vendors counter pages", "go run ./tools/clis/vendors counter sites",
			[]string{guide + ":17 guide-command"}},
		{"in quotes", guide, "vendors counter pages limit=10", `n="$(vendors counter sites)"`, []string{guide + ":17 guide-command"}},
		{"marked bash", guide, "```sh", "```bash", []string{guide + ":17 guide-command"}},
		{"marked Console", guide, "```sh", "```Console", []string{guide + ":17 guide-command"}},
		{"marked with more", guide, "```sh", "```sh copy", []string{guide + ":17 guide-command"}},
		{"marked text", guide, "```sh", "```text", []string{guide + ":17 guide-command"}},
		{"not marked, with prompts", guide, "```sh\nvendors", "```\n$ vendors", []string{guide + ":17 guide-command"}},
		{"not for a shell", guide, "```sh", "```text\nwith vendors\n```\n```sh", nil},
		{"command named as from a clone", guide, "`vendors counter`", "`go run ./tools/clis/vendors counter`", nil},
		{"command not named", guide, "`vendors counter`", "`counter`", []string{table + " vendor-differs"}},
		{"another category", table, "Numbers", "Letters", []string{table + " vendor-differs"}},
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
			if strings.HasPrefix(string(f.Rule), "vendor") || f.Rule == "guide-command" {
				got = append(got, place(f))
			}
		}
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestKeysInURLs writes a line of code into a guide.
func TestKeysInURLs(t *testing.T) {
	const file = "tools/integrations/counter.md"
	for _, c := range []struct {
		mark, code string
		leaks      bool
	}{
		{"sh", `curl "https://a.example/account?auth_token=$K"`, true},
		{"sh", `curl 'https://a.example/account?x=1&key=$K'`, true},
		{"json", `{"url": "https://a.example/mcp?apikey=..."}`, true},
		{"sh", `curl https://a.example/account?page_token=$T&keyword=x -H "X-Key: $K"`, false},
		{"sh", `curl -sG https://a.example/account -d api_key=$K`, true},
		{"sh", "curl -sS https://a.example/account \\\n  --data-urlencode \"token@key.txt\" --get", true},
		{"sh", `curl -G https://a.example/account -d 'x=1&access_token=2'`, true},
		{"sh", `n="$(curl -G https://a.example/account -dkey=$K)"`, true},
		{"sh", `curl https://a.example/account --url-query secret=$K`, true},
		{"sh", `curl -G https://a.example/account -H "X-Key: $K" -d keyword=x -d page_token=y`, false},
		{"sh", `curl -XGET https://a.example/links -d key=offer`, false},
		{"sh", `curl https://a.example/links -d key=offer; vendors x -G`, false},
		{"sh", `curl https://user:$K@a.example/account`, true},
		{"sh", `curl "https://$K@a.example/account"`, true},
		{"sh", `curl "https://$(cat my.key)@a.example/account"`, true},
		{"text", `postgres://user:word@db.example/x`, true},
		{"sh", `curl https://user@a.example:8080/account/@me?to=a:b@c.example`, false},
		{"json", `{"url": "https://a.example:8080", "email": "b@c.example"}`, false},
		{"json", `{"url":"https://a.example","email":"b@c.example"}`, false},
	} {
		files := sample()
		put("tools/REGISTRY.md", counterRegistry)(t, files)
		put(file, "# Counter\n\n```"+c.mark+"\n"+c.code+"\n```\n")(t, files)
		_, found, err := Load(files)
		if err != nil {
			t.Fatal(err)
		}
		leaks := 0
		for _, f := range found {
			if f.Rule == "guide-key" && place(f) == file+":4 guide-key" {
				leaks++
			}
		}
		if leaks != map[bool]int{true: 1}[c.leaks] {
			t.Errorf("%s: reported %d times", c.code, leaks)
		}
	}
}
