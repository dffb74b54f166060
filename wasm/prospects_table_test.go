//go:build !js

package main_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/fakehost"
)

// hugeRun is a finished run with n people kept, saved to a file.
func hugeRun(t testing.TB, api string, n int) string {
	t.Helper()
	s := prospect.State{Format: "prospects-run", Version: 1, SavedAt: time.Now(), Base: api, Position: codehost.Position{Pages: (n + 99) / 100, LastPage: (n + 99) / 100},
		Query: prospect.Query{Source: codehost.Forks, Repo: codehost.Repo{Owner: "octo", Name: "tool"}, Enrich: true, Purpose: "Research: to count them all."}}
	for i := range n {
		followers, repos := (i*7919)%100_003, i%97
		login, listing := fmt.Sprintf("person-%05d", i), fmt.Sprintf("%s/repos/octo/tool/forks?per_page=100&page=%d", api, i/100+1)
		s.People = append(s.People, prospect.Entry{Person: codehost.Person{Login: login, Type: "User"}, Page: listing, Verdict: prospect.Matched, Record: &prospect.Record{User: codehost.User{Login: login, Name: fmt.Sprintf("%c%d Person", 'A'+rune(i*31%26), i*7919%10_007), Type: "User", Company: fmt.Sprintf("@company-%d", i%613), Email: fmt.Sprintf("%s@company-%d.example", login, i%613), Location: fmt.Sprintf("City %d, Country", i%211), Bio: strings.Repeat("word ", 12), Followers: &followers, PublicRepos: &repos, HTMLURL: "https://codehost.test/" + login}, Source: "forks", SourceRepo: "octo/tool", SourceURL: listing, FetchedAt: time.Date(2026, 11, 1, 0, 0, i, 0, time.UTC)}})
	}
	var b bytes.Buffer
	if err := s.Write(&b); err != nil {
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
	m := atHost(t, &fakehost.Host{})
	m.give("saved", hugeRun(t, m.api, 10_000))
	m.status("Complete. 10,000 matches of 10,000 people checked.")
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
	m := atHost(t, &fakehost.Host{People: fakehost.Hostile()})
	m.tolerates("404")
	m.plan()
	m.start()
	m.status("Complete.")
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

// BenchmarkTenThousandPeople measures the longest task, in milliseconds, while
// a table of ten thousand people is scrolled from end to end, sorted by every
// column in both directions, and searched.
func BenchmarkTenThousandPeople(b *testing.B) {
	m := atHost(b, &fakehost.Host{})
	m.give("saved", hugeRun(b, m.api, 10_000))
	m.status("Complete.")
	m.watchTasks()
	m.measure(b, "scroll", `const v = document.getElementById("people"); for (let y = 0; y < v.scrollHeight; y += v.scrollHeight / 200) { v.scrollTop = y; await frames2() }`)
	m.measure(b, "sort", `for (let i = 0; i < 12; i++) { document.querySelectorAll(".Sort")[i >> 1].click(); await frames2() }`)
	m.measure(b, "search", `const f = document.getElementById("people-search"); for (const q of ["p", "pe", "per", "pers 5", "pers 51", ""]) { f.value = q; f.dispatchEvent(new Event("input", {bubbles: true})); await frames2() }`)
}

// watchTasks has the page note its longest task, and gives scripts frames2,
// which waits until the page has drawn.
func (m *marketer) watchTasks() {
	m.t.Helper()
	m.run(`window.longest = 0;
		new PerformanceObserver(l => { for (const e of l.getEntries()) window.longest = Math.max(window.longest, e.duration) }).observe({type: "longtask"});
		window.frames2 = () => new Promise(done => requestAnimationFrame(() => setTimeout(done, 60)))`)
}

// measure reports the longest task while a script runs.
func (m *marketer) measure(b *testing.B, name, script string) {
	b.Run(name, func(b *testing.B) {
		worst := 0.0
		for b.Loop() {
			worst = max(worst, m.longest(script))
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
