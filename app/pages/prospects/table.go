package prospects

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/prospect"
	"marketingskills/app/text"
	"marketingskills/app/ui"
)

// The IDs of the table's parts.
const (
	tableView   = "people"
	tableAbove  = "people-above"
	tableBelow  = "people-below"
	tableSearch = "people-search"
	personTitle = "person"
)

// A table draws only the rows in view, some above and below them, and in
// steps of a few rows: scrolling by one row changes nothing.
const (
	margin    = 6
	stepRows  = 4
	guessedPx = 37 // height of a row, until one was drawn and measured
)

// table draws the people found. However many there are, it draws a few dozen
// rows.
type table struct {
	app.Compo
	Found *found
	// Version changes with what is found.
	Version int

	// ctx is the table's own: what a handler is given ends with the element it
	// belongs to.
	ctx         app.Context
	first, last int // rows drawn: from first, up to but without last
	top, height float64
	row         float64 // height of a row in CSS pixels
	unwatch     func()
	// one is the person shown in full, from where the button that shows it.
	one  *prospect.Record
	from string
}

// OnInit draws a first screenful.
func (t *table) OnInit() {
	t.row, t.height = guessedPx, 15*guessedPx
}

// OnMount watches how the table is scrolled.
func (t *table) OnMount(ctx app.Context) {
	t.ctx = ctx
	t.unwatch = browser.OnScroll(tableView, func(top, height float64) {
		ctx.Dispatch(func(app.Context) {
			if row := browser.Height("." + rowClass); row > 0 {
				t.row = row
			}
			t.top, t.height = top, height
			if first, _ := t.window(); first != t.first {
				t.keepFocus()
			}
			t.space()
		})
	})
	t.space()
}

// OnUpdate makes room for what was found meanwhile.
func (t *table) OnUpdate(ctx app.Context) {
	t.ctx = ctx
	t.space()
}

func rowID(index int32) string { return "person-" + strconv.Itoa(int(index)) }

// keepFocus lets the focus stay with a person when the rows move on: the
// elements are drawn over with other people. When that person is out of view,
// the table itself has it.
func (t *table) keepFocus() {
	id := browser.Focused()
	if !strings.HasPrefix(id, "person-") {
		return
	}
	t.ctx.Defer(func(app.Context) {
		if !browser.Focus(id) {
			browser.Focus(tableView)
		}
	})
}

// OnDismount stops watching.
func (t *table) OnDismount() {
	if t.unwatch != nil {
		t.unwatch()
	}
}

func (t *table) window() (first, last int) {
	return window(len(t.Found.shown), t.top, t.height, t.row)
}

func window(rows int, top, height, row float64) (first, last int) {
	first = max(int(top/row)/stepRows*stepRows-margin, 0)
	last = (int((top+height)/row)/stepRows+1)*stepRows + margin
	return min(first, rows), min(last, rows)
}

// space gives the rows that are not drawn their room.
func (t *table) space() {
	t.ctx.Defer(func(app.Context) {
		browser.SetHeight(tableAbove, float64(t.first)*t.row)
		browser.SetHeight(tableBelow, float64(len(t.Found.shown)-t.last)*t.row)
	})
}

func (t *table) restart() {
	t.top = 0
	t.space()
	t.ctx.Defer(func(app.Context) { browser.ScrollTo(tableView, 0) })
}

func (t *table) search(ctx app.Context, _ app.Event) {
	words := browser.SourceOf(ctx).Value
	t.Found.search(words)
	t.restart()
	// Announced once the typing pauses.
	t.ctx.After(time.Second, func(app.Context) {
		if t.Found.words == words {
			browser.Say(countText(t.Found))
		}
	})
}

func (t *table) sort(ctx app.Context, _ app.Event) {
	c, err := strconv.Atoi(browser.SourceOf(ctx).Value)
	if err == nil && c >= 0 && c < int(columns) {
		t.Found.sortBy(column(c))
		t.restart()
	}
}

func (t *table) show(ctx app.Context, _ app.Event) {
	i, err := strconv.Atoi(browser.SourceOf(ctx).Value)
	if err == nil && i >= 0 && i < len(t.Found.all) {
		t.one, t.from = t.Found.all[i].record, rowID(int32(i))
		t.ctx.Defer(func(app.Context) { browser.FocusOn(personTitle) })
	}
}

func (t *table) hide(app.Context, app.Event) {
	t.one = nil
	t.ctx.Defer(func(app.Context) {
		if !browser.Focus(t.from) {
			browser.FocusOn(tableView)
		}
	})
}

var heads = []struct {
	by    column
	title string
}{
	{byName, "Name"}, {byCompany, "Company"}, {byEmail, "Email"}, {byLocation, "Location"}, {byFollowers, "Followers"}, {bySource, "Source"},
}

const rowClass = "Person-row"

// Render draws the head, the rows in view, and the person asked for.
func (t *table) Render() app.UI {
	f := t.Found
	t.first, t.last = t.window()
	rows := make([]app.UI, 0, t.last-t.first)
	for i := t.first; i < t.last; i++ {
		rows = append(rows, t.rowOf(i))
	}
	search := app.Input().ID(tableSearch).Type("search").Attr("autocomplete", "off").OnInput(t.search)
	if f.words != "" {
		search = search.Value(ui.Attr(f.words))
	}
	parts := []app.UI{
		ui.Div("People-head",
			ui.P("People-count", countText(f)),
			app.Label().Class("People-search").For(tableSearch).Body(ui.Span("", "Search in results"), search),
		),
	}
	beside := []app.UI{
		app.Div().ID(tableView).Class("People-view").TabIndex(0).Role("region").Aria("label", "People found").Body(
			app.Table().Class("People-table").Aria("rowcount", strconv.Itoa(len(f.shown)+1)).Body(
				app.THead().Body(t.head()),
				// Bodies of their own: a spacer must never be drawn over with a person.
				app.TBody().Body(spacer(tableAbove)),
				app.TBody().Body(rows...),
				app.TBody().Body(spacer(tableBelow)),
			),
		),
	}
	class := "People-area"
	if t.one != nil {
		class += " People-area--one"
		beside = append(beside, t.person())
	}
	parts = append(parts, app.Div().Class(class).Body(beside...))
	return app.Section().Class("People").Aria("label", "Results").Body(parts...)
}

func (t *table) head() app.UI {
	cells := make([]app.UI, 0, len(heads))
	for _, h := range heads {
		cell, mark := app.Th().Scope("col"), ""
		if h.by == t.Found.by {
			cell, mark = cell.Aria("sort", "ascending"), "↑"
			if t.Found.down {
				cell, mark = cell.Aria("sort", "descending"), "↓"
			}
		}
		if h.by == byFollowers {
			cell = cell.Class("Cell--number")
		}
		cells = append(cells, cell.Body(app.Button().Class("Sort").Type("button").Value(strconv.Itoa(int(h.by))).OnClick(t.sort).Body(
			ui.Span("", h.title),
			app.Span().Class("Sort-mark").Aria("hidden", "true").Text(mark),
		)))
	}
	return app.Tr().Aria("rowindex", "1").Body(cells...)
}

func spacer(id string) app.UI {
	return app.Tr().ID(id).Class("Spacer").Aria("hidden", "true").Body(app.Td().ColSpan(len(heads)))
}

func countText(f *found) string {
	if len(f.shown) == len(f.all) {
		return people(len(f.all))
	}
	return text.Number(len(f.shown)) + " of " + people(len(f.all))
}

// rowOf draws one person. Every cell is one line, so that all rows are of one
// height.
func (t *table) rowOf(i int) app.UI {
	index := t.Found.shown[i]
	r := t.Found.all[index].record
	cell := func(value string) app.UI { return app.Td().Text(oneLine(value)) }
	return app.Tr().Class(rowClass).Aria("rowindex", strconv.Itoa(i+2)).Body(
		app.Td().Body(app.Button().ID(rowID(index)).Class("Person-name").Type("button").
			Value(strconv.Itoa(int(index))).OnClick(t.show).Text(oneLine(nameOf(r)))),
		cell(r.Company),
		cell(r.Email),
		cell(r.Location),
		app.Td().Class("Cell--number").Text(oneLine(numberOf(r.Followers))),
		app.Td().Class("Person-source").Body(profileLink(r)),
	)
}

// profileLink says where a person was found, and leads to their profile. Keys go
// from name to name; what a name opens has the same link.
func profileLink(r *prospect.Record) app.UI {
	if r.HTMLURL == "" {
		return ui.Span("", sourceText(r))
	}
	return app.A().Attr("href", ui.Attr(r.HTMLURL)).Target("_blank").Rel("noopener noreferrer").TabIndex(-1).
		Aria("label", ui.Attr("GitHub profile of "+oneLine(nameOf(r)))).Text(sourceText(r))
}

func sourceText(r *prospect.Record) string {
	words := "page " + pageOf(r.SourceURL) + ", fetched " + r.FetchedAt.Local().Format("15:04:05")
	if !r.StarredAt.IsZero() {
		words = r.StarredAt.Local().Format("2 Jan 2006") + ", " + words
	}
	return words
}

func pageOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "1"
	}
	return cmp.Or(u.Query().Get("page"), "1")
}

// oneLine is a text for a cell; a dash for none.
func oneLine(s string) string {
	if s = strings.Join(strings.Fields(s), " "); s == "" {
		return "–"
	}
	return s
}

func (t *table) person() app.UI {
	r := t.one
	var facts []ui.Property
	for _, f := range []ui.Property{
		{Name: "Username", Value: r.Login},
		{Name: "Account type", Value: r.Type},
		{Name: "Company", Value: oneLine(r.Company)},
		{Name: "Email", Value: oneLine(r.Email)},
		{Name: "Website", Value: r.Blog},
		{Name: "Location", Value: oneLine(r.Location)},
		{Name: "Bio", Value: r.Bio},
		{Name: "Public repositories", Value: numberOf(r.PublicRepos)},
		{Name: "Followers", Value: numberOf(r.Followers)},
		{Name: "Account created", Value: dayOf(r.CreatedAt)},
		{Name: "Source", Value: r.Source + " of " + r.SourceRepo},
		{Name: "Starred", Value: dayOf(r.StarredAt)},
		{Name: "Source URL", Value: r.SourceURL},
		{Name: "Fetched", Value: r.FetchedAt.Local().Format("2 January 2006, 15:04:05")},
	} {
		if strings.TrimSpace(f.Value) != "" {
			facts = append(facts, f)
		}
	}
	var buttons []app.UI
	if r.HTMLURL != "" {
		buttons = append(buttons, app.A().Class("Button", "Button--plain").Attr("href", ui.Attr(r.HTMLURL)).
			Target("_blank").Rel("noopener noreferrer").Text("Open GitHub profile"))
	}
	buttons = append(buttons, ui.PlainButton("Close", t.hide))
	return app.Section().Class("Person").Aria("labelledby", personTitle).Body(
		app.H2().ID(personTitle).TabIndex(-1).Text(nameOf(r)),
		ui.Properties(facts),
		ui.Actions(buttons...),
	)
}

func numberOf(n *int) string {
	if n == nil {
		return ""
	}
	return text.Number(*n)
}

func dayOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Local().Format("2 January 2006")
}
