package prospects

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/ui"
)

// The IDs of the first step's form and fields. A field's name is its ID, but
// for choices.
const (
	sourceForm   = "source-form"
	tokenField   = "token"
	savedFile    = "saved"
	sampleButton = "try"
)

// sourceOrder is the order of the fields that something can be wrong with.
var sourceOrder = []string{"repo", "since", "target", "limit", "suppress", tokenField}

// anyType is the choice of all accounts, the first: an option needs a value.
const anyType = "any"

// sources are the ways people relate to a repository, and what to know of
// each.
var sources = []struct {
	source codehost.Source
	note   string
}{
	{codehost.Forks, "People who took a copy of the code to work on it. Newest first, open to everyone."},
	{codehost.Contributors, "People whose work is in it. Open to everyone."},
	{codehost.Stargazers, "Since July 2026 shown to the repository’s admins and collaborators only."},
	{codehost.Watchers, "Since July 2026 shown to the repository’s admins and collaborators only."},
}

// parseSource reads the first step's form. wrong says by field what cannot be
// understood; then nothing else counts.
func parseSource(fields map[string]string, hosts ...string) (q prospect.Query, s *prospect.Suppression, wrong map[string]string) {
	wrong = map[string]string{}
	q = prospect.Query{
		Source:      codehost.Source(fields["source"]),
		Enrich:      fields["enrich"] != "",
		WithEmail:   fields["with-email"] != "",
		WithCompany: fields["with-company"] != "",
		WithBlog:    fields["with-blog"] != "",
	}
	if fields["type"] != anyType {
		q.Type = fields["type"]
	}
	var err error
	if strings.TrimSpace(fields["repo"]) == "" {
		wrong["repo"] = "Write a repository, for example acme/engine."
	} else if q.Repo, err = codehost.ParseRepo(fields["repo"], hosts...); err != nil {
		wrong["repo"] = sentence(err)
	}
	for name, into := range map[string]*int{"target": &q.Target, "limit": &q.Limit} {
		if *into, err = wholeNumber(fields[name]); err != nil {
			wrong[name] = sentence(err)
		}
	}
	if since := fields["since"]; since != "" && q.Source == codehost.Stargazers {
		if q.StarredSince, err = time.Parse(time.DateOnly, since); err != nil {
			wrong["since"] = "That is no date. Write it as 2026-05-31."
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

// wholeNumber reads a number from 1 up as people write it; nothing is 0.
func wholeNumber(s string) (int, error) {
	s = strings.NewReplacer(",", "", " ", "", "\u00a0", "", "\u202f", "").Replace(s)
	if s == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 0, errors.New("write a whole number from 1 up, or nothing")
	}
	return n, nil
}

// fieldsOf is a query as the form would say it.
func fieldsOf(q prospect.Query) map[string]string {
	fields := map[string]string{"repo": q.Repo.String(), "source": string(q.Source), "type": q.Type}
	for name, on := range map[string]bool{"enrich": q.Enrich, "with-email": q.WithEmail, "with-company": q.WithCompany, "with-blog": q.WithBlog} {
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

// sourceSaid is the first step in a few words.
func (x *extraction) sourceSaid() string {
	if x.stage == atSource || x.job == nil {
		return ""
	}
	return string(x.query.Source) + " of " + x.query.Repo.String()
}

// sourceStep is where a newcomer lands.
func (x *extraction) sourceStep() []app.UI {
	parts := []app.UI{
		app.P().Class("Unscripted").Text("The extraction needs JavaScript. Without it, use the command github-prospects: the same engine, the same files."),
	}
	switch {
	case x.saved != nil:
		parts = append(parts, x.savedBanner())
	case x.sample:
		parts = append(parts, app.Div().Class("Banner").Body(
			app.P().Text("These are the settings of the sample. Change them, or leave it for a run of your own."),
			plainButton("Leave the sample", x.leaveSample),
		))
	default:
		parts = append(parts, app.Div().Class("Banner").Body(
			plainButton("Try it on invented people", func(app.Context, app.Event) { x.startSample() }).ID(sampleButton).
				DataSet("starting", "The sample is starting."),
			app.Label().Class("Button", "Button--plain", "File").Body(
				ui.Span("", "Go on with a saved run"),
				app.Input().ID(savedFile).Class("Hidden").Type("file").Accept(".json,application/json").OnChange(x.openRun),
			),
		))
	}
	form := []app.UI{x.where(), x.filters()}
	if !x.sample {
		form = append(form, x.tokenPart())
	}
	form = append(form, app.Button().Class("Button").Type("submit").Text("Plan it"))
	return append(parts, formOf(sourceForm, x.makePlan).
		DataSet("starting", "The page is starting. The plan comes in a moment.").
		Body(form...))
}

// formOf is a form that is never sent anywhere. Its method says so to the
// browser, for the moment before any script runs: what stands in it, a token
// for one, must not end up in an address.
func formOf(id string, submitted func()) app.HTMLForm {
	return app.Form().ID(id).Class("Form").Method("dialog").Attr("autocomplete", "off").
		OnSubmit(func(_ app.Context, e app.Event) { e.PreventDefault(); submitted() }, app.EventScope(id))
}

// where is the repository and the way people relate to it.
func (x *extraction) where() app.UI {
	choices := make([]app.UI, 0, len(sources)+1)
	choices = append(choices, app.Legend().Text("People who"))
	for _, s := range sources {
		choices = append(choices, choice("source", string(s.source), sourceNames[s.source], s.note, x.fields["source"] == string(s.source), x.chooseSource))
	}
	return app.Div().Class("Form-part").Body(
		field(x, "repo", "Repository", "owner/repository, or its address", text("repo", x.fields["repo"]).Attr("placeholder", "acme/engine")),
		app.FieldSet().Class("Choices").Body(choices...),
	)
}

// sourceNames say after "People who" what the sources are.
var sourceNames = map[codehost.Source]string{
	codehost.Forks:        "forked it",
	codehost.Contributors: "contributed to it",
	codehost.Stargazers:   "starred it",
	codehost.Watchers:     "watch it",
}

// filters is whom to keep and where to stop.
func (x *extraction) filters() app.UI {
	boxes := []app.UI{app.Legend().Text("Keep")}
	for _, b := range []struct{ name, label, note string }{
		{"enrich", "Read each profile", "One request a person: name, company, address, place, website. Needed for the next three."},
		{"with-email", "Only people with a published address", "Shown to requests with a token only."},
		{"with-company", "Only people with a company", ""},
		{"with-blog", "Only people with a website", ""},
	} {
		boxes = append(boxes, box(b.name, b.label, b.note, x.fields[b.name] != ""))
	}
	types := [][2]string{{anyType, "people and organisations"}, {"User", "people only"}, {"Organization", "organisations only"}}
	parts := []app.UI{
		app.FieldSet().Class("Choices").Body(boxes...),
		field(x, "type", "Accounts", "", selection("type", x.fields["type"], types)),
	}
	// It is always there: what comes and goes would move what was typed into the
	// fields behind it.
	since := app.Div().Body(field(x, "since", "Starred since", "", input("since", x.fields["since"]).Type("date")))
	if x.fields["source"] != string(codehost.Stargazers) {
		since = since.Hidden(true)
	}
	parts = append(parts, since,
		field(x, "target", "Stop at", "people kept; nothing: never", text("target", x.fields["target"]).Attr("inputmode", "numeric").Attr("placeholder", "50")),
		field(x, "limit", "Consider at most", "people; nothing: all", text("limit", x.fields["limit"]).Attr("inputmode", "numeric")),
		app.Details().Class("More-fields").Body(
			app.Summary().Text("Leave people out"),
			field(x, "suppress", "Suppression list", "Logins, addresses and domains, one a line. Whoever is on it is in no result and no export.",
				app.Textarea().ID("suppress").Name("suppress").Class("Paste").Rows(4).Spellcheck(false).Text(x.fields["suppress"])),
		),
	)
	return app.Div().Class("Form-part").Body(parts...)
}

// ifRefused offers what is still open when a list is closed.
func (x *extraction) ifRefused() []app.UI {
	if !errors.Is(x.refusal, codehost.ErrRestricted) {
		return nil
	}
	return []app.UI{app.Div().Class("Actions").Body(
		firstButton("Plan the forks instead", x.instead(codehost.Forks)),
		plainButton("Plan the contributors", x.instead(codehost.Contributors)),
	)}
}

// field is a labelled input, with what to know about it and what is wrong
// with it.
func field[C labelled[C]](x *extraction, name, label, note string, control C) app.UI {
	var said []app.UI
	var ids []string
	if note != "" {
		said, ids = append(said, app.P().Class("Field-note").ID(name+"-note").Text(note)), append(ids, name+"-note")
	}
	if x.wrong[name] != "" {
		said, ids = append(said, x.complaint(name)...), append(ids, name+"-wrong")
	}
	parts := []app.UI{app.Label().Class("Field-label").For(name).Text(label), described(control, strings.Join(ids, " "), x.wrong[name] != "")}
	return app.Div().Class("Field").Body(append(parts, said...)...)
}

// labelled is a field that can be tied to what is said about it.
type labelled[C app.UI] interface {
	app.UI
	Aria(k string, v any) C
}

// described ties a field to what is said about it.
func described[C labelled[C]](control C, by string, wrong bool) app.UI {
	if by != "" {
		control = control.Aria("describedby", by)
	}
	if wrong {
		control = control.Aria("invalid", "true")
	}
	return control
}

func input(name, value string) app.HTMLInput {
	in := app.Input().ID(name).Name(name).Class("Field-input")
	if value != "" {
		in = in.Value(ui.Attr(value))
	}
	return in
}

func text(name, value string) app.HTMLInput {
	return input(name, value).Type("text").Attr("autocomplete", "off").Attr("autocapitalize", "off").Spellcheck(false)
}

// selection is a list of values with their texts. The first is the one that
// shows by itself, and is not marked: the page reads so before the program
// runs.
func selection(name, chosen string, values [][2]string) app.HTMLSelect {
	options := make([]app.UI, 0, len(values))
	for i, v := range values {
		option := app.Option().Value(ui.Attr(v[0])).Text(v[1])
		if i > 0 && v[0] == chosen {
			option = option.Selected(true)
		}
		options = append(options, option)
	}
	return app.Select().ID(name).Name(name).Class("Field-input").Body(options...)
}

// box is a box to tick.
func box(name, label, note string, on bool) app.UI {
	return choiceOf(app.Input().Type("checkbox").Name(name).Value("yes"), name, label, note, on)
}

// choice is one of several; changed is told when it is taken.
func choice(name, value, label, note string, on bool, changed app.EventHandler) app.UI {
	in := app.Input().Type("radio").Name(name).Value(value)
	if changed != nil {
		in = in.OnChange(changed)
	}
	return choiceOf(in, name+"-"+value, label, note, on)
}

func choiceOf(in app.HTMLInput, id, label, note string, on bool) app.UI {
	if on {
		in = in.Checked(true)
	}
	words := []app.UI{app.Label().For(id).Text(label)}
	if note != "" {
		in = in.Aria("describedby", id+"-note")
		words = append(words, app.P().ID(id+"-note").Class("Field-note").Text(note))
	}
	return app.Div().Class("Choice").Body(in.ID(id), app.Div().Class("Choice-words").Body(words...))
}

func people(n int) string {
	if n == 1 {
		return "1 person"
	}
	return ui.Number(n) + " people"
}
