package pages

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
)

// Program is what one WebAssembly program can draw: all kinds of pages that
// the registry gives it, each with what draws the part between the header and
// the footer. query is the raw query of the URL, visit how often the visitor
// has gone somewhere since the program started.
type Program map[Kind]func(p *Page, query string, visit int) []app.UI

// Run takes over the page the visitor is on. Off the browser it returns at
// once.
func (pr Program) Run() {
	// The pages route themselves: see browser.FollowLinks.
	app.RouteWithRegexp(".*", func() app.Composer { return &root{program: pr} })
	browser.AwaitCalm()
	app.RunWhenOnBrowser()
}

// root is the one component the application mounts: it draws the page it
// holds, follows links to other pages of the site, and keeps back and forward
// working. Its fields are its own: a navigation gives go-app a new root, whose
// exported fields would overwrite this one's.
type root struct {
	app.Compo

	program Program
	page    *Page
	query   string
	visit   int
	// towards is the address asked for last; an answer to an earlier request
	// comes too late.
	towards *browser.Address
}

// A navigation that takes longer than a moment says so, and one that takes
// too long becomes the browser's, which can do more about it.
const (
	aMoment = 150 * time.Millisecond
	tooLong = 8 * time.Second
)

// Root returns a component that draws the given page into a file.
func (pr Program) Root(p *Page) app.Composer { return &root{program: pr, page: p} }

// OnInit reads the page the visitor is on out of the document.
func (r *root) OnInit() {
	if app.IsServer {
		return
	}
	browser.RememberFocus()
	r.page, r.query = decodePage(browser.Here()), browser.At().Query
}

// decodePage turns what a document carries into a page; nil when the document
// is none of the site's.
func decodePage(d browser.Document) *Page {
	p := &Page{}
	if err := json.Unmarshal([]byte(d.Data), p); err != nil {
		return nil
	}
	p.Markup = d.Article
	return p
}

// OnMount gives the element that had the focus its focus back and takes over
// the links.
func (r *root) OnMount(ctx app.Context) {
	if r.page == nil {
		return
	}
	browser.RestoreFocus()
	browser.Announce()
	offerRanking(ctx)
	browser.FollowLinks(r.draws, func(to browser.Address, arrive func()) {
		ctx.Dispatch(func(ctx app.Context) { r.goTo(ctx, &to, arrive) })
	})
}

// draws tells whether a path of this host is a page for this program to show.
// From one page that people work on to another, the browser goes: see [Reading].
func (r *root) draws(path string) bool {
	below, ok := strings.CutPrefix(strings.TrimSuffix(path, "index.html"), r.page.Base)
	to, from := entryAt(below), entryAt(r.page.Path)
	return ok && !to.Scripted && (below == r.page.Path || to.Program == Reading && from.Program == Reading)
}

// goTo shows the page at an address of the site. The page at hand stays until
// the next one has arrived; one that cannot be had, or was made by another
// release than this program, is left to the browser.
func (r *root) goTo(ctx app.Context, to *browser.Address, arrive func()) {
	r.towards = to
	if to.Path == r.page.Base+r.page.Path {
		r.show(ctx, r.page, to.Query, arrive)
		return
	}
	ctx.After(aMoment, func(app.Context) { browser.Busy(r.towards == to) })
	ctx.After(tooLong, func(app.Context) {
		if r.towards == to {
			browser.Leave(*to)
		}
	})
	browser.FetchDocument(ctx, *to, func(ctx app.Context, d browser.Document, err error) {
		if r.towards != to {
			return
		}
		page := decodePage(d)
		if err != nil || page == nil || page.Build != r.page.Build {
			browser.Leave(*to)
			return
		}
		browser.Adopt(d)
		r.show(ctx, page, to.Query, arrive)
	})
}

func (r *root) show(ctx app.Context, p *Page, query string, arrive func()) {
	r.page, r.query = p, query
	r.visit++
	r.towards = nil
	browser.Busy(false)
	ctx.Defer(func(app.Context) { arrive() })
}

// Render draws the page.
func (r *root) Render() app.UI {
	if r.page == nil {
		return app.Div()
	}
	draw := r.program[r.page.Kind]
	if draw == nil {
		return app.Div()
	}
	return layout(r.page, draw(r.page, r.query, r.visit)...)
}
