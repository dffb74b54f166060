package prospects

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/pages"
	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/ui"
)

// The IDs of the first step's form and buttons.
const (
	sourceForm   = "source-form"
	savedFile    = "saved"
	sampleButton = "try"
)

var sourceOrder = []string{"repo", "since", "target", "limit", "suppress", tokenField}

// sourceStep is the first step: which list of which repository, whom to keep,
// where to stop; or a saved run instead.
type sourceStep struct {
	page *extraction
	form ui.Form
	// resumed is the run that is to be resumed. unsaved tells that it is in no
	// file, because it did not come from one: see withAnotherToken.
	resumed *prospect.State
	unsaved bool
}

// defaultSource is the form as a newcomer finds it.
func defaultSource() map[string]string {
	return map[string]string{"source": string(codehost.Forks), "enrich": "yes"}
}

// sources are the ways people relate to a repository: after the words "People
// who", and what to know of each.
var sources = []struct {
	source     codehost.Source
	name, note string
}{
	{codehost.Forks, "forked it", "They have their own copy of the code. Newest first. Public list."},
	{codehost.Contributors, "contributed to it", "Their work is part of the project. Public list."},
	{codehost.Stargazers, "starred it", "Since July 2026, GitHub shows this list only to the repository’s admins and collaborators."},
	{codehost.Watchers, "watch it", "Since July 2026, GitHub shows this list only to the repository’s admins and collaborators."},
}

// boxes are the settings that are ticked or not.
var boxes = []struct {
	name, label, note string
	of                func(*prospect.Query) *bool
}{
	{"enrich", "Fetch profiles", "One request per person. Adds name, company, email, location and website. The three filters below need it.",
		func(q *prospect.Query) *bool { return &q.Enrich }},
	{"with-email", "Only people with a public email", "Needs a token.", func(q *prospect.Query) *bool { return &q.WithEmail }},
	{"with-company", "Only people with a company", "", func(q *prospect.Query) *bool { return &q.WithCompany }},
	{"with-blog", "Only people with a website", "", func(q *prospect.Query) *bool { return &q.WithBlog }},
}

// anyType is the choice of all accounts, the first: an option needs a value.
const anyType = "any"

// parseSource reads the form. wrong says by field what cannot be understood;
// then nothing else counts.
func parseSource(fields map[string]string, api string) (q prospect.Query, s *prospect.Suppression, wrong map[string]string) {
	wrong = map[string]string{}
	q = prospect.Query{Source: codehost.Source(fields["source"])}
	for _, b := range boxes {
		*b.of(&q) = fields[b.name] != ""
	}
	if fields["type"] != anyType {
		q.Type = fields["type"]
	}
	var err error
	if strings.TrimSpace(fields["repo"]) == "" {
		wrong["repo"] = "Enter a repository, for example acme/engine."
	} else if q.Repo, err = codehost.ParseRepo(fields["repo"], api); err != nil {
		wrong["repo"] = sentence(err)
	}
	for name, into := range map[string]*int{"target": &q.Target, "limit": &q.Limit} {
		if *into, err = wholeNumber(fields[name]); err != nil {
			wrong[name] = sentence(err)
		}
	}
	if since := fields["since"]; since != "" && q.Source == codehost.Stargazers {
		if q.StarredSince, err = time.Parse(time.DateOnly, since); err != nil {
			wrong["since"] = "This is not a date. Enter it as 2026-05-31."
		}
	}
	if s, err = prospect.ParseSuppression(strings.NewReader(fields["suppress"])); err != nil {
		wrong["suppress"] = sentence(err)
	}
	if len(wrong) > 0 {
		return prospect.Query{}, nil, wrong
	}
	return q, s, nil
}

// wholeNumber returns 0 for an empty field.
func wholeNumber(s string) (int, error) {
	s = strings.NewReplacer(",", "", " ", "", "\u00a0", "", "\u202f", "").Replace(s)
	if s == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 0, errors.New("enter a whole number of 1 or more, or leave the field empty")
	}
	return n, nil
}

func (s *sourceStep) submit() {
	s.form.Read()
	s.page.access.take()
	s.makePlan()
}

func (s *sourceStep) makePlan() {
	query, suppress, wrong := parseSource(s.form.Fields, pages.Content[Data](s.page.Page).API)
	if len(wrong) > 0 {
		s.page.refuse(&s.form, wrong)
		return
	}
	s.form.Wrong = nil
	s.page.plan.make(asSaved(query, s.form.Fields, s.resumed), suppress)
}

func (s *sourceStep) instead(source codehost.Source) app.EventHandler {
	return func(app.Context, app.Event) {
		s.form.Read()
		s.page.access.take()
		s.form.Fields["source"] = string(source)
		s.page.fillForms()
		s.makePlan()
	}
}

// otherLists offers what is still open when GitHub does not show a list.
func (s *sourceStep) otherLists() app.UI {
	return ui.Actions(
		ui.Button("Use forks instead", s.instead(codehost.Forks)),
		ui.PlainButton("Use contributors instead", s.instead(codehost.Contributors)),
	)
}

// chooseSource keeps the form true to the list: only stars have dates.
func (s *sourceStep) chooseSource(ctx app.Context, _ app.Event) {
	s.form.Fields["source"] = browser.SourceOf(ctx).Value
}

func (s *sourceStep) draw() []app.UI {
	parts := []app.UI{s.listPart(), s.filterPart(), s.page.access.draw(),
		app.Button().Class("Button").Type("submit").Text("Create plan")}
	return []app.UI{
		ui.P("Unscripted", "This page needs JavaScript. Turn it on, or use the command github-prospects, which does the same."),
		s.banner(),
		s.form.Draw(s.submit, parts...).DataSet("starting", "Loading. The plan starts in a moment."),
	}
}

// banner offers the other ways to begin, or says which of them was taken.
func (s *sourceStep) banner() app.UI {
	banner := app.Div().Class("Banner")
	if s.resumed != nil {
		parts := []app.UI{app.P().Text(resumedText(s.resumed, s.unsaved))}
		if s.unsaved {
			parts = append(parts, ui.PlainButton("Save run", s.saveResumed))
		}
		return banner.Body(append(parts, ui.PlainButton("Start a new run", s.dropResumed))...)
	}
	return banner.Body(
		ui.PlainButton("Try with sample data", func(app.Context, app.Event) { s.openSample() }).ID(sampleButton).
			DataSet("starting", "Loading. The sample opens in a moment."),
		app.Label().Class("Button", "Button--plain", "File").Body(
			ui.Span("", "Resume a saved run"),
			app.Input().ID(savedFile).Class("Hidden").Type("file").Accept(".json,application/json").OnChange(s.chooseRun),
		),
		ui.Link(s.page.Page.Href(pages.PathVerify), "Verify a list of emails"),
	)
}

func (s *sourceStep) listPart() app.UI {
	chosen := s.form.Fields["source"]
	choices := []app.UI{ui.Legend("People who")}
	for _, c := range sources {
		choices = append(choices, ui.Choice("source", string(c.source), c.name, c.note, chosen == string(c.source), s.chooseSource))
	}
	return ui.FormPart(
		ui.Field(&s.form, "repo", "Repository", "owner/repository or its URL",
			ui.TextInput("repo", s.form.Fields["repo"]).Attr("placeholder", "acme/engine")),
		s.form.Group("source", choices...),
	)
}

func (s *sourceStep) filterPart() app.UI {
	fields := s.form.Fields
	filters := []app.UI{ui.Legend("Filters")}
	for _, b := range boxes {
		filters = append(filters, ui.Box(b.name, b.label, b.note, fields[b.name] != "", nil))
	}
	types := [][2]string{{anyType, "People and organisations"}, {"User", "People only"}, {"Organization", "Organisations only"}}
	// It is always there: what comes and goes would move what was typed into the
	// fields behind it.
	since := app.Div().Body(ui.Field(&s.form, "since", "Starred since", "", ui.Input("since", fields["since"]).Type("date")))
	if fields["source"] != string(codehost.Stargazers) {
		since = since.Hidden(true)
	}
	return ui.FormPart(
		s.form.Group("filters", filters...),
		ui.Field(&s.form, "type", "Account type", "", ui.Selection("type", fields["type"], types)),
		since,
		ui.Field(&s.form, "target", "Target", "Stop after this many matches. Leave empty to check everyone.",
			ui.TextInput("target", fields["target"]).Attr("inputmode", "numeric").Attr("placeholder", "50")),
		ui.Field(&s.form, "limit", "Limit", "Check at most this many people. Leave empty for no limit.",
			ui.TextInput("limit", fields["limit"]).Attr("inputmode", "numeric")),
		ui.MoreFields("Suppression list",
			ui.Field(&s.form, "suppress", "People to suppress", suppressNote+" These people are left out of results and exports.",
				ui.ListArea("suppress", 4).Name("suppress").Text(fields["suppress"]))),
	)
}

const suppressNote = "Usernames, email addresses or domains, one per line."
