package search

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func words(text string) string {
	toks := scan(nil, text, -1)
	var out []string
	for _, t := range toks {
		out = append(out, t.text)
	}
	for _, c := range compounds(toks, false) {
		out = append(out, "+"+c.text)
	}
	return strings.Join(out, " ")
}

func TestScan(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"Cart, checkout & more.", "cart checkout more"},
		{"A/B tests", "a b tests +ab"},
		{"co-marketing", "co marketing +comarketing"},
		{"sign‑up", "sign up +signup"}, // non-breaking hyphen
		{"range 4–6", "range 4 6"},     // a dash is no hyphen
		{"llms.txt. Next", "llms txt next +llmstxt"},
		{"https://a.example/b/c/d", "https a example b c d"},
		{"don't customer's O’Reilly's", "dont customer oreilly"},
		{"James' words", "james words"},
		{"Café CAFE\u0301 naïve Ærø straße", "cafe cafe naive aero strasse"},
		{"ŁÓDŹ İzmir ﬁne ＣＲＯ", "lodz izmir fine cro"},
		{"soft\u00ADhyphen zero\u200Bwidth", "softhyphen zerowidth"},
		{"日本 Привет", "日本 привет"},
		{"🚀🔥 \x00\x07 \xff\xfe", ""},
		{"a\xffb", "a b"},
		{"10DLC GA4 $49 2×3", "10dlc ga4 49 2 3"},
		{strings.Repeat("x", 100), strings.Repeat("x", maxWord)},
	} {
		if got := words(c.text); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestLatinTableIsWhole(t *testing.T) {
	if want := 2 * (0x17F - 0xC0 + 1); len(latinBase) != want {
		t.Fatalf("got %d bytes, want %d", len(latinBase), want)
	}
	for _, c := range []struct{ from, to string }{
		{"ÀÅÆÇÉÏÐÑÖØÜÝÞß", "aaaeceidnoouythss"},
		{"àåæçéïðñöøüýþÿ", "aaaeceidnoouythy"},
		{"ĀąĆčĎđĒęĝħĨıĲĳĵķĸļŁłŃŋŐŒœŘřśŞšţŤŧŪűŴŷŸŹžſ", "aaccddeeghiiijijjkklllnnooeoerrssstttuuwyyzzs"},
	} {
		if got := squash(c.from); got != c.to {
			t.Errorf("%s: got %s, want %s", c.from, got, c.to)
		}
	}
}

func TestStem(t *testing.T) {
	for _, same := range []string{
		"ad ads", "price prices priced pricing", "cancel cancelled cancelling cancellation",
		"abandon abandoned abandoning abandonment", "activate activation activating activated",
		"plan plans planned planning", "sell selling", "buy buying", "add adding",
		"strategy strategies", "optimise optimize optimising optimization optimisation",
		"localise localize localization", "behaviour behavior behaviours", "programme program",
		"catalogue catalog", "page pages", "box boxes", "pitch pitches", "business businesses",
		"popup popups", "email emails", "segment segments segmentation", "calculate calculator calculators",
		"advertise advertising advertisement", "partner partners partnership", "submission submissions",
		"verification verifications", "weekly week", "awareness aware",
	} {
		list := strings.Fields(same)
		for _, w := range list[1:] {
			if stem(w) != stem(list[0]) {
				t.Errorf("%s gives %s, %s gives %s: want the same", list[0], stem(list[0]), w, stem(w))
			}
		}
	}
	for _, apart := range []string{
		"market marketing", "new news", "rating rate", "sms sm", "saas saa", "version versus",
		"custom customer", "ios io", "general generate", "thing th",
	} {
		a, b, _ := strings.Cut(apart, " ")
		if stem(a) == stem(b) {
			t.Errorf("%s and %s both give %s", a, b, stem(a))
		}
	}
}

func TestSynonyms(t *testing.T) {
	table := parseSynonyms("# note\n\na ~ b\nsms < text message, txt\ntwo words < one\n")
	for typed, want := range map[string]string{
		"a": "b", "b": "a", "text messag": "sms", "txt": "sms", "sms": "", "one": "",
	} {
		if got := strings.Join(table[typed], ","); got != want {
			t.Errorf("%s: got %q, want %q", typed, got, want)
		}
	}
	for typed := range synonyms() {
		if n := len(strings.Fields(typed)); n > maxPhrase {
			t.Errorf("%q has %d words and is never found, at most %d are", typed, n, maxPhrase)
		}
	}
}

func TestElsewhere(t *testing.T) {
	names := map[string]bool{"ads": true, "cold-email": true, "emails": true, "pricing": true}
	for _, c := range []struct{ text, want string }{
		{"Plan text messages.", ""},
		{"Plan texts. Email flows: see emails.", " Email flows: see emails."},
		{"Plan texts; for outreach use cold-email; more.", " for outreach use cold-email;"},
		{"Plan texts. Mail → emails.", " Mail → emails."},
		{"Plan texts. Mail (emails).", " Mail (emails)."},
		{"See ads, then act.", ""}, // its own name
		{"We foresee pricing.", ""},
		{"See the page. Use words.", ""},
		{"Plan 2.5 texts. Not for `cold-email`.", ""},
		{"Plan; use `pricing`", " use `pricing`"},
	} {
		d := Document{Name: "ads", Description: c.text}
		var got []string
		for _, r := range handovers(d, names) {
			got = append(got, c.text[r.Start:r.End])
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

// FuzzScan holds that words lie where they say, in order, on rune boundaries,
// within the limits, and that folding is finished after one round.
func FuzzScan(f *testing.F) {
	for _, s := range []string{"", "A/B tests", "don't Ærø's", "x\u0301y", "a\xffb", "🚀 sign-up", "ﬁ\u00ADx'"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, text string, limit int) {
		toks := scan(nil, text, limit)
		if limit >= 0 && len(toks) > limit {
			t.Fatalf("%d words, at most %d", len(toks), limit)
		}
		last := 0
		for _, tok := range toks {
			if tok.start < last || tok.end <= tok.start || tok.end > len(text) {
				t.Fatalf("%q at %d to %d after %d in %d bytes", tok.text, tok.start, tok.end, last, len(text))
			}
			if !utf8.RuneStart(text[tok.start]) || tok.end < len(text) && utf8.ValidString(text) && !utf8.RuneStart(text[tok.end]) {
				t.Fatalf("%q is cut inside a letter", tok.text)
			}
			last = tok.end
			if tok.text == "" || !utf8.ValidString(tok.text) || len(tok.text) > maxWord+4 {
				t.Fatalf("word %q of %d bytes", tok.text, len(tok.text))
			}
			if again := squash(tok.text); again != tok.text {
				t.Fatalf("%q folds further to %q", tok.text, again)
			}
			stem(tok.text)
		}
	})
}
