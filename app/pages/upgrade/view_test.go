package upgrade

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/manifest/versionsfile"
	"marketingskills/app/pages"
	"marketingskills/app/upgrade"
	"marketingskills/app/upgrade/listing"
	"marketingskills/app/upgrade/plan"
)

// ours is the project's own manifest.
func ours(t *testing.T) *manifest.Manifest {
	t.Helper()
	data, err := os.ReadFile("../../../VERSIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	m, _ := versionsfile.Parse(data)
	return m
}

// reported analyses a pasted listing with that.
func reported(t *testing.T, pasted string) upgrade.Report {
	t.Helper()
	return upgrade.Analyze(listing.Parse(pasted).Installation, ours(t))
}

func TestViewOf(t *testing.T) {
	r := reported(t, "page-cro\ncro\npaid-ads\npdf\ndocx\n")
	for _, c := range []struct {
		filter string
		drawn  int
		rows   string
		more   int
	}{
		{filterAll, 60, "page-cro paid-ads cro docx pdf", 0},
		{filterAll, 2, "page-cro paid-ads", 3},
		{"attention", 60, "page-cro paid-ads cro", 0},
		{"not-ours", 1, "docx", 1},
		{"current", 60, "", 0},
		{"no such state", 60, "", 0},
	} {
		v := viewOf(r, c.filter, c.drawn)
		var names []string
		for _, row := range v.rows {
			names = append(names, row.Folder)
		}
		if got := strings.Join(names, " "); got != c.rows || v.more != c.more {
			t.Errorf("%s, %d drawn: got %q and %d more, want %q and %d", c.filter, c.drawn, got, v.more, c.rows, c.more)
		}
		var filters []string
		for _, f := range v.filters {
			filters = append(filters, f.id)
		}
		if want := []string{filterAll, "attention", "merged", "renamed", "unclear", "not-ours"}; !slices.Equal(filters, want) {
			t.Errorf("filters: got %v, want %v", filters, want)
		}
	}
}

// TestUnseenIsSaidOnce: not a note for every row.
func TestUnseenIsSaidOnce(t *testing.T) {
	r := reported(t, "page-cro\ncro\n")
	for _, row := range r.Rows {
		for _, n := range row.Notes {
			if strings.HasPrefix(row.Evidence, strings.TrimSuffix(n, ".")) {
				t.Errorf("%s repeats %q beside %q", row.Folder, n, row.Evidence)
			}
		}
	}
	if said := reportNotes(r); !slices.ContainsFunc(said, func(s string) bool { return strings.HasPrefix(s, "A listing shows names only") }) {
		t.Errorf("nothing says that versions were not seen: %q", said)
	}
}

func TestPlanInWords(t *testing.T) {
	p, err := plan.New(reported(t, "paid-ads\n"), plan.Options{Time: now, Source: plan.Source{Site: "https://skills.example"}})
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, s := range p.Steps {
		words = append(words, s.String())
	}
	if got, want := strings.Join(words, "\n"), "Get the latest ads from https://skills.example/skills/ads/ads.zip\n"+
		"Move ./paid-ads to ../.skills-backup-2026-06-01-120000/paid-ads\nInstall ./ads"; got != want {
		t.Errorf("the steps read %s", got)
	}
}

var now = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// TestUndoing: what is said of skills-upgrade --undo is true, whatever the folder
// is called.
func TestUndoing(t *testing.T) {
	const at = "-backup-2026-06-01-120000"
	for _, c := range []struct{ place, here, folder, by string }{
		{".claude/skills", "", ".claude/.skills" + at, "Run in the same folder, skills-upgrade --undo .claude/.skills" + at + " does this for you."},
		{"", "kit", "../.kit" + at, "Run in the same folder, skills-upgrade --undo ../.kit" + at + " does this for you."},
		{"", "", "../.skills" + at, "If your skills folder has the name skills, skills-upgrade --undo ../.skills" + at + " does this for you, run in the same folder."},
		{".git/hooks", "", ".git/.hooks" + at, ""}, // it refuses hidden folders
		{"", ".git", "../..git" + at, ""},
	} {
		in := upgrade.Installation{Places: []upgrade.Place{{Path: c.place, Folders: []upgrade.Folder{{Name: "paid-ads"}}}}}
		p, err := plan.New(upgrade.Analyze(in, ours(t)), plan.Options{Time: now, Here: c.here})
		if err != nil {
			t.Fatal(err)
		}
		want := strings.TrimSuffix("To undo it, move the new skills out of your skills folder and the folders in "+c.folder+" back into it. "+c.by, " ")
		if got := undoing(p, plan.POSIX, c.here); got != want {
			t.Errorf("%q in %q: got %s, want %s", c.place, c.here, got, want)
		}
	}
}

// TestAdviceOfUnseen: a row says that the plan replaces it only if it does.
func TestAdviceOfUnseen(t *testing.T) {
	for published, want := range map[string]bool{"cro": true, "ads": false} {
		u := &page{Page: &pages.Page{Base: "/"}, manifest: ours(t), result: &result{report: reported(t, "cro\n")}}
		var err error
		u.result.plan, err = plan.New(u.result.report, plan.Options{
			Time: now, Unseen: true, Source: plan.Source{Site: "https://skills.example", Only: []string{published}},
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := app.HTMLString(u.row(u.result.report.Rows[0])); strings.Contains(got, "The plan replaces it") != want {
			t.Errorf("where the site has %s the row says %s", published, got)
		}
	}
}

func TestWhere(t *testing.T) {
	const run = "Run these commands in a terminal, in "
	for _, c := range []struct {
		paths []string
		want  string
	}{
		{[]string{""}, "your skills folder."},
		{[]string{"."}, "your skills folder."},
		{[]string{".agents/skills", ".claude/skills"}, "the folder that contains .agents."},
		{[]string{"~/.claude/skills", "./shop/skills"}, "the folder that contains shop."},
		{[]string{`shop\skills`}, "the folder that contains shop."},
		{[]string{"skills"}, "the folder that contains skills."},
		{[]string{"../skills"}, "the folder where you made the listing."},
		{[]string{"/srv/skills", "~/.claude/skills", `C:\skills`, `\\server\skills`}, "any folder."},
	} {
		var r upgrade.Report
		for _, path := range c.paths {
			r.Places = append(r.Places, upgrade.PlaceSummary{Path: path})
		}
		if got := where(r); got != run+c.want {
			t.Errorf("%q: got %q", c.paths, got)
		}
	}
}

// TestUpgradeRowIsInert: a row drawn from hostile names is markup of ours and
// nothing else.
func TestUpgradeRowIsInert(t *testing.T) {
	r := reported(t, "page-cro\n")
	row := r.Rows[0]
	row.Folder, row.Name, row.Evidence, row.Advice = `"><script>x</script>`, "<b>", "<i>", "</li>"
	row.Notes = []string{"<script>"}
	row.Changes = []upgrade.Change{{Release: "<u>", Text: "`<s>`"}}
	if got := app.HTMLString((&page{Page: &pages.Page{Base: "/"}, manifest: ours(t)}).row(row)); strings.Contains(got, "<script>") || strings.Contains(got, "<b>") || strings.Contains(got, "<u>") || strings.Contains(got, "<s>") {
		t.Errorf("got %s", got)
	}
}
