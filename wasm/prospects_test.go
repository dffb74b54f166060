//go:build !js

package main_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
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
	"github.com/chromedp/chromedp"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/export"
	"marketingskills/app/prospect/fakehost"
	"marketingskills/app/rest"
	"marketingskills/app/site"
	"marketingskills/app/text"
)

// marketer is somebody at the extraction page, beside a code host.
type marketer struct {
	*tab
	host *fakehost.Host
	api  string
	site *served
	dir  string // downloads
}

// atHost opens the page of a site generated for a code host.
func atHost(t testing.TB, host *fakehost.Host) *marketer {
	t.Helper()
	server := httptest.NewServer(host)
	t.Cleanup(server.Close)
	site := serveWith(t, os.DirFS(".."), site.Config{BasePath: "/", GitHubAPIURL: server.URL})
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

// fill puts a text into a field, once it is there.
func (m *marketer) fill(id, value string) {
	m.t.Helper()
	m.until("the field "+id, fmt.Sprintf(`document.getElementById(%q)`, id))
	m.run(fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event("input", {bubbles: true})); e.dispatchEvent(new Event("change", {bubbles: true})) })(document.getElementById(%q))`, value, id))
}

// tick clicks boxes and choices that are not ticked, once they are there.
func (m *marketer) tick(ids ...string) {
	m.t.Helper()
	for _, id := range ids {
		m.until("the choice "+id, fmt.Sprintf(`document.getElementById(%q)`, id))
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
	m.fill("token", fakehost.Token)
	m.tick(ids...)
	m.press("Create plan")
	m.until("the plan shows", `document.querySelector(".Gauge")`)
}

// start says what the list is for, and starts the run.
func (m *marketer) start() {
	m.t.Helper()
	m.press("Continue")
	m.until("the terms show", `document.getElementById("terms-form")`)
	m.tick("use-community", "country-eu", "country-us", "pledge")
	m.fill("basis", "Consent")
	m.fill("purpose", "Invite the people of our project to its meeting in Lisbon.")
	m.press("Start run")
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
func byTheEngine(t *testing.T, people []fakehost.Account, q prospect.Query) ([]prospect.Record, prospect.Report) {
	t.Helper()
	client, err := codehost.New(codehost.Config{Base: fakehost.Base, Token: rest.NewSecret(fakehost.Token), Doer: &fakehost.Host{People: people}})
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
	people := append(fakehost.Crowd(230), fakehost.Hostile()...)
	m := atHost(t, &fakehost.Host{People: people})
	m.tolerates("404") // somebody listed is gone
	m.fill("token", fakehost.Token)
	m.press("Check token")
	m.until("whose the token is", `document.querySelector(".Token-owner")?.textContent.includes("token-owner")`)
	if owner := m.text(".Token-owner"); !strings.Contains(owner, "API quota: 4,999 of 5,000 requests remaining") {
		t.Errorf("the page says %q", owner)
	}
	if left := eval[string](m.tab, `document.getElementById("token").value`); left != "" {
		t.Error("the token still stands in its field")
	}
	m.fill("repo", "https://github.com/octo/tool?tab=readme")
	m.tick("with-email")
	m.press("Create plan")
	m.until("the plan shows", `document.querySelector(".Gauge")`)
	facts := eval[map[string]string](m.tab, `Object.fromEntries([...document.querySelectorAll(".Facts-row")].map(r => [r.querySelector("dt").textContent, r.querySelector("dd").textContent]))`)
	if facts["People to check"] != "at most 300" || facts["Requests needed"] != "at most 302 (2 more list pages, 300 profiles)" {
		t.Errorf("the plan says %v", facts)
	}
	planned := m.host.Count()
	if planned.Listing != 1 || planned.Profiles != 0 {
		t.Errorf("the plan cost %d pages and %d profiles", planned.Listing, planned.Profiles)
	}

	// Nothing starts before everything is said.
	m.press("Continue")
	m.press("Start run")
	m.until("the page says what is missing", `document.querySelectorAll(".Field-wrong").length === 4`)
	m.tick("use-accounts", "country-uk", "pledge")
	m.fill("purpose", "See which companies build on it.")
	m.press("Start run")
	m.until("the basis is missing", `document.querySelectorAll(".Field-wrong").length === 1 && document.getElementById("basis-wrong")`)
	m.fill("basis", "Consent")
	m.fill("elsewhere", "Iceland,  Japan ,")
	if now := m.host.Count(); now.Requests != planned.Requests {
		t.Errorf("%d requests were sent before the terms were accepted", now.Requests-planned.Requests)
	}
	m.press("Start run")
	m.status("Complete.")

	query := prospect.Query{Source: codehost.Forks, Repo: codehost.Repo{Owner: "octo", Name: "tool"}, Enrich: true, WithEmail: true,
		Purpose: "Account-level intent: See which companies build on it.", LawfulBasis: "Consent", Countries: []string{"United Kingdom", "Iceland", "Japan"}}
	want, report := byTheEngine(t, people, query)
	counts := m.counts()
	for name, n := range map[string]int{"Matches": report.Counts.Matches, "Filtered out": report.Counts.Filtered, "Failed": report.Counts.Failed} {
		if counts[name] != fmt.Sprint(n) {
			t.Errorf("%s: the page says %s, the engine %d", name, counts[name], n)
		}
	}
	if got := m.host.Count(); got.InPenalty+got.OverPace+got.Foreign+got.Leaks > 0 {
		t.Errorf("the host saw %+v", got)
	}
	if bars := eval[[]string](m.tab, `[...document.querySelectorAll(".Picture h2")].map(h => h.textContent)`); !slices.Equal(bars, []string{"Company", "Location", "Public email", "Outcome"}) {
		t.Errorf("the pictures are of %v", bars)
	}

	m.press("Export")
	m.press("Download CSV")
	rows, err := csv.NewReader(bytes.NewReader(m.saved("-" + today() + ".csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(want)+1 || !slices.Equal(rows[0], export.Columns) {
		t.Fatalf("the CSV has %d rows under %v; want %d", len(rows)-1, rows[0], len(want))
	}
	for i, r := range want {
		// All but where and when it was read.
		expected := []string{r.Login, text.SafeCell(r.Name), text.SafeCell(r.Company), text.SafeCell(r.Email), text.SafeCell(r.Blog), text.SafeCell(r.Location), text.SafeCell(r.Bio)}
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
	if len(object.Users) != len(want) || !object.Complete || object.Counts.Check() != nil || object.Counts.Matches != report.Counts.Matches {
		t.Errorf("the JSON has %d users, complete %v, counts %+v", len(object.Users), object.Complete, object.Counts)
	}
	if object.Query.Purpose != query.Purpose || object.Query.LawfulBasis != "Consent" || !slices.Equal(object.Query.Countries, query.Countries) {
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
	m.press("Remove these people")
	m.status("2 people removed.")
	os.Remove(filepath.Join(m.dir, filepath.Base(firstOf(t, m.dir, "-"+today()+".csv"))))
	m.press("Download CSV")
	text := string(m.saved("-" + today() + ".csv"))
	if strings.Contains(text, want[0].Login+",") || strings.Contains(text, want[1].Email) || !strings.Contains(text, want[2].Login) {
		t.Error("the suppressed are in the file, or others are not")
	}
	if said := m.text(".Remark"); !strings.Contains(said, "2 suppressed") || !strings.Contains(said, fmt.Sprintf("%d matches", len(want)-2)) {
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
	t.Parallel()
	m := atHost(t, &fakehost.Host{People: fakehost.Crowd(250), Latency: 100 * time.Millisecond})
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
	m.press("Resume")
	m.until("more are found", fmt.Sprintf(`Number(document.querySelector(".Number dd").textContent) > %d`, before))
	m.press("Stop")
	m.status("Stopped.")
	asked := m.host.Count()
	if asked.Profiles >= 250 {
		t.Fatal("the run was over before it was stopped: the story needs a slower host")
	}
	m.press("Save run")
	saved := m.saved(".run.json")
	if bytes.Contains(saved, []byte(fakehost.Token)) {
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
	n.until("the saved run is offered", `document.querySelector(".Banner p")?.textContent.startsWith("Resuming the run saved on")`)
	n.fill("token", fakehost.Token)
	n.press("Create plan")
	n.until("the plan shows", `document.querySelector(".Gauge")`)
	n.press("Continue")
	n.until("the terms show", `document.getElementById("terms-form")`)
	if got := eval[string](n.tab, `document.getElementById("purpose").value`); !strings.HasPrefix(got, "Invite the people") {
		t.Errorf("the purpose is %q", got)
	}
	n.tick("pledge")
	n.press("Start run")
	n.status("Complete.")
	if counts := n.counts(); counts["Matches"] != "250" {
		t.Errorf("in the end there are %v", counts)
	}
	for path, times := range n.host.Count().ByPath {
		if strings.HasPrefix(path, "/users/") && times > 1 {
			t.Errorf("%s was asked %d times", path, times)
		}
	}
}

// The sample shows a finished run without a token and without a request.
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
	m.status("Complete.")
	if narrow := eval[[]float64](b, `[...document.querySelectorAll(".Picture")].map(p => p.offsetWidth).filter(w => w < 150)`); len(narrow) > 0 {
		t.Errorf("charts are %v pixels wide", narrow)
	}
	for _, step := range []string{"Export", "Download JSON"} {
		if lead := b.text(".Lead"); !strings.HasPrefix(lead, "Sample data: these people do not exist.") {
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
	if len(foreign) > 0 {
		t.Errorf("the sample asked %v", foreign)
	}
	mu.Unlock() // a listener that waits for it would keep all other events back
	m.press("New run")
	b.until("the page is as new", `document.getElementById("title").textContent === "Prospects" && document.getElementById("token")`)
}

// extractionSteps goes through an extraction and calls look at every step.
func extractionSteps(m *marketer, look func(step string)) {
	m.t.Helper()
	m.visit(m.site.address + "prospects/")
	m.takenOver()
	m.press("Create plan")
	m.until("the repository is missing", `document.getElementById("repo-wrong")`)
	m.run(`document.querySelectorAll("details").forEach(d => d.open = true)`)
	look("a field is wrong")
	m.plan()
	look("the plan")
	m.press("Continue")
	m.until("the terms show", `document.getElementById("terms-form")`)
	look("the terms")
	m.press("Back")
	m.start()
	m.until("some are found", `document.querySelectorAll(".Person-row").length > 8`)
	m.press("Pause")
	m.status("Paused.")
	look("the run")
	m.press("Resume")
	m.status("Complete.")
	m.run(`document.querySelectorAll("details").forEach(d => d.open = true); document.querySelector(".Person-name").click()`)
	m.until("one shows in full", `document.querySelector(".Person .Facts")`)
	look("somebody in full")
	m.press("Verify emails")
	m.until("the free checks are made", `document.querySelector(".Email")`)
	look("the emails")
	m.run(`[...document.querySelectorAll("button")].find(b => /^Verify \d+ emails$/.test(b.innerText)).click()`)
	m.until("the verification is complete", `document.querySelector(".Run-end")?.textContent.startsWith("Complete.")`)
	look("the choice of emails")
	m.press("Export")
	m.until("the export shows", `document.querySelector(".Ways-out")`)
	look("the export")
}
