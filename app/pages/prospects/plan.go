package prospects

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/text"
	"marketingskills/app/ui"
)

// planStep is the second step: what the run needs, before it starts.
type planStep struct {
	page  *extraction
	query prospect.Query
	job   *prospect.Job  // nil until there is a plan, or a finished run was opened
	plan  *prospect.Plan // of the job; nil: it needs none, or there is none yet
}

// make finds out what a run needs, and shows it.
func (s *planStep) make(query prospect.Query, suppress *prospect.Suppression) {
	x := s.page
	if _, err := x.access.connect(); err != nil {
		x.access.reject(err)
		return
	}
	if query.WithEmail && !x.access.authenticated() {
		x.refuse(&x.source.form, map[string]string{
			tokenField: "GitHub shows email addresses only to requests with a token. Add a token, or clear the email filter.",
		})
		return
	}
	job, err := s.newJob(query, suppress)
	if err != nil {
		x.says.problem = sentence(err)
		return
	}
	x.operation.Run(x, "Creating the plan.", func(ctx context.Context) func() {
		plan, err := job.Plan(codehost.WithNotices(ctx, func(n codehost.Notice) { s.waiting(ctx, n) }))
		return func() {
			switch {
			case errors.Is(err, codehost.ErrBadToken):
				x.access.reject(err)
			case err != nil:
				x.says.problem = sentence(err)
				x.says.restricted = errors.Is(err, codehost.ErrRestricted)
			default:
				s.query, s.job, s.plan = query, job, &plan
				x.show(atPlan)
			}
		}
	})
}

// waiting is called outside the UI goroutine.
func (s *planStep) waiting(ctx context.Context, n codehost.Notice) {
	s.page.ctx.Dispatch(func(app.Context) {
		if n.Kind == codehost.NoticeWaiting && ctx.Err() == nil {
			s.page.says.status = "GitHub asked for a pause until " + text.Clock(n.Until) + ". The plan continues then."
		}
	})
}

// newJob is a job with the present token, and with what a saved run has.
func (s *planStep) newJob(query prospect.Query, suppress *prospect.Suppression) (*prospect.Job, error) {
	client, err := s.page.access.connect()
	if err != nil {
		return nil, err
	}
	return prospect.NewJob(client, query, prospect.Options{Suppress: suppress, State: s.page.source.resumed})
}

func (s *planStep) clear() { s.job, s.plan = nil, nil }

func (s *planStep) draw() []app.UI {
	p := *s.plan
	parts := []app.UI{ui.Heading("Requests and time"), ui.Properties(planFacts(p))}
	if p.Quota.Known && p.Quota.Limit > 0 {
		parts = append(parts, gauge(p))
	}
	for _, words := range planRemarks(p, s.page.access.authenticated()) {
		parts = append(parts, ui.Remark(words))
	}
	buttons := []app.UI{s.page.leads(ui.PlainButton("Back", nil), atSource)}
	if p.People > 0 {
		buttons = append([]app.UI{s.page.leads(ui.Button("Continue", nil), atPurpose)}, buttons...)
	}
	return append(parts, ui.Actions(buttons...))
}

func planFacts(p prospect.Plan) []ui.Property {
	atMost := "at most "
	if p.Exact {
		atMost = ""
	}
	facts := []ui.Property{{Name: "People to check", Value: atMost + text.Number(p.People)}}
	needed := text.Number(p.Requests)
	if !p.Exact && p.Requests > 0 {
		needed = atMost + needed
	}
	if p.Least < p.Requests {
		needed = text.Number(p.Least) + " to " + text.Number(p.Requests)
	}
	if profiles := p.Requests - p.Pages; p.Pages > 0 && profiles > 0 {
		needed += fmt.Sprintf(" (%s, %s)", text.Count(p.Pages, "more list page"), text.Count(profiles, "profile"))
	}
	facts = append(facts, ui.Property{Name: "Requests needed", Value: needed})
	if p.Spent > 0 {
		facts = append(facts, ui.Property{Name: "Requests used for this plan", Value: text.Number(p.Spent)})
	}
	least := "under 1 minute"
	switch {
	case p.Resets > 1:
		least = "at least " + text.Duration(time.Duration(p.Resets-1)*time.Hour) + " because of the API quota"
	case p.PacedTime > 0:
		least = "at least " + text.Duration(p.PacedTime)
	}
	return append(facts, ui.Property{Name: "Estimated time", Value: least})
}

func planRemarks(p prospect.Plan, token bool) []string {
	if p.People == 0 {
		return []string{"This list is empty. Choose another list or repository."}
	}
	var remarks []string
	if !p.Exact {
		remarks = append(remarks, "GitHub reports pages, not people, so these numbers are maximums.")
	}
	if !p.Fits {
		more := "The run stops when the quota is used up and keeps its results. You can resume it after the reset."
		if p.Resets > 1 {
			more = fmt.Sprintf("The run stops %d times and keeps its results. You can resume it after each reset.", p.Resets)
		}
		remarks = append(remarks, "Your remaining API quota is too small. It resets at "+text.Clock(p.Quota.Reset)+". "+more)
	}
	if !token {
		remarks = append(remarks, "Without a token, GitHub allows 60 requests an hour and shows no email addresses.")
	}
	if !p.Query.Enriches() {
		remarks = append(remarks, "Profiles are not fetched, so the list has no names, companies, emails or locations.")
	}
	return remarks
}

// gauge is the quota of the hour: what is used, what this run needs, what
// remains.
func gauge(p prospect.Plan) app.UI {
	q := p.Quota
	whole := float64(q.Limit)
	used := float64(q.Limit-q.Remaining) / whole
	needed := min(float64(p.Requests)/whole, 1-used)
	return ui.Div("Gauge",
		ui.Bar(
			ui.Part{Class: "Bar-used", Share: used},
			ui.Part{Class: "Bar-needed", Share: needed},
			ui.Part{Class: "Bar-rest", Share: 1 - used - needed},
		),
		app.Ul().Class("Key").Body(
			ui.Key("Bar-used", text.Number(q.Limit-q.Remaining), "Used this hour"),
			ui.Key("Bar-needed", text.Number(p.Requests), "This run (at most)"),
			ui.Key("Bar-rest", text.Number(max(q.Remaining-p.Requests, 0)), "Remaining after this run"),
		),
		ui.P("Soft", quotaText(q)+". "+shareText(p.Share)),
	)
}

// shareText is how much of the quota the run needs, rounded up.
func shareText(share float64) string {
	switch {
	case share == 0:
		return "This run needs none of it."
	case share < 0.01:
		return "This run needs less than 1% of one hour’s API quota."
	default:
		return fmt.Sprintf("This run needs at most %.0f%% of one hour’s API quota.", math.Ceil(100*share))
	}
}

// quotaText is the quota as it was last heard of, without a full stop.
func quotaText(q codehost.Quota) string {
	words := "API quota: " + text.Number(q.Remaining) + " of " + text.Number(q.Limit) + " requests remaining"
	if q.Reset.After(time.Now()) && q.Remaining < q.Limit {
		words += ", resets at " + q.Reset.Local().Format("15:04")
	}
	return words
}
