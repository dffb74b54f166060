package verify

import (
	"context"
	"errors"
	"net/mail"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

// noon is the clock of tests.
func noon() time.Time { return time.Date(2026, 11, 3, 12, 0, 0, 0, time.FixedZone("", 3600)) }

func TestSyntax(t *testing.T) {
	label := strings.Repeat("l", 63)
	for _, address := range []string{
		"a@x.example", " a@x.example\t", "A.b-c_d+tag@X.Example", "o'brien@x.example", "{x}=y@x.example", "1@2.example", "a@x.co.uk",
		"a@xn--bcher-kva.example", "a@bücher.example", "jörg@bücher.example", "用户@例子.广告", "a@भारत.भारत",
		`"a b"@x.example`, `" "@x.example`, `"a\ b"@x.example`, `"jörg b"@x.example`, `"a@b"@x.example`, `"a\"b"@x.example`, `"a.b"@x.example`,
		strings.Repeat("a", 64) + "@x.example", "a@" + label + ".example",
		"a@" + label + "." + label + "." + label + "." + strings.Repeat("l", 60),
		// What they are in ASCII is not known here: it may be shorter, and its
		// characters others.
		"a@โรงพยาบาลมหาวิทยาลัยเชียงใหม่.ไทย", "a@" + strings.Repeat("ب", 32) + ".example", "a@" + strings.Repeat("क", 22) + ".example",
		"a@" + strings.Repeat(strings.Repeat("ب", 32)+".", 4) + "example",
		"a@paral·lel.example", "a@クイーン・エリザベス.example", "a@ג׳ירף.example", "a@نامه\u200cای.example", "a@i❤.example", "a@例え。example",
		"a@例え．jp", "a@-ü.example",
	} {
		r := Checker{Now: noon}.Check(t.Context(), address)
		want := Result{Address: strings.TrimSpace(address), Canonical: Key(address), State: Unknown, SubState: UnknownError,
			VerifiedAt: "2026-11-03T11:00:00Z"}
		_, want.Domain, _ = strings.Cut(Key(want.Canonical[strings.LastIndex(want.Canonical, "@"):]), "@")
		if r != want {
			t.Errorf("%q: %+v, want %+v", address, r, want)
		}
		if !r.NeedsCredit() {
			t.Errorf("%q needs no credit", address)
		}
	}
	for address, why := range map[string]string{
		"": "it is empty", " \t": "it is empty", "a": "it has no @", "@": "nothing stands before the @", "@x.example": "nothing stands before the @",
		"a@": "nothing stands after the @", "a@x": "the domain has no dot", "a@.example": "the domain has a dot too many",
		"a@x.": "the domain has a dot too many", "a@x..example": "the domain has a dot too many",
		"a@-x.example": "a part of the domain begins or ends with a hyphen", "a@x-.example": "a part of the domain begins or ends with a hyphen",
		"a@x_y.example": "the domain has characters that no domain has", "a@x y.example": "the domain has a space",
		"a@[127.0.0.1]": "the domain has characters that no domain has", "a@127.0.0.1": "the domain ends in a number",
		"a@x.example, b@x.example": "it has two @ signs",
		"a b@x.example":            "it has a space before the @",
		"a..b@x.example":           "it has two dots in a row", ".a@x.example": "the part before the @ begins or ends with a dot",
		"a@b@x.example": "it has two @ signs", "a@b@c@x.example": "it has more than two @ signs", "a@gmail,com": "the domain has a comma", "Ann <a@x.example>": "the domain has characters that no domain has",
		"a(c)@x.example": "the part before the @ is not written as in an email", `"a"(c)@x.example`: "the part before the @ is not written as in an email",
		`"a"."b"@x.example`: "the part before the @ is not written as in an email", `"a@x.example`: "the part before the @ is not written as in an email",
		`"a\"@x.example`: "the part before the @ is not written as in an email", "mailto:a@x.example": "the part before the @ is not written as in an email",
		"a\x00b@x.example": "it has characters that no email has", "a\r\n@x.example": "it has characters that no email has",
		"\xff@x.example": "it has characters that no email has", strings.Repeat("a", 65) + "@x.example": "the part before the @ is too long",
		"a@ü..example": "the domain has a dot too many", "a@ü。": "the domain has a dot too many", "a@ü。。example": "the domain has a dot too many",
		"a@ü\u00a0b.example": "the domain has a space", "a@ü b.example": "the domain has a space",
		"a@ü\u3000b.example": "the domain has a space", "a@ü\u0085b.example": "it has characters that no email has",
		"a@ü(b).example": "the domain has characters that no domain has", "a@ü": "the domain has no dot",
		"a@ü." + strings.Repeat("l", 64) + ".example": "a part of the domain is too long",
		"a@" + strings.Repeat("l", 64) + ".example":   "a part of the domain is too long",
		"a@" + strings.Repeat("l.", 130) + "l":        "it is too long",
	} {
		r := Checker{Now: noon}.Check(t.Context(), address)
		if r.State != EmailInvalid || r.SubState != FailedSMTPCheck || r.Reason != why || r.NeedsCredit() || r.VerifiedAt == "" {
			t.Errorf("%q: %+v, want the reason %q", address, r, why)
		}
	}
}

func TestRoles(t *testing.T) {
	for address, want := range map[string]SubState{
		"info@x.example": IsRole, "INFO@x.example": IsRole, "sales+eu@x.example": IsRole, "no-reply@x.example": IsRole,
		"infos@x.example": UnknownError, "ann.info@x.example": UnknownError, `"info"@x.example`: UnknownError, "ann@info.example": UnknownError,
	} {
		if r := (Checker{}).Check(t.Context(), address); r.State != Unknown || r.SubState != want || (r.Reason != "") != (want == IsRole) {
			t.Errorf("%s: %+v, want %s", address, r, want)
		}
	}
}

func TestDisposableDomains(t *testing.T) {
	c := Checker{Disposable: "# a comment\na.example\nb.example\nthrow.away.example\nz.example\n"}
	for address, want := range map[string]bool{
		"a@a.example": true, "a@A.Example": true, "a@z.example": true, "a@b.example": true, "a@sub.of.b.example": true, "a@throw.away.example": true,
		"a@away.example": false, "a@xb.example": false, "a@example.com": false, "a@aa.example": false, "a@0.example": false, "a@zz.example": false,
		"info@a.example": true,
	} {
		r := c.Check(t.Context(), address)
		if (r.State == Risky && r.SubState == IsDisposable) != want || r.NeedsCredit() == want {
			t.Errorf("%s: %+v, disposable %v", address, r, want)
		}
	}
	for _, d := range []Domains{"", "\n", "a.example"} { // with and without a last newline
		if d.Contain("b.example") || d.Contain("a.example") != (d == "a.example") || d.Contain("") && d == "a.example" {
			t.Errorf("a search in %q goes wrong", d)
		}
	}
}

// TestSlips: only a slip is answered with the domain that was meant.
func TestSlips(t *testing.T) {
	for domain, want := range map[string]string{
		"gmial.com": "gmail.com", "gamil.com": "gmail.com", "gmal.com": "gmail.com", "gmaill.com": "gmail.com", "gnail.com": "gmail.com",
		"gmail.con": "gmail.com", "gmail.co": "gmail.com", "gmail.cm": "gmail.com", "gmail.om": "gmail.com", "GMIAL.com": "gmail.com",
		"gmai.com": "gmail.com", "gmali.com": "gmail.com", "mgail.com": "gmail.com", "gmail.comm": "gmail.com", "emial.com": "email.com",
		"ggmail.com": "gmail.com", "gmaik.com": "gmail.com", "hotmal.com": "hotmail.com", "outloook.com": "outlook.com", "tonline.de": "t-online.de",
		"yaho.de": "yahoo.de", "yahoo.co": "yahoo.com", "yahoo.cm": "yahoo.com", "hotmail.co": "hotmail.com", "outlook.co": "outlook.com",
		"hotmial.com": "hotmail.com", "hotmai.com": "hotmail.com", "yaho.com": "yahoo.com", "yahooo.com": "yahoo.com", "yahoo.con": "yahoo.com",
		"outlok.com": "outlook.com", "iclod.com": "icloud.com", "protonmial.com": "protonmail.com", "t-onlin.de": "t-online.de",
		"acme.con": "acme.com", "acme.ogr": "acme.org", "mail.acme.nte": "mail.acme.net",

		"gmail.com": "", "hotmail.be": "", "hotmail.nl": "", "yahoo.co.jp": "", "yahoo.com.tr": "", "yahoo.com.ar": "", "yahoo.co.id": "",
		"yahoo.ie": "", "mail.com": "", "email.com": "", "ymail.com": "", "gmx.net": "", "gmx.com": "", "line.com": "", "life.com": "",
		"main.com": "", "me.com": "", "mac.com": "", "web.de": "", "outlook.be": "", "live.nl": "", "protonmail.ch": "", "acme.com": "",
		"acme.co": "", "x.example": "", "gmail.com.example": "", "verylongcompanyname.com": "",

		// Others' domains, some of them very large.
		"cloud.com": "", "navex.com": "", "libera.it": "", "dol.com.br": "", "sol.com.br": "", "col.com.br": "", "iol.com.br": "", "aol.com.br": "",
		"rmail.com": "", "tmail.com": "", "fmail.com": "", "jmail.com": "", "kmail.com": "", "umail.com": "", "mmail.com": "", "mymail.com": "",
		"saver.com": "", "nader.com": "", "raver.com": "", "waver.com": "", "laver.com": "", "photon.me": "", "protons.me": "", "emails.com": "",
		"range.fr": "", "oranges.fr": "", "wahoo.com": "", "gmail.ru": "", "gmail.de": "", "icloud.de": "", "email.cz": "", "cimcast.example": "",
	} {
		r := Checker{}.Check(t.Context(), "Ann@"+domain)
		if want != "" {
			want = "Ann@" + want
		}
		if r.DidYouMean != want || r.State != Unknown {
			t.Errorf("%s: %+v, want %q", domain, r, want)
		}
	}
}

// TestRepairs: of what is no email, the one that was meant is suggested where
// there is only one.
func TestRepairs(t *testing.T) {
	for written, want := range map[string]string{
		"heidi at gmail.com": "heidi@gmail.com", "heidi (at) gmail (dot) com": "heidi@gmail.com", "heidi[at]x.example": "heidi@x.example",
		"heidi at x dot example": "heidi@x.example", "Ann <ann@x.example>": "ann@x.example", "mailto:ann@x.example": "ann@x.example",
		"ann@@x.example": "ann@x.example", "ann @ x.example": "ann@x.example", "ann@x..example": "ann@x.example", "ann.@.x.example": "",
		"ann@x.example.": "ann@x.example", "ann@x.example,": "ann@x.example", "(ann@x.example)": "ann@x.example", "ann@gmail,con": "ann@gmail.com",
		"ann@gmail": "ann@gmail.com", "ann@Gmailcom": "ann@gmail.com", "ann@yahoo.con.": "ann@yahoo.com", "a..b@x.example": "a.b@x.example",

		"": "", "ann": "", "ann@": "", "@x.example": "", "ann@acme": "", "ann@me": "", "ann smith@x.example": "", "ann@x.example, ben@x.example": "",
		"ann@ben@x.example": "", "we met at noon": "", "<>": "", "><": "", "ann@x_y.example": "",
	} {
		r := Checker{}.Check(t.Context(), written)
		if r.DidYouMean != want || r.State != EmailInvalid {
			t.Errorf("%q: %+v, want %q", written, r, want)
		}
	}
}

// domains answers as the domain name system would.
type domains func(domain string) (bool, string, error)

func (d domains) Receives(_ context.Context, domain string) (bool, string, error) { return d(domain) }

func TestMailDomains(t *testing.T) {
	var asked []string
	c := Checker{Disposable: "thrown.example", Mail: domains(func(domain string) (bool, string, error) {
		asked = append(asked, domain)
		switch domain {
		case "none.example":
			return false, "it has none", nil
		case "down.example":
			return false, "", errors.New("timed out")
		}
		return true, "", nil
	})}
	for address, want := range map[string]Result{
		"a@Good.example": {State: Unknown, SubState: UnknownError}, "info@down.example": {State: Unknown, SubState: IsRole},
		"info@none.example": {State: EmailInvalid, SubState: FailedSMTPCheck}, "a@thrown.example": {State: Risky, SubState: IsDisposable},
		"a@no dot": {State: EmailInvalid, SubState: FailedSMTPCheck},
	} {
		if r := c.Check(t.Context(), address); r.State != want.State || r.SubState != want.SubState {
			t.Errorf("%s: %+v, want %+v", address, r, want)
		}
	}
	slices.Sort(asked)
	if want := []string{"down.example", "good.example", "none.example"}; !slices.Equal(asked, want) {
		t.Errorf("it was asked about %q, want %q", asked, want)
	}
}

func TestListsAreSorted(t *testing.T) {
	for name, list := range map[string][]string{"roles": roles, "mailboxes": mailboxes} {
		if !slices.IsSorted(list) || len(slices.Compact(slices.Clone(list))) != len(list) {
			t.Errorf("%s: not sorted, or one stands there twice", name)
		}
	}
}

func TestKey(t *testing.T) {
	for address, want := range map[string]string{
		"Ann@X.Example": "Ann@x.example", " a@x.example\n": "a@x.example", `"A@B"@X.example`: `"A@B"@x.example`, "ABC": "ABC", "": "", "@X": "@x",
		"a@BÜCHER.example": "a@bÜcher.example",
	} {
		if got := Key(address); got != want {
			t.Errorf("Key(%q) = %q, want %q", address, got, want)
		}
	}
}

// Whatever is given, the check ends, repeats no more than one address, and
// finds nothing good that package net/mail does not accept. What stands before
// the @ is also not refused if package net/mail accepts it as it is.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{"a@x.example", `"a b"@x.example`, "Ann <a@x.example>", "a@b@c.de", "a@gmial.con", "\x00@", "用户@例子.广告", `"a"(c)@x.de`, "x:a@b.de;", `""@x.example`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		key := Key(s)
		if Key(key) != key {
			t.Errorf("the key of %q is %q, and its key %q", s, key, Key(key))
		}
		if parsed, err := mail.ParseAddress(s + "@x.example"); err == nil && parsed.Name == "" && parsed.Address == s+"@x.example" &&
			s != "" && len(s) <= maxLocal &&
			!strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }) && utf8.ValidString(s) {
			if _, _, err := split(s + "@x.example"); err != nil {
				t.Errorf("%q before the @: %v", s, err)
			}
		}
		r := Checker{Disposable: "a.b\nx.example\n"}.Check(t.Context(), s)
		if r.State == EmailInvalid {
			if r.Reason == "" {
				t.Errorf("%q: %+v", s, r)
			}
			if again := (Checker{}).Check(t.Context(), r.DidYouMean); r.DidYouMean != "" && (again.State == EmailInvalid || again.DidYouMean != "") {
				t.Errorf("%q: %q is suggested, of which %+v", s, r.DidYouMean, again)
			}
			return
		}
		if _, err := mail.ParseAddress(r.Address); err != nil {
			t.Errorf("%q is said to be %s: %v", s, r.State, err)
		}
		if r.Canonical != key || strings.ContainsAny(r.Domain, "@ ") || strings.ContainsAny(r.Address, "\r\n\x00") {
			t.Errorf("%q: %+v", s, r)
		}
	})
}
