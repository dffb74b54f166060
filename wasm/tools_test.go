//go:build !js

package main_test

import (
	"strings"
	"testing"
)

// Find the tool for a job, with and without the program: filter by category,
// by access and by skill, hand the address on, open a guide.
func TestFindATool(t *testing.T) {
	s := theSite(t)
	for _, application := range []bool{false, true} {
		b := open(t)
		if application {
			b.visit(s.address + "tools/")
			b.indexed()
		} else {
			b.visit(s.address + "tools/?wasm=false")
		}
		if n := len(b.rows()); n < 50 {
			t.Fatalf("%d tools are listed", n)
		}
		b.click(`.Shelf[data-category="email"]`)
		b.until("only that category is left", `document.querySelectorAll(".Row:not([hidden])").length === Number(document.querySelector('.Shelf[data-category="email"] .Shelf-count').innerText)`)
		choose(b, "way", "MCP")
		b.until("the address tells the access", `location.search.includes("way=MCP")`)
		choose(b, "skill", "emails")
		b.until("and the skill", `location.search.includes("skill=emails")`)
		rows := b.rows()
		for _, name := range rows {
			if facts := b.text(`.Row[data-name="` + name + `"] .Row-facts`); !strings.Contains(facts, "MCP") {
				t.Errorf("%s is listed: %s", name, facts)
			}
		}
		other := opened(t, b.address())
		if theirs := other.rows(); len(rows) == 0 || strings.Join(rows, " ") != strings.Join(theirs, " ") {
			t.Errorf("I see %v, they see %v", rows, theirs)
		}
		choose(b, "way", "all")
		choose(b, "skill", "all")
		b.until("all of the category are back", `!location.search.includes("way") && !location.search.includes("skill")`)
	}
}

// choose picks an option as a visitor does.
func choose(b *tab, name, value string) {
	b.t.Helper()
	b.run(`{ const s = document.getElementById("` + name + `"); s.value = "` + value + `"; s.dispatchEvent(new Event("change", {bubbles: true})); }`)
}

// A job in a stranger's words finds its task, on the page with and without the
// program and in the search over every page; the first choice is a click away.
func TestFindATask(t *testing.T) {
	s := theSite(t)
	const shown = `[...document.querySelectorAll(".Task")].filter(r => r.offsetParent)`
	for _, query := range []string{"?wasm=false", ""} {
		b := open(t)
		b.visit(s.address + "tools/" + query)
		if query == "" {
			b.indexed()
		}
		if n := eval[int](b, shown+`.length`); n < 30 {
			t.Fatalf("%d tasks are listed", n)
		}
		b.run(`document.getElementById("find").focus()`)
		b.typing("schedule posts for three brands")
		b.until("one task is left, and its tool", shown+`.length === 1 && `+shown+`[0].id === "task-schedule-social-posts" && document.querySelector(".Row:not([hidden])").dataset.name === "buffer"`)
		b.until("they are counted", `/^1 task, \d tools?$/.test(document.getElementById("count").innerText)`)
		b.run(shown + `[0].querySelector("td a").click()`)
		b.until("the guide shows", `location.pathname.endsWith("/tools/buffer/")`)
	}
	b := open(t)
	b.visit(s.address + "tools/?way=MCP")
	b.indexed()
	b.click(`.Shelf[href="#tasks-ads"]`)
	b.until("a group of what is shown is reached", `Math.abs(document.getElementById("tasks-ads").getBoundingClientRect().top) < 40 && location.search === "?way=MCP"`)
	b.run(`[...document.querySelectorAll('.Row[data-name="wistia"] .Row-for a')][0].click()`)
	b.until("a tool leads to its task, at the top of what it finds", shown+`[0].id === "task-host-videos-on-your-site" && `+shown+`[0].getBoundingClientRect().top > 0 && `+shown+`[0].getBoundingClientRect().bottom < innerHeight`)

	b.visit(s.address + "changelog/")
	b.run(pressCtrlK)
	b.until("the search opens", searchOpen)
	searchFor(b, "check 5000 emails")
	const row = `[...document.querySelectorAll(".Search-row")].find(r => r.innerText.includes("Task · Find customers"))`
	b.until("the task says where it is, and its first choice", row+`?.innerText.includes("First choice: Truelist")`)
	b.run(row + `.click()`)
	b.until("the page shows the task", `location.pathname.endsWith("/tools/") && `+shown+`[0]?.id === "task-check-emails-before-sending"`)
	b.until("below its search", `document.getElementById("find").value === "Check emails before sending" && document.getElementById("find").getBoundingClientRect().top >= 0`)
	b.run(`[...document.querySelectorAll(".Task a")].find(a => a.innerText === "verify-emails").click()`)
	b.until("its free way leads to the checker", `location.pathname.endsWith("/prospects/verify/")`)
}

// The search of the home page names tools too, and takes the words along.
func TestSearchNamesTools(t *testing.T) {
	b := open(t)
	b.visit(theSite(t).address)
	b.indexed()
	b.typing("hubspto")
	b.until("the tool is named", `document.getElementById("elsewhere").innerText.startsWith("Tools: HubSpot")`)
	b.run(`document.getElementById("find").select()`)
	b.typing("email verification")
	b.until("others too", `document.querySelector("#elsewhere a:last-child")?.innerText.endsWith(" more") && document.querySelector("#elsewhere a:last-child").search === "?q=email+verification"`)
	b.click("#elsewhere a:last-child")
	b.until("the tools show, with the same words", `location.pathname.endsWith("/tools/") && document.getElementById("find").value === "email verification"`)
	b.until("the best one first", `document.querySelector(".Row")?.dataset.name === "truelist"`)
	b.click(".Row-title")
	b.until("the guide shows", `location.pathname.endsWith("/tools/truelist/") && document.querySelector("h1").innerText === "Truelist"`)
	b.run(`[...document.querySelectorAll(".Article a")].find(a => a.pathname.endsWith("/skills/prospecting/")).click()`)
	b.until("the skill that uses it shows", `location.pathname.endsWith("/skills/prospecting/")`)
	b.run(`[...document.querySelectorAll(".Facts-column a")].find(a => a.innerText === "Truelist").click()`)
	b.until("and names the tool", `location.pathname.endsWith("/tools/truelist/")`)
}

// Who leaves the catalog before its index has arrived finds it when they come
// back.
func TestLeavingBeforeTheIndex(t *testing.T) {
	b := open(t)
	b.visit(theSite(t).address + "skills/ads/")
	b.takenOver()
	b.run(`window.held = []; window.ownFetch = window.fetch; window.fetch = (...a) => String(a[0].url || a[0]).includes("search.") ? new Promise(go => held.push(() => go(ownFetch(...a)))) : ownFetch(...a)`)
	nav := func(title, then string) {
		b.run(`[...document.querySelectorAll(".Header-nav a")].find(a => a.innerText === "` + title + `").click()`)
		b.until(title+" shows", then)
	}
	nav("Catalog", `document.querySelectorAll(".Row").length > 1 && held.length === 1`)
	nav("Changelog", `document.querySelectorAll(".Release").length > 1`)
	b.run(`window.fetch = ownFetch; held.forEach(go => go())`)
	nav("Catalog", `document.querySelectorAll(".Row").length > 1`)
	b.typing("emials")
	b.until("a misspelt word finds its skill", `document.querySelector(".Row")?.dataset.name === "emails"`)
}
