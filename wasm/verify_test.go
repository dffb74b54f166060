//go:build !js

package main_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/export"
	"marketingskills/app/verify/csvfile"
)

// sampleRun goes through the sample to the end of its run.
func sampleRun(t testing.TB, s *served) *marketer {
	t.Helper()
	b := open(t)
	m := &marketer{tab: b, site: s, dir: t.TempDir()}
	tell(b, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllow, DownloadPath: m.dir, BrowserContextID: chromedp.FromContext(b.ctx).BrowserContextID,
	})
	b.visit(s.address + "prospects/")
	b.takenOver()
	m.press("Try with sample data")
	m.press("Continue")
	m.press("Start run")
	m.status("Complete.")
	return m
}

// table reads a CSV file by its header.
func table(t testing.TB, data []byte) (header []string, rows []map[string]string) {
	t.Helper()
	all, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = cells[i]
		}
		rows = append(rows, row)
	}
	return all[0], rows
}

// fresh removes the downloads, so that saved finds the next one.
func (m *marketer) fresh() {
	m.t.Helper()
	entries, err := os.ReadDir(m.dir)
	if err != nil {
		m.t.Fatal(err)
	}
	for _, e := range entries {
		os.Remove(m.dir + "/" + e.Name())
	}
}

// On a fresh machine, without any account: sample, free checks, export. Nothing
// is ticked, what is ticked is exported, and the files say what is known.
func TestSampleWithFreeChecks(t *testing.T) {
	m := sampleRun(t, theSite(t))
	tell(m.tab, network.Enable, network.EnableParams{})
	m.press("Verify emails")
	m.press("Use free checks only")
	m.until("the choice shows", `document.getElementById("include")`)
	if got := eval[int](m.tab, `document.querySelectorAll("#include input[type=checkbox]:checked").length`); got != 0 {
		t.Errorf("%d boxes are ticked after free checks", got)
	}
	if got := m.text(".Bounce-share"); got != "–" {
		t.Errorf("nothing is chosen, and the share is %q", got)
	}
	m.press("Continue to export")
	m.press("Download CSV")
	header, without := table(t, m.saved(".csv"))
	if want := slices.Concat(export.Columns, csvfile.Columns); !slices.Equal(header, want) {
		t.Errorf("the columns are %v", header)
	}
	for _, row := range without {
		if row["email"] != "" || row["email_state"] != "" {
			t.Errorf("%s is exported, and nothing was ticked", row["email"])
		}
	}
	m.fresh()
	m.press("Change the choice of emails")
	m.until("the choice shows", `document.getElementById("include-unknown")`)
	m.tick("include-unknown")
	m.until("the sum shows", `document.querySelector(".Bounce-share").textContent === "25%"`)
	m.press("Continue to export")
	m.press("Download CSV")
	_, all := table(t, m.saved(".csv"))
	some := 0
	for _, row := range all {
		if row["email"] == "" {
			continue
		}
		some++
		if row["email_state"] != "unknown" || row["verified_at"] == "" {
			t.Errorf("%s is %q, %q", row["email"], row["email_state"], row["verified_at"])
		}
	}
	if some < 20 || len(all)-some != len(without) {
		t.Errorf("%d people with an email and %d without; before there were %d", some, len(all)-some, len(without))
	}
	m.press("Download JSON")
	var object struct{ Users []prospect.Record }
	if err := json.Unmarshal(m.saved(".json"), &object); err != nil {
		t.Fatal(err)
	}
	for _, u := range object.Users {
		if v := u.Verification; (v == nil) != (u.Email == "") || v != nil && (v.State != "unknown" || v.Source != "free-checks") {
			t.Errorf("%s with %q: %+v", u.Login, u.Email, v)
		}
	}
	m.press("Download CSV for HubSpot")
	if text := string(m.saved("-hubspot.csv")); strings.Contains(text, "email_state") {
		t.Errorf("the file for HubSpot begins %.200q", text)
	}
}

// A step that is skipped changes no file.
func TestSkippedVerification(t *testing.T) {
	m := sampleRun(t, theSite(t))
	m.press("Verify emails")
	m.press("Skip")
	m.press("Download CSV")
	header, _ := table(t, m.saved(".csv"))
	if !slices.Equal(header, export.Columns) {
		t.Errorf("the columns are %v", header)
	}
	m.press("Download JSON")
	if bytes.Contains(m.saved(".json"), []byte("verification")) {
		t.Error("the JSON names a verification")
	}
}
