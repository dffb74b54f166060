package prospects

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/prospect"
	"marketingskills/app/text"
	"marketingskills/app/ui"
)

const termsForm = "terms-form"

var firstUse = "use-" + uses[0].id

var termsOrder = []string{firstUse, "country-eu", "elsewhere", "basis", "purpose", "pledge"}

// purposeStep is the third step: what the list is for and what the visitor
// promises. Nothing starts without it, see parseTerms.
type purposeStep struct {
	page *extraction
	form ui.Form
}

func (s *purposeStep) submit() {
	x := s.page
	s.form.Read()
	query, wrong := parseTerms(s.form.Fields, x.plan.query)
	if len(wrong) > 0 {
		x.refuse(&s.form, wrong)
		return
	}
	if err := x.plan.job.Declare(query.Purpose, query.LawfulBasis, query.Countries); err != nil {
		x.says.problem = sentence(err)
		return
	}
	x.plan.query = x.plan.job.Report().Query
	x.run.start()
}

func purposeText(q prospect.Query) string {
	use, _, _ := strings.Cut(q.Purpose, ":")
	return strings.Join(append([]string{use}, q.Countries...), ", ")
}

func (s *purposeStep) draw() []app.UI {
	return []app.UI{
		ui.Heading("Purpose and terms"),
		ui.Div("Terms",
			app.P().Body(
				app.Strong().Text("GitHub does not allow: "),
				ui.Span("", "using its data for spam, including unsolicited email, or for selling personal information, even where the law allows it."),
			),
			app.P().Body(
				app.Strong().Text("You can use the list to: "),
				ui.Span("", "know your own community, find profiles of people who asked to hear from you, and see which companies use a project."),
			),
		),
		s.form.Draw(s.submit, s.usePart(), s.regionPart(), s.purposePart()),
	}
}

func (s *purposeStep) usePart() app.UI {
	choices := []app.UI{ui.Legend("The list is for")}
	for _, u := range uses {
		choices = append(choices, ui.Choice("use", u.id, u.name, u.note, s.form.Fields["use"] == u.id, nil))
	}
	return ui.FormPart(s.form.Group(firstUse, choices...))
}

func (s *purposeStep) regionPart() app.UI {
	fields := s.form.Fields
	boxes := []app.UI{ui.Legend("Countries and regions of these people")}
	for _, r := range regions {
		boxes = append(boxes, ui.Box("country-"+r.id, r.name, r.law, fields["country-"+r.id] != "", nil))
	}
	options := [][2]string{{noBasis, "Not required"}}
	for _, b := range bases {
		options = append(options, [2]string{b, b})
	}
	if own := fields["basis"]; own != "" && own != noBasis && !slices.Contains(bases, own) {
		options = append(options, [2]string{own, own}) // out of a saved run
	}
	return ui.FormPart(
		s.form.Group("country-eu", boxes...),
		ui.Field(&s.form, "elsewhere", "Other countries",
			"Separate countries with commas. If you do not know the law there, get advice before you contact anyone.",
			ui.TextInput("elsewhere", fields["elsewhere"])),
		ui.Field(&s.form, "basis", "Lawful basis", "For personal data of people in the EU, the EEA and the United Kingdom.",
			ui.Selection("basis", fields["basis"], options)),
	)
}

func (s *purposeStep) purposePart() app.UI {
	buttons := []app.UI{app.Button().Class("Button").Type("submit").Text("Start run")}
	if s.page.plan.plan != nil {
		buttons = append(buttons, s.page.leads(ui.PlainButton("Back", nil), atPlan))
	}
	return ui.FormPart(
		ui.Field(&s.form, "purpose", "Purpose (one sentence)", "Saved with the export, to show later why the list was made.",
			app.Textarea().ID("purpose").Name("purpose").Class("Paste", "Paste--words").Rows(3).Text(s.form.Fields["purpose"])),
		s.form.Group("pledge",
			ui.Legend("Promise").Class("Hidden"),
			ui.Box("pledge", "I will not send these people unsolicited email, and I will not sell this list.", "",
				s.form.Fields["pledge"] != "", nil)),
		ui.Actions(buttons...),
	)
}

// uses are what a list may be made for. Sources: GitHub's acceptable-use
// policies, section 7 (information usage restrictions).
var uses = []struct{ id, name, note string }{
	{"community", "My own community", "I maintain this project or take part in it, and want to know who else does."},
	{"asked", "People who asked to be contacted", "They asked me to contact them. The list finds their profiles."},
	{"accounts", "Account-level intent", "I want to see which companies use this project. I contact nobody on the list."},
	{"research", "Research", "I only count and analyse. I contact nobody on the list."},
}

// regions are where the people on a list may be, with what the law there asks
// for. Sources: GDPR articles 14 and 21; PECR and the ICO's guidance on direct
// marketing; CASL and the CRTC's guide; CAN-SPAM; Spam Act 2003. See skills/prospecting/references/compliance.md.
var regions = []struct{ id, name, law string }{
	{"eu", "European Union and EEA", "A public profile is personal data. You need a lawful basis. " +
		"You must inform each person within a month or at first contact. An objection to marketing is final."},
	{"uk", "United Kingdom", "As in the EU. Companies may be emailed without consent; sole traders and partnerships may not."},
	{"us", "United States", "Opt-out law: honest headers, a postal address, opt-outs honoured within 10 business days. " +
		"Harvested email addresses make a violation worse."},
	{"ca", "Canada", "Consent before the first message. A published email alone is not consent. " +
		"Every message needs an unsubscribe option, honoured within 10 business days."},
	{"au", "Australia", "Consent, a clear sender, and a free unsubscribe option, honoured within 5 working days."},
}

// bases are the lawful bases that personal data can be used on, by the names
// that go into exports and saved runs.
var bases = []string{"Legitimate interests (assessed and documented)", "Consent", "Contract"}

// formerBases are the names that older saved runs use.
var formerBases = map[string]string{
	"legitimate interests, weighed and written down": bases[0], "consent": bases[1], "contract": bases[2],
}

// noBasis is the choice that none is needed, the first: an option needs a
// value.
const noBasis = "none"

// parseTerms puts the third step's form into a query. wrong says by field
// what is missing: without all of it nothing starts.
func parseTerms(fields map[string]string, q prospect.Query) (prospect.Query, map[string]string) {
	wrong := map[string]string{}
	use := ""
	for _, u := range uses {
		if fields["use"] == u.id {
			use = u.name
		}
	}
	if use == "" {
		wrong[firstUse] = "Choose what the list is for."
	}
	q.Countries = countries(fields)
	if err := q.Check(true); err != nil {
		wrong["elsewhere"] = sentence(err)
	} else if len(q.Countries) == 0 {
		wrong["country-eu"] = "Choose at least one country or region."
	}
	q.LawfulBasis = ""
	if basis := fields["basis"]; basis != "" && basis != noBasis {
		q.LawfulBasis = basis
	} else if slices.ContainsFunc(q.Countries, inEurope) {
		wrong["basis"] = "Choose a lawful basis. The EU, the EEA and the United Kingdom require one."
	}
	purpose := strings.Join(strings.Fields(text.Plain(fields["purpose"])), " ")
	if !isSentence(purpose) {
		wrong["purpose"] = "Describe in one sentence what you will do with the list (at least 4 words)."
	}
	q.Purpose = use + ": " + purpose
	if fields["pledge"] == "" {
		wrong["pledge"] = "Tick this box to start the run."
	}
	if len(wrong) == 0 {
		if err := q.Check(true); err != nil {
			wrong["purpose"] = sentence(err)
		}
	}
	return q, wrong
}

// countries are those ticked, then those written, each once.
func countries(fields map[string]string) []string {
	var names []string
	for _, r := range regions {
		if fields["country-"+r.id] != "" {
			names = append(names, r.name)
		}
	}
	return prospect.Query{Countries: append(names, strings.Split(fields["elsewhere"], ",")...)}.Cleaned().Countries
}

// inEurope tells whether a lawful basis is needed for people in a country: by
// the law of the EU and the EEA, or by the UK GDPR.
func inEurope(country string) bool { return slices.Contains(europe, strings.ToLower(country)) }

// europe are those countries, for visitors who write one instead of ticking
// its box.
var europe = strings.Split("austria,belgium,bulgaria,croatia,cyprus,czechia,czech republic,denmark,estonia,finland,france,germany,"+
	"greece,hungary,iceland,ireland,italy,latvia,liechtenstein,lithuania,luxembourg,malta,netherlands,the netherlands,norway,poland,"+
	"portugal,romania,slovakia,slovenia,spain,sweden,europe,eu,eea,european union,european union and eea,"+
	"uk,united kingdom,great britain,britain,england,scotland,wales,northern ireland", ",")

// isSentence asks for four words, or for as much in a script that does not
// set words apart.
func isSentence(s string) bool {
	apart := strings.IndexFunc(s, func(r rune) bool { return r >= '\u0e00' && unicode.IsLetter(r) }) < 0
	return len(strings.Fields(s)) >= 4 || !apart && utf8.RuneCountInString(s) >= 8
}

// termsOf fills the form from a saved query, without the promise. A query
// without purpose and countries leaves the form as it is.
func termsOf(q prospect.Query, form map[string]string) map[string]string {
	if q.Purpose == "" && len(q.Countries) == 0 {
		return form
	}
	fields := map[string]string{"purpose": q.Purpose, "basis": cmp.Or(formerBases[q.LawfulBasis], q.LawfulBasis)}
	for _, u := range uses {
		if rest, ok := strings.CutPrefix(q.Purpose, u.name+": "); ok {
			fields["use"], fields["purpose"] = u.id, rest
		}
	}
	var elsewhere []string
	for _, country := range q.Countries {
		i := slices.IndexFunc(regions, func(r struct{ id, name, law string }) bool { return r.name == country })
		if i < 0 {
			elsewhere = append(elsewhere, country)
			continue
		}
		fields["country-"+regions[i].id] = "yes"
	}
	fields["elsewhere"] = strings.Join(elsewhere, ", ")
	return fields
}
