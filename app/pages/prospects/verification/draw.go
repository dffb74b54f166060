package verification

import (
	"errors"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/rest"
	"marketingskills/app/text"
	"marketingskills/app/ui"
)

// Draw draws the panel. skip are buttons beside those that begin; onward is what
// leads on, with what was chosen.
func (p *Panel) Draw(skip, onward []app.UI) []app.UI {
	if !p.checked {
		return []app.UI{ui.Heading("Emails"), ui.Remark("Checking the emails in your browser.")}
	}
	t := p.tally
	parts := []app.UI{ui.Heading("Emails"), ui.Properties(t.facts(&p.proxy))}
	if p.list == browser.Failed {
		parts = append(parts, ui.Div("Notice",
			ui.Remark("The list of throwaway domains could not be loaded, so these mailboxes are not recognised."),
			ui.Actions(ui.PlainButton("Load list again", p.retryList))))
	}
	if p.job.Len() == 0 {
		return append(parts, ui.Remark("There are no emails to check."), ui.Actions(skip...))
	}
	if p.work.On || t.answered > 0 {
		parts = append(parts, p.progress(t))
	}
	if t.open > 0 && !p.work.On {
		parts = append(parts, p.proxy.draw(t)...)
	}
	if buttons := append(p.buttons(t), skip...); len(buttons) > 0 && !p.work.On {
		parts = append(parts, ui.Actions(buttons...))
	}
	if t.open > 0 && !p.work.On && (p.proxy.state == open || p.proxy.state == guarded) && p.proxy.health.Lists {
		parts = append(parts, p.drawSubmission(t)...)
	}
	return append(parts, p.results(t, onward)...)
}

// progress is how far the verifier has come, and how it ended.
func (p *Panel) progress(t *tally) app.UI {
	running := p.work.On && !p.work.Stopping
	numbers := []ui.Property{{Name: "Answered", Value: text.Number(t.answered)}, {Name: "Remaining", Value: text.Number(t.open)}}
	if t.failed > 0 {
		numbers = append(numbers, ui.Property{Name: "Failed", Value: text.Number(t.failed)})
	}
	if running {
		numbers = append(numbers, ui.Property{Name: "Time left", Value: text.Countdown(p.proxy.timeFor(t.open))})
	}
	said := trouble{}
	if !p.work.On {
		said = p.endText()
	}
	// They are always there: what comes and goes would be drawn over others.
	wait := app.P().Class("Run-wait")
	if until := p.job.HeldUntil(); running && time.Now().Before(until) {
		wait = wait.Text("The proxy asked for a pause. The verification resumes automatically at " + text.Clock(until) + ".")
	}
	parts := []app.UI{ui.Div("Progress-numbers",
		ui.Bar(ui.Part{Class: "Bar-match", Share: float64(t.answered) / float64(max(t.answered+t.open, 1))}),
		ui.Numbers(numbers))}
	if running {
		parts = append(parts, ui.Actions(p.work.Buttons()...))
	}
	return app.Div().Body(
		app.Section().Class("Progress").Aria("label", "Progress").Body(parts...),
		wait,
		ui.P("Run-end", said.what),
		ui.P("Run-next", said.next),
	)
}

// draw says where the emails would go, and asks for what is needed for it.
func (p *proxy) draw(t *tally) []app.UI {
	host := p.host()
	switch p.state {
	case unasked:
		return []app.UI{ui.Remark("Looking for a proxy at " + host + ".")}
	case away:
		said := p.trouble(p.err).what
		if errors.Is(p.err, rest.ErrUnreachable) { // a browser does not tell who is away from who refuses this site
			said += " Check your connection, and whether verify-proxy runs there and allows this site."
		}
		return []app.UI{
			ui.Remark("The free checks find typing errors and throwaway mailboxes. They cannot tell whether a mailbox exists."),
			p.drawSetUp(said + " Start verify-proxy with VERIFY_URL and VERIFY_API_KEY, the address and the key of a verifier, " +
				"and this page asks it.")}
	case keyless:
		return []app.UI{
			ui.Remark("The free checks cannot tell whether a mailbox exists. The proxy at " + host +
				" can look up whether the domains receive email, at no cost; the emails go to it for that."),
			p.drawSetUp("The proxy has no API key for a verifier. To find out whether a mailbox exists, " +
				"start it with VERIFY_URL and VERIFY_API_KEY.")}
	}
	parts := []app.UI{ui.Remark("Emails go from your browser to " + host + " and from there to the verifier configured there. " +
		"Each costs its account one credit. " + p.account)}
	if p.state == guarded {
		note := "Stays in this page’s memory and is sent to " + host + " only."
		if p.token.Present() {
			note = "A token is set. Leave the field empty to use it."
		}
		parts = append(parts, p.form.Draw(func() { p.take() },
			// Without a name it is no part of what the form says.
			ui.Field(&p.form, tokenField, "Proxy token", note,
				ui.PlainText(app.Input().ID(tokenField).Class("Field-input").Type("password")))))
	}
	return parts
}

// drawSetUp says how to have a verifier asked, to those who want it.
func (p *proxy) drawSetUp(how string) app.UI {
	return ui.MoreFields("Set up a verifier", ui.Remark(how), ui.Actions(ui.PlainButton("Try again", p.recheck)))
}

// buttons are what can be done with the list now.
func (p *Panel) buttons(t *tally) []app.UI {
	if t.open == 0 && p.used {
		return nil
	}
	var all []app.UI
	if label := p.startLabel(t); label != "" {
		all = append(all, ui.Button(label, p.start))
	}
	if p.proxy.state == open || p.proxy.state == guarded {
		all = append(all, ui.PlainButton("Show account", p.proxy.showAccount))
	}
	if !p.used {
		all = append(all, ui.PlainButton("Use free checks only", p.settle))
	}
	return all
}

// startLabel is what asking about the open emails is called; "" if nobody can be
// asked.
func (p *Panel) startLabel(t *tally) string {
	switch {
	case t.open == 0, p.proxy.state == unasked, p.proxy.state == away:
		return ""
	case t.failed > 0 && t.failed == t.open:
		return "Retry failed emails"
	case t.answered > 0:
		return "Resume"
	case p.proxy.state == keyless:
		return "Check domains"
	}
	return "Verify " + text.Count(t.open, "email")
}
