package prospects

import (
	"bytes"
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
	"marketingskills/app/text"
)

func (s *sourceStep) chooseRun(app.Context, app.Event) {
	if name, content, ok := browser.ChosenFile(savedFile); ok {
		s.openRun(name, content)
	}
}

// sampleBase is the URL of the API that the sample data says it came from.
// Nobody can have that name (RFC 6761).
const sampleBase = "https://api.sample.invalid"

// openSample shows the sample data: a finished run of people who do not exist.
func (s *sourceStep) openSample() {
	x := s.page
	x.Tell("Loading the sample.", "")
	browser.Fetch(x.ctx, pages.Content[Data](x.Page).Sample, func(_ app.Context, body []byte, err error) {
		if err != nil {
			x.Tell("", "The sample could not be loaded. Check your connection and try again.")
			return
		}
		s.openRun("the sample", bytes.NewReader(body))
	})
}

func (s *sourceStep) openRun(name string, content io.Reader) {
	x := s.page
	x.operation.Run(x, "Reading "+name+".", func(context.Context) func() {
		state, err := prospect.ReadState(content)
		return func() {
			switch base := pages.Content[Data](x.Page).API; {
			case err != nil:
				x.says.problem = "The file could not be opened. " + sentence(err)
			case state.Base == sampleBase && state.Finished():
				x.access.useSample(true)
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
	s.resumed = state
	// A run does not say whom it was to suppress.
	suppressed := s.form.Fields["suppress"]
	if typed, ok := browser.Value("suppress"); ok {
		suppressed = typed
	}
	s.form.Fields = fieldsOf(state.Query)
	s.form.Fields["suppress"] = suppressed
	x.purpose.form.Fields = termsOf(state.Query, x.purpose.form.Fields)
	list, err := prospect.ParseSuppression(strings.NewReader(suppressed))
	if err != nil || !state.Finished() {
		x.show(atSource)
		return
	}
	job, err := x.plan.newJob(state.Query, list)
	if err != nil {
		x.says.problem = sentence(err)
		return
	}
	x.plan.query, x.plan.job, x.plan.plan = state.Query, job, nil
	if state.Query.Purpose == "" {
		// The command asks for none; here nothing is exported without one.
		x.show(atPurpose)
		return
	}
	inFile := !s.unsaved
	x.run.start()
	x.run.current.opened = inFile
}

// withAnotherToken resumes a run that stopped here.
func (s *sourceStep) withAnotherToken(r *run) {
	s.page.verify.apply()
	s.page.run.clear()
	s.page.access.drop()
	s.unsaved = !r.inFile
	s.page.guard()
	s.resume(r.job.State())
}

// saveResumed gives the visitor the run that is to be resumed as a file.
func (s *sourceStep) saveResumed(app.Context, app.Event) {
	state := s.resumed
	_, matches := checkedOf(state)
	pages.Download(s.page, s.page.export.fileName(".run.json"), "application/json", people(matches), state.Write, func() {
		if s.resumed == state {
			s.unsaved = false
			s.page.guard()
		}
	})
}

// dropResumed is what “Start a new run” does. Results that are in no file yet
// are asked about first.
func (s *sourceStep) dropResumed(app.Context, app.Event) {
	if _, matches := checkedOf(s.resumed); s.unsaved && !confirmDiscard(matches) {
		return
	}
	s.resumed, s.unsaved = nil, false
	s.page.guard()
	s.page.show(atSource)
}

func confirmDiscard(matches int) bool {
	return browser.Confirm("Not downloaded yet: " + text.Count(matches, "match") + ". Start a new run and discard the results?")
}

func fieldsOf(q prospect.Query) map[string]string {
	fields := map[string]string{"repo": q.Repo.String(), "source": string(q.Source), "type": q.Type}
	for _, b := range boxes {
		if *b.of(&q) {
			fields[b.name] = "yes"
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

// checkedOf counts the people of a saved run who were checked, and the matches
// among them.
func checkedOf(s *prospect.State) (checked, matches int) {
	for _, e := range s.People {
		if e.Verdict != prospect.Waiting && !e.Again {
			checked++
		}
		if e.Verdict == prospect.Matched {
			matches++
		}
	}
	return checked, matches
}

func resumedText(s *prospect.State, unsaved bool) string {
	which, notice := "saved on "+s.SavedAt.Local().Format("2 January 2006, 15:04"), ""
	if unsaved {
		which, notice = "that stopped", "These results are not downloaded yet: save the run before you leave this page. "
	}
	checked, matches := checkedOf(s)
	return fmt.Sprintf("Resuming the run %s: %s checked, %s. %sProfiles that were fetched are not fetched again.",
		which, people(checked), text.Count(matches, "match"), notice)
}
