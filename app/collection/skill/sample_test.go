package skill

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/finding/findingtest"
)

// The sample is one valid skill that has everything a skill can have. Each
// test breaks one thing in it.
const (
	sampleDir  = "skills/lead-scoring"
	sampleMain = `---
name: lead-scoring
description: "Rank inbound leads by fit and timing: who to call first, who to leave. For finding new leads: prospecting. Not for forecasts."
license: MIT
compatibility: "Needs a spreadsheet"
allowed-tools: "Read Write"
metadata:
  version: "1.0.0"
  title: Lead scoring
  category: Sales & prospecting
  keywords: "lead grade, who to call first"
---

# Lead scoring

See [the scale](references/scale.md).
`
	sampleReference = "# The scale\n\nFrom 0 to 100.\n"
)

// sampleMetadata is the last part of the sample's frontmatter; its body begins on
// the line sampleBody.
var (
	sampleMetadata = sampleMain[strings.Index(sampleMain, "metadata:"):strings.Index(sampleMain, "---\n\n")]
	sampleBody     = 2 + strings.Count(sampleMain[:strings.Index(sampleMain, "---\n\n")], "\n")
)

// sampleEvals has each eval on a line of its own, the first on line 4.
func sampleEvals() string {
	var b strings.Builder
	b.WriteString("{\n  \"skill_name\": \"lead-scoring\",\n  \"evals\": [\n")
	for n := 1; n <= 6; n++ {
		comma := ","
		if n == 6 {
			comma = ""
		}
		fmt.Fprintf(&b, `    {"id": %d, "prompt": "Rank %d", "expected_output": "A list", "assertions": ["1", "2", "3", "4", "Has 250 to 500 words", "The first sentence ranks"], "files": []}%s`+"\n", n, n, comma)
	}
	b.WriteString("  ]\n}\n")
	return b.String()
}

func sample() fstest.MapFS {
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		"SKILL.md":            sampleMain,
		"references/scale.md": sampleReference,
		"evals/evals.json":    sampleEvals(),
	} {
		files[sampleDir+"/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

// change breaks one thing in the sample. Files are named relative to the skill.
type change = findingtest.Change

func put(name, text string) change { return findingtest.Put(sampleDir+"/"+name, text) }

func remove(name string) change { return findingtest.Remove(sampleDir + "/" + name) }

func replace(name, old, new string) change {
	return findingtest.Replace(sampleDir+"/"+name, old, new)
}

// front replaces a text of SKILL.md.
func front(old, new string) change { return replace("SKILL.md", old, new) }

// broken is one case: a change, and the findings it must give, no more and no
// fewer, each as "file:line rule", with the file relative to the skill.
type broken struct {
	name   string
	change change
	want   []string
}

func runBroken(t *testing.T, cases []broken) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			files := sample()
			c.change(t, files)
			s, found := Load(files, sampleDir)
			if s == nil || s.Dir != "lead-scoring" {
				t.Fatalf("the skill is %v", s)
			}
			expect(t, found, c.want...)
		})
	}
}

func expect(t *testing.T, found []finding.Finding, want ...string) {
	t.Helper()
	found = slices.Clone(found)
	for i := range found {
		found[i].File = strings.TrimPrefix(strings.TrimPrefix(found[i].File, sampleDir), "/")
	}
	findingtest.Expect(t, found, want...)
}

func TestSampleIsValid(t *testing.T) {
	s, found := Load(sample(), sampleDir)
	expect(t, found)
	want := []string{"SKILL.md", "evals/evals.json", "references/scale.md"}
	if !slices.Equal(s.Files, want) {
		t.Errorf("files %q", s.Files)
	}
	if s.Name != "lead-scoring" || s.Version != "1.0.0" || s.VersionLine != 8 ||
		s.Title != "Lead scoring" || s.Category != "Sales & prospecting" ||
		!slices.Equal(s.Keywords, []string{"lead grade", "who to call first"}) {
		t.Errorf("got %+v", s)
	}
	if len(s.Texts) != 2 {
		t.Fatalf("texts %+v", s.Texts)
	}
	if t1 := s.Texts[0]; t1.File != MainFile || !strings.HasPrefix(t1.Body, "\n# Lead scoring\n") || t1.Title != "Lead scoring" || t1.Doc.Headings[0].Line != sampleBody+1 {
		t.Errorf("SKILL.md is %+v", t1)
	}
	if t2 := s.Texts[1]; t2.File != "references/scale.md" || t2.Body != sampleReference || t2.Doc.Headings[0].Line != 1 {
		t.Errorf("the reference is %+v", t2)
	}
	if len(s.Evals) != 6 || s.Evals[5].Prompt != "Rank 6" || s.Evals[5].Expected != "A list" || len(s.Evals[5].Assertions) != 6 {
		t.Errorf("evals %+v", s.Evals)
	}
}
