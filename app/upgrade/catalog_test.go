package upgrade

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"marketingskills/app/collection/manifest"
)

// TestSince: a change that is not breaking is one of a release that touched
// the skill.
func TestSince(t *testing.T) {
	m := repository(t)
	c := newCatalog(m)
	for _, skill := range []string{"ads", "cro", "prospecting", "sms", "ai-seo", "co-marketing", "revops"} {
		touching := m.Touching(skill)
		for _, change := range c.since(skill, "0.0.1") {
			if !change.Breaking && !slices.ContainsFunc(touching, func(r manifest.Release) bool { return r.Name() == change.Release }) {
				t.Errorf("%s was not touched by %s", skill, change.Release)
			}
		}
	}
}

func TestOneX(t *testing.T) {
	c := newCatalog(repository(t))
	var got []string
	for _, name := range c.names() {
		if c.oneX(name) {
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

func TestLastVersion(t *testing.T) {
	for text, want := range map[string]manifest.Version{
		"`ads` moves from 2.0.0 to 2.0.1, which specifies": "2.0.1",
		"The new skill `sms` (1.0.0) covers SMS.":          "1.0.0",
		"`seo-audit` now follows specification 1.0.0.":     "",
		"Moves to 2.0.1.": "2.0.1",
		"to 2.0":          "",
		"":                "",
	} {
		if got := lastVersion(text); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestLocks(t *testing.T) {
	const broken = "This file is not a JSON object and was not checked."
	for _, c := range []struct{ name, data, want, problem string }{
		{"project", `{"version":1,"skills":{"page-cro":{"source":"o/r","sourceType":"github","computedHash":"ab"},"cro":{},"pdf":{}}}`, "page-cro>cro at skills.page-cro 1", ""},
		{"home", `{"version":3,"skills":{"ads":{"skillPath":"skills/paid-ads/SKILL.md"},"popup-cro":{"skillPath":"skills/popup-cro"}},"lastSelectedAgents":["claude-code"]}`, "paid-ads>ads at skills.ads.skillPath 1; popup-cro>popups at skills.popup-cro 2", ""},
		{"clean", `{"skills":{"cro":{}}}`, "", ""},
		{"a list", `{"skills":[{"name":"schema-markup"},{"name":"page-cro-2"}]}`, "schema-markup>schema at skills.name 1", ""},
		{"no end", "\uFEFF{\"skills\": {\n\"form-cro\": {}, \"page-cro\": [", "", broken},
		{"a comment", "{\"skills\": {\"form-cro\": 1, // mine\n\"page-cro\": 2}}", "", broken},
		{"escapes", `{"skills":{"page\u002dcro":{"path":"C:\\x\\launch-strategy\\SKILL.md"}}}`, "launch-strategy>launch at skills.page-cro.path 1; page-cro>cro at skills.page-cro 1", ""},
		{"line end in a text", "{\"paid-ads\": \"page-cro\n\"ads\": 1}", "", broken},
		{"not JSON", "page-cro", "", broken},
		{"nothing", "", "", broken},
		{"binary", "\x00\xff{\"", "", broken},
		{"a look-alike", `{"skills":{"pаge-cro":{}}}`, "", ""},
	} {
		in := good()
		in.Locks = []LockFile{{"skills-lock.json", []byte(c.data)}}
		r := Analyze(in, repository(t))
		var got []string
		for _, n := range r.Locks[0].Names {
			got = append(got, fmt.Sprintf("%s>%s at %s %d", n.Name, n.Now, n.At, n.Times))
		}
		if strings.Join(got, "; ") != c.want || r.Locks[0].Problem != c.problem || r.Attention != len(got) || (r.Locks[0].Advice != "") != (len(got) > 0) {
			t.Errorf("%s: %v, %+v", c.name, got, r.Locks[0])
		}
	}
}
