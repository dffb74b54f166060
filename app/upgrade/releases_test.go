package upgrade

import (
	"slices"
	"strings"
	"testing"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/manifest/versionsfile"
)

// tangled is a manifest with everything that renames can do wrong.
const tangled = `
| Skill | Version | Last Updated |
| --- | --- | --- |
| a | 1.0.0 | 2026-01-01 |
| b | 2.0.0 | 2026-01-01 |
| b | 3.0.0 | 2026-01-01 |

## Renamed in 2.0.0

| Old name | New name | Kind | Where the content went |
| --- | --- | --- | --- |
| old | older | renamed | |
| older | oldest | merged | |
| oldest | a | renamed | |
| ring1 | ring2 | renamed | |
| ring2 | ring1 | renamed | |
| into-ring | ring1 | renamed | |
| gone | nobody | renamed | |
| a | b | renamed | |
| old | b | renamed | |
| self | self | renamed | |

## Recent Changes

### 2026-03-01

- Something.

### 2.0.0 (2026-02-01)

- Something.

### 2026-01-15

- Something.

### 1.0.0 (2026-01-01)

- Something.
`

// TestTangledRenames: chains are followed, circles lead nowhere, and a name
// with a row is no old name. Of two renames or rows the first counts.
func TestTangledRenames(t *testing.T) {
	m, _ := versionsfile.Parse([]byte(tangled))
	rs := newReleases(m)
	for name, want := range map[string]string{
		"a": "a", "b": "b", "old": "a", "older": "a", "oldest": "a",
		"ring1": "", "ring2": "", "into-ring": "", "gone": "", "nobody": "", "self": "", "": "",
	} {
		if got := rs.manifest.Current(name); got != want || Known(m)(name) != (want != "") || slices.Contains(rs.names(), name) != (want != "") {
			t.Errorf("%q: stands for %q, want %q; all names are %v", name, got, want, rs.names())
		}
		row, ok := rs.manifest.Row(name)
		if ok != (name == "a" || name == "b") || name == "b" && row.Version != "2.0.0" {
			t.Errorf("%q: the row is %v, %v", name, row, ok)
		}
	}
	if _, rename, _ := rs.manifest.Resolve("old"); rename.New != "older" {
		t.Errorf("old was renamed by %+v", rename)
	}
}

// TestSince: a change that is not breaking is one of a release that touched
// the skill.
func TestSince(t *testing.T) {
	m := repository(t)
	rs := newReleases(m)
	for _, skill := range []string{"ads", "cro", "prospecting", "sms", "ai-seo", "co-marketing", "revops"} {
		touching := m.Touching(skill)
		for _, change := range rs.since(skill, "0.0.1") {
			if !change.Breaking && !slices.ContainsFunc(touching, func(r manifest.Release) bool { return r.Name() == change.Release }) {
				t.Errorf("%s was not touched by %s", skill, change.Release)
			}
		}
	}
}

// TestSinceOwnVersion: in a change that names many skills, each with its version, a
// skill's own counts.
func TestSinceOwnVersion(t *testing.T) {
	m, _ := versionsfile.Parse([]byte(`
| Skill | Version | Last Updated |
| --- | --- | --- |
| ads | 2.1.0 | 2026-06-01 |
| sms | 1.1.0 | 2026-06-01 |
| video | 2.1.0 | 2026-06-01 |

## Recent Changes

### 2.3.0 (2026-06-01)

- **Changed:** A new form: ` + "`ads` (2.1.0), `sms` (1.1.0), `video` (2.1.0)" + `.
`))
	for version, want := range map[manifest.Version]int{"1.0.0": 1, "1.1.0": 0} {
		if got := newReleases(m).since("sms", version); len(got) != want {
			t.Errorf("since sms %s: %v", version, got)
		}
	}
}

func TestOneX(t *testing.T) {
	rs := newReleases(repository(t))
	var got []string
	for _, name := range rs.names() {
		if rs.oneX(name) {
			got = append(got, name)
		}
	}
	want := slices.Clone(unchanged)
	for old := range renames {
		want = append(want, old)
	}
	for old := range merges {
		want = append(want, old)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || len(got) != 41 {
		t.Errorf("%d names: %v", len(got), got)
	}
}

func TestVersionOf(t *testing.T) {
	for text, want := range map[string]manifest.Version{
		"New: `ads` (1.9.0), `sms` (1.1.0), `video` (2.1.0).": "1.1.0",
		"New: `sms` (soon), `video` (2.1.0).":                 "",
		"New: `sms` (1.1.0":                                   "1.1.0",
		"`ads` moves from 2.0.0 to 2.0.1, which specifies":    "2.0.1",
		"The new skill `sms` (1.0.0) covers SMS.":             "1.0.0",
		"`seo-audit` now follows specification 1.0.0.":        "",
		"Moves to 2.0.1.":                                     "2.0.1",
		"to 2.0":                                              "",
		"":                                                    "",
	} {
		if got := versionOf("sms", text); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestLocks(t *testing.T) {
	const broken = "This file is not a JSON object and was not checked."
	for _, c := range []struct{ name, data, want, problem string }{
		{"project", `{"version":1,"skills":{"page-cro":{"source":"o/r","sourceType":"github","computedHash":"ab"},"cro":{},"pdf":{}}}`, "page-cro", ""},
		{"home", `{"version":3,"skills":{"ads":{"skillPath":"skills/paid-ads/SKILL.md"},"popup-cro":{"skillPath":"skills/popup-cro"}},"lastSelectedAgents":["claude-code"]}`, "paid-ads; popup-cro", ""},
		{"clean", `{"skills":{"cro":{}}}`, "", ""},
		{"a list", `{"skills":[{"name":"schema-markup"},{"name":"page-cro-2"}]}`, "schema-markup", ""},
		{"no end", "\uFEFF{\"skills\": {\n\"form-cro\": {}, \"page-cro\": [", "", broken},
		{"a comment", "{\"skills\": {\"form-cro\": 1, // mine\n\"page-cro\": 2}}", "", broken},
		{"escapes", `{"skills":{"page\u002dcro":{"path":"C:\\x\\launch-strategy\\SKILL.md"}}}`, "launch-strategy; page-cro", ""},
		{"line end in a text", "{\"paid-ads\": \"page-cro\n\"ads\": 1}", "", broken},
		{"not JSON", "page-cro", "", broken},
		{"nothing", "", "", broken},
		{"binary", "\x00\xff{\"", "", broken},
		{"a look-alike", `{"skills":{"pаge-cro":{}}}`, "", ""},
	} {
		in := good()
		in.Locks = []LockFile{{"skills-lock.json", []byte(c.data)}}
		r := Analyze(in, repository(t))
		got := r.Locks[0].Names
		if strings.Join(got, "; ") != c.want || r.Locks[0].Problem != c.problem || r.Attention != len(got) || (r.Locks[0].Advice != "") != (len(got) > 0) {
			t.Errorf("%s: %v, %+v", c.name, got, r.Locks[0])
		}
	}
}
