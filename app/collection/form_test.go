package collection

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestDeliverable(t *testing.T) {
	const thin = "| Almost nothing given | A first scale | 250–500 |\n"
	runBroken(t, []broken{
		{"no table", replace(sampleSkill, "| Request | Reader gets | Words |\n| --- | --- | --- |\n", ""), []string{sampleSkill + ":31 deliverable"}},
		{"no column of words", replace(sampleSkill, "gets | Words |", "gets | Length |"), []string{sampleSkill + ":31 deliverable"}},
		{"no thin request", replace(sampleSkill, "Almost nothing given", "Leads not given"), []string{sampleSkill + ":31 deliverable"}},
		{"one row", replace(sampleSkill, "| Leads given | A ranked list | 300–500 |\n", ""), []string{sampleSkill + ":31 deliverable"}},
		{"a row without a number", replace(sampleSkill, "300–500", "short"), []string{sampleSkill + ":33 deliverable"}},
		{"a short row", replace(sampleSkill, thin, "| Almost nothing given | A first scale |\n"), []string{sampleSkill + ":34 deliverable"}},
		{"empty", replace(sampleSkill, "| Request | Reader gets | Words |\n| --- | --- | --- |\n| Leads given | A ranked list | 300–500 |\n"+thin, ""), []string{sampleSkill + " deliverable"}},
		{"another column first", replace(sampleSkill, thin, thin+"| Plan | Dates | 700–1,100 |\n"), nil},
	})
}

func TestReferenceList(t *testing.T) {
	const scale = "- [The scale](references/scale.md): open when points decide.\n"
	runBroken(t, []broken{
		{"no line for a file", replace(sampleSkill, scale, ""), []string{sampleSkill + ":38 references-list"}},
		{"no link", replace(sampleSkill, scale, scale+"- The scale: open when points decide.\n"), []string{sampleSkill + ":39 references-list"}},
		{"no open when", replace(sampleSkill, "open when points decide", "points"), []string{sampleSkill + ":38 references-list"}},
		{"twice", replace(sampleSkill, scale, scale+scale), []string{sampleSkill + ":39 references-list"}},
		{"prose", replace(sampleSkill, scale, "Some files.\n\n"+scale), []string{sampleSkill + ":38 references-list"}},
		{"empty", replace(sampleSkill, scale+"- [Two answers](references/two-answers.md): open when unsure of the length.\n", ""),
			[]string{sampleSkill + " references-list", sampleSkill + " references-list"}},
		{"capital letters", replace(sampleSkill, "open when points decide", "Open when points decide"), nil},
	})
}

func TestLengths(t *testing.T) {
	more := func(n int) string { return strings.Repeat("word ", n) }
	references := func(n int) (c change) {
		c = replace(sampleSkill, "A list.", "A list.")
		for i := range n {
			name := fmt.Sprintf("references/more-%d.md", i)
			c = c.Then(put("skills/lead-scoring/"+name, "# More\n\nOpen when asked.\n")).
				Then(replace(sampleSkill, "- [Two answers]", fmt.Sprintf("- [More](%s): open when asked.\n- [Two answers]", name)))
		}
		return c
	}
	runBroken(t, []broken{
		{"long", say(more(400)), []string{sampleSkill + " skill-words"}},
		{"short", replace(sampleSkill, strings.TrimSpace(filled("FILLER")), "Few."), []string{sampleSkill + " skill-words"}},
		{"code does not count", say("```\n" + more(400) + "\n```"), nil},
		{"five references", references(3), nil},
		{"six references", references(4), []string{"skills/lead-scoring/references reference-count"}},
		{"one reference", remove(sampleScale).Then(replace(sampleSkill, "[the scale](references/scale.md#points)", "the scale")).
			Then(replace(sampleSkill, "- [The scale](references/scale.md): open when points decide.\n", "")),
			[]string{"skills/lead-scoring/references reference-count"}},
		{"too many words", replace(sampleScale, "From 0", strings.Repeat(more(100)+"\n\n", 41)+"From 0"), []string{"skills/lead-scoring/references reference-words"}},
		{"too few words", replace(sampleAnswers, "> Rank these 40 leads by size and by visits.\n\n"+filled("FILLER"), "> Rank.\n\nNo.").
			Then(replace(sampleScale, filled("FILLER"), "")),
			[]string{"skills/lead-scoring/references reference-words", sampleAnswers + ":13 two-answers-length"}},
		{"no open when", replace(sampleScale, "Open when points", "Points"), []string{sampleScale + ":3 reference-open-when"}},
		{"open when not first", replace(sampleScale, "Open when", "- A list\n\nOpen when"), []string{sampleScale + ":5 reference-open-when"}},
	})
}

func TestTwoAnswers(t *testing.T) {
	runBroken(t, []broken{
		{"missing", remove(sampleAnswers).Then(replace(sampleSkill, "- [Two answers](references/two-answers.md): open when unsure of the length.\n", "")),
			[]string{sampleAnswers + " two-answers", "skills/lead-scoring/references reference-count", "skills/lead-scoring/references reference-words"}},
		{"another heading", replace(sampleAnswers, "## Thin request", "## A thin request"), []string{sampleAnswers + " two-answers"}},
		{"no request", replace(sampleAnswers, "> Rank my leads.\n\n", ""), []string{sampleAnswers + ":7 two-answers"}},
		{"long answer", replace(sampleAnswers, "> Rank my leads.", "> Rank my leads.\n\n"+strings.Repeat("word ", 100)), []string{sampleAnswers + ":7 two-answers-length"}},
		{"short answer", replace(sampleAnswers, "> Rank my leads.\n\n"+filled("FILLER"), "> Rank my leads.\n\nNo.\n\n"+"## More\n\n"+filled("FILLER")),
			[]string{sampleAnswers + ":7 two-answers-length"}},
		{"short answer around a file", replace(sampleAnswers, "> Rank my leads.\n\n"+filled("FILLER"), "> Rank my leads.\n\nHere.\n\n```\n"+strings.Repeat("word ", 300)+"\n```\n").
			Then(replace(sampleScale, "From 0", strings.Repeat(strings.Repeat("word ", 100)+"\n\n", 4)+"From 0")), nil},
		{"what was asked for does not count", replace(sampleAnswers, "> Rank my leads.", "> Rank my leads.\n\n> "+strings.Repeat("word ", 100)+"\n\n```\n"+strings.Repeat("word ", 100)+"\n```"), nil},
	})
}

func TestWording(t *testing.T) {
	const at = sampleSkill + ":27 "
	runBroken(t, []broken{
		{"print a check", say("Then print a one-line check below the list."), []string{at + "check-line"}},
		{"check line", say("Close with the Check line."), []string{at + "check-line"}},
		{"its form", say("End with `Check scale: leads 4 · sums 2/2`."), []string{at + "check-line"}},
		{"in code", say("```text\nCheck leads 4 · sums 2/2\n```"), []string{at + "check-line"}},
		{"forbidden", say("Never print a check line, and print no counts or checks."), nil},
		{"to check", say("Check the date. Check whether the list is whole."), nil},
		{"in a reference", replace(sampleScale, "From 0", "Kept as a check line. From 0"), nil},

		{"placeholder", say("Hello [first name], how are you?"), []string{at + "placeholder"}},
		{"placeholder at the end", say("- Sent by [your company]"), []string{at + "placeholder"}},
		{"placeholder in a table", say("| A |\n| --- |\n| [the price] |"), []string{sampleSkill + ":29 placeholder"}},
		{"TODO", replace(sampleScale, "From 0", "TODO: from 0"), []string{sampleScale + ":7 placeholder"}},
		{"lorem", say("```\nLorem ipsum dolor\n```"), []string{at + "placeholder"}},
		{"links are none", say("[it](references/scale.md), [it][x], [x], ![] and [ ].\n\n[x]: references/scale.md"), nil},
		{"code is none", say("Write `[exact]`.\n\n```\n[exact match]\n```"), nil},
		{"braces are none", say("Hello {first name}."), nil},

		{"undated limit", replace(sampleScale, "From 0", "- At most 160 characters.\n\nFrom 0"), []string{sampleScale + ":7 limit-undated"}},
		{"undated limit in a table", replace(sampleScale, "From 0", "| Limit |\n| --- |\n| 75 MPS |\n\nFrom 0"), []string{sampleScale + ":9 limit-undated"}},
		{"requests a day", replace(sampleScale, "From 0", "- 1,000 requests per day.\n\nFrom 0"), []string{sampleScale + ":7 limit-undated"}},
		{"dated limit", replace(sampleScale, "From 0", "- At most 160 characters.\n\nAs of November 2026. From 0"), nil},
		{"no limit", replace(sampleScale, "From 0", "- 160 people.\n\nFrom 0"), nil},
	})
}

func TestKeywords(t *testing.T) {
	keywords := func(name, words string) change {
		return replace("skills/"+name+"/SKILL.md", "  category: Sales & prospecting\n", "  category: Sales & prospecting\n  keywords: \""+words+"\"\n")
	}
	runBroken(t, []broken{
		{"different", addSkill("lead-sorting").Then(keywords("lead-scoring", "lead grade")).Then(keywords("lead-sorting", "lead order")), nil},
		{"the same", addSkill("lead-sorting").Then(keywords("lead-scoring", "lead grade, points")).Then(keywords("lead-sorting", "order, Lead  Grade")),
			[]string{"skills/lead-sorting/SKILL.md:9 keyword-repeated"}},
		{"twice in one", keywords("lead-scoring", "points, Points"), []string{sampleSkill + ":9 keyword-repeated"}},
	})
}

func TestProjectFiles(t *testing.T) {
	runBroken(t, []broken{
		{"known", put("skills/WRITING.md", "x").Then(put("skills/TRYOUTS.md", "x")).Then(put("skills/TRIGGERS.md", "x")), nil},
		{"unknown", put("skills/NOTES.md", "x"), []string{"skills/NOTES.md plain-files"}},
		{"a directory", put("skills/WRITING.md/x", "x"), []string{"skills/WRITING.md/SKILL.md skill-missing",
			"skills/WRITING.md/evals/evals.json evals-missing", "skills/WRITING.md/x file-type", "skills/WRITING.md/SKILL.md skill-without-row"}},
	})
}

// TestSpecifiedEvals: where the specification lists the evals there are no
// more of them.
func TestSpecifiedEvals(t *testing.T) {
	for name, want := range map[string][]string{"sms": {"skills/sms/evals/evals.json:1 evals-count"}, "ads": nil} {
		files := named(name)
		text := evalsText(name)
		seventh := text[strings.LastIndex(text, `{"id"`):strings.LastIndex(text, "]}")]
		text = strings.TrimSuffix(text, "]}") + ", " + strings.Replace(seventh, `"id": 6`, `"id": 7`, 1) + "]}"
		put("skills/"+name+"/evals/evals.json", text)(t, files)
		_, found, err := Load(files)
		if err != nil {
			t.Fatal(err)
		}
		var rest []string
		for _, f := range found {
			if f.Rule != "manifest-row-order" {
				rest = append(rest, place(f))
			}
		}
		if !slices.Equal(rest, want) {
			t.Errorf("%s: got %q", name, rest)
		}
	}
}
