package prospects

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/prospect"
	apptext "marketingskills/app/text"
	"marketingskills/app/ui"
)

// termsForm is the ID of the third step's form.
const termsForm = "terms-form"

// termsOrder is the order of the fields that something can be wrong with, by
// the IDs that the focus goes to.
var termsOrder = []string{"use-" + uses[0].id, "country-eu", "elsewhere", "basis", "purpose", "pledge"}

// uses are what a list may be made for. Sources: GitHub's acceptable-use
// policies, section 7 (information usage restrictions).
var uses = []struct{ id, name, note string }{
	{"community", "My own community", "I maintain this project or belong to it, and want to know who is there."},
	{"asked", "People who asked to be contacted", "They said so, to me. The list finds their profiles."},
	{"accounts", "Account-level intent", "Which companies use this? Nobody on the list is written to."},
	{"research", "Research", "Counting and understanding. Nobody on the list is written to."},
}

// places are where the people are that a marketer means to reach, with what
// the law there asks for. Sources: GDPR articles 14 and 21; PECR and the ICO's
// guidance on direct marketing; CASL and the CRTC's guide; CAN-SPAM; Spam Act
// 2003. See skills/prospecting/references/compliance.md.
var places = []struct{ id, name, law string }{
	{"eu", "European Union and EEA", "A public profile is personal data. You need a lawful basis, must tell each person within a month or at first contact, and an objection to marketing is final."},
	{"uk", "United Kingdom", "As in the EU. Companies may be mailed without consent, sole traders and partnerships may not."},
	{"us", "United States", "Opt-out law: honest headers, a postal address, opt-outs honoured within 10 business days. Harvested addresses make a violation worse."},
	{"ca", "Canada", "Consent before the first message. A published address alone is none; every message needs a way out that works within 10 business days."},
	{"au", "Australia", "Consent, who you are, and a free way out, acted on within 5 working days."},
}

// bases are the lawful bases that personal data can be used on.
var bases = []string{"legitimate interests, weighed and written down", "consent", "contract"}

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
		wrong[termsOrder[0]] = "Choose what the list is for."
	}
	q.Countries = countries(fields)
	if err := q.Check(true); err != nil {
		wrong["elsewhere"] = sentence(err)
	} else if len(q.Countries) == 0 {
		wrong["country-eu"] = "Say where the people are that you mean to reach, or where you expect those you count to be."
	}
	q.LawfulBasis = ""
	if basis := fields["basis"]; basis != "" && basis != noBasis {
		q.LawfulBasis = basis
	} else if slices.ContainsFunc(q.Countries, inEurope) {
		wrong["basis"] = "In the EU, the EEA and the United Kingdom there must be one."
	}
	purpose := strings.Join(strings.Fields(apptext.Plain(fields["purpose"])), " ")
	if !isSentence(purpose) {
		wrong["purpose"] = "Say it in a sentence: what will you do with the list?"
	}
	q.Purpose = use + ": " + purpose
	if fields["pledge"] == "" {
		wrong["pledge"] = "Nothing starts without this."
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
	written := strings.Split(fields["elsewhere"], ",")
	for i := range written {
		written[i] = strings.Join(strings.Fields(apptext.Plain(written[i])), " ")
	}
	for _, p := range places {
		if fields["country-"+p.id] != "" || slices.Contains(written, p.name) {
			names = append(names, p.name)
		}
	}
	for _, name := range written {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// europe are the places with the law of the EU and the EEA, or with its twin,
// for those who write them instead of ticking their box.
const europe = ",austria,belgium,bulgaria,croatia,cyprus,czechia,czech republic,denmark,estonia,finland,france,germany,greece,hungary,iceland,ireland,italy,latvia," +
	"liechtenstein,lithuania,luxembourg,malta,netherlands,the netherlands,norway,poland,portugal,romania,slovakia,slovenia,spain,sweden,europe,eu,eea,european union," +
	"european union and eea,uk,united kingdom,great britain,britain,england,scotland,wales,northern ireland,"

// inEurope tells whether a lawful basis is needed for people in a country.
func inEurope(name string) bool { return strings.Contains(europe, ","+strings.ToLower(name)+",") }

// isSentence asks for four words, or for as much in a script that does not
// set words apart.
func isSentence(s string) bool {
	apart := strings.IndexFunc(s, func(r rune) bool { return r >= '\u0e00' && unicode.IsLetter(r) }) < 0
	return len(strings.Fields(s)) >= 4 || !apart && utf8.RuneCountInString(s) >= 8
}

// termsOf is what the form would say of a saved query: what was said once
// need not be said again, but for the pledge.
func termsOf(q prospect.Query, otherwise map[string]string) map[string]string {
	if q.Purpose == "" && len(q.Countries) == 0 {
		return otherwise
	}
	fields := map[string]string{"purpose": q.Purpose, "basis": q.LawfulBasis}
	for _, u := range uses {
		if rest, ok := strings.CutPrefix(q.Purpose, u.name+": "); ok {
			fields["use"], fields["purpose"] = u.id, rest
		}
	}
	var elsewhere []string
	for _, country := range q.Countries {
		i := slices.IndexFunc(places, func(p struct{ id, name, law string }) bool { return p.name == country })
		if i < 0 {
			elsewhere = append(elsewhere, country)
			continue
		}
		fields["country-"+places[i].id] = "yes"
	}
	fields["elsewhere"] = strings.Join(elsewhere, ", ")
	return fields
}

func sampleTerms() map[string]string {
	return map[string]string{
		"use": "research", "country-eu": "yes", "basis": bases[0], "pledge": "yes",
		"purpose": "See how an extraction works, on people who do not exist.",
	}
}

// purposeSaid is the third step in a few words.
func (x *extraction) purposeSaid() string {
	if x.run == nil {
		return ""
	}
	use, _, _ := strings.Cut(x.query.Purpose, ":")
	return strings.Join(append([]string{use}, x.query.Countries...), ", ")
}

func (x *extraction) purposeStep() []app.UI {
	return []app.UI{
		app.H2().Class("Section").Text("Purpose and terms"),
		app.Div().Class("Terms").Body(
			app.P().Body(
				app.Strong().Text("What GitHub forbids, whatever the law allows: "),
				ui.Span("", "information from it, however obtained, may not be used for spamming, unsolicited email included, nor to sell personal information."),
			),
			app.P().Body(
				app.Strong().Text("What remains: "),
				ui.Span("", "to know your own community, to find the profiles of people who asked to hear from you, and to see which companies use a project."),
			),
		),
		formOf(termsForm, x.begin).Body(x.usePart(), x.placesPart(), x.purposePart()),
	}
}

func (x *extraction) usePart() app.UI {
	choices := []app.UI{app.Legend().Text("The list is for")}
	for _, u := range uses {
		choices = append(choices, choice("use", u.id, u.name, u.note, x.terms["use"] == u.id, nil))
	}
	return app.Div().Class("Form-part").Body(
		x.group(termsOrder[0], choices...),
	)
}

func (x *extraction) placesPart() app.UI {
	boxes := []app.UI{app.Legend().Text("The people I mean to reach are in")}
	for _, p := range places {
		boxes = append(boxes, box("country-"+p.id, p.name, p.law, x.terms["country-"+p.id] != ""))
	}
	options := [][2]string{{noBasis, "none is needed there"}}
	for _, b := range bases {
		options = append(options, [2]string{b, b})
	}
	if own := x.terms["basis"]; own != "" && own != noBasis && !slices.Contains(bases, own) {
		options = append(options, [2]string{own, own}) // out of a saved run
	}
	return app.Div().Class("Form-part").Body(
		x.group("country-eu", boxes...),
		field(x, "elsewhere", "And elsewhere", "Countries, with commas between them. Where you do not know the law, ask before you write.", text("elsewhere", x.terms["elsewhere"])),
		field(x, "basis", "Lawful basis", "For personal data of people in the EU, the EEA and the United Kingdom.", selection("basis", x.terms["basis"], options)),
	)
}

func (x *extraction) purposePart() app.UI {
	actions := []app.UI{app.Button().Class("Button").Type("submit").Text("Start the run")}
	if x.planned {
		actions = append(actions, plainButton("Back to the plan", x.toPlan))
	}
	return app.Div().Class("Form-part").Body(
		field(x, "purpose", "Purpose, in a sentence", "It goes into the export, for whoever asks later where the list came from and why.",
			app.Textarea().ID("purpose").Name("purpose").Class("Paste", "Paste--words").Rows(3).Text(x.terms["purpose"])),
		x.group("pledge",
			app.Legend().Class("Hidden").Text("Promise"),
			box("pledge", "I will send no unsolicited mail to these people, and sell the list to nobody.", "", x.terms["pledge"] != "")),
		app.Div().Class("Actions").Body(actions...),
	)
}

// complaint is what is wrong with a group of choices.
func (x *extraction) complaint(name string) []app.UI {
	if x.wrong[name] == "" {
		return nil
	}
	return []app.UI{app.P().Class("Field-wrong").ID(name + "-wrong").Text(x.wrong[name])}
}

// group is a set of choices, tied to what is wrong with them.
func (x *extraction) group(name string, choices ...app.UI) app.UI {
	set := app.FieldSet().Class("Choices")
	if x.wrong[name] != "" {
		set = set.Aria("describedby", name+"-wrong")
	}
	return set.Body(append(choices, x.complaint(name)...)...)
}

// readTerms keeps what stands in the form.
func (x *extraction) readTerms() {
	if fields := browser.Fields(termsForm); fields != nil {
		x.terms = fields
	}
}

// begin starts the run, if everything was said.
func (x *extraction) begin() {
	x.readTerms()
	query, wrong := parseTerms(x.terms, x.query)
	if len(wrong) > 0 {
		x.refuse(wrong, termsOrder)
		return
	}
	if err := x.job.Declare(query.Purpose, query.LawfulBasis, query.Countries); err != nil {
		x.problem = sentence(err)
		return
	}
	x.query = x.job.Report().Query
	x.newRun()
}
