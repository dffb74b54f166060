package example

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"marketingskills/app/collection/finding"
)

const validJSON = `{
  "name": "Northpeak",
  "plans": [{"name": "one", "price": 1e999}, {"name": "two"}],
  "nested": {"name": {"name": null}}
}
`

func TestCheckJSON(t *testing.T) {
	checkChanges(t, KindJSON, validJSON, []change{
		{"empty", validJSON, "", []string{"json-syntax @ "}},
		{"blank", validJSON, "\n\n", []string{"json-syntax @ "}},
		{"trailing comma", "null}}\n", "null}},\n", []string{"json-syntax @ }"}},
		{"comment", "{\n", "{ // plans\n", []string{"json-syntax @ { // plans"}},
		{"single quotes", `"one"`, `'one'`, []string{"json-syntax @   \"plans\""}},
		{"line break in a string", "North", "North\n", []string{"json-syntax @   \"name\": \"North"}},
		{"not closed", "\n}\n", "\n", []string{"json-syntax @   \"nested\""}},
		{"two values", "\n}\n", "\n}\n{}\n", []string{"json-syntax @ {}"}},
		{"byte order mark", "{\n", "\ufeff{\n", []string{"json-syntax @ \ufeff{"}},
		{"duplicate key", `"plans"`, `"name"`, []string{"json-duplicate-key @   \"name\": [{"}},
		{"duplicate key, escaped", `"plans"`, `"n\u0061me"`, []string{"json-duplicate-key @   \"n"}},
		{"duplicate key, deep", `"price"`, `"name"`, []string{"json-duplicate-key @   \"plans\""}},
		{"duplicate key after an object", "null}}", "null}, \"name\": 1}", []string{"json-duplicate-key @   \"nested\""}},
		{"duplicate keys and bad syntax", "1e999}, {\"name\": \"two\"}]", "1, \"name\": 2, \"name\": 3", []string{
			"json-duplicate-key @   \"plans\"", "json-duplicate-key @   \"plans\"", "json-syntax @ }",
		}},
	})
}

func TestCheckJSONDepth(t *testing.T) {
	const most = 10000 // what encoding/json reads
	for depth, want := range map[int]int{most: 0, most + 1: 1} {
		body := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		if got := check(t, KindJSON, body); len(got) != want {
			t.Errorf("depth %d: %q", depth, got)
		}
	}
}

// FuzzJSON: a syntax error is reported exactly when encoding/json sees one.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{validJSON, "", "1", "{} {}", `{"a":1,"a":2}`, `[1,]`, `{"a" 1}`, `"\ud800"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		list := &finding.List{}
		Check(KindJSON, body, 1, list)
		reported := slices.ContainsFunc(list.All, func(f finding.Finding) bool { return f.Rule == "json-syntax" })
		if reported == json.Valid([]byte(body)) && len(list.All) < maxFindings {
			t.Fatalf("reported: %v", list.All)
		}
	})
}
