package versionsfile

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"marketingskills/app/collection/manifest"
)

func TestQuestions(t *testing.T) {
	m := goodSample(t)
	if row, ok := m.Row("cro"); !ok || row.Version != "2.0.0" || row.Line != 10 {
		t.Errorf("Row(cro) = %v, %v", row, ok)
	}
	if row, ok := m.Row("page-cro"); ok {
		t.Errorf("Row(page-cro) = %v", row)
	}
	if latest, ok := m.Latest(); !ok || latest.Version != "2.2.0" || latest.Breaking() {
		t.Errorf("Latest = %v, %v", latest, ok)
	}
	if !m.Releases[2].Breaking() {
		t.Error("2.0.0 is breaking")
	}
	if latest, ok := new(manifest.Manifest).Latest(); ok {
		t.Errorf("Latest of nothing = %v", latest)
	}
}

func TestSince(t *testing.T) {
	m := goodSample(t)
	for version, want := range map[manifest.Version]string{
		"1.10.0": "2.2.0 2026-05-18 2.0.0",
		"2.0.0":  "2.2.0 2026-05-18",
		"2.0.1":  "2.2.0", // it is taken to be newer than what stands above 2.0.0
		"2.1.0":  "2.2.0",
		"2.2.0":  "",
		"2.10.0": "",
		"latest": "2.2.0 2026-05-18 2.0.0",
		"":       "2.2.0 2026-05-18 2.0.0",
	} {
		if got := strings.Join(releaseNames(m.Since(version)), " "); got != want {
			t.Errorf("Since(%q) = %q, want %q", version, got, want)
		}
	}
}

func TestTouching(t *testing.T) {
	m := goodSample(t)
	for skill, want := range map[string]string{
		"ads":         "2.2.0 2.0.0",
		"paid-ads":    "2.2.0 2.0.0",
		"cro":         "2026-05-18 2.0.0", // by an old name, and merged
		"form-cro":    "2026-05-18 2.0.0",
		"prospecting": "2.2.0",
		"unknown":     "",
		"":            "",
	} {
		if got := strings.Join(releaseNames(m.Touching(skill)), " "); got != want {
			t.Errorf("Touching(%q) = %q, want %q", skill, got, want)
		}
	}
}

func TestResolve(t *testing.T) {
	for _, tt := range []struct {
		name, old, new string // a change to the sample
		ask, want      string
		line           int
	}{
		{"renamed", "", "", "paid-ads", "ads", 21},
		{"merged", "", "", "form-cro", "cro", 19},
		{"today's name", "", "", "ads", "", 0},
		{"unknown", "", "", "adz", "", 0},
		{"empty", "", "", "", "", 0},
		{"chain", "| paid-ads | ads ", "| paid-ads | page-cro ", "paid-ads", "cro", 21},
		{"circle", "| paid-ads | ads ", "| paid-ads | paid-ads ", "paid-ads", "", 0},
		{"target without a row", "| paid-ads | ads ", "| paid-ads | adverts ", "paid-ads", "", 0},
		{"old name with a row", "| paid-ads | ads ", "| prospecting | ads ", "prospecting", "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := sample
			if tt.old != "" {
				text = changed(t, tt.old, tt.new)
			}
			m, _ := Parse([]byte(text))
			skill, rename, ok := m.Resolve(tt.ask)
			if skill != tt.want || ok != (tt.want != "") || rename.Line != tt.line {
				t.Errorf("got %q, %+v, %v", skill, rename, ok)
			}
		})
	}
}

func TestOldNames(t *testing.T) {
	m := goodSample(t)
	for skill, want := range map[string][]string{
		"cro": {"form-cro", "page-cro"}, "ads": {"paid-ads"}, "prospecting": nil, "paid-ads": nil, "": nil,
	} {
		if got := m.OldNames(skill); !reflect.DeepEqual(got, want) {
			t.Errorf("OldNames(%q) = %q, want %q", skill, got, want)
		}
	}
	m, _ = Parse([]byte(changed(t, "| paid-ads | ads ", "| paid-ads | page-cro ")))
	if got := m.OldNames("cro"); !slices.Equal(got, []string{"form-cro", "page-cro", "paid-ads"}) {
		t.Errorf("through a chain: %q", got)
	}
}
