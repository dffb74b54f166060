package prospects

import (
	"io"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/pages"
	"marketingskills/app/prospect"
	"marketingskills/app/prospect/export"
	"marketingskills/app/ui"
)

// The IDs of the suppression list of this step, and of its form.
const (
	suppressField = "suppress-now"
	suppressForm  = "suppress-form"
)

// exportStep is the sixth step: what was found, as files.
type exportStep struct {
	page *extraction
	form ui.Form
	// downloaded is the name of the last file with the present results.
	downloaded string
}

func (s *exportStep) fileName(suffix string) string {
	q := s.page.plan.query
	name := strings.Join([]string{"prospects", string(q.Source), q.Repo.Owner, q.Repo.Name, browser.Today()}, "-") + suffix
	if s.page.access.sample {
		name = "sample-" + name
	}
	return name
}

// export is what the buttons “Download” of the formats do.
func (s *exportStep) export(ctx app.Context, _ app.Event) {
	f, ok := export.Named(browser.SourceOf(ctx).Value)
	if !ok {
		return
	}
	r := s.page.run.current
	records, report := s.page.verify.records(), r.job.Report()
	if s.page.verify.used() {
		f = f.Verified()
	}
	s.downloadRun(s.fileName(f.Suffix), f.Media, len(records), func(w io.Writer) error {
		return f.Write(w, records, report)
	})
}

func (s *exportStep) saveRun(app.Context, app.Event) {
	r := s.page.run.current
	s.page.verify.apply()
	s.downloadRun(s.fileName(".run.json"), "application/json", len(r.found.all), r.job.State().Write)
}

// downloadRun gives the visitor a file of the run with n people. Its people count as being in
// a file if they are still the same when it is written.
func (s *exportStep) downloadRun(name, media string, n int, write func(io.Writer) error) {
	x := s.page
	r, version := x.run.current, x.run.current.version
	pages.Download(x, name, media, people(n), write, func() {
		if x.run.current == r {
			s.downloaded = name
			r.inFile = r.inFile || r.version == version && !r.active()
			x.guard()
		}
	})
}

// exportAbout gives the visitor what a CSV has no place for.
func (s *exportStep) exportAbout(app.Context, app.Event) {
	report := s.page.run.current.job.Report()
	pages.Download(s.page, s.fileName(".about.json"), "application/json", "",
		func(w io.Writer) error { return export.About(w, report) }, func() {})
}

func (s *exportStep) suppress() {
	x, r := s.page, s.page.run.current
	typed, _ := browser.Value(suppressField)
	list, err := prospect.ParseSuppression(strings.NewReader(typed))
	if err != nil {
		x.refuse(&s.form, map[string]string{suppressField: sentence(err)})
		return
	}
	s.form.Wrong = nil
	source := x.source.form.Fields
	source["suppress"] = strings.TrimSpace(source["suppress"] + "\n" + typed)
	removed := r.job.Suppress(list)
	x.run.update(r)
	r.remove(removed)
	x.verify.reopen()
	if len(removed) > 0 {
		s.downloaded = ""
		x.guard()
	}
	x.says.status = people(len(removed)) + " removed."
}

func (s *exportStep) draw() []app.UI {
	parts := []app.UI{ui.Heading("Export"), ui.Remark(s.page.run.current.counts.String())}
	if verify := &s.page.verify; verify.used() {
		parts = append(parts, ui.Remark(exportText(verify.split())),
			ui.Actions(s.page.leads(ui.PlainButton("Change the choice of emails", nil), atVerify)))
	}
	if s.page.access.sample {
		parts = append(parts, ui.Remark("Sample data: these people do not exist. File names start with “sample-”."))
	}
	rows := make([]app.UI, 0, len(export.Formats)+2)
	for _, f := range export.Formats {
		rows = append(rows, fileRow(f.Title, f.Note, ui.PlainButton("Download", s.export).Value(f.Name).Aria("label", "Download "+f.Title)))
	}
	rows = append(rows,
		fileRow("About this list", "Purpose, lawful basis, countries and counts. Keep it with the CSV file.",
			ui.PlainButton("Download", s.exportAbout).Aria("label", "Download about this list")),
		fileRow("Saved run", "Everything, to resume here or with github-prospects --resume. Contains no token.",
			ui.PlainButton("Save run", s.saveRun)))
	return append(parts,
		app.Ul().Class("Ways-out").Body(rows...),
		s.form.Draw(s.suppress,
			ui.Field(&s.form, suppressField, "Suppression list", suppressNote+" For example people who objected, unsubscribed or are customers.",
				ui.ListArea(suppressField, 3)),
			ui.Actions(app.Button().Class("Button", "Button--plain").Type("submit").Text("Remove these people")),
		),
		ui.Remark("Results are not stored in the browser. Download them before you leave this page."),
		ui.Actions(ui.PlainButton("New run", s.page.newRun)),
	)
}

// fileRow is a file, what it is good for, and the button for it.
func fileRow(title, note string, button app.UI) app.UI {
	return app.Li().Class("Way-out").Body(
		ui.Div("Way-words", ui.Span("Way-title", title), ui.Span("Soft", note)),
		button,
	)
}
