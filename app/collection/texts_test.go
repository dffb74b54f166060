package collection

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"marketingskills/app/collection/finding"
	"marketingskills/app/text"
)

// say puts Markdown in place of a paragraph, on line 27 of SKILL.md.
func say(markdown string) change { return replace(sampleSkill, "A list.", markdown) }

func TestStructure(t *testing.T) {
	const at = sampleSkill + ":27 "
	runBroken(t, []broken{
		{"empty body", put(sampleSkill, skillText[:strings.Index(skillText, "\n# Lead")]).Then(replace(sampleScale, "[said](../SKILL.md#how-to-answer)", "said")),
			append([]string{sampleSkill + " title"}, everyHeading...)},
		{"no title", replace(sampleSkill, "# Lead scoring\n", ""), []string{sampleSkill + ":12 title"}},
		{"words above the title", replace(sampleSkill, "# Lead scoring", "Hello.\n\n# Lead scoring"), []string{sampleSkill + ":11 title"}},
		{"title of level 2", replace(sampleSkill, "# Lead scoring", "## Lead scoring"), []string{sampleSkill + ":11 title"}},
		{"underlined title", replace(sampleSkill, "# Lead scoring", "Lead scoring\n==="), nil},
		{"second title", say("# More"), []string{at + "title"}},
		{"title below others", replace(sampleSkill, "# Lead scoring", "## Above\n\n# Lead scoring"), []string{sampleSkill + ":11 title"}},
		{"skipped level", say("#### More"), []string{at + "heading-level"}},
		{"down and up again", say("### More\n\n#### Deeper\n\n### And more"), nil},
		{"skipped level at the top", replace(sampleSkill, "Use [the", "### More\n\nUse [the"), []string{sampleSkill + ":11 summary", sampleSkill + ":13 heading-level"}},
		{"repeated heading", say("### Scoring"), []string{at + "heading-repeated"}},
		{"empty heading", say("###"), []string{at + "heading-empty"}},
		{"heading in code", say("```\n# More\n#### More\n```"), nil},
		{"in a reference", put(sampleScale, "## Points\n\n#### More\n"), []string{sampleScale + ":1 title", sampleScale + ":3 heading-level", sampleScale + " reference-open-when"}},
		{"empty reference", put(sampleScale, ""), []string{sampleScale + " title", sampleSkill + ":13 link-anchor"}},
		{"reference with frontmatter", put(sampleScale, "---\nname: x\n---\n"+filled(scaleText)), []string{sampleScale + ":1 reference-frontmatter"}},
	})
}

// everyHeading is what a text without headings lacks.
var everyHeading = slices.Repeat([]string{sampleSkill + " outline"}, len(CommonSections))

func TestLinks(t *testing.T) {
	const at = sampleSkill + ":27 "
	link := func(target string) change { return say("See [it](" + target + ").") }
	runBroken(t, []broken{
		{"web", link("https://example.com/a?b#c"), nil},
		{"mail", link("mailto:a@example.com"), nil},
		{"web in angle brackets", say("<https://example.com>"), nil},
		{"mail in angle brackets", say("<a@example.com>"), nil},
		{"itself", link("#how-to-answer"), nil},
		{"file", link("references/scale.md"), nil},
		{"file with a dot", link("./references/../references/scale.md"), nil},
		{"file of another kind", link("assets/scale.csv").Then(put("skills/lead-scoring/assets/scale.csv", "1")), nil},
		{"from a reference to another", replace(sampleScale, "../SKILL.md#how-to-answer", "scale.md#points"), nil},

		{"missing file", link("references/ladder.md"), []string{at + "link"}},
		{"missing anchor here", link("#points"), []string{at + "link-anchor"}},
		{"missing anchor there", link("references/scale.md#how-to-answer"), []string{at + "link-anchor"}},
		{"anchor as the heading is written", link("#How-to-answer"), []string{at + "link-anchor"}},
		{"missing file from a reference", replace(sampleScale, "../SKILL.md", "SKILL.md"), []string{sampleScale + ":7 link"}},
		{"directory", link("references/"), []string{at + "link"}},
		{"another skill", link("../lead-routing/SKILL.md"), []string{at + "link"}},
		{"itself through the folder above", link("../lead-scoring/SKILL.md"), []string{at + "link"}},
		{"a skill whose name begins alike", link("../lead-scoring-two/SKILL.md").Then(addSkill("lead-scoring-two")), []string{at + "link"}},
		{"out of the collection", link("../../../etc/passwd"), []string{at + "link"}},
		{"query", link("references/scale.md?raw=1"), []string{at + "link"}},
		{"absolute", link("/skills/lead-scoring/SKILL.md"), []string{at + "link"}},
		{"another host", link("//example.com/x"), []string{at + "link"}},
		{"web without a host", link("https:references/scale.md"), []string{at + "link"}},
		{"mail to nobody", link("mailto:"), []string{at + "link"}},
		{"javascript", link("javascript:alert(1)"), []string{at + "link"}},
		{"JavaScript", link("JavaScript:alert(1)"), []string{at + "link"}},
		{"data", link("data:text/html,x"), []string{at + "link"}},
		{"file scheme", link("file:///etc/passwd"), []string{at + "link"}},
		{"backslash", link(`references\\scale.md`), []string{at + "link"}},
		{"space", link("<references/the scale.md>"), []string{at + "link"}},
		{"not an address", link("https://[x"), []string{at + "link"}},
		{"empty", link(""), []string{at + "link"}},
		{"number sign", link("#"), []string{at + "link"}},
		{"image", say("![A chart](https://example.com/a.png)"), []string{at + "image"}},
		{"by reference", say("See [it][x].\n\n[x]: ladder.md"), []string{at + "link"}},
		{"in code", say("`[it](ladder.md)`"), nil},

		{"reference linked from another only", put("skills/lead-scoring/references/more.md", "# More\n\nOpen when asked.\n").
			Then(replace(sampleScale, "From 0", "See [more](more.md). From 0")), []string{sampleSkill + ":36 references-list"}},
		// Without SKILL.md nothing can be linked from it, and that is one finding.
		{"references of no skill", remove(sampleSkill).Then(replace(sampleScale, "[said](../SKILL.md#how-to-answer)", "said")),
			[]string{sampleSkill + " skill-missing"}},
	})
}

func TestSkillNames(t *testing.T) {
	const at = sampleSkill + ":27 "
	runBroken(t, []broken{
		{"current", say("See `lead-scoring`."), nil},
		{"current, before the word", say("The skill `lead-routing` helps."), nil},
		{"any code", say("Run `make` or `git-lfs`, set `utm_source`."), nil},
		{"old name", say("See `lead-grading`."), []string{at + "old-name"}},
		{"old name in a reference", replace(sampleScale, "From 0", "`lead-grading` 0"), []string{sampleScale + ":7 old-name"}},
		{"old name in a fenced block", say("```\n`lead-grading`\n```"), nil},
		{"unknown, before the word", say("The `pipeline` skill."), []string{at + "skill-name"}},
		{"unknown, before the plural", say("The `lead-scoring` and `pipeline` skills."), []string{at + "skill-name"}},
		{"unknown, behind the word", say("The skill `pipeline`."), []string{at + "skill-name"}},
		{"unknown, behind a colon", say("Skills: `pipeline`."), []string{at + "skill-name"}},
		{"unknown, handed over to", say("Hand it over to `pipeline`."), []string{at + "skill-name"}},
		{"unknown, behind an arrow", say("Calls → `pipeline`"), []string{at + "skill-name"}},
		{"unknown, over a line break", say("The skill\n`pipeline`."), []string{sampleSkill + ":28 skill-name"}},
		{"other words", say("The skilled `pipeline`, a `pipeline` skillet."), nil},
		{"unknown in a list", replace(sampleSkill, "- Skill `lead", "- Skill `pipeline`: sales.\n- Skill `lead"), []string{sampleSkill + ":23 skill-name"}},
		{"code that is no name of a skill", replace(sampleSkill, "who gets the lead", "where `crm` is set"), nil},
		{"one letter wrong", say("See `lead-scorin`."), []string{at + "skill-name"}},
		{"one letter wrong, another skill", say("See `lead-roufing`."), []string{at + "skill-name"}},
		{"two letters wrong", say("See `lead-scorer`."), nil},
		{"no shape of a name", say("See `lead-scorin.md`, `Lead-scorin`."), nil},
		{"short and near", addSkill("pr").Then(say("See `p`, `pa`.")), nil},
		// A directory that was left behind does not bring its name back.
		{"old name with a directory", addFolder("lead-grading").Then(say("See `lead-grading`.")),
			[]string{"skills/lead-grading/SKILL.md old-name", at + "old-name"}},
		{"old name with a row", addSkill("lead-grading").Then(say("See `lead-grading`.")),
			[]string{manifestFile + ":7 manifest-row-order", manifestFile + ":13 manifest-rename-old-exists"}},
	})
}

func TestSuggestions(t *testing.T) {
	for _, c := range []struct{ text, right string }{
		{"See `lead-grading`.", "write `lead-scoring`"},
		{"See `lead-scorin`.", "write `lead-scoring` if the skill is meant"},
		{"The skill `lead-scoringly`.", "did you mean `lead-scoring`?"},
		{"The skill `pipeline`.", "use a name from VERSIONS.md"},
	} {
		files := sample()
		say(c.text)(t, files)
		_, found, err := Load(files)
		if err != nil {
			t.Fatal(err)
		}
		right := ""
		for _, f := range found {
			if f.File == sampleSkill {
				right += f.Right
			}
		}
		if right != c.right {
			t.Errorf("%s: got %q, want %q", c.text, right, c.right)
		}
	}
}

// TestNear: the nearest wins, and of two as near the first in the alphabet.
func TestNear(t *testing.T) {
	current := []string{"lead-ab", "lead-cb", "lead-ddd"}
	for name, want := range map[string]string{"lead-bb": "lead-ab", "lead-dd": "lead-ddd", "lead": "", "lead-bbbbb": ""} {
		if got := text.Nearest(name, current, 2); got != want {
			t.Fatalf("%s: got %q, want %q", name, got, want)
		}
	}
}

// TestCheckedExamples: their findings name lines of the file, below the
// frontmatter.
func TestCheckedExamples(t *testing.T) {
	good := "Hi\n---\nencoding: GSM-7\nlength: 2\nsegments: 1\nconsent: none\nquiet-hours: exempt\n"
	runBroken(t, []broken{
		{"text message", say("```sms\n" + good + "```"), nil},
		{"wrong length", say("```sms\n" + strings.Replace(good, "length: 2", "length: 3", 1) + "```"), []string{sampleSkill + ":31 sms-length"}},
		{"wrong length in a list", say("- See:\n\n  ```sms\n  " + strings.ReplaceAll(strings.Replace(strings.TrimSpace(good), "length: 2", "length: 3", 1), "\n", "\n  ") + "\n  ```"),
			[]string{sampleSkill + ":33 sms-length"}},
		{"wrong length in a reference", replace(sampleScale, "From 0", "```sms\n"+strings.Replace(good, "length: 2", "length: 3", 1)+"```\n\nFrom 0"),
			[]string{sampleScale + ":11 sms-length"}},
		{"JSON", say("```json\n{\"a\": 1}\n```"), nil},
		{"broken JSON", say("```json\n{\n\"a\": }\n```"), []string{sampleSkill + ":29 json-syntax"}},
		{"another language", say("```sh\n{\n```"), nil},
		{"no language", say("```\n{\n```"), nil},
		{"kind in capitals", say("```JSON\n{\n```"), []string{sampleSkill + ":27 example-kind"}},
		{"more behind the kind", say("Text:\n\n```sms welcome\nHi\n```"), []string{sampleSkill + ":29 example-kind"}},
		{"list behind the kind", say("```json,ignore\n{\n```"), []string{sampleSkill + ":27 example-kind"}},
		{"longer word", say("```json-lines\n{\n```"), nil},
	})
	files := sample()
	say("```ad-headlines\n```")(t, files)
	_, found, _ := Load(files)
	if len(found) == 0 || !strings.HasPrefix(string(found[0].Rule), "search-ad-") || found[0].Line < 27 {
		t.Errorf("an empty field of a search ad: %v", found)
	}
}

// TestToolTexts: what is asked of every text is asked of guides too, and their
// links lead to other guides, to the files of skills and to commands.
func TestToolTexts(t *testing.T) {
	const guide = "tools/integrations/counter.md"
	_, form, err := Load(withGuide(t, ""))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, says, want string }{
		{"skill", "[it](../../skills/lead-scoring/SKILL.md#scoring)", ""},
		{"reference", "[it](../../skills/lead-scoring/references/scale.md#points)", ""},
		{"registry", "[it](../REGISTRY.md)", ""},
		{"itself", "[it](counter.md#counter)", ""},
		{"command", "[it](../clis/tally/)", ""},
		{"unknown command", "[it](../clis/telly/)", "link"},
		{"commands as such", "[it](../clis/)", "link"},
		{"unknown skill", "[it](../../skills/lead-losing/SKILL.md)", "link"},
		{"unknown file", "[it](../../skills/lead-scoring/notes.md)", "link"},
		{"unknown guide", "[it](abacus.md)", "link"},
		{"skills as such", "[it](../../skills)", "link"},
		{"unknown section", "[it](../../skills/lead-scoring/SKILL.md#losing)", "link-anchor"},
		{"image", "![it](counter.png)", "image"},
		{"left over", "TODO", "placeholder"},
		{"heading", "#### Deep", "heading-level"},
		{"example", "```json\n{\n```", "json-syntax"},
	} {
		_, found, err := Load(withGuide(t, c.says))
		if err != nil {
			t.Fatal(err)
		}
		reports := slices.ContainsFunc(found, func(f finding.Finding) bool { return f.File == guide && string(f.Rule) == c.want })
		if reports != (c.want != "") || c.want == "" && len(found) != len(form) {
			t.Errorf("%s: found %v, want %q", c.name, found, c.want)
		}
	}
}

// withGuide adds a guide whose form is wanting to the sample.
func withGuide(t *testing.T, says string) fstest.MapFS {
	files := sample()
	put("tools/REGISTRY.md", "# Tools\n")(t, files)
	put("tools/clis/tally/main.go", "package main\n")(t, files)
	put("tools/integrations/counter.md", "# Counter\n\n"+says+"\n")(t, files)
	return files
}
