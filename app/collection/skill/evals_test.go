package skill

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// evals changes the evals; those of the sample stand on lines 4 to 9.
func evals(old, new string) change { return replace(evalsFile, old, new) }

// third changes the third eval, on line 6.
func third(old, new string) change {
	line := strings.Split(sampleEvals(), "\n")[5]
	return func(t *testing.T, files fstest.MapFS) {
		if !strings.Contains(line, old) {
			t.Fatalf("%q is not in the eval", old)
		}
		evals(line, strings.Replace(line, old, new, 1))(t, files)
	}
}

func TestEvalsFile(t *testing.T) {
	runBroken(t, []broken{
		{"missing", remove(evalsFile), []string{evalsFile + " evals-missing"}},
		{"a directory", remove(evalsFile).Then(put(evalsFile+"/notes.txt", "x")), []string{evalsFile + " evals-missing"}},
		{"empty", put(evalsFile, ""), []string{evalsFile + ":1 evals-json"}},
		{"not JSON", put(evalsFile, "# Evals\n"), []string{evalsFile + ":1 evals-json"}},
		{"cut short", evals("  ]\n}\n", ""), []string{evalsFile + ":9 evals-json"}},
		{"comma at the end", evals("\"files\": []}\n", "\"files\": []},\n"), []string{evalsFile + ":10 evals-json"}},
		{"comma missing", third("},", "}"), []string{evalsFile + ":7 evals-json"}},
		{"line break in a text", third("Rank 3", "Rank\n3"), []string{evalsFile + ":6 evals-json"}},
		{"more behind the end", evals("  ]\n}\n", "  ]\n}\n\n{}\n"), []string{evalsFile + ":13 evals-json"}},
		{"list", put(evalsFile, "[]"), []string{evalsFile + ":1 evals-json"}},
		{"text", put(evalsFile, "\"x\""), []string{evalsFile + ":1 evals-json"}},
		{"null", put(evalsFile, "null"), []string{evalsFile + ":1 evals-json"}},
		{"nothing in it", put(evalsFile, "{}"), []string{evalsFile + ":1 evals-skill-name", evalsFile + ":1 evals-count"}},
		{"evals not a list", put(evalsFile, "{\n\"skill_name\": \"lead-scoring\",\n\"evals\": {}}"),
			[]string{evalsFile + ":3 evals-json", evalsFile + ":3 evals-count"}},
		{"skill_name", evals(`"lead-scoring"`, `"lead-grading"`), []string{evalsFile + ":2 evals-skill-name"}},
		{"skill_name in capitals", evals(`"skill_name"`, `"Skill_Name"`), []string{evalsFile + ":2 evals-fields", evalsFile + ":1 evals-skill-name"}},
		{"skill_name a number", evals(`"lead-scoring"`, "7"), []string{evalsFile + ":2 evals-json", evalsFile + ":2 evals-skill-name"}},
		{"unknown field", evals(`  "evals"`, "  \"version\": 1,\n  \"evals\""), []string{evalsFile + ":3 evals-fields"}},
		{"field twice", evals(`  "evals"`, "  \"skill_name\": \"x\",\n  \"evals\""), []string{evalsFile + ":3 evals-fields"}},
		{"five evals", evals(strings.Split(sampleEvals(), "\n")[8]+"\n", "").Then(evals("},\n  ]", "}\n  ]")), []string{evalsFile + ":3 evals-count"}},
		{"list on the next line", evals(`"evals": [`, "\"evals\":\n\n  [").Then(evals(`"id": 1`, `"id": 2`)), []string{evalsFile + ":6 evals-id"}},
		{"byte order mark", evals("{\n  \"skill", "\uFEFF{\n  \"skill"), []string{evalsFile + ":1 byte-order-mark"}},
		{"not UTF-8", third("Rank 3", "Rank \xff"), []string{evalsFile + ":6 utf-8"}},
		{"2 MB", third("Rank 3", strings.Repeat("Rank 3 ", 300_000)), []string{evalsFile + " file-size"}},
	})
}

func TestEval(t *testing.T) {
	const at = evalsFile + ":6 "
	runBroken(t, []broken{
		{"wrong order", third(`"id": 3`, `"id": 4`), []string{at + "evals-id"}},
		{"no id", third(`"id": 3, `, ""), []string{at + "evals-id"}},
		{"null id", third(`"id": 3`, `"id": null`), []string{at + "evals-id"}},
		{"text for an id", third(`"id": 3`, `"id": "3"`), []string{at + "evals-fields", at + "evals-id"}},
		{"fraction for an id", third(`"id": 3`, `"id": 3.5`), []string{at + "evals-fields", at + "evals-id"}},
		{"unknown field", third(`"files"`, `"file"`), []string{at + "evals-fields"}},
		{"field twice", third(`"files"`, `"id": 3, "files"`), []string{at + "evals-fields"}},
		{"field in capitals", third(`"id"`, `"ID"`), []string{at + "evals-fields", at + "evals-id"}},
		{"empty key", third(`"files"`, `"": 1, "files"`), []string{at + "evals-fields"}},
		{"several problems", third(`"id": 3, "prompt": "Rank 3"`, `"tags": []`), []string{at + "evals-fields", at + "evals-fields", at + "evals-id"}},
		{"no prompt", third(`"Rank 3"`, `" "`), []string{at + "evals-fields"}},
		{"prompt a list", third(`"Rank 3"`, `[]`), []string{at + "evals-fields", at + "evals-fields"}},
		{"no expected_output", third(`"expected_output": "A list", `, ""), []string{at + "evals-fields"}},
		{"five assertions", third(`"1", `, ""), []string{at + "evals-assertions"}},
		{"no assertions", third(`"assertions": ["1", "2", "3", "4", "Has 250 to 500 words", "The first sentence ranks"], `, ""), []string{at + "evals-assertions"}},
		{"assertions a text", third(`["1", "2", "3", "4", "Has 250 to 500 words", "The first sentence ranks"]`, `"1"`), []string{at + "evals-fields", at + "evals-assertions"}},
		{"eleven assertions", third(`"4", `, `"4", "5", "6", "7", "8", "9", `), []string{at + "evals-assertions"}},
		{"no length", third(`"Has 250 to 500 words"`, `"Is short"`), []string{at + "evals-length"}},
		{"words without a number", third(`"Has 250 to 500 words"`, `"Has few words"`), []string{at + "evals-length"}},
		{"no first sentence", third(`"The first sentence ranks"`, `"Ranks first"`), []string{at + "evals-first-sentence"}},
		{"first or second sentence", third(`"The first sentence ranks"`, `"The first or second sentence ranks"`), nil},
		{"empty assertion", third(`"1"`, `""`), []string{at + "evals-assertions"}},
		{"repeated assertion", third(`"2"`, `"1"`), []string{at + "evals-assertions"}},
		{"expectations", third("assertions", "expectations"), []string{at + "evals-fields"}},
		{"files a text", third("[]", `"a.csv"`), []string{at + "evals-fields"}},
		{"not an object", third(strings.Trim(strings.Split(sampleEvals(), "\n")[5], " ,"), "3"), []string{at + "evals-fields"}},
		{"field on its own line", third(`"prompt": "Rank 3"`, "\n\n\"prompt\": \"\""), []string{evalsFile + ":8 evals-fields"}},
	})
}

// TestEvalsAreReadInSpite: what is wrong with one field costs no other.
func TestEvalsAreReadInSpite(t *testing.T) {
	files := sample()
	third("assertions", "expectations").Then(evals(`"Rank 2"`, "7"))(t, files)
	s, _ := Load(files, sampleDir)
	if len(s.Evals) != 6 || s.Evals[1].Prompt != "" || s.Evals[1].Expected != "A list" {
		t.Errorf("got %+v", s.Evals)
	}
	if !slices.Equal(s.Evals[2].Assertions, []string{"1", "2", "3", "4", "Has 250 to 500 words", "The first sentence ranks"}) {
		t.Errorf("expectations were not read: %q", s.Evals[2].Assertions)
	}
}

// TestManyEvals: time grows with the file, not with its square.
func TestManyEvals(t *testing.T) {
	files := sample()
	put(evalsFile, "{\"skill_name\": \"lead-scoring\", \"evals\": [{\"assertions\": [\n\"\""+strings.Repeat(",\n\"\"", 140_000)+"]}"+
		strings.Repeat(",\n3", 140_000)+"]}")(t, files)
	_, found := Load(files, sampleDir)
	if len(found) < 280_000 || found[len(found)-1].Line != 280_002 {
		t.Errorf("%d findings, the last %v", len(found), found[len(found)-1])
	}
}
