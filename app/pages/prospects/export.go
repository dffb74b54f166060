package prospects

import (
	"bytes"
	"io"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/prospect"
	"marketingskills/app/prospect/export"
	"marketingskills/app/ui"
)

// The IDs of the list of people to leave out at the export, and of its form.
const (
	suppressField = "suppress-now"
	suppressForm  = "suppress-form"
)

// A format is a way out.
type format struct {
	id, title, note string
	suffix, media   string
	write           func(io.Writer, prospect.Query) export.Writer
}

func csvFormat(preset export.Preset) func(io.Writer, prospect.Query) export.Writer {
	return func(b io.Writer, q prospect.Query) export.Writer { return export.NewCSV(b, q, preset) }
}

// formats are the ways out. There is none for senders of cold mail, on
// purpose.
var formats = []format{
	{"csv", "CSV", "Every column, lineage included. Formulas are disarmed.", ".csv", "text/csv", csvFormat(export.NoPreset)},
	{"hubspot", "CSV for HubSpot", "Headers its import recognises, with source and purpose.", "-hubspot.csv", "text/csv", csvFormat(export.HubSpot)},
	{"salesforce", "CSV for Salesforce", "Headers of its lead import; source and purpose in the description.", "-salesforce.csv", "text/csv", csvFormat(export.Salesforce)},
	{"json", "JSON", "People, query, purpose, counts and quota in one object.", ".json", "application/json",
		func(b io.Writer, q prospect.Query) export.Writer { return export.NewJSON(b, q) }},
}

// stem is what the names of this run's files begin with.
func (x *extraction) stem() string {
	q := x.query
	name := strings.Join([]string{"prospects", string(q.Source), q.Repo.Owner, q.Repo.Name, browser.Today()}, "-")
	if x.sample {
		name = "sample-" + name
	}
	return name
}

// export gives the visitor the people in one of the formats.
func (x *extraction) export(ctx app.Context, _ app.Event) {
	id := ctx.JSSrc().Get("value").String()
	for _, f := range formats {
		if f.id == id {
			x.exportAs(f)
		}
	}
}

func (x *extraction) exportAs(f format) {
	r := x.run
	records, report := r.found.records(), r.job.Report()
	x.give(x.stem()+f.suffix, f.media, len(records), func(w io.Writer) error {
		out := f.write(w, report.Query)
		for _, record := range records {
			if err := out.Write(record); err != nil {
				return err
			}
		}
		return out.Close(report)
	})
}

// give writes the results into a file for the visitor to keep. They count as
// kept if they are still the same when it is written.
func (x *extraction) give(name, media string, n int, write func(io.Writer) error) {
	r, version := x.run, x.run.version
	x.problem, x.status = "", "Writing "+name+"."
	x.ctx.Async(func() {
		browser.Yield()
		var b patientBuffer
		err := write(&b)
		x.ctx.Dispatch(func(app.Context) {
			if x.run != r {
				return
			}
			x.status = ""
			if err != nil {
				x.problem = "Writing " + name + " failed. " + sentence(err)
				return
			}
			browser.Download(name, media+";charset=utf-8", b.Bytes())
			x.status = name + " is in your downloads: " + people(n) + "."
			x.kept = name
			r.kept = r.kept || r.version == version && !r.active
			x.guard()
		})
	})
}

// patientBuffer lets the browser draw while much is written into it.
type patientBuffer struct {
	bytes.Buffer
	worked worked
}

func (b *patientBuffer) Write(p []byte) (int, error) {
	b.worked.yield()
	return b.Buffer.Write(p)
}

// exportAbout gives the visitor what a CSV has no place for.
func (x *extraction) exportAbout(app.Context, app.Event) {
	var b bytes.Buffer
	if err := export.About(&b, x.run.job.Report()); err != nil {
		x.problem = sentence(err)
		return
	}
	name := x.stem() + ".about.json"
	browser.Download(name, "application/json", b.Bytes())
	x.status = name + " is in your downloads."
}

// saveRun gives the visitor the run itself, to go on with it another day.
func (x *extraction) saveRun(app.Context, app.Event) {
	state := x.run.job.State()
	x.give(x.stem()+".run.json", "application/json", len(x.run.found.all), func(w io.Writer) error {
		_, err := state.WriteTo(w)
		return err
	})
}

// suppressNow takes people out who must not be in the export.
func (x *extraction) suppressNow() {
	r := x.run
	list, _ := browser.Value(suppressField)
	s, err := prospect.ParseSuppression(strings.NewReader(list))
	if err != nil {
		x.refuse(map[string]string{suppressField: sentence(err)}, []string{suppressField})
		return
	}
	x.wrong = nil
	x.fields["suppress"] = strings.TrimSpace(x.fields["suppress"] + "\n" + list)
	removed := r.job.Suppress(s)
	x.take(r)
	logins := make(map[string]bool, len(removed))
	for _, record := range removed {
		logins[record.Login] = true
		r.glance.Remove(record)
	}
	r.found.remove(logins)
	r.version++
	if len(removed) > 0 {
		r.kept, x.kept = false, ""
		x.guard()
	}
	x.status = plural(len(removed), "person was", "people were") + " taken out by the list."
}

func (x *extraction) exportStep() []app.UI {
	r := x.run
	parts := []app.UI{
		app.H2().Class("Section").Text("Export"),
		app.P().Class("Remark").Text(accounts(r)),
	}
	if x.sample {
		parts = append(parts, app.P().Class("Remark").Text("These people are invented. The files say so: their addresses and sites do not exist."))
	}
	rows := make([]app.UI, 0, len(formats)+2)
	row := func(title, note string, button app.UI) {
		rows = append(rows, app.Li().Class("Way-out").Body(
			app.Div().Class("Way-words").Body(ui.Span("Way-title", title), ui.Span("Soft", note)),
			button,
		))
	}
	for _, f := range formats {
		row(f.title, f.note, plainButton("Download", x.export).Value(f.id).Aria("label", "Download "+f.title))
	}
	row("About this list", "Purpose, lawful basis, countries, counts: what a plain CSV has no place for. Keep it beside.",
		plainButton("Download", x.exportAbout).Aria("label", "Download about this list"))
	row("The run", "Everything, to be opened here again or by the command with --resume. It holds no token.",
		plainButton("Save", x.saveRun).Aria("label", "Save the run"))
	return append(parts,
		app.Ul().Class("Ways-out").Body(rows...),
		formOf(suppressForm, x.suppressNow).Body(
			field(x, suppressField, "Leave people out", "Logins, addresses and domains, one a line: whoever objected, unsubscribed or is a customer already.",
				app.Textarea().ID(suppressField).Class("Paste").Rows(3).Spellcheck(false)),
			app.Div().Class("Actions").Body(app.Button().Class("Button", "Button--plain").Type("submit").Text("Take them out")),
		),
		app.P().Class("Remark").Text("Nothing found is stored in this browser: but for your files it is gone when you leave the page."),
		app.Div().Class("Actions").Body(
			plainButton("Another run", x.another),
		),
	)
}

// accounts says how everybody listed ended.
func accounts(r *run) string {
	c := r.counts
	text := people(c.Listed) + " considered: " + ui.Number(c.Matches) + " kept, " + ui.Number(c.Filtered) + " filtered, " +
		ui.Number(c.Suppressed) + " suppressed, " + ui.Number(c.Failed) + " could not be had."
	if c.Duplicates > 0 {
		text += " Listed again by the host, and in the list once: " + ui.Number(c.Duplicates) + "."
	}
	if c.Unreached > 0 {
		text += " Not reached: " + ui.Number(c.Unreached) + "."
	}
	if left := filteredText(c); left != "" {
		text += " " + left
	}
	return text
}

// another leads back to the beginning. Results that are in no file yet are
// asked about first.
func (x *extraction) another(app.Context, app.Event) {
	if x.unsaved() && !browser.Confirm(people(len(x.run.found.all))+" found are in no file yet. Start another run and lose them?") {
		return
	}
	x.startAfresh()
}
