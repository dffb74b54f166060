package plan

import (
	"fmt"
	"os"
	"testing"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/manifest/versionsfile"
	"marketingskills/app/upgrade"
)

// repository is the project's manifest as of 2.2.0. A later release changes
// nothing that these tests know.
func repository(t testing.TB) *manifest.Manifest {
	t.Helper()
	data, err := os.ReadFile("../testdata/VERSIONS-2.2.0.md")
	if err != nil {
		t.Fatal(err)
	}
	m, found := versionsfile.Parse(data)
	for _, f := range found {
		t.Errorf("%v", f)
	}
	return m
}

// skillFolder is a folder in order: its SKILL.md says its name and version.
func skillFolder(name, version string) upgrade.Folder {
	return upgrade.Folder{Name: name, Kind: upgrade.Directory, Front: &upgrade.Frontmatter{Name: name, Version: version}}
}

const here = ".claude/skills"

// good is an installation with nothing to say about: current skills of ours,
// and one of someone else.
func good() upgrade.Installation {
	return upgrade.Installation{Places: []upgrade.Place{{Path: here, Folders: []upgrade.Folder{
		skillFolder("ads", "2.0.1"), skillFolder("cro", "2.0.0"), skillFolder("sms", "1.0.0"), skillFolder("pdf", ""),
	}}}}
}

// with returns the good sample with more folders.
func with(folders ...upgrade.Folder) upgrade.Installation {
	in := good()
	in.Places[0].Folders = append(in.Places[0].Folders, folders...)
	return in
}

// instead returns the good sample with one folder replaced.
func instead(name string, f upgrade.Folder) upgrade.Installation {
	in := good()
	for i := range in.Places[0].Folders {
		if in.Places[0].Folders[i].Name == name {
			in.Places[0].Folders[i] = f
			return in
		}
	}
	panic("the sample has no " + name)
}

// installation110 is what 1.10.0 left behind: 41 folders, 17 renamed since, 2
// merged, 22 with the name they have today.
func installation110(t testing.TB) upgrade.Installation {
	t.Helper()
	m := repository(t)
	given := map[string]bool{"sms": true, "prospecting": true} // new since
	var folders []upgrade.Folder
	for _, r := range m.Renames {
		folders = append(folders, skillFolder(r.Old, "1.2.0"))
		given[r.New] = true
	}
	for _, row := range m.Rows {
		if !given[row.Skill] {
			folders = append(folders, skillFolder(row.Skill, "1.0.0"))
		}
	}
	if len(folders) != 41 {
		t.Fatal("1.10.0 had 41 skills, not ", len(folders))
	}
	return upgrade.Installation{Places: []upgrade.Place{{Path: here, Folders: folders}}}
}

// skillFile writes a SKILL.md.
func skillFile(name, version string) string {
	return fmt.Sprintf("---\nname: %s\ndescription: \"A skill.\"\nmetadata:\n  version: \"%s\"\n---\n\n# %s\n", name, version, name)
}
