package verification

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/pages"
	"marketingskills/app/rest"
	"marketingskills/app/text"
	"marketingskills/app/ui"
	"marketingskills/app/verify"
	"marketingskills/app/verify/truelist"
)

// mostSubmitted is how many emails the proxy takes in one call.
const mostSubmitted = 10_000

const elsewhere = "The results arrive at the verifier’s own dashboard, not on this page."

// submission hands a list to the verifier, which sends no results here. It
// remembers what was sent for as long as the page is there: nobody pays for that
// again by pressing the button again.
type submission struct {
	operation pages.Operation

	mu   sync.Mutex
	on   bool
	sent map[string]bool // by verify.Key
}

// unsent are the emails that the verifier may know more about and was not handed
// yet.
func (s *submission) unsent(entries []verify.Entry) (emails []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range entries {
		if e.Open() && !s.sent[verify.Key(e.Address)] {
			emails = append(emails, e.Address)
		}
	}
	return emails
}

// begin tells whether a submission may begin: one at a time.
func (s *submission) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	began := !s.on
	s.on = true
	return began
}

// send submits emails in as many calls as it takes, and returns how many were
// submitted. A call under way is paid for, so it goes on when ctx ends.
func (s *submission) send(ctx context.Context, client *truelist.Client, emails []string) (sent int, err error) {
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.on = false
	}()
	for part := range slices.Chunk(emails, mostSubmitted) {
		if err := ctx.Err(); err != nil {
			return sent, err
		}
		if err := client.Submit(context.WithoutCancel(ctx), part); err != nil {
			return sent, err
		}
		s.remember(part)
		sent += len(part)
	}
	return sent, nil
}

func (s *submission) remember(part []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sent == nil {
		s.sent = map[string]bool{}
	}
	for _, email := range part {
		s.sent[verify.Key(email)] = true
	}
}

// submit hands over all emails that are open and were not handed over yet.
func (p *Panel) submit(app.Context, app.Event) {
	p.look()
	unsent := p.unsent
	emails := text.Count(len(unsent), "email")
	client, ok := p.proxy.connect()
	if !ok || len(unsent) == 0 || !browser.Confirm("Submit "+emails+"? This uses up to "+text.Count(len(unsent), "credit")+". "+elsewhere) {
		return
	}
	if !p.submission.begin() {
		p.page.Tell("", "A list is still being submitted. Wait until it is done.")
		return
	}
	p.submission.operation.Run(p.page, "Submitting "+emails+".", func(ctx context.Context) func() {
		sent, err := p.submission.send(ctx, client, unsent)
		return func() {
			p.look()
			if err != nil {
				p.page.Tell("", unsubmitted(p.proxy.trouble(err), err, sent, len(unsent)))
				return
			}
			p.page.Tell("Submitted "+emails+". "+elsewhere, "")
		}
	})
}

// unsubmitted says how a submission failed. What did not get an answer may have
// arrived all the same.
func unsubmitted(t trouble, err error, sent, all int) string {
	said := t.what + " " + text.Number(sent) + " of " + text.Count(all, "email") + " were submitted."
	if errors.Is(err, verify.ErrServer) || errors.Is(err, rest.ErrUnreachable) || errors.Is(err, rest.ErrTimeout) {
		next := min(all-sent, mostSubmitted)
		return said + " The next " + text.Count(next, "email") +
			" may have arrived, too: look at the verifier’s own dashboard before you submit the rest."
	}
	return said + " " + t.next
}

// drawSubmission offers to hand over the list, or what is left of it.
func (p *Panel) drawSubmission(t *tally) (parts []app.UI) {
	if n := t.open - len(p.unsent); n > 0 {
		parts = append(parts, ui.Remark(text.Count(n, "email")+" submitted. "+elsewhere+" To verify submitted emails here costs a credit again."))
	}
	if len(p.unsent) == 0 {
		return parts
	}
	emails := text.Count(len(p.unsent), "email")
	return append(parts, ui.MoreFields("Submit the list to the verifier instead",
		ui.P("Soft", "The verifier takes all "+emails+" at once, at one credit each. "+elsewhere),
		ui.Actions(ui.PlainButton("Submit "+emails, p.submit)),
	))
}
