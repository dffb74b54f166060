// Package catalog draws the home page: all skills by category, with search, a
// category filter and two other orders, all of it in the URL.
//
// Until the program runs and has its index, words only filter, by the same
// rule as web/js/page.js; with the index they rank.
package catalog

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/pages"
	"marketingskills/app/search"
	"marketingskills/app/text"
	"marketingskills/app/ui"
)

// searchBox is the ID of the one text field of the catalog; the page's script
// and the link in every header know it too.
const searchBox = "find"

// indexes keeps search indexes by their addresses, so that coming back to the
// catalog shows what was there. Only the UI goroutine touches it.
var indexes = map[string]*search.Index{}

// Draw draws the catalog.
func Draw(p *pages.Page, query string, visit int) []app.UI {
	return []app.UI{&Catalog{Page: p, Query: query, Visit: visit}}
}

// Catalog draws the list of skills with its search. Query is the address's
// raw query, given anew on every navigation.
type Catalog struct {
	app.Compo
	Page  *pages.Page
	Query string
	// Visit counts navigations: the same address again is news too, when the
	// visitor has typed since.
	Visit int

	request request
	// initial is what the text field starts with; from then on the field is
	// the visitor's.
	initial string
	// ranking is on from the first keystroke after the index has arrived, and
	// at once for what stands in the URL. Words that were typed before filter
	// on as they did, so that nothing moves under the visitor.
	ranking bool
	index   *search.Index
	loading browser.Loading
}

func (c *Catalog) data() *Data { return pages.Content[Data](c.Page) }

// OnInit reads the request before the first drawing, and with it what the
// visitor typed while WebAssembly was on its way.
func (c *Catalog) OnInit() {
	c.request = parseRequest(c.Query, c.data().Categories)
	opened := c.request.Text
	if typed, ok := browser.Value(searchBox); ok {
		c.request.Text = typed
	}
	c.initial = c.request.Text
	c.index = indexes[c.data().Index]
	c.ranking = c.Visit > 0 || c.request.Text == opened
}

// OnMount fetches the index.
func (c *Catalog) OnMount(ctx app.Context) {
	if c.index != nil {
		return
	}
	c.loading = browser.Started
	browser.Fetch(ctx, c.data().Index, func(ctx app.Context, body []byte, err error) {
		if err == nil {
			c.index, err = search.Decode(body)
		}
		if err != nil {
			c.loading = browser.Failed
			return
		}
		c.loading = browser.Loaded
		indexes[c.data().Index] = c.index
		// A filter that found nothing has nothing on the page to keep still.
		if catalogOf(c.data(), c.request, nil).empty != nil {
			c.ranking = true
		}
	})
}

// OnUpdate follows an address that changed under the page.
func (c *Catalog) OnUpdate(app.Context) {
	c.request = parseRequest(c.Query, c.data().Categories)
	c.ranking = true
	browser.SetValue(searchBox, c.request.Text)
}

func (c *Catalog) typed(ctx app.Context, _ app.Event) {
	c.request.Text = browser.SourceOf(ctx).Value
	c.ranking = true
	browser.ReplaceQuery(c.request.encode())
}

// Render draws the catalog.
func (c *Catalog) Render() app.UI {
	index := c.index
	if !c.ranking {
		index = nil
	}
	d := c.data()
	v := catalogOf(d, c.request, index)
	if c.loading == browser.Failed {
		v.heading += ". The search index could not be loaded, so only exact words match. Reload the page to try again"
	}
	return app.Div().Class("Catalog").Body(
		app.Div().Class("Hero").Body(
			app.H1().ID("title").TabIndex(-1).Text(c.Page.Title),
			app.P().Class("Lead").Text("Each skill is a folder with instructions, worked examples and evals. "+
				"Read it here, then install it with one command."),
		),
		c.find(v),
		app.Div().Class("Catalog-columns").Body(
			c.shelves(),
			app.Div().Class("Catalog-list").Body(
				c.order(v),
				c.list(v),
			),
		),
	)
}

// find is the search: a line of text on a rule, as wide as the page.
func (c *Catalog) find(v catalogView) app.UI {
	return app.Form().Class("Find").Role("search").Action(ui.Attr(c.Page.Base)).Body(
		app.Label().Class("Find-label").For(searchBox).Text("Search"),
		app.Input().Class("Find-box").ID(searchBox).Type("search").Name("q").
			AutoComplete(false).Spellcheck(false).
			Attr("maxlength", 256).
			Attr("placeholder", "Task, keyword or old skill name").
			Attr("aria-describedby", "count").
			Attr("value", ui.Attr(c.initial)).
			OnInput(c.typed),
		app.Output().Class("Find-count").ID("count").Role("status").Text(v.count),
		app.Kbd().Class("Find-key").Aria("hidden", "true").Text("/"),
	)
}

// shelves is the left column: the categories and the size of all descriptions.
func (c *Catalog) shelves() app.UI {
	d := c.data()
	links := []app.UI{c.shelfLink(Shelf{Name: "All", Count: len(d.Cards)})}
	for _, s := range d.Categories {
		links = append(links, c.shelfLink(s))
	}
	return app.Div().Class("Shelves").Body(
		app.Nav().Aria("label", "Categories").Body(app.Ul().Class("Shelves-list").Body(links...)),
		app.Div().Class("Shelves-note").Body(
			app.H2().Class("Label").Text("Always loaded"),
			app.P().Text(fmt.Sprintf("Descriptions of %s: %s characters. Agents have room for about 8,000.",
				allSkills(len(d.Cards)), text.Number(d.Characters))),
		),
	)
}

func allSkills(n int) string {
	if n == 1 {
		return "the one skill"
	}
	return fmt.Sprintf("all %d skills", n)
}

// shelfLink leads to the category's part of the page when nothing runs, and
// to the filtered list when a script or WebAssembly does.
func (c *Catalog) shelfLink(s Shelf) app.UI {
	r := c.request
	r.Category = s.ID
	href := c.address(r)
	if s.ID != "" {
		href += "#" + shelfID(s.ID)
	}
	link := app.A().Class("Shelf").Attr("href", ui.Attr(href)).DataSet("category", ui.Attr(cmp.Or(s.ID, "all"))).Body(
		ui.Span("", s.Name),
		ui.Span("Shelf-count", fmt.Sprint(s.Count)),
	)
	return app.Li().Body(ui.Current(link, s.ID == c.request.Category))
}

func shelfID(id string) string { return "shelf-" + id }

// address is the catalog's address for a request.
func (c *Catalog) address(r request) string {
	if q := r.encode(); q != "" {
		return c.Page.Base + "?" + q
	}
	return c.Page.Base
}

// order says how the list is ordered and offers the other orders.
func (c *Catalog) order(v catalogView) app.UI {
	first := "Category"
	if strings.TrimSpace(c.request.Text) != "" {
		first = "Best match"
	}
	links := []app.UI{ui.Span("", "Sort by: ")}
	for i, s := range []struct{ sort, text string }{{sortDefault, first}, {sortName, "Name"}, {sortUpdated, "Last updated"}} {
		if i > 0 {
			links = append(links, app.Span().Aria("hidden", "true").Text(" · "))
		}
		r := c.request
		r.Sort = s.sort
		links = append(links, ui.Current(ui.Link(c.address(r), s.text), s.sort == c.request.Sort))
	}
	return app.Div().Class("Order").Body(
		app.P().ID("order").Text(v.heading),
		app.P().Class("Order-links").Body(links...),
	)
}

func (c *Catalog) list(v catalogView) app.UI {
	parts := make([]app.UI, 0, len(v.groups)+1)
	for _, g := range v.groups {
		parts = append(parts, c.group(g))
	}
	return app.Div().ID("list").Class("List").Body(append(parts, c.empty(v.empty))...)
}

func (c *Catalog) group(g group) app.UI {
	rows := make([]app.UI, 0, len(g.rows))
	for _, r := range g.rows {
		rows = append(rows, c.row(r))
	}
	title, class := g.title, "Group-title"
	if title == "" {
		title, class = "Skills", "Group-title Hidden"
	}
	return app.Section().Class("Group").ID(ui.Attr(shelfID(g.id))).DataSet("shelf", ui.Attr(g.id)).Body(
		app.H2().Class(class).Text(title),
		app.Ul().Class("Rows").Body(rows...),
	)
}

func (c *Catalog) row(r row) app.UI {
	description := app.P().Class("Row-description").Body(ui.Marked(r.card.Description, r.description)...)
	middle := []app.UI{description}
	if r.note != "" {
		middle = append(middle, app.P().Class("Row-note").Text(r.note+"."))
	}
	return app.Li().Class("Row").DataSet("name", ui.Attr(r.card.Name)).Body(
		app.Div().Class("Row-name").Body(
			app.A().Class("Row-title").Attr("href", ui.Attr(c.Page.Href("skills/"+r.card.Name+"/"))).
				Body(ui.Marked(r.card.Title, r.title)...),
			app.Code().Class("Row-folder").Text(r.card.Name),
		),
		app.Div().Class("Row-middle").Body(middle...),
		app.Ul().Class("Row-facts").Body(
			app.Li().Text(r.card.Version+" · "+r.card.Date),
			app.Li().Text("about "+r.card.Tokens+" tokens"),
			app.Li().Text(fmt.Sprintf("%d evals", r.card.Evals)),
		),
	)
}

// empty is always on the page, so that the script can show it before
// WebAssembly runs.
func (c *Catalog) empty(n *nothing) app.UI {
	if n == nil {
		return app.Div().ID("empty").Class("Empty").Hidden(true).Body(app.P().ID("empty-text").Text("No skills match."))
	}
	parts := []app.UI{app.P().ID("empty-text").Text(n.sentence)}
	links := make([]app.UI, 0, len(n.offers)+1)
	for _, o := range n.offers {
		if o.request != nil {
			links = append(links, ui.Link(c.address(*o.request), o.label))
		} else {
			links = append(links, ui.Link(c.Page.Href("skills/"+o.skill+"/"), o.label))
		}
	}
	if len(links) > 0 {
		parts = append(parts, app.P().Class("Label").Text("Try instead"), ui.Links(links...))
	}
	return app.Div().ID("empty").Class("Empty").Body(append(parts, app.P().Body(ui.Link(c.Page.Base, "Show all skills")))...)
}
