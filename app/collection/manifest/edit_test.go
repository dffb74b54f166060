package manifest

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"marketingskills/app/collection/table"
)

func TestSetVersion(t *testing.T) {
	for _, tt := range []struct {
		name, old, new string // a change to the sample
		version        Version
		line           string // the one that changes
	}{
		{"as it is", "", "", "2.0.2", "| ads         | 2.0.2   | 2026-06-01   |\n"},
		{"longer", "", "", "2.0.10", "| ads         | 2.0.10  | 2026-06-01   |\n"},
		{"too long", "", "", "200.100.10", "| ads         | 200.100.10 | 2026-06-01   |\n"},
		{"older", "", "", "1.0.0", "| ads         | 1.0.0   | 2026-06-01   |\n"},
		{"tight", "| ads         | 2.0.1   | 2026-05-26   |", "|ads|2.0.1|2026-05-26|", "2.0.2", "|ads|2.0.2|2026-06-01|\n"},
		{"no outer pipes", "| ads         | 2.0.1   | 2026-05-26   |", "ads | 2.0.1 | 2026-05-26", "2.0.2", "ads | 2.0.2 | 2026-06-01\n"},
		{"CRLF", "\n", "\r\n", "2.0.2", "| ads         | 2.0.2   | 2026-06-01   |\r\n"},
		{"byte order mark", "# Versions", bom + "# Versions", "2.0.2", "| ads         | 2.0.2   | 2026-06-01   |\n"},
		{"invalid before", "| 2.0.1 ", "| v2.0 ", "2.0.2", "| ads         | 2.0.2  | 2026-06-01   |\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := sample
			if tt.old != "" {
				text = changed(t, tt.old, tt.new)
			}
			m, _ := Parse([]byte(text))
			if err := m.SetVersion("ads", tt.version, "2026-06-01"); err != nil {
				t.Fatal(err)
			}
			want := table.Lines(text)
			want[8] = tt.line
			if got := string(m.Bytes()); got != strings.Join(want, "") {
				t.Errorf("got\n%s", got)
			}
			if row, _ := m.Row("ads"); row.Version != tt.version || row.Updated != "2026-06-01" {
				t.Errorf("row %v", row)
			}
		})
	}
}

func TestAddSkill(t *testing.T) {
	const ads = "| ads         | 2.0.1   | 2026-05-26   |\n"
	for _, tt := range []struct {
		name, old, new string // a change to the sample
		skill          string
		at             int // the line that comes in, counted from 0
		line           string
	}{
		{"first", "", "", "ab-testing", 8, "| ab-testing  | 1.0.0   | 2026-06-01   |\n"},
		{"between", "", "", "aso", 9, "| aso         | 1.0.0   | 2026-06-01   |\n"},
		{"last", "", "", "sms", 11, "| sms         | 1.0.0   | 2026-06-01   |\n"},
		{"longer than its column", "", "", "churn-prevention", 9, "| churn-prevention | 1.0.0   | 2026-06-01   |\n"},
		{"CRLF", "\n", "\r\n", "aso", 9, "| aso         | 1.0.0   | 2026-06-01   |\r\n"},
		{"no outer pipes", ads, "ads | 2.0.1 | 2026-05-26\n", "aso", 9, "aso | 1.0.0 | 2026-06-01\n"},
		{"short row above", ads, "| ads |\n", "aso", 9, "| aso | 1.0.0 | 2026-06-01 |\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := sample
			if tt.old != "" {
				text = changed(t, tt.old, tt.new)
			}
			m, _ := Parse([]byte(text))
			if err := m.AddSkill(tt.skill, "1.0.0", "2026-06-01"); err != nil {
				t.Fatal(err)
			}
			want := slices.Insert(table.Lines(text), tt.at, tt.line)
			if got := string(m.Bytes()); got != strings.Join(want, "") {
				t.Errorf("got\n%s", got)
			}
		})
	}
}

func TestAddSkillToOtherTables(t *testing.T) {
	for text, want := range map[string]string{
		"|Note|Skill|Version|Last Updated|\n|-|-|-|-|\n":                      "|  | ads | 1.0.0 | 2026-06-01 |\n",
		"|Note|Skill|Version|Last Updated|\n|-|-|-|-|":                        "\n|  | ads | 1.0.0 | 2026-06-01 |",
		"|Skill|Version|Last Updated|Note|\n|-|-|-|-|\n| a | 1 | 2 | old |\n": "| ads | 1.0.0 | 2026-06-01 |     |\n",
		"|Skill|Version|Last Updated|Note|\r\n|-|-|-|-|\r\na | 1 | 2 | old":   "\r\nads | 1.0.0 | 2026-06-01 | -",
		"|Skill|Version|Last Updated|\n|-|-|-|\n|aa|1.0.0|2026-06-01|x|\n":    "| ads | 1.0.0 | 2026-06-01 |\n",
	} {
		m, _ := Parse([]byte(text))
		if err := m.AddSkill("ads", "1.0.0", "2026-06-01"); err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := string(m.Bytes()); got != text+want {
			t.Errorf("got  %q\nwant %q", got, text+want)
		}
	}
}

func TestAddRelease(t *testing.T) {
	release := Release{Version: "2.3.0", Date: "2026-06-01", Total: 3, Changes: []Change{
		{Text: "`ads` is `better`."}, {Text: "`paid-ads` is gone.", Breaking: true},
	}}
	const lines = "### 2.3.0 (2026-06-01)\n\n- `ads` is `better`.\n- **Breaking:** `paid-ads` is gone.\n- Total: 3 skills.\n"
	for _, tt := range []struct {
		name, old, new string // a change to the sample
		version        Version
		date           string
		before, added  string // what comes in, above which line; "" for the end
	}{
		{"newest", "", "", "2.3.0", "2026-06-01", "### 2.2.0", lines + "\n"},
		{"between", "", "", "2.1.0", "2026-05-20", "### 2026-05-18", strings.Replace(lines, "2.3.0 (2026-06-01)", "2.1.0 (2026-05-20)", 1) + "\n"},
		{"by date alone", "", "", "", "2026-05-10", "### 2.0.0", strings.Replace(lines, "2.3.0 (2026-06-01)", "2026-05-10", 1) + "\n"},
		{"oldest", "", "", "1.10.0", "2026-05-04", "", "\n" + strings.Replace(lines, "2.3.0 (2026-06-01)", "1.10.0 (2026-05-04)", 1)},
		{"CRLF", "\n", "\r\n", "2.3.0", "2026-06-01", "### 2.2.0", strings.ReplaceAll(lines+"\n", "\n", "\r\n")},
		{"oldest, no final newline", "Total: 2 skills.\n", "Total: 2 skills.", "1.10.0", "2026-05-04", "",
			"\n\n" + strings.TrimSuffix(strings.Replace(lines, "2.3.0 (2026-06-01)", "1.10.0 (2026-05-04)", 1), "\n")},
		{"oldest, with a section below", "Total: 2 skills.\n", "Total: 2 skills.\n\n## Notes\n", "1.10.0", "2026-05-04", "\n## Notes",
			"\n" + strings.Replace(lines, "2.3.0 (2026-06-01)", "1.10.0 (2026-05-04)", 1)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := sample
			if tt.old != "" {
				text = changed(t, tt.old, tt.new)
			}
			m, _ := Parse([]byte(text))
			r := release
			r.Version, r.Date = tt.version, tt.date
			if err := m.AddRelease(r); err != nil {
				t.Fatal(err)
			}
			want := text + tt.added
			if tt.before != "" {
				want = strings.Replace(text, tt.before, tt.added+tt.before, 1)
			}
			if got := string(m.Bytes()); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if touching := m.Touching("ads"); !slices.Contains(releaseNames(touching), r.Name()) {
				t.Errorf("not attributed: %q", releaseNames(touching))
			}
		})
	}
}

func TestAddFirstRelease(t *testing.T) {
	m, _ := Parse([]byte("## Recent Changes"))
	if err := m.AddRelease(Release{Date: "2026-06-01", Changes: []Change{{Text: "First."}}}); err != nil {
		t.Fatal(err)
	}
	if got := string(m.Bytes()); got != "## Recent Changes\n\n### 2026-06-01\n\n- First." {
		t.Errorf("got %q", got)
	}
}

// TestRefused: a refused edit says why and changes nothing.
func TestRefused(t *testing.T) {
	set := func(skill string, v Version, date string) func(*Manifest) error {
		return func(m *Manifest) error { return m.SetVersion(skill, v, date) }
	}
	add := func(skill string, v Version, date string) func(*Manifest) error {
		return func(m *Manifest) error { return m.AddSkill(skill, v, date) }
	}
	release := func(v Version, date string, total int, texts ...string) func(*Manifest) error {
		r := Release{Version: v, Date: date, Total: total}
		for _, text := range texts {
			r.Changes = append(r.Changes, Change{Text: text})
		}
		return func(m *Manifest) error { return m.AddRelease(r) }
	}
	const ads = "| ads         | 2.0.1   | 2026-05-26   |\n"
	for _, tt := range []struct {
		name, old, new string // a change to the sample
		edit           func(*Manifest) error
		want           error
	}{
		{"unknown skill", "", "", set("adz", "2.0.2", "2026-06-01"), ErrUnknown},
		{"old name", "", "", set("paid-ads", "2.0.2", "2026-06-01"), ErrUnknown},
		{"invalid version", "", "", set("ads", "2.0", "2026-06-01"), ErrVersion},
		{"invalid version, as a value", "", "", set("ads", "v2.0.0", "2026-06-01"), ErrInvalid},
		{"invalid date", "", "", set("ads", "2.0.2", "2026-02-30"), ErrInvalid},
		{"two rows", ads, ads + ads, set("ads", "2.0.2", "2026-06-01"), ErrForm},
		{"row too short", ads, "| ads | 2.0.1 |\n", set("ads", "2.0.2", "2026-06-01"), ErrForm},
		{"no column", "Last Updated", "When", set("ads", "2.0.2", "2026-06-01"), ErrForm},

		{"known skill", "", "", add("ads", "1.0.0", "2026-06-01"), ErrExists},
		{"bad name", "", "", add("A b", "1.0.0", "2026-06-01"), ErrInvalid},
		{"bad version of a new skill", "", "", add("aso", "1", "2026-06-01"), ErrInvalid},
		{"no table", "| Version |", "| Wersion |", add("aso", "1.0.0", "2026-06-01"), ErrForm},

		{"known release", "", "", release("2.2.0", "2026-06-01", 0, "a"), ErrExists},
		{"known date", "", "", release("", "2026-05-18", 0, "a"), ErrExists},
		{"bad version of a release", "", "", release("v3.0.0", "2026-06-01", 0, "a"), ErrVersion},
		{"bad date of a release", "", "", release("3.0.0", "soon", 0, "a"), ErrInvalid},
		{"no date", "", "", release("3.0.0", "", 0, "a"), ErrInvalid},
		{"no changes", "", "", release("3.0.0", "2026-06-01", 0), ErrInvalid},
		{"negative total", "", "", release("3.0.0", "2026-06-01", -1, "a"), ErrInvalid},
		{"empty change", "", "", release("3.0.0", "2026-06-01", 0, " "), ErrInvalid},
		{"two lines", "", "", release("3.0.0", "2026-06-01", 0, "a\n- b"), ErrInvalid},
		{"reads back as a total", "", "", release("3.0.0", "2026-06-01", 0, "Total: 3 skills."), ErrForm},
		{"reads back as breaking", "", "", release("3.0.0", "2026-06-01", 0, "**Breaking:** a"), ErrForm},
		{"no section", "## Recent Changes", "## News", release("3.0.0", "2026-06-01", 0, "a"), ErrForm},
		{"unclosed comment at the end", "Total: 2 skills.", "Total: 2 skills.\n<!--", release("1.0.0", "2026-01-01", 0, "a"), ErrForm},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := sample
			if tt.old != "" {
				text = changed(t, tt.old, tt.new)
			}
			m, _ := Parse([]byte(text))
			if err := tt.edit(m); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			if string(m.Bytes()) != text {
				t.Errorf("changed to\n%s", m.Bytes())
			}
		})
	}
}

// TestEditWithoutFile: what came from JSON cannot be edited.
func TestEditWithoutFile(t *testing.T) {
	data, err := json.Marshal(goodSample(t))
	if err != nil {
		t.Fatal(err)
	}
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	if err := m.SetVersion("ads", "2.0.2", "2026-06-01"); !errors.Is(err, ErrForm) {
		t.Errorf("SetVersion: %v", err)
	}
	if err := m.AddSkill("aso", "2.0.2", "2026-06-01"); !errors.Is(err, ErrForm) {
		t.Errorf("AddSkill: %v", err)
	}
	if err := m.AddRelease(Release{Date: "2026-06-01", Changes: []Change{{Text: "a"}}}); !errors.Is(err, ErrForm) {
		t.Errorf("AddRelease: %v", err)
	}
	if len(m.Bytes()) != 0 {
		t.Error("bytes from nowhere")
	}
}
