package upgrade

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/manifest/versionsfile"
	"marketingskills/app/text"
)

func TestGoodSample(t *testing.T) {
	r := Analyze(good(), repository(t))
	if got, want := states(r), "ads current, cro current, sms current, pdf not-ours"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if r.Attention != 0 || r.Summary != "Up to date: 3 skills from this collection." || r.Release != "2.2.0" || r.Date != "2026-05-26" {
		t.Errorf("%d findings, %q, release %s of %s", r.Attention, r.Summary, r.Release, r.Date)
	}
	for _, row := range r.Rows {
		if len(row.Notes) > 0 || row.Certain {
			t.Errorf("%s: %+v", row.Folder, row)
		}
	}
}

// TestStates changes one thing in the good sample and expects the state of one
// row, the codes of its notes, and words in its evidence.
func TestStates(t *testing.T) {
	named := func(folder, name, version string) Folder {
		f := skillFolder(folder, version)
		f.Front.Name = name
		return f
	}
	unread := func(name string) Folder { return Folder{Name: name} }
	for _, c := range []struct {
		name        string
		in          Installation
		row         string
		state       State
		codes       string
		replacement string
		evidence    string
	}{
		{"misnamed, both ours", with(named("page-cro", "cro", "2.0.0")), "page-cro", Unclear, "", "cro", "The folder is named page-cro, but its SKILL.md has the name cro; both are names from this collection"},
		{"misnamed, name ours", with(named("cro-mine", "cro", "1.0.0")), "cro-mine", Unclear, "", "cro", "which is a name from this collection"},
		{"misnamed, old name", with(named("stuff", "paid-ads", "1.0.0")), "stuff", Unclear, "", "ads", "has the name paid-ads"},
		{"misnamed, folder ours", instead("cro", named("cro", "acme-cro", "1.0.0")), "cro", Unclear, "", "", "The folder has the name cro, which is from this collection, but its SKILL.md has the name acme-cro"},
		{"names disagree, neither ours", with(named("foo", "bar", "1.0.0")), "foo", NotOurs, "", "", "foo"},
		{"merged, beside the new one", with(skillFolder("page-cro", "1.1.0")), "page-cro", Merged, "", "cro", "agents load both"},
		{"renamed, beside the new one", with(skillFolder("paid-ads", "1.1.0")), "paid-ads", Renamed, "", "ads", "The new skill is installed next to it; agents load both"},
		{"beside the new one by the name in SKILL.md", with(skillFolder("popup-cro", "1.0.0"), named("modals", "popups", "2.0.0")), "popup-cro", Renamed, "", "popups", "agents load both"},
		{"beside its old name", with(skillFolder("page-cro", "1.1.0")), "cro", Current, "", "cro", "cro 2.0.0 is installed"},
		{"merged", instead("cro", skillFolder("page-cro", "1.1.0")), "page-cro", Merged, "", "cro", "its content is now in skills/cro/SKILL.md"},
		{"two merged", Installation{Places: []Place{{Folders: []Folder{skillFolder("page-cro", "1.1.0"), skillFolder("form-cro", "1.0.0")}}}}, "form-cro", Merged, "", "cro", "skills/cro/references/form.md"},
		{"renamed", with(skillFolder("popup-cro", "1.0.0")), "popup-cro", Renamed, "", "popups", "popup-cro was renamed to popups in 2.0.0"},
		{"renamed, no version", with(skillFolder("popup-cro", "")), "popup-cro", Renamed, "unversioned", "popups", ""},
		{"renamed, not read", with(unread("popup-cro")), "popup-cro", Renamed, "unversioned", "popups", ""},
		{"unversioned", instead("cro", skillFolder("cro", "")), "cro", Unclear, "", "cro", "no metadata.version"},
		{"version with two parts", instead("cro", skillFolder("cro", "2.0")), "cro", Unclear, "", "cro", "2.0, which is not a version such as 2.0.1"},
		{"version with a v", instead("cro", skillFolder("cro", "v2.0.0")), "cro", Unclear, "", "cro", "v2.0.0"},
		{"not read", instead("cro", unread("cro")), "cro", Unclear, "", "cro", "was not read"},
		{"unreadable", instead("cro", Folder{Name: "cro", Kind: Unreadable, Problem: "permission denied"}), "cro", Unclear, "unreadable", "cro", "cannot be opened"},
		{"no name", instead("cro", named("cro", "", "2.0.0")), "cro", Current, "no-name", "cro", ""},
		{"outdated", instead("ads", skillFolder("ads", "2.0.0")), "ads", Outdated, "", "ads", "ads 2.0.0 is installed; the latest version is 2.0.1 (2026-05-26)"},
		{"outdated, a number not a word", with(skillFolder("revops", "1.10.0")), "revops", Outdated, "", "revops", ""},
		{"outdated by a table", instead("ads", Folder{Name: "ads", Listed: "1.0.0"}), "ads", Outdated, "listed", "ads", ""},
		{"newer", instead("ads", skillFolder("ads", "2.10.0")), "ads", Current, "", "ads", "VERSIONS.md only knows 2.0.1"},
		{"current", with(skillFolder("revops", "2.0.0")), "revops", Current, "", "revops", "this is the latest version"},
		{"current, a link", instead("cro", Folder{Name: "cro", Kind: Symlink, Target: "../x", Front: &Frontmatter{Name: "cro", Version: "2.0.0"}}), "cro", Current, "symlink", "cro", ""},
		{"misspelt", with(skillFolder("prospectng", "1.0.0")), "prospectng", NotOurs, "", "", "its name is similar to prospecting"},
		{"an old one misspelt", with(skillFolder("page_cro", "1.0.0")), "page_cro", NotOurs, "", "", "similar to page-cro (now cro)"},
		{"not ours", good(), "pdf", NotOurs, "", "", "No skill from this collection is or was named pdf"},
		{"a file", with(Folder{Name: "page-cro", Kind: RegularFile}), "page-cro", NotOurs, "", "", "a file, not a folder"},
		{"no name at all", with(Folder{}), "", NotOurs, "", "", `""`},
		{"unreadable, not ours", with(Folder{Name: "x", Kind: Unreadable}), "x", NotOurs, "unreadable", "", ""},
		{"version in the wrong place", instead("cro", Folder{Name: "cro", Front: &Frontmatter{Name: "cro", TopVersion: "1.0.0"}}), "cro", Unclear, "top-version", "cro", ""},
		{"without SKILL.md", instead("cro", Folder{Name: "cro", Bare: true}), "cro", Unclear, "no-skill-md", "cro", "it has no SKILL.md"},
		{"an old name without SKILL.md", with(Folder{Name: "popup-cro", Bare: true}), "popup-cro", Renamed, "unversioned no-skill-md", "popups", ""},
		{"not ours, without SKILL.md", with(Folder{Name: "x", Bare: true}), "x", NotOurs, "", "", ""},
	} {
		row := rowOf(t, Analyze(c.in, repository(t)), c.row)
		if row.State != c.state || codes(row) != c.codes || len(row.Notes) != len(strings.Fields(c.codes)) || row.Replacement != c.replacement || !strings.Contains(row.Evidence, c.evidence) {
			t.Errorf("%s: %s with notes [%s], replacement %q; want %s with [%s], %q\nthe evidence is %q, want %q in it",
				c.name, row.State, codes(row), row.Replacement, c.state, c.codes, c.replacement, row.Evidence, c.evidence)
		}
		if row.Advice == "" {
			t.Errorf("%s: no advice", c.name)
		}
	}
}

// TestNothingBeside: what agents do not load under the new name is not the new
// skill.
func TestNothingBeside(t *testing.T) {
	for _, beside := range []Folder{{Name: "popups", Kind: RegularFile}, {Name: "popups", Bare: true}} {
		row := rowOf(t, Analyze(with(skillFolder("popup-cro", "1.0.0"), beside), repository(t)), "popup-cro")
		if row.Evidence != "popup-cro was renamed to popups in 2.0.0" || row.Advice != "Install popups and move this folder to the backup folder." {
			t.Errorf("beside %+v: %s. %s", beside, row.Evidence, row.Advice)
		}
	}
}

func TestRenamesAndMerges(t *testing.T) {
	if len(renames) != 17 || len(merges) != 2 || len(unchanged) != 22 {
		t.Fatal("the lists are wrong")
	}
	r := Analyze(installation110(), repository(t))
	want := map[State]int{Renamed: 17, Merged: 2, Outdated: 22}
	for _, s := range States {
		if r.Counts[s] != want[s] {
			t.Errorf("%d %s, want %d", r.Counts[s], s, want[s])
		}
	}
	if r.Attention != 41 || r.Summary != "41 of 41 folders need attention: 2 merged, 17 renamed and 22 outdated." {
		t.Errorf("%d: %s", r.Attention, r.Summary)
	}
	for old, now := range renames {
		row := rowOf(t, r, old)
		if row.State != Renamed || row.Replacement != now || !row.Certain {
			t.Errorf("%s: %+v", old, row)
		}
	}
	for old, where := range merges {
		row := rowOf(t, r, old)
		if row.State != Merged || row.Replacement != "cro" || !strings.Contains(row.Evidence, where) || !row.Certain {
			t.Errorf("%s: %+v", old, row)
		}
	}
	for _, name := range unchanged {
		if row := rowOf(t, r, name); row.State != Outdated || row.Replacement != name || !row.Certain {
			t.Errorf("%s: %+v", name, row)
		}
	}
}

// TestCertain: the good case, and everything that makes it uncertain.
func TestCertain(t *testing.T) {
	for _, c := range []struct {
		name   string
		folder Folder
		want   bool
	}{
		{"an old name", skillFolder("page-cro", "1.1.0"), true},
		{"a name that stayed", skillFolder("copywriting", "1.3.0"), true},
		{"version 2.0.0", skillFolder("page-cro", "2.0.0"), false},
		{"version 2.0.0 of a name that stayed", skillFolder("video", "2.0.0"), false},
		{"no version", skillFolder("page-cro", ""), false},
		{"odd version", skillFolder("page-cro", "1.1"), false},
		{"a name that came with 2.0.0", skillFolder("popups", "1.0.0"), false},
		{"a name that came later", skillFolder("prospecting", "0.9.0"), false},
		{"not ours", skillFolder("pdf", "1.0.0"), false},
		{"near", skillFolder("page_cro", "1.0.0"), false},
		{"a link", Folder{Name: "page-cro", Kind: Symlink, Front: &Frontmatter{Name: "page-cro", Version: "1.0.0"}}, false},
		{"not read", Folder{Name: "page-cro", Listed: "1.0.0"}, false},
		{"no name", Folder{Name: "page-cro", Front: &Frontmatter{Version: "1.0.0"}}, false},
		{"another name", Folder{Name: "page-cro", Front: &Frontmatter{Name: "form-cro", Version: "1.0.0"}}, false},
		{"half read", Folder{Name: "page-cro", Problem: "x", Front: &Frontmatter{Name: "page-cro", Version: "1.0.0"}}, false},
	} {
		in := Installation{Places: []Place{{Folders: []Folder{c.folder}}}}
		if got := Analyze(in, repository(t)).Rows[0].Certain; got != c.want {
			t.Errorf("%s: certain is %v", c.name, got)
		}
	}
}

func TestChangesSince(t *testing.T) {
	for _, c := range []struct{ folder, version, want string }{
		{"ads", "2.0.0", "2.2.0"},
		{"paid-ads", "1.2.0", "2.2.0 2.0.0! 2.0.0! 2.0.0!"},
		{"page-cro", "1.2.0", "2.0.0! 2.0.0! 2.0.0!"},
		{"ai-seo", "2.0.0", "2.0.1"},
		{"ai-seo", "1.0.0", "2.0.1 2.0.0! 2.0.0! 2.0.0!"},
		{"co-marketing", "1.9.0", "2.0.0! 2.0.0! 2.0.0! 1.10.0"},
		{"ads", "2.0.1", ""},
		{"prospecting", "1.0.0", ""},
		{"prospecting", "0.5.0", "2.2.0 2.0.0! 2.0.0! 2.0.0!"},
		{"cro", "", ""},
		{"pdf", "1.0.0", ""},
	} {
		in := Installation{Places: []Place{{Folders: []Folder{skillFolder(c.folder, c.version)}}}}
		var got []string
		for _, change := range Analyze(in, repository(t)).Rows[0].Changes {
			name := change.Release
			if change.Breaking {
				name += "!"
			}
			got = append(got, name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s %s: %v, want %s", c.folder, c.version, got, c.want)
		}
	}
}

// TestFutureManifest: skills, releases and renames that this code has not
// heard of.
func TestFutureManifest(t *testing.T) {
	data, err := os.ReadFile("testdata/VERSIONS-2.2.0.md")
	if err != nil {
		t.Fatal(err)
	}
	versions := string(data)
	for old, new := range map[string]string{
		"| ab-testing            | 2.0.0   | 2026-05-05   |": "| a-new-skill           | 1.0.0   | 2027-01-01   |\n| ab-testing            | 2.0.0   | 2026-05-05   |",
		"| prospecting           | 1.0.0   | 2026-05-26   |": "| prospecting           | 2.5.0   | 2027-01-01   |",
		"| popups                | 2.0.0   | 2026-05-05   |": "| overlays              | 3.0.0   | 2027-01-01   |",
		"| popup-cro                 | popups            |":  "| popup-cro                 | overlays          |",
		"## Recent Changes\n": "## Renamed in 3.0.0\n\n| Old name | New name | Kind | Where the content went |\n| --- | --- | --- | --- |\n| popups | overlays | renamed | there |\n\n" +
			"## Recent Changes\n\n### 3.0.0 (2027-01-01)\n\n- **Breaking:** `popups` is called `overlays`.\n- `prospecting` moves to 2.5.0.\n- The new skill `a-new-skill` (1.0.0) is new.\n",
	} {
		if !strings.Contains(versions, old) {
			t.Fatalf("the manifest has no %q", old)
		}
		versions = strings.Replace(versions, old, new, 1)
	}
	m, _ := versionsfile.Parse([]byte(versions))
	r := Analyze(with(skillFolder("a-new-skill", "1.0.0"), skillFolder("popups", "2.0.0"), skillFolder("popup-cro", "1.0.0"), skillFolder("prospecting", "1.0.0")), m)
	if got, want := states(r), "popup-cro renamed, popups renamed, prospecting outdated, a-new-skill current, ads current, cro current, sms current, pdf not-ours"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	popups := rowOf(t, r, "popups")
	if !strings.Contains(popups.Evidence, "in 3.0.0") || popups.Replacement != "overlays" || popups.Certain {
		t.Errorf("%+v", popups)
	}
	if row := rowOf(t, r, "popup-cro"); row.Replacement != "overlays" || !row.Certain || !strings.Contains(row.Evidence, "in 2.0.0") {
		t.Errorf("%+v", row)
	}
	row := rowOf(t, r, "prospecting")
	if len(row.Changes) != 2 || row.Changes[0].Release != "3.0.0" || row.Certain {
		t.Errorf("prospecting began at 1.0.0 with 2.2.0; the changes since are those of 3.0.0: %+v", row)
	}
	if r.Release != "3.0.0" {
		t.Errorf("release %s", r.Release)
	}
}

func TestNoManifest(t *testing.T) {
	for _, m := range []*manifest.Manifest{nil, {}} {
		r := Analyze(good(), m)
		if len(r.Rows) != 4 || r.Counts[NotOurs] != 4 || r.Release != "" {
			t.Errorf("%+v", r)
		}
	}
}

func TestSeveralPlaces(t *testing.T) {
	in := good()
	in.Places = append(in.Places,
		Place{Path: ".agents/skills", Folders: []Folder{skillFolder("page-cro", "1.0.0"), skillFolder("ads", "2.0.0")}},
		Place{Path: "~/.codex/skills", Problem: "permission denied"},
		Place{Path: "~/.cursor/skills", Folders: []Folder{skillFolder("ads", "2.0.1")}},
	)
	in.Unchecked = []string{"~/.github/skills was not found."}
	r := Analyze(in, repository(t))
	if got, want := states(r), "page-cro merged, ads outdated, ads current, cro current, sms current, ads current, pdf not-ours"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := fmt.Sprint(r.Places); got != "[{.claude/skills 4 0 } {.agents/skills 2 2 } {~/.codex/skills 0 0 permission denied} {~/.cursor/skills 1 0 }]" {
		t.Error(got)
	}
	if !strings.Contains(r.Summary, "~/.codex/skills could not be read") || len(r.Unchecked) != 1 {
		t.Error(r.Summary, r.Unchecked)
	}
}

func TestSummaries(t *testing.T) {
	place := func(folders ...Folder) Installation { return Installation{Places: []Place{{Folders: folders}}} }
	for _, c := range []struct {
		in   Installation
		want string
	}{
		{Installation{}, "No skill folders were found. Check a skills folder, or a project that has one."},
		{place(skillFolder("pdf", "")), "No skill from this collection is installed. Checked: 1 folder."},
		{place(skillFolder("pdf", ""), skillFolder("docx", "")), "No skill from this collection is installed. Checked: 2 folders."},
		{place(skillFolder("cro", "2.0.0")), "Up to date: 1 skill from this collection."},
		{place(skillFolder("cro", "3.0.0")), "Up to date: 1 skill from this collection, 1 newer than this VERSIONS.md."},
		{place(skillFolder("cro", "3.0.0"), skillFolder("sms", "1.0.0")),
			"Up to date: 2 skills from this collection, 1 newer than this VERSIONS.md."},
		{place(skillFolder("cro", "1.0.0")), "1 of 1 folder needs attention: 1 outdated."},
		{place(skillFolder("prospectng", "1.0.0")), "No skill from this collection is installed. Checked: 1 folder. 1 folder name may be misspelt."},
	} {
		if got := Analyze(c.in, repository(t)).Summary; got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestFiles(t *testing.T) {
	f := skillFolder("cro", "2.0.0")
	f.Files = []string{"SKILL.md", "references/form.md", "references/deep/x.md", ".DS_Store", "notes.txt", "notes.txt"}
	row := rowOf(t, Analyze(instead("cro", f), repository(t)), "cro")
	if got := fmt.Sprint(row.Unfamiliar, codes(row)); got != "[notes.txt references/deep/x.md]unfamiliar" {
		t.Error(got)
	}
}

func TestContexts(t *testing.T) {
	for _, c := range []struct{ found, first, advice string }{
		{"", "", ""},
		{".agents/product-marketing.md", ".agents/product-marketing.md", ""},
		{".claude/product-marketing-context.md", ".claude/product-marketing-context.md", ".claude/product-marketing-context.md still works. Rename it to .claude/product-marketing.md"},
		{".claude/product-marketing-context.md .agents/product-marketing.md", ".agents/product-marketing.md", "ignore .claude/product-marketing-context.md"},
		{"other.md", "", ""},
	} {
		in := good()
		in.Contexts = strings.Fields(c.found)
		r := Analyze(in, repository(t))
		if got := append(r.Context.Found, "")[0]; got != c.first || !strings.Contains(r.Context.Advice, c.advice) || r.Attention != 0 {
			t.Errorf("%s: %+v", c.found, r.Context)
		}
	}
}

func TestJSON(t *testing.T) {
	in := with(skillFolder("page-cro", "1.1.0"), Folder{Name: "a\x1b[31m\"<\xff"})
	in.Locks = []LockFile{{"skills-lock.json", []byte(`{"skills":{"page-cro":{}}}`)}}
	data := JSON(Analyze(in, repository(t)))
	if strings.Contains(string(data), "null") || strings.ContainsRune(string(data), 0x1b) {
		t.Errorf("%s", data)
	}
	var back Report
	if err := json.Unmarshal(data, &back); err != nil || len(back.Rows) != 6 || back.Schema != 2 {
		t.Errorf("%v: %+v", err, back)
	}
}

// FuzzAnalyze: one row per folder, whatever they are called, twice the same,
// and nothing in the texts that a terminal would act on.
func FuzzAnalyze(f *testing.F) {
	f.Add("cro\npage-cro\nform-cro", "cro\npage-cro\ncro", "2.0.0\n\n1.0.0", byte(7))
	f.Add("a\x1b[2J\n`|\n$(x)\n\xff", "\x00\n|\n\n", "x\ny\nz", byte(200))
	m := repository(f)
	f.Fuzz(func(t *testing.T, folders, names, versions string, kinds byte) {
		names2, versions2 := strings.Split(names, "\n"), strings.Split(versions, "\n")
		in := Installation{Places: []Place{{Path: names2[0]}, {Path: here, Problem: names}}, Unchecked: versions2}
		for i, name := range strings.Split(folders, "\n") {
			folder := Folder{Name: name, Kind: []Kind{Directory, RegularFile, Symlink, Unreadable}[(int(kinds)>>(i%7))%4], Target: versions2[i%len(versions2)], Problem: names2[i%len(names2)]}
			if i%3 != 2 {
				folder.Front = &Frontmatter{Name: names2[i%len(names2)], Version: versions2[i%len(versions2)], TopVersion: names}
			}
			folder.Files, folder.Bare = []string{names}, i%5 == 4
			p := &in.Places[i%2]
			p.Folders = append(p.Folders, folder)
		}
		in.Locks = []LockFile{{Path: names, Data: []byte(folders + names)}}
		r := Analyze(in, m)
		if !reflect.DeepEqual(r, Analyze(in, m)) {
			t.Fatal("a second analysis differs")
		}
		count := map[string]int{}
		for _, p := range in.Places {
			for _, folder := range p.Folders {
				count[p.Path+"\x00"+folder.Name]++
			}
		}
		for i, row := range r.Rows {
			count[row.Place+"\x00"+row.Folder]--
			if i > 0 && compareRows(row, r.Rows[i-1]) < 0 || row.State == "" || row.Evidence == "" {
				t.Fatalf("row %d: %+v", i, row)
			}
			if (row.Certain || row.Published) && (row.Name != row.Folder || row.Kind != Directory) {
				t.Fatalf("certain: %+v", row)
			}
			for _, said := range append([]string{row.Evidence, row.Advice}, row.Notes...) {
				if text.Printable(said) != said {
					t.Fatalf("%q", said)
				}
			}
		}
		for name, n := range count {
			if n != 0 {
				t.Fatalf("%q: %d rows missing", name, n)
			}
		}
		if data := JSON(r); !json.Valid(data) {
			t.Fatalf("%s", data)
		}
	})
}
