package versionsfile

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"marketingskills/app/collection/manifest"
)

// seeds are what the fuzz tests start from.
func seeds(t testing.TB) []string {
	return []string{
		sample, "\ufeff" + strings.ReplaceAll(sample, "\n", "\r\n"), strings.TrimSuffix(sample, "\n"),
		changed(t, "| ads         | 2.0.1   | 2026-05-26   |", "ads|2.0.1|2026-05-26"),
		changed(t, "| paid-ads | ads ", "| paid-ads | page-cro "),
		changed(t, "### 2.2.0", "### Unreleased\n\n- `ads` (2.1.0), `cro`.\n\n### 2.2.0"),
		"|Skill|Version|Last Updated|\r|-|-|-|\r|a|1.0.0|2026-01-01|\r## Recent Changes\r### 2026-01-01\r- x",
	}
}

// FuzzParse: the same file gives the same report, what findings and rows say
// about lines is true, and the answers agree with each other.
func FuzzParse(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, next, found := ParseWithUnreleased(data)
		again, nextAgain, foundAgain := ParseWithUnreleased(data)
		if !reflect.DeepEqual(m, again) || !reflect.DeepEqual(next, nextAgain) || !reflect.DeepEqual(found, foundAgain) {
			t.Fatal("a second reading differs")
		}
		lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.ToValidUTF8(string(data), "\uFFFD")), "\n")
		for i, f := range found {
			if f.Line < 0 || f.Line > len(lines) || i > 0 && f.Line < found[i-1].Line {
				t.Fatalf("%d lines: %v", len(lines), f)
			}
		}
		if n := next; n != nil && (n.Line < 1 || n.Line > len(lines) || n.End != 0 && (n.End <= n.Line || n.End > len(lines)) ||
			!strings.Contains(strings.ToLower(lines[n.Line-1]), "unreleased")) {
			t.Fatalf("%d lines: %+v", len(lines), n)
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

// FuzzDecode: whatever comes as JSON is refused or answers as it does when it
// is written and read again.
func FuzzDecode(f *testing.F) {
	for _, s := range seeds(f) {
		m, _ := Parse([]byte(s))
		data, err := json.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, s := range []string{"", "null", "[]", `{"rows": {}}`, `{"rows": [{}]}`, `{"rows": [{"skill": "a"}], "renames": [{"old": "b", "new": "b"}]}x`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := manifest.Decode(data)
		if err != nil {
			return
		}
		written, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		again, err := manifest.Decode(written)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := fmt.Sprint(m), fmt.Sprint(again); a != b {
			t.Fatalf("got %s, want %s", b, a)
		}
		for _, r := range m.Renames {
			if skill, _, ok := m.Resolve(r.Old); ok && m.Current(skill) != skill {
				t.Fatalf("%q resolves to %q, which is not a skill", r.Old, skill)
			}
		}
		if len(m.History()) != len(m.Releases) {
			t.Fatal("more or fewer releases than there are")
		}
	})
}
