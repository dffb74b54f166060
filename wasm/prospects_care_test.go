//go:build !js

package main_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"marketingskills/app/prospect/fakehost"
	"marketingskills/app/site"
)

// What cannot be understood is said beside the field, and nothing is asked of
// the host.
func TestMistypedSource(t *testing.T) {
	m := atHost(t, &fakehost.Host{People: fakehost.Crowd(5)})
	m.press("Create plan")
	m.until("the repository is missing", `document.getElementById("repo-wrong")`)
	m.fill("repo", "octo")
	m.fill("target", "-3")
	m.fill("limit", "abc")
	m.run(`document.querySelector(".More-fields").open = true`)
	m.fill("suppress", "ok-login\nnot a login\n")
	m.press("Create plan")
	m.until("all four are marked", `["repo", "target", "limit", "suppress"].every(n => document.getElementById(n + "-wrong"))`)
	if at := eval[string](m.tab, "document.activeElement.id"); at != "repo" {
		t.Errorf("the focus is at %q", at)
	}
	m.fill("repo", "octo/tool")
	m.fill("target", "1,000")
	m.fill("limit", "")
	m.fill("suppress", "ok-login")
	m.tick("with-email")
	m.press("Create plan")
	m.until("addresses need a token", `document.getElementById("token-wrong")`)
	if got := m.host.Count().Requests; got != 0 {
		t.Errorf("%d requests were sent", got)
	}
	m.tolerates("401")
	m.fill("token", "ghp_wrong")
	m.press("Check token")
	m.until("the token is refused", `document.getElementById("token-wrong")?.textContent.includes("wrong, expired or revoked")`)
}

// What was typed stays where it was typed, and what is left is left.
func TestFormsKeepTheirOwn(t *testing.T) {
	m := atHost(t, &fakehost.Host{People: fakehost.Crowd(30)})
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
	m.press("Continue")
	m.until("the terms show", `document.getElementById("terms-form")`)
	m.tick("country-uk", "country-us", "use-research", "pledge")
	m.fill("elsewhere", "Japan")
	m.fill("purpose", "Count who builds on it.")
	m.press("Back")
	m.press("Continue")
	m.until("the terms show", `document.getElementById("terms-form")`)
	says("back at the terms", map[string]string{"country-uk": "true", "country-eu": "false", "use-research": "true", "elsewhere": "Japan", "purpose": "Count who builds on it."})
	m.press("Source")
	m.until("the source shows", `document.getElementById("source-form")`)
	says("back at the source", map[string]string{"repo": "octo/tool", "with-email": "false", "with-company": "false", "enrich": "true", "target": "50",
		"suppress": "who-objected", "token": "", "source-forks": "true"})

	b := m.comeIn(t)
	b.press("Try with sample data")
	b.status("Complete.")
	b.press("Export")
	b.press("New run")
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
	t.Parallel()
	m := atHost(t, &fakehost.Host{People: fakehost.Crowd(30), Latency: 700 * time.Millisecond})
	m.fill("repo", "octo/tool")
	m.press("Create plan")
	m.status("Creating the plan.")
	m.fill("repo", "nonsense")
	m.press("Create plan")
	m.until("the field is wrong", `document.getElementById("repo-wrong")`)
	m.fill("token", fakehost.Token)
	m.press("Check token")
	m.status("Checking the token.")
	m.press("Remove token")
	time.Sleep(2500 * time.Millisecond)
	if m.text("#title") != "Prospects" || m.text(".Token-owner") != "" {
		t.Errorf("the page is at %q and says %q of the token", m.text("#title"), m.text(".Token-owner"))
	}
}

// Another run may be started while a file is written, and a file chosen before
// the program runs is opened by it.
func TestHaste(t *testing.T) {
	m := atHost(t, &fakehost.Host{})
	file := hugeRun(t, m.api, 10_000)
	m.give("saved", file)
	m.status("Complete.")
	m.press("Export")
	m.press("Download JSON")
	m.press("New run")
	m.until("the page is as new", `document.getElementById("token")`)
	m.give("saved", hugeRun(t, m.api, 40))
	m.status("Complete. 40 matches")

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
	early.status("Complete. 60 matches")
}

// Leaving with results that are in no file asks first; after a download it
// does not.
func TestLeavingAsksFirst(t *testing.T) {
	m := atHost(t, &fakehost.Host{People: fakehost.Crowd(12)})
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
	m.status("Complete.")
	for _, selector := range []string{`.Header-nav a[href="/upgrade/"]`, `.Header-name`} {
		before := times()
		m.click(selector) // a person's click: browsers ask nobody who did nothing
		for deadline := time.Now().Add(patience); times() == before; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("leaving by %s did not ask", selector)
			}
		}
	}
	if !strings.HasSuffix(m.address(), "/prospects/#run") || m.counts()["Matches"] != "12" {
		t.Fatal("staying lost the results")
	}
	m.press("Export")
	m.press("Download CSV")
	m.saved(".csv")
	m.status("Downloaded prospects-")
	before := times()
	m.click(`.Header-nav a[href="/upgrade/"]`)
	m.until("the checker shows", `document.getElementById("listing")`)
	if times() != before {
		t.Error("it asked although everything was in a file")
	}
}

// The token is in no storage, address, log, message or file.
func TestTokenStaysSecret(t *testing.T) {
	host := &fakehost.Host{People: fakehost.Crowd(40),
		Faults: []*fakehost.Fault{{Path: "/users/", From: 12, Times: 8, Kind: fakehost.Answer, Status: 500}}}
	server := httptest.NewServer(host)
	defer server.Close()
	site := serveWith(t, os.DirFS(".."), site.Config{BasePath: "/", GitHubAPIURL: server.URL})
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
	m.status("Complete.")
	m.press("Export")
	for _, name := range []string{"Download CSV", "Download JSON", "Download about this list", "Save run"} {
		m.press(name)
	}
	for _, suffix := range []string{"-" + today() + ".csv", "-" + today() + ".json", ".about.json", ".run.json"} {
		if bytes.Contains(m.saved(suffix), []byte(fakehost.Token)) {
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
		if strings.Contains(text, fakehost.Token) {
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

// A file that is no saved run is refused, and the page stays as it was.
func TestWrongFile(t *testing.T) {
	m := atHost(t, &fakehost.Host{})
	for name, text := range map[string]string{"notes.json": `{"format": "something"}`, "list.csv": "login,name\n"} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		m.give("saved", file)
		m.until("it is refused", `document.getElementById("problem").textContent.startsWith("The file could not be opened")`)
		m.fill("repo", "")
	}
	m.give("saved", hugeRun(t, "https://code.example.com/api/v3", 3))
	m.until("another host’s run is refused", `document.getElementById("problem").textContent.includes("https://code.example.com/api/v3")`)
}

// The page asks nobody but the site and the code host: its policy says so, and
// the browser keeps it.
func TestPolicyNamesTheHost(t *testing.T) {
	m := atHost(t, &fakehost.Host{People: fakehost.Crowd(3)})
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

// Back and Forward move between the steps, and nothing that was typed or found
// is lost by them.
func TestStepsHaveAddresses(t *testing.T) {
	m := atHost(t, &fakehost.Host{People: fakehost.Crowd(12)})
	m.plan()
	m.until("the plan has an address", `location.hash === "#plan" && document.querySelector(".Gauge")`)
	m.run("history.back()")
	m.until("the form is as it was left", `location.hash === "" && document.getElementById("repo")?.value !== ""`)
	m.run("history.forward()")
	m.until("the plan is back", `location.hash === "#plan" && document.querySelector(".Gauge")`)
	m.press("Continue")
	m.until("the purpose has an address", `location.hash === "#purpose" && document.getElementById("terms-form")`)
	m.run("history.back()")
	m.until("the plan is back again", `document.querySelector(".Gauge")`)
	m.start()
	m.status("Complete.")
	m.until("the run has an address", `location.hash === "#run"`)
	m.run("history.back()")
	m.status("A run keeps the settings it was started with.")
	if m.counts()["Matches"] != "12" {
		t.Fatal("Back lost the results")
	}
	m.press("Export")
	m.until("the export has an address", `location.hash === "#export" && document.querySelector(".Ways-out")`)
	m.run("history.back()")
	m.until("the run shows", `location.hash === "#run" && document.querySelectorAll(".Person-row").length > 8`)
	m.run("history.forward()")
	m.until("the export shows", `location.hash === "#export" && document.querySelector(".Ways-out")`)
}
