package verification

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"marketingskills/app/rest"
	"marketingskills/app/verify"
	"marketingskills/app/verify/csvfile"
	"marketingskills/app/verify/truelist"
)

// checked is a list after the free checks, with a verifier's answers to some.
func checked(t *testing.T, answers map[string]verify.Result, emails ...string) []verify.Entry {
	t.Helper()
	job := verify.NewJob(emails)
	if err := job.Check(t.Context(), verify.Checker{Disposable: "throwaway.example\n"}, func() {}); err != nil {
		t.Fatal(err)
	}
	for email, r := range answers {
		if !job.Know(email, r) {
			t.Fatalf("%s is not in the list", email)
		}
	}
	return job.Entries()
}

func said(s verify.State) verify.Result { return verify.Result{State: s, Source: verify.FromVerifier} }

func TestTally(t *testing.T) {
	got := tallyOf(checked(t, map[string]verify.Result{"d@x.example": said(verify.OK), "e@x.example": said("strange"), "f@x.example": {State: verify.Unknown, Source: verify.FromChecks}},
		"a", "b@throwaway.example", "info@x.example", "c@gmal.com", "d@x.example", "D@x.example", "d@X.example", "e@x.example", "f@x.example"))
	want := &tally{given: 9, different: 8, states: map[verify.State]int{verify.OK: 1, verify.Risky: 1, plausible: 3, mistyped: 1, verify.EmailInvalid: 1, "strange": 1},
		order:   []verify.State{verify.OK, plausible, verify.Risky, mistyped, verify.EmailInvalid, "strange"},
		invalid: 1, disposable: 1, roles: 1, slips: 1, corrections: 1, confirmed: 1, open: 3, answered: 3, byVerifier: true}
	if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if only := tallyOf(checked(t, nil, "a@x.example")); only.byVerifier || only.open != 1 {
		t.Errorf("after free checks: %+v", only)
	}
}

func TestFacts(t *testing.T) {
	for _, c := range []struct {
		of    tally
		proxy proxy
		want  string
	}{
		{tally{}, proxy{state: away}, "Unique emails 0, Still to verify, at one credit each 0"},
		{tally{given: 1002, different: 1001, open: 1001}, proxy{state: open},
			"Unique emails 1,001, Duplicates 1, Still to verify, at one credit each 1,001, Estimated time about 2 minutes"},
		{tally{given: 1001, different: 1001, open: 1001}, proxy{state: open, health: verify.Health{Limit: 2}},
			"Unique emails 1,001, Still to verify, at one credit each 1,001, Estimated time about 9 minutes"},
		{tally{given: 9, different: 9, invalid: 1, disposable: 2, roles: 3, slips: 4, open: 5}, proxy{state: keyless},
			"Unique emails 9, Invalid 1, Throwaway mailboxes 2, Shared inboxes such as info@ 3, Possible typing errors 4, " +
				"Domains still to check 5, Estimated time under 1 minute"},
	} {
		var got []string
		for _, f := range c.of.facts(&c.proxy) {
			got = append(got, f.Name+" "+f.Value)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%+v: %q, want %q", c.of, got, c.want)
		}
	}
}

func TestRows(t *testing.T) {
	entries := checked(t, map[string]verify.Result{"ok@x.example": said(verify.OK), "trap@x.example": {State: verify.Risky, SubState: "failed_spam_trap"},
		"odd@x.example": {State: "quarantined", SubState: "held_back"}, "info@x.example": said(verify.OK)},
		"no email", "free@x.example", "c@gmal.com", "ok@x.example", "ok@X.example", "trap@x.example", "odd@x.example", "info@x.example", "failed@x.example")
	entries[len(entries)-1].Err = rest.ErrTimeout
	var got []string
	shown, more := rows(entries, everyState, 100)
	for _, r := range shown {
		got = append(got, strings.Join([]string{r.email + r.times, r.status.name, r.detail, r.meant}, "|"))
	}
	want := []string{"no email|Invalid|It has no @|", "free@x.example|Looks right|Not confirmed|", "c@gmal.com|Typing error||c@gmail.com", "ok@x.example (2 times)|OK||",
		"trap@x.example|Risky|A trap for senders of spam|", "odd@x.example|Quarantined|Held back|", "info@x.example|OK|Shared inbox, not one person|",
		"failed@x.example|Looks right|Not verified: no answer in time|"}
	if !slices.Equal(got, want) || more != 0 {
		t.Errorf("got %d more and\n%s\nwant\n%s", more, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for by, n := range map[string][2]int{"ok": {1, 1}, "unknown": {0, 0}, "looks_right": {1, 1}, "typing_error": {1, 0}, onlySlips: {1, 0}, "quarantined": {1, 0}, "accept_all": {0, 0}} {
		if shown, more := rows(entries, by, 1); len(shown) != n[0] || more != n[1] {
			t.Errorf("%s: %d shown and %d more, want %v", by, len(shown), more, n)
		}
	}
}

// counted is a list with so many emails of each state.
func counted(states map[verify.State]int) *tally {
	t := &tally{states: states, byVerifier: true}
	for _, s := range append(slices.Clone(verify.States), "strange") {
		if states[s] > 0 {
			t.order = append(t.order, s)
			t.different += states[s]
		}
	}
	return t
}

func TestBounce(t *testing.T) {
	list := counted(map[verify.State]int{verify.OK: 100, verify.AcceptAll: 20, verify.Risky: 4, verify.EmailInvalid: 9, "strange": 8})
	for _, c := range []struct {
		chosen string
		emails int
		sum    string
		judged string
	}{
		{"", 0, "", ""},
		{"ok", 100, "0 ÷ 100 = 0%", "Under"},
		{"ok accept_all", 120, "(20 × 10%) ÷ 120 = 1.67%", "Under"},
		{"ok accept_all email_invalid", 120, "(20 × 10%) ÷ 120 = 1.67%", "Under"},
		{"ok accept_all risky", 124, "(20 × 10% + 4 × 25%) ÷ 124 = 2.42%", "High"},
		{"accept_all", 20, "(20 × 10%) ÷ 20 = 10%", "Too high"},
		{"ok strange", 108, "(8 × 25%) ÷ 108 = 1.85%", "Under"},
	} {
		var choice choice
		choice.reset()
		choice.chosen = map[verify.State]bool{}
		for s := range strings.FieldsSeq(c.chosen) {
			choice.chosen[verify.State(s)] = true
		}
		b := choice.bounce(list)
		if b.emails != c.emails || b.sum != c.sum || c.emails > 0 && !strings.HasPrefix(judge(b.share), c.judged) {
			t.Errorf("%q: %+v, %s", c.chosen, b, judge(b.share))
		}
	}
}

func TestConsequence(t *testing.T) {
	list := counted(map[verify.State]int{verify.OK: 100, verify.AcceptAll: 20, verify.Risky: 1, verify.Unknown: 50})
	var c choice
	c.reset()
	for s, want := range map[verify.State]string{
		verify.AcceptAll: "Adding these 20 raises predicted bounces from 0% to 1.67%.",
		verify.Risky:     "Adding this one raises predicted bounces from 0% to 0.25%.",
		verify.Unknown:   "Adding these 50 raises predicted bounces from 0% to 8.33%: over 5%, where accounts are reviewed.",
	} {
		if got := c.consequence(list, s); got != want {
			t.Errorf("%s: %q, want %q", s, got, want)
		}
	}
	c.chosen[verify.OK], c.guesses[verify.AcceptAll] = false, 3
	if got := c.consequence(list, verify.AcceptAll); got != "Of these 20, a predicted 3% will bounce: over the advised 2%." {
		t.Errorf("by themselves: %q", got)
	}
	if c.chosen[verify.AcceptAll] {
		t.Error("asking what would be has ticked a box")
	}
}

// answering is a client of a server that answers so.
func answering(t *testing.T, status int, header, body string) *truelist.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if header != "" {
			w.Header().Set("Retry-After", header)
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	client, err := truelist.New(rest.Config{Base: server.URL, Doer: server.Client()})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// Each failure says what happened and what to do.
func TestTrouble(t *testing.T) {
	for _, c := range []struct {
		status     int
		header     string
		token      bool
		what, next string
	}{
		{401, "", false, "The proxy needs a token. The proxy says: Its words.", "Enter the token"},
		{401, "", true, "The proxy did not accept the token. The proxy says: Its words.", "Check the token"},
		{402, "", true, "The verifier’s account has no credits left.", "Add credits there"},
		{403, "", true, "The proxy at p.example does not take requests from this page.", "Whoever runs it can allow this site."},
		{404, "", true, "There is no verification proxy at p.example.", "Start verify-proxy there, or use the free checks only."},
		{429, "600", true, "The limit of requests is reached.", "Resume after " + time.Now().Add(10*time.Minute).Format("15:")},
		{500, "", true, "The proxy or the verifier failed. The proxy says: Its words.", "Resume in a few minutes."},
		{405, "", true, "There is no verification proxy at p.example.", "Start verify-proxy there"},
		{501, "", true, "The proxy has no API key for a verifier.", "Start it with VERIFY_URL and VERIFY_API_KEY"},
		{503, "", true, "The proxy or the verifier failed. The proxy says: Its words.", "Resume in a few minutes."},
	} {
		_, err := answering(t, c.status, c.header, `{"error":"its words"}`).Verify(t.Context(), "a@x.example")
		got := troubleOf(fmt.Errorf("in a row: %w", err), "p.example", c.token)
		if !strings.HasPrefix(got.what, c.what) || !strings.Contains(got.next, c.next) {
			t.Errorf("%d: %q, want %q and %q", c.status, got, c.what, c.next)
		}
		if strings.Contains(got.what+got.next, "a@x.example") {
			t.Errorf("%d names the email: %q", c.status, got)
		}
	}
	if got := troubleOf(verify.ErrNoLists, "p.example", true); got.what != "The verifier takes no lists." || got.next != "Verify the emails here instead." {
		t.Errorf("a list: %q", got)
	}
	for err, what := range map[error]string{rest.ErrTimeout: "p.example did not answer in time.", rest.ErrUnreachable: "p.example could not be reached.",
		fmt.Errorf("%w (%w)", rest.ErrInterrupted, context.Canceled): "Stopped.", errors.New("odd"): "The verification stopped. Odd."} {
		if got := troubleOf(err, "p.example", false); got.what != what || !strings.Contains(got.next, "kept") {
			t.Errorf("%v: %q", err, got)
		}
	}
}

func TestStateOfProxy(t *testing.T) {
	for _, c := range []struct {
		h    verify.Health
		err  error
		want proxyState
	}{
		{verify.Health{}, verify.ErrAbsent, away}, {verify.Health{}, nil, keyless}, {verify.Health{Token: true}, nil, keyless},
		{verify.Health{Key: true}, nil, open}, {verify.Health{Key: true, Token: true}, nil, guarded},
	} {
		if got := stateOf(c.h, c.err); got != c.want {
			t.Errorf("%+v, %v: %d, want %d", c.h, c.err, got, c.want)
		}
	}
}

func TestParseList(t *testing.T) {
	for text, want := range map[string]string{
		"a@x.example\n b@x.example \r\n\r\nnonsense": "email: a@x.example b@x.example nonsense",
		"a@x.example, b@x.example;c@x.example":       "email: a@x.example b@x.example c@x.example",
		"Name,Mail\nAnn,a@x.example\n":               "Mail: a@x.example",
		"Ann;a@x.example\nBen;b@x.example":           "column 2: a@x.example b@x.example",
		"email\na@x.example":                         "email: a@x.example",
		"a at x.example\nb@x.example":                "email: a at x.example b@x.example",
		"a at x.example":                             "email: a at x.example",
		"+a@x.example\n=b@x.example":                 "email: +a@x.example =b@x.example",
		" \n":                                        "enter at least one email",
		",,":                                         "no column with email addresses was found; the columns are 1 \"\", 2 \"\" and 3 \"\"",
		"one\ntwo":                                   "no column with email addresses was found; the columns are 1 \"one\"",
	} {
		f, err := parseList([]byte(text))
		got := fmt.Sprint(err)
		if err == nil {
			got = f.Column() + ": " + strings.Join(f.Emails(), " ")
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestLongLists: a list that is refused takes little memory, however many words
// or lines it would be.
func TestLongLists(t *testing.T) {
	for name, data := range map[string][]byte{
		"words": bytes.Repeat([]byte("@ "), csvfile.MaxBytes/2), "lines": bytes.Repeat([]byte("@\n"), csvfile.MaxBytes/2),
		"commas": bytes.Repeat([]byte(","), csvfile.MaxBytes),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := parseList(data)
		runtime.ReadMemStats(&after)
		if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; err == nil || taken > 200 {
			t.Errorf("%s: %d MiB taken, %v", name, taken, err)
		}
	}
}

// What a verifier said in an earlier file is not paid for again.
func TestAnswersInAFile(t *testing.T) {
	f, err := parseList([]byte("email,email_state,email_sub_state,did_you_mean,verified_at\n" +
		"a@x.example,ok,email_ok,,2026-11-22T10:00:00Z\nb@x.example,unknown,unknown_error,,2026-11-22T10:00:00Z\nc@x.example,risky,is_disposable,,\nd@x.example,,,,\n"))
	if err != nil {
		t.Fatal(err)
	}
	known := answersIn(f)
	if len(known) != 2 || known[0].Address != "a@x.example" || known[0].Source != verify.FromVerifier || known[1].Source != verify.FromChecks {
		t.Errorf("known are %+v", known)
	}
}
