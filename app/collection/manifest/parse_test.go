package manifest

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	want := &Manifest{
		Rows: []Row{
			{"ads", "2.0.1", "2026-05-26", 9},
			{"cro", "2.0.0", "2026-05-05", 10},
			{"prospecting", "1.0.0", "2026-05-26", 11},
		},
		Renames: []Rename{
			{"form-cro", "cro", Merged, "`references/form.md`", "2.0.0", 19},
			{"page-cro", "cro", Merged, "`SKILL.md`", "2.0.0", 20},
			{"paid-ads", "ads", Renamed, "`skills/ads/`", "2.0.0", 21},
		},
		Releases: []Release{
			{"2.2.0", "2026-05-26", 3, []Change{
				{"The new skill `prospecting` finds people.", false, []string{"prospecting"}, 27},
				{"`ads` has a better output.", false, []string{"ads"}, 28},
			}, 25},
			{"", "2026-05-18", 0, []Change{
				{"A typing error is gone from `page-cro`.", false, []string{"cro"}, 34},
			}, 32},
			{"2.0.0", "2026-05-05", 2, []Change{
				{"`paid-ads` is called `ads`.", true, []string{"ads"}, 38},
			}, 36},
		},
		source: sample,
	}
	if got := goodSample(t); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestReads changes how the sample is written, not what it says. moved is set
// when that moves lines.
func TestReads(t *testing.T) {
	for _, tt := range []struct {
		name, old, new string
		moved          bool
	}{
		{"CRLF", "\n", "\r\n", false},
		{"lone CR", "\n", "\r", false},
		{"byte order mark", "# Versions", bom + "# Versions", false},
		{"byte order mark and nothing above the table", "# Versions\n\nHow to use this file.\n\n## Skills\n\n", bom, true},
		{"no final newline", "Total: 2 skills.\n", "Total: 2 skills.", false},
		{"blank lines at the end", "Total: 2 skills.\n", "Total: 2 skills.\n\n\n", false},
		{"no outer pipes", "| ads         | 2.0.1   | 2026-05-26   |", "ads | 2.0.1 | 2026-05-26", false},
		{"no outer pipes in the header", "| Skill       | Version | Last Updated |", "Skill|Version|last  updated", false},
		{"no spaces", "| ads         | 2.0.1   |", "|ads|2.0.1|", false},
		{"alignment", "| ----------- |", "| :---------: |", false},
		{"extra column", "| 2.0.1   | 2026-05-26   |", `| 2.0.1 | 2026-05-26 | \| |`, false},
		{"closed headings", "## Skills", "## Skills ##", false},
		{"heading in capitals", "## Recent Changes", "##   RECENT\tChanges", false},
		{"no heading for the skills", "## Skills\n", "Skills:\n", false},
		{"dash before the date", "2.2.0 (2026-05-26)", "2.2.0 - 2026-05-26", false},
		{"long dash before the date", "2.2.0 (2026-05-26)", "2.2.0 — 2026-05-26", false},
		{"comma before the date", "2.2.0 (2026-05-26)", "2.2.0, 2026-05-26", false},
		{"bracketed version", "2.2.0 (2026-05-26)", "[2.2.0] - 2026-05-26", false},
		{"stars for bullets", "\n- ", "\n* ", false},
		{"indented bullets", "- `ads`", "  - `ads`", false},
		{"continued without indent", "  better", "better", false},
		{"a paragraph in a bullet", "has a\n  better", "has\n\n  a better", true},
		{"no blank lines", ".\n\n###", ".\n###", true},
		{"breaking with the colon outside", "**Breaking:**", "**breaking**:", false},
		{"one skill", "Total: 2 skills.", "Total: 2", false},
		{"example in a fence", "How to use this file.", "```\n| Skill | Version |\n|---|---|\n| x | y |\n```", true},
		{"old release commented out", "### 2026-05-18", "<!--\n### 1.0.0 (2026)\n-->\n### 2026-05-18", true},
		{"rule between releases", "### 2026-05-18", "---\n\n### 2026-05-18", true},
		{"another table", "How to use this file.", "| Field | Meaning |\n|---|---|\n| x | y |", true},
		{"another section", "## Recent Changes", "## Notes\n\n### 1.2.3\n\n- Text.\n\n## Recent Changes", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := changed(t, tt.old, tt.new)
			if tt.name == "extra column" {
				text = strings.Replace(text, "Last Updated |", "Last Updated | Note |", 1)
				text = strings.Replace(text, "------------ |", "---|---|", 1)
			}
			got, want := mustParse(t, text), goodSample(t)
			if string(got.Bytes()) != text {
				t.Error("Bytes is not the input")
			}
			if !tt.moved && (got.Rows[0].Line != 9 || got.Releases[0].Line != 25) {
				t.Errorf("rows on line %d, releases on line %d", got.Rows[0].Line, got.Releases[0].Line)
			}
			dropLines(got)
			dropLines(want)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

// dropLines leaves what a file says and forgets where it says it.
func dropLines(m *Manifest) {
	m.source = ""
	for i := range m.Rows {
		m.Rows[i].Line = 0
	}
	for i := range m.Renames {
		m.Renames[i].Line = 0
	}
	for i := range m.Releases {
		m.Releases[i].Line = 0
		for j := range m.Releases[i].Changes {
			m.Releases[i].Changes[j].Line = 0
		}
	}
}

func TestSplitHeading(t *testing.T) {
	for _, tt := range []struct {
		text    string
		version Version
		date    string
		exact   bool
	}{
		{"2.2.0 (2026-05-26)", "2.2.0", "2026-05-26", true},
		{"2.0.1 - 2026-05-18", "2.0.1", "2026-05-18", true},
		{"2026-05-18", "", "2026-05-18", true},
		{"2.2.0", "2.2.0", "", true},
		{"v2.2.0 (2026-05-26)", "v2.2.0", "2026-05-26", true},
		{"2.2 (2026-5-26)", "2.2", "2026-5-26", true},
		{"2.2.0 (2026-05-26): prospecting", "2.2.0", "2026-05-26", false},
		{"2026-05-18 and more", "", "2026-05-18", false},
		{"2.2.0 soon", "2.2.0", "", false},
		{"Unreleased", "", "", false},
		{"", "", "", false},
	} {
		version, date, exact := splitHeading(tt.text)
		if version != tt.version || date != tt.date || exact != tt.exact {
			t.Errorf("splitHeading(%q) = %q, %q, %v", tt.text, version, date, exact)
		}
	}
}

func TestCodeSpans(t *testing.T) {
	for text, want := range map[string][]string{
		"none":                     nil,
		"`a` and `b-c`":            {"a", "b-c"},
		"`` a`b `` and `c`":        {"a`b", "c"},
		"`a`` b` c":                {"a`` b"},
		"``` a":                    nil,
		"`":                        nil,
		"` a ` `":                  {"a"},
		"```x `a` ```` ``b``":      {"a", "b"},
		"`a`, `` ` `` and ```c```": {"a", "`", "c"},
	} {
		if got := codeSpans(text); !reflect.DeepEqual(got, want) {
			t.Errorf("codeSpans(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestJSON: what a page gets as JSON answers as the file does.
func TestJSON(t *testing.T) {
	m := goodSample(t)
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"rows":[{"skill":"ads","version":"2.0.1","updated":"2026-05-26","line":9}`,
		`{"old":"form-cro","new":"cro","kind":"merged","where":"` + "`references/form.md`" + `","release":"2.0.0","line":19}`,
		`{"version":"","date":"2026-05-18","total":0,"changes":[{"text":"A typing error`,
	} {
		if !strings.Contains(string(data), want) {
			t.Errorf("%s lacks %s", data, want)
		}
	}
	var back Manifest
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	back.source = m.source
	if !reflect.DeepEqual(&back, m) {
		t.Errorf("got %+v, want %+v", back, m)
	}
	empty, _ := Parse(nil)
	if data, _ := json.Marshal(empty); string(data) != `{"rows":[],"releases":[],"renames":[]}` {
		t.Errorf("empty: %s", data)
	}
}
