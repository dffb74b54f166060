package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"marketingskills/app/text/texttest"
)

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"":                 "",
		"plain, with ü 日本": "plain, with ü 日本",
		"a\x1b[31mb":       `a\x1b[31mb`,
		"two\nlines":       `two\nlines`,
		"\u202egnp":        `\u202egnp`,
		"\xff":             `\xff`,
		"\ufffd":           "\ufffd",
	} {
		if got := Printable(in); got != want {
			t.Errorf("Printable(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestName(t *testing.T) {
	long := strings.Repeat("ü", 100)
	for in, want := range map[string]string{
		"cro":            "cro",
		"~/a/b.c":        "~/a/b.c",
		"":               `""`,
		"with space":     `"with space"`,
		"\x1b":           `"\x1b"`,
		"…":              `"…"`,
		long:             `"` + strings.Repeat("ü", 60) + `"…`,
		"a" + long[:198]: `"a` + strings.Repeat("ü", 59) + `"…`,
	} {
		if got := Name(in); got != want {
			t.Errorf("Name(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		" a\tb \r\n":             "a b",
		"a\r\nb\u2028c\vd":       "a\nb\nc\nd",
		"\x1b[1mred\x00":         "[1mred",
		"\u202eabc\u2069":        "abc",
		"\xffx":                  "\ufffdx",
		"👩\u200d💻 می\u200cخواهم": "👩\u200d💻 می\u200cخواهم",
	} {
		if got := Plain(in); got != want {
			t.Errorf("Plain(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Line("a\nb "+strings.Repeat("x", 20), 10); got != "a b xxxxxx…" {
		t.Errorf("Line: %q", got)
	}
}

func FuzzShown(f *testing.F) {
	for _, s := range texttest.Hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, shown := range []string{Printable(s), Name(s), Line(s, 80)} {
			if !utf8.ValidString(shown) {
				t.Errorf("%q is shown as %q, which is not UTF-8", s, shown)
			}
		}
		for _, shown := range []string{Printable(s), Name(s)} {
			if strings.ContainsFunc(shown, unseen) {
				t.Errorf("%q is shown as %q, which hides something", s, shown)
			}
		}
		if line := Line(s, 80); strings.ContainsAny(line, "\n\r\x1b\u202e") || len(line) > 80+len("…") {
			t.Errorf("%q is shown as %q", s, line)
		}
		if again := Plain(Plain(s)); again != Plain(s) {
			t.Errorf("Plain is not stable: %q, %q", Plain(s), again)
		}
	})
}

func TestIsSkillName(t *testing.T) {
	for name, want := range map[string]bool{
		"cro": true, "a": true, "seo-audit": true, "a1-2b": true, strings.Repeat("a", 64): true,
		"": false, "-a": false, "a-": false, "a--b": false, "A": false, "a_b": false, "a b": false, "ü": false, strings.Repeat("a", 65): false,
	} {
		if got := IsSkillName(name); got != want {
			t.Errorf("IsSkillName(%q) = %v", name, got)
		}
	}
}

func TestCount(t *testing.T) {
	for _, c := range []struct {
		n    int
		noun string
		want string
	}{
		{1, "match", "1 match"}, {0, "match", "0 matches"}, {2, "person", "2 people"}, {12345, "request", "12,345 requests"},
		{2, "email address", "2 email addresses"}, {3, "country", "3 countries"}, {2, "reply", "2 replies"}, {2, "day", "2 days"},
		{-1234, "row", "-1,234 rows"},
	} {
		if got := Count(c.n, c.noun); got != c.want {
			t.Errorf("Count(%d, %q) = %q, want %q", c.n, c.noun, got, c.want)
		}
	}
	if got := List([]string{"a", "b", "c"}); got != "a, b and c" || List(nil) != "" || List([]string{"a"}) != "a" {
		t.Errorf("List: %q", got)
	}
	if got := Either([]string{"a", "b", "c"}); got != "a, b or c" || Either([]string{"a"}) != "a" {
		t.Errorf("OneOf: %q", got)
	}
	if Capital("übung") != "Übung" || Capital("") != "" {
		t.Error("Capital")
	}
}
