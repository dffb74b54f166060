package collection

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"marketingskills/app/collection/facts"
	"marketingskills/app/collection/registry"
	"marketingskills/app/collection/vendor"
)

func TestLook(t *testing.T) {
	runBroken(t, []broken{
		{"a word", replace(sampleSkill, "2. Read it.", "2. Read that."), []string{sampleSkill + ":32 look"}},
		{"a line less", replace(sampleSkill, "2. Read it.\n", ""), []string{sampleSkill + ":32 look"}},
		{"a line more", replace(sampleSkill, "2. Read it.\n", "2. Read it.\n3. Go.\n"), []string{sampleSkill + ":33 look"}},
		{"its own section", replace(sampleSkill, "2. Read it.\n", "2. Read it.\n\n### More\n"), []string{sampleSkill + ":33 look"}},
		{"other white space below", replace(sampleSkill, "2. Read it.\n\n", "2. Read it.\n\n\n"), nil},
		{"no home", remove(secondLookFile), []string{secondLookFile + " unreadable"}},
		{"another home", replace(secondLookFile, "## How to answer", "## Answers"), []string{secondLookFile + " look"}},
		{"more in its home", replace(secondLookFile, "2. Read it.\n", "2. Read it.\n\n## Notes\n\nNone.\n"), nil},
	})
}

// TestWithSecondLook: the section takes the place of another, and nothing else changes.
func TestWithSecondLook(t *testing.T) {
	const look = "## How to answer\n\n1. Write."
	for _, c := range []struct{ name, main, want string }{
		{"in the middle", "# A\n\n## How to answer\n\nNo.\n\n## References\n", "# A\n\n" + look + "\n\n## References\n"},
		{"at the end", "# A\n\n## How to answer\n", "# A\n\n" + look + "\n"},
		{"in order", "# A\n\n" + look, "# A\n\n" + look},
		{"the words in code", "# A\n\n```\n## How to answer\n```\n\n## How to answer\n\nNo.\n", "# A\n\n```\n## How to answer\n```\n\n" + look + "\n"},
		{"below fields", "---\nname: a\n---\n# A\n\n## How to answer\nNo.\n", "---\nname: a\n---\n# A\n\n" + look + "\n"},
	} {
		got, err := WithSecondLook(c.main, look)
		if err != nil || got != c.want {
			t.Errorf("%s: got %q, %v", c.name, got, err)
		}
	}
	if _, err := WithSecondLook("# A\n\n## Answers\n", look); err == nil || !strings.Contains(err.Error(), "How to answer") {
		t.Errorf("without the section: %v", err)
	}
	if _, err := WithSecondLook("# A\n\n## How to answer\n", ""); err == nil || !strings.Contains(err.Error(), secondLookFile) {
		t.Errorf("without a text: %v", err)
	}
}

// TestFacts: the reference of a skill's facts is the one that the ledger makes.
func TestFacts(t *testing.T) {
	const file, ledger = "skills/lead-scoring/references/facts.md", "skills/facts/email.json"
	addFact := put(ledger, `[{"id": "senders", "title": "Mailboxes have rules", "said": "Anybody may send.", "holds": "Mailboxes refuse some mail.",
		"since": "", "where": ["Worldwide"], "for": "", "skills": ["lead-scoring"],
		"sources": [{"url": "https://mailbox.example/rules", "read": "2026-05", "primary": true}]}]`)
	const text = "# Facts\n\nOpen when a law, a platform's rule, a price or a date decides. Each line begins with what an answer may say, " +
		"and goes on with what holds. Correct that sentence if yours says it; otherwise the line is not for your answer.\n\n" +
		"- *Anybody may send.* Mailboxes refuse some mail. ([mailbox.example](https://mailbox.example/rules), May 2026)\n"
	const scale = "- [The scale](references/scale.md): open when points decide.\n"
	whole := addFact.Then(put(file, text)).Then(replace(sampleSkill, scale, "- [Facts](references/facts.md): open when law decides.\n"+scale))
	runBroken(t, []broken{
		{"in order", whole, nil},
		{"not listed", addFact.Then(put(file, text)), []string{sampleSkill + ":36 references-list"}},
		{"not written", addFact, []string{file + " fact-reference"}},
		{"changed by hand", whole.Then(replace(file, "Mailboxes refuse", "Some mailboxes refuse")), []string{file + " fact-reference"}},
		{"no fact any more", whole.Then(remove(ledger)), []string{file + " fact-reference"}},
	})
}

// TestStale: what was looked up before a month, and nothing later.
func TestStale(t *testing.T) {
	fact := &facts.Fact{ID: "senders", Channel: "Email", Line: 2, Sources: []facts.Source{{URL: "https://a.example", Read: "2026-05"}}}
	counter := registry.Guide{Text: Text{File: "counter.md"}, Checked: "2026-06-30", Sources: []registry.Source{
		{URL: "https://counter.example/limits", Read: "2026-04", Line: 70}, {URL: "https://counter.example/prices", Read: "2026-07", Line: 71}}}
	c := &Collection{
		Facts:   facts.Ledger{fact},
		Tools:   &registry.Registry{Tools: []*registry.Tool{{Name: "Counter", Guide: counter}}},
		Vendors: map[string]*vendor.Table{"counter": {Name: "Counter", Docs: "https://counter.example/docs", Checked: "2026-07-01"}},
	}
	fresh, old := "counter.md:71 stale", "counter.md:70 stale"
	guide, table := "counter.md stale", "tools/clis/vendors/tables/counter.json stale"
	for before, want := range map[string][]string{
		"2026-04": nil,
		"2026-05": {old},
		"2026-06": {old, "skills/facts/email.json:2 stale"},
		"2026-07": {old, "skills/facts/email.json:2 stale", guide},
		"2026-08": {old, "skills/facts/email.json:2 stale", guide, fresh, table},
	} {
		expect(t, c.Stale(before), want...)
	}
}

func TestSummary(t *testing.T) {
	const sentence = "Use [the scale](references/scale.md#points), not a feeling."
	lists := ". It needs [it](references/scale.md#points)."
	runBroken(t, []broken{
		{"short", replace(sampleSkill, sentence, "Rank leads."), []string{sampleSkill + ":11 summary"}},
		{"long", replace(sampleSkill, sentence, strings.Repeat("Rank ", 25)+"leads."), []string{sampleSkill + ":11 summary"}},
		{"two sentences", replace(sampleSkill, sentence, "Rank all leads that came in this week"+lists), []string{sampleSkill + ":11 summary"}},
		{"no sentence", replace(sampleSkill, sentence, "Rank all leads that came in this week"), []string{sampleSkill + ":11 summary"}},
		{"a list", replace(sampleSkill, sentence, "- "+sentence), []string{sampleSkill + ":11 summary"}},
	})
}

func TestReferenceList(t *testing.T) {
	const scale = "- [The scale](references/scale.md): open when points decide.\n"
	addReference := put("skills/lead-scoring/references/more.md", "# More\n\nOpen when asked.\n").
		Then(replace(sampleSkill, scale, scale+"- [More](references/more.md): open when asked.\n"))
	runBroken(t, []broken{
		{"no line for a file", addReference.Then(replace(sampleSkill, "- [More](references/more.md): open when asked.\n", "")), []string{sampleSkill + ":36 references-list"}},
		{"no link", replace(sampleSkill, scale, scale+"- The scale: open when points decide.\n"), []string{sampleSkill + ":37 references-list"}},
		{"no open when", replace(sampleSkill, "open when points decide", "points"), []string{sampleSkill + ":36 references-list"}},
		{"twice", replace(sampleSkill, scale, scale+scale), []string{sampleSkill + ":37 references-list"}},
		{"prose", replace(sampleSkill, scale, "Some files.\n\n"+scale), []string{sampleSkill + ":36 references-list"}},
		{"empty", replace(sampleSkill, scale, ""), []string{sampleSkill + " references-list"}},
		{"the two answers", replace(sampleSkill, scale, scale+"- [Two answers](references/two-answers.md): open when asked.\n"), nil},
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
				Then(replace(sampleSkill, "- [The scale]", fmt.Sprintf("- [More](%s): open when asked.\n- [The scale]", name)))
		}
		return c
	}
	runBroken(t, []broken{
		{"long", say(more(400)), []string{sampleSkill + " skill-words"}},
		{"short", replace(sampleSkill, strings.TrimSpace(filled("FILLER")), "Few."), nil},
		{"code does not count", say("```\n" + more(400) + "\n```"), nil},
		{"six references", references(4), nil},
		{"seven references", references(5), []string{"skills/lead-scoring/references reference-count"}},
		{"one reference", remove(sampleScale).Then(replace(sampleSkill, "[the scale](references/scale.md#points)", "the scale that you know")).
			Then(replace(sampleSkill, "- [The scale](references/scale.md): open when points decide.\n", "")),
			[]string{"skills/lead-scoring/references reference-count"}},
		{"too many words", replace(sampleScale, "From 0", strings.Repeat(more(100)+"\n\n", 46)+"From 0"), []string{"skills/lead-scoring/references reference-words"}},
		{"the two answers do not count", replace(sampleAnswers, "> Rank my leads.", "> Rank my leads.\n\n"+more(6000)), nil},
		{"no open when", replace(sampleScale, "Open when points", "Points"), []string{sampleScale + ":3 reference-open-when"}},
		{"open when not first", replace(sampleScale, "Open when", "- A list\n\nOpen when"), []string{sampleScale + ":5 reference-open-when"}},
	})
}

func TestTwoAnswers(t *testing.T) {
	runBroken(t, []broken{
		{"missing", remove(sampleAnswers), []string{sampleAnswers + " two-answers", "skills/lead-scoring/references reference-count"}},
		{"another heading", replace(sampleAnswers, "## Thin request", "## A thin request"), []string{sampleAnswers + " two-answers"}},
		{"no request", replace(sampleAnswers, "> Rank my leads.\n\n", ""), []string{sampleAnswers + ":7 two-answers"}},
		{"no answer", replace(sampleAnswers, "> Rank my leads.\n\n"+filled("FILLER"), "> Rank my leads."), []string{sampleAnswers + ":7 two-answers"}},
	})
}

func TestWording(t *testing.T) {
	const at = sampleSkill + ":27 "
	runBroken(t, []broken{
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

// TestSpecifiedEvals: where rule 3 lists the evals there are no
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
