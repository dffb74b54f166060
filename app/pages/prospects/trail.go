package prospects

import (
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
)

// trail is the way through the steps as the browser's history knows it: each
// step has an address, to which Back and Forward lead.
type trail struct{ page *extraction }

// follow begins to listen to Back and Forward. A reload begins anew, whatever
// step the address is of.
func (t trail) follow() {
	browser.OnBack(t.back)
	if _, ok := t.stepAt(browser.At().Fragment); ok {
		browser.SetFragment("")
	}
}

// address is the fragment of the step at hand, "" for the first.
func (t trail) address() string {
	x := t.page
	if x.here == atSource {
		return ""
	}
	return strings.ToLower(x.steps()[x.here].name)
}

// stepAt is the step that a fragment is the address of.
func (t trail) stepAt(fragment string) (n stepNumber, ok bool) {
	if fragment == "" {
		return atSource, true
	}
	i := slices.IndexFunc(t.page.steps(), func(s step) bool { return strings.EqualFold(s.name, fragment) })
	return stepNumber(i), i > int(atSource)
}

// back shows the step of an entry of the history. Where it is behind the
// visitor for good, or was lost with a reload, the page stays and says why: an
// entry put in its place would keep them from ever leaving by Back.
func (t trail) back(fragment string) bool {
	n, ok := t.stepAt(fragment)
	if !ok {
		return false
	}
	x := t.page
	x.ctx.Dispatch(func(app.Context) {
		switch {
		case n == x.here:
		case t.within(n):
			x.turnTo(n)
		default:
			browser.SetFragment(t.address())
			if x.run.current != nil && n < atRun {
				x.says.status = "A run keeps the settings it was started with. To change them, start a new run."
			}
		}
	})
	return true
}

// within tells whether the page can show a step now.
func (t trail) within(n stepNumber) bool {
	x := t.page
	begun := x.run.current != nil
	switch n {
	case atSource:
		return !begun
	case atPlan, atPurpose:
		return !begun && x.plan.plan != nil
	default:
		return x.steps()[n].open
	}
}
