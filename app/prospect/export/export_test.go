package export_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/export"
	"marketingskills/app/prospect/fakehost"
	"marketingskills/app/rest"
	"marketingskills/app/text"
)

// maxCell is the most characters of a cell.
const maxCell = 32_000

// What verification found stands behind the columns of plain CSV, also where an
// email was not checked, and in no file for a CRM.
func TestVerifiedColumns(t *testing.T) {
	records := []prospect.Record{{User: codehost.User{Login: "ana", Email: "a@b.example"},
		Verification: &prospect.Verification{State: "risky", SubState: "is_role", DidYouMean: "=a@b.example", VerifiedAt: "2026-11-22T10:00:00Z"}}, {User: codehost.User{Login: "ben"}}}
	for _, f := range export.Formats {
		var plain, verified bytes.Buffer
		for out, f := range map[*bytes.Buffer]export.Format{&plain: f, &verified: f.Verified()} {
			w := export.New(out, prospect.Query{}, f)
			for _, r := range records {
				if err := w.Write(r); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(prospect.Report{}); err != nil {
				t.Fatal(err)
			}
		}
		if f.Name != "csv" {
			if plain.String() != verified.String() {
				t.Errorf("%s is another file after verification", f.Name)
			}
			continue
		}
		before, after := strings.Split(plain.String(), "\r\n"), strings.Split(verified.String(), "\r\n")
		for i, more := range []string{",email_state,email_sub_state,did_you_mean,verified_at", ",risky,is_role,'=a@b.example,2026-11-22T10:00:00Z", ",,,,", ""} {
			if after[i] != before[i]+more {
				t.Errorf("line %d is %q, want %q and %q", i, after[i], before[i], more)
			}
		}
	}
}

// TestSemicolonsAreQuoted: where they separate cells, a text stays in its own.
func TestSemicolonsAreQuoted(t *testing.T) {
	var b bytes.Buffer
	w := export.New(&b, prospect.Query{}, named(t, "csv"))
	if err := w.Write(prospect.Record{User: codehost.User{Login: "a", Name: "x;y"}}); err != nil || !strings.Contains(b.String(), `a,"x;y",`) {
		t.Errorf("%v: %s", err, b.String())
	}
}

// runs is how a spreadsheet would see it, told apart from the code: what it
// skips, then a character that starts a formula.
func runs(cell string) bool {
	cell = strings.TrimLeftFunc(cell, func(r rune) bool { return unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf) })
	r, _ := utf8.DecodeRuneInString(cell)
	return strings.ContainsRune("=+-@\t\r\uff1d\uff0b\uff0d\uff20", r) && cell != ""
}

// runsQuoted is the same where quotation marks do not count.
func runsQuoted(cell string) bool { return runs(strings.ReplaceAll(cell, `"`, "")) }

func checkFile(t *testing.T, data []byte, header []string, rows int) [][]string {
	t.Helper()
	if !utf8.Valid(data) || bytes.ContainsAny(data, "\x00\x1b\u202e") {
		t.Error("the file has control characters or is no UTF-8")
	}
	all, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != rows+1 || strings.Join(all[0], ",") != strings.Join(header, ",") {
		t.Fatalf("%d lines, header %v", len(all), all[0])
	}
	if n := bytes.Count(data, []byte("\r\n")); n != rows+1 {
		t.Errorf("%d line ends for %d rows", n, rows)
	}
	for _, row := range all {
		for _, cell := range row {
			if first, others, more := strings.Cut(cell, ";"); runs(first) || more && slices.ContainsFunc(strings.Split(others, ";"), runsQuoted) {
				t.Errorf("a live formula: %.80q", cell)
			}
		}
	}
	return all
}

// run returns the records of a run's matches.
func run(t *testing.T, host *fakehost.Host, query prospect.Query) (records []prospect.Record, report prospect.Report, err error) {
	t.Helper()
	client, err := codehost.New(codehost.Config{Base: fakehost.Base, Doer: host, Token: rest.NewSecret(fakehost.Token)})
	if err != nil {
		t.Fatal(err)
	}
	job, err := prospect.NewJob(client, query, prospect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	report, err = job.Run(t.Context(), func(e prospect.Event) error {
		if e.Outcome != nil && e.Outcome.Record != nil {
			records = append(records, *e.Outcome.Record)
		}
		return nil
	})
	return records, report, err
}

func TestHostileProfilesInEveryOutput(t *testing.T) {
	host := &fakehost.Host{People: fakehost.Hostile()}
	query := prospect.Query{Repo: codehost.Repo{Owner: "octo", Name: "tool"}, Source: "stargazers", Enrich: true, Purpose: "=Ask our own community", LawfulBasis: "legitimate interest"}
	records, report, err := run(t, host, query)
	if err != nil || report.Counts.Failed != 2 || report.Counts.FailedBy["gone"] != 1 || report.Counts.FailedBy["missing"] != 1 {
		t.Fatalf("%v, %+v", err, report.Counts)
	}
	headers := map[string][]string{
		"csv":        strings.Split("login,name,company,email,blog,location,bio,twitter_username,type,public_repos,followers,created_at,html_url,source,source_repo,source_url,starred_at,fetched_at", ","),
		"hubspot":    {"First Name", "Last Name", "Email", "Company Name", "Website URL", "City", "Twitter Username", "Profile URL", "Source", "Purpose"},
		"salesforce": {"First Name", "Last Name", "Company", "Email", "Website", "City", "Lead Source", "Description"},
	}
	for _, preset := range append(export.Presets(), "csv") {
		header := headers[preset]
		if header == nil {
			t.Errorf("the columns of %s are not among the headers here", preset)
		}
		var b bytes.Buffer
		w := export.New(&b, query, named(t, preset))
		for _, r := range records {
			before := b.Len()
			if err := w.Write(r); err != nil || b.Len() == before {
				t.Fatalf("%v, or not written through", err)
			}
		}
		if err := w.Close(report); err != nil {
			t.Fatal(err)
		}
		rows := checkFile(t, b.Bytes(), header, report.Counts.Matches)
		switch preset {
		case "csv":
			if rows[1][2] != "'@acme" || rows[1][0] != "hostile-0" || rows[1][13] != "stargazers" || rows[1][14] != "octo/tool" ||
				!strings.HasPrefix(rows[1][15], fakehost.Base+"/repos/octo/tool/stargazers") || rows[1][16] != "2026-02-01T00:00:00Z" || rows[1][9] != "3" {
				t.Errorf("%q", rows[1])
			}
		case "salesforce":
			for _, row := range rows[1:] {
				if row[1] == "" || row[2] == "" || !strings.Contains(row[7], "Ask our own community") {
					t.Errorf("a required cell is empty, or the purpose is missing: %q", row)
				}
			}
		}
	}
	var b bytes.Buffer
	w := export.New(&b, query, named(t, "json"))
	for _, r := range records {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(report); err != nil {
		t.Fatal(err)
	}
	checkJSON(t, b.Bytes(), report.Counts.Matches)
	b.Reset()
	if err := export.About(&b, report); err != nil {
		t.Fatal(err)
	}
	checkJSON(t, b.Bytes(), 0)
}

func checkJSON(t *testing.T, data []byte, users int) {
	t.Helper()
	if bytes.ContainsAny(data, "<>\x1b\u202e") {
		t.Error("the JSON has markup, escapes or overrides in it")
	}
	var object struct {
		Format   string
		Version  int
		Query    prospect.Query
		Users    []prospect.Record
		Counts   prospect.Counts
		Complete bool
		Requests int
	}
	if err := json.Unmarshal(data, &object); err != nil {
		t.Fatalf("%v in %.200s", err, data)
	}
	if object.Format != "prospects" || object.Version != 1 || len(object.Users) != users || object.Query.Repo.String() != "octo/tool" || object.Query.LawfulBasis == "" ||
		object.Counts.Check() != nil || !object.Complete || object.Requests == 0 {
		t.Errorf("%+v", object.Query)
	}
}

func TestEmptyFilesAreWhole(t *testing.T) {
	var b bytes.Buffer
	if err := export.New(&b, prospect.Query{}, named(t, "csv")).Close(prospect.Report{}); err != nil {
		t.Fatal(err)
	}
	checkFile(t, b.Bytes(), export.Columns, 0)
}

// What is written reads back, and no cell starts a formula.
func FuzzCSV(f *testing.F) {
	f.Add("=1+1", "@acme", "a\r\nb", `say "x", y`)
	f.Add("a;=1", "b; @c", `d;"=1"`, ";;+1")
	f.Add("\u202e\t=x", "＝1", "\x1b[31m", " \ufeff+1")
	f.Fuzz(func(t *testing.T, name, company, bio, blog string) {
		var b bytes.Buffer
		w := export.New(&b, prospect.Query{}, named(t, "csv"))
		r := prospect.Record{User: codehost.User{Login: "x", Name: name, Company: company, Bio: bio, Blog: blog}}
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
		row := checkFile(t, b.Bytes(), export.Columns, 1)[1]
		for i, cell := range map[int]string{1: name, 2: company, 4: blog, 6: bio} {
			if row[i] != text.SafeCell(cell) {
				t.Errorf("%q was written as %q and reads back as %q", cell, text.SafeCell(cell), row[i])
			}
			plain := strings.TrimSpace(strings.ReplaceAll(text.Plain(cell), "\n", " "))
			bare := strings.NewReplacer("'", "").Replace
			if bare(row[i]) != bare(plain) && utf8.RuneCountInString(plain) <= maxCell {
				t.Errorf("%q lost something: %q", cell, row[i])
			}
			if text.SafeCell(row[i]) != row[i] && utf8.RuneCountInString(plain) < maxCell {
				t.Errorf("a cell written again changes: %q, %q", row[i], text.SafeCell(row[i]))
			}
		}
	})
}

func named(t testing.TB, name string) export.Format {
	t.Helper()
	f, ok := export.Named(name)
	if !ok {
		t.Fatalf("there is no format %s", name)
	}
	return f
}
