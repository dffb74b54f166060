package skill

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestFrontmatterFields(t *testing.T) {
	description := sampleMain[strings.Index(sampleMain, `"Rank`) : strings.Index(sampleMain, "license:")-1]
	describe := func(text string) change { return front(description, text) }
	runBroken(t, []broken{
		{"unknown key", front("license: MIT", "version: \"1.0.0\""), []string{"SKILL.md:4 frontmatter-key"}},
		{"duplicate key", front("license: MIT", "license: MIT\nname: other"), []string{"SKILL.md:5 frontmatter-key"}},
		{"second byte order mark", front("name: lead", "\uFEFFname: lead"), []string{"SKILL.md:2 frontmatter-key", "SKILL.md:2 name"}},
		{"no name", front("name: lead-scoring\n", ""), []string{"SKILL.md:2 name"}},
		{"empty name", front("name: lead-scoring", "name: \"\""), []string{"SKILL.md:2 name"}},
		{"null name", front("name: lead-scoring", "name:"), []string{"SKILL.md:2 frontmatter-text", "SKILL.md:2 name"}},
		{"numeric license", front("license: MIT", "license: 2"), []string{"SKILL.md:4 frontmatter-text"}},
		{"license with a line break", front("license: MIT", `license: "M\nT"`), []string{"SKILL.md:4 frontmatter-text"}},
		{"license with an escape", front("license: MIT", `license: "\e[2J"`), []string{"SKILL.md:4 frontmatter-text"}},
		{"list of tools", front(`"Read Write"`, "\n  - Read\n  - Write"), []string{"SKILL.md:6 frontmatter-text"}},
		{"flow-style list of tools", front(`"Read Write"`, "[Read, Write]"), []string{"SKILL.md:6 frontmatter-flow", "SKILL.md:6 frontmatter-text"}},
		{"empty compatibility", front(`"Needs a spreadsheet"`, `""`), []string{"SKILL.md:5 compatibility"}},
		{"compatibility of 500", front(`"Needs a spreadsheet"`, strings.Repeat("é", 500)), nil},
		{"compatibility of 501", front(`"Needs a spreadsheet"`, strings.Repeat("x", 501)), []string{"SKILL.md:5 compatibility"}},
		{"alias", front("license: MIT", "license: &a MIT\ncompatibility: *a").Then(front("\ncompatibility: \"Needs a spreadsheet\"", "")),
			[]string{"SKILL.md:5 frontmatter-text"}},
		{"merge key", front("license: MIT", "<<: MIT"), []string{"SKILL.md:4 frontmatter-key"}},

		{"no description", front("description: "+description+"\n", ""), []string{"SKILL.md:2 description"}},
		{"blank description", describe(`"  "`), []string{"SKILL.md:3 description"}},
		{"description of a number", describe("12"), []string{"SKILL.md:3 frontmatter-text", "SKILL.md:3 description-length", "SKILL.md:3 description-quoted"}},
		{"unquoted description", describe(strings.ReplaceAll(strings.Trim(description, `"`), ":", ",")), []string{"SKILL.md:3 description-quoted"}},
		{"description in single quotes", describe("'" + strings.Trim(description, `"`) + "'"), nil},
		{"description as a block", describe("|\n  " + strings.Trim(description, `"`)),
			[]string{"SKILL.md:3 description-quoted", "SKILL.md:3 frontmatter-text"}},
		{"angle bracket", front("Not for forecasts.", "Not for <forecasts>."), []string{"SKILL.md:3 description"}},
		{"line break", front("Not for forecasts.", `Not for\nforecasts.`), []string{"SKILL.md:3 frontmatter-text"}},
		{"next line", front("Not for forecasts.", `Not for\Nforecasts.`), []string{"SKILL.md:3 frontmatter-text"}},
		{"line separator", front("Not for forecasts.", `Not for\Lforecasts.`), []string{"SKILL.md:3 frontmatter-text"}},
		{"109 characters", describe(`"` + strings.Repeat("é", 109) + `"`), []string{"SKILL.md:3 description-length"}},
		{"110 characters", describe(`"` + strings.Repeat("é", 110) + `"`), nil},
		{"165 characters", describe(`"` + strings.Repeat("é", 165) + `"`), nil},
		{"166 characters", describe(`"` + strings.Repeat("é", 166) + `"`), []string{"SKILL.md:3 description-length"}},
		{"1,024 characters", describe(`"` + strings.Repeat("é", 1024) + `"`), []string{"SKILL.md:3 description-length"}},
		{"1,025 characters", describe(`"` + strings.Repeat("é", 1025) + `"`), []string{"SKILL.md:3 description"}},
	})
}

func TestMetadata(t *testing.T) {
	runBroken(t, []broken{
		{"missing", front(sampleMetadata, ""), []string{"SKILL.md:2 metadata"}},
		{"empty", front(sampleMetadata, "metadata:\n"), []string{"SKILL.md:7 metadata-text"}},
		{"text", front(sampleMetadata, "metadata: none\n"), []string{"SKILL.md:7 metadata-text"}},
		{"flow style", front(sampleMetadata, `metadata: {version: "1.0.0", title: Lead scoring, category: Sales & prospecting}`+"\n"),
			[]string{"SKILL.md:7 frontmatter-flow"}},
		{"flow style, a line further", front(sampleMetadata, "metadata:\n  {version: \"1.0.0\", title: Lead scoring, category: Strategy}\n"),
			[]string{"SKILL.md:8 frontmatter-flow"}},
		{"no version", front("  version: \"1.0.0\"\n", ""), []string{"SKILL.md:7 metadata"}},
		{"blank version", front(`"1.0.0"`, `" "`), []string{"SKILL.md:7 metadata"}},
		{"no title", front("  title: Lead scoring\n", ""), []string{"SKILL.md:7 metadata"}},
		{"no category", front("  category: Sales & prospecting\n", ""), []string{"SKILL.md:7 metadata"}},
		{"unknown category", front("Sales & prospecting", "Sales"), []string{"SKILL.md:10 category"}},
		{"number", front(`"1.0.0"`, "1.0"), []string{"SKILL.md:8 metadata-text"}},
		{"truth value", front("title: Lead scoring\n  cat", "title: true\n  cat"), []string{"SKILL.md:9 metadata-text"}},
		{"date", front("title: Lead scoring\n  cat", "title: 2026-05-26\n  cat"), []string{"SKILL.md:9 metadata-text"}},
		{"list", front(`"lead grade, who to call first"`, "\n    - lead grade"), []string{"SKILL.md:11 metadata-text"}},
		{"line break", front("Lead scoring\n  cat", "\"Lead\\nscoring\"\n  cat"), []string{"SKILL.md:9 frontmatter-text"}},
		{"unknown key", front("  title:", "  owner: growth\n  title:"), []string{"SKILL.md:9 metadata-key"}},
		{"unknown key with a map", front("  title:", "  owner:\n    team: growth\n  title:"), []string{"SKILL.md:9 metadata-key"}},
		{"misspelt key", front("  title:", "  titel:"), []string{"SKILL.md:7 metadata", "SKILL.md:9 metadata-key"}},
		{"duplicate key", front("  title:", "  version: \"2.0.0\"\n  title:"), []string{"SKILL.md:9 metadata-key"}},
		{"duplicate of a map", front(`  version: "1.0.0"`, "  keywords:\n    a: b\n  version: \"1.0.0\""),
			[]string{"SKILL.md:8 metadata-text", "SKILL.md:13 metadata-key"}},
		{"no keywords", front("  keywords: \"lead grade, who to call first\"\n", ""), nil},
	})
}

// TestUnknownKeys: a key that nobody reads is not passed over, and the finding
// says which one may have been meant, or where the key belongs.
func TestUnknownKeys(t *testing.T) {
	for _, c := range []struct {
		change change
		want   string
	}{
		{front("license:", "licence:"), `SKILL.md:4: frontmatter-key: the top level has the unknown key "licence"; did you mean license?`},
		{front("license: MIT", "title: Scores"), `SKILL.md:4: frontmatter-key: the top level has the unknown key "title"; move it to metadata`},
		{front("license: MIT", "owner: growth"), `SKILL.md:4: frontmatter-key: the top level has the unknown key "owner"; ` +
			"remove it, or use name, description, license, compatibility, allowed-tools, metadata"},
		{front("  keywords:", "  Keyword:"), `SKILL.md:11: metadata-key: metadata has the unknown key "Keyword"; did you mean keywords?`},
		{front("  keywords:", "  license:"), `SKILL.md:11: metadata-key: metadata has the unknown key "license"; move it to the top level`},
		{front("  keywords:", "  owner:"), `SKILL.md:11: metadata-key: metadata has the unknown key "owner"; ` +
			"remove it, or use " + strings.Join(metadata.keys, ", ")},
		{front(sampleMetadata, ""), "SKILL.md:2: metadata: the frontmatter has no metadata; add metadata: and below it, indented by two spaces, " +
			`version: "1.0.0", title: and category:`},
	} {
		files := sample()
		c.change(t, files)
		_, found := Load(files, sampleDir)
		if len(found) != 1 || strings.TrimPrefix(found[0].String(), sampleDir+"/") != c.want {
			t.Errorf("found %v, want %s", found, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	long := strings.Repeat("a", 64)
	for _, c := range []struct {
		dir, name string
		want      []string
	}{
		{"a", "a", nil},
		{"2fa-rollout-9", "2fa-rollout-9", nil},
		{long, long, nil},
		{"ads", "adz", []string{"SKILL.md:2 name-directory"}},
		{"ads", "Ads", []string{"SKILL.md:2 name"}},
		{"ads", "-ads", []string{"SKILL.md:2 name"}},
		{"ads", "ads-", []string{"SKILL.md:2 name"}},
		{"ads", "paid--ads", []string{"SKILL.md:2 name"}},
		{"ads", "paid_ads", []string{"SKILL.md:2 name"}},
		{"ads", "paid ads", []string{"SKILL.md:2 name"}},
		{"ads", "anzeigen-für-alle", []string{"SKILL.md:2 name"}},
		{"ads", long + "a", []string{"SKILL.md:2 name"}},
		// The name cannot be right where the directory is not.
		{"Ads", "Ads", []string{"SKILL.md:2 name-directory"}},
		{"Ads", "ads", []string{"SKILL.md:2 name-directory"}},
		{long + "a", "a", []string{"SKILL.md:2 name-directory"}},
	} {
		t.Run(c.dir+" "+c.name, func(t *testing.T) {
			files := fstest.MapFS{}
			for name, f := range sample() {
				text := strings.Replace(string(f.Data), "name: lead-scoring", "name: "+c.name, 1)
				text = strings.Replace(text, `"skill_name": "lead-scoring"`, `"skill_name": "`+c.dir+`"`, 1)
				files[strings.Replace(name, "lead-scoring", c.dir, 1)] = &fstest.MapFile{Data: []byte(text)}
			}
			_, found := Load(files, "skills/"+c.dir)
			for i := range found {
				found[i].File = strings.TrimPrefix(found[i].File, "skills/"+c.dir+"/")
			}
			expect(t, found, c.want...)
		})
	}
}
