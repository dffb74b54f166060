package prospects

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/text"
	"marketingskills/app/ui"
)

func total(r *run) int { return max(r.progress.People, r.counts.Listed) }

// progressBar is how far the run is: by people checked, or by the target when
// that is nearer.
func progressBar(r *run) app.UI {
	whole := float64(max(total(r), 1))
	if t := r.progress.Target; t > 0 && r.counts.Matches > 0 {
		// At this rate the target is reached after so many people.
		whole = min(whole, float64(t)*float64(r.counts.Listed)/float64(r.counts.Matches))
	}
	part := func(class string, n int) ui.Part { return ui.Part{Class: class, Share: float64(n) / whole} }
	c := r.counts
	return ui.Bar(part("Bar-match", c.Matches), part("Bar-filtered", c.Filtered+c.Suppressed), part("Bar-failed", c.Failed))
}

func numbers(r *run) []ui.Property {
	c := r.counts
	list := []ui.Property{{Name: "Matches", Value: text.Number(c.Matches)}, {Name: "Filtered out", Value: text.Number(c.Filtered)}}
	if c.Suppressed > 0 {
		list = append(list, ui.Property{Name: "Suppressed", Value: text.Number(c.Suppressed)})
	}
	list = append(list, ui.Property{Name: "Failed", Value: text.Number(c.Failed)})
	if r.active() || !r.report.Complete {
		remaining := ui.Property{Name: "Remaining", Value: text.Number(max(total(r)-c.Listed, 0))}
		if !r.progress.Exact {
			remaining.Name = "Remaining (at most)"
		}
		list = append(list, remaining)
	}
	if r.active() {
		left := ui.Property{Name: "Time left", Value: "–"}
		if r.progress.TimeLeft >= 0 {
			left.Value = text.Countdown(r.progress.TimeLeft)
		}
		list = append(list, left)
	}
	return list
}

func quotaLine(r *run, q prospect.Query) string {
	words := "GitHub reports no API quota."
	if r.progress.Quota.Known {
		words = quotaText(r.progress.Quota) + "."
	}
	if remaining := total(r) - r.counts.Listed; remaining > 0 && q.Enriches() && r.progress.Target == 0 {
		words += fmt.Sprintf(" About %s needed.", text.Count(remaining, "more request"))
	}
	if sent := r.progress.Requests; sent > 0 {
		words += " " + text.Count(sent, "request") + " sent."
	}
	return words
}

// waitView is what the page says of a wait for GitHub: a clock that counts
// down, a sentence, and whether to offer that the run goes on by itself.
type waitView struct {
	clock, words string
	offer        bool
}

func waitOf(r *run, now time.Time) waitView {
	view := func(until time.Time, words string, offer bool) waitView {
		return waitView{text.Countdown(until.Sub(now)), fmt.Sprintf(words, text.Clock(until)) + " No requests are sent until then.", offer}
	}
	stop := r.report.Stop
	switch {
	case r.active() && r.wait != nil:
		return view(r.wait.Until, "GitHub asked for a pause. The run resumes automatically at %s.", false)
	case r.active() || stop == nil || stop.RetryAt.IsZero():
		return waitView{}
	case !r.limited(now):
		return waitView{words: "You can resume the run now."}
	}
	if errors.Is(stop.Err, codehost.ErrPause) {
		return view(stop.RetryAt, "GitHub asked for a long pause, until %s.", true)
	}
	return view(stop.RetryAt, "The API quota is used up. It resets at %s.", true)
}

const mostFailures = 50

func drawFailures(failed map[int]prospect.Entry) []app.UI {
	if len(failed) == 0 {
		return nil
	}
	order := slices.Sorted(maps.Keys(failed))
	shown := min(len(order), mostFailures)
	items := make([]app.UI, 0, shown+1)
	for _, number := range order[:shown] {
		f := failed[number]
		if f.Login == "" {
			items = append(items, app.Li().Text(text.Capital(f.Detail)))
			continue
		}
		items = append(items, app.Li().Body(app.Code().Text(f.Login), ui.Span("Soft", f.Detail)))
	}
	if more := len(order) - shown; more > 0 {
		items = append(items, app.Li().Text(fmt.Sprintf("and %s more (see the saved run)", text.Number(more))))
	}
	return []app.UI{app.Details().Class("Failures").Body(
		app.Summary().Text("Failed: "+people(len(order))),
		app.Ul().Body(items...),
	)}
}

func endText(report prospect.Report, c prospect.Counts) string {
	checked := text.Count(c.Matches, "match") + " of " + people(c.Listed) + " checked."
	retryable := c.Temporary()
	switch {
	case report.Complete && retryable > 0:
		return "Complete. " + checked + " " + text.Count(retryable, "profile") + " failed with a temporary error. Retry now or later."
	case report.Complete && report.Query.Target > 0 && c.Matches >= report.Query.Target:
		return "Complete: target reached. " + checked
	case report.Complete:
		return "Complete. " + checked
	case report.Stop.Interrupted():
		return "Stopped. " + checked + " Results are kept. You can resume the run."
	default:
		return "The run stopped early. " + checked + " Results are kept."
	}
}

// whyText is what went wrong; of a limit the clock says it.
func whyText(stop *prospect.Stop) string {
	if stop == nil || stop.Interrupted() || !stop.RetryAt.IsZero() {
		return ""
	}
	return sentence(stop.Err)
}

const mostBars = 5

func drawSummary(r *run, q prospect.Query) app.UI {
	outcome := picture("Outcome", outcomes(r.counts), 1, "")
	if !q.Enriches() {
		return ui.Div("Pictures", outcome)
	}
	g := &r.summary
	return ui.Div("Pictures",
		picture("Company", g.Companies(mostBars), g.WithCompany, "No profile has a company."),
		picture("Location", g.Locations(mostBars), g.WithLocation, "No profile has a location."),
		ui.Div("Pictures-last",
			picture("Public email", []prospect.Share{{Name: "Yes", Count: g.WithEmail}, {Name: "No", Count: g.People - g.WithEmail}}, 1, ""),
			outcome,
		),
	)
}

// outcomes are how everybody checked ended, each filter by itself.
func outcomes(c prospect.Counts) []prospect.Share {
	bars := []prospect.Share{{Name: "Matches", Count: c.Matches}}
	for _, cause := range slices.Sorted(maps.Keys(c.FilteredBy)) {
		bars = append(bars, prospect.Share{Name: text.Capital(prospect.CauseTitle(cause)), Count: c.FilteredBy[cause]})
	}
	if c.Suppressed > 0 {
		bars = append(bars, prospect.Share{Name: "Suppressed", Count: c.Suppressed})
	}
	if c.Failed > 0 {
		bars = append(bars, prospect.Share{Name: "Failed", Count: c.Failed})
	}
	return bars
}

// picture is a list of bars. some is how many gave anything at all; when nobody
// did, none says so.
func picture(title string, bars []prospect.Share, some int, none string) app.UI {
	most := 0
	for _, b := range bars {
		most = max(most, b.Count)
	}
	items := make([]app.UI, 0, len(bars)+1)
	for _, b := range bars {
		items = append(items, app.Li().Class("Picture-line").Body(
			ui.Span("Picture-name", b.Name),
			ui.Bar(ui.Part{Class: "Bar-some", Share: float64(b.Count) / float64(max(most, 1))}),
			ui.Span("Picture-number", text.Number(b.Count)),
		))
	}
	if some == 0 {
		items = append(items, app.Li().Class("Soft").Text(none))
	}
	return app.Section().Class("Picture").Body(app.H2().Text(title), app.Ul().Body(items...))
}
