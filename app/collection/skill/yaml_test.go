package skill

import (
	"strings"
	"testing"
)

// TestBrokenYAML puts mistakes in place of the license on line 4: the finding
// names the line on which a reader sees the mistake, whatever the library says.
func TestBrokenYAML(t *testing.T) {
	license := func(text string) change { return front("license: MIT", text) }
	runBroken(t, []broken{
		{"colon in plain text", license("license: MIT: no"), []string{"SKILL.md:4 frontmatter-yaml"}},
		{"quote left open", license(`license: "MIT`), []string{"SKILL.md:4 frontmatter-yaml"}},
		{"apostrophe in single quotes", license("license: 'author's'"), []string{"SKILL.md:4 frontmatter-yaml"}},
		{"text behind quotes", license(`license: "MIT" or so`), []string{"SKILL.md:4 frontmatter-yaml"}},
		{"unknown escape", license(`license: "M\qT"`), []string{"SKILL.md:4 frontmatter-yaml"}},
		{"words without a key", license("just words"), []string{"SKILL.md:4 frontmatter-yaml"}},
		{"list among fields", license("- MIT"), []string{"SKILL.md:4 frontmatter-yaml"}},
		{"bracket left open", license("license: [a, b"), []string{"SKILL.md:4 frontmatter-yaml"}},
		{"brace left open", license("license: {a: b"), []string{"SKILL.md:4 frontmatter-yaml"}},
		{"closing bracket alone", license("license: ]"), []string{"SKILL.md:4 frontmatter-yaml"}},
		{"reserved character", license("license: @MIT"), []string{"SKILL.md:4 frontmatter-yaml"}},
		{"unknown anchor", license("license: *MIT"), []string{"SKILL.md:4 frontmatter-yaml"}},
		{"tab", license("\tlicense: MIT"), []string{"SKILL.md:4 frontmatter-yaml"}},
		{"control character", license("license: \x01"), []string{"SKILL.md:4 frontmatter-yaml"}},
		{"second document", license("...\nlicense: MIT"), []string{"SKILL.md:5 frontmatter-yaml"}},
		{"second document behind hyphens", license("--- \nlicense: MIT"), []string{"SKILL.md:4 frontmatter-yaml"}},
		{"indentation", front("  title:", " title:"), []string{"SKILL.md:9 frontmatter-yaml"}},
		{"too much indentation", front("  title:", "    title:"), []string{"SKILL.md:9 frontmatter-yaml"}},
		{"first line", front("name: lead-scoring", "name: lead: scoring"), []string{"SKILL.md:2 frontmatter-yaml"}},
		{"last line", front("  keywords:", "  keywords"), []string{"SKILL.md:11 frontmatter-yaml"}},
		{"text", front(sampleMain[4:strings.Index(sampleMain, "\n---\n")], "just words"), []string{"SKILL.md:2 frontmatter-yaml"}},
		{"list", front(sampleMain[4:strings.Index(sampleMain, "\n---\n")], "- a\n- b"), []string{"SKILL.md:2 frontmatter-yaml"}},
		{"remark", front(sampleMain[4:strings.Index(sampleMain, "\n---\n")], "# nothing"), []string{"SKILL.md:2 frontmatter-yaml"}},
		{"nothing", front(sampleMain[4:strings.Index(sampleMain, "---\n\n")], ""), []string{"SKILL.md:2 frontmatter-yaml"}},
	})
}

func TestLineBreaks(t *testing.T) {
	const rule = "SKILL.md:4 frontmatter-line-break"
	runBroken(t, []broken{
		{"carriage return", front("license: MIT", "license: M\rT"), []string{rule}},
		{"next line", front("license: MIT", "license: M\u0085T"), []string{rule}},
		{"line separator", front("license: MIT", "license: M\u2028T"), []string{rule}},
		{"paragraph separator", front("license: MIT", "license: M\u2029T"), []string{rule}},
		// Lines below are counted as editors count them.
		{"with a mistake below", front("license: MIT", "license: M\r\r\rT\nvegan: yes"), []string{rule, "SKILL.md:5 frontmatter-key"}},
	})
}

// TestYAMLMessages: what the library says is passed on without its prefix and
// without its line, which may be another one.
func TestYAMLMessages(t *testing.T) {
	files := sample()
	front("license: MIT", `license: "MIT`)(t, files)
	_, found := Load(files, sampleDir)
	if len(found) != 1 || strings.Contains(found[0].Wrong, "yaml:") || strings.Contains(found[0].Wrong, "line ") {
		t.Errorf("got %v", found)
	}
}

// TestLongFrontmatter: a frontmatter beyond every honest size is not parsed
// once more for each of its lines.
func TestLongFrontmatter(t *testing.T) {
	for name, lines := range map[string]string{
		"many lines": strings.Repeat("# remark\n", 100_000),
		"long lines": "# " + strings.Repeat("remark ", 100_000) + "\n",
	} {
		files := sample()
		front("license: MIT", lines+"license: \"MIT")(t, files)
		_, found := Load(files, sampleDir)
		if len(found) != 1 || found[0].Rule != "frontmatter-yaml" || found[0].Line != 4+strings.Count(lines, "\n") {
			t.Errorf("%s: got %v", name, found)
		}
	}
}
