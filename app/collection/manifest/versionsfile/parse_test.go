package versionsfile

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"marketingskills/app/collection/manifest"
)

func TestParse(t *testing.T) {
	want := manifest.New(
		[]manifest.Row{
			{Skill: "ads", Version: "2.0.1", Updated: "2026-05-26", Line: 9},
			{Skill: "cro", Version: "2.0.0", Updated: "2026-05-05", Line: 10},
			{Skill: "prospecting", Version: "1.0.0", Updated: "2026-05-26", Line: 11},
		},
		[]manifest.Release{
			{Version: "2.2.0", Date: "2026-05-26", Total: 3, Changes: []manifest.Change{
				{Text: "The new skill `prospecting` finds people.", Breaking: false, Skills: []string{"prospecting"}, Line: 27},
				{Text: "`ads` has a better output.", Breaking: false, Skills: []string{"ads"}, Line: 28},
			}, Line: 25},
			{Version: "", Date: "2026-05-18", Total: 0, Changes: []manifest.Change{
				{Text: "A typing error is gone from `page-cro`.", Breaking: false, Skills: []string{"cro"}, Line: 34},
			}, Line: 32},
			{Version: "2.0.0", Date: "2026-05-05", Total: 2, Changes: []manifest.Change{
				{Text: "`paid-ads` is called `ads`.", Breaking: true, Skills: []string{"ads"}, Line: 38},
			}, Line: 36},
		},
		[]manifest.Rename{
			{Old: "form-cro", New: "cro", Kind: manifest.Merged, Where: "`references/form.md`", Release: "2.0.0", Line: 19},
			{Old: "page-cro", New: "cro", Kind: manifest.Merged, Where: "`SKILL.md`", Release: "2.0.0", Line: 20},
			{Old: "paid-ads", New: "ads", Kind: manifest.Renamed, Where: "`skills/ads/`", Release: "2.0.0", Line: 21},
		},
	)
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
		{"byte order mark", "# Versions", "\ufeff" + "# Versions", false},
		{"byte order mark and nothing above the table", "# Versions\n\nHow to use this file.\n\n## Skills\n\n", "\ufeff", true},
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
func dropLines(m *manifest.Manifest) {
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
		version manifest.Version
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
		{"Unreleased yet", "", "", false},
		{"", "", "", false},
	} {
		version, date, exact := splitHeading(tt.text)
		if version != tt.version || date != tt.date || exact != tt.exact {
			t.Errorf("splitHeading(%q) = %q, %q, %v", tt.text, version, date, exact)
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
	back, err := manifest.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, m) {
		t.Errorf("got %+v, want %+v", back, m)
	}
	empty, _ := Parse(nil)
	if data, _ := json.Marshal(empty); string(data) != `{"rows":[],"releases":[],"renames":[]}` {
		t.Errorf("empty: %s", data)
	}
}

// TestNext: the entry for the next release is no release.
func TestNext(t *testing.T) {
	const head = "### 2.2.0 (2026-05-26)"
	text := changed(t, head, "### Unreleased\n\n- **Breaking:** `ads`\n  (3.0.0), `new`, `--flag`.\n- `new` (1.0.0) and `page-cro`.\n- Less.\n\n"+head)
	m, next, found := ParseWithUnreleased([]byte(text))
	want := &Unreleased{Changes: 3, Line: 25, End: 32, Planned: []Planned{
		{Skill: "ads", Version: "3.0.0", Line: 27}, {Skill: "new", Line: 28}, {Skill: "new", Version: "1.0.0", Line: 29}, {Skill: "page-cro", Line: 29},
	}}
	if !reflect.DeepEqual(next, want) || len(found) > 0 {
		t.Errorf("got %+v, %v", next, found)
	}
	if next.Version("new") != "1.0.0" || next.Version("page-cro") != "" || (*Unreleased)(nil).Version("new") != "" {
		t.Errorf("new gets %q", next.Version("new"))
	}
	good := goodSample(t)
	dropLines(m)
	dropLines(good)
	if !reflect.DeepEqual(m, good) || NewestVersion(m) != "2.2.0" {
		t.Errorf("got %+v", m)
	}
	for after, end := range map[string]int{"": 0, "\n## Notes\n": 27, "### 1.0.0 (2026-01-01)\n- x": 26, "#### Small\n": 0} {
		_, next, _ := ParseWithUnreleased([]byte("## Recent Changes\n\n### Old\n" + strings.Repeat("\n", 20) + "### Unreleased\n- x\n" + after))
		if next == nil || next.End != end {
			t.Errorf("%q: got %+v", after, next)
		}
	}
}

// TestSkillsOfChanges: code spans as Markdown reads them, over lines too, each
// skill once, and only those of the bullet itself.
func TestSkillsOfChanges(t *testing.T) {
	for text, want := range map[string][]string{
		"none": {}, "`ads` and `paid-ads`": {"ads"}, "`` ads `` and `cro`": {"ads", "cro"}, "`ads`` cro` x": {}, "a ``` ads": {},
		"`\nads\n`, `cro`": {"ads", "cro"}, "`ads`\n\n  `cro`": {"ads", "cro"}, "\\`ads`": {}, "[`ads`](x) **`cro`**": {"ads", "cro"},
	} {
		m, _ := Parse([]byte(changed(t, "A typing error is gone from `page-cro`.", strings.ReplaceAll(text, "\n", "\n  ")+"\n  - `prospecting`")))
		if got := m.Releases[1].Changes[0].Skills; !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestMarks: a bullet may say in bold what kind of change it is; any other bold
// word is text.
func TestMarks(t *testing.T) {
	for written, want := range map[string]manifest.Change{
		"**New:** `a` is there.":    {Text: "`a` is there.", Mark: manifest.MarkNew, Skills: []string{"a"}},
		"**changed**: faster.":      {Text: "faster.", Mark: manifest.MarkChanged},
		"**Fixed:** it starts.":     {Text: "it starts.", Mark: manifest.MarkFixed},
		"**Breaking:** it is gone.": {Text: "it is gone.", Breaking: true},
		"**Removed:** it is gone.":  {Text: "**Removed:** it is gone."},
		"New: it is there.":         {Text: "New: it is there."},
	} {
		text, mark := cutMark(written)
		if got := newChange(text, mark, want.Skills, 0); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", written, got, want)
		}
	}
}
