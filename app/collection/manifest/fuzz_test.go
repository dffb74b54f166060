package manifest

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"marketingskills/app/collection/table"
)

// seeds are what the fuzz tests start from.
func seeds(t testing.TB) []string {
	return []string{
		sample, bom + strings.ReplaceAll(sample, "\n", "\r\n"), strings.TrimSuffix(sample, "\n"),
		changed(t, "| ads         | 2.0.1   | 2026-05-26   |", "ads|2.0.1|2026-05-26"),
		changed(t, "| paid-ads | ads ", "| paid-ads | page-cro "),
		"|Skill|Version|Last Updated|\r|-|-|-|\r|a|1.0.0|2026-01-01|\r## Recent Changes\r### 2026-01-01\r- x",
	}
}

// FuzzParse: nothing is lost, the same file gives the same report, and the
// answers agree with each other.
func FuzzParse(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, found := Parse(data)
		if !bytes.Equal(m.Bytes(), data) {
			t.Fatalf("got %q, want %q", m.Bytes(), data)
		}
		again, foundAgain := Parse(data)
		if !reflect.DeepEqual(m, again) || !reflect.DeepEqual(found, foundAgain) {
			t.Fatal("a second reading differs")
		}
		lines := table.Lines(strings.TrimPrefix(string(data), bom))
		for i, f := range found {
			if f.Line < 0 || f.Line > len(lines) || i > 0 && f.Line < found[i-1].Line {
				t.Fatalf("%d lines: %v", len(lines), f)
			}
		}
		for _, row := range m.Rows {
			if !strings.Contains(lines[row.Line-1], strings.ReplaceAll(row.Skill, "|", `\|`)) {
				t.Fatalf("%q is not on line %d", row.Skill, row.Line)
			}
		}
		for _, r := range m.Renames {
			skill, rename, ok := m.Resolve(r.Old)
			if _, exists := m.Row(skill); ok && (!exists || rename.Old != r.Old) {
				t.Fatalf("%q resolves to %q by %v", r.Old, skill, rename)
			}
			if ok != slices.Contains(m.OldNames(skill), r.Old) {
				t.Fatalf("%q and its old names disagree on %q", skill, r.Old)
			}
			if len(found) == 0 && (!ok || skill != r.New) {
				t.Fatalf("in order, and %q does not resolve to %q", r.Old, r.New)
			}
		}
		if len(m.Since("")) > len(m.Releases) || len(m.History()) != len(m.Releases) {
			t.Fatal("more or fewer releases than there are")
		}
	})
}

// FuzzSetVersion: a refused edit changes nothing; one that is done changes one
// line, holds, and leaves a file in order as much in order as before. A file
// in order refuses no proper edit.
func FuzzSetVersion(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add([]byte(s), 0, "2.10.0", "2026-06-01")
	}
	f.Fuzz(func(t *testing.T, data []byte, at int, version, date string) {
		m, found := Parse(data)
		if at < 0 || at >= len(m.Rows) {
			return
		}
		skill := m.Rows[at].Skill
		if err := m.SetVersion(skill, Version(version), date); err != nil {
			if !bytes.Equal(m.Bytes(), data) {
				t.Fatalf("refused and yet changed: %q", m.Bytes())
			}
			if len(found) == 0 && Version(version).Valid() && validDate(date) {
				t.Fatalf("refused in a file in order: %v", err)
			}
			return
		}
		row, _ := m.Row(skill)
		if string(row.Version) != version || row.Updated != date {
			t.Fatalf("got %v", row)
		}
		before, after := table.Lines(string(data)), table.Lines(string(m.Bytes()))
		for i := range before {
			if before[i] != after[i] && i != row.Line-1 || len(before) != len(after) {
				t.Fatalf("line %d became %q", i+1, after[i])
			}
		}
		edited := m.Bytes()
		if err := m.SetVersion(skill, Version(version), date); err != nil || !bytes.Equal(m.Bytes(), edited) {
			t.Fatalf("a second time: %v, %q", err, m.Bytes())
		}
		if _, now := Parse(edited); len(now) > len(found) {
			t.Fatalf("new findings: %v", now)
		}
	})
}

// FuzzAdd: what is added comes in at one place, between bytes that stay as
// they were. A file in order refuses no proper addition.
func FuzzAdd(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add([]byte(s), "aso", "2.10.0", "2026-06-01", "`ads` is **better**.", true)
	}
	f.Fuzz(func(t *testing.T, data []byte, skill, version, date, text string, breaking bool) {
		m, found := Parse(data)
		rows, releases := len(m.Rows), len(m.Releases)
		if err := m.AddSkill(skill, Version(version), date); err != nil {
			_, known := m.Row(skill)
			if len(found) == 0 && !known && validName(skill) && Version(version).Valid() && validDate(date) {
				t.Fatalf("skill refused in a file in order: %v", err)
			}
			if !bytes.Equal(m.Bytes(), data) {
				t.Fatal("refused and yet changed")
			}
		} else if len(m.Rows) != rows+1 || !isInsertion(data, m.Bytes()) {
			t.Fatalf("%d rows, then %d in\n%s", rows, len(m.Rows), m.Bytes())
		}

		before := m.Bytes()
		newest := Release{Version: "18446744073709551615.0.0", Date: "9999-12-31", Changes: []Change{{Text: text, Breaking: breaking}}}
		if date == "" {
			newest.Version, newest.Date = "", version
		}
		if err := m.AddRelease(newest); err != nil {
			if !bytes.Equal(m.Bytes(), before) {
				t.Fatal("refused and yet changed")
			}
			if text == "Fixed." && newest.Version != "" && len(found) == 0 {
				t.Fatalf("release refused in a file in order: %v", err)
			}
		} else if len(m.Releases) != releases+1 || !isInsertion(before, m.Bytes()) {
			t.Fatalf("%d releases, then %d in\n%s", releases, len(m.Releases), m.Bytes())
		}
	})
}

// isInsertion reports whether something was put in at one place of old.
func isInsertion(old, new []byte) bool {
	start := 0
	for start < len(old) && start < len(new) && old[start] == new[start] {
		start++
	}
	return len(new) > len(old) && bytes.HasSuffix(new, old[start:])
}
