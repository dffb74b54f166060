package prospects

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/pages"
	"marketingskills/app/prospect"
	"marketingskills/app/prospect/sample"
	"marketingskills/app/text"
)

// chooseRun is what choosing a file does.
func (s *sourceStep) chooseRun(app.Context, app.Event) {
	if name, content, ok := browser.ChosenFile(savedFile); ok {
		s.openRun(name, content)
	}
}

// openRun reads a saved run, of this page or of the command.
func (s *sourceStep) openRun(name string, content io.Reader) {
	x := s.page
	x.ask("Reading "+name+".", func(context.Context) func() {
		state, err := prospect.ReadState(content)
		return func() {
			switch base := pages.Content[Data](x.Page).API; {
			case err != nil:
				x.says.problem = "The file could not be opened. " + sentence(err)
			case state.Base == sample.Base:
				x.access.useSample(true)
				x.purpose.form.fields = sampleTerms()
				s.resume(state)
			case state.Base != base:
				x.says.problem = fmt.Sprintf("The file could not be opened: %s was saved with %s, and this page uses %s. "+
					"Resume it with the command github-prospects.", name, text.Plain(state.Base), base)
			default:
				s.resume(state)
			}
		}
	})
}

// resume goes on with a saved run. One that is finished is shown at once; for
// the rest of another a plan is made first.
func (s *sourceStep) resume(state *prospect.State) {
	x := s.page
	s.saved = state
	// A run does not say whom it was to suppress.
	suppressed := s.form.fields["suppress"]
	if typed, ok := browser.Value("suppress"); ok {
		suppressed = typed
	}
	s.form.fields = fieldsOf(state.Query)
	s.form.fields["suppress"] = suppressed
	x.purpose.form.fields = termsOf(state.Query, x.purpose.form.fields)
	list, err := prospect.ParseSuppression(strings.NewReader(suppressed))
	if err != nil || !state.Finished() {
		x.after(runOpened)
		return
	}
	job, err := x.plan.newJob(state.Query, list)
	if err != nil {
		x.says.problem = sentence(err)
		return
	}
	x.plan.query, x.plan.job, x.plan.made = state.Query, job, false
	if state.Query.Purpose == "" {
		// The command asks for none; here nothing is exported without one.
		x.after(runUnnamed)
		return
	}
	x.run.start()
	x.run.current.opened = true
}

// withAnotherToken goes on with what a run has.
func (s *sourceStep) withAnotherToken(r *run) {
	s.page.run.current = nil
	s.page.access.drop()
	s.carried = !r.inFile
	s.page.guard()
	s.resume(r.job.State())
}

func (s *sourceStep) dropSaved(app.Context, app.Event) {
	s.saved, s.carried = nil, false
	s.page.guard()
	s.page.after(sourceWanted)
}

// fieldsOf is a query as the form would say it.
func fieldsOf(q prospect.Query) map[string]string {
	fields := map[string]string{"repo": q.Repo.String(), "source": string(q.Source), "type": q.Type}
	boxes := map[string]bool{"enrich": q.Enrich, "with-email": q.WithEmail, "with-company": q.WithCompany, "with-blog": q.WithBlog}
	for name, on := range boxes {
		if on {
			fields[name] = "yes"
		}
	}
	for name, n := range map[string]int{"target": q.Target, "limit": q.Limit} {
		if n > 0 {
			fields[name] = strconv.Itoa(n)
		}
	}
	if !q.StarredSince.IsZero() {
		fields["since"] = q.StarredSince.UTC().Format(time.DateOnly)
	}
	return fields
}

// asSaved gives a query the moment of a saved one, of which the form shows the
// day, unless the day was changed.
func asSaved(q prospect.Query, fields map[string]string, saved *prospect.State) prospect.Query {
	if saved != nil && fields["since"] == fieldsOf(saved.Query)["since"] {
		q.StarredSince = saved.Query.StarredSince
	}
	return q
}

// savedText is what a saved run holds.
func savedText(s *prospect.State) string {
	checked, matches := 0, 0
	for _, e := range s.People {
		if e.Verdict != prospect.Waiting && !e.Again {
			checked++
		}
		if e.Verdict == prospect.Matched {
			matches++
		}
	}
	return fmt.Sprintf("Resuming the run saved on %s: %s checked, %s. Saved profiles are not fetched again.",
		s.SavedAt.Local().Format("2 January 2006, 15:04"), people(checked), text.Count(matches, "match"))
}
