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
	var cases []broken
	for _, heading := range EverySkill {
		cases = append(cases, broken{"without " + heading, replace(sampleSkill, "## "+heading, "## Else"), []string{sampleSkill + " outline"}})
	}
	// The other file names the last section as an anchor.
	cases[len(cases)-1].want = append(cases[len(cases)-1].want, sampleScale+":5 link-anchor")
	runBroken(t, append(cases, []broken{
		{"of level 3", replace(sampleSkill, "## When to say no", "### When to say no"), nil},
		{"of level 4", replace(sampleSkill, "## When to say no", "### More\n\n#### When to say no"), []string{sampleSkill + " outline"}},
		{"in other words", replace(sampleSkill, "## When to say no", "## When to Say No"), []string{sampleSkill + " outline"}},
		{"Deliverable not last", say("A list.\n\n## Sources\n\n## More"), []string{sampleSkill + ":29 outline-last", sampleSkill + ":31 outline-last"}},
		{"Deliverable in parts", say("### Part\n\n### Other part"), nil},
		{"Deliverable of level 3", replace(sampleSkill, "## Deliverable", "### Deliverable").then(say("### More")), []string{sampleSkill + ":27 outline-last"}},
	}...))
}

// named writes a skill that the specification speaks of, with every heading it
// asks for, in place of the sample's.
func named(name string) fstest.MapFS {
	files := sample()
	remove(sampleSkill, sampleScale, sampleEvals)(nil, files)
	dir := skillsDir + "/" + name + "/"
	links := ""
	for _, file := range slices.Sorted(maps.Keys(outlines[name])) {
		if file == "SKILL.md" {
			continue
		}
		links += "[" + file + "](" + file + "). "
		text := "# " + file + "\n"
		for _, heading := range append(slices.Clone(outlines[name][file].ordered), outlines[name][file].headings...) {
			text += "\n## " + heading + "\n"
		}
		files[dir+file] = &fstest.MapFile{Data: []byte(text)}
	}
	text := strings.Replace(skillText, "name: lead-scoring", "name: "+name, 1)
	text = strings.Replace(text, "[the scale](references/scale.md#points)", links, 1)
	headings := ""
	main := outlines[name]["SKILL.md"]
	for _, heading := range append(slices.Clone(main.ordered), main.headings...) {
		headings += "## " + heading + "\n\n"
	}
	text = strings.Replace(text, "## When not", headings+"## When not", 1)
	files[dir+"SKILL.md"] = &fstest.MapFile{Data: []byte(text)}
	files[dir+"evals/evals.json"] = &fstest.MapFile{Data: []byte(evalsText(name))}
	manifest := strings.Replace(manifestText, "| lead-scoring | 2.0.1 ", "| z"+name+" | 2.0.1 ", 1)
	manifest = strings.ReplaceAll(strings.ReplaceAll(manifest, "| lead-scoring |", "| lead-routing |"), "| z"+name, "| "+name)
	files[manifestFile] = &fstest.MapFile{Data: []byte(manifest)}
	return files
}

// TestOutlines takes each thing away that the specification asks for, and
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
				for _, heading := range slices.Concat(o.ordered, o.headings) {
					files := named(name)
					replace(full, "\n## "+heading+"\n", "\n## Else\n")(t, files)
					check("without "+heading, files, full+" outline")
				}
				for i := 1; i < len(o.ordered); i++ {
					files := named(name)
					text := string(files[full].Data)
					above, below := "## "+o.ordered[i-1]+"\n", "## "+o.ordered[i]+"\n"
					text = strings.NewReplacer(above, below, below, above).Replace(text)
					files[full].Data = []byte(text)
					line := 1 + strings.Count(text[:strings.Index(text, below)], "\n")
					check(o.ordered[i]+" too early", files, full+":"+strconv.Itoa(line)+" outline-order")
				}
				if file != "SKILL.md" {
					files := named(name)
					delete(files, full)
					main := skillsDir + "/" + name + "/SKILL.md"
					check("without "+file, files, main+":13 link", full+" outline-file")
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
