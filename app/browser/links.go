package browser

import (
	"net/url"
	"path"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// FollowLinks takes over the links between pages of the site, and the
// browser's back and forward. go names the address to show; once its page is
// drawn, arrive must be called: it puts the address into the history, scrolls
// to where the visitor left or to the fragment, and moves the focus to the
// page's title. All other links stay the browser's. go is called outside the
// UI goroutine.
//
// go-app has a router of its own. It can neither wait for a page's data nor
// restore a scroll position, and opens downloads as if they were pages, so
// its listeners are replaced.
func FollowLinks(base string, goTo func(to *url.URL, arrive func())) {
	if app.IsServer {
		return
	}
	r := &router{base: base, goTo: goTo, scroll: map[int]float64{}}
	window := app.Window()
	window.Set("onclick", app.Null())
	window.Set("onpopstate", app.FuncOf(r.popped))
	document().Call("addEventListener", "click", app.FuncOf(r.clicked))
	window.Call("addEventListener", "pagehide", app.FuncOf(func(app.Value, []app.Value) any {
		// A reload restores the scroll position by itself, if it may.
		window.Get("history").Set("scrollRestoration", "auto")
		return nil
	}))
	window.Call("addEventListener", "pageshow", app.FuncOf(func(app.Value, []app.Value) any {
		window.Get("history").Set("scrollRestoration", "manual")
		return nil
	}))
	window.Get("history").Set("scrollRestoration", "manual")
	r.numberEntry()
}

// router keeps the history's entries apart by a number in their state, and
// remembers how far each was scrolled.
type router struct {
	base   string
	goTo   func(to *url.URL, arrive func())
	entry  int
	newest int
	scroll map[int]float64
}

func (r *router) clicked(_ app.Value, args []app.Value) any {
	event := args[0]
	link := event.Get("target").Call("closest", "a[href]")
	if event.Get("defaultPrevented").Bool() || !link.Truthy() || !plainClick(event, link) {
		return nil
	}
	to, err := url.Parse(link.Get("href").String())
	if err != nil || !r.isPage(to) {
		return nil
	}
	here := app.Window().URL()
	if to.Path == here.Path && to.RawQuery == here.RawQuery && to.Fragment != "" {
		// The browser moves within a page by itself.
		return nil
	}
	event.Call("preventDefault")
	r.goTo(to, func() {
		r.leaveEntry()
		r.newest++
		r.entry = r.newest
		app.Window().Get("history").Call("pushState", map[string]any{"entry": r.entry}, "", to.String())
		r.arrive(to, here.Path != to.Path)
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

// isPage tells whether an address is a page of the site: directories are,
// files are not.
func (r *router) isPage(to *url.URL) bool {
	origin := app.Window().Get("location").Get("origin").String()
	return to.Scheme+"://"+to.Host == origin && isPagePath(r.base, to.Path)
}

func isPagePath(base, p string) bool {
	return strings.HasPrefix(p, base) && (strings.HasSuffix(p, "/") || path.Base(p) == "index.html")
}

func (r *router) popped(_ app.Value, args []app.Value) any {
	to := app.Window().URL()
	next := 0
	if state := args[0].Get("state"); state.Truthy() && state.Get("entry").Type() == app.TypeNumber {
		next = state.Get("entry").Int()
	}
	r.leaveEntry()
	r.goTo(to, func() {
		r.entry = next
		app.Window().Call("scrollTo", 0, r.scroll[next])
	})
	return nil
}

func (r *router) leaveEntry() {
	r.scroll[r.entry] = app.Window().Get("scrollY").Float()
}

// numberEntry marks the entry the visitor is at.
func (r *router) numberEntry() {
	app.Window().Get("history").Call("replaceState", map[string]any{"entry": r.entry}, "")
}

// arrive puts the visitor where a fresh page would: at the fragment, or at
// the top with the title focused. Within one page nothing moves.
func (r *router) arrive(to *url.URL, otherPage bool) {
	if to.Fragment != "" {
		if target := byID(to.Fragment); target.Truthy() {
			target.Call("scrollIntoView")
			if otherPage {
				target.Call("focus", map[string]any{"preventScroll": true})
			}
			return
		}
	}
	if !otherPage {
		return
	}
	app.Window().Call("scrollTo", 0, 0)
	if title := byID("title"); title.Truthy() {
		title.Call("focus", map[string]any{"preventScroll": true})
	}
}
