package upgrade

import (
	"os"
	"slices"
	"strings"
	"testing"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/manifest/versionsfile"
)

// repository is the project's manifest as of 2.2.0. A later release changes
// nothing that these tests know.
func repository(t testing.TB) *manifest.Manifest {
	t.Helper()
	data, err := os.ReadFile("testdata/VERSIONS-2.2.0.md")
	if err != nil {
		t.Fatal(err)
	}
	m, found := versionsfile.Parse(data)
	for _, f := range found {
		t.Errorf("%v", f)
	}
	return m
}

// The renames of 2.0.0, written out once more, see rule 12.
var (
	renames = map[string]string{
		"ab-test-setup":             "ab-testing",
		"analytics-tracking":        "analytics",
		"aso-audit":                 "aso",
		"competitor-alternatives":   "competitors",
		"email-sequence":            "emails",
		"free-tool-strategy":        "free-tools",
		"launch-strategy":           "launch",
		"onboarding-cro":            "onboarding",
		"paid-ads":                  "ads",
		"paywall-upgrade-cro":       "paywalls",
		"popup-cro":                 "popups",
		"pricing-strategy":          "pricing",
		"product-marketing-context": "product-marketing",
		"referral-program":          "referrals",
		"schema-markup":             "schema",
		"signup-flow-cro":           "signup",
		"social-content":            "social",
	}
	merges = map[string]string{
		"page-cro": "skills/cro/SKILL.md",
		"form-cro": "skills/cro/references/form.md",
	}
	// unchanged are the skills of 1.10.0 that kept their names.
	unchanged = strings.Fields(`ad-creative ai-seo churn-prevention co-marketing cold-email community-marketing
		competitor-profiling content-strategy copy-editing copywriting customer-research directory-submissions
		image lead-magnets marketing-ideas marketing-psychology programmatic-seo revops sales-enablement
		seo-audit site-architecture video`)
)

// skillFolder is a folder in order: its SKILL.md says its name and version.
func skillFolder(name, version string) Folder {
	return Folder{Name: name, Kind: Directory, Front: &Frontmatter{Name: name, Version: version}}
}

const here = ".claude/skills"

// good is an installation with nothing to say about: current skills of ours,
// and one of someone else.
func good() Installation {
	return Installation{Places: []Place{{Path: here, Folders: []Folder{
		skillFolder("ads", "2.0.1"), skillFolder("cro", "2.0.0"), skillFolder("sms", "1.0.0"), skillFolder("pdf", ""),
	}}}}
}

// with returns the good sample with more folders.
func with(folders ...Folder) Installation {
	in := good()
	in.Places[0].Folders = append(in.Places[0].Folders, folders...)
	return in
}

// instead returns the good sample with one folder replaced.
func instead(name string, f Folder) Installation {
	in := good()
	for i := range in.Places[0].Folders {
		if in.Places[0].Folders[i].Name == name {
			in.Places[0].Folders[i] = f
			return in
		}
	}
	panic("the sample has no " + name)
}

// rowOf returns the row of a folder.
func rowOf(t testing.TB, r Report, folder string) Row {
	t.Helper()
	for _, row := range r.Rows {
		if row.Folder == folder {
			return row
		}
	}
	t.Fatalf("no row for %q", folder)
	return Row{}
}

// states writes a report as its folders and states, in order.
func states(r Report) string {
	var all []string
	for _, row := range r.Rows {
		all = append(all, row.Folder+" "+string(row.State))
	}
	return strings.Join(all, ", ")
}

// noteCodes says in a word what a note is about, by how it begins.
var noteCodes = []struct{ begin, code string }{
	{"Its version is", "unversioned"},
	{"This is a symbolic link", "symlink"}, {"It could", "unreadable"}, {"Its SKILL.md has no name", "no-name"},
	{"Its SKILL.md has version", "top-version"}, {"It contains", "unfamiliar"}, {"It has no SKILL.md", "no-skill-md"},
	{"The version comes", "listed"},
}

func codes(row Row) string {
	var all []string
	for _, note := range row.Notes {
		for _, c := range noteCodes {
			if strings.HasPrefix(note, c.begin) {
				all = append(all, c.code)
				break
			}
		}
	}
	return strings.Join(all, " ")
}

// installation110 is what 1.10.0 left behind: 41 folders.
func installation110() Installation {
	var folders []Folder
	for old := range renames {
		folders = append(folders, skillFolder(old, "1.2.0"))
	}
	for old := range merges {
		folders = append(folders, skillFolder(old, "1.1.0"))
	}
	for _, name := range unchanged {
		folders = append(folders, skillFolder(name, "1.0.0"))
	}
	slices.SortFunc(folders, func(a, b Folder) int { return strings.Compare(a.Name, b.Name) })
	return Installation{Places: []Place{{Path: here, Folders: folders}}}
}
