//go:build !js

package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/pages"
	"marketingskills/app/pages/catalog"

	"github.com/andybalholm/cascadia"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"golang.org/x/net/html"
)

func TestSearchForgivesTypos(t *testing.T) {
	b := open(t)
	b.visit(theSite(t).address)
	b.indexed()
	for _, story := range []struct{ typed, first string }{
		{"churn preventoin", "churn-prevention"},
		{"propsecting", "prospecting"},
		{"onbaording", "onboarding"},
	} {
		b.run(`document.getElementById("find").select()`)
		b.typing(story.typed)
		b.until("results for "+story.typed, `document.querySelector(".Row")?.dataset.name === "`+story.first+`"`)
	}
	if count := b.text("#count"); !strings.HasSuffix(count, "skills") && count != "1 skill" {
		t.Errorf("the count reads %q", count)
	}
}

func TestOldNamesLeadToTheirSuccessor(t *testing.T) {
	b := open(t)
	b.visit(theSite(t).address)
	b.indexed()
	b.typing("page-cro")
	b.until("cro is first, and why", `document.querySelector(".Row")?.dataset.name === "cro" && document.querySelector(".Row-note")?.innerText === "page-cro was merged into cro in 2.0.0."`)
}

func TestEmptyResultOffersTheNearest(t *testing.T) {
	b := open(t)
	b.visit(theSite(t).address)
	b.indexed()
	b.typing("zzyzzx")
	b.until("the empty result shows", `!document.getElementById("empty").hidden && document.getElementById("empty").innerText.includes("zzyzzx")`)
	if text := b.text("#empty"); !strings.Contains(text, "No skills match “zzyzzx”") || !strings.Contains(text, "Show all skills") {
		t.Errorf("the empty result reads %q", text)
	}
	if count := b.text("#count"); count != "No skills" {
		t.Errorf("the count reads %q", count)
	}
	// A result that only the category keeps out is offered.
	b.visit(theSite(t).address + "?category=strategy&q=10dlc")
	b.indexed()
	b.until("skills of other categories are offered", `document.getElementById("empty").innerText.includes("in other categories")`)
	b.run(`[...document.querySelectorAll("#empty a")].find(a => a.innerText.includes("other categories")).click()`)
	b.until("the category is gone", `!location.search.includes("category") && document.querySelector(".Row")?.dataset.name === "sms"`)
}

// Filter, then hand the address to someone else: they see the same, with and
// without the application.
func TestFilterAndShareTheAddress(t *testing.T) {
	s := theSite(t)
	for _, application := range []bool{false, true} {
		b := open(t)
		start := s.address
		if application {
			b.visit(start)
			b.indexed()
		} else {
			b.visit(start + "?wasm=false")
		}
		b.click(`.Shelf[data-category="conversion"]`)
		b.until("only that category is left", `document.querySelectorAll(".Row:not([hidden])").length === Number(document.querySelector('.Shelf[data-category="conversion"] .Shelf-count').innerText)`)
		b.click(`.Order-links a:last-child`)
		b.until("the address tells", `location.search.includes("category=conversion") && location.search.includes("sort=updated")`)
		if got := b.text(".Shelf[aria-current] span"); got != "Conversion" {
			t.Errorf("the marked category is %q", got)
		}
		address := b.address()
		mine := b.rows()
		other := open(t)
		other.visit(address)
		if theirs := other.rows(); !slices.Equal(mine, theirs) {
			t.Errorf("shared %s: I see %v, they see %v", address, mine, theirs)
		}
	}
}

func TestKeysAlone(t *testing.T) {
	b := open(t)
	b.visit(theSite(t).address)
	b.indexed()
	b.do(chromedp.KeyEvent("/"))
	b.until("the slash focuses the search", `document.activeElement.id === "find"`)
	b.do(chromedp.KeyEvent("10dlc"))
	b.until("sms is first", `document.querySelector(".Row")?.dataset.name === "sms"`)
	b.do(chromedp.KeyEvent(kb.ArrowDown))
	b.until("the first result has the focus", `document.activeElement.closest(".Row")?.dataset.name === "sms"`)
	b.do(chromedp.KeyEvent(kb.ArrowUp))
	b.until("the search has it again", `document.activeElement.id === "find"`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.until("Enter opens the first result", `location.pathname.endsWith("/skills/sms/") && document.querySelector("h1").innerText === "SMS & MMS"`)
	if got := eval[string](b, "document.activeElement.id"); got != "title" {
		t.Errorf("after the navigation the focus is on %q, not on the title", got)
	}
	b.do(chromedp.KeyEvent("/"))
	b.until("the slash opens the search", `document.activeElement.id === "search-box"`)
}

// Reading a skill and coming back: title, address and place are as on any
// site.
func TestReadASkillAndComeBack(t *testing.T) {
	b := open(t)
	b.size(1280, 500)
	b.visit(theSite(t).address)
	b.indexed()
	b.run(`scrollTo(0, 400)`)
	b.run(`document.querySelector('.Row[data-name="ads"] .Row-title').click()`)
	b.until("the skill shows", `document.querySelector("h1").innerText === "Paid ads"`)
	b.until("its title shows", `document.title.startsWith("Paid ads")`)
	if top := eval[float64](b, "scrollY"); top != 0 {
		t.Errorf("the skill opens at %v, not at its top", top)
	}
	b.run(`document.querySelector('.Article a[href*="/search-ad-output/"]').click()`)
	b.until("its reference shows", `location.pathname.endsWith("/skills/ads/search-ad-output/") && document.querySelectorAll(".Article h2").length > 2`)
	b.run(`history.back()`)
	b.until("the skill is back", `document.querySelector("h1").innerText === "Paid ads"`)
	b.run(`history.back()`)
	b.until("the catalog is back", `document.querySelectorAll(".Row").length > 1`)
	b.until("at its old place", `scrollY === 400`)
	b.run(`history.forward()`)
	b.until("forward works as well", `document.querySelector("h1").innerText === "Paid ads"`)
	// A raw file is the browser's business, not a page.
	b.run(`[...document.querySelectorAll("a")].find(a => a.innerText === "View SKILL.md as plain text").click()`)
	b.until("the raw text shows", `document.contentType === "text/markdown" || document.body.innerText.startsWith("---")`)
}

func TestCopyTheInstallCommand(t *testing.T) {
	s := theSite(t)
	b := open(t)
	b.visit(s.address + "skills/sms/")
	b.run(`window.copied = ""; navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }`)
	b.click("label[for=install-2]")
	b.click(".Tabs-panel .Copy[aria-label*=curl]")
	b.until("the button says so", `getComputedStyle(document.querySelector("[aria-label*=curl] .Copy-done")).display !== "none"`)
	command := eval[string](b, "window.copied")
	if !strings.Contains(command, s.address+"skills/sms/sms.zip") {
		t.Fatalf("copied %q", command)
	}
	// An answer is copied in its lines, without the words of the buttons in it.
	b.click(".Answered > .Copy")
	b.until("the answer is copied", `!window.copied.includes("unzip")`)
	if answer := eval[string](b, "window.copied"); strings.Contains(answer, "Copied") || strings.Count(answer, "\n\n") < 2 {
		t.Errorf("copied the answer %q", answer)
	}
	for _, tool := range []string{"sh", "curl", "unzip"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("NOT CHECKED: the command needs %s, which is not on this machine", tool)
		}
	}
	// What was copied installs the skill into an empty project, and again.
	dir := t.TempDir()
	for range 2 {
		run := exec.Command("sh", "-c", command)
		run.Dir = dir
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
	}
	got, err := os.ReadFile(filepath.Join(dir, ".agents", "skills", "sms", "SKILL.md"))
	if err != nil {
		t.Fatal(err)
	}
	if want := s.files["skills/sms/SKILL.md"]; !bytes.Equal(got, want) {
		t.Error("the installed SKILL.md is not the published one")
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("the command leaves %v behind", entries)
	}
}

// summary is what the changelog says above releases chosen from m.
func summary(m *manifest.Manifest, chosen []manifest.Release, what string) string {
	breaking, of := "No breaking changes.", 0
	for _, r := range chosen {
		if r.Breaking() {
			of++
		}
	}
	if of == 1 {
		breaking = "1 has breaking changes."
	} else if of > 1 {
		breaking = fmt.Sprintf("%d have breaking changes.", of)
	}
	return fmt.Sprintf("%d of %d releases %s. %s", len(chosen), len(m.Releases), what, breaking)
}

func TestChangelogSinceAVersion(t *testing.T) {
	s := theSite(t)
	m, _ := versions(t)
	counts := func(releases []manifest.Release, what string) string {
		return fmt.Sprintf(`document.getElementById("summary").innerText === %q`, summary(m, releases, what))
	}
	var newer []string
	for _, r := range m.Since("2.0.1") {
		newer = append(newer, r.Name())
	}
	for name, query := range map[string]string{"script": "?wasm=false", "application": ""} {
		t.Run(name, func(t *testing.T) {
			b := open(t)
			b.visit(s.address + "changelog/" + query)
			if query == "" {
				b.takenOver()
			}
			choose := func(list, value string) {
				b.run(`(s => { s.value = "` + value + `"; s.dispatchEvent(new Event("change", {bubbles: true})) })(document.getElementById("` + list + `"))`)
			}
			choose("since", "2.0.1")
			b.until("the summary counts", counts(m.Since("2.0.1"), "newer than 2.0.1"))
			shown := `[...document.querySelectorAll(".Release")].filter(r => r.offsetParent).map(r => r.dataset.release)`
			if got := eval[[]string](b, shown); !slices.Equal(got, newer) {
				t.Errorf("newer than 2.0.1: %v", got)
			}
			choose("since", "1.10.0")
			b.until("a breaking release is counted", counts(m.Since("1.10.0"), "newer than 1.10.0"))
			choose("since", "all")
			choose("skill", "sms")
			b.until("one release is about sms", counts(m.Touching("sms"), "with changes to sms"))
			b.until("the address follows", `location.search.includes("skill=sms")`)
			if got := eval[string](b, "location.search"); strings.Contains(got, "since") {
				t.Errorf("the address's query is %q", got)
			}
		})
	}
}

// The page for unknown addresses runs no program: it offers what has the name
// in its own, and for all else the search, which finds what is only like it.
func TestUnknownAddress(t *testing.T) {
	s := theSite(t)
	b := open(t)
	b.tolerates("404")
	for path, want := range map[string]string{
		"skills/form-cro/":  "form-cro was merged into cro in 2.0.0.",
		"ads/":              "Did you mean ads?",
		"skills/psychology": "Did you mean marketing-psychology?",
		"skills/email/":     "Did you mean cold-email or emails?",
	} {
		b.visit(s.address + path)
		if got := b.text("#meant"); got != want {
			t.Errorf("/%s offers %q, want %q", path, got, want)
		}
	}
	b.visit(s.address + "skills/prospektign/")
	if got := b.text("#meant"); got != "Search for “prospektign”" {
		t.Errorf("a name with slips is offered %q", got)
	}
	b.run(`document.querySelector("#meant a").click()`)
	b.until("the search finds it", `document.querySelector(".Row")?.dataset.name === "prospecting"`)
}

// Without scripts everything reads, and no control is shown that would do
// nothing.
func TestJavaScriptOff(t *testing.T) {
	s := theSite(t)
	b := open(t)
	tell(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	for page, want := range map[string]string{
		"":                      "Prospecting",
		"skills/sms/":           "Klaviyo",
		"skills/sms/platforms/": "Twilio",
		"tools/":                "Schedule social posts",
		"changelog/":            "page-cro",
	} {
		b.visit(s.address + page)
		if got := b.text("main"); !strings.Contains(got, want) {
			t.Errorf("/%s without scripts does not say %q", page, want)
		}
		for _, control := range []string{".Find", ".Order-links", ".Controls", ".Theme", ".Copy", ".Footer-keep"} {
			if eval[bool](b, `[...document.querySelectorAll("`+control+`")].some(e => e.offsetParent)`) {
				t.Errorf("/%s shows %s, which needs a script", page, control)
			}
		}
	}
}

// Links within a page move within it, whether the application runs or not,
// and leave history in order.
func TestLinksWithinAPage(t *testing.T) {
	b := open(t)
	b.size(1280, 500)
	b.visit(theSite(t).address)
	b.indexed()
	b.run(`scrollTo(0, 300)`)
	b.run(`document.querySelector('.Row[data-name="prospecting"] .Row-title').click()`)
	b.until("the skill shows", `document.querySelector("h1").innerText === "Prospecting"`)
	b.click(".Contents li:nth-child(3) a")
	b.until("the section is reached", `scrollY > 300 && location.hash`)
	place := eval[float64](b, "scrollY")
	b.click(".Contents li:nth-child(5) a")
	b.until("the next one too", fmt.Sprintf(`scrollY > %v`, place))
	b.run(`history.back()`)
	b.until("back is the first section", fmt.Sprintf(`scrollY === %v`, place))
	b.run(`history.back()`)
	b.until("then the top of the skill", `scrollY === 0 && document.querySelector("h1").innerText === "Prospecting"`)
	b.run(`history.back()`)
	b.until("then the catalog where it was", `document.querySelectorAll(".Row").length > 1 && scrollY === 300`)
}

// What the page script filters before the program runs and what the program
// filters is the same, query by query.
func TestBothFiltersAgree(t *testing.T) {
	bothFiltersAgree(t, theSite(t).address, "queries.txt")
	bothFiltersAgree(t, theSite(t).address+"tools/", "tool-queries.txt")
}

func bothFiltersAgree(t *testing.T, address, file string) {
	t.Helper()
	page := &pages.Page{}
	data := eval[string](opened(t, address+"?wasm=false"), `document.getElementById("page-data").textContent`)
	if err := json.Unmarshal([]byte(data), page); err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile("../app/pages/catalog/testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	b := open(t)
	for query := range strings.Lines(string(list)) {
		query = strings.TrimSuffix(query, "\n")
		if query == "" || strings.HasPrefix(query, "#") {
			continue
		}
		want := drawnCatalog(t, page, query)
		b.visit(address + "?wasm=false&" + query)
		got := append(eval[[]string](b, `[...document.querySelectorAll(".Task:not([hidden])")].map(r => r.id)`), b.rows()...)
		got = append(got, b.text("#count"), b.text("#order"), b.text(".Shelf[aria-current] span"), b.text(".Order-links a[aria-current]"))
		if empty := b.text("#empty-text"); empty != "" && eval[bool](b, `!document.getElementById("empty").hidden`) {
			got = append(got, empty)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s ?%s\nthe script shows  %q\nthe program shows %q", file, query, got, want)
		}
	}
}

// drawnCatalog is what the program draws for a query while it has no index:
// the tasks, the rows, the count, the order, the category, the sort link, and what an
// empty result says.
func drawnCatalog(t *testing.T, page *pages.Page, query string) []string {
	t.Helper()
	list := &catalog.Catalog{Page: page, Query: query}
	engine := app.NewTestEngine()
	if err := engine.Load(list); err != nil {
		t.Fatal(err)
	}
	engine.ConsumeAll()
	doc, err := html.Parse(strings.NewReader(app.HTMLString(list)))
	if err != nil {
		t.Fatal(err)
	}
	words := func(selector string) string {
		n := cascadia.Query(doc, cascadia.MustCompile(selector))
		if n == nil {
			return "(none)"
		}
		var b strings.Builder
		for d := range n.Descendants() {
			if d.Type == html.TextNode {
				b.WriteString(d.Data)
			}
		}
		return strings.TrimSpace(b.String())
	}
	var shown []string
	for _, row := range cascadia.QueryAll(doc, cascadia.MustCompile(".Task, .Row")) {
		for _, a := range row.Attr {
			if a.Key == "data-name" || a.Key == "id" {
				shown = append(shown, a.Val)
			}
		}
	}
	shown = append(shown, words("#count"), words("#order"), words(".Shelf[aria-current] span"), words(".Order-links a[aria-current]"))
	if cascadia.Query(doc, cascadia.MustCompile("#empty:not([hidden])")) != nil {
		shown = append(shown, words("#empty-text"))
	}
	return shown
}

// A query gives the same page whether it is typed or opened from a link.
func TestQueriesTypedOrOpened(t *testing.T) {
	s := theSite(t)
	for _, query := range []string{"page-cro", "abandoend cart txet", "cart"} {
		typed := opened(t, s.address)
		typed.indexed()
		typed.typing(query)
		const ranked = `document.getElementById("order").innerText === "Best match first"`
		typed.until("what was typed is ranked", ranked)
		b := opened(t, s.address+"?q="+url.QueryEscape(query))
		b.until("what was opened is ranked", ranked)
		for _, part := range []string{"#list", "#count", ".Order"} {
			if got, want := b.text(part), typed.text(part); got != want {
				t.Errorf("%q, %s: opened it shows %q, typed %q", query, part, got, want)
			}
		}
	}
}

// On a phone the program waits for a sign that the visitor wants it; until
// then the page script answers.
func TestAPhoneWaitsForASign(t *testing.T) {
	s := theSite(t)
	b := open(t)
	tell(b, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
	tell(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "pointer", Value: "coarse"}}})
	b.visit(s.address)
	b.until("the page has loaded", `document.readyState === "complete"`)
	time.Sleep(1500 * time.Millisecond)
	if eval[bool](b, `performance.getEntriesByType("resource").some(e => e.name.endsWith(".wasm"))`) {
		t.Fatal("the program was fetched although nobody had touched anything")
	}
	b.typing("cart")
	b.until("the words filter", `document.getElementById("count").innerText !== ""`)
	b.until("the program starts", taken)
	if got := eval[string](b, `document.getElementById("find").value`); got != "cart" {
		t.Errorf("what was typed became %q", got)
	}
}

// What was found is still there after reading one of the results.
func TestComeBackToResults(t *testing.T) {
	b := open(t)
	b.visit(theSite(t).address)
	b.indexed()
	b.typing("form abandonment")
	b.until("cro is first", `document.querySelector(".Row")?.dataset.name === "cro" && document.getElementById("order").innerText === "Best match first"`)
	time.Sleep(300 * time.Millisecond)
	found := b.rows()
	b.run(`document.querySelector(".Row-title").click()`)
	b.until("the skill shows", `location.pathname.endsWith("/skills/cro/")`)
	b.run(`history.back()`)
	b.until("the results are back", `document.querySelectorAll(".Row").length > 0 && document.getElementById("order").innerText === "Best match first"`)
	if got := b.rows(); !slices.Equal(got, found) {
		t.Errorf("before %v, after coming back %v", found, got)
	}
	if got := eval[string](b, `document.getElementById("find").value`); got != "form abandonment" {
		t.Errorf("the words are %q", got)
	}
}

// Addresses that are none, and browsers that refuse to change the address,
// stop nothing.
func TestHostileAddresses(t *testing.T) {
	s := theSite(t)
	b := open(t)
	b.tolerates("404")
	for _, query := range []string{"?q=a#100%", "?q=%zz;%ff&sort=%", "?category=%00&q=" + strings.Repeat("%F0%9F%8E%89", 2500), "?q=" + strings.Repeat("x", 10000)} {
		b.visit(s.address + query)
		b.indexed()
	}
	b.visit(s.address + "skills/%ff/")
	b.until("the page for unknown addresses shows", `document.querySelector("h1").innerText === "Page not found"`)
	b.visit(s.address)
	b.indexed()
	b.run(`history.replaceState = () => { throw new DOMException("too many", "SecurityError") }`)
	b.typing("10dl")
	time.Sleep(400 * time.Millisecond)
	b.typing("c")
	b.until("the list follows", `document.querySelector(".Row")?.dataset.name === "sms"`)
}

// Who followed a dead link searches from there: the words of the address are in
// the field already.
func TestSearchFromMissingPage(t *testing.T) {
	s := theSite(t)
	b := open(t)
	b.tolerates("404")
	b.visit(s.address + "skills/abandoned-cart/")
	b.until("the words are in the field", `document.getElementById("missing-search").value === "abandoned cart"`)
	b.click(".Missing-go")
	b.until("the catalog answers", `document.querySelector(".Row")?.dataset.name === "emails"`)
	if got := b.address(); !strings.HasSuffix(got, "/?q=abandoned+cart") {
		t.Errorf("the address is %s", got)
	}
}

// Whoever moves by keyboard keeps their place when the application arrives.
func TestFocusSurvivesTakeOver(t *testing.T) {
	b := open(t)
	b.visit(theSite(t).address + "skills/sms/")
	b.run(`document.querySelector(".Header-nav a[href$='/changelog/']").focus()`)
	b.until("the application takes over", taken)
	if got := eval[string](b, `document.activeElement.innerText`); got != "Changelog" {
		t.Errorf("the focus is on %q, want Changelog", got)
	}
}

// Without the page script the list is shown all the same.
func TestPageScriptMissing(t *testing.T) {
	b := open(t)
	b.tolerates("ERR_BLOCKED_BY_CLIENT")
	tell(b, network.Enable, network.EnableParams{})
	tell(b, network.SetBlockedURLs, network.SetBlockedURLsParams{URLPatterns: []*network.BlockPattern{{URLPattern: "*://*/page.*.js", Block: true}}})
	b.visit(theSite(t).address + "?q=cart")
	b.until("the list is shown", `document.querySelector(".Row").checkVisibility({visibilityProperty: true})`)
}
