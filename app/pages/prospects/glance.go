package prospects

import (
	"maps"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/prospect"
	"marketingskills/app/ui"
)

// mostBars is how many companies and places a picture names.
const mostBars = 5

// bar is one line of a picture.
type bar struct {
	name  string
	count int
}

// glanceOf are the pictures of what was found.
func glanceOf(r *run, q prospect.Query) app.UI {
	outcome := picture("Outcome", outcomes(r.counts), 1, "")
	if !q.Enriches() {
		return app.Div().Class("Glance").Body(outcome)
	}
	g := &r.glance
	return app.Div().Class("Glance").Body(
		picture("Company", shares(g.Companies(mostBars)), g.WithCompany, "No company is given."),
		picture("Place", shares(g.Locations(mostBars)), g.WithLocation, "No place is given."),
		app.Div().Class("Glance-last").Body(
			picture("Address published", []bar{{"Yes", g.WithEmail}, {"No", g.People - g.WithEmail}}, 1, ""),
			outcome,
		),
	)
}

func shares(list []prospect.Share) []bar {
	bars := make([]bar, 0, len(list))
	for _, s := range list {
		bars = append(bars, bar{s.Name, s.Count})
	}
	return bars
}

// outcomes are how everybody considered ended, the causes of the filtered by
// themselves.
func outcomes(c prospect.Counts) []bar {
	bars := []bar{{"Kept", c.Matches}}
	for _, cause := range slices.Sorted(maps.Keys(c.FilteredBy)) {
		bars = append(bars, bar{capital(causeName(cause)), c.FilteredBy[cause]})
	}
	if c.Suppressed > 0 {
		bars = append(bars, bar{"Suppressed", c.Suppressed})
	}
	if c.Failed > 0 {
		bars = append(bars, bar{"Failed", c.Failed})
	}
	return bars
}

// picture is a list of bars, the largest in the accent. some is how many gave
// anything at all; when nobody did, none says so.
func picture(title string, bars []bar, some int, none string) app.UI {
	most := 0
	for _, b := range bars {
		most = max(most, b.count)
	}
	marked := false
	items := make([]app.UI, 0, len(bars)+1)
	for _, b := range bars {
		class := "Bar-some"
		if b.count == most && most > 0 && !marked {
			class, marked = "Bar-most", true
		}
		items = append(items, app.Li().Class("Picture-line").Body(
			ui.Span("Picture-name", b.name),
			ui.Bar(ui.Part{Class: class, Share: float64(b.count) / float64(max(most, 1))}),
			ui.Span("Picture-number", ui.Number(b.count)),
		))
	}
	if some == 0 {
		items = append(items, app.Li().Class("Soft").Text(none))
	}
	return app.Section().Class("Picture").Body(app.H2().Text(title), app.Ul().Body(items...))
}
