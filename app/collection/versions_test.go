package collection

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/plugin"
)

func TestVersions(t *testing.T) {
	version := func(v string) change { return replace(sampleSkill, `"2.0.1"`, `"`+v+`"`) }
	const at = sampleSkill + ":6 "
	runBroken(t, []broken{
		{"older than the manifest", version("2.0.0"), []string{at + "version-differs"}},
		{"newer than the manifest", version("2.0.10"), []string{at + "version-differs"}},
		{"two parts", version("2.0"), []string{at + "version", at + "version-differs"}},
		{"leading v", version("v2.0.1"), []string{at + "version", at + "version-differs"}},
		{"leading zero", version("2.0.01"), []string{at + "version", at + "version-differs"}},
		{"pre-release", version("2.0.1-beta"), []string{at + "version", at + "version-differs"}},
		{"words", version("the first"), []string{at + "version", at + "version-differs"}},
		{"none", replace(sampleSkill, "  version: \"2.0.1\"\n", ""), []string{sampleSkill + ":5 metadata"}},
		{"invalid in both", version("2.0").Then(replace(manifestFile, "2.0.1  ", "2.0")),
			[]string{at + "version", manifestFile + ":6 manifest-version"}},
	})
}

func TestRowsAndDirectories(t *testing.T) {
	runBroken(t, []broken{
		{"row without directory", row("lead-sorting", "1.0.0").Then(replace(manifestFile, "Total: 2", "Total: 3")),
			[]string{manifestFile + ":7 row-without-skill"}},
		{"row whose directory is a file", remove(sampleFolder...).Then(put("skills/lead-scoring", "x")),
			[]string{manifestFile + ":6 row-without-skill", "skills/lead-scoring plain-files"}},
		{"row whose directory is a link", remove(sampleFolder...).Then(func(_ *testing.T, files fstest.MapFS) {
			files["skills/lead-scoring"] = &fstest.MapFile{Data: []byte("../x"), Mode: fs.ModeSymlink}
		}), []string{manifestFile + ":6 row-without-skill", "skills/lead-scoring plain-files"}},
		{"directory without row", addFolder("lead-sorting"),
			[]string{"skills/lead-sorting/SKILL.md skill-without-row"}},
		{"directory without row, in the next release", addFolder("lead-sorting").Then(next("- The skill `lead-sorting` (1.0.0) is new.")), nil},
		{"directory without row, named without a version", addFolder("lead-sorting").Then(next("- The skill `lead-sorting` is new.")),
			[]string{"skills/lead-sorting/SKILL.md skill-without-row"}},
		{"next release of no skill", next("- `lead-scorin` (2.1.0) and `lead-scoring` (2.1.0), `lead-grading`."), []string{manifestFile + ":17 skill-name"}},
		// The name on its own: that it has no row follows.
		{"directory with an old name", addFolder("lead-grading"),
			[]string{"skills/lead-grading/SKILL.md old-name"}},
		{"directory without SKILL.md", put("skills/lead-sorting/notes.md", "# Notes\n").Then(row("lead-sorting", "1.0.0")).Then(replace(manifestFile, "Total: 2", "Total: 3")),
			[]string{"skills/lead-sorting/SKILL.md skill-missing", "skills/lead-sorting/evals/evals.json evals-missing"}},
		{"stray files", put("skills/README.md", "x").Then(put("skills/.DS_Store", "x")),
			[]string{"skills/README.md plain-files", "skills/.DS_Store plain-files"}},
		{"no skills", remove(sampleFolder...).Then(put(manifestFile, strings.Replace(manifestText, "| lead-scoring | 2.0.1   | 2026-05-26   |\n", "", 1))).
			Then(replace(manifestFile, "Total: 2", "Total: 1")),
			[]string{manifestFile + ":11 manifest-rename-target"}},
	})
}

// next puts an entry Unreleased above the release of the sample; its bullet is
// on line 17.
func next(bullet string) change {
	return replace(manifestFile, "### 2.0.0", "### Unreleased\n"+bullet+"\n\n### 2.0.0")
}

// TestPlugin: the plugin manifests are part of the collection, and have the
// version of its latest release.
func TestPlugin(t *testing.T) {
	manifests := func(version string) change {
		return put(plugin.Marketplace, `{"name": "a", "owner": {"name": "b"}, "version": "`+version+`", "plugins": [{"name": "a", "source": "./"}]}`).
			Then(put(plugin.Manifest, `{"name": "a", "version": "`+version+`"}`))
	}
	runBroken(t, []broken{
		{"in order", manifests("2.0.0"), nil},
		{"in order, with another release to come", manifests("2.0.0").Then(next("- More.")), nil},
		{"older", manifests("1.10.0"), []string{plugin.Marketplace + ":1 plugin-version", plugin.Manifest + ":1 plugin-version"}},
		{"without a manifest there is no version", manifests("2.0.0").Then(remove(manifestFile)), []string{manifestFile + " unreadable"}},
	})
}

func TestManifestProblems(t *testing.T) {
	runBroken(t, []broken{
		{"missing", remove(manifestFile), []string{manifestFile + " unreadable"}},
		{"a directory", remove(manifestFile).Then(put(manifestFile+"/x", "")), []string{manifestFile + " unreadable"}},
		{"a pipe", func(_ *testing.T, files fstest.MapFS) { files[manifestFile].Mode = fs.ModeNamedPipe },
			[]string{manifestFile + " unreadable"}},
		{"too large", func(_ *testing.T, files fstest.MapFS) { files[manifestFile].Data = make([]byte, manifest.MaxSize+1) },
			[]string{manifestFile + " file-size"}},
		// Skills are not blamed for the missing table, but for
		// anything else that a manifest tells, it does tell.
		{"without a table, with a date of 2026-02-30", put(manifestFile, "# Versions\n\n## Recent Changes\n\n### 2.0.0 (2026-02-30)\n\n- New.\n"),
			[]string{manifestFile + " manifest-no-table", manifestFile + ":5 manifest-date"}},
		{"row with a date of 2026-02-30", replace(manifestFile, "2026-05-26", "2026-02-30"), []string{manifestFile + ":6 manifest-date"}},
		{"carriage returns", put(manifestFile, strings.ReplaceAll(manifestText, "\n", "\r\n")), nil},
	})
}

func TestDescriptionsTotal(t *testing.T) {
	// fill writes 43 descriptions of 160 characters, and the rest.
	fill := func(total int) change {
		return func(t *testing.T, files fstest.MapFS) {
			clear(files)
			put(secondLookFile, lookText)(t, files)
			rows := ""
			for i := range 44 {
				name := "s" + string(rune('a'+i/26)) + string(rune('a'+i%26))
				n := min(160, total)
				total -= n
				addFolder(name)(t, files)
				text := strings.Replace(string(files["skills/"+name+"/SKILL.md"].Data), "`lead-routing`", "`saa`", 1)
				from, to := strings.Index(text, `"Rank`), strings.Index(text, "\nlicense")
				text = text[:from] + `"` + strings.Repeat("é", n) + `"` + text[to:]
				put("skills/"+name+"/SKILL.md", text)(t, files)
				rows += "| " + name + " | 2.0.1 | 2026-05-26 |\n"
			}
			text := strings.Replace(manifestText, "| lead-routing | 1.0.0   | 2026-05-05   |\n| lead-scoring | 2.0.1   | 2026-05-26   |\n", rows, 1)
			text = strings.NewReplacer("Total: 2", "Total: 44", "lead-grading | lead-scoring", "lead-grading | saa").Replace(text)
			put(manifestFile, text)(t, files)
		}
	}
	runBroken(t, []broken{
		{"7,000", fill(7000), nil},
		{"7,001", fill(7001), []string{skillsDir + " descriptions-total"}},
	})
}
