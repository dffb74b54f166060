//go:build !js

package main_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"marketingskills/app/codehost"
	"marketingskills/app/codehost/codehosttest"
	"marketingskills/app/prospect"
)

// marketer is somebody at the extraction page, beside a code host.
type marketer struct {
	*tab
	host *codehosttest.Host
	api  string
	site *served
	dir  string // downloads
}

// atHost opens the page of a site generated for a code host.
func atHost(t testing.TB, host *codehosttest.Host) *marketer {
	t.Helper()
	server := httptest.NewServer(host)
	t.Cleanup(server.Close)
	site := serveWith(t, os.DirFS(".."), "/", server.URL)
	t.Cleanup(site.stop)
	return (&marketer{host: host, api: server.URL, site: site}).comeIn(t)
}

// comeIn opens the page in a tab of its own, as after a restart of the
// browser.
func (m *marketer) comeIn(t testing.TB) *marketer {
	t.Helper()
	again := &marketer{tab: open(t), host: m.host, api: m.api, site: m.site, dir: t.TempDir()}
	tell(again.tab, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllow, DownloadPath: again.dir,
		BrowserContextID: chromedp.FromContext(again.ctx).BrowserContextID,
	})
	again.visit(m.site.address + "prospects/")
	again.takenOver()
	return again
}

// fill puts a text into a field.
func (m *marketer) fill(id, value string) {
	m.t.Helper()
	m.run(fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event("input", {bubbles: true})); e.dispatchEvent(new Event("change", {bubbles: true})) })(document.getElementById(%q))`, value, id))
}

// tick clicks boxes and choices that are not ticked.
func (m *marketer) tick(ids ...string) {
	m.t.Helper()
	for _, id := range ids {
		m.run(fmt.Sprintf(`(e => e.checked || e.click())(document.getElementById(%q))`, id))
	}
}

// press clicks the button with that text, once it is there.
func (m *marketer) press(text string) {
	m.t.Helper()
	find := fmt.Sprintf(`[...document.querySelectorAll("button")].find(b => (b.ariaLabel || b.innerText).trim() === %q)`, text)
	m.until("the button "+text, find)
	m.run(find + `.click()`)
}

// status waits until the page says something that begins so.
func (m *marketer) status(begins string) string {
	m.t.Helper()
	said := fmt.Sprintf(`[...document.querySelectorAll("#status, .Run-end")].map(e => e.textContent).find(text => text.startsWith(%q))`, begins)
	m.until("the page says "+begins, said)
	return eval[string](m.tab, said+` ?? ""`)
}

// plan asks for the forks of the host's repository with a token.
func (m *marketer) plan(ids ...string) {
	m.t.Helper()
	m.fill("repo", "octo/tool")
	m.fill("token", codehosttest.Token)
	m.tick(ids...)
	m.press("Plan it")
	m.until("the plan shows", `document.querySelector(".Gauge")`)
}

// start says what the list is for, and starts the run.
func (m *marketer) start() {
	m.t.Helper()
	m.press("Go on to the purpose")
	m.until("the terms show", `document.getElementById("terms-form")`)
	m.tick("use-community", "country-eu", "country-us", "pledge")
	m.fill("basis", "consent")
	m.fill("purpose", "Invite the people of our project to its meeting in Lisbon.")
	m.press("Start the run")
	m.until("the run shows", `document.querySelector(".Progress")`)
}

// counts reads the numbers of the run.
func (m *marketer) counts() map[string]string {
	m.t.Helper()
	return eval[map[string]string](m.tab, `Object.fromEntries([...document.querySelectorAll(".Number")].map(n => [n.querySelector("dt").textContent, n.querySelector("dd").textContent]))`)
}

// saved waits for a download and reads it.
func (m *marketer) saved(suffix string) []byte {
	m.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(25 * time.Millisecond) {
		names, _ := filepath.Glob(filepath.Join(m.dir, "*"+suffix))
		if len(names) != 1 {
			continue
		}
		data, err := os.ReadFile(names[0])
		if err == nil && len(data) > 0 {
			return data
		}
	}
	entries, _ := os.ReadDir(m.dir)
	m.t.Fatalf("no download ends with %s: %v", suffix, entries)
	return nil
}

// give chooses a file in the input with that ID.
func (m *marketer) give(id, file string) {
	m.t.Helper()
	root := tell(m.tab, dom.GetDocument, dom.GetDocumentParams{})
	field := tell(m.tab, dom.QuerySelector, dom.QuerySelectorParams{NodeID: root.Root.NodeID, Selector: "#" + id})
	tell(m.tab, dom.SetFileInputFiles, dom.SetFileInputFilesParams{NodeID: field.NodeID, Files: []string{file}})
}

// byTheEngine runs the same query natively against another host of the same
// people.
func byTheEngine(t *testing.T, people []codehosttest.Account, q prospect.Query) ([]prospect.Record, prospect.Report) {
	t.Helper()
	client, err := codehost.New(codehost.Config{Base: codehosttest.Base, Token: codehost.NewToken(codehosttest.Token), Doer: &codehosttest.Host{People: people}})
	if err != nil {
		t.Fatal(err)
	}
	job, err := prospect.NewJob(client, q, prospect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var records []prospect.Record
	report, err := job.Run(context.Background(), func(e prospect.Event) error {
		if e.Outcome != nil && e.Outcome.Record != nil {
			records = append(records, *e.Outcome.Record)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return records, report
}

// A marketer plans, says what for, runs, and leaves with files that hold
// exactly whom the engine keeps.
func TestExtraction(t *testing.T) {
	people := append(codehosttest.Crowd(230), codehosttest.Hostile()...)
	m := atHost(t, &codehosttest.Host{People: people})
	m.tolerates("404") // somebody listed is gone
	m.fill("token", codehosttest.Token)
	m.press("Check the token")
	m.until("whose the token is", `document.querySelector(".Token-owner")?.textContent.includes("token-owner")`)
	if owner := m.text(".Token-owner"); !strings.Contains(owner, "Quota 4,999 of 5,000 left") {
		t.Errorf("the page says %q", owner)
	}
	if left := eval[string](m.tab, `document.getElementById("token").value`); left != "" {
		t.Error("the token still stands in its field")
	}
	m.fill("repo", "https://github.com/octo/tool?tab=readme")
	m.tick("with-email")
	m.press("Plan it")
	m.until("the plan shows", `document.querySelector(".Gauge")`)
	facts := eval[map[string]string](m.tab, `Object.fromEntries([...document.querySelectorAll(".Facts-row")].map(r => [r.querySelector("dt").textContent, r.querySelector("dd").textContent]))`)
	if facts["People to consider"] != "at most 300" || facts["Requests still to send"] != "at most 302 (2 more pages, 300 profiles)" {
		t.Errorf("the plan says %v", facts)
	}
	planned := m.host.Count()
	if planned.Listing != 1 || planned.Profiles != 0 {
		t.Errorf("the plan cost %d pages and %d profiles", planned.Listing, planned.Profiles)
	}

	// Nothing starts before everything is said.
	m.press("Go on to the purpose")
	m.press("Start the run")
	m.until("the page says what is missing", `document.querySelectorAll(".Field-wrong").length === 4`)
	m.tick("use-accounts", "country-uk", "pledge")
	m.fill("purpose", "See which companies build on it.")
	m.press("Start the run")
	m.until("the basis is missing", `document.querySelectorAll(".Field-wrong").length === 1 && document.getElementById("basis-wrong")`)
	m.fill("basis", "consent")
	m.fill("elsewhere", "Iceland,  Japan ,")
	if now := m.host.Count(); now.Requests != planned.Requests {
		t.Errorf("%d requests were sent before the terms were accepted", now.Requests-planned.Requests)
	}
	m.press("Start the run")
	m.status("Finished.")

	query := prospect.Query{Source: codehost.Forks, Repo: codehost.Repo{Owner: "octo", Name: "tool"}, Enrich: true, WithEmail: true,
		Purpose: "Account-level intent: See which companies build on it.", LawfulBasis: "consent", Countries: []string{"United Kingdom", "Iceland", "Japan"}}
	want, report := byTheEngine(t, people, query)
	counts := m.counts()
	for name, n := range map[string]int{"kept": report.Counts.Kept, "filtered": report.Counts.Filtered, "failed": report.Counts.Failed} {
		if counts[name] != fmt.Sprint(n) {
			t.Errorf("%s: the page says %s, the engine %d", name, counts[name], n)
		}
	}
	if got := m.host.Count(); got.InPenalty+got.OverPace+got.Foreign+got.Leaks > 0 {
		t.Errorf("the host saw %+v", got)
	}
	if bars := eval[[]string](m.tab, `[...document.querySelectorAll(".Picture h2")].map(h => h.textContent)`); !slices.Equal(bars, []string{"Company", "Place", "Address published", "Outcome"}) {
		t.Errorf("the pictures are of %v", bars)
	}

	m.press("Export")
	m.press("Download CSV")
	rows, err := csv.NewReader(bytes.NewReader(m.saved("-" + today() + ".csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(want)+1 || !slices.Equal(rows[0], prospect.Columns) {
		t.Fatalf("the CSV has %d rows under %v; want %d", len(rows)-1, rows[0], len(want))
	}
	for i, r := range want {
		// All but where and when it was read.
		expected := []string{r.Login, prospect.Cell(r.Name), prospect.Cell(r.Company), prospect.Cell(r.Email), prospect.Cell(r.Blog), prospect.Cell(r.Location), prospect.Cell(r.Bio)}
		if got := rows[i+1][:len(expected)]; !slices.Equal(got, expected) {
			t.Errorf("row %d is %q, want %q", i+1, got, expected)
		}
		if source := rows[i+1][15]; !strings.HasPrefix(source, m.api+"/repos/octo/tool/forks?") && !strings.Contains(source, "/repositories/1/forks?") {
			t.Errorf("row %d comes from %q", i+1, source)
		}
	}
	m.press("Download JSON")
	var object struct {
		Query    prospect.Query
		Users    []prospect.Record
		Counts   prospect.Counts
		Complete bool
	}
	if err := json.Unmarshal(m.saved("-"+today()+".json"), &object); err != nil {
		t.Fatal(err)
	}
	if len(object.Users) != len(want) || !object.Complete || object.Counts.Check() != nil || object.Counts.Kept != report.Counts.Kept {
		t.Errorf("the JSON has %d users, complete %v, counts %+v", len(object.Users), object.Complete, object.Counts)
	}
	if object.Query.Purpose != query.Purpose || object.Query.LawfulBasis != "consent" || !slices.Equal(object.Query.Countries, query.Countries) {
		t.Errorf("the JSON says %q, %q, %v", object.Query.Purpose, object.Query.LawfulBasis, object.Query.Countries)
	}
	m.press("Download CSV for HubSpot")
	if text := string(m.saved("-hubspot.csv")); !strings.HasPrefix(text, "First Name,Last Name,Email,") || !strings.Contains(text, query.Purpose) {
		t.Errorf("the HubSpot file begins %.200q", text)
	}
	m.press("Download CSV for Salesforce")
	if text := string(m.saved("-salesforce.csv")); !strings.HasPrefix(text, "First Name,Last Name,Company,") {
		t.Errorf("the Salesforce file begins %.200q", text)
	}
	m.press("Download about this list")
	if text := string(m.saved(".about.json")); !strings.Contains(text, query.Purpose) || strings.Contains(text, want[0].Login) {
		t.Errorf("the file about the list says %.300q", text)
	}

	// Whoever objected goes before the next export.
	m.fill("suppress-now", want[0].Login+"\n"+want[1].Email+"\nsomebody-else\n")
	m.press("Take them out")
	m.status("2 people were taken out")
	os.Remove(filepath.Join(m.dir, filepath.Base(firstOf(t, m.dir, "-"+today()+".csv"))))
	m.press("Download CSV")
	text := string(m.saved("-" + today() + ".csv"))
	if strings.Contains(text, want[0].Login+",") || strings.Contains(text, want[1].Email) || !strings.Contains(text, want[2].Login) {
		t.Error("the suppressed are in the file, or others are not")
	}
	if said := m.text(".Remark"); !strings.Contains(said, "2 suppressed") || !strings.Contains(said, fmt.Sprintf("%d kept", len(want)-2)) {
		t.Errorf("the page accounts for them so: %q", said)
	}
}

func today() string { return time.Now().Format(time.DateOnly) }

func firstOf(t *testing.T, dir, suffix string) string {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(dir, "*"+suffix))
	if len(names) == 0 {
		t.Fatalf("no file in %s ends with %s", dir, suffix)
	}
	return names[0]
}

// A run is paused, goes on, is stopped, saved, and goes on in another browser
// without asking for anybody twice. The command reads the same file.
func TestPauseStopAndResume(t *testing.T) {
	m := atHost(t, &codehosttest.Host{People: codehosttest.Crowd(250), Latency: 100 * time.Millisecond})
	m.plan()
	m.start()
	m.until("some are found", `document.querySelectorAll(".Person-row").length > 5`)
	m.press("Pause")
	m.status("Paused.")
	// What was under way arrives; then nothing moves.
	time.Sleep(500 * time.Millisecond)
	before := m.host.Count().Requests
	time.Sleep(time.Second)
	if after := m.host.Count().Requests; after != before || before > 200 {
		t.Errorf("paused at %d requests, then there were %d", before, after)
	}
	m.press("Go on")
	m.until("more are found", fmt.Sprintf(`Number(document.querySelector(".Number dd").textContent) > %d`, before))
	m.press("Stop and keep")
	m.status("Stopped.")
	asked := m.host.Count()
	if asked.Profiles >= 250 {
		t.Fatal("the run was over before it was stopped: the story needs a slower host")
	}
	m.press("Save the run")
	saved := m.saved(".run.json")
	if bytes.Contains(saved, []byte(codehosttest.Token)) {
		t.Error("the token is in the saved run")
	}
	state, err := prospect.ReadState(bytes.NewReader(saved))
	if err != nil {
		t.Fatal(err)
	}
	if state.Query.Purpose == "" || len(state.Query.Countries) != 2 {
		t.Errorf("the saved run forgot what it is for: %+v", state.Query)
	}
	file := filepath.Join(t.TempDir(), "kept.run.json")
	if err := os.WriteFile(file, saved, 0o600); err != nil {
		t.Fatal(err)
	}

	n := m.comeIn(t)
	n.give("saved", file)
	n.until("the saved run is offered", `document.querySelector(".Banner p")?.textContent.startsWith("Going on with a run saved on")`)
	n.fill("token", codehosttest.Token)
	n.press("Plan it")
	n.until("the plan shows", `document.querySelector(".Gauge")`)
	n.press("Go on to the purpose")
	n.until("the terms show", `document.getElementById("terms-form")`)
	if got := eval[string](n.tab, `document.getElementById("purpose").value`); !strings.HasPrefix(got, "Invite the people") {
		t.Errorf("the purpose is %q", got)
	}
	n.tick("pledge")
	n.press("Start the run")
	n.status("Finished.")
	if counts := n.counts(); counts["kept"] != "250" {
		t.Errorf("in the end there are %v", counts)
	}
	for path, times := range n.host.Count().ByPath {
		if strings.HasPrefix(path, "/users/") && times > 1 {
			t.Errorf("%s was asked %d times", path, times)
		}
	}
}

// A pause that the host asks for is counted down, and nothing is asked
// meanwhile; a quota that is used up stops the run, which says when it can go
// on.
func TestLimits(t *testing.T) {
	t.Run("pause", func(t *testing.T) {
		m := atHost(t, &codehosttest.Host{People: codehosttest.Crowd(60), Latency: 20 * time.Millisecond, Grace: 50 * time.Millisecond,
			Faults: []*codehosttest.Fault{{Path: "/users/", From: 20, Times: 1, Kind: codehosttest.Secondary, Wait: 4 * time.Second}}})
		m.tolerates("403")
		m.plan()
		m.start()
		m.until("the clock shows", `/^0:0[1-4]$/.test(document.querySelector(".Limit-clock")?.textContent)`)
		m.until("it counts down", `/^0:0[12]$/.test(document.querySelector(".Limit-clock")?.textContent)`)
		m.status("Finished.")
		if counts := m.counts(); counts["kept"] != "60" || counts["failed"] != "0" {
			t.Errorf("in the end there are %v", counts)
		}
		if got := m.host.Count().InPenalty; got > 0 {
			t.Errorf("%d requests during the pause", got)
		}
	})
	t.Run("quota", func(t *testing.T) {
		m := atHost(t, &codehosttest.Host{People: codehosttest.Crowd(90), Quota: 40})
		m.tolerates("403")
		m.plan()
		m.until("the plan warns", `document.querySelector(".Prospects-middle").textContent.includes("does not fit into what is left")`)
		m.start()
		m.status("The run is incomplete.")
		m.until("the clock shows", `/^\d+:\d\d$/.test(document.querySelector(".Limit-clock")?.textContent)`)
		spent := m.host.Count().Requests
		first := m.text(".Limit-clock")
		m.until("the clock goes on", fmt.Sprintf(`document.querySelector(".Limit-clock").textContent !== %q`, first))
		counts := m.counts()
		if counts["kept"] == "0" || m.host.Count().Requests != spent {
			t.Errorf("%v, and %d requests after the end of the quota", counts, m.host.Count().Requests-spent)
		}
		m.press("Export")
		m.until("the export shows", `document.querySelector(".Ways-out")`)
		if said := m.text(".Remark"); !strings.Contains(said, "Not reached:") {
			t.Errorf("the page accounts for the run so: %q", said)
		}
	})
}

// The restriction of July 2026 is told from everything else, and what is
// still open is one click away.
func TestRestrictedList(t *testing.T) {
	m := atHost(t, &codehosttest.Host{People: codehosttest.Crowd(30), Restriction: codehosttest.RestrictedNotFound})
	m.tolerates("404")
	m.fill("repo", "octo/tool")
	m.fill("token", codehosttest.Token)
	m.tick("source-stargazers")
	m.until("stars have times", `document.getElementById("since")`)
	m.press("Plan it")
	m.until("the page says why", `document.getElementById("problem").textContent.includes("since July 2026")`)
	m.press("Plan the forks instead")
	m.until("the plan shows", `document.querySelector(".Gauge")`)
	if title := m.text("#title"); title != "Forks of octo/tool" {
		t.Errorf("the page is about %q", title)
	}
}

// What cannot be understood is said beside the field, and nothing is asked of
// the host.
func TestMistypedSource(t *testing.T) {
	m := atHost(t, &codehosttest.Host{People: codehosttest.Crowd(5)})
	m.press("Plan it")
	m.until("the repository is missing", `document.getElementById("repo-wrong")`)
	m.fill("repo", "octo")
	m.fill("target", "-3")
	m.fill("limit", "abc")
	m.run(`document.querySelector(".More-fields").open = true`)
	m.fill("suppress", "ok-login\nnot a login\n")
	m.press("Plan it")
	m.until("all four are marked", `["repo", "target", "limit", "suppress"].every(n => document.getElementById(n + "-wrong"))`)
	if at := eval[string](m.tab, "document.activeElement.id"); at != "repo" {
		t.Errorf("the focus is at %q", at)
	}
	m.fill("repo", "octo/tool")
	m.fill("target", "1,000")
	m.fill("limit", "")
	m.fill("suppress", "ok-login")
	m.tick("with-email")
	m.press("Plan it")
	m.until("addresses need a token", `document.getElementById("token-wrong")`)
	if got := m.host.Count().Requests; got != 0 {
		t.Errorf("%d requests were sent", got)
	}
	m.tolerates("401")
	m.fill("token", "ghp_wrong")
	m.press("Check the token")
	m.until("the token is refused", `document.getElementById("token-wrong")?.textContent.includes("wrong, expired or revoked")`)
}

// What was typed stays where it was typed, and what is left is left.
func TestFormsKeepTheirOwn(t *testing.T) {
	m := atHost(t, &codehosttest.Host{People: codehosttest.Crowd(30)})
	value := func(id string) string {
		return eval[string](m.tab, fmt.Sprintf(`(f => f.type === "checkbox" || f.type === "radio" ? String(f.checked) : f.value)(document.getElementById(%q))`, id))
	}
	says := func(when string, want map[string]string) {
		t.Helper()
		for id, w := range want {
			if got := value(id); got != w {
				t.Errorf("%s: %s says %q, want %q", when, id, got, w)
			}
		}
	}
	m.run(`document.querySelectorAll("details").forEach(d => d.open = true)`)
	m.fill("target", "50")
	m.fill("limit", "500")
	m.fill("suppress", "who-objected")
	m.tick("source-stargazers")
	m.until("stars have times", `document.getElementById("since").checkVisibility()`)
	says("after choosing stars", map[string]string{"target": "50", "limit": "500", "suppress": "who-objected"})
	m.fill("since", "2026-05-31")
	m.tick("source-forks")
	m.until("forks have none", `!document.getElementById("since").checkVisibility()`)
	says("after choosing forks", map[string]string{"target": "50", "limit": "500", "suppress": "who-objected"})

	m.plan()
	m.press("Go on to the purpose")
	m.until("the terms show", `document.getElementById("terms-form")`)
	m.tick("country-uk", "country-us", "use-research", "pledge")
	m.fill("elsewhere", "Japan")
	m.fill("purpose", "Count who builds on it.")
	m.press("Back to the plan")
	m.press("Go on to the purpose")
	m.until("the terms show", `document.getElementById("terms-form")`)
	says("back at the terms", map[string]string{"country-uk": "true", "country-eu": "false", "use-research": "true", "elsewhere": "Japan", "purpose": "Count who builds on it."})
	m.press("Source")
	m.until("the source shows", `document.getElementById("source-form")`)
	says("back at the source", map[string]string{"repo": "octo/tool", "with-email": "false", "with-company": "false", "enrich": "true", "target": "50",
		"suppress": "who-objected", "token": "", "source-forks": "true"})

	b := m.comeIn(t)
	b.press("Try it on invented people")
	b.until("the plan shows", `document.querySelector(".Gauge")`)
	b.press("Source")
	b.press("Leave the sample")
	b.until("the page is as new", `document.getElementById("token")`)
	m = b
	says("after the sample", map[string]string{"repo": "", "with-company": "false", "enrich": "true"})
}

// Who presses the button before any script runs has sent nothing anywhere.
func TestNoScriptYetNoAddress(t *testing.T) {
	s := theSite(t)
	b := open(t)
	tell(b, network.Enable, network.EnableParams{})
	block := []*network.BlockPattern{{URLPattern: "*://*:*/page.*.js", Block: true}}
	tell(b, network.SetBlockedURLs, network.SetBlockedURLsParams{URLPatterns: block})
	b.tolerates("ERR_BLOCKED_BY_CLIENT")
	b.visit(s.address + "prospects/")
	b.run(`document.getElementById("repo").value = "octo/tool"; document.getElementById("token").value = "ghp_SECRET"`)
	b.click("#source-form button[type=submit]")
	time.Sleep(300 * time.Millisecond)
	if at := b.address(); at != s.address+"prospects/" {
		t.Errorf("the address is %s", at)
	}
}

// A plan that is given up does not come back, nor what was asked with a token
// that is forgotten.
func TestGivenUpIsGivenUp(t *testing.T) {
	m := atHost(t, &codehosttest.Host{People: codehosttest.Crowd(30), Latency: 700 * time.Millisecond})
	m.fill("repo", "octo/tool")
	m.press("Plan it")
	m.status("Asking what this will cost.")
	m.fill("repo", "nonsense")
	m.press("Plan it")
	m.until("the field is wrong", `document.getElementById("repo-wrong")`)
	m.fill("token", codehosttest.Token)
	m.press("Check the token")
	m.status("Asking whose the token is.")
	m.press("Forget it")
	time.Sleep(2500 * time.Millisecond)
	if m.text("#title") != "Prospects" || m.text(".Token-owner") != "" {
		t.Errorf("the page is at %q and says %q of the token", m.text("#title"), m.text(".Token-owner"))
	}
}

// Another run may be started while a file is written, and a file chosen before
// the program runs is opened by it.
func TestHaste(t *testing.T) {
	m := atHost(t, &codehosttest.Host{})
	file := hugeRun(t, m.api, 10_000)
	m.give("saved", file)
	m.status("Finished.")
	m.press("Export")
	m.press("Download JSON")
	m.press("Another run")
	m.until("the page is as new", `document.getElementById("token")`)
	m.give("saved", hugeRun(t, m.api, 40))
	m.status("Finished. 40 people kept")

	b := open(t)
	tell(b, network.Enable, network.EnableParams{})
	tell(b, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{{Latency: 150, DownloadThroughput: 600 << 10, UploadThroughput: 200 << 10}},
	})
	b.visit(m.site.address + "prospects/")
	early := &marketer{tab: b, host: m.host, api: m.api, site: m.site}
	early.give("saved", hugeRun(t, m.api, 60))
	if eval[bool](b, taken) {
		t.Fatal("the program was there before the visitor: the story needs a slower line")
	}
	early.status("Finished. 60 people kept")
}

// A token that ends in the middle of a run is replaced, and the run goes on.
func TestAnotherToken(t *testing.T) {
	host := &codehosttest.Host{People: codehosttest.Crowd(80), Latency: 40 * time.Millisecond,
		Faults: []*codehosttest.Fault{{Path: "/users/", From: 40, Times: 5, Kind: codehosttest.Answer, Status: 401}}}
	m := atHost(t, host)
	m.tolerates("401")
	m.run(`document.querySelectorAll("details").forEach(d => d.open = true)`)
	m.fill("suppress", "person-00070")
	m.plan()
	m.start()
	m.press("Go on with a token")
	m.until("the run is carried on", `document.querySelector(".Banner p")?.textContent.includes("is not asked for again")`)
	m.fill("token", codehosttest.Token)
	m.press("Plan it")
	m.press("Go on to the purpose")
	m.until("the terms show", `document.getElementById("terms-form")`)
	m.tick("pledge")
	m.press("Start the run")
	m.status("Finished.")
	if counts := m.counts(); counts["kept"] != "79" || counts["suppressed"] != "1" {
		t.Errorf("in the end there are %v", counts)
	}
}

// Leaving with results that are in no file asks first; after a download it
// does not.
func TestLeavingAsksFirst(t *testing.T) {
	m := atHost(t, &codehosttest.Host{People: codehosttest.Crowd(12)})
	tell(m.tab, page.Enable, page.EnableParams{})
	var mu sync.Mutex
	asked := 0
	listen(m.tab, func(e *page.EventJavascriptDialogOpening) {
		mu.Lock()
		asked++
		mu.Unlock()
		go chromedp.Call(m.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: false})
	})
	times := func() int {
		mu.Lock()
		defer mu.Unlock()
		return asked
	}
	m.plan()
	m.start()
	m.status("Finished.")
	for _, selector := range []string{`.Header-nav a[href="/upgrade/"]`, `.Header-name`} {
		before := times()
		m.click(selector) // a person's click: browsers ask nobody who did nothing
		for deadline := time.Now().Add(patience); times() == before; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("leaving by %s did not ask", selector)
			}
		}
	}
	if !strings.HasSuffix(m.address(), "/prospects/") || m.counts()["kept"] != "12" {
		t.Fatal("staying lost the results")
	}
	m.press("Export")
	m.press("Download CSV")
	m.saved(".csv")
	m.status("prospects-")
	before := times()
	m.click(`.Header-nav a[href="/upgrade/"]`)
	m.until("the checker shows", `document.getElementById("listing")`)
	if times() != before {
		t.Error("it asked although everything was in a file")
	}
}

// The token is in no storage, address, log, message or file.
func TestTokenStaysSecret(t *testing.T) {
	host := &codehosttest.Host{People: codehosttest.Crowd(40),
		Faults: []*codehosttest.Fault{{Path: "/users/", From: 12, Times: 8, Kind: codehosttest.Answer, Status: 500}}}
	server := httptest.NewServer(host)
	defer server.Close()
	site := serveWith(t, os.DirFS(".."), "/", server.URL)
	defer site.stop()
	m := &marketer{tab: open(t), host: host, api: server.URL, site: site, dir: t.TempDir()}
	m.tolerates("500")
	var mu sync.Mutex
	var said, sent []string
	listen(m.tab, func(e *runtime.EventConsoleAPICalled) {
		mu.Lock()
		defer mu.Unlock()
		for _, a := range e.Args {
			said = append(said, string(a.Value), a.Description)
		}
	})
	listen(m.tab, func(e *network.EventRequestWillBeSent) {
		mu.Lock()
		defer mu.Unlock()
		where := e.Request.URL + " " + e.DocumentURL
		if !strings.HasPrefix(e.Request.URL, server.URL) {
			where += fmt.Sprint(e.Request.Headers)
		}
		sent = append(sent, where)
	})
	tell(m.tab, network.Enable, network.EnableParams{})
	tell(m.tab, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllow, DownloadPath: m.dir, BrowserContextID: chromedp.FromContext(m.ctx).BrowserContextID,
	})
	m.visit(site.address + "prospects/")
	m.takenOver()
	m.plan("with-email")
	m.start()
	m.status("Finished.")
	m.press("Export")
	for _, name := range []string{"Download CSV", "Download JSON", "Download about this list", "Save the run"} {
		m.press(name)
	}
	for _, suffix := range []string{"-" + today() + ".csv", "-" + today() + ".json", ".about.json", ".run.json"} {
		if bytes.Contains(m.saved(suffix), []byte(codehosttest.Token)) {
			t.Errorf("the token is in the file %s", suffix)
		}
	}
	kept := eval[string](m.tab, `(async () => {
		const all = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie, location.href, JSON.stringify(history.state),
			document.documentElement.outerHTML, [...document.querySelectorAll("input, textarea")].map(f => f.value).join(" "),
			performance.getEntries().map(e => e.name).join(" ")];
		for (const d of await indexedDB.databases()) all.push(d.name);
		for (const name of await caches.keys()) for (const request of await (await caches.open(name)).keys()) all.push(request.url, JSON.stringify([...request.headers]));
		return all.join("\n");
	})()`)
	mu.Lock()
	defer mu.Unlock()
	for what, text := range map[string]string{"page or its storage": kept, "console": strings.Join(said, "\n"), "requests beside the header": strings.Join(sent, "\n")} {
		if strings.Contains(text, codehosttest.Token) {
			t.Errorf("the token is in the %s", what)
		}
	}
	if strings.Contains(kept, "person-00004@") || strings.Contains(eval[string](m.tab, `JSON.stringify(localStorage) + JSON.stringify(sessionStorage)`), "person-") {
		t.Error("somebody who was found is in the browser's storage")
	}
	if len(sent) == 0 || m.host.Count().Leaks > 0 {
		t.Errorf("%d requests seen, %d leaks", len(sent), m.host.Count().Leaks)
	}
}

// The sample shows the whole page without a token and without a request.
func TestSample(t *testing.T) {
	b := open(t)
	var mu sync.Mutex
	var foreign []string
	listen(b, func(e *network.EventRequestWillBeSent) {
		mu.Lock()
		defer mu.Unlock()
		if !strings.HasPrefix(e.Request.URL, theSite(t).address) && !strings.HasPrefix(e.Request.URL, "blob:") {
			foreign = append(foreign, e.Request.URL)
		}
	})
	tell(b, network.Enable, network.EnableParams{})
	m := &marketer{tab: b, dir: t.TempDir()}
	tell(b, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllow, DownloadPath: m.dir, BrowserContextID: chromedp.FromContext(b.ctx).BrowserContextID,
	})
	b.visit(theSite(t).address + "prospects/")
	b.click("#try") // at once: the program may not be there yet
	m.press("Go on to the purpose")
	m.press("Start the run")
	for _, step := range []string{"Export", "Download JSON"} {
		if lead := b.text(".Lead"); !strings.HasPrefix(lead, "Sample run on invented people.") {
			t.Errorf("before %s the page says %q", step, lead)
		}
		m.press(step)
	}
	var object struct {
		Users  []prospect.Record
		Counts prospect.Counts
	}
	if err := json.Unmarshal(m.saved(".json"), &object); err != nil {
		t.Fatal(err)
	}
	if len(object.Users) < 100 || object.Counts.Failed == 0 || object.Counts.Filtered == 0 || object.Counts.Duplicates == 0 {
		t.Errorf("the sample shows %d people, %+v", len(object.Users), object.Counts)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(foreign) > 0 {
		t.Errorf("the sample asked %v", foreign)
	}
	m.press("Another run")
	b.until("the page is as new", `document.getElementById("title").textContent === "Prospects" && document.getElementById("token")`)
}

// sampleSteps goes through the sample and calls look at every step.
func sampleSteps(b *tab, s *served, look func(step string)) {
	b.t.Helper()
	m := &marketer{tab: b}
	b.visit(s.address + "prospects/")
	b.takenOver()
	m.press("Plan it")
	b.until("the repository is missing", `document.getElementById("repo-wrong")`)
	b.run(`document.querySelectorAll("details").forEach(d => d.open = true)`)
	look("a field is wrong")
	m.press("Try it on invented people")
	b.until("the plan shows", `document.querySelector(".Gauge")`)
	look("the plan")
	m.press("Go on to the purpose")
	b.until("the terms show", `document.getElementById("terms-form")`)
	look("the terms")
	m.press("Start the run")
	b.until("some are found", `document.querySelectorAll(".Person-row").length > 8`)
	m.press("Pause")
	m.status("Paused.")
	look("the run")
	m.press("Go on")
	m.status("Finished.")
	b.run(`document.querySelectorAll("details").forEach(d => d.open = true); document.querySelector(".Person-name").click()`)
	b.until("one shows in full", `document.querySelector(".Person .Facts")`)
	look("somebody in full")
	m.press("Export")
	b.until("the export shows", `document.querySelector(".Ways-out")`)
	look("the export")
}

// hugeRun is a finished run with n people kept, saved to a file.
func hugeRun(t testing.TB, api string, n int) string {
	t.Helper()
	s := prospect.State{Format: "prospects-run", Version: 1, SavedAt: time.Now(), Base: api, Pages: (n + 99) / 100, LastPage: (n + 99) / 100,
		Query: prospect.Query{Source: codehost.Forks, Repo: codehost.Repo{Owner: "octo", Name: "tool"}, Enrich: true, Purpose: "Research: to count them all."}}
	for i := range n {
		followers, repos := (i*7919)%100_003, i%97
		login, listing := fmt.Sprintf("person-%05d", i), fmt.Sprintf("%s/repos/octo/tool/forks?per_page=100&page=%d", api, i/100+1)
		s.People = append(s.People, prospect.Entry{Login: login, Type: "User", Page: listing, Verdict: prospect.Kept, Record: &prospect.Record{
			Login: login, Name: fmt.Sprintf("%c%d Person", 'A'+rune(i*31%26), i*7919%10_007), Type: "User", Company: fmt.Sprintf("@company-%d", i%613),
			Email: fmt.Sprintf("%s@company-%d.example", login, i%613), Location: fmt.Sprintf("City %d, Country", i%211), Bio: strings.Repeat("word ", 12),
			Followers: &followers, PublicRepos: &repos, HTMLURL: "https://codehost.test/" + login, Source: "forks", SourceRepo: "octo/tool",
			SourceURL: listing, FetchedAt: time.Date(2026, 11, 1, 0, 0, i, 0, time.UTC),
		}})
	}
	var b bytes.Buffer
	if _, err := s.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "huge.run.json")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Ten thousand people are a table of which a few dozen rows are drawn, in
// whatever order, wherever it is scrolled to.
func TestTenThousandPeople(t *testing.T) {
	m := atHost(t, &codehosttest.Host{})
	m.give("saved", hugeRun(t, m.api, 10_000))
	m.status("Finished. 10,000 people kept of 10,000.")
	if got := m.host.Count().Requests; got != 0 {
		t.Errorf("opening a finished run sent %d requests", got)
	}
	first := func() string { return m.text(".Person-row .Person-name") }
	drawn := func() {
		t.Helper()
		if n := eval[int](m.tab, `document.querySelectorAll(".Person-row").length`); n < 14 || n > 80 {
			t.Errorf("%d rows are drawn", n)
		}
	}
	if first() != "A0 Person" {
		t.Errorf("the first is %q", first())
	}
	drawn()
	m.run(`document.getElementById("people").scrollTop = 1e9`)
	m.until("the last shows", `[...document.querySelectorAll(".Person-row")].at(-1).getAttribute("aria-rowindex") === "10001"`)
	drawn()
	if below := eval[float64](m.tab, `(v => v.scrollHeight - v.scrollTop - v.clientHeight)(document.getElementById("people"))`); below > 2 {
		t.Errorf("%v pixels below the last row", below)
	}
	m.run(`document.getElementById("people").scrollTop = 185000`)
	m.until("the middle shows", `(v => [...document.querySelectorAll(".Person-row")].some(r => Math.abs(r.getBoundingClientRect().top - v.getBoundingClientRect().top) < 80))(document.getElementById("people"))`)
	drawn()
	// Near the beginning, where the first row is drawn and no longer drawn.
	for _, top := range []int{0, 120, 300, 500, 900, 300, 40, 0} {
		m.run(fmt.Sprintf(`document.getElementById("people").scrollTop = %d`, top))
		m.until("those in view are drawn", `(v => { const r = [...document.querySelectorAll(".Person-row")].map(r => r.getBoundingClientRect()); const b = v.getBoundingClientRect();
			return r[0].top <= b.top + 60 && r.at(-1).bottom >= b.bottom - 2 && r.every(x => x.height < 60) && v.scrollHeight < 10000 * 40 })(document.getElementById("people"))`)
	}
	// By keyboard from person to person, none left out.
	m.run(`document.querySelector(".Person-name").focus()`)
	for i := range 60 {
		if at := eval[string](m.tab, "document.activeElement.id"); at != fmt.Sprintf("person-%d", i) {
			t.Fatalf("after %d steps the focus is on %q", i, at)
		}
		m.do(chromedp.KeyEvent("\t"))
		// As fast as a key repeats.
		eval[bool](m.tab, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 16, true))))`)
	}
	m.run(`document.getElementById("people").scrollTop = 0`)
	m.press("Followers")
	m.until("the most followed is first", `document.querySelector(".Person-row .Cell--number").textContent === "100,001"`)
	m.run(`document.querySelector(".Cell--number .Sort").click()`)
	m.until("the least followed is first", `document.querySelector(".Person-row .Cell--number").textContent === "0"`)
	m.fill("people-search", "company-612 country")
	m.until("those of a company show", `document.querySelector(".People-count").textContent === "16 of 10,000 people"`)
	m.run(`document.querySelector(".Person-row .Person-name").click()`)
	m.until("one shows in full", `document.querySelector(".Person .Facts")?.textContent.includes("@company-612")`)
	if text := m.text(".Person"); !strings.Contains(text, m.api+"/repos/octo/tool/forks?per_page=100&page=") {
		t.Errorf("without its lineage: %q", text)
	}
	m.fill("people-search", "nobody at all")
	m.until("nobody shows", `document.querySelector(".People-count").textContent === "0 of 10,000 people" && !document.querySelector(".Person-row")`)
}

// Profiles that attack whoever shows them are text on the page.
func TestHostileProfiles(t *testing.T) {
	m := atHost(t, &codehosttest.Host{People: codehosttest.Hostile()})
	m.tolerates("404")
	m.plan()
	m.start()
	m.status("Finished.")
	names := eval[[]string](m.tab, `[...document.querySelectorAll(".Person-name")].map(n => n.textContent)`)
	if !slices.Contains(names, "<script>alert(1)</script>") || !slices.Contains(names, "=cmd|' /C calc'!A0") {
		t.Errorf("shown are %q", names)
	}
	for i := range names {
		m.run(fmt.Sprintf(`document.querySelectorAll(".Person-name")[%d].click()`, i))
		m.until("one shows in full", fmt.Sprintf(`document.getElementById("person")?.textContent === document.querySelectorAll(".Person-name")[%d].textContent || %d === 7 || %d === 8`, i, i, i))
	}
	if n := eval[int](m.tab, `document.querySelectorAll(".People script, .People img, .People a[href^='javascript']").length`); n > 0 {
		t.Errorf("%d elements came out of profiles", n)
	}
	if wide := eval[float64](m.tab, "document.scrollingElement.scrollWidth"); wide > 1280 {
		t.Errorf("a profile makes the page %v pixels wide", wide)
	}
}

// A host that cannot be reached is told from one that refuses; the page stays
// usable.
func TestNoConnection(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	address := gone.URL
	gone.Close()
	site := serveWith(t, os.DirFS(".."), "/", address)
	defer site.stop()
	m := &marketer{tab: open(t), site: site}
	m.tolerates("ERR_CONNECTION_REFUSED")
	m.visit(site.address + "prospects/")
	m.takenOver()
	m.fill("repo", "octo/tool")
	m.press("Plan it")
	m.until("the page says what is wrong", `document.getElementById("problem").textContent.includes("no connection")`)
	if said := m.text("#problem"); !strings.Contains(said, strings.TrimPrefix(address, "http://")) {
		t.Errorf("it does not say with whom: %q", said)
	}
}

// When the connection goes in the middle of a run, what was found stays, and
// the run goes on once it is back.
func TestConnectionLost(t *testing.T) {
	host := &codehosttest.Host{People: codehosttest.Crowd(120), Latency: 60 * time.Millisecond}
	server := httptest.NewServer(host)
	defer server.Close()
	site := serveWith(t, os.DirFS(".."), "/", server.URL)
	defer site.stop()
	m := (&marketer{host: host, api: server.URL, site: site}).comeIn(t)
	m.tolerates("ERR_INTERNET_DISCONNECTED")
	m.plan()
	m.start()
	m.until("some are found", `document.querySelectorAll(".Person-row").length > 5`)
	tell(m.tab, network.Enable, network.EnableParams{})
	tell(m.tab, network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: true})
	tell(m.tab, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{{Offline: true}},
	})
	m.status("The run is incomplete.")
	m.until("the page says why", `document.querySelector(".Run-end + .Problem").textContent.includes("no connection")`)
	if counts := m.counts(); counts["kept"] == "0" {
		t.Errorf("what was found is gone: %v", counts)
	}
	tell(m.tab, network.OverrideNetworkState, network.OverrideNetworkStateParams{})
	tell(m.tab, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{}})
	m.press("Go on")
	m.status("Finished.")
	if counts := m.counts(); counts["kept"] != "120" || counts["failed"] != "0" {
		t.Errorf("in the end there are %v", counts)
	}
}

// A file that is no saved run is refused, and the page stays as it was.
func TestWrongFile(t *testing.T) {
	m := atHost(t, &codehosttest.Host{})
	for name, text := range map[string]string{"notes.json": `{"format": "something"}`, "list.csv": "login,name\n"} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		m.give("saved", file)
		m.until("it is refused", `document.getElementById("problem").textContent.startsWith("Nothing was opened.")`)
		m.fill("repo", "")
	}
	m.give("saved", hugeRun(t, "https://code.example.com/api/v3", 3))
	m.until("another host’s run is refused", `document.getElementById("problem").textContent.includes("https://code.example.com/api/v3")`)
}

// The page asks nobody but the site and the code host: its policy says so, and
// the browser keeps it.
func TestPolicyNamesTheHost(t *testing.T) {
	m := atHost(t, &codehosttest.Host{People: codehosttest.Crowd(3)})
	policy := eval[string](m.tab, `document.querySelector("meta[http-equiv]").content`)
	if !strings.Contains(policy, "connect-src 'self' "+m.api+";") {
		t.Errorf("the policy is %q", policy)
	}
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	m.tolerates("Content Security Policy")
	m.tolerates("violates")
	if got := eval[string](m.tab, fmt.Sprintf(`fetch(%q).then(() => "answered", () => "refused")`, other.URL)); got != "refused" {
		t.Errorf("another host %s", got)
	}
}

// BenchmarkTenThousandPeople measures the longest task, in milliseconds, while
// a table of ten thousand people is scrolled from end to end, sorted by every
// column in both directions, and searched.
func BenchmarkTenThousandPeople(b *testing.B) {
	m := atHost(b, &codehosttest.Host{})
	m.give("saved", hugeRun(b, m.api, 10_000))
	m.status("Finished.")
	m.run(`window.longest = 0;
		new PerformanceObserver(l => { for (const e of l.getEntries()) window.longest = Math.max(window.longest, e.duration) }).observe({type: "longtask"});
		window.frames2 = () => new Promise(done => requestAnimationFrame(() => setTimeout(done, 60)))`)
	b.Run("scroll", func(b *testing.B) {
		worst := 0.0
		for b.Loop() {
			worst = max(worst, m.longest(`const v = document.getElementById("people"); for (let y = 0; y < v.scrollHeight; y += v.scrollHeight / 200) { v.scrollTop = y; await frames2() }`))
		}
		b.ReportMetric(worst, "longest-ms")
	})
	b.Run("sort", func(b *testing.B) {
		worst := 0.0
		for b.Loop() {
			worst = max(worst, m.longest(`for (let i = 0; i < 12; i++) { document.querySelectorAll(".Sort")[i >> 1].click(); await frames2() }`))
		}
		b.ReportMetric(worst, "longest-ms")
	})
	b.Run("search", func(b *testing.B) {
		worst := 0.0
		for b.Loop() {
			worst = max(worst, m.longest(`const f = document.getElementById("people-search"); for (const q of ["p", "pe", "per", "pers 5", "pers 51", ""]) { f.value = q; f.dispatchEvent(new Event("input", {bubbles: true})); await frames2() }`))
		}
		b.ReportMetric(worst, "longest-ms")
	})
}

// longest runs a script and returns the longest task meanwhile, in
// milliseconds; 0 when none took as long as 50, which browsers do not tell.
func (m *marketer) longest(script string) float64 {
	m.t.Helper()
	m.run("window.longest = 0")
	eval[bool](m.tab, "(async () => {"+script+"; return true})()")
	time.Sleep(200 * time.Millisecond)
	return eval[float64](m.tab, "window.longest")
}
