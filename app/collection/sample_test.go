package collection

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"marketingskills/app/collection/finding"
)

// The sample is a small collection in order: one skill, one planned skill and
// one old name. Each test breaks one thing in it.
const (
	sampleSkill = "skills/lead-scoring/SKILL.md"
	sampleScale = "skills/lead-scoring/references/scale.md"
	sampleEvals = "skills/lead-scoring/evals/evals.json"

	// The frontmatter ends on line 9, the title is on line 11.
	skillText = `---
name: lead-scoring
description: "Rank inbound leads by fit and timing: who to call first, who to leave. For finding new leads: prospecting. Not for forecasts."
license: MIT
metadata:
  version: "2.0.1"
  title: Lead scoring
  category: Sales & prospecting
---

# Lead scoring

Use [the scale](references/scale.md#points), not a feeling.

## When not to use this

## When to say no

## What would change this advice

## Related skills

- ` + "`lead-routing`" + `: who gets the lead.

## Deliverable

A list.
`
	scaleText = `# The scale

## Points

From 0 to 100, as [said](../SKILL.md#deliverable).
`
	manifestText = `# Versions

| Skill        | Version | Last Updated |
| ------------ | ------- | ------------ |
| lead-routing | 1.0.0   | 2026-05-05   |
| lead-scoring | 2.0.1   | 2026-05-26   |

## Renamed in 2.0.0

| Old name     | New name     | Kind    | Where the content went |
| ------------ | ------------ | ------- | ---------------------- |
| lead-grading | lead-scoring | renamed | ` + "`skills/lead-scoring/`" + ` |

## Recent Changes

### 2.0.0 (2026-05-05)

- **Breaking:** One skill has a new name.
- Total: 2 skills.
`
	plannedText = "# To be written.\n\nlead-routing\n"
)

// evalsText returns evals in order for a skill.
func evalsText(skill string) string {
	var all []string
	for n := 1; n <= 6; n++ {
		all = append(all, fmt.Sprintf(`{"id": %d, "prompt": "Rank", "expected_output": "A list", "assertions": ["1", "2", "3", "4", "5", "6"], "files": []}`, n))
	}
	return fmt.Sprintf(`{"skill_name": %q, "evals": [%s]}`, skill, strings.Join(all, ",\n"))
}

func sample() fstest.MapFS {
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		sampleSkill: skillText, sampleScale: scaleText, sampleEvals: evalsText("lead-scoring"),
		manifestFile: manifestText, plannedFile: plannedText,
	} {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

// change breaks one thing in the sample.
type change func(*testing.T, fstest.MapFS)

// then makes two changes one.
func (c change) then(next change) change {
	return func(t *testing.T, files fstest.MapFS) {
		c(t, files)
		next(t, files)
	}
}

func put(name, text string) change {
	return func(_ *testing.T, files fstest.MapFS) { files[name] = &fstest.MapFile{Data: []byte(text)} }
}

func remove(names ...string) change {
	return func(_ *testing.T, files fstest.MapFS) {
		for _, name := range names {
			delete(files, name)
		}
	}
}

// replace replaces a text that stands once in a file.
func replace(name, old, new string) change {
	return func(t *testing.T, files fstest.MapFS) {
		text := string(files[name].Data)
		if strings.Count(text, old) != 1 {
			t.Fatalf("%q does not stand once in %s", old, name)
		}
		files[name] = &fstest.MapFile{Data: []byte(strings.Replace(text, old, new, 1))}
	}
}

// addSkill adds a skill and its row.
func addSkill(name string) change {
	return addFolder(name).then(row(name, "2.0.1")).then(replace(manifestFile, "Total: 2", "Total: 3"))
}

// addFolder adds a skill without a row: a copy of the first under another
// name, without the reference.
func addFolder(name string) change {
	text := strings.Replace(skillText, "name: lead-scoring", "name: "+name, 1)
	text = strings.Replace(text, "[the scale](references/scale.md#points)", "the scale", 1)
	return put("skills/"+name+"/SKILL.md", text).
		then(put("skills/"+name+"/evals/evals.json", evalsText(name)))
}

// row adds a row to the end of the table, where the order allows it.
func row(name, version string) change {
	last := "| lead-scoring | 2.0.1   | 2026-05-26   |\n"
	return replace(manifestFile, last, last+"| "+name+" | "+version+" | 2026-05-26 |\n")
}

// broken is one case: a change, and the findings it must give, no more and no
// fewer, each as "file:line rule".
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
			_, found, err := Load(files)
			if err != nil {
				t.Fatal(err)
			}
			expect(t, found, c.want...)
		})
	}
}

func expect(t *testing.T, found []finding.Finding, want ...string) {
	t.Helper()
	var got []string
	for _, f := range found {
		got = append(got, place(f))
		if f.Wrong == "" || f.Right == "" || f.Severity == "" {
			t.Errorf("not complete: %#v", f)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("want %q", want)
		for _, f := range found {
			t.Log(f)
		}
	}
}

func place(f finding.Finding) string {
	if f.Line == 0 {
		return f.File + " " + f.Rule
	}
	return fmt.Sprintf("%s:%d %s", f.File, f.Line, f.Rule)
}

func TestSampleIsValid(t *testing.T) {
	c, found, err := Load(sample())
	if err != nil {
		t.Fatal(err)
	}
	expect(t, found)
	if len(c.Skills) != 1 || len(c.Manifest.Rows) != 2 || !slices.Equal(c.Planned, []string{"lead-routing"}) {
		t.Errorf("got %+v", c)
	}
	s := c.Skill("lead-scoring")
	if s == nil || len(s.Texts) != 2 || s.Texts[0].File != "SKILL.md" || s.Texts[0].Title != "Lead scoring" ||
		s.Texts[1].File != "references/scale.md" || s.Texts[1].Title != "The scale" {
		t.Errorf("got %+v", s)
	}
	if c.Skill("lead-routing") != nil || c.Skill("") != nil || c.DescriptionCharacters() != len([]rune(s.Description)) {
		t.Errorf("%d characters", c.DescriptionCharacters())
	}
}

// TestTwoSkillsAreValid keeps addSkill honest.
func TestTwoSkillsAreValid(t *testing.T) {
	runBroken(t, []broken{{"two", addSkill("lead-sorting"), nil}})
}
