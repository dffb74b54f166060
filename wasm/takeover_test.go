//go:build !js

package main_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"golang.org/x/net/html"
)

// kinds is one page of each kind.
var kinds = []string{
	"", "?category=conversion&sort=updated", "?sort=name",
	"tools/", "tools/?way=MCP&skill=emails", "tools/?sort=name&category=crm", "tools/hubspot/",
	"skills/sms/", "skills/sms/compliance/", "news/", "tryouts/", "changelog/", "changelog/?since=2.1.0", "changelog/?skill=ads", "upgrade/", "prospects/",
}

// drawing is the page's HTML, boxes ticked as they show: the application ticks
// them without the attribute.
const drawing = `document.querySelectorAll("input").forEach(i => i.toggleAttribute("checked", i.checked)), document.body.firstElementChild.outerHTML`

// What the application draws first equals what stood on the page, element by
// element: then nothing can flash, shift or be read twice.
func TestTakeOverChangesNothing(t *testing.T) {
	t.Parallel()
	s := theSite(t)
	for _, page := range kinds {
		t.Run("/"+page, func(t *testing.T) {
			b := open(t)
			join := "?"
			if strings.Contains(page, "?") {
				join = "&"
			}
			b.visit(s.address + page + join + "wasm=false")
			before := shape(t, eval[string](b, drawing))
			b.visit(s.address + page)
			b.takenOver()
			after := shape(t, eval[string](b, drawing))
			if !slices.Equal(before, after) {
				i := 0
				for i < len(before) && i < len(after) && before[i] == after[i] {
					i++
				}
				t.Errorf("the drawings part at node %d:\nbefore %q\nafter  %q", i, nodesFrom(before, i), nodesFrom(after, i))
			}
		})
	}
}

func nodesFrom(nodes []string, from int) []string {
	return nodes[min(from, len(nodes)):min(from+6, len(nodes))]
}

// filtering are the addresses of filters.
var filtering = regexp.MustCompile(`^/(?:tools/)?(?:\?|$)`)

// shape lists what can be seen of a piece of HTML: hidden parts, which the
// script hides and the application leaves out, do not count.
func shape(t *testing.T, markup string) []string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(markup))
	if err != nil {
		t.Fatal(err)
	}
	var nodes []string
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		switch n.Type {
		case html.TextNode:
			nodes = append(nodes, n.Data)
		case html.ElementNode:
			var attributes []string
			for _, a := range n.Attr {
				if a.Key == "hidden" {
					return
				}
				// Addresses of filters carry what was asked for only once the
				// application has drawn them; the other is the script's mark.
				if a.Key == "data-here" || a.Key == "href" && filtering.MatchString(a.Val) || a.Key == "id" || a.Key == "data-shelf" {
					continue
				}
				attributes = append(attributes, a.Key+"="+a.Val)
			}
			slices.Sort(attributes)
			nodes = append(nodes, n.Data+" "+strings.Join(attributes, " "))
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(doc)
	return nodes
}

// Who only looks at the home page fetches the page and nothing of the program,
// on a desktop as on a phone; a mouse over the list is a sign of more.
func TestUntouchedHome(t *testing.T) {
	b := open(t)
	b.visit(theSite(t).address)
	time.Sleep(2 * time.Second)
	fetched := eval[[]string](b, `performance.getEntriesByType("resource").map(e => e.name)`)
	for _, address := range fetched {
		if !strings.Contains(address, "/page.") && !strings.Contains(address, "/icon.") {
			t.Errorf("%s is fetched before anybody wants it", address)
		}
	}
	if len(fetched) == 0 {
		t.Error("not even the page script is fetched")
	}
	b.run(`document.querySelector(".List .Row").dispatchEvent(new Event("pointerover", {bubbles: true}))`)
	b.until("the application takes over", taken)
}

// A visitor on a slow line types before the application arrives: the words
// filter at once, and taking over keeps words, cursor and place.
func TestTypingThroughTakeOver(t *testing.T) {
	b := open(t)
	tell(b, network.Enable, network.EnableParams{})
	tell(b, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{{Latency: 150, DownloadThroughput: 600 << 10, UploadThroughput: 200 << 10}},
	})
	s := theSite(t)
	b.visit(s.address)
	// Words that filter move the list: what moves before the first letter and
	// after the last one has been drawn is counted, all of it.
	// A header painted while its bytes still arrive on the slow line counts some ten-thousandths; Core Web Vitals call
	// a page steady below 0.1, so a thousandth leaves nothing out that a person could see.
	b.run(`window.shifts = []; window.typing = [performance.now(), Infinity]; new PerformanceObserver(list => {
		for (const e of list.getEntries()) if (e.value >= 0.001 && (e.startTime < window.typing[0] || e.startTime > window.typing[1])) window.shifts.push(e.value + " at " + e.startTime + ": " +
			e.sources.map(s => (s.node?.className || s.node?.nodeName) + " " + JSON.stringify(s.previousRect) + " to " + JSON.stringify(s.currentRect)).join(", "));
	}).observe({type: "layout-shift", buffered: true})`)
	b.typing("carts")
	if eval[bool](b, taken) {
		t.Fatal("the application was there before the visitor: the story needs a slower line")
	}
	b.typing("\b")
	before := b.rows()
	if !slices.Contains(before, "sms") {
		t.Errorf("typing cart before the application runs shows %v, without sms", before)
	}
	eval[bool](b, `new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => { window.typing[1] = performance.now(); drawn(true) }, 100))))`)
	b.run(`document.getElementById("find").setSelectionRange(2, 3)`)
	b.until("the application takes over", taken)
	if after := b.rows(); !slices.Equal(before, after) {
		t.Errorf("taking over changed the rows from %v to %v", before, after)
	}
	type field struct {
		Value      string
		Start, End int
		Focused    bool
	}
	got := eval[field](b, `(f => ({Value: f.value, Start: f.selectionStart, End: f.selectionEnd, Focused: document.activeElement === f}))(document.getElementById("find"))`)
	if want := (field{"cart", 2, 3, true}); got != want {
		t.Errorf("after taking over the field is %+v, want %+v", got, want)
	}
	if shifts := eval[[]string](b, "window.shifts"); len(shifts) > 0 {
		t.Errorf("the layout shifts over load and take-over: %v", shifts)
	}
}
