//go:build !js

package main_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/export"
	"marketingskills/app/prospect/fakehost"
	"marketingskills/app/site"
	"marketingskills/app/verify/csvfile"
	"marketingskills/app/verify/fakeverifier"
)

// finishedRun is at the end of a run that found people with emails and without.
func finishedRun(t testing.TB) *marketer {
	t.Helper()
	m := atHost(t, &fakehost.Host{People: fakehost.Crowd(90)})
	m.plan()
	m.start()
	m.status("Complete.")
	return m
}

// table reads a CSV file by its header.
func table(t testing.TB, data []byte) (header []string, rows []map[string]string) {
	t.Helper()
	all, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = cells[i]
		}
		rows = append(rows, row)
	}
	return all[0], rows
}

// fresh removes the downloads, so that saved finds the next one.
func (m *marketer) fresh() {
	m.t.Helper()
	entries, err := os.ReadDir(m.dir)
	if err != nil {
		m.t.Fatal(err)
	}
	for _, e := range entries {
		os.Remove(m.dir + "/" + e.Name())
	}
}

// Without a verifier: a run, free checks, export. Nothing is ticked, what is ticked is exported, and the files say what is known.
func TestRunWithFreeChecks(t *testing.T) {
	m := finishedRun(t)
	tell(m.tab, network.Enable, network.EnableParams{})
	m.press("Verify emails")
	m.press("Use free checks only")
	m.until("the choice shows", `document.getElementById("include")`)
	if got := eval[int](m.tab, `document.querySelectorAll("#include input[type=checkbox]:checked").length`); got != 0 {
		t.Errorf("%d boxes are ticked after free checks", got)
	}
	if got := m.text(".Bounce-share"); got != "–" {
		t.Errorf("nothing is chosen, and the share is %q", got)
	}
	m.press("Continue to export")
	m.press("Download CSV")
	header, without := table(t, m.saved(".csv"))
	if want := slices.Concat(export.Columns, csvfile.Columns); !slices.Equal(header, want) {
		t.Errorf("the columns are %v", header)
	}
	for _, row := range without {
		if row["email"] != "" || row["email_state"] != "" {
			t.Errorf("%s is exported, and nothing was ticked", row["email"])
		}
	}
	m.fresh()
	m.press("Change the choice of emails")
	m.until("the choice shows", `document.getElementById("include-looks_right")`)
	m.tick("include-looks_right")
	m.until("the sum shows", `document.querySelector(".Bounce-share").textContent === "25%"`)
	m.press("Continue to export")
	m.press("Download CSV")
	_, all := table(t, m.saved(".csv"))
	some := 0
	for _, row := range all {
		if row["email"] == "" {
			continue
		}
		some++
		if row["email_state"] != "unknown" || row["verified_at"] == "" {
			t.Errorf("%s is %q, %q", row["email"], row["email_state"], row["verified_at"])
		}
	}
	if some < 10 || len(all)-some != len(without) {
		t.Errorf("%d people with an email and %d without; before there were %d", some, len(all)-some, len(without))
	}
	m.press("Download JSON")
	var object struct{ Users []prospect.Record }
	if err := json.Unmarshal(m.saved(".json"), &object); err != nil {
		t.Fatal(err)
	}
	for _, u := range object.Users {
		if v := u.Verification; (v == nil) != (u.Email == "") || v != nil && (v.State != "unknown" || v.Source != "free-checks") {
			t.Errorf("%s with %q: %+v", u.Login, u.Email, v)
		}
	}
	m.press("Download CSV for HubSpot")
	if text := string(m.saved("-hubspot.csv")); strings.Contains(text, "email_state") {
		t.Errorf("the file for HubSpot begins %.200q", text)
	}
}

// A step that is skipped changes no file.
func TestSkippedVerification(t *testing.T) {
	m := finishedRun(t)
	m.press("Verify emails")
	m.press("Skip")
	m.press("Download CSV")
	header, _ := table(t, m.saved(".csv"))
	if !slices.Equal(header, export.Columns) {
		t.Errorf("the columns are %v", header)
	}
	m.press("Download JSON")
	if bytes.Contains(m.saved(".json"), []byte("verification")) {
		t.Error("the JSON names a verification")
	}
}

// withVerifier serves a site whose proxy asks a verifier; with none it has no
// key. settings are more of its environment.
func withVerifier(t testing.TB, v *fakeverifier.Verifier, api string, settings ...string) *served {
	t.Helper()
	if v != nil {
		server := httptest.NewServer(v)
		t.Cleanup(server.Close)
		settings = append(settings, "VERIFY_URL="+server.URL, "VERIFY_API_KEY=key-of-the-proxy")
	}
	s := serveWith(t, os.DirFS(".."), site.Config{BasePath: "/", GitHubAPIURL: api}, settings...)
	t.Cleanup(s.stop)
	return s
}

// The site and the proxy may have different origins: the page reaches the proxy
// that the site was generated for, which answers pages of that site only.
func TestProxyElsewhere(t *testing.T) {
	v := httptest.NewServer(&fakeverifier.Verifier{Key: "key-of-the-proxy"})
	defer v.Close()
	address := freeAddress(t)
	s := serveWith(t, os.DirFS(".."), site.Config{BasePath: "/", GitHubAPIURL: "https://api.github.com", ProxyURL: "http://" + address})
	defer s.stop()
	env := []string{"VERIFY_URL=" + v.URL, "VERIFY_API_KEY=key-of-the-proxy", "PROXY_TOKEN=sixteen-characters"}
	_, stop := startProxy(t, address, env, "--dir", "", "--origin", strings.TrimSuffix(s.address, "/"))
	m := atListPage(t, s)
	m.check(crowdOf(3)...)
	m.until("the token is asked for", `document.getElementById("proxy-token")`)
	m.fill("proxy-token", "sixteen-characters")
	m.press("Show account")
	m.until("whose account", `document.querySelector("main").textContent.includes("The verifier’s account is Example Ltd, on the plan free.")`)
	m.press("Verify 3 emails")
	m.status("Complete. 3 of 3 emails confirmed.")

	stop()
	_, stop = startProxy(t, address, env, "--dir", "", "--origin", "https://skills.example")
	defer stop()
	m = atListPage(t, s)
	m.tolerates("403")
	m.tolerates("CORS")
	m.tolerates("ERR_FAILED")
	m.check(crowdOf(3)...)
	m.until("it is said what is wrong", fmt.Sprintf(`document.querySelector("main").textContent.includes(%q)`, address+" could not be reached. Check your connection, and whether verify-proxy runs there and allows this site."))
	if text := m.text("main"); strings.Contains(text, "Verify 3 emails") {
		t.Errorf("the page offers what the proxy refuses: %s", text)
	}
}

// A run is paused and resumed, stopped and resumed; nobody is asked about twice.
func TestVerificationPausesAndStops(t *testing.T) {
	t.Parallel()
	v := &fakeverifier.Verifier{Latency: 50 * time.Millisecond}
	m := atListPage(t, withVerifier(t, v, "https://api.github.com"))
	m.check(crowdOf(150)...)
	m.press("Verify 150 emails")
	m.answered(5)
	m.press("Pause")
	m.status("Paused.")
	// What was under way arrives, at the proxy's pace; then nothing moves.
	time.Sleep(4 * time.Second)
	before := len(v.Asked())
	time.Sleep(time.Second)
	if after := len(v.Asked()); after != before || before > 140 {
		t.Errorf("paused after %d emails, then there were %d", before, after)
	}
	m.press("Resume")
	m.answered(before + 1)
	m.press("Stop")
	m.status("Stopped.")
	if n := len(v.Asked()); n >= 150 {
		t.Fatalf("all %d were asked about before it stopped: the story needs more", n)
	}
	m.press("Resume")
	m.status("Complete. 150 of 150 emails confirmed.")
	asked := v.Asked()
	slices.Sort(asked)
	if n := len(slices.Compact(asked)); n != 150 || len(v.Asked()) != 150 {
		t.Errorf("%d requests about %d emails", len(v.Asked()), n)
	}
	if v.Refused() > 0 {
		t.Errorf("%d requests came too fast", v.Refused())
	}
}

// What goes wrong is said with what to do about it, and nothing found is lost.
func TestVerificationTroubles(t *testing.T) {
	t.Parallel()
	var fault atomic.Value
	fault.Store(fakeverifier.None)
	v := &fakeverifier.Verifier{Fault: func(int, *http.Request) fakeverifier.Fault { return fault.Load().(fakeverifier.Fault) }}
	s := withVerifier(t, v, "https://api.github.com", "PROXY_TOKEN=sixteen-characters")
	m := atListPage(t, s)
	for _, status := range []string{"401", "402", "429", "502", "ERR_CONNECTION_REFUSED"} {
		m.tolerates(status)
	}
	says := func(words ...string) {
		t.Helper()
		for _, w := range words {
			m.until("the page says "+w, fmt.Sprintf(`document.querySelector("main").textContent.includes(%q)`, w))
		}
	}
	m.check(crowdOf(150)...)
	m.until("the token is asked for", `document.getElementById("proxy-token")`)
	m.press("Verify 150 emails")
	says("Enter the proxy’s token first.")
	m.fill("proxy-token", "wrong-wrong-wrong")
	m.press("Verify 150 emails")
	says("The proxy did not accept the token.", "Check the token and enter it again.")
	m.fill("proxy-token", "sixteen-characters")
	m.press("Verify 150 emails")
	m.answered(3)
	fault.Store(fakeverifier.BadKey)
	says("The proxy or the verifier failed.", "VERIFY_API_KEY", "The answers so far are kept.")
	had, _ := strconv.Atoi(m.counts()["Answered"])
	fault.Store(fakeverifier.Payment)
	m.press("Resume")
	says("The verifier’s account has no credits left.", "Add credits there, then resume.")
	fault.Store(fakeverifier.None)
	m.press("Resume")
	m.answered(20)
	fault.Store(fakeverifier.Pause)
	says("The proxy asked for a pause. The verification resumes automatically at")
	fault.Store(fakeverifier.None)
	m.answered(30)
	m.run(`document.querySelector(".Progress button + button").click()`)
	m.status("Stopped.")
	s.process.Kill()
	m.press("Resume")
	says("could not be reached.", "Check your connection, and whether the proxy runs")
	if now, _ := strconv.Atoi(m.counts()["Answered"]); now < max(had, 30) {
		t.Errorf("of %d answers %d are left", had, now)
	}
	m.press("Download all rows")
	ok := 0
	_, all := table(t, m.saved("-verified.csv"))
	for _, row := range all {
		if row["email_state"] == "ok" {
			ok++
		}
	}
	if len(all) != 150 || ok < 30 {
		t.Errorf("%d of %d rows are ok", ok, len(all))
	}
}

// Without a proxy, and with one that has no key, the free checks are there, and
// the page says what more there could be.
func TestWithoutVerifier(t *testing.T) {
	s := theSite(t)
	static := httptest.NewServer(http.FileServer(http.Dir(s.dir)))
	t.Cleanup(static.Close)
	m := atListPage(t, &served{address: static.URL + "/"})
	m.tolerates("404")
	m.check("ann@acme.example", "ben@gnail.com")
	m.until("there is no proxy", `document.querySelector("main").textContent.includes("There is no verification proxy at")`)
	m.until("the choice shows", `document.getElementById("include-looks_right")`)
	m.tick("include-looks_right")
	m.tick("include-typing_error")
	m.press("Download 2 chosen rows")
	if _, rows := table(t, m.saved("-chosen.csv")); len(rows) != 2 || rows[1]["did_you_mean"] != "ben@gmail.com" {
		t.Errorf("the file says %v", rows)
	}

	n := atListPage(t, s)
	n.check("ann@acme.example")
	n.until("the proxy has no key", `document.querySelector("main").textContent.includes("start it with VERIFY_URL and VERIFY_API_KEY")`)
	n.press("Check domains")
	n.until("it has answered", `document.querySelector(".Run-end")?.textContent.startsWith("Complete.")`)
	if got := eval[int](n.tab, `document.querySelectorAll("#include input:checked[type=checkbox]").length`); got != 0 {
		t.Errorf("%d boxes are ticked, and nobody asked a verifier", got)
	}
}

// Verified people are exported with their answers; a saved run keeps them, and
// opened again it pays for nobody twice.
func TestVerifiedExtraction(t *testing.T) {
	t.Parallel()
	v := &fakeverifier.Verifier{}
	people := fakehost.Crowd(40)
	for i := range people {
		people[i].Email = strings.Replace(people[i].Email, "@mail.example", "@bücher.example", 1)
	}
	host := httptest.NewServer(&fakehost.Host{People: people})
	t.Cleanup(host.Close)
	m := (&marketer{api: host.URL, site: withVerifier(t, v, host.URL)}).comeIn(t)
	m.plan()
	m.start()
	m.status("Complete.")
	m.press("Verify emails")
	m.until("it can start", `[...document.querySelectorAll("button")].some(b => /^Verify \d+ emails$/.test(b.innerText))`)
	m.run(`[...document.querySelectorAll("button")].find(b => /^Verify \d+ emails$/.test(b.innerText)).click()`)
	m.status("Complete.")
	paid := len(v.Asked())
	m.press("Continue to export")
	m.press("Download CSV")
	_, rows := table(t, m.saved(".csv"))
	ok := 0
	for _, row := range rows {
		if row["email_state"] == "ok" && row["verified_at"] == "2026-11-22T10:00:00.000Z" {
			ok++
		} else if row["email"] != "" {
			t.Errorf("%v is exported", row)
		}
	}
	if ok != paid || paid == 0 {
		t.Errorf("%d of %d are in the file", ok, paid)
	}
	m.press("Save run")
	file := filepath.Join(t.TempDir(), "kept.run.json")
	if err := os.WriteFile(file, m.saved(".run.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	n := m.comeIn(t)
	n.give("saved", file)
	n.status("Complete.")
	n.press("Verify emails")
	n.until("it is known", `document.querySelector("#include")`)
	if facts := n.text(".Facts"); !strings.Contains(facts, "Still to verify, at one credit each\n0") {
		t.Errorf("opened again: %q", facts)
	}
	n.press("Continue to export")
	n.press("Download CSV")
	if _, again := table(t, n.saved(".csv")); len(again) != len(rows) || len(v.Asked()) != paid {
		t.Errorf("opened again, %d of %d rows, and %d more requests", len(again), len(rows), len(v.Asked())-paid)
	}
}
