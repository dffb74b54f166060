package verification

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/text"
	"marketingskills/app/verify"
)

// choice is which emails are exported, and how many of each kind the visitor
// expects to bounce.
type choice struct {
	panel   *Panel
	chosen  map[verify.State]bool
	guesses map[verify.State]int // percent
}

// guessed are the states that some emails of bounce, nobody knows how many; the
// numbers are guesses to start from. Others are taken for unknown.
var guessed = map[verify.State]int{verify.AcceptAll: 10, plausible: 25, verify.Risky: 25, mistyped: 90, verify.Unknown: 25}

func (c *choice) reset() {
	c.chosen, c.guesses = map[verify.State]bool{verify.OK: true}, maps.Clone(guessed)
}

// mayChoose tells whether emails of a state can be exported at all.
func mayChoose(s verify.State) bool { return s != "" && s != verify.EmailInvalid && s != invalid }

// has tells whether an email of a state is exported.
func (c *choice) has(s verify.State) bool { return mayChoose(s) && c.chosen[s] }

// guess is how much of a state probably bounces, in percent.
func (c *choice) guess(s verify.State) int {
	if s == verify.OK {
		return 0
	}
	if n, ok := c.guesses[s]; ok {
		return n
	}
	return c.guesses[verify.Unknown]
}

// bounce is the share of the chosen emails that will probably bounce, and the
// sum it comes from. emails is 0 if none is chosen.
type bounce struct {
	emails int
	share  float64 // percent
	sum    string  // "(20 × 10%) ÷ 120 = 1.67%"
}

func (c *choice) bounce(t *tally) bounce {
	b := bounce{}
	bounced := 0 // hundredths of an email
	var terms []string
	for _, s := range t.order {
		n := t.states[s]
		if !c.has(s) {
			continue
		}
		b.emails += n
		if guess := c.guess(s); guess > 0 {
			bounced += n * guess
			terms = append(terms, text.Number(n)+" × "+strconv.Itoa(guess)+"%")
		}
	}
	if b.emails == 0 {
		return b
	}
	b.share = float64(bounced) / float64(b.emails)
	above := "0"
	if len(terms) > 0 {
		above = "(" + strings.Join(terms, " + ") + ")"
	}
	b.sum = above + " ÷ " + text.Number(b.emails) + " = " + percent(b.share)
	return b
}

// percent writes a share with at most two decimals.
func percent(share float64) string {
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.2f", share), "0"), ".") + "%"
}

// The lines to hold, in percent. Source: Amazon SES, "Sending review process
// FAQs", as of November 2026.
const (
	advised  = 2
	reviewed = 5
)

// judge holds a share against the lines.
func judge(share float64) string {
	const as = " (Amazon SES, as of November 2026)."
	switch {
	case share >= reviewed:
		return "Too high: at 5% and above, accounts are reviewed" + as
	case share >= advised:
		return "High: advised is under 2%, and at 5% accounts are reviewed" + as
	}
	return "Under the advised 2%. At 5%, accounts are reviewed" + as
}

// consequence says what it does to include the emails of a state.
func (c *choice) consequence(t *tally, s verify.State) string {
	with, without := *c, *c
	with.chosen, without.chosen = maps.Clone(c.chosen), maps.Clone(c.chosen)
	with.chosen[s], without.chosen[s] = true, false
	a, b := with.bounce(t), without.bounce(t)
	these := "these " + text.Number(t.states[s])
	if t.states[s] == 1 {
		these = "this one"
	}
	var words string
	switch {
	case b.emails == 0:
		words = "Of " + these + ", a predicted " + percent(a.share) + " will bounce"
	case a.share == b.share:
		words = "Adding " + these + " leaves predicted bounces at " + percent(a.share)
	default:
		moves := " raises"
		if a.share < b.share {
			moves = " lowers"
		}
		words = "Adding " + these + moves + " predicted bounces from " + percent(b.share) + " to " + percent(a.share)
	}
	switch {
	case a.share >= reviewed && (b.emails == 0 || b.share < reviewed):
		words += ": over 5%, where accounts are reviewed"
	case a.share >= advised && (b.emails == 0 || b.share < advised):
		words += ": over the advised 2%"
	}
	return words + "."
}

// toggle is what a tick does.
func (c *choice) toggle(ctx app.Context, _ app.Event) {
	box := browser.SourceOf(ctx)
	for _, s := range c.panel.tally.order {
		if choiceOf+idOf(s) == box.Name {
			c.chosen[s] = box.Ticked
		}
	}
}

// setGuess is what typing into the field of a guess does. What is no number from
// 0 to 100 changes nothing.
func (c *choice) setGuess(ctx app.Context, _ app.Event) {
	field := browser.SourceOf(ctx)
	n, err := strconv.Atoi(strings.TrimSpace(field.Value))
	if s := verify.State(strings.TrimPrefix(field.Name, guessOf)); err == nil && 0 <= n && n <= 100 {
		c.guesses[s] = n
	}
}

// idOf is a state as a part of an ID: a verifier may send any text.
func idOf(s verify.State) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r == '_' {
			return r
		}
		return '-'
	}, string(s))
}

// The names of boxes and fields begin so; the state follows.
const (
	choiceForm = "include"
	choiceOf   = "include-"
	guessOf    = "guess-"
)

// guessFields are the states whose guess can be changed: those that there are.
func (t *tally) guessFields() []verify.State {
	var all []verify.State
	for _, s := range []verify.State{verify.AcceptAll, plausible, verify.Risky, mistyped, verify.Unknown} {
		if t.states[s] > 0 || s == verify.Unknown && slices.ContainsFunc(t.order, isForeign) {
			all = append(all, s)
		}
	}
	return all
}

func isForeign(s verify.State) bool {
	return mayChoose(s) && !slices.ContainsFunc(statuses, func(known status) bool { return known.state == s })
}

// fill makes the boxes and fields say what is chosen: go-app draws one form into
// the elements of another.
func (c *choice) fill() {
	values := map[string]string{}
	for _, s := range c.panel.tally.order {
		if c.has(s) {
			values[choiceOf+idOf(s)] = "yes"
		}
	}
	for s, n := range c.guesses {
		values[guessOf+string(s)] = strconv.Itoa(n)
	}
	browser.SetFields(choiceForm, values)
}

// Used tells whether what was found decides about the export.
func (p *Panel) Used() bool { return p.used }

// Sent tells whether emails went to the proxy.
func (p *Panel) Sent() bool { return p.used && p.tally.answered > 0 }

// Exported tells whether an email is exported, and what is known of it. Emails
// that were not in the list are.
func (p *Panel) Exported(email string) (e verify.Entry, yes bool) {
	if p.job == nil || !p.used {
		return verify.Entry{}, true
	}
	e, ok := p.job.Entry(email)
	e.Result.DidYouMean = meant(&e)
	return e, !ok || p.choice.has(emailState(&e))
}

// Source is who says what is known of an email.
func Source(e verify.Entry) verify.Source {
	if byVerifier(&e) {
		return verify.FromVerifier
	}
	return verify.FromChecks
}
