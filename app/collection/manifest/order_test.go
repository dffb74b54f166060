package manifest

import (
	"slices"
	"strings"
	"testing"
)

func TestHistory(t *testing.T) {
	for _, tt := range []struct {
		name     string
		headings string // in the order of the file
		want     string
	}{
		{"in order", "2.1.0 (2026-05-21), 2.0.1 (2026-05-18)", "2.1.0, 2.0.1"},
		{"newer below older", "2.0.1 (2026-05-18), 2.1.0 (2026-05-21)", "2.1.0, 2.0.1"},
		{"numbers, not letters", "2.9.0 (2026-05-18), 2.10.0 (2026-05-21)", "2.10.0, 2.9.0"},
		{"versions on one day", "2.9.0 (2026-05-18), 2.10.0 (2026-05-18)", "2.10.0, 2.9.0"},
		{"dates", "2026-05-18, 2026-05-21, 2026-05-05", "2026-05-21, 2026-05-18, 2026-05-05"},
		{"a date among versions", "2.1.0 (2026-05-21), 2.0.0 (2026-05-05), 2026-05-18", "2.1.0, 2026-05-18, 2.0.0"},
		{"a date before all versions", "2026-05-01, 2.0.0 (2026-05-05)", "2.0.0, 2026-05-01"},
		{"a date after all versions", "2.0.0 (2026-05-05), 2026-06-01", "2026-06-01, 2.0.0"},
		{"a date on the day of a version", "2.0.0 (2026-05-05), 2026-05-05", "2026-05-05, 2.0.0"},
		{"versions against dates", "2.0.0 (2026-05-21), 2.1.0 (2026-05-01), 2026-05-10", "2026-05-10, 2.1.0, 2.0.0"},
		{"version without a date", "2026-05-18, 2.0.0 (2026-05-05), 3.0.0", "3.0.0, 2026-05-18, 2.0.0"},
		{"invalid version", "v3.0.0 (2026-06-01), 2.0.0 (2026-05-05)", "2.0.0, v3.0.0"},
		{"equal ones in the order of the file", "2.0.0 (2026-05-05), 2.0.0 (2026-05-05)", "2.0.0, 2.0.0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := historyOf(strings.Split(tt.headings, ", ")...)
			before := slices.Clone(releaseNames(m.Releases))
			got := m.History()
			if names := strings.Join(releaseNames(got), ", "); names != tt.want {
				t.Errorf("got %s, want %s", names, tt.want)
			}
			if !slices.Equal(before, releaseNames(m.Releases)) {
				t.Error("History changed the order of the file")
			}
			if !slices.IsSortedFunc(got, func(a, b Release) int {
				if a.Name() == b.Name() {
					return a.Line - b.Line
				}
				return 0
			}) {
				t.Error("equal releases changed places")
			}
		})
	}
}

// historyOf returns a manifest with releases under the given headings.
func historyOf(headings ...string) *Manifest {
	var releases []Release
	for i, h := range headings {
		version, date, ok := strings.Cut(h, " (")
		switch {
		case !ok && strings.Contains(h, "."):
			date = ""
		case !ok:
			version, date = "", h
		}
		releases = append(releases, Release{Version: Version(version), Date: strings.TrimSuffix(date, ")"), Line: i + 1})
	}
	return New(nil, releases, nil)
}

func releaseNames(releases []Release) []string {
	var all []string
	for _, r := range releases {
		all = append(all, r.Name())
	}
	return all
}

// FuzzHistory: whatever versions and dates releases have, they stand in one
// order; versions fall, dates without a version fall, and the order of the
// file makes no difference.
func FuzzHistory(f *testing.F) {
	f.Add("2.9.0", "2026-05-18", "", "2026-05-20", "2.10.0", "2026-05-21")
	f.Add("2.0.0", "2026-05-21", "", "2026-05-10", "2.1.0", "2026-05-01")
	f.Add("v1.0.0", "2026-02-30", "", "", "1.0.0", "")
	f.Fuzz(func(t *testing.T, v1, d1, v2, d2, v3, d3 string) {
		all := []Release{{Version: Version(v1), Date: d1}, {Version: Version(v2), Date: d2}, {Version: Version(v3), Date: d3}}
		where := (&Manifest{Releases: all}).history()
		checkOrder(t, position.compare, where[0].position, where[1].position, where[2].position)

		key := func(r Release) string { return string(r.Version) + "\x00" + r.Date }
		var first []string
		for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			m := Manifest{Releases: []Release{all[order[0]], all[order[1]], all[order[2]]}}
			var keys []string
			var last, lastDated *Release
			for _, r := range m.History() {
				keys = append(keys, key(r))
				previous := &last
				if r.Version == "" {
					previous = &lastDated
				}
				if p := *previous; p != nil && (Compare(p.Version, r.Version) < 0 || r.Version == "" && p.Date < r.Date) {
					t.Fatalf("%v stands above %v", *p, r)
				}
				*previous = &r
			}
			if first == nil {
				first = keys
			}
			if !slices.Equal(keys, first) {
				t.Fatalf("%q in one order of the file, %q in another", first, keys)
			}
		}
	})
}
