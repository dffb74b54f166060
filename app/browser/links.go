package browser

import (
	"encoding/json"
	"path"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Address is where a page of the site is, taken apart as the browser does it.
// Query and Fragment are raw and without their signs.
type Address struct {
	Path, Query, Fragment string
}

// String writes the address for the browser. A path that begins with two
// slashes would name another host; behind a dot it is the same path on this
// one.
func (a Address) String() string {
	s := a.Path
	if strings.HasPrefix(s, "//") {
		s = "/." + s
	}
	if a.Query != "" {
		s += "?" + a.Query
	}
	if a.Fragment != "" {
		s += "#" + a.Fragment
	}
	return s
}

// addressOf reads the parts that the location and every link have. They never
// fail to parse, whatever was typed.
func addressOf(v app.Value) Address {
	return Address{
		Path:     v.Get("pathname").String(),
		Query:    strings.TrimPrefix(v.Get("search").String(), "?"),
		Fragment: strings.TrimPrefix(v.Get("hash").String(), "#"),
	}
}

// At is the address the visitor is at.
func At() Address {
	return addressOf(app.Window().Get("location"))
}

// FollowLinks takes over the links to pages that the program draws, and the
// browser's back and forward. goTo is told the address to show; once its page
// is drawn, arrive must be called: it puts the address into the history,
// scrolls to where the visitor left or to the fragment, and moves the focus to
// the page's title. All other links stay the browser's. goTo is called outside
// the UI goroutine.
//
// go-app has a router of its own. It can neither wait for a page's data nor
// restore a scroll position, and opens downloads as if they were pages, so
// its listeners are replaced.
func FollowLinks(draws func(path string) bool, goTo func(to Address, arrive func())) {
	r := &router{draws: draws, goTo: goTo, scroll: map[string]float64{}}
	r.start()
	routing = r
	window := app.Window()
	window.Set("onclick", app.Null())
	window.Set("onpopstate", app.FuncOf(r.popped))
	document().Call("addEventListener", "click", app.FuncOf(r.clicked))
	window.Call("addEventListener", "pagehide", app.FuncOf(r.hidden))
	window.Call("addEventListener", "pageshow", app.FuncOf(r.shown))
}

// router keeps the history's entries apart by a number in their state, and
// remembers how far each was scrolled, over reloads too.
type router struct {
	draws  func(path string) bool
	goTo   func(to Address, arrive func())
	entry  string
	scroll map[string]float64
}

// scrollKey names the remembered scroll positions in the session's storage.
const scrollKey = "scroll"

func history() app.Value { return app.Window().Get("history") }

func (r *router) start() {
	attempt(func() {
		kept := app.Window().Get("sessionStorage").Call("getItem", scrollKey)
		if kept.Truthy() {
			// Positions that cannot be read are positions not remembered.
			_ = json.Unmarshal([]byte(kept.String()), &r.scroll)
		}
	})
	if r.entry = entryOf(history().Get("state")); r.entry == "" {
		r.number()
	}
	history().Set("scrollRestoration", "manual")
}

func entryOf(state app.Value) string {
	if state.Truthy() && state.Get("entry").Truthy() {
		return state.Get("entry").String()
	}
	return ""
}

// number marks the entry the visitor is at as a new one.
func (r *router) number() {
	r.entry = newEntryName()
	attempt(func() { history().Call("replaceState", map[string]any{"entry": r.entry}, "") })
}

func newEntryName() string { return time.Now().Format("150405.000000000") }

// hidden keeps the positions for after a reload, which restores its own.
func (r *router) hidden(app.Value, []app.Value) any {
	r.leave()
	attempt(func() {
		if kept, err := json.Marshal(r.scroll); err == nil {
			app.Window().Get("sessionStorage").Call("setItem", scrollKey, string(kept))
		}
	})
	history().Set("scrollRestoration", "auto")
	return nil
}

func (r *router) shown(app.Value, []app.Value) any {
	history().Set("scrollRestoration", "manual")
	return nil
}

func (r *router) clicked(_ app.Value, args []app.Value) any {
	event := args[0]
	link := event.Get("target").Call("closest", "a[href]")
	if event.Get("defaultPrevented").Bool() || !link.Truthy() || !plainClick(event, link) || !r.isPage(link) {
		return nil
	}
	to, here := addressOf(link), At()
	if to.Path == here.Path && to.Query == here.Query && to.Fragment != "" {
		// The browser moves within a page by itself.
		return nil
	}
	event.Call("preventDefault")
	if to.Path == here.Path {
		// Another view of the same page: going back leaves the page, as it does for
		// what is typed. Most leave the visitor where they are; their fragment is for
		// browsers without the program.
		arrives := link.Call("hasAttribute", "data-arrives").Bool()
		if !arrives {
			to.Fragment = ""
		}
		r.goTo(to, func() {
			replace(to)
			if arrives {
				r.arrive(to)
				return
			}
			// The link may have been part of what is gone now.
			if document().Get("activeElement").Equal(document().Get("body")) {
				Focus("title")
			}
		})
		return nil
	}
	r.goTo(to, func() {
		r.leave()
		r.entry = newEntryName()
		attempt(func() { history().Call("pushState", map[string]any{"entry": r.entry}, "", to.String()) })
		r.arrive(to)
	})
	return nil
}

// plainClick tells a click that means "go there, here" from one that asks for
// a new tab, a download or another window.
func plainClick(event, link app.Value) bool {
	for _, key := range []string{"metaKey", "ctrlKey", "shiftKey", "altKey"} {
		if event.Get(key).Bool() {
			return false
		}
	}
	return event.Get("button").Int() == 0 &&
		!link.Call("hasAttribute", "download").Bool() &&
		!link.Call("hasAttribute", "target").Bool()
}

// isPage tells whether a link leads to a page of the site: directories are
// pages, files are not.
func (r *router) isPage(link app.Value) bool {
	here := app.Window().Get("location").Get("origin").String()
	to := link.Get("pathname").String()
	return link.Get("origin").String() == here && (strings.HasSuffix(to, "/") || path.Base(to) == "index.html") && r.draws(to)
}

func (r *router) popped(_ app.Value, args []app.Value) any {
	next := entryOf(args[0].Get("state"))
	if back != nil && back(At().Fragment) {
		r.leave()
		if r.entry = next; next == "" {
			r.number()
		}
		return nil
	}
	if next == "" {
		// A link within the page, or an address typed with another fragment:
		// the browser has moved already, and the entry is new.
		r.leave()
		r.number()
		return nil
	}
	r.leave()
	r.goTo(At(), func() {
		r.entry = next
		Focus("title")
		app.Window().Call("scrollTo", 0, r.scroll[next])
	})
	return nil
}

func (r *router) leave() {
	flushQuery()
	r.scroll[r.entry] = app.Window().Get("scrollY").Float()
}

// arrive puts the visitor where a fresh page would: at the fragment, or at
// the top with the title focused.
func (r *router) arrive(to Address) {
	if to.Fragment != "" && FocusOn(to.Fragment) {
		return
	}
	app.Window().Call("scrollTo", 0, 0)
	Focus("title")
}

// pending is the query that the address is to have once typing pauses:
// browsers refuse addresses that change with every letter.
var pending struct {
	timer *time.Timer
	query string
	path  string
}

// ReplaceQuery changes the query of the address the visitor is at, without a
// navigation, as soon as it has been left alone for a moment. raw carries no
// question mark; "" removes the query.
func ReplaceQuery(raw string) {
	if app.IsServer {
		return
	}
	if pending.timer != nil {
		pending.timer.Stop()
	}
	pending.query, pending.path = raw, At().Path
	pending.timer = time.AfterFunc(300*time.Millisecond, flushQuery)
}

func flushQuery() {
	if pending.timer == nil {
		return
	}
	pending.timer.Stop()
	pending.timer = nil
	if at := At(); at.Path == pending.path {
		replace(Address{Path: at.Path, Query: pending.query})
	}
}

func replace(to Address) {
	attempt(func() { history().Call("replaceState", history().Get("state"), "", to.String()) })
}

// attempt does what a browser may refuse, as some refuse storage or too many
// changes of the address. Nothing depends on it having worked.
func attempt(do func()) {
	defer func() { _ = recover() }()
	do()
}

// routing is the router of the page, nil before it takes over.
var routing *router

// back is told the fragment of an address that Back or Forward lead to.
var back func(fragment string) (own bool)

// OnBack has do called when Back, Forward or an edited address lead to another
// fragment of the page at hand. It tells whether the fragment is one of its own
// and shows what belongs to it. nil ends that.
func OnBack(do func(fragment string) (own bool)) { back = do }

// AddEntry gives what the page shows now an entry of the history, to which Back
// and Forward lead; see [OnBack].
func AddEntry(fragment string) {
	to := At()
	if routing == nil || to.Fragment == fragment {
		return
	}
	to.Fragment = fragment
	routing.leave()
	routing.entry = newEntryName()
	attempt(func() { history().Call("pushState", map[string]any{"entry": routing.entry}, "", to.String()) })
}

// SetFragment changes the fragment of the entry at hand.
func SetFragment(fragment string) {
	to := At()
	if to.Fragment != fragment {
		to.Fragment = fragment
		replace(to)
	}
}
