package finding

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestString(t *testing.T) {
	good := Finding{File: "skills/ads/SKILL.md", Line: 3, Rule: "name", Severity: Error, Wrong: "the name is missing", Right: "add name: ads"}
	for _, c := range []struct {
		name   string
		change func(*Finding)
		want   string
	}{
		{"error", func(f *Finding) {}, "skills/ads/SKILL.md:3: name: the name is missing; add name: ads"},
		{"warning", func(f *Finding) { f.Severity = Warning }, "skills/ads/SKILL.md:3: name (warning): the name is missing; add name: ads"},
		{"whole file", func(f *Finding) { f.Line = 0 }, "skills/ads/SKILL.md: name: the name is missing; add name: ads"},
		{"line feed in a file name", func(f *Finding) { f.File = "a\nb" }, `a\nb:3: name: the name is missing; add name: ads`},
		{"terminal escape", func(f *Finding) { f.Wrong = "\x1b[2J \u202e" }, `skills/ads/SKILL.md:3: name: \x1b[2J \u202e; add name: ads`},
		{"other alphabets", func(f *Finding) { f.Wrong = "日本 \"ü\"" }, `skills/ads/SKILL.md:3: name: 日本 "ü"; add name: ads`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := good
			c.change(&f)
			if got := f.String(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestListKeepsOrderAndSeverity(t *testing.T) {
	l := List{File: "a.md"}
	l.Errorf(2, "first", "do %s", "%d wrong", 1)
	l.Warnf(1, "second", "right", "wrong")
	want := []Finding{
		// Only what is wrong is a format.
		{"a.md", 2, "first", Error, "1 wrong", "do %s"},
		{"a.md", 1, "second", Warning, "wrong", "right"},
	}
	if !slices.Equal(l.All, want) {
		t.Errorf("got %v", l.All)
	}
	if errors, warnings := Count(l.All); errors != 1 || warnings != 1 {
		t.Errorf("%d errors, %d warnings", errors, warnings)
	}
}

func TestLongTextsAreCut(t *testing.T) {
	l := List{File: "a.md"}
	for shift := range 4 {
		l.Errorf(1, "rule", strings.Repeat("é", 1<<20), "%s%s", strings.Repeat("x", shift), strings.Repeat("🙂", 1<<20))
	}
	for _, f := range l.All {
		for _, s := range []string{f.Wrong, f.Right} {
			if len(s) > maxText+len("…") || len(s) < maxText-utf8.UTFMax || !utf8.ValidString(s) || !strings.HasSuffix(s, "…") {
				t.Errorf("%d bytes, ends in %q", len(s), s[len(s)-8:])
			}
		}
	}
}

func TestSort(t *testing.T) {
	want := []Finding{
		{File: "a", Line: 1, Rule: "a"},
		{File: "a", Line: 1, Rule: "b"},
		{File: "a", Line: 2, Rule: "a"},
		{File: "a", Line: 10, Rule: "a"},
		{File: "b", Line: 0, Rule: "c"},
	}
	for range 100 {
		got := slices.Clone(want)
		rand.Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		if Sort(got); !slices.Equal(got, want) {
			t.Fatalf("got %v", got)
		}
	}
}

// TestSortIsStable: what stands at one place stays as it was found.
func TestSortIsStable(t *testing.T) {
	var all []Finding
	for i := range 50 {
		all = append(all, Finding{File: "a", Line: i % 2, Rule: "r", Wrong: strings.Repeat("x", i)})
	}
	Sort(all)
	for i := 1; i < len(all); i++ {
		if all[i-1].Line == all[i].Line && len(all[i-1].Wrong) > len(all[i].Wrong) {
			t.Fatalf("%d came before %d", len(all[i-1].Wrong), len(all[i].Wrong))
		}
	}
}
