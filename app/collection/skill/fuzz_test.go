package skill

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// fuzzSeeds are files that people and tools have written, good and bad.
var fuzzSeeds = []string{
	sampleMain,
	strings.ReplaceAll(sampleMain, "\n", "\r\n"),
	"\uFEFF" + sampleMain,
	"", "---", "---\n", "---\n---", "---\n---\n", "---\n\n---\nx", "# Title\n", "---\nname: x\n", "\n---\nname: x\n---\n",
	"---\nname: lead-scoring\n---\n---\nname: other\n---\n",
	"---\n{name: lead-scoring, metadata: {version: 1.0.0}}\n---\n",
	"---\nname: &a lead-scoring\ndescription: *a\n<<: *a\n---\n",
	"---\nname: *a\n---\n", "---\n? [a, b]\n: c\n? {d: e}\n---\n",
	"---\nname: !!binary bGVhZA==\nlicense: !foo \"x\"\n---\n",
	"---\n!!map\nname: |\n  lead\n   scoring\n\ndescription: >-\n  a\n\n  b\n---\n",
	"---\nname:\ndescription:\n\n\nlicense: ~\nmetadata:\n---\n",
	"---\nmetadata:\n  - a\n  - b: c\n---\n", "---\n- a\n---\n", "---\n# x\n---\n",
	"---\nname: a\n...\nname: b\n---\n", "---\n--- \nname: b\n---\n", "---\n%YAML 1.1\nname: b\n---\n",
	"---\nname: \"a\n\n  b\\\n  c\"\nlicense: 'it''s'\n---\n",
	"---\nname: a\rb: [\u0085\u2028\u2029\r\r\n---\n",
	"---\nname: \"\\x00\\u2028\\uD800\\U0001F642\\e\\_\\N\"\n---\n",
	"---\nname: \xff\n\tdescription: {\n---\n\x00",
	"---\n" + strings.Repeat("[", 200) + "\n---\n", "---\n" + strings.Repeat("- ", 200) + "\n---\n",
	strings.Replace(sampleMain, "license: MIT", "license: \"tabs\\tand  spaces \"", 1),
	strings.Replace(sampleMain, "title: Lead scoring", "title: 'Quotes \" and '' and # and: \\n'", 1),
	strings.Replace(sampleMain, "\"lead grade, who to call first\"", "\" a ,, ü,🙂 \"", 1),
	strings.Replace(sampleMain, "lead grade, ", "lead\n    grade,\n\n    ", 1),
	strings.Replace(sampleMain, "license: MIT", "license: Yes\ncompatibility: 0o7\nallowed-tools: 1e3", 1),
}

// FuzzFrontmatter: reading never panics; every finding points into its file;
// and what is in order says the same when it is written anew.
func FuzzFrontmatter(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		files := sample()
		files[sampleDir+"/SKILL.md"].Data = []byte(text)
		s, found := Load(files, sampleDir)
		lines := max(1, len(slices.Collect(strings.Lines(text))))
		for _, f := range found {
			if f.Line < 0 || f.Line > lines || f.Rule == "" || strings.ContainsAny(f.String(), "\n\r\x1b") {
				t.Errorf("%d lines: %#v", lines, f)
			}
		}
		if s.VersionLine < 0 || s.VersionLine > lines {
			t.Errorf("%d lines: the version on %d", lines, s.VersionLine)
		}
		if len(found) > 0 {
			return
		}
		files[sampleDir+"/SKILL.md"].Data = []byte(writeAnew(s))
		again, found := Load(files, sampleDir)
		if len(found) > 0 {
			t.Errorf("written anew: %v", found)
		}
		if a, b := asRead(s), asRead(again); a != b {
			t.Errorf("got %s\nwant %s\nin %s", b, a, writeAnew(s))
		}
	})
}

// writeAnew writes a skill in the plainest way that keeps its fields.
func writeAnew(s *Skill) string {
	// For text that is valid UTF-8, Go's escapes are YAML's.
	q := strconv.QuoteToASCII
	return fmt.Sprintf("---\nname: %s\ndescription: %s\nlicense: MIT\nmetadata:\n  version: %s\n  title: %s\n  category: %s\n  keywords: %s\n---\n%s",
		s.Name, q(s.Description), q(s.Version), q(s.Title), q(s.Category), q(strings.Join(s.Keywords, ",")), s.Texts[0].Body)
}

// asRead writes all that was read of a skill, but for the lines on which it stood.
func asRead(s *Skill) string {
	read := *s
	read.VersionLine, read.KeywordsLine, read.Texts = 0, 0, nil
	return fmt.Sprintf("%#v %q", read, s.Texts[0].Body)
}

// FuzzEvals: reading never panics, every finding points into its file, and
// evals are numbered as they stand.
func FuzzEvals(f *testing.F) {
	for _, s := range []string{
		sampleEvals(), strings.ReplaceAll(sampleEvals(), "\n", "\r\n"), "\uFEFF{}", "", "null", "[]", "{", "{}{}", "\"\n\"",
		`{"skill_name": "lead-scoring", "evals": [null, 1, [], {"id": 1e0}, {"": {"": ""}, "ID": 1, "id": 9e99}]}`,
		"{\"evals\":\n\n[\n{\n\"id\"\n:\n2,\"expectations\":[null,\"\\ud800\"],\"files\":{}}],\"evals\":1}",
		strings.Repeat("[", 11_000), `{"evals": ` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		files := fstest.MapFS(sample())
		files[sampleDir+"/"+evalsFile].Data = []byte(text)
		s, found := Load(files, sampleDir)
		lines := max(1, len(slices.Collect(strings.Lines(text))))
		for _, f := range found {
			if f.Line < 0 || f.Line > lines {
				t.Errorf("%d lines: %v", lines, f)
			}
		}
		for _, e := range s.Evals {
			if len(found) == 0 && (e.Prompt == "" || e.Expected == "" || len(e.Assertions) < minAssertions) {
				t.Errorf("in order, and yet %+v", e)
			}
		}
		if len(found) == 0 && len(s.Evals) < minEvals {
			t.Errorf("in order, and yet %d evals", len(s.Evals))
		}
	})
}
