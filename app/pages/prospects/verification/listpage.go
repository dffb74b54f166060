package verification

import (
	"context"
	"errors"
	"io"
	"iter"
	"path"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/pages"
	"marketingskills/app/text"
	"marketingskills/app/ui"
	"marketingskills/app/verify"
	"marketingskills/app/verify/csvfile"
)

// The IDs of the page's form and fields.
const (
	listForm  = "list-form"
	listField = "list"
	fileField = "list-file"
)

// Draw draws the page for a list of emails.
func Draw(p *pages.Page, _ string, _ int) []app.UI { return []app.UI{newListPage(p)} }

// listPage is the component of the page for a list that was pasted or is in a file.
type listPage struct {
	app.Compo
	Page *pages.Page

	ctx             app.Context
	panel           *Panel
	form            ui.Form
	status, problem string
	operation       pages.Operation
	file            *csvfile.File // nil: none is open
	given           *csvfile.File // file before any correction
	name            string        // of the file the list came in, "" if it was pasted
	unsaved         bool
	// waiting is what the visitor asked for before the program ran.
	waiting func()
}

func newListPage(p *pages.Page) *listPage {
	d := &listPage{Page: p, form: ui.Form{ID: listForm, Order: []string{listField}}}
	d.panel = New(d, *pages.Content[Config](p))
	d.panel.Always, d.panel.Correct = true, d.correct
	return d
}

// UI is the page's context.
func (d *listPage) UI() app.Context { return d.ctx }

// Tell shows what happens and what went wrong.
func (d *listPage) Tell(status, problem string) { d.status, d.problem = status, problem }

// Learned notes that answers are in no file yet.
func (d *listPage) Learned() {
	d.unsaved = true
	browser.AskBeforeLeaving(true)
}

// OnInit keeps what was typed or chosen before the program ran.
func (d *listPage) OnInit() {
	d.form.Read()
	if name, content, chosen := browser.ChosenFile(fileField); chosen {
		d.waiting = func() { d.read(name, content) }
	} else if browser.Asked(listForm) {
		d.waiting = d.submit
	}
}

// OnMount does what was asked for before.
func (d *listPage) OnMount(ctx app.Context) {
	d.ctx = ctx
	d.form.Fill()
	if d.waiting != nil {
		d.waiting()
	}
}

// OnDismount ends what is going on.
func (d *listPage) OnDismount() {
	d.operation.GiveUp()
	d.panel.Leave()
}

func (d *listPage) submit() {
	d.form.Read()
	d.open("", []byte(d.form.Fields[listField]))
}

func (d *listPage) choose(app.Context, app.Event) {
	if name, content, ok := browser.ChosenFile(fileField); ok {
		d.read(name, content)
	}
}

func (d *listPage) drop(_ app.Context, e app.Event) {
	if name, content, ok := browser.DroppedFile(e); ok {
		d.read(name, content)
	}
}

func (d *listPage) read(name string, content io.Reader) {
	d.operation.Run(d, "Reading "+name+".", func(context.Context) func() {
		data, err := io.ReadAll(io.LimitReader(content, csvfile.MaxOutputBytes+1))
		return func() {
			if err != nil {
				d.Tell("", name+" could not be read. "+sentenceOf(err))
				return
			}
			d.open(name, data)
		}
	})
}

func (d *listPage) open(name string, data []byte) {
	d.Tell("", "")
	file, err := parseList(data)
	if err != nil {
		d.form.Wrong = map[string]string{listField: sentenceOf(err)}
		d.ctx.Defer(func(app.Context) { browser.FocusOn(listField) })
		return
	}
	d.form.Wrong, d.given, d.name = nil, file, name
	d.panel.Clear()
	d.show(file)
	d.ctx.Defer(func(app.Context) { browser.FocusOn("title") })
}

// show has the panel check the emails of a file.
func (d *listPage) show(file *csvfile.File) {
	d.file = file
	d.panel.Open(file.Emails(), answersIn(file))
}

// correct puts other emails into the list.
func (d *listPage) correct(meant func(email string) string) {
	before := d.file
	d.show(before.Correct(meant))
	var was, is string
	n := 0
	for row := range before.Len() {
		if a, b := before.Email(row), d.file.Email(row); a != b {
			was, is, n = a, b, n+1
		}
	}
	words := text.Count(n, "email") + " corrected."
	if n == 1 {
		words = was + " is now " + is + "."
	}
	d.Tell(words, "")
	d.Learned()
}

// undo brings back the list as it was given.
func (d *listPage) undo(app.Context, app.Event) {
	d.show(d.given)
	d.Tell("The emails are as they were given.", "")
	d.ctx.Defer(func(app.Context) { browser.FocusOn("title") })
}

// parseList reads a list of emails: a CSV file, one email a line, or all of them
// in one line.
func parseList(data []byte) (*csvfile.File, error) {
	given := string(data)
	lines := func(yield func(string) bool) {
		for line := range strings.FieldsFuncSeq(given, func(r rune) bool { return r == '\r' || r == '\n' }) {
			if line = strings.TrimSpace(line); line != "" && !yield(line) {
				return
			}
		}
	}
	first, n := "", 0
	for line := range lines {
		if n++; n == 1 {
			first = line
		}
	}
	words := strings.FieldsFuncSeq(first, func(r rune) bool { return strings.ContainsRune(",; \t", r) })
	switch {
	case n == 0:
		return nil, errors.New("enter at least one email")
	case n == 1 && areEmails(words):
		return csvfile.FromList(words)
	case len(data) <= csvfile.MaxBytes && mayBeEmail(first) && !strings.ContainsAny(given, ",;\t\""):
		return csvfile.FromList(lines)
	}
	return csvfile.Read(data, "")
}

// mayBeEmail tells a line from a heading: it has an @, or one was meant, as in
// "ann at example.com".
func mayBeEmail(line string) bool {
	return strings.Contains(line, "@") || verify.Checker{}.Check(context.Background(), line).DidYouMean != ""
}

// areEmails tells whether there are words, and an @ in each of them.
func areEmails(words iter.Seq[string]) (are bool) {
	for word := range words {
		if are = strings.Contains(word, "@"); !are {
			return false
		}
	}
	return are
}

// answersIn are what an earlier verification put into a file and need not be
// paid for again. What the free checks may have said is not counted among a
// verifier's answers.
func answersIn(file *csvfile.File) (known []verify.Result) {
	for row := range file.Len() {
		r, ok := file.Answer(row)
		if !ok || r.State == verify.Unknown {
			continue
		}
		r.Source = verify.FromVerifier
		if r.State == verify.Risky || r.State == verify.EmailInvalid {
			r.Source = verify.FromChecks
		}
		known = append(known, r)
	}
	return known
}

func (d *listPage) another(app.Context, app.Event) {
	if d.unsaved && !browser.Confirm("The results are not downloaded yet. Open another list and discard them?") {
		return
	}
	d.panel.Clear()
	d.file, d.given, d.unsaved, d.form.Fields = nil, nil, false, nil
	browser.AskBeforeLeaving(false)
	d.Tell("", "")
	d.ctx.Defer(func(app.Context) { d.form.Fill(); browser.FocusOn("title") })
}

// fileName is that of a download.
func (d *listPage) fileName(suffix string) string {
	base := strings.TrimSuffix(d.name, path.Ext(d.name))
	if base == "" {
		base = "emails-" + browser.Today()
	}
	return base + suffix + ".csv"
}

func (d *listPage) downloadAll(app.Context, app.Event) {
	d.download("-verified", func(int) bool { return true })
}

func (d *listPage) downloadChosen(app.Context, app.Event) { d.download("-chosen", d.chosen) }

func (d *listPage) chosen(row int) bool {
	email := d.file.Email(row)
	_, yes := d.panel.Exported(email)
	return yes && strings.TrimSpace(email) != ""
}

// download gives the visitor the list with what is known of its emails. Then all
// of it is in a file.
func (d *listPage) download(suffix string, keep func(row int) bool) {
	file := d.file
	write := func(w io.Writer) error {
		return file.WriteRows(w, func(row int) verify.Result {
			e, _ := d.panel.Exported(file.Email(row))
			return e.Result
		}, keep)
	}
	pages.Download(d, d.fileName(suffix), "text/csv", "", write, func() {
		if !d.panel.work.On {
			d.unsaved = false
			browser.AskBeforeLeaving(false)
		}
	})
}

// Render draws the page.
func (d *listPage) Render() app.UI {
	parts := []app.UI{
		app.H1().ID("title").TabIndex(-1).Text(d.Page.Title),
		ui.P("Lead", "Find out which emails would bounce. A working address is not permission to email it."),
	}
	if d.file == nil {
		parts = append(parts, d.drawForm()...)
	} else {
		parts = append(parts, d.drawFile()...)
	}
	return app.Div().Class("Prospects", "Prospects--alone").Body(
		ui.Div("Prospects-middle", parts...),
		pages.Messages(d.status, d.problem),
	)
}

func (d *listPage) drawForm() []app.UI {
	return []app.UI{
		ui.P("Unscripted", "This page needs JavaScript. Turn it on, or use the command verify-emails, which does the same."),
		d.form.Draw(d.submit,
			app.Div().Class("Dropping").On("dragover", func(_ app.Context, e app.Event) { e.PreventDefault() }).On("drop", d.drop).Body(
				ui.Field(&d.form, listField, "Emails", "One per line, or the text of a CSV file with its header. "+
					"You can also choose a file or drop it here. Nothing leaves your browser yet.",
					ui.ListArea(listField, 8).Name(listField).Text(d.form.Fields[listField])),
				ui.Actions(
					app.Button().Class("Button").Type("submit").Text("Check emails"),
					app.Label().Class("Button", "Button--plain", "File").Body(
						ui.Span("", "Choose file"),
						app.Input().ID(fileField).Class("Hidden").Type("file").Accept(".csv,.txt,.tsv,text/csv,text/plain").OnChange(d.choose),
					),
				),
			),
		).DataSet("starting", "Loading. The check starts in a moment."),
		app.P().Class("Remark").Body(
			ui.Span("", "To find the people around a GitHub repository first, open "),
			ui.Link(d.Page.Href(pages.PathProspects), "Prospects"),
			ui.Span("", "."),
		),
	}
}

func (d *listPage) drawFile() []app.UI {
	rows := text.Count(d.file.Len(), "row")
	words := "Pasted list: " + rows + "."
	if d.name != "" {
		words = d.name + ": " + rows + ", with the emails in " + text.Quote(d.file.Column()) + "."
	}
	banner := []app.UI{app.P().Text(words), ui.PlainButton("Open another list", d.another)}
	if d.file != d.given && !d.panel.work.On {
		banner = append(banner, ui.PlainButton("Undo corrections", d.undo))
	}
	parts := []app.UI{ui.Div("Banner", banner...)}
	if !d.panel.Used() {
		return append(parts, d.panel.Draw(nil, nil)...)
	}
	some := 0
	for row := range d.file.Len() {
		if d.chosen(row) {
			some++
		}
	}
	note := "The file keeps its columns and gets four more: " + strings.Join(csvfile.Columns, ", ") + "."
	buttons := []app.UI{ui.PlainButton("Download all rows", d.downloadAll)}
	if some > 0 {
		chosen := ui.Button("Download chosen rows", d.downloadChosen).Text("Download " + text.Count(some, "chosen row"))
		buttons = append([]app.UI{chosen}, buttons...)
	}
	return append(parts, d.panel.Draw(nil, []app.UI{ui.Remark(note), ui.Actions(buttons...)})...)
}
