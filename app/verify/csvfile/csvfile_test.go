package csvfile_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"marketingskills/app/verify"
	"marketingskills/app/verify/csvfile"
)

// good is the answer that tests write; rest is how it stands in a file.
var good = verify.Result{State: verify.OK, SubState: verify.EmailOK, VerifiedAt: "2026-11-03T10:00:00Z"}

const (
	head = ",email_state,email_sub_state,did_you_mean,verified_at"
	rest = ",ok,email_ok,,2026-11-03T10:00:00Z"
)

func always(r verify.Result) func(int) verify.Result { return func(int) verify.Result { return r } }

func written(t testing.TB, f *csvfile.File, answer func(int) verify.Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b, answer); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestFiles: {H} and {R} in what is wanted stand for the appended headings and
// an appended answer.
func TestFiles(t *testing.T) {
	with := func(separator string) *strings.Replacer {
		return strings.NewReplacer("{H}", strings.ReplaceAll(head, ",", separator), "{R}", strings.ReplaceAll(rest, ",", separator))
	}
	for _, test := range []struct {
		name, data, column string
		emails             []string
		separator, want    string
	}{
		{"plain", "name,email\nAnn,a@x.example\nBob,b@x.example\n", "", []string{"a@x.example", "b@x.example"}, ",",
			"name,email{H}\nAnn,a@x.example{R}\nBob,b@x.example{R}\n"},
		{"CR LF, byte order mark", "\xef\xbb\xbfE-Mail,x\r\na@x.example,1\r\n", "", []string{"a@x.example"}, ",",
			"\xef\xbb\xbfE-Mail,x{H}\r\na@x.example,1{R}\r\n"},
		{"no last newline", "email\na@x.example", "", []string{"a@x.example"}, ",", "email{H}\na@x.example{R}"},
		{"mixed line ends", "email\ra@x.example\r\nb@x.example\n", "", []string{"a@x.example", "b@x.example"}, ",",
			"email{H}\ra@x.example{R}\r\nb@x.example{R}\n"},
		{"blank lines", "\n\nemail\n\na@x.example\n\n\n", "", []string{"a@x.example"}, ",", "\n\nemail{H}\n\na@x.example{R}\n\n\n"},
		{"semicolons", "Name;E-Mail-Adresse;Umsatz\n\"Doe, J.\";a@x.example;1,5\n", "", []string{"a@x.example"}, ";",
			"Name;E-Mail-Adresse;Umsatz{H}\n\"Doe, J.\";a@x.example;1,5{R}\n"},
		{"tabs", "Email Address\tName\na@x.example\tDoe, Jane; Dr.\n", "", []string{"a@x.example"}, "\t",
			"Email Address\tName{H}\na@x.example\tDoe, Jane; Dr.{R}\n"},
		{"sep=", "sep=;\r\nemail;a,b,c\r\na@x.example;1\r\n", "", []string{"a@x.example"}, ";",
			"sep=;\r\nemail;a,b,c{H}\r\na@x.example;1{R}\r\n"},
		{"quotes", "\"name\",\"EMAIL\"\n\"Ann \"\"A\"\", x\",\"a@x.example\"\n", "", []string{"a@x.example"}, ",",
			"\"name\",\"EMAIL\"{H}\n\"Ann \"\"A\"\", x\",\"a@x.example\"{R}\n"},
		{"line break in a cell", "note,email\n\"one\r\ntwo\n\nthree\",a@x.example\n", "", []string{"a@x.example"}, ",",
			"note,email{H}\n\"one\r\ntwo\n\nthree\",a@x.example{R}\n"},
		{"quotes that quote nothing", "size,email\n5\" pipe,a@x.example\n\"a\"b\"c,b@x.example\n", "", []string{"a@x.example", "b@x.example"}, ",",
			"size,email{H}\n5\" pipe,a@x.example{R}\n\"a\"b\"c,b@x.example{R}\n"},
		{"short rows", "email,name,x\na@x.example\nb@x.example,B,1\n", "", []string{"a@x.example", "b@x.example"}, ",",
			"email,name,x{H}\na@x.example,,{R}\nb@x.example,B,1{R}\n"},
		{"a row longer than the header", "email,name\na@x.example,Acme, Inc.\nb@x.example,B\n", "", []string{"a@x.example", "b@x.example"}, ",",
			"email,name,{H}\na@x.example,Acme, Inc.{R}\nb@x.example,B,{R}\n"},
		{"no email in a row", "name,email\nAnn,\nBob\nCy,c@x.example\n", "", []string{"c@x.example"}, ",",
			"name,email{H}\nAnn,{R}\nBob,{R}\nCy,c@x.example{R}\n"},
		{"NUL and Latin-1", "email,n\na@x.example,\x00M\xfcller\n", "", []string{"a@x.example"}, ",", "email,n{H}\na@x.example,\x00M\xfcller{R}\n"},
		{"no header", "Ann,a@x.example\nBob,b@x.example\n", "", []string{"a@x.example", "b@x.example"}, ",",
			"Ann,a@x.example{R}\nBob,b@x.example{R}\n"},
		{"one address", "a@x.example", "", []string{"a@x.example"}, ",", "a@x.example{R}"},
		{"by what is in it", "who,where,note\nAnn,a@x.example,\nBob,b@x.example,see c@x.example\nCy,none,\n", "",
			[]string{"a@x.example", "b@x.example", "none"}, ",",
			"who,where,note{H}\nAnn,a@x.example,{R}\nBob,b@x.example,see c@x.example{R}\nCy,none,{R}\n"},
		{"by a given name", "email,Second mail \na@x.example,b@x.example\n", "SECOND MAIL", []string{"b@x.example"}, ",",
			"email,Second mail {H}\na@x.example,b@x.example{R}\n"},
		{"by a given number", "a@x.example,b@x.example\n", "2", []string{"b@x.example"}, ",", "a@x.example,b@x.example{R}\n"},
		{"a name before a number", "2,email\na@x.example,b@x.example\n", "2", []string{"a@x.example"}, ",",
			"2,email{H}\na@x.example,b@x.example{R}\n"},
		{"a safe cell", "email\n'+tag@x.example\n", "", []string{"+tag@x.example"}, ",", "email{H}\n'+tag@x.example{R}\n"},
		{"only a header", "email,name\n", "", nil, ",", "email,name{H}\n"},
		{"an earlier output", "email" + head + "\na@x.example,risky,is_role,,\nb@x.example,,,,\nc@x.example\n", "",
			[]string{"a@x.example", "b@x.example", "c@x.example"}, ",", "email{H}\na@x.example{R}\nb@x.example{R}\nc@x.example{R}\n"},
		{"an earlier output without a header", "a@x.example,n" + rest + "\nb@x.example,n,,,,\n", "", []string{"a@x.example", "b@x.example"}, ",",
			"a@x.example,n{R}\nb@x.example,n{R}\n"},
		{"a stranger's columns of the same names", "email_state,email_sub_state,did_you_mean,verified_at,email\n1,2,3,4,a@x.example\n", "",
			[]string{"a@x.example"}, ",", "email_state,email_sub_state,did_you_mean,verified_at,email{H}\n1,2,3,4,a@x.example{R}\n"},
	} {
		f, err := csvfile.Read([]byte(test.data), test.column)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := f.Emails(); !slices.Equal(got, test.emails) {
			t.Errorf("%s: the emails are %q, want %q", test.name, got, test.emails)
		}
		want := with(test.separator).Replace(test.want)
		once := written(t, f, always(good))
		if once != want {
			t.Errorf("%s: wrote\n%q, want\n%q", test.name, once, want)
		}
		again, err := csvfile.Read([]byte(once), test.column)
		if err != nil {
			t.Errorf("%s: reading what was written: %v", test.name, err)
			continue
		}
		if twice := written(t, again, always(good)); twice != once {
			t.Errorf("%s: wrote again\n%q, want\n%q", test.name, twice, once)
		}
	}
}

func TestFilesThatAreRefused(t *testing.T) {
	wide := strings.Repeat("email\n", 60_000) + strings.Repeat(",", 1000)
	for _, test := range []struct{ data, column, want string }{
		{"", "", "the file is empty"},
		{"\xef\xbb\xbf\r\n\n", "", "the file is empty"},
		{"\xff\xfee\x00m\x00", "", "the file is in UTF-16; save it as CSV UTF-8"},
		{"\xfe\xff\x00e\x00m", "", "the file is in UTF-16; save it as CSV UTF-8"},
		{"e\x00m\x00a\x00i\x00l\x00", "", "the file is in UTF-16; save it as CSV UTF-8"},
		{"\x00e\x00m\x00a", "", "the file is in UTF-16; save it as CSV UTF-8"},
		{"PK\x03\x04....", "", "this is a workbook, not CSV; save it as CSV UTF-8"},
		{"email,n\na@x.example,\"b\nc@x.example,d\n", "", `line 2: a quotation mark (") opens a cell and is not closed; close or remove it`},
		{"name,phone\nAnn,1\n", "", `no column with email addresses was found; the columns are 1 "name" and 2 "phone"`},
		{"name\nAnn\n", "mail", `there is no column "mail"; the columns are 1 "name"`},
		{"name,email\nAnn,a@x.example\n", "3", `there is no column "3"; the columns are 1 "name" and 2 "email"`},
		{"name,email\nAnn,a@x.example\n", "0", `there is no column "0"; the columns are 1 "name" and 2 "email"`},
		{"\x1b[2J,\n", "", `no column with email addresses was found; the columns are 1 "\x1b[2J" and 2 ""`},
		{strings.Repeat("x,", 30) + "x\n", "", `19 "x", 20 "x" and 11 more`},
		{wide, "", "line 60,001 has 1,001 cells, far more than the others; correct it"},
		{"email\n" + strings.Repeat("x", csvfile.MaxBytes), "", "the file is larger than 50 MiB; split it"},
		{strings.Repeat("x", csvfile.MaxOutputBytes+1), "", "the file is larger than 50 MiB; split it"},
		{"email" + strings.Repeat(",", 1<<14) + "\n", "", "line 1 has more than 16,384 cells; correct it or remove columns"},
		{"sep=;\nemail\n" + strings.Repeat(";", 1<<14+4) + "\n", "", "line 3 has more than 16,384 cells; correct it or remove columns"},
		{"email\n" + strings.Repeat("a\n", csvfile.MaxRows), "", "the file has more than 1,048,576 rows; split it"},
	} {
		_, err := csvfile.Read([]byte(test.data), test.column)
		if err == nil || !strings.HasSuffix(err.Error(), test.want) {
			t.Errorf("%.40q: %v, want %s", test.data, err, test.want)
		}
	}
	_, err := csvfile.Read([]byte("name,phone\n"), "")
	if e, ok := errors.AsType[*csvfile.ColumnError](err); !ok || !slices.Equal(e.Columns, []string{"name", "phone"}) {
		t.Errorf("no columns to choose from: %v", err)
	}
}

// TestTheWidest: a file of as many columns as Read takes can be read again when
// it has been written.
func TestTheWidest(t *testing.T) {
	data := "email" + strings.Repeat(",", 1<<14-1) + "\na@x.example\n"
	f, err := csvfile.Read([]byte(data), "")
	if err != nil {
		t.Fatal(err)
	}
	again, err := csvfile.Read([]byte(written(t, f, always(good))), "")
	if err != nil || !again.Answered() || again.Len() != 1 {
		t.Errorf("%v", err)
	}
}

// TestMemory: a file that is refused takes little memory, however many cells or
// rows it would be.
func TestMemory(t *testing.T) {
	for name, data := range map[string][]byte{
		"commas": bytes.Repeat([]byte(","), csvfile.MaxBytes), "cells": append([]byte("sep=;\n"), bytes.Repeat([]byte("a;"), csvfile.MaxBytes/2-3)...), "rows": bytes.Repeat([]byte("a\n"), csvfile.MaxBytes/2),
		"wide rows": bytes.Repeat(append(bytes.Repeat([]byte(","), 1<<14+100), '\n'), csvfile.MaxBytes>>14-1),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := csvfile.Read(data, "")
		runtime.ReadMemStats(&after)
		if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; err == nil || taken > 200 {
			t.Errorf("%s: %d MiB taken, %v", name, taken, err)
		}
	}
}

func TestAnswers(t *testing.T) {
	f, err := csvfile.FromList(slices.Values([]string{"+a@x.example", "b@x.example", "\x00", "c@x.example"}))
	if err != nil {
		t.Fatal(err)
	}
	answers := []verify.Result{
		{State: verify.Risky, SubState: verify.IsRole, DidYouMean: "+a@y.example", VerifiedAt: "2026-11-03T10:00:00Z"},
		{}, {State: "unheard_of", SubState: "=1+1", DidYouMean: "=cmd|' /C calc'!A0", VerifiedAt: "now"}, {State: verify.OK}}
	out := written(t, f, func(row int) verify.Result { return answers[row] })
	const want = "email" + head + "\r\n" +
		"'+a@x.example,risky,is_role,'+a@y.example,2026-11-03T10:00:00Z\r\n" +
		"b@x.example,,,,\r\n" +
		"\"\",unheard_of,'=1+1,'=cmd|' /C calc'!A0,now\r\n" +
		"c@x.example,ok,,,\r\n"
	if out != want {
		t.Errorf("wrote\n%s, want\n%s", out, want)
	}
	if f, err = csvfile.Read([]byte(out), ""); err != nil {
		t.Fatal(err)
	}
	for row, want := range []verify.Result{
		{Address: "+a@x.example", State: verify.Risky, SubState: verify.IsRole, DidYouMean: "+a@y.example", VerifiedAt: "2026-11-03T10:00:00Z"},
		{Address: "b@x.example"}, {State: "unheard_of", SubState: "'=1+1", DidYouMean: "=cmd|' /C calc'!A0", VerifiedAt: "now"},
		{Address: "c@x.example", State: verify.OK},
	} {
		if got, ok := f.Answer(row); got != want || ok != (want.State != "") {
			t.Errorf("row %d reads as %+v, %v; want %+v", row, got, ok, want)
		}
	}
	if _, ok := must(csvfile.Read([]byte("email\na@x.example\n"), "")).Answer(0); ok {
		t.Error("a file without answers has one")
	}
}

// TestLargest: what was written of the largest file reads.
func TestLargest(t *testing.T) {
	data := []byte("email,x\na@x.example," + strings.Repeat("x", csvfile.MaxBytes-21) + "\n")
	out := written(t, must(csvfile.Read(data, "")), always(good))
	if _, ok := must(csvfile.Read([]byte(out), "")).Answer(0); !ok || len(data) != csvfile.MaxBytes {
		t.Errorf("of %d bytes, %d were written and do not read", len(data), len(out))
	}
}

func must(f *csvfile.File, err error) *csvfile.File {
	if err != nil {
		panic(err)
	}
	return f
}

func TestNames(t *testing.T) {
	for data, want := range map[string]string{"x, E-mail \n": "E-mail", "a@x.example\n": "column 1", "Work Email,x\n": "Work Email"} {
		f := must(csvfile.Read([]byte(data), ""))
		if f.Column() != want || f.HasHeader() != !strings.Contains(data, "@") {
			t.Errorf("%q: column %q, header %v", data, f.Column(), f.HasHeader())
		}
	}
}

func TestWriteFails(t *testing.T) {
	f := must(csvfile.Read([]byte("email\n"+strings.Repeat("a@x.example\n", 1000)), ""))
	r, w := io.Pipe()
	r.Close()
	if err := f.Write(w, always(good)); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a write that fails: %v", err)
	}
}

// A file of commas that both read is the same to encoding/csv.
func FuzzCells(f *testing.F) {
	f.Add("email,name\na@x.example,\"Ann \"\"A\"\"\"\n")
	f.Fuzz(func(t *testing.T, data string) {
		if strings.ContainsAny(data, "\r;\t") || strings.HasPrefix(data, "\xef\xbb\xbf") {
			return // encoding/csv sees no separators and line ends there
		}
		r := csv.NewReader(strings.NewReader(data))
		r.FieldsPerRecord = -1
		rows, err := r.ReadAll()
		if err != nil || len(rows) == 0 {
			return
		}
		file, err := csvfile.Read([]byte(data), "1")
		if err != nil {
			t.Skip(err)
		}
		if file.HasHeader() {
			rows = rows[1:]
		}
		if len(rows) != file.Len() {
			t.Fatalf("%d rows, encoding/csv has %d: %q", file.Len(), len(rows), data)
		}
		for i, row := range rows {
			if got := file.Email(i); got != row[0] && !strings.HasPrefix(row[0], "'") {
				t.Errorf("row %d begins with %q, to encoding/csv with %q", i, got, row[0])
			}
		}
	})
}

// Rows that are left out go with their line ends, and nothing else does.
func TestWriteRows(t *testing.T) {
	for given, want := range map[string]string{
		"email\r\na@x.example\r\n\r\nb@x.example\r\nc@x.example": "email,email_state,email_sub_state,did_you_mean,verified_at\r\n\r\nb@x.example,ok,,,\r\n",
		"email\na@x.example\nb@x.example\nc@x.example\n":         "email,email_state,email_sub_state,did_you_mean,verified_at\nb@x.example,ok,,,\n",
		"email\ra@x.example\rb@x.example\rc@x.example":           "email,email_state,email_sub_state,did_you_mean,verified_at\rb@x.example,ok,,,\r",
	} {
		f, err := csvfile.Read([]byte(given), "")
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := f.WriteRows(&b, func(int) verify.Result { return verify.Result{State: verify.OK} }, func(row int) bool { return row == 1 }); err != nil || b.String() != want {
			t.Errorf("%q: %q, %v, want %q", given, b.String(), err, want)
		}
	}
}

// A corrected email replaces its cell and no other byte, and what was said of the
// one before it is not said of it.
func TestCorrect(t *testing.T) {
	const old = "\xef\xbb\xbfName;\"E-Mail\" ;Note;email_state;email_sub_state;did_you_mean;verified_at\r\n" +
		"\"Ann; A.\";\"ann@gmial.com\";ann@gmial.com;unknown;unknown_error;ann@gmail.com;2026-11-22T10:00:00Z\r\n\r\n" +
		"Ben;ben@x.example;;ok;email_ok;;2026-11-22T10:00:00Z\r\nshort"
	f, err := csvfile.Read([]byte(old), "")
	if err != nil {
		t.Fatal(err)
	}
	fixed := f.Correct(func(email string) string {
		return map[string]string{"ann@gmial.com": "=ann@gmail.com", "ben@x.example": "ben@x.example"}[email]
	}).Correct(func(email string) string {
		return map[string]string{"=ann@gmail.com": "ann@gmail.com"}[email]
	})
	if got := strings.Join(fixed.Emails(), " "); got != "ann@gmail.com ben@x.example" || f.Email(0) != "ann@gmial.com" {
		t.Errorf("the emails are %s; before, the first was %s", got, f.Email(0))
	}
	if r, ok := fixed.Answer(0); ok {
		t.Errorf("of a corrected email an old answer says %+v", r)
	}
	if r, ok := fixed.Answer(1); !ok || r.Address != "ben@x.example" {
		t.Errorf("the answer of the second row is %+v, %v", r, ok)
	}
	var out bytes.Buffer
	if err := fixed.Write(&out, func(row int) verify.Result { r, _ := fixed.Answer(row); return r }); err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(strings.Replace(old, `"ann@gmial.com"`, "ann@gmail.com", 1), "unknown;unknown_error;ann@gmail.com;2026-11-22T10:00:00Z", ";;;", 1) + ";;;;;;"
	if out.String() != want {
		t.Errorf("got  %q\nwant %q", out.String(), want)
	}
}
