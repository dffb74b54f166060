//go:build !js

package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/manifest/versionsfile"
)

// versions reads the project's own manifest.
func versions(t *testing.T) (*manifest.Manifest, []byte) {
	t.Helper()
	return readVersions(t, "../VERSIONS.md")
}

func readVersions(t *testing.T, file string) (*manifest.Manifest, []byte) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, _ := versionsfile.Parse(data)
	return m, data
}

func skillText(name, version string) []byte {
	return fmt.Appendf(nil, "---\nname: %s\ndescription: \"About %s.\"\nmetadata:\n  version: %q\n  title: The %s skill\n  category: Strategy\n---\n\n# %s\n\nText.\n", name, name, version, name, name)
}

// wholeCollection is all 42 skills, as they will be once all are written.
func wholeCollection(t *testing.T) fstest.MapFS {
	t.Helper()
	m, data := versions(t)
	content := fstest.MapFS{"VERSIONS.md": {Data: data}}
	for _, row := range m.Rows {
		content["skills/"+row.Skill+"/SKILL.md"] = &fstest.MapFile{Data: skillText(row.Skill, string(row.Version))}
	}
	return content
}

// oldInstallation writes the 41 folders of 1.10.0: the 17 names given up
// since, the two merged ones, and the 22 that are unchanged.
func oldInstallation(t *testing.T, dir string) []string {
	t.Helper()
	m, _ := readVersions(t, "../app/upgrade/testdata/VERSIONS-2.2.0.md")
	names := map[string]bool{}
	for _, row := range m.Rows {
		names[row.Skill] = row.Skill != "prospecting" && row.Skill != "sms"
	}
	for _, r := range m.Renames {
		names[r.New] = false
		names[r.Old] = true
	}
	var all []string
	for name, installed := range names {
		if !installed {
			continue
		}
		all = append(all, name)
		folder := filepath.Join(dir, name)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "SKILL.md"), skillText(name, "1.4.0"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if len(all) != 41 {
		t.Fatalf("1.10.0 had 41 folders, not %d", len(all))
	}
	return all
}

// drop drops a file or folder of this machine onto an element.
func (b *tab) drop(selector, path string) {
	b.t.Helper()
	type point struct{ X, Y float64 }
	at := eval[point](b, fmt.Sprintf(`(r => ({X: r.x + r.width / 2, Y: r.y + 10}))(document.querySelector(%q).getBoundingClientRect())`, selector))
	data := &input.DragData{Items: []*input.DragDataItem{}, Files: []string{path}, DragOperationsMask: 1}
	for _, kind := range []input.DispatchDragEventType{
		input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop,
	} {
		tell(b, input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: at.X, Y: at.Y, Data: data})
	}
}

func (b *tab) paste(listing string) {
	b.t.Helper()
	b.run(fmt.Sprintf(`document.getElementById("listing").value = %q; document.getElementById("listing").dispatchEvent(new Event("input", {bubbles: true}))`, listing))
	b.click("form.Way button")
}

// states reads the result: each folder with its state.
func (b *tab) states() map[string]string {
	b.t.Helper()
	return eval[map[string]string](b, `Object.fromEntries([...document.querySelectorAll(".Finding")].map(f => [f.querySelector("code").textContent, f.querySelector(".Finding-state").textContent]))`)
}

// upgradePage opens the page with the application and its manifest there.
func upgradePage(t *testing.T, s *served) *tab {
	t.Helper()
	b := open(t)
	b.visit(s.address + "upgrade/")
	b.takenOver()
	b.until("the manifest arrives", `performance.getEntriesByType("resource").some(e => e.name.endsWith("versions.json") && e.responseEnd > 0)`)
	return b
}

func TestPasteAListing(t *testing.T) {
	s := theSite(t)
	for name, listing := range map[string]string{
		"ls":     "page-cro\ncro\nemail-sequence\nprospectng\npdf\n",
		"ls -la": "total 8\ndrwxr-xr-x  7 me me 4096 Jan  2 10:00 .\ndrwxr-xr-x  3 me me 4096 Jan  2 10:00 ..\ndrwxr-xr-x  2 me me 4096 Jan  2 10:00 page-cro\ndrwxr-xr-x  2 me me 4096 Jan  2 10:00 cro\ndrwxr-xr-x  2 me me 4096 Jan  2 10:00 email-sequence\ndrwxr-xr-x  2 me me 4096 Jan  2 10:00 prospectng\ndrwxr-xr-x  2 me me 4096 Jan  2 10:00 pdf\n",
		"dir":    " Volume in drive C has no label.\r\n Directory of C:\\skills\r\n\r\n01/02/2026  10:00 AM    <DIR>          .\r\n01/02/2026  10:00 AM    <DIR>          ..\r\n01/02/2026  10:00 AM    <DIR>          page-cro\r\n01/02/2026  10:00 AM    <DIR>          cro\r\n01/02/2026  10:00 AM    <DIR>          email-sequence\r\n01/02/2026  10:00 AM    <DIR>          prospectng\r\n01/02/2026  10:00 AM    <DIR>          pdf\r\n               0 File(s)              0 bytes\r\n               7 Dir(s)  1,000,000 bytes free\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			b := upgradePage(t, s)
			b.paste(listing)
			b.until("the result shows", `document.querySelectorAll(".Finding").length === 5`)
			got := b.states()
			for folder, want := range map[string]string{
				"page-cro": "Merged", "cro": "Unclear", "email-sequence": "Renamed", "prospectng": "Other", "pdf": "Other",
			} {
				found := ""
				for shown, state := range got {
					if strings.HasSuffix(strings.ReplaceAll(shown, `\`, "/"), folder) && (folder != "cro" || !strings.HasSuffix(shown, "page-cro")) {
						found = state
					}
				}
				if found != want {
					t.Errorf("%s is %q, want %q (%v)", folder, found, want, got)
				}
			}
			if got := eval[string](b, "document.activeElement.id"); got != "result" {
				t.Errorf("the focus is on %q, not on the result", got)
			}
		})
	}
}

func TestPasteAnOldManifest(t *testing.T) {
	b := upgradePage(t, theSite(t))
	m, _ := versions(t)
	cro, _ := m.Row("cro")
	b.paste("| Skill | Version | Last Updated |\n|---|---|---|\n| ads | 2.0.0 | 2026-05-05 |\n| cro | " + string(cro.Version) + " | 2026-05-05 |\n| page-cro | 1.3.0 | 2026-01-05 |\n")
	b.until("the result shows", `document.querySelectorAll(".Finding").length === 3`)
	got := b.states()
	if got["ads"] != "Outdated" || got["cro"] != "Up to date" || got["page-cro"] != "Merged" {
		t.Errorf("the states are %v", got)
	}
	if changes := eval[string](b, `[...document.querySelectorAll(".Finding-changes li")].map(l => l.textContent).join("\n")`); !strings.Contains(changes, "2.2.0") {
		t.Errorf("what changed reads %q", changes)
	}
}

func TestPasteSomethingElse(t *testing.T) {
	b := upgradePage(t, theSite(t))
	for listing, want := range map[string]string{
		"": "The field is empty",
		"Dear Sir, thank you for your letter of the third, which I have read with great interest; I shall answer it in full when I am back from Lyon.": "is not a folder listing",
	} {
		b.paste(listing)
		b.until("it says what is wrong", fmt.Sprintf(`document.getElementById("problem").innerText.includes(%q)`, want))
	}
}

// A listing that is only understood in part is read as far as it can be, and
// the rest is shown.
func TestPasteAMixedListing(t *testing.T) {
	b := upgradePage(t, theSite(t))
	b.paste("drwxr-xr-x  2 me me 4096 Jan  2 10:00 page-cro\ncro\npaid-ads\nand what is this\n")
	b.until("the result shows", `document.querySelectorAll(".Finding").length === 3`)
	if got := eval[string](b, `document.getElementById("unread").innerText`); !strings.Contains(got, "Not recognised: 1 line") || !strings.Contains(got, "and what is this") {
		t.Errorf("what was not understood reads %q", got)
	}
}

// The whole way from 1.10.0 to today by following only what the page says,
// with nothing sent anywhere while the page reads the folder.
func TestUpgradeByThePage(t *testing.T) {
	for _, tool := range []string{"sh", "curl", "unzip"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("NOT CHECKED: the commands need %s, which is not on this machine", tool)
		}
	}
	s := serveContent(t, wholeCollection(t), "/")
	t.Cleanup(s.stop)
	skills := filepath.Join(t.TempDir(), "project", "kit")
	names := oldInstallation(t, skills)
	b := upgradePage(t, s)

	var sent []string
	listen(b, func(e *network.EventRequestWillBeSent) { sent = append(sent, e.Request.Method+" "+e.Request.URL) })
	tell(b, network.Enable, network.EnableParams{})
	b.drop(".Drop", skills)
	b.until("every folder has a row", fmt.Sprintf(`document.querySelector(".Filter-count")?.innerText === "%d"`, len(names)))
	b.until("every row is drawn", fmt.Sprintf(`document.querySelectorAll(".Finding").length === %d`, len(names)))
	m, _ := versions(t)
	states := b.states()
	for _, r := range m.Renames {
		want := "Renamed"
		if r.Kind == manifest.Merged {
			want = "Merged"
		}
		if got := states[r.Old]; got != want {
			t.Errorf("%s is %q, want %q", r.Old, got, want)
		}
	}
	b.run(`if (document.getElementById("posix").checked === false) document.getElementById("posix").click()`)
	b.run(`window.copied = ""; navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }`)
	b.click(".Plan-copy")
	plan := eval[string](b, "window.copied")
	undo := eval[string](b, `document.getElementById("undo").textContent`)
	if len(sent) > 0 {
		t.Errorf("while it looked at the folder the page sent %v", sent)
	}

	before := tree(t, skills)
	run := exec.Command("sh", "-c", plan)
	run.Dir = skills
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("the plan failed: %v\n%s", err, out)
	}
	again := upgradePage(t, s)
	again.drop(".Drop", skills)
	again.until("the second check is done", `document.querySelector(".Outcome-summary")`)
	if todo := eval[float64](again, `document.querySelectorAll(".Finding-state--todo").length`); todo != 0 {
		t.Errorf("after the plan there is still something to do: %s %v", again.text(".Outcome-summary"), again.states())
	}

	backup := regexp.MustCompile(`\.\./(\.kit-backup-[0-9-]+) back into it`).FindStringSubmatch(undo)
	if backup == nil {
		t.Fatalf("undoing reads %q", undo)
	}
	moveBack(t, filepath.Join(filepath.Dir(skills), backup[1]), skills)
	if after := tree(t, skills); after != before {
		t.Errorf("moving back does not restore the folder:\nbefore %s\nafter  %s", before, after)
	}
}

// moveBack does what the page says to undo its plan: new skills out, old ones
// back. A new skill was made ready in a folder of its name, now empty.
func moveBack(t *testing.T, backup, skills string) {
	t.Helper()
	installed, err := os.ReadDir(filepath.Join(backup, ".new"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range installed {
		if err := os.Rename(filepath.Join(skills, e.Name()), filepath.Join(backup, ".new", e.Name(), e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	old, err := filepath.Glob(filepath.Join(backup, "[a-z]*"))
	if err != nil || len(old) != 41 {
		t.Fatalf("%d old folders, %v", len(old), err)
	}
	for _, folder := range old {
		if err := os.Rename(folder, filepath.Join(skills, filepath.Base(folder))); err != nil {
			t.Fatal(err)
		}
	}
}

// tree lists files and their contents.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		fmt.Fprintf(&b, "%s %q\n", strings.TrimPrefix(name, dir), data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The plain directory input does the same in browsers without the picker.
func TestChooseAFolderTheOldWay(t *testing.T) {
	project := t.TempDir()
	oldInstallation(t, filepath.Join(project, ".claude", "skills"))
	b := upgradePage(t, theSite(t))
	root := tell(b, dom.GetDocument, dom.GetDocumentParams{})
	field := tell(b, dom.QuerySelector, dom.QuerySelectorParams{NodeID: root.Root.NodeID, Selector: "#folder"})
	tell(b, dom.SetFileInputFiles, dom.SetFileInputFilesParams{NodeID: field.NodeID, Files: []string{project}})
	b.until("the place is found", `document.querySelectorAll(".Finding").length > 40`)
	if got := b.states()[".claude/skills/paid-ads"]; got != "Renamed" {
		t.Errorf(".claude/skills/paid-ads is %q", got)
	}
}

// Ten thousand folders are checked, and only as many rows drawn as a reader
// can reach.
func TestTenThousandFolders(t *testing.T) {
	b := upgradePage(t, theSite(t))
	b.run(`document.getElementById("listing").value = Array.from({length: 10000}, (_, i) => "someones-skill-" + i).join("\n") + "\npaid-ads\n";
		document.getElementById("listing").dispatchEvent(new Event("input", {bubbles: true}));
		window.longest = 0; new PerformanceObserver(l => { for (const e of l.getEntries()) window.longest = Math.max(window.longest, e.duration) }).observe({type: "longtask"})`)
	b.click("form.Way button")
	b.until("all are counted", `document.querySelector(".Filter-count")?.innerText === "10001"`)
	if drawn := eval[float64](b, `document.querySelectorAll(".Finding").length`); drawn > 200 {
		t.Errorf("%v rows are drawn at once", drawn)
	}
	if first := eval[string](b, `document.querySelector(".Finding code").textContent`); first != "paid-ads" {
		t.Errorf("the most urgent row is %q, want paid-ads", first)
	}
	t.Logf("longest task: %v ms", eval[float64](b, "window.longest"))
	b.run(`document.querySelector(".More").scrollIntoView()`)
	b.until("more are drawn as the end comes near", `document.querySelectorAll(".Finding").length > 60`)
}

// Every state there is shows on the page under its own name.
func TestEveryStateShows(t *testing.T) {
	skills := filepath.Join(t.TempDir(), "skills")
	m, _ := versions(t)
	latest := func(skill string) string {
		row, _ := m.Row(skill)
		return string(row.Version)
	}
	for folder, front := range map[string][2]string{
		"elsewhere":      {"social", latest("social")},
		"paid-ads":       {"paid-ads", "1.2.0"},
		"ads":            {"ads", latest("ads")},
		"page-cro":       {"page-cro", "1.2.0"},
		"email-sequence": {"email-sequence", "1.2.0"},
		"pricing":        {"pricing", ""},
		"prospecting":    {"prospecting", "0.9.0"},
		"sms":            {"sms", "99.0.0"},
		"video":          {"video", latest("video")},
		"cold-emial":     {"cold-emial", "1.0.0"},
		"pdf":            {"pdf", "1.0.0"},
	} {
		if err := os.MkdirAll(filepath.Join(skills, folder), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(skills, folder, "SKILL.md"), skillText(front[0], front[1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b := upgradePage(t, theSite(t))
	b.drop(".Drop", skills)
	b.until("every folder has a row", `document.querySelectorAll(".Finding").length === 11`)
	got := b.states()
	for folder, want := range map[string]string{
		"elsewhere": "Unclear", "paid-ads": "Renamed", "page-cro": "Merged", "email-sequence": "Renamed",
		"pricing": "Unclear", "prospecting": "Outdated", "sms": "Up to date", "video": "Up to date",
		"cold-emial": "Other", "pdf": "Other", "ads": "Up to date",
	} {
		if got[folder] != want {
			t.Errorf("%s is %q, want %q", folder, got[folder], want)
		}
	}
	b.run(`document.getElementById("state-attention").click()`)
	b.until("the filter leaves what there is to do", `[...document.querySelectorAll(".Finding-state")].every(s => s.classList.contains("Finding-state--todo")) && document.querySelectorAll(".Finding").length === 6`)
}

// Who is quicker than the application is served as soon as it arrives.
func TestPasteBeforeTheApplication(t *testing.T) {
	b := open(t)
	tell(b, network.Enable, network.EnableParams{})
	tell(b, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{{Latency: 150, DownloadThroughput: 600 << 10, UploadThroughput: 200 << 10}},
	})
	b.visit(theSite(t).address + "upgrade/")
	b.paste("page-cro\npaid-ads\n")
	if eval[bool](b, taken) {
		t.Fatal("the application was there before the visitor: the story needs a slower line")
	}
	b.until("the result shows", `document.querySelectorAll(".Finding").length === 2`)
}

// What to do comes before why; what the neighbours prove to be old is in the plan
// and can be left out; names lead to their skills.
func TestPlanLeads(t *testing.T) {
	s := theSite(t)
	b := upgradePage(t, s)
	b.paste("page-cro\ncro\nsms-marketing\n")
	b.until("the result shows", `document.querySelectorAll(".Finding").length === 3`)
	if !eval[bool](b, `!!(document.querySelector(".Todo").compareDocumentPosition(document.querySelector(".Findings")) & Node.DOCUMENT_POSITION_FOLLOWING)`) {
		t.Error("the folders stand before the plan")
	}
	if got := eval[[]string](b, `[...document.querySelectorAll(".Finding-name a")].map(a => a.textContent + " " + new URL(a.href).pathname)`); !slices.Equal(got, []string{"cro /skills/cro/", "sms /skills/sms/"}) {
		t.Errorf("the names lead to %v", got)
	}
	steps := func() string { return eval[string](b, `document.querySelector(".Steps").textContent`) }
	if with := steps(); !eval[bool](b, `document.getElementById("unseen").checked`) || !strings.Contains(with, "page-cro") {
		t.Errorf("the plan is %s", with)
	}
	before := eval[int](b, `document.querySelectorAll(".Steps li").length`)
	said := `[...document.querySelectorAll(".Finding")].find(f => f.querySelector("code").textContent === "cro").innerText`
	if got := eval[string](b, said); !strings.Contains(got, "The plan replaces it") {
		t.Errorf("cro is in the plan, and its row says %q", got)
	}
	b.click("#unseen")
	b.until("the plan is shorter", fmt.Sprintf(`document.querySelectorAll(".Steps li").length < %d`, before))
	if got := eval[string](b, said); strings.Contains(got, "The plan replaces it") {
		t.Errorf("cro is not in the plan, and its row says %q", got)
	}
}

// Somebody who looks at a skill and comes back finds the result; a new visit
// begins anew.
func TestBackToTheResult(t *testing.T) {
	s := theSite(t)
	b := upgradePage(t, s)
	b.paste("page-cro\ncro\npaid-ads\n")
	b.until("the result shows", `document.querySelectorAll(".Finding").length === 3`)
	before := eval[string](b, `document.querySelector(".Outcome-summary").textContent`)
	b.run(`document.querySelector(".Finding-name a").click()`)
	b.until("the skill shows", `location.pathname.startsWith("/skills/") && document.querySelector("h1")?.innerText`)
	b.run(`history.back()`)
	b.until("the result is back", fmt.Sprintf(`document.querySelector(".Outcome-summary")?.textContent === %q`, before))
	b.visit(s.address + "upgrade/")
	b.takenOver()
	b.until("the manifest arrives", `performance.getEntriesByType("resource").some(e => e.name.endsWith("versions.json") && e.responseEnd > 0)`)
	if eval[bool](b, `!!document.querySelector(".Outcome")`) {
		t.Error("a new visit shows the result of an earlier one")
	}
}

// The report can be kept, as JSON for programs.
func TestKeepTheReport(t *testing.T) {
	b := upgradePage(t, theSite(t))
	b.paste("page-cro\ncro\n")
	b.until("the result shows", `document.querySelectorAll(".Finding").length === 2`)
	b.run(`window.kept = {}; const make = URL.createObjectURL;
		URL.createObjectURL = blob => { window.blob = blob; return make(blob) };
		HTMLAnchorElement.prototype.click = function () { window.kept[this.download] = window.blob.text() }`)
	b.run(`document.querySelectorAll(".Outcome-keep button").forEach(button => button.dispatchEvent(new MouseEvent("click", {bubbles: true})))`)
	b.until("the file is there", `Object.keys(window.kept).length === 1`)
	var report struct {
		Schema int
		Rows   []struct{ Folder, State string }
	}
	if err := json.Unmarshal([]byte(eval[string](b, `window.kept["skills-report.json"]`)), &report); err != nil {
		t.Fatal(err)
	}
	if report.Schema != 2 || len(report.Rows) != 2 || report.Rows[0].Folder != "page-cro" || report.Rows[0].State != "merged" {
		t.Errorf("the JSON file says %+v", report)
	}
}
