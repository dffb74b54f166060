package prospects

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/ui"
)

// planSaid is the plan in a few words.
func (x *extraction) planSaid() string {
	if !x.planned || x.stage == atSource {
		return ""
	}
	return people(x.plan.People) + ", " + requests(x.plan.Requests)
}

func (x *extraction) planStep() []app.UI {
	p := x.plan
	parts := []app.UI{
		app.H2().Class("Section").Text("What it will cost"),
		ui.Facts(planFacts(p)),
	}
	if p.Quota.Known && p.Quota.Limit > 0 {
		parts = append(parts, gauge(p))
	}
	for _, remark := range planRemarks(p, x.token.Present() || x.sample) {
		parts = append(parts, app.P().Class("Remark").Text(remark))
	}
	var actions []app.UI
	if p.People > 0 {
		actions = append(actions, firstButton("Go on to the purpose", x.toPurpose))
	}
	actions = append(actions, plainButton("Change the source", x.toSource))
	return append(parts, app.Div().Class("Actions").Body(actions...))
}

// planFacts are the numbers of a plan.
func planFacts(p prospect.Plan) []ui.Fact {
	atMost := "at most "
	if p.Exact {
		atMost = ""
	}
	facts := []ui.Fact{{Name: "People to consider", Value: atMost + ui.Number(p.People)}}
	spent := ui.Number(p.Requests)
	if !p.Exact && p.Requests > 0 {
		spent = atMost + spent
	}
	if p.Least < p.Requests {
		spent = ui.Number(p.Least) + " to " + ui.Number(p.Requests)
	}
	if profiles := p.Requests - p.Pages; p.Pages > 0 && profiles > 0 {
		spent += fmt.Sprintf(" (%s, %s)", plural(p.Pages, "more page", "more pages"), plural(profiles, "profile", "profiles"))
	}
	facts = append(facts, ui.Fact{Name: "Requests still to send", Value: spent})
	if p.Spent > 0 {
		facts = append(facts, ui.Fact{Name: "Spent on this plan", Value: ui.Number(p.Spent)})
	}
	least := "under a minute"
	switch {
	case p.Resets > 1:
		least = "at least " + duration(time.Duration(p.Resets-1)*time.Hour) + ", by the quota"
	case p.PacedTime > 0:
		least = "at least " + duration(p.PacedTime)
	}
	return append(facts, ui.Fact{Name: "Time, at 900 requests a minute", Value: least})
}

// planRemarks are what a plan gives reason to say.
func planRemarks(p prospect.Plan, token bool) []string {
	var said []string
	switch {
	case p.People == 0:
		return []string{"The list is empty: there is nobody to find."}
	case !p.Exact:
		said = append(said, "The host says how many pages there are, not how many people: the last page may be short.")
	}
	if !p.Fits {
		more := "The run stops when it is used up, keeps what it found, and can go on after that."
		if p.Resets > 1 {
			more = fmt.Sprintf("The run stops %d times on the way, keeps what it found, and can go on each time the quota is back.", p.Resets)
		}
		said = append(said, fmt.Sprintf("This does not fit into what is left: the quota is whole again at %s. %s", clock(p.Quota.Reset), more))
	}
	if !token {
		said = append(said, "Without a token the host allows 60 requests an hour and shows no addresses.")
	}
	if !p.Query.Enriches() {
		said = append(said, "Profiles are not read: the list has logins and nothing more.")
	}
	return said
}

// gauge is the hour's quota: what is spent, what this run takes, what stays.
func gauge(p prospect.Plan) app.UI {
	q := p.Quota
	whole := float64(q.Limit)
	spent := float64(q.Limit-q.Remaining) / whole
	takes := min(float64(p.Requests)/whole, 1-spent)
	return app.Div().Class("Gauge").Body(
		ui.Bar(ui.Part{Class: "Bar-spent", Share: spent}, ui.Part{Class: "Bar-takes", Share: takes}, ui.Part{Class: "Bar-rest", Share: 1 - spent - takes}),
		app.Ul().Class("Key").Body(
			key("Bar-spent", ui.Number(q.Limit-q.Remaining), "used this hour"),
			key("Bar-takes", ui.Number(p.Requests), "this run, at most"),
			key("Bar-rest", ui.Number(max(q.Remaining-p.Requests, 0)), "stay"),
		),
		app.P().Class("Soft").Text(quotaText(q)+". "+shareText(p.Share)),
	)
}

// key is one entry of a picture's legend: colour, number, word.
func key(class, number, word string) app.UI {
	return app.Li().Class("Key-entry").Body(
		app.Span().Class("Key-colour", class).Aria("hidden", "true"),
		ui.Span("Key-number", number),
		ui.Span("", word),
	)
}

func shareText(share float64) string {
	switch {
	case share == 0:
		return "This run needs none of it."
	case share < 0.01:
		return "This run needs less than 1% of an hour’s quota."
	default:
		return fmt.Sprintf("This run needs at most %.0f%% of an hour’s quota.", math.Ceil(100*share))
	}
}

func quotaText(q codehost.Quota) string {
	text := "Quota " + ui.Number(q.Remaining) + " of " + ui.Number(q.Limit) + " left"
	if q.Reset.After(time.Now()) && q.Remaining < q.Limit {
		text += ", back to full at " + q.Reset.Local().Format("15:04")
	}
	return text
}

// limitText is an error in a sentence; a limit tells its end by the visitor's
// clock.
func limitText(err error, token bool) string {
	until, limit := codehost.RetryAt(err)
	if !limit {
		return sentence(err)
	}
	text := "The host’s limit is reached; it is over at " + clock(until) + ". Nothing is asked until then."
	if _, quota := errors.AsType[*codehost.QuotaError](err); quota && !token {
		text += " With a token there are 5,000 requests an hour instead of 60."
	}
	return text
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return ui.Number(n) + " " + many
}

func requests(n int) string { return plural(n, "request", "requests") }

// duration is a time in words.
func duration(d time.Duration) string {
	minutes := int(d.Round(time.Minute).Minutes())
	if minutes < 60 {
		return plural(max(minutes, 1), "minute", "minutes")
	}
	return strings.TrimSuffix(plural(minutes/60, "hour", "hours")+" "+plural(minutes%60, "minute", "minutes"), " 0 minutes")
}

// countdown is a time as on a stopwatch.
func countdown(d time.Duration) string {
	s := max(int(d.Round(time.Second).Seconds()), 0)
	if s < 3600 {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}
