package collection

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

func TestEverySkillHasItsSections(t *testing.T) {
	runBroken(t, []broken{
		{"no answer", replace(sampleSkill, "## How to answer", "## Answers"), []string{sampleSkill + " outline", sampleScale + ":7 link-anchor"}},
		{"no References", replace(sampleSkill, "## References", "## Files"), []string{sampleSkill + " outline"}},
		{"of level 4", replace(sampleSkill, "## References", "### More\n\n#### References"), []string{sampleSkill + " outline", sampleSkill + ":33 look"}},
		{"in other words", replace(sampleSkill, "## References", "## references"), []string{sampleSkill + " outline"}},
		{"not in order", replace(sampleSkill, "## Notes", "## References").Then(replace(sampleSkill, "\n## References\n\n- [The scale]", "\n## Files\n\n- [The scale]")),
			[]string{sampleSkill + ":25 outline-order", sampleSkill + ":29 outline-last", sampleSkill + ":34 outline-last",
				sampleSkill + ":27 references-list", sampleSkill + ":27 references-list"}},
		{"References not last", replace(sampleSkill, "when points decide.\n", "when points decide.\n\n## Sources\n\n## More\n"),
			[]string{sampleSkill + ":38 outline-last", sampleSkill + ":40 outline-last"}},
	})
}

// named writes a skill that docs/rules.md speaks of, with every heading it
// asks for, in place of the sample's.
func named(name string) fstest.MapFS {
	files := sample()
	remove(sampleFolder...)(nil, files)
	dir := skillsDir + "/" + name + "/"
	headings := func(file string) (all string) {
		for _, heading := range slices.Concat(outlines[name][file].inOrder, outlines[name][file].anyOrder) {
			all += "\n## " + heading + "\n"
		}
		return all
	}
	list := ""
	for _, file := range slices.Sorted(maps.Keys(outlines[name])) {
		if file != "SKILL.md" {
			list += "- [" + file + "](" + file + "): open when needed.\n"
			files[dir+file] = &fstest.MapFile{Data: []byte("# " + file + "\n\nOpen when needed.\n" + headings(file))}
		}
	}
	if !strings.Contains(list, "scale") {
		list += "- [The scale](references/scale.md): open when points decide.\n"
		files[dir+"references/scale.md"] = &fstest.MapFile{Data: []byte(filled(strings.Replace(scaleText, "[said](../SKILL.md#how-to-answer)", "said", 1)))}
	}
	files[dir+"references/two-answers.md"] = &fstest.MapFile{Data: []byte(filled(answersText))}
	text := strings.Replace(skillText, "name: lead-scoring", "name: "+name, 1)
	text = strings.Replace(text, "\n## Scoring", headings("SKILL.md")+"\n## Scoring", 1)
	at := strings.Index(text, "- [The scale]")
	files[dir+"SKILL.md"] = &fstest.MapFile{Data: []byte(filled(text[:at] + list))}
	files[dir+"evals/evals.json"] = &fstest.MapFile{Data: []byte(evalsText(name))}
	manifest := strings.Replace(manifestText, "| lead-scoring | 2.0.1 ", "| z"+name+" | 2.0.1 ", 1)
	manifest = strings.ReplaceAll(strings.ReplaceAll(manifest, "| lead-scoring |", "| lead-routing |"), "| z"+name, "| "+name)
	files[manifestFile] = &fstest.MapFile{Data: []byte(manifest)}
	return files
}

// TestOutlines takes each thing away that docs/rules.md asks for, and
// wants one finding for it.
func TestOutlines(t *testing.T) {
	for name, skill := range outlines {
		t.Run(name, func(t *testing.T) {
			check := func(what string, files fstest.MapFS, want ...string) {
				t.Helper()
				_, found, err := Load(files)
				if err != nil {
					t.Fatal(err)
				}
				var rest []string
				for _, f := range found {
					// Some names stand above "lead-routing" in the alphabet.
					if f.Rule != "manifest-row-order" {
						rest = append(rest, place(f))
					}
				}
				if !slices.Equal(rest, want) {
					t.Errorf("%s: got %q, want %q", what, rest, want)
				}
			}
			check("complete", named(name))
			for file, o := range skill {
				full := skillsDir + "/" + name + "/" + file
				for _, heading := range slices.Concat(o.inOrder, o.anyOrder) {
					files := named(name)
					replace(full, "\n## "+heading+"\n", "\n## Else\n")(t, files)
					check("without "+heading, files, full+" outline")
				}
				for i := 1; i < len(o.inOrder); i++ {
					files := named(name)
					text := string(files[full].Data)
					above, below := "## "+o.inOrder[i-1]+"\n", "## "+o.inOrder[i]+"\n"
					text = strings.NewReplacer(above, below, below, above).Replace(text)
					files[full].Data = []byte(text)
					line := 1 + strings.Count(text[:strings.Index(text, below)], "\n")
					check(o.inOrder[i]+" too early", files, full+":"+strconv.Itoa(line)+" outline-order")
				}
				if file != "SKILL.md" {
					files := named(name)
					delete(files, full)
					main := skillsDir + "/" + name + "/SKILL.md"
					text, _, _ := strings.Cut(string(files[main].Data), "]("+file+")")
					check("without "+file, files, main+":"+strconv.Itoa(1+strings.Count(text, "\n"))+" link", full+" outline-file")
				}
			}
		})
	}
}

// TestOutlineOfWhatCannotBeRead: a file that is there is not asked for again,
// and a folder without SKILL.md is not told what SKILL.md lacks.
func TestOutlineOfWhatCannotBeRead(t *testing.T) {
	files := named("sms")
	delete(files, "skills/sms/SKILL.md")
	_, found, _ := Load(files)
	expect(t, found, "skills/sms/SKILL.md skill-missing")

	files = named("sms")
	files["skills/sms/references/compliance.md"].Data = make([]byte, 2<<20)
	_, found, _ = Load(files)
	expect(t, found, "skills/sms/references/compliance.md file-size")
}
