package verification

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"marketingskills/app/rest"
	"marketingskills/app/text"
	"marketingskills/app/ui"
	"marketingskills/app/verify"
)

// status is what the page says of an email status.
type status struct {
	state verify.State
	name  string
	mark  string // a sign beside the name: colour alone says nothing
	class string // of the badge and of its part of the bar
	means string
	todo  string
}

// The states that only this page has: verify.Unknown without a mail server having
// been asked, and what the free checks say of it.
const (
	plausible verify.State = "looks_right"
	mistyped  verify.State = "typing_error"
)

// emailState is what the page calls what is known of an email.
func emailState(e *verify.Entry) verify.State {
	switch {
	case e.Result.State != verify.Unknown || byVerifier(e):
		return e.Result.State
	case meant(e) != "":
		return mistyped
	}
	return plausible
}

// statuses are those of rule 20 and the page's own, the safest first. There are
// others.
var statuses = []status{
	{verify.OK, "OK", "●", "ok", "The mailbox exists and takes email.", "Safe to send to, if you have permission."},
	{verify.AcceptAll, "Accept all", "◐", "accept-all", "The server takes email for any name, so the mailbox may not exist.",
		"Include a few at a time and watch the bounces."},
	{plausible, "Looks right", "○", "plausible", "Not confirmed: nothing wrong was found, but no server was asked.",
		"Verify it, or include a few at a time and watch the bounces."},
	{verify.Risky, "Risky", "▲", "risky", "It may work, but it is likely to bounce or to be thrown away.",
		"Leave it out unless you know the person."},
	{mistyped, "Typing error", "✎", "mistyped", "It is probably mistyped, and would bounce or reach a stranger.",
		"Correct it or leave it out."},
	{verify.Unknown, "Unknown", "?", "unknown", "Not confirmed: no server was asked, or none replied.", "Try again later."},
	{verify.EmailInvalid, "Invalid", "×", "invalid", "No server takes email for it.", "Correct it or remove it. It is never exported."},
}

// statusOf also describes a status that nobody has heard of.
func statusOf(s verify.State) *status {
	if s == invalid {
		s = verify.EmailInvalid
	}
	if i := slices.IndexFunc(statuses, func(known status) bool { return known.state == s }); i >= 0 {
		return &statuses[i]
	}
	return &status{s, text.Capital(strings.ReplaceAll(string(s), "_", " ")), "○", "unknown",
		"The verifier’s own status; its documentation explains it.", "Treat it as unknown."}
}

// invalid is the name that some verifiers have for email_invalid.
const invalid verify.State = "invalid"

// details are sub-states in words. Others are shown as they are.
var details = map[verify.SubState]string{
	verify.EmailOK: "", verify.UnknownError: "No clear answer", "accept_all": "",
	verify.IsDisposable:    "Throwaway mailbox",
	verify.IsRole:          "Shared inbox, not one person",
	verify.FailedSMTPCheck: "Refused by the mail server",
	"failed_mx_check":      "The domain has no mail server",
	"failed_no_mailbox":    "There is no such mailbox",
	"failed_spam_trap":     "A trap for senders of spam",
	"failed_greylisted":    "The mail server asks to come back later",
	"failed_syntax_check":  "Not written as an email is",
}

// row is a line of the list of emails.
type row struct {
	email  string
	times  string // how often it was given, if more than once
	status *status
	detail string // why, and what to do about it
	meant  string // the email that was probably meant
}

func rowOf(e *verify.Entry) row {
	r := e.Result
	known, ok := details[r.SubState]
	if !ok {
		known = text.Capital(strings.ReplaceAll(string(r.SubState), "_", " "))
	}
	of := row{email: e.Address, status: statusOf(emailState(e)), detail: text.Capital(cmp.Or(r.Reason, known)), meant: meant(e)}
	switch {
	case errors.Is(e.Err, rest.ErrUnreachable):
		of.detail = "Not verified: no connection"
	case errors.Is(e.Err, rest.ErrTimeout):
		of.detail = "Not verified: no answer in time"
	case e.Err != nil:
		of.detail = "Not verified: " + cmp.Or(rest.Message(e.Err), e.Err.Error())
	case of.detail == "" && e.Local.SubState == verify.IsRole:
		of.detail = details[verify.IsRole]
	case r.SubState == verify.UnknownError && !byVerifier(e):
		of.detail = "" // nobody was asked
		if of.meant == "" {
			of.detail = "Not confirmed"
		}
	}
	if e.Times > 1 {
		of.times = " (" + text.Number(e.Times) + " times)"
	}
	return of
}

// correction is what an email is to be replaced by, "" if it is to stay.
func correction(e *verify.Entry) string {
	if e.Result.State == verify.OK {
		return ""
	}
	return meant(e)
}

// meant is the email that was probably meant, "" if none was, or if the one that
// was written is ok.
func meant(e *verify.Entry) string {
	if e.Result.State == verify.OK {
		return e.Result.DidYouMean
	}
	return cmp.Or(e.Result.DidYouMean, e.Local.DidYouMean)
}

// tally counts the emails of a list.
type tally struct {
	given, different int
	states           map[verify.State]int
	order            []verify.State // of states, the safest first, those nobody has heard of last
	// What the free checks found.
	invalid, disposable, roles, slips int
	corrections, confirmed            int
	open, answered, failed            int
	byVerifier                        bool
}

func tallyOf(entries []verify.Entry) *tally {
	t := &tally{different: len(entries), states: map[verify.State]int{}}
	for i := range entries {
		e := &entries[i]
		t.given += e.Times
		if e.Result.State != "" { // it is checked
			t.states[emailState(e)]++
		}
		count := func(n *int, yes bool) {
			if yes {
				*n++
			}
		}
		count(&t.invalid, e.Local.State == verify.EmailInvalid)
		count(&t.disposable, e.Local.SubState == verify.IsDisposable)
		count(&t.roles, e.Local.SubState == verify.IsRole)
		count(&t.slips, meant(e) != "")
		count(&t.open, e.Open())
		count(&t.corrections, correction(e) != "")
		count(&t.confirmed, e.Result.State == verify.OK)
		count(&t.answered, e.Asked)
		count(&t.failed, e.Open() && e.Err != nil)
		t.byVerifier = t.byVerifier || byVerifier(e)
	}
	for _, s := range statuses {
		if t.states[s.state] > 0 {
			t.order = append(t.order, s.state)
		}
	}
	var foreign []string
	for s := range t.states {
		if !slices.Contains(t.order, s) {
			foreign = append(foreign, string(s))
		}
	}
	slices.Sort(foreign)
	for _, s := range foreign {
		t.order = append(t.order, verify.State(s))
	}
	return t
}

// byVerifier tells whether a mail server was asked about an email, and not only
// the free checks of a proxy without a key.
func byVerifier(e *verify.Entry) bool { return e.Asked && e.Result.Source != verify.FromChecks }

// facts say what there is to verify, and about how long it takes. What the free
// checks did not find is left out.
func (t *tally) facts(proxy *proxy) []ui.Property {
	facts := []ui.Property{{Name: "Unique emails", Value: text.Number(t.different)}}
	found := func(name string, n int) {
		if n > 0 {
			facts = append(facts, ui.Property{Name: name, Value: text.Number(n)})
		}
	}
	found("Duplicates", t.given-t.different)
	found("Invalid", t.invalid)
	found("Throwaway mailboxes", t.disposable)
	found("Shared inboxes such as info@", t.roles)
	found("Possible typing errors", t.slips)
	left := "Still to verify, at one credit each"
	if proxy.state == keyless {
		left = "Domains still to check"
	}
	facts = append(facts, ui.Property{Name: left, Value: text.Number(t.open)})
	if t.open > 0 && proxy.state != away {
		value := "under 1 minute"
		if d := proxy.timeFor(t.open); d >= time.Minute {
			value = "about " + text.Duration(d)
		}
		facts = append(facts, ui.Property{Name: "Estimated time", Value: value})
	}
	return facts
}

// filters of the list that are no states.
const (
	everyState = "all"
	onlySlips  = "slips"
)

// filter is a choice of what the list shows.
type filter struct {
	id, title string
	count     int
}

func (t *tally) filters() []filter {
	all := []filter{{everyState, "All", t.different}}
	for _, s := range t.order {
		all = append(all, filter{idOf(s), statusOf(s).name, t.states[s]})
	}
	if t.slips > 0 {
		all = append(all, filter{onlySlips, "With a suggestion", t.slips})
	}
	return all
}

// rows are the first of those that a filter lets through, and how many more
// there are.
func rows(entries []verify.Entry, by string, most int) (shown []row, more int) {
	for i := range entries {
		e := &entries[i]
		if by != everyState && idOf(emailState(e)) != by && (by != onlySlips || meant(e) == "") {
			continue
		}
		if len(shown) == most {
			more++
			continue
		}
		shown = append(shown, rowOf(e))
	}
	return shown, more
}

// endText says how the last run ended, and what to do next.
func (p *Panel) endText() trouble {
	t := p.tally
	verified := text.Number(t.answered) + " of " + text.Count(t.answered+t.open, "email") + " answered."
	switch {
	case p.err != nil:
		said := p.proxy.trouble(p.err)
		said.what += " " + verified
		return said
	case t.failed > 0:
		return trouble{"Complete, but " + text.Count(t.failed, "email") + " failed. " + verified, "Retry now or later."}
	case p.checked && !p.work.On && t.answered > 0 && t.open == 0:
		return trouble{"Complete. " + t.confirmedText(), ""}
	}
	return trouble{}
}

// confirmedText says how many emails a mail server was heard to take.
func (t *tally) confirmedText() string {
	return text.Number(t.confirmed) + " of " + text.Count(t.different, "email") + " confirmed."
}

func accountText(a verify.Account) string {
	name := cmp.Or(a.Account.Name, a.Name, a.Email, "without a name")
	if a.Account.PaymentPlan == "" {
		return "The verifier’s account is " + name + "."
	}
	return "The verifier’s account is " + name + ", on the plan " + a.Account.PaymentPlan + "."
}
