package prospects

import (
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/pages/prospects/verification"
	"marketingskills/app/prospect"
	"marketingskills/app/text"
	"marketingskills/app/ui"
	"marketingskills/app/verify"
)

// verifyStep is the fifth step, which can be skipped: which emails can be
// written to, and who is exported therefore.
type verifyStep struct {
	page  *extraction
	panel *verification.Panel
	// of and version are the run, and the people in it, whose emails the panel
	// has.
	of      *run
	version int
}

func hasEmail(r *prospect.Record) bool { return strings.TrimSpace(r.Email) != "" }

// open gives the panel the emails of the people found, and what a saved run
// knows of them.
func (s *verifyStep) open() {
	r := s.page.run.current
	if s.of == r && s.version == r.version {
		return
	}
	s.of, s.version = r, r.version
	var emails []string
	for _, record := range r.found.records() {
		if hasEmail(&record) {
			emails = append(emails, record.Email)
		}
	}
	s.panel.Open(emails, s.known())
}

// reopen does so where the panel has older people already, or a saved run has
// answers.
func (s *verifyStep) reopen() {
	if s.of != nil || len(s.known()) > 0 {
		s.open()
	}
}

// known are a verifier's answers in a saved run: they are paid for. Free checks
// are made again.
func (s *verifyStep) known() (answers []verify.Result) {
	for _, p := range s.page.run.current.found.all {
		if v := p.record.Verification; v != nil && v.Source != verify.FromChecks {
			answers = append(answers, v.Result(p.record.Email))
		}
	}
	return answers
}

// clear forgets the emails: there is another run.
func (s *verifyStep) clear() {
	s.of = nil
	s.panel.Clear()
}

func (s *verifyStep) used() bool {
	return s.of != nil && s.of == s.page.run.current && s.panel.Used()
}

// apply gives the people what is known of their emails, for the files.
func (s *verifyStep) apply() {
	if !s.used() {
		return
	}
	for _, p := range s.of.found.all {
		if e, _ := s.panel.Exported(p.record.Email); hasEmail(p.record) && e.Result.State != "" {
			p.record.Verification = prospect.NewVerification(e.Result, verification.Source(e))
		}
	}
}

// records are the people to export: those without an email, and those whose
// email status is chosen.
func (s *verifyStep) records() []prospect.Record {
	s.apply()
	records := s.page.run.current.found.records()
	if !s.used() {
		return records
	}
	return slices.DeleteFunc(records, func(r prospect.Record) bool { return !s.exports(&r) })
}

func (s *verifyStep) exports(r *prospect.Record) bool {
	_, yes := s.panel.Exported(r.Email)
	return yes || !hasEmail(r)
}

// split counts the people by what becomes of them in an export.
func (s *verifyStep) split() (with, without, leftOut int) {
	for _, p := range s.page.run.current.found.all {
		switch {
		case !hasEmail(p.record):
			without++
		case !s.used() || s.exports(p.record):
			with++
		default:
			leftOut++
		}
	}
	return with, without, leftOut
}

// exportText says who is exported.
func exportText(with, without, leftOut int) string {
	words := people(with+without) + " will be exported: " + text.Number(with) + " with an email and " + text.Number(without) + " without one."
	if leftOut > 0 {
		words += " " + text.Capital(people(leftOut)) + " will be left out, because the status of their email is not ticked."
	}
	return words
}

func (s *verifyStep) draw() []app.UI {
	with, without, leftOut := s.split()
	parts := []app.UI{ui.Remark(text.Number(with+leftOut) + " of " + people(with+without+leftOut) + " have an email.")}
	skip := s.page.leads(ui.PlainButton("Skip", nil), atExport)
	if !s.used() {
		return append(parts, s.panel.Draw([]app.UI{skip}, nil)...)
	}
	return append(parts, s.panel.Draw(nil, []app.UI{ui.Remark(exportText(with, without, leftOut)),
		ui.Actions(s.page.leads(ui.Button("Continue to export", nil), atExport))})...)
}
