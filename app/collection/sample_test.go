package collection

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"marketingskills/app/collection/finding/findingtest"
)

// The sample is a small collection in order: two skills, one of them with
// an old name. Each test breaks one thing in it.
const (
	sampleSkill   = "skills/lead-scoring/SKILL.md"
	sampleScale   = "skills/lead-scoring/references/scale.md"
	sampleAnswers = "skills/lead-scoring/references/two-answers.md"
	sampleEvals   = "skills/lead-scoring/evals/evals.json"

	// The frontmatter ends on line 9, the title is on line 11, the paragraph
	// that gives the text its length on line 15, and what tests replace on
	// line 27.
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

FILLER

## Scoring

Points for fit.

Points for timing.

- Skill ` + "`lead-routing`" + `: who gets the lead.

## Notes

A list.

## How to answer

1. Write it.
2. Read it.

## References

- [The scale](references/scale.md): open when points decide.
`
	scaleText = `# The scale

Open when points decide.

## Points

From 0 to 100, as [said](../SKILL.md#how-to-answer).

FILLER
`
	answersText = `# Two answers

The companies are invented.

## Thin request

> Rank my leads.

FILLER

## Rich request

> Rank these 40 leads by size and by visits.

FILLER
`
	lookText = `# The look

## How to answer

1. Write it.
2. Read it.
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
)

// filled gives a text its length: 420 words for each FILLER.
func filled(text string) string {
	return strings.ReplaceAll(text, "FILLER", strings.TrimSpace(strings.Repeat("The largest firm that asked this week comes first here. ", 42)))
}

// evalsText returns evals in order for a skill.
func evalsText(skill string) string {
	var all []string
	for n := 1; n <= 6; n++ {
		all = append(all, fmt.Sprintf(`{"id": %d, "prompt": "Rank", "expected_output": "A list", "assertions": ["Has 250 to 500 words", "The first sentence ranks", "3", "4", "5", "6"], "files": []}`, n))
	}
	return fmt.Sprintf(`{"skill_name": %q, "evals": [%s]}`, skill, strings.Join(all, ",\n"))
}

func sample() fstest.MapFS {
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		sampleSkill: filled(skillText), sampleScale: filled(scaleText), sampleAnswers: filled(answersText),
		sampleEvals: evalsText("lead-scoring"), manifestFile: manifestText, secondLookFile: lookText,
	} {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	addFolder("lead-routing").Then(replace("skills/lead-routing/SKILL.md", `"2.0.1"`, `"1.0.0"`))(nil, files)
	return files
}

// change breaks one thing in the sample.
type change = findingtest.Change

var (
	put, remove, replace = findingtest.Put, findingtest.Remove, findingtest.Replace
	expect, place        = findingtest.Expect, findingtest.Place
)

// addSkill adds a skill and its row.
func addSkill(name string) change {
	return addFolder(name).Then(row(name, "2.0.1")).Then(replace(manifestFile, "Total: 2", "Total: 3"))
}

// addFolder adds a skill without a row: a copy of the first under another
// name.
func addFolder(name string) change {
	dir := "skills/" + name + "/"
	return put(dir+"SKILL.md", filled(strings.Replace(skillText, "name: lead-scoring", "name: "+name, 1))).
		Then(put(dir+"references/scale.md", filled(scaleText))).
		Then(put(dir+"references/two-answers.md", filled(answersText))).
		Then(put(dir+"evals/evals.json", evalsText(name)))
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

func TestSampleIsValid(t *testing.T) {
	c, found, err := Load(sample())
	if err != nil {
		t.Fatal(err)
	}
	expect(t, found)
	if len(c.Skills) != 2 || len(c.Manifest.Rows) != 2 {
		t.Errorf("got %+v", c)
	}
	s := c.Skill("lead-scoring")
	if s == nil || len(s.Texts) != 3 || s.Texts[0].File != "SKILL.md" || s.Texts[0].Title != "Lead scoring" ||
		s.Texts[1].File != "references/scale.md" || s.Texts[1].Title != "The scale" {
		t.Errorf("got %+v", s)
	}
	if c.Skill("lead-routing") == nil || c.Skill("") != nil || c.DescriptionCharacters() != 2*len([]rune(s.Description)) {
		t.Errorf("%d characters", c.DescriptionCharacters())
	}
}

// TestThreeSkillsAreValid keeps addSkill honest.
func TestThreeSkillsAreValid(t *testing.T) {
	runBroken(t, []broken{{"three", addSkill("lead-sorting"), nil}})
}

// sampleFolder are the files of the skill that is broken.
var sampleFolder = []string{sampleSkill, sampleScale, sampleAnswers, sampleEvals}
