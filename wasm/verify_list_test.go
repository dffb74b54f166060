//go:build !js

package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"marketingskills/app/verify/fakeverifier"
)

// atListPage opens the page for a list.
func atListPage(t testing.TB, s *served) *marketer {
	t.Helper()
	m := &marketer{tab: open(t), site: s, dir: t.TempDir()}
	tell(m.tab, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllow, DownloadPath: m.dir, BrowserContextID: chromedp.FromContext(m.ctx).BrowserContextID,
	})
	m.visit(s.address + "prospects/verify/")
	m.takenOver()
	return m
}

// check pastes a list and waits for the free checks.
func (m *marketer) check(emails ...string) {
	m.t.Helper()
	m.fill("list", strings.Join(emails, "\n"))
	m.press("Check emails")
	m.until("the free checks are made", `document.querySelector(".Email")`)
}

// crowdOf are so many emails that the fake verifier finds ok. The
// proxy looks no domain up that is not written in ASCII, so that these need none.
func crowdOf(n int) (emails []string) {
	for i := range n {
		emails = append(emails, fmt.Sprintf("ann%d@bücher.example", i))
	}
	return emails
}

// answered waits until a run has so many answers.
func (m *marketer) answered(atLeast int) {
	m.t.Helper()
	m.until(fmt.Sprint(atLeast, " are answered"), fmt.Sprintf(`Number(document.querySelector(".Number dd")?.textContent.replace(",", "")) >= %d`, atLeast))
}

// A list is pasted, verified, filtered, chosen from, and comes back as CSV.
func TestPastedList(t *testing.T) {
	v := &fakeverifier.Verifier{Key: "key-of-the-proxy"}
	m := atListPage(t, withVerifier(t, v, "https://api.github.com"))
	m.check("ann@bücher.example", "all.a@bücher.example", "unknown.u@bücher.example", "strange@bücher.example", "info@bücher.example",
		"ben@mailinator.com", "invalid.cat@bücher.con", "no email", "ann@bücher.EXAMPLE")
	facts := eval[map[string]string](m.tab, `Object.fromEntries([...document.querySelectorAll(".Facts-row")].map(r => [r.querySelector("dt").textContent, r.querySelector("dd").textContent]))`)
	for name, want := range map[string]string{"Unique emails": "8", "Duplicates": "1", "Invalid": "1", "Throwaway mailboxes": "1",
		"Shared inboxes such as info@": "1", "Possible typing errors": "1", "Still to verify, at one credit each": "6"} {
		if facts[name] != want {
			t.Errorf("%s: %q, want %s", name, facts[name], want)
		}
	}
	if len(v.Asked()) > 0 {
		t.Errorf("before anybody said so, %v left the browser", v.Asked())
	}
	m.until("where they go", `document.querySelector("main").textContent.includes("and from there to the verifier configured there")`)
	m.press("Show account")
	m.until("whose account", `document.querySelector("main").textContent.includes("The verifier’s account is Example Ltd, on the plan free.")`)
	m.press("Verify 6 emails")
	m.status("Complete. 2 of 8 emails confirmed.")
	if asked := v.Asked(); len(asked) != 6 || slices.Contains(asked, "ben@mailinator.com") {
		t.Errorf("asked was about %v", asked)
	}
	chosen := eval[[]string](m.tab, `[...document.querySelectorAll("#include input[type=checkbox]")].map(b => b.name + " " + b.checked)`)
	if want := []string{"include-ok true", "include-accept_all false", "include-risky false", "include-unknown false", "include-quarantined false"}; !slices.Equal(chosen, want) {
		t.Errorf("the choice is %v", chosen)
	}
	m.tick("include-accept_all")
	m.until("the sum shows", `document.querySelector(".Bounce-sum").textContent === "(1 × 10%) ÷ 3 = 3.33%"`)
	m.fill("guess-accept_all", "50")
	m.until("the guess counts", `document.querySelector(".Bounce-sum").textContent === "(1 × 50%) ÷ 3 = 16.67%"`)
	m.tick("show-accept_all")
	m.until("one shows", `document.querySelectorAll(".Email").length === 1`)
	m.tick("show-slips")
	m.until("the slip shows", `document.querySelector(".Email-meant")?.textContent === "Did you mean invalid.cat@bücher.com?"`)
	m.press("Download all rows")
	_, all := table(t, m.saved("-verified.csv"))
	if len(all) != 9 || all[1]["email_state"] != "accept_all" || all[3]["email_state"] != "quarantined" || all[8]["email_state"] != "ok" || all[7]["email_state"] != "email_invalid" || all[6]["did_you_mean"] != "invalid.cat@bücher.com" {
		t.Errorf("the file says %v", all)
	}
	m.press("Download 4 chosen rows")
	if _, some := table(t, m.saved("-chosen.csv")); len(some) != 4 {
		t.Errorf("chosen are %v", some)
	}
	reached := eval[string](m.tab, `(async () => document.documentElement.outerHTML + JSON.stringify({ ...localStorage, ...sessionStorage })
		+ document.cookie + await (await fetch("/me")).text() + await (await fetch("/healthz")).text())()`)
	for _, secret := range []string{v.Key, fakeverifier.AccountToken, fakeverifier.AccountKey} {
		if strings.Contains(reached, secret) {
			t.Errorf("%s reached the browser", secret)
		}
	}
	if !strings.Contains(reached, "Example Ltd") {
		t.Error("nothing was searched")
	}
}

// A CSV file keeps its columns, its separator and its spelling.
func TestListFromFile(t *testing.T) {
	m := atListPage(t, withVerifier(t, nil, "https://api.github.com"))
	file := filepath.Join(t.TempDir(), "people.csv")
	content := "Name;E-Mail;Note\r\n\"Ann, A.\";ann@acme.example;=1\r\nBen;ben@;x\r\n"
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	read := `document.querySelector(".Banner p")?.textContent === "people.csv: 2 rows, with the emails in \"E-Mail\"."`
	m.give("list-file", file)
	m.until("the file is read", read)
	m.press("Open another list")
	m.until("a file can be dropped", `document.querySelector(".Dropping")`)
	m.drop(".Dropping", file)
	m.until("the dropped file is read", read)
	m.until("the proxy has no key", `document.querySelector("main").textContent.includes("has no API key for a verifier")`)
	m.press("Download all rows")
	got := string(m.saved("people-verified.csv"))
	lines := strings.Split(got, "\r\n")
	if lines[0] != "Name;E-Mail;Note;email_state;email_sub_state;did_you_mean;verified_at" ||
		!strings.HasPrefix(lines[1], "\"Ann, A.\";ann@acme.example;=1;unknown;unknown_error;;20") || !strings.HasPrefix(lines[2], "Ben;ben@;x;email_invalid;failed_smtp_check;;20") {
		t.Errorf("the file came back as %q", got)
	}
}

// Without any proxy a list is repaired: each fault has its name, what was meant
// is taken by a press, all of it by another, and given back by a third.
func TestRepairedList(t *testing.T) {
	static := httptest.NewServer(http.FileServer(http.Dir(theSite(t).dir)))
	t.Cleanup(static.Close)
	m := atListPage(t, &served{address: static.URL + "/"})
	m.tolerates("404")
	m.check("ann@acme.example", "bob@gnail.com", "heidi at gmail.com", "cleo@yahoo.con", "dan@x@acme.example", "eve@acme", "bob@gnail.com")
	rows := func() string {
		return eval[string](m.tab, `[...document.querySelectorAll(".Email")].map(e => [...e.children].map(c => c.innerText.replace(/\s+/g, " ").trim()).join("|")).join("\n")`)
	}
	m.until("it says what is confirmed", `document.querySelector(".Confirmed").textContent === "0 of 6 emails confirmed."`)
	if got, want := rows(), "ann@acme.example|○ Looks right|Not confirmed\nbob@gnail.com (2 times)|✎ Typing error|Did you mean bob@gmail.com?\n"+
		"heidi at gmail.com|× Invalid|It has no @ Did you mean heidi@gmail.com?\ncleo@yahoo.con|✎ Typing error|Did you mean cleo@yahoo.com?\n"+
		"dan@x@acme.example|× Invalid|It has two @ signs\neve@acme|× Invalid|The domain has no dot"; got != want {
		t.Errorf("the list says\n%s\nwant\n%s", got, want)
	}
	m.press("Did you mean bob@gmail.com?")
	m.status("2 emails corrected.")
	m.until("it is corrected", `document.querySelectorAll(".Email-text")[1].textContent === "bob@gmail.com (2 times)"`)
	m.press("Fix all 2")
	m.until("all are", `!document.querySelector(".Email-meant")`)
	if got := eval[string](m.tab, `document.activeElement.id`); got != "email-status" {
		t.Errorf("the button is gone, and the focus is on %q", got)
	}
	m.press("Download all rows")
	_, all := table(t, m.saved("-verified.csv"))
	var emails []string
	for _, row := range all {
		emails = append(emails, row["email"])
	}
	if got := strings.Join(emails, " "); got != "ann@acme.example bob@gmail.com heidi@gmail.com cleo@yahoo.com dan@x@acme.example eve@acme bob@gmail.com" {
		t.Errorf("the file has %s", got)
	}
	m.press("Undo corrections")
	m.until("they are as given", `document.querySelectorAll(".Email-meant").length === 3`)
}

// What is corrected after it was verified, put back and corrected once more is
// not paid for again.
func TestCorrectionsArePaidOnce(t *testing.T) {
	v := &fakeverifier.Verifier{}
	m := atListPage(t, withVerifier(t, v, "https://api.github.com"))
	m.check("ann@bücher.example", "bob@bücher.con")
	m.press("Did you mean bob@bücher.com?")
	m.press("Verify 2 emails")
	m.status("Complete. 2 of 2 emails confirmed.")
	m.press("Undo corrections")
	m.press("Did you mean bob@bücher.com?")
	m.until("both are known", `[...document.querySelectorAll(".Facts-row")].some(r => r.innerText.replace(/\s+/g, " ") === "Still to verify, at one credit each 0")`)
	if asked := v.Asked(); len(asked) != 2 {
		t.Errorf("asked was about %q", asked)
	}
}

// A list that is submitted arrives whole, once the visitor said yes, and the
// page says where the results are.
func TestBulk(t *testing.T) {
	v := &fakeverifier.Verifier{}
	m := atListPage(t, withVerifier(t, v, "https://api.github.com"))
	tell(m.tab, page.Enable, page.EnableParams{})
	asked := make(chan string, 1)
	listen(m.tab, func(e *page.EventJavascriptDialogOpening) {
		asked <- e.Message
		go chromedp.Call(m.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
	})
	m.check(append(crowdOf(3), "not an email")...)
	m.until("it is offered", `document.querySelector(".More-fields")`)
	m.run(`document.querySelector(".More-fields").open = true`)
	m.click(".More-fields button")
	m.until("it was submitted", `document.getElementById("status").textContent === "Submitted 3 emails. The results arrive at the verifier’s own dashboard, not on this page."`)
	if question := <-asked; !strings.Contains(question, "up to 3 credits") || !strings.Contains(question, "dashboard, not on this page") {
		t.Errorf("the question was %q", question)
	}
	if bodies := v.Bodies(); len(bodies) != 1 || string(bodies[0]) != `{"emails":["ann0@bücher.example","ann1@bücher.example","ann2@bücher.example"]}` {
		t.Errorf("the verifier got %q", bodies)
	}
}

// A list of more than one call: what arrived before a call failed is neither
// offered nor sent again, not even when the list is opened once more.
func TestBulkInParts(t *testing.T) {
	v := &fakeverifier.Verifier{Fault: func(n int, _ *http.Request) fakeverifier.Fault {
		if n == 2 {
			return fakeverifier.Payment
		}
		return fakeverifier.None
	}}
	m := atListPage(t, withVerifier(t, v, "https://api.github.com"))
	m.tolerates("402")
	tell(m.tab, page.Enable, page.EnableParams{})
	listen(m.tab, func(*page.EventJavascriptDialogOpening) {
		go chromedp.Call(m.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
	})
	emails := crowdOf(10_002)
	submit := func(label string) {
		m.until("it is offered", `document.querySelector(".More-fields")`)
		m.run(`document.querySelector(".More-fields").open = true`)
		m.press(label)
	}
	m.check(emails...)
	submit("Submit 10,002 emails")
	m.until("it failed", `document.querySelector("main").textContent.includes("10,000 of 10,002 emails were submitted.")`)
	m.press("Open another list")
	m.check(emails...)
	submit("Submit 2 emails")
	m.until("it was submitted", `document.getElementById("status").textContent.startsWith("Submitted 2 emails.")`)
	m.until("it says so", `document.querySelector("main").textContent.includes("10,002 emails submitted.")`)
	if eval[bool](m.tab, `[...document.querySelectorAll("button")].some(b => b.textContent.startsWith("Submit"))`) {
		t.Error("what was submitted is offered again")
	}
	var got []string
	for _, body := range v.Bodies() {
		var part struct{ Emails []string }
		if err := json.Unmarshal(body, &part); err != nil {
			t.Fatal(err)
		}
		got = append(got, part.Emails...)
	}
	if !slices.Equal(got, emails) {
		t.Errorf("the verifier got %d emails, want each of %d once", len(got), len(emails))
	}
}

// BenchmarkTenThousandEmails measures the longest task, in milliseconds, while
// a list of ten thousand emails is verified, listed by status, and chosen from.
func BenchmarkTenThousandEmails(b *testing.B) {
	m := atListPage(b, withVerifier(b, &fakeverifier.Verifier{}, "https://api.github.com"))
	m.check(crowdOf(10_000)...)
	m.watchTasks()
	m.tolerates("429")
	m.press("Verify 10,000 emails")
	m.measure(b, "run", `for (let i = 0; i < 50; i++) await frames2()`)
	m.press("Stop")
	m.status("Stopped")
	m.measure(b, "filter", `for (const id of ["ok", "unknown", "all"]) { document.getElementById("show-" + id).click(); await frames2() }`)
	m.measure(b, "choose", `for (let i = 0; i < 4; i++) { document.getElementById("include-unknown").click(); await frames2() }`)
}
