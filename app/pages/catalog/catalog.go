// Package catalog draws the home page, all skills by category, and the page of
// all tools, which begins with the tasks that they are for: with search, filters
// and other orders, all of it in the URL.
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
	"marketingskills/app/text"
	"marketingskills/app/ui"
)

// searchBox is the ID of the one text field of the catalog; the page's script
// and the link in every header know it too.
const searchBox = "find"

// Draw draws the catalog.
func Draw(p *pages.Page, query string, visit int) []app.UI {
	return []app.UI{&Catalog{Page: p, Query: query, Visit: visit}}
}

// Catalog draws a list with its search. Query is the address's
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
	// loading says of each index how far it has come, by address. It ends with
	// the component, which then gets no answers any more.
	loading map[string]browser.Loading
}

func (c *Catalog) data() *Data { return pages.Content[Data](c.Page) }

// indexes are what the page at hand searches: all of it, or before all of it has
// arrived, nothing.
func (c *Catalog) indexes() indexes {
	d := c.data()
	by := indexes{cards: pages.Index(d.Index), tasks: pages.Index(d.TaskIndex)}
	if by.cards == nil || by.tasks == nil && d.TaskIndex != "" {
		return indexes{}
	}
	return by
}

// OnInit reads the request before the first drawing, and with it what the
// visitor typed while WebAssembly was on its way.
func (c *Catalog) OnInit() {
	c.loading = map[string]browser.Loading{}
	c.request = parseRequest(c.Query, c.data())
	opened := c.request.Text
	if typed, ok := browser.Value(searchBox); ok {
		c.request.Text = typed
	}
	c.initial = c.request.Text
	c.ranking = c.Visit > 0 || c.request.Text == opened
}

// OnMount fetches the index.
func (c *Catalog) OnMount(ctx app.Context) { c.fetch(ctx) }

// fetch gets the indexes of the page at hand, and that of the other catalog once
// there are words.
func (c *Catalog) fetch(ctx app.Context) {
	c.fetchIndex(ctx, c.data().Index)
	if tasks := c.data().TaskIndex; tasks != "" {
		c.fetchIndex(ctx, tasks)
	}
	if also := c.data().Also; also != nil && strings.TrimSpace(c.request.Text) != "" {
		c.fetchIndex(ctx, also.Index)
	}
}

func (c *Catalog) fetchIndex(ctx app.Context, address string) {
	if pages.Index(address) != nil || c.loading[address] != 0 {
		return
	}
	c.loading[address] = browser.Started
	pages.FetchIndex(ctx, address, func(err error) {
		if err != nil {
			c.loading[address] = browser.Failed
			return
		}
		c.loading[address] = browser.Loaded
		// A filter that found nothing has nothing on the page to keep still.
		if catalogOf(c.data(), c.request, indexes{}).empty != nil {
			c.ranking = true
		}
	})
}

// OnUpdate follows an address that changed under the page: another query, or
// from the catalog of skills to that of tools.
func (c *Catalog) OnUpdate(ctx app.Context) {
	c.request = parseRequest(c.Query, c.data())
	c.ranking = true
	browser.SetValue(searchBox, c.request.Text)
	browser.SetValue("way", cmp.Or(c.request.Way, ui.NoChoice))
	browser.SetValue("skill", cmp.Or(c.request.Skill, ui.NoChoice))
	c.fetch(ctx)
}

func (c *Catalog) typed(ctx app.Context, _ app.Event) {
	c.request.Text = browser.SourceOf(ctx).Value
	c.ranking = true
	browser.ReplaceQuery(c.request.encode())
	c.fetch(ctx)
}

func (c *Catalog) chosen(ctx app.Context, _ app.Event) {
	choice := browser.SourceOf(ctx)
	value := choice.Value
	if value == ui.NoChoice {
		value = ""
	}
	if choice.Name == "way" {
		c.request.Way = value
	} else {
		c.request.Skill = value
	}
	browser.ReplaceQuery(c.request.encode())
}

// Render draws the catalog.
func (c *Catalog) Render() app.UI {
	var by indexes
	if c.ranking {
		by = c.indexes()
	}
	d := c.data()
	v := catalogOf(d, c.request, by)
	if c.loading[d.Index] == browser.Failed || c.loading[d.TaskIndex] == browser.Failed {
		v.heading += ". The search index could not be loaded, so only exact words match. Reload the page to try again"
	}
	parts := append(c.hero(), c.find(v))
	if len(d.Ways) > 0 {
		parts = append(parts, c.filters())
	}
	parts = append(parts, app.Div().Class("Catalog-columns").Body(
		c.categories(v.tasks),
		app.Div().Class("Catalog-list").Body(
			drawTasks(v.tasks),
			hiddenIf(len(d.Tasks) == 0, app.H2().Class("Tasks-end").Text("List of tools")),
			c.order(v),
			c.elsewhere(),
			c.list(v),
		),
	))
	return app.Div().Class("Catalog").Body(parts...)
}

// find is the search: a line of text on a rule, as wide as the page.
func (c *Catalog) find(v catalogView) app.UI {
	return app.Form().Class("Find").Role("search").Action(ui.Attr(c.Page.Href(c.Page.Path))).Body(
		app.Label().Class("Find-label").For(searchBox).Text("Search"),
		app.Input().Class("Find-box").ID(searchBox).Type("search").Name("q").
			AutoComplete(false).Spellcheck(false).
			Attr("maxlength", 256).
			Attr("placeholder", ui.Attr(c.data().Hint)).
			Attr("aria-describedby", "count").
			Attr("value", ui.Attr(c.initial)).
			OnInput(c.typed),
		app.Output().Class("Find-count").ID("count").Role("status").Text(v.count),
		app.Kbd().Class("Find-key").Aria("hidden", "true").Text("/"),
	)
}

// filters are the choices beside the category.
func (c *Catalog) filters() app.UI {
	d := c.data()
	return app.Div().Class("Filters").Body(
		c.filter("way", "Access", "Any", d.Ways, c.request.Way),
		c.filter("skill", "Used by", "Any skill", d.Skills, c.request.Skill),
	)
}

func (c *Catalog) filter(name, label, none string, values []string, chosen string) app.UI {
	return app.Div().Class("Filters-choice").Body(
		app.Label().For(name).Text(label),
		ui.Selection(name, chosen, ui.Choices(none, values)).OnChange(c.chosen),
	)
}

// elsewhere names what the other catalog has for the words. As long as it is not
// known, the line keeps its place, so that nothing moves when it is.
func (c *Catalog) elsewhere() app.UI {
	also := c.data().Also
	line := app.P().ID("elsewhere").Class("Elsewhere")
	if also == nil {
		return line.Hidden(true)
	}
	found := othersOf(c.request.Text, pages.Index(also.Index))
	if len(found.links) == 0 {
		return line
	}
	parts := []app.UI{ui.Span("Elsewhere-label", text.Capital(also.Noun)+"s: ")}
	for i, o := range found.links {
		if i > 0 {
			parts = append(parts, ui.Span("", " · "))
		}
		parts = append(parts, ui.Link(c.Page.Href(also.Path+o.name+"/"), o.title))
	}
	if found.more > 0 {
		all := c.Page.Href(also.Path) + "?" + request{Text: c.request.Text}.encode()
		parts = append(parts, ui.Span("", " · "), ui.Link(all, fmt.Sprintf("%d more", found.more)))
	}
	return line.Body(parts...)
}

// categories is the left column: the groups of tasks, the categories and the size
// of all descriptions.
func (c *Catalog) categories(tasks []taskView) app.UI {
	d := c.data()
	links := []app.UI{c.categoryLink(Category{Name: "All", Count: len(d.Cards)})}
	for _, s := range d.Categories {
		links = append(links, c.categoryLink(s))
	}
	parts := []app.UI{
		drawGroups(tasks),
		app.Nav().Aria("label", "Categories").Body(
			hiddenIf(len(d.Tasks) == 0, app.H2().Class("Label").Text("Tools")),
			app.Ul().Class("Shelves-list").Body(links...),
		),
	}
	if d.Map != "" {
		parts = append(parts, app.P().Class("Shelves-map").Body(ui.Link(c.Page.Href(d.Map), "Show them on a map")))
	}
	if d.Characters > 0 {
		parts = append(parts, app.Div().Class("Shelves-note").Body(
			app.H2().Class("Label").Text("Always loaded"),
			app.P().Text(fmt.Sprintf("%s %s of the roughly 8,000 characters agents allow.",
				allDescriptions(len(d.Cards)), text.Number(d.Characters))),
		))
	}
	return app.Div().Class("Shelves").Body(parts...)
}

func allDescriptions(n int) string {
	if n == 1 {
		return "The one description uses"
	}
	return fmt.Sprintf("All %d descriptions use", n)
}

// categoryLink leads to the category's part of the page when nothing runs, and
// to the filtered list when a script or WebAssembly does.
func (c *Catalog) categoryLink(s Category) app.UI {
	r := c.request
	r.Category = s.ID
	href := c.address(r)
	if s.ID != "" {
		href += "#" + categoryAnchor(s.ID)
	}
	link := app.A().Class("Shelf").Attr("href", ui.Attr(href)).DataSet("category", ui.Attr(cmp.Or(s.ID, "all"))).Body(
		ui.Span("", s.Name),
		ui.Span("Shelf-count", fmt.Sprint(s.Count)),
	)
	return app.Li().Body(ui.Current(link, s.ID == c.request.Category))
}

func categoryAnchor(id string) string { return "shelf-" + id }

// address is the catalog's address for a request.
func (c *Catalog) address(r request) string {
	own := c.Page.Href(c.Page.Path)
	if q := r.encode(); q != "" {
		return own + "?" + q
	}
	return own
}

// order says how the list is ordered and offers the other orders.
func (c *Catalog) order(v catalogView) app.UI {
	first := "Category"
	if len(wordsOf(c.request.Text)) > 0 {
		first = "Best match"
	}
	links := []app.UI{ui.Span("", "Sort by: ")}
	for i, s := range []struct{ sort, text string }{{sortDefault, first}, {sortName, "Name"}, {sortUpdated, "Last updated"}} {
		if s.sort == sortUpdated && !c.data().Dated {
			continue
		}
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
	list := app.Div().ID("list").Class("List")
	if c.data().Dated {
		list = list.DataSet("sort", ui.Attr(cmp.Or(c.request.Sort, "category")))
	}
	return list.Body(append(parts, c.empty(v.empty))...)
}

func (c *Catalog) group(g group) app.UI {
	rows := make([]app.UI, 0, len(g.rows))
	for _, r := range g.rows {
		rows = append(rows, c.row(r))
	}
	title, class := g.category.Name, "Group-title"
	if title == "" {
		title, class = text.Capital(c.data().Noun)+"s", "Group-title Hidden"
	}
	heading := []app.UI{app.Text(title)}
	if g.category.Picture != "" {
		heading = []app.UI{app.Raw(g.category.Picture), app.Text(title)}
	}
	parts := []app.UI{app.H2().Class(class).Body(heading...)}
	if advice := g.category.Advice; len(advice) > 0 {
		more := []app.UI{app.Summary().Body(labelled(advice[0])...)}
		for _, a := range advice[1:] {
			more = append(more, app.P().Body(labelled(a)...))
		}
		parts = append(parts, app.Details().Class("Group-advice").Body(more...))
	}
	return app.Section().Class("Group").ID(ui.Attr(categoryAnchor(g.category.ID))).DataSet("shelf", ui.Attr(g.category.ID)).Body(
		append(parts, app.Ul().Class("Rows").Body(rows...))...,
	)
}

func labelled(f ui.Property) []app.UI {
	return []app.UI{ui.Span("Group-label", f.Name+" "), ui.Span("", f.Value)}
}

func (c *Catalog) row(r row) app.UI {
	description := app.P().Class("Row-description").Body(ui.Marked(r.card.Description, r.description)...)
	middle := []app.UI{description}
	if len(r.card.For) > 0 {
		middle = append(middle, inLine("Row-for", "For: ", r.card.For))
	}
	if r.note != "" {
		middle = append(middle, app.P().Class("Row-note").Text(r.note+"."))
	}
	details := make([]app.UI, 0, len(r.card.Details))
	for _, detail := range r.card.Details {
		details = append(details, app.Li().Text(detail))
	}
	name := []app.UI{
		app.A().Class("Row-title").Attr("href", ui.Attr(c.page(r.card.Name))).Body(ui.Marked(r.card.Title, r.title)...),
		app.Code().Class("Row-folder").Text(r.card.Name),
	}
	if r.card.Changed != "" {
		name = append(name, ui.Span("Row-news", r.card.Changed))
	}
	return app.Li().Class("Row").DataSet("name", ui.Attr(r.card.Name)).Body(
		app.Div().Class("Row-name").Body(name...),
		app.Div().Class("Row-middle").Body(middle...),
		app.Ul().Class("Row-facts").Body(details...),
	)
}

// page is the address of a card's page.
func (c *Catalog) page(name string) string { return c.Page.Href(c.data().Below + name + "/") }

// empty is always on the page, so that the script can show it before
// WebAssembly runs.
func (c *Catalog) empty(n *nothing) app.UI {
	if n == nil {
		return app.Div().ID("empty").Class("Empty").Hidden(true).Body(app.P().ID("empty-text").Text(c.data().count(0) + " match."))
	}
	parts := []app.UI{app.P().ID("empty-text").Text(n.sentence)}
	links := make([]app.UI, 0, len(n.offers)+1)
	for _, o := range n.offers {
		if o.request != nil {
			links = append(links, ui.Link(c.address(*o.request), o.label))
		} else {
			links = append(links, ui.Link(c.page(o.card), o.label))
		}
	}
	if len(links) > 0 {
		parts = append(parts, app.P().Class("Label").Text("Try instead"), ui.Links(links...))
	}
	parts = append(parts, app.P().Body(ui.Link(c.address(request{}), "Show all "+c.data().Noun+"s")))
	return app.Div().ID("empty").Class("Empty").Body(parts...)
}
