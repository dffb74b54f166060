// Package changelog draws the releases: all of them, those newer than a
// version, those about a skill; and the skills renamed or merged in 2.0.0.
package changelog

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/pages"
	"marketingskills/app/text"
	"marketingskills/app/ui"
)

// Data is the manifest's history, newest release first.
type Data struct {
	Releases []Release `json:"releases"`
	Renames  []Rename  `json:"renames"`
	// Skills are the names the filter offers.
	Skills []string `json:"skills"`
}

// Release is one release.
type Release struct {
	// Name is the version, or the date of a release that has none.
	Name     string `json:"name"`
	Date     string `json:"date"`
	Breaking bool   `json:"breaking,omitempty"`
	Items    []Item `json:"items"`
}

// Item is one change: a list item of safe HTML, and the skills it is about.
type Item struct {
	Markup string   `json:"markup"`
	Skills []string `json:"skills,omitempty"`
}

// Rename is one row of the table of names given up in 2.0.0.
type Rename struct {
	Old   string `json:"old"`
	New   string `json:"new"`
	Where string `json:"where,omitempty"`
}

// Draw draws the changelog.
func Draw(p *pages.Page, query string, visit int) []app.UI {
	return []app.UI{&changelog{Page: p, Query: query, Visit: visit}}
}

// changelog draws the releases. Query is the address's raw query: since is a
// version the visitor has, skill the name of one skill.
type changelog struct {
	app.Compo
	Page  *pages.Page
	Query string
	Visit int

	// query is what is shown: Query, and what the visitor chose since.
	query string
}

func (c *changelog) data() *Data { return pages.Content[Data](c.Page) }

// OnInit takes the address's query for the first drawing.
func (c *changelog) OnInit() { c.query = c.Query }

// OnUpdate follows an address that changed under the page.
func (c *changelog) OnUpdate(app.Context) {
	c.query = c.Query
	v := changelogOf(c.data(), c.query)
	browser.SetValue("since", cmp.Or(v.since, ui.NoChoice))
	browser.SetValue("skill", cmp.Or(v.skill, ui.NoChoice))
}

// ReleaseID is a release's anchor on the changelog page.
func ReleaseID(name string) string { return "v" + name }

// chosenIn reads one choice from an address's query.
func chosenIn(q map[string]string, name string) string {
	if value := q[name]; value != ui.NoChoice {
		return value
	}
	return ""
}

type changelogView struct {
	since, skill string
	releases     []Release
	summary      string
	filtered     bool
}

// changelogOf decides what the page shows for a query. A version or skill
// that is not known filters nothing, and the summary says so.
func changelogOf(d *Data, rawQuery string) changelogView {
	q := pages.ParseQuery(rawQuery)
	v := changelogView{since: chosenIn(q, "since"), skill: chosenIn(q, "skill"), releases: d.Releases}
	var unknown []string
	at := slices.IndexFunc(d.Releases, func(r Release) bool { return r.Name == v.since })
	switch {
	case at >= 0:
		v.releases = d.Releases[:at]
	case v.since != "":
		unknown = append(unknown, "There is no release “"+v.since+"”.")
		v.since = ""
	}
	if v.skill != "" && !slices.Contains(d.Skills, v.skill) {
		unknown = append(unknown, "The changelog has no skill “"+v.skill+"”.")
		v.skill = ""
	}
	if v.skill != "" {
		v.releases = touching(v.releases, v.skill)
	}
	v.filtered = v.since != "" || v.skill != ""
	v.summary = strings.Join(append(unknown, v.sentence(len(d.Releases), unknown != nil)), " ")
	return v
}

func touching(releases []Release, skill string) []Release {
	var kept []Release
	for _, r := range releases {
		items := slices.DeleteFunc(slices.Clone(r.Items), func(i Item) bool { return !slices.Contains(i.Skills, skill) })
		if len(items) > 0 {
			r.Items = items
			kept = append(kept, r)
		}
	}
	return kept
}

// sentence counts what is shown. When a filter was not understood and no
// other is set, it says that nothing is left out.
func (v changelogView) sentence(all int, unknown bool) string {
	n := len(v.releases)
	switch {
	case !v.filtered && unknown:
		return "All " + text.Count(all, "release") + " are shown."
	case !v.filtered:
		return text.Count(all, "release") + "."
	case n == 0 && v.skill == "":
		return "You have the latest release."
	case n == 0 && v.since != "":
		return "No newer release has changes to " + v.skill + "."
	case n == 0:
		return "No release has changes to " + v.skill + "."
	}
	breaking := 0
	for _, r := range v.releases {
		if r.Breaking {
			breaking++
		}
	}
	s := fmt.Sprintf("%d of %s", n, text.Count(all, "release"))
	if v.skill != "" {
		s += " with"
	}
	s += " " + v.what() + "."
	switch breaking {
	case 0:
		return s + " No breaking changes."
	case 1:
		return s + " 1 has breaking changes."
	default:
		return fmt.Sprintf("%s %d have breaking changes.", s, breaking)
	}
}

// what names the filters: "changes to sms, newer than 2.0.0".
func (v changelogView) what() string {
	var parts []string
	if v.skill != "" {
		parts = append(parts, "changes to "+v.skill)
	}
	if v.since != "" {
		parts = append(parts, "newer than "+v.since)
	}
	return strings.Join(parts, ", ")
}

// Render draws the page's middle and right columns.
func (c *changelog) Render() app.UI {
	v := changelogOf(c.data(), c.query)
	return app.Div().Class("Changelog").Body(
		releaseNav(c.data(), v),
		app.Div().Class("Changelog-column").Body(
			app.H1().ID("title").TabIndex(-1).Text(c.Page.Title),
			app.P().Class("Lead").Text("What changed in each release, latest first. Choose your version to see only newer releases."),
			c.controls(v),
			app.P().ID("summary").Class("Summary").Role("status").Text(v.summary),
			pinned(c.Page, c.data(), v),
			releaseList(v),
			renameTable(c.Page, c.data().Renames),
		),
	)
}

// releaseNav is the timeline: every release, those shown in ink.
func releaseNav(d *Data, v changelogView) app.UI {
	items := make([]app.UI, 0, len(d.Releases))
	for _, r := range d.Releases {
		shown := slices.ContainsFunc(v.releases, func(s Release) bool { return s.Name == r.Name })
		class := "Timeline-release"
		if r.Breaking {
			class += " Timeline-release--breaking"
		}
		if !shown {
			class += " Timeline-release--past"
		}
		parts := []app.UI{
			ui.Link("#"+ReleaseID(r.Name), r.Name),
			ui.Span("Timeline-date", r.Date),
		}
		if r.Breaking {
			parts = append(parts, ui.Span("Timeline-mark", "breaking"))
		}
		items = append(items, app.Li().Class(class).DataSet("release", ui.Attr(r.Name)).Body(parts...))
	}
	return app.Nav().Class("Timeline").Aria("label", "Releases").Body(app.Ol().Body(items...))
}

func (c *changelog) controls(v changelogView) app.UI {
	versions := make([]string, 0, len(c.data().Releases))
	for _, r := range c.data().Releases {
		versions = append(versions, r.Name)
	}
	return app.Div().Class("Controls").Body(
		c.choice("since", "Your version", "Show all releases", versions, v.since),
		c.choice("skill", "Skill", "All skills", c.data().Skills, v.skill),
	)
}

func (c *changelog) choice(id, label, none string, values []string, chosen string) app.UI {
	return app.Div().Class("Controls-choice").Body(
		app.Label().For(id).Text(label),
		app.Select().ID(id).Name(id).DataSet("changelog", id).OnChange(c.changed).Body(ui.Options(chosen, ui.Choices(none, values))...),
	)
}

func (c *changelog) changed(ctx app.Context, _ app.Event) {
	q := url.Values{}
	for name, value := range pages.ParseQuery(c.query) {
		q.Set(name, value)
	}
	if choice := browser.SourceOf(ctx); choice.Value == ui.NoChoice {
		q.Del(choice.Name)
	} else {
		q.Set(choice.Name, choice.Value)
	}
	c.query = q.Encode()
	browser.ReplaceQuery(c.query)
}

// pinned is what everybody must do who comes from before the newest release that
// breaks something, while that is shown.
func pinned(p *pages.Page, d *Data, v changelogView) app.UI {
	breaks := func(r Release) bool { return r.Breaking }
	i := slices.IndexFunc(d.Releases, breaks)
	if i < 0 || len(d.Renames) == 0 {
		return app.Div().ID("pinned").Hidden(true)
	}
	box := app.Div().ID("pinned").Class("Pinned")
	if v.skill != "" || !slices.ContainsFunc(v.releases, breaks) {
		box = box.Hidden(true)
	}
	return box.Body(
		app.P().Text("Coming from before "+d.Releases[i].Name+"? Install the collection anew: "+
			text.Count(len(d.Renames), "folder")+" were renamed or merged, and old ones would stay beside the new."),
		ui.Link(p.Href(pages.PathUpgrade), "Check your folders"),
	)
}

func releaseList(v changelogView) app.UI {
	sections := make([]app.UI, 0, len(v.releases))
	for _, r := range v.releases {
		sections = append(sections, release(r))
	}
	return app.Div().ID("releases").Body(sections...)
}

func release(r Release) app.UI {
	items := make([]app.UI, 0, len(r.Items))
	for _, i := range r.Items {
		items = append(items, app.Raw(i.Markup))
	}
	head := []app.UI{
		app.H2().ID(ui.Attr(ReleaseID(r.Name))).Body(ui.Link("#"+ReleaseID(r.Name), r.Name)),
		ui.Span("Release-date", r.Date),
	}
	parts := []app.UI{}
	if r.Breaking {
		head = append(head, ui.Span("Release-breaking", "Breaking"))
		parts = append(parts, app.P().Class("Release-hint").Body(
			ui.Link("#renames", "See all renamed and merged skills"),
		))
	}
	parts = append([]app.UI{app.Div().Class("Release-head").Body(head...)}, parts...)
	parts = append(parts, app.Ul().Class("Release-items").Body(items...))
	return app.Section().Class("Release").DataSet("release", ui.Attr(r.Name)).Body(parts...)
}

func renameTable(p *pages.Page, renames []Rename) app.UI {
	rows := make([]app.UI, 0, len(renames))
	for _, r := range renames {
		rows = append(rows, app.Tr().Body(
			app.Td().Body(app.Code().Text(r.Old)),
			app.Td().Body(app.Code().Body(ui.Link(p.Href("skills/"+r.New+"/"), r.New))),
			app.Td().Text(r.Where),
		))
	}
	return app.Section().Class("Renames").Body(
		app.H2().ID("renames").Text("Skills renamed or merged in 2.0.0"),
		app.P().Body(
			ui.Span("", "After an upgrade from 1.x, remove skill folders with old names. "+
				"Otherwise agents load the old and the new skill."),
		),
		app.Div().Class("Table").TabIndex(0).Role("group").Aria("label", "Renames").Body(
			app.Table().Body(
				app.THead().Body(app.Tr().Body(
					app.Th().Scope("col").Text("Old name"),
					app.Th().Scope("col").Text("New name"),
					app.Th().Scope("col").Text("Change"),
				)),
				app.TBody().Body(rows...),
			),
		),
	)
}
