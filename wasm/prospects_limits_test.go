//go:build !js

package main_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/fakehost"
	"marketingskills/app/site"
)

// A pause that the host asks for is counted down, and nothing is asked
// meanwhile; a quota that is used up stops the run, which says when it can go
// on.
func TestLimits(t *testing.T) {
	t.Parallel()
	t.Run("pause", func(t *testing.T) {
		m := atHost(t, &fakehost.Host{People: fakehost.Crowd(60), Latency: 20 * time.Millisecond, Grace: time.Second,
			Faults: []*fakehost.Fault{{Path: "/users/", From: 20, Times: 1, Kind: fakehost.Secondary, Wait: 4 * time.Second}}})
		m.tolerates("403")
		m.plan()
		m.start()
		m.until("the clock shows", `/^0:0[1-4]$/.test(document.querySelector(".Limit-clock")?.textContent)`)
		m.until("it counts down", `/^0:0[12]$/.test(document.querySelector(".Limit-clock")?.textContent)`)
		m.status("Complete.")
		if counts := m.counts(); counts["Matches"] != "60" || counts["Failed"] != "0" {
			t.Errorf("in the end there are %v", counts)
		}
		if got := m.host.Count().InPenalty; got > 0 {
			t.Errorf("%d requests during the pause", got)
		}
	})
	t.Run("quota", func(t *testing.T) {
		m := atHost(t, &fakehost.Host{People: fakehost.Crowd(90), Quota: 40})
		m.tolerates("403")
		m.plan()
		m.until("the plan warns", `document.querySelector(".Prospects-middle").textContent.includes("remaining API quota is too small")`)
		m.start()
		m.status("The run stopped early.")
		m.until("the clock shows", `/^\d+:\d\d$/.test(document.querySelector(".Limit-clock")?.textContent)`)
		spent := m.host.Count().Requests
		first := m.text(".Limit-clock")
		m.until("the clock goes on", fmt.Sprintf(`document.querySelector(".Limit-clock").textContent !== %q`, first))
		counts := m.counts()
		if counts["Matches"] == "0" || m.host.Count().Requests != spent {
			t.Errorf("%v, and %d requests after the end of the quota", counts, m.host.Count().Requests-spent)
		}
		m.press("Export")
		m.until("the export shows", `document.querySelector(".Ways-out")`)
		if said := m.text(".Remark"); !strings.Contains(said, "Not checked:") {
			t.Errorf("the page accounts for the run so: %q", said)
		}
	})
}

// The restriction of July 2026 is told from everything else, and what is
// still open is one click away.
func TestRestrictedList(t *testing.T) {
	m := atHost(t, &fakehost.Host{People: fakehost.Crowd(30), Restriction: fakehost.RestrictedNotFound})
	m.tolerates("404")
	m.fill("repo", "octo/tool")
	m.fill("token", fakehost.Token)
	m.tick("source-stargazers")
	m.until("stars have times", `document.getElementById("since")`)
	m.press("Create plan")
	m.until("the page says why", `document.getElementById("problem").textContent.includes("admins and collaborators")`)
	m.press("Use forks instead")
	m.until("the plan shows", `document.querySelector(".Gauge")`)
	if title := m.text("#title"); title != "Forks of octo/tool" {
		t.Errorf("the page is about %q", title)
	}
}

// A token that ends in the middle of a run is replaced, and the run goes on.
func TestAnotherToken(t *testing.T) {
	host := &fakehost.Host{People: fakehost.Crowd(80), Latency: 40 * time.Millisecond,
		Faults: []*fakehost.Fault{{Path: "/users/", From: 40, Times: 5, Kind: fakehost.Answer, Status: 401}}}
	m := atHost(t, host)
	m.tolerates("401")
	m.run(`document.querySelectorAll("details").forEach(d => d.open = true)`)
	m.fill("suppress", "person-00070")
	m.plan()
	m.start()
	m.press("Enter a token to resume")
	// It is in no file: the page says so, saves it, and asks before it is lost.
	const unsaved = `document.querySelector(".Banner p")?.textContent.includes("not downloaded yet")`
	m.until("the run is to be resumed", `document.querySelector(".Banner p")?.textContent.includes("are not fetched again")`)
	m.until("it is not called saved", unsaved+` && !document.querySelector(".Banner p").textContent.includes("saved on")`)
	m.run(`window.confirm = question => { window.question = question; return false }`)
	m.press("Start a new run")
	if asked := eval[string](m.tab, `window.question ?? ""`); !strings.Contains(asked, "Start a new run and discard the results?") {
		t.Errorf("the page asks %q", asked)
	}
	m.press("Save run")
	if state, err := prospect.ReadState(bytes.NewReader(m.saved(".run.json"))); err != nil || len(state.People) != 80 {
		t.Errorf("the saved run: %v", err)
	}
	m.until("it is called saved", `document.querySelector(".Banner p").textContent.includes("saved on")`)
	m.fill("token", fakehost.Token)
	m.press("Create plan")
	m.press("Continue")
	m.until("the terms show", `document.getElementById("terms-form")`)
	m.tick("pledge")
	m.press("Start run")
	m.status("Complete.")
	if counts := m.counts(); counts["Matches"] != "79" || counts["Suppressed"] != "1" {
		t.Errorf("in the end there are %v", counts)
	}
}

// A host that cannot be reached is told from one that refuses; the page stays
// usable.
func TestNoConnection(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(http.NotFoundHandler())
	address := gone.URL
	gone.Close()
	site := serveWith(t, os.DirFS(".."), site.Config{BasePath: "/", GitHubAPIURL: address})
	defer site.stop()
	m := &marketer{tab: open(t), site: site}
	m.tolerates("ERR_CONNECTION_REFUSED")
	m.visit(site.address + "prospects/")
	m.takenOver()
	m.fill("repo", "octo/tool")
	m.press("Create plan")
	m.until("the page says what is wrong", `document.getElementById("problem").textContent.includes("no connection")`)
	if said := m.text("#problem"); !strings.Contains(said, strings.TrimPrefix(address, "http://")) {
		t.Errorf("it does not say with whom: %q", said)
	}
}

// When the connection goes in the middle of a run, what was found stays, and
// the run goes on once it is back.
func TestConnectionLost(t *testing.T) {
	t.Parallel()
	host := &fakehost.Host{People: fakehost.Crowd(120), Latency: 60 * time.Millisecond}
	server := httptest.NewServer(host)
	defer server.Close()
	site := serveWith(t, os.DirFS(".."), site.Config{BasePath: "/", GitHubAPIURL: server.URL})
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
	m.status("The run stopped early.")
	m.until("the page says why", `document.querySelector(".Run-end + .Problem").textContent.includes("no connection")`)
	if counts := m.counts(); counts["Matches"] == "0" {
		t.Errorf("what was found is gone: %v", counts)
	}
	tell(m.tab, network.OverrideNetworkState, network.OverrideNetworkStateParams{})
	tell(m.tab, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{}})
	m.press("Resume")
	m.status("Complete.")
	if counts := m.counts(); counts["Matches"] != "120" || counts["Failed"] != "0" {
		t.Errorf("in the end there are %v", counts)
	}
}
