//go:build !js

package main_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"marketingskills/app/search/relevance"
)

const (
	pressCtrlK  = `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "k", ctrlKey: true, bubbles: true, cancelable: true}))`
	searchOpen  = `document.querySelector(".Search")?.open === true`
	firstResult = `(document.querySelector(".Search-row")?.innerText || "")`
)

// firstLeadsTo is a script: whether the first result leads to a page.
func firstLeadsTo(path string) string {
	return `(document.querySelector(".Search-row")?.pathname || "").endsWith("/` + path + `")`
}

// searchFor types into the open search, in place of what stands there.
func searchFor(b *tab, words string) {
	b.t.Helper()
	b.run(`document.getElementById("search-box").select()`)
	b.do(chromedp.KeyEvent(words))
}

// Search from any page: a page, a reference, a tool, with keys alone, and what
// was opened is offered again.
func TestSearchEverything(t *testing.T) {
	s := theSite(t)
	for _, query := range []string{"?wasm=false", ""} {
		b := open(t)
		b.visit(s.address + "skills/sms/" + query)
		b.do(chromedp.KeyEvent("/"))
		b.until("the search opens over the page", searchOpen+` && location.pathname.endsWith("/skills/sms/")`)
		b.until("and lists the site's pages", `document.querySelectorAll(".Search-row").length >= 6`)
		searchFor(b, "email verification")
		b.until("the checker is first", firstResult+`.startsWith("Verify email addresses")`)
		searchFor(b, "what is a skill")
		b.until("a question about skills is answered", firstResult+`.includes("A folder of instructions")`)
		searchFor(b, "hubspot")
		b.until("a tool says what it is", firstResult+`.includes("Tool · ")`)
		searchFor(b, "sequence templates")
		b.until("a reference says where it is", `[...document.querySelectorAll(".Search-row")].some(r => r.innerText.includes("Reference · SMS"))`)
		searchFor(b, "zzzqqq")
		b.until("nothing is said to match", `document.querySelector(".Search-said").innerText.includes("Nothing matches “zzzqqq”") && !document.querySelector(".Search-row")`)
		b.do(chromedp.KeyEvent(kb.Escape))
		b.until("it closes and the page is where it was", `!(`+searchOpen+`) && location.pathname.endsWith("/skills/sms/")`)

		b.run(pressCtrlK)
		searchFor(b, "copywriting")
		b.until("the skill is first", firstLeadsTo("skills/copywriting/"))
		b.do(chromedp.KeyEvent(kb.ArrowDown))
		b.until("the arrow goes on", `document.querySelector('.Search-row[aria-selected="true"]').id === "search-row-1" && document.getElementById("search-box").getAttribute("aria-activedescendant") === "search-row-1"`)
		searchFor(b, "copywriting")
		b.do(chromedp.KeyEvent(kb.Enter))
		b.until("the skill opens", `location.pathname.endsWith("/skills/copywriting/")`)
		b.until("and the search is gone", `!(`+searchOpen+`)`)
		b.click("#find-link")
		b.until("what was opened is offered first", firstResult+`.includes("Recent") && `+firstLeadsTo("skills/copywriting/"))
	}
}

// Words inside references find them; a word spelt wrong is ranked once the
// program is there.
func TestSearchInsideReferences(t *testing.T) {
	b := open(t)
	b.visit(theSite(t).address + "changelog/")
	b.run(pressCtrlK)
	b.until("it opens", searchOpen)
	searchFor(b, "anlytics")
	b.until("the misspelt skill is found", firstLeadsTo("skills/analytics/"))
	searchFor(b, "abandoned cart")
	b.until("texts for carts are", `[...document.querySelectorAll(".Search-row")].some(r => r.innerText.includes("Reference · "))`)
}

// TestSearchRelevance tries the lists of the catalog's search on the search of
// everything: the skill that is right has to stand first among pages,
// references and tools, too.
func TestSearchRelevance(t *testing.T) {
	b := open(t)
	b.visit(theSite(t).address + "changelog/")
	b.run(pressCtrlK)
	b.until("it opens", searchOpen)
	searchFor(b, "anlytics")
	b.until("it ranks", firstLeadsTo("skills/analytics/"))
	for _, list := range []string{"relevance.txt", "relevance-held.txt"} {
		cases, err := relevance.Load(os.DirFS("../app/search/testdata"), list)
		if err != nil {
			t.Fatal(err)
		}
		var queries []string
		for _, c := range cases {
			queries = append(queries, c.Query)
		}
		asked, _ := json.Marshal(queries)
		answers := eval[[]string](b, `(() => {
			const box = document.getElementById("search-box");
			return `+string(asked)+`.map((query) => {
				box.value = query;
				box.dispatchEvent(new Event("input"));
				return new URL(document.querySelector(".Search-row")?.href || location.href).pathname;
			});
		})()`)
		first := 0
		for i, c := range cases {
			found := false
			for _, name := range c.Expect {
				found = found || strings.HasSuffix(answers[i], "/skills/"+name+"/")
			}
			if found {
				first++
			} else if list == "relevance.txt" {
				t.Logf("%q: %s, want %v", c.Query, answers[i], c.Expect)
			}
		}
		t.Logf("%s: %d of %d first", list, first, len(cases))
		if first*100 < len(cases)*97 {
			t.Errorf("%s: want the right skill first for 97%%", list)
		}
	}
}
