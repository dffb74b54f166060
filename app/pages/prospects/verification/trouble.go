package verification

import (
	"errors"
	"time"

	"marketingskills/app/rest"
	"marketingskills/app/text"
	"marketingskills/app/verify"
)

// trouble is what went wrong, and what to do next; each is a sentence or two.
type trouble struct{ what, next string }

// kept is what a run that ends early leaves behind.
const kept = "The answers so far are kept."

// troubleOf puts a failure into words. The other side's own words stand behind
// ours: they name the setting to change.
func troubleOf(err error, host string, token bool) trouble {
	t := trouble{"The verification stopped. " + sentenceOf(err), kept + " Resume to try again."}
	switch limit, limited := errors.AsType[*verify.LimitError](err); {
	case errors.Is(err, rest.ErrInterrupted):
		return trouble{"Stopped.", kept + " You can resume."}
	case limited:
		return trouble{"The limit of requests is reached.", kept + " Resume after " + text.Clock(time.Now().Add(limit.Wait)) + "."}
	case errors.Is(err, verify.ErrKey) && token:
		t = trouble{"The proxy did not accept the token.", "Check the token and enter it again. " + kept}
	case errors.Is(err, verify.ErrKey):
		t = trouble{"The proxy needs a token.", "Enter the token of the proxy. " + kept}
	case errors.Is(err, verify.ErrPayment):
		t = trouble{"The verifier’s account has no credits left.", kept + " Add credits there, then resume."}
	case errors.Is(err, verify.ErrRefused):
		t = trouble{"The proxy at " + host + " does not take requests from this page.", "Whoever runs it can allow this site. " + kept}
	case errors.Is(err, verify.ErrNoKey):
		t = trouble{"The proxy has no API key for a verifier.", "Start it with VERIFY_URL and VERIFY_API_KEY, or use the free checks only."}
	case errors.Is(err, verify.ErrNoLists):
		return trouble{"The verifier takes no lists.", "Verify the emails here instead."}
	case errors.Is(err, verify.ErrAbsent):
		t = trouble{"There is no verification proxy at " + host + ".", "Start verify-proxy there, or use the free checks only. " + kept}
	case errors.Is(err, rest.ErrTimeout):
		t = trouble{host + " did not answer in time.", kept + " Resume to try again."}
	case errors.Is(err, rest.ErrUnreachable):
		return trouble{host + " could not be reached.",
			kept + " Check your connection, and whether the proxy runs and allows this site. Then resume."}
	case errors.Is(err, verify.ErrServer):
		t = trouble{"The proxy or the verifier failed.", kept + " Resume in a few minutes."}
	}
	if said := rest.Message(err); said != "" && !errors.Is(err, rest.ErrTimeout) && !errors.Is(err, verify.ErrAbsent) {
		t.what += " The proxy says: " + text.Sentence(said)
	}
	return t
}

func sentenceOf(err error) string { return text.Sentence(err.Error()) }
