package prospects

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
)

// planned is a query that has come as far as the third step; said is that
// step's form, filled in.
var (
	planned = prospect.Query{Repo: engine, Source: codehost.Forks, Enrich: true}
	said    = map[string]string{"use": "community", "country-us": "yes", "basis": "none", "purpose": "Invite our maintainers over.", "pledge": "yes"}
)

func TestParseTermsRefuses(t *testing.T) {
	for _, c := range []struct {
		name  string
		form  map[string]string
		wrong string
	}{
		{"all there", said, ""},
		{"nothing there", nil, "country-eu pledge purpose use-community"},
		{"no use", with(said, "use", ""), "use-community"},
		{"a use there is none of", with(said, "use", "cold mail"), "use-community"},
		{"no country", with(said, "country-us", ""), "country-eu"},
		{"commas for countries", with(said, "country-us", "", "elsewhere", " , \u200b,"), "country-eu"},
		{"elsewhere only", with(said, "country-us", "", "elsewhere", "Japan"), ""},
		{"no pledge", with(said, "pledge", ""), "pledge"},
		{"no purpose", with(said, "purpose", " \n"), "purpose"},
		{"three words", with(said, "purpose", "for our summit"), "purpose"},
		{"four words", with(said, "purpose", "for\nour next\tsummit"), ""},
		{"four words nobody sees", with(said, "purpose", "\u200b \u202e \x00 \x1b"), "purpose"},
		{"too long", with(said, "purpose", strings.Repeat("very ", 400)+"long"), "purpose"},
		{"EU without a basis", with(said, "country-eu", "yes"), "basis"},
		{"UK without a basis", with(said, "country-uk", "yes", "basis", ""), "basis"},
		{"EU on a basis", with(said, "country-eu", "yes", "basis", bases[0]), ""},
		{"Canada and Australia without a basis", with(said, "country-ca", "yes", "country-au", "yes"), ""},
	} {
		_, wrong := parseTerms(c.form, planned)
		if got := fieldsIn(wrong); got != c.wrong {
			t.Errorf("%s: wrong are %q, want %q", c.name, got, c.wrong)
		}
		for name := range wrong {
			if !slices.Contains(termsOrder, name) {
				t.Errorf("%s: nothing leads to %s", c.name, name)
			}
		}
	}
}

func TestParseTerms(t *testing.T) {
	for _, c := range []struct {
		name                      string
		form                      map[string]string
		purpose, basis, countries string
	}{
		{"as said", said, "My own community: Invite our maintainers over.", "", "United States"},
		{"a basis nobody asked for", with(said, "basis", "Consent"), "My own community: Invite our maintainers over.", "Consent", "United States"},
		{"boxes in their order, then the rest", with(said, "country-eu", "yes", "basis", "Consent", "elsewhere", " New\u00a0Zealand\u200b,, Japan,"),
			"My own community: Invite our maintainers over.", "Consent", "European Union and EEA; United States; New Zealand; Japan"},
		{"hostile", with(said, "purpose", "<b>Invite</b>\u202e our\r\n\tpeople\x1b[31m: all\xff", "elsewhere", "\u202e<i>\x00"),
			"My own community: <b>Invite</b> our people[31m: all\ufffd", "", "United States; <i>"},
	} {
		// What was declared before is replaced, and the search stays.
		before := planned
		before.Purpose, before.LawfulBasis, before.Countries = "old", "old", []string{"old"}
		q, wrong := parseTerms(c.form, before)
		if got := strings.Join(q.Countries, "; "); q.Purpose != c.purpose || q.LawfulBasis != c.basis || got != c.countries || len(wrong) > 0 {
			t.Errorf("%s: got %q, %q, %q; wrong are %v", c.name, q.Purpose, q.LawfulBasis, got, wrong)
		}
		if q.Purpose, q.LawfulBasis, q.Countries = "", "", nil; !reflect.DeepEqual(q, planned) {
			t.Errorf("%s: the search became %+v", c.name, q)
		}
	}
}

func TestTermsRoundTrip(t *testing.T) {
	for _, use := range uses {
		for boxes := range 1 << len(regions) {
			for i, purpose := range []string{"Invite our maintainers over.", "Research: what: a, b and c"} {
				form := with(said, "use", use.id, "purpose", purpose, "basis", bases[boxes%len(bases)], "elsewhere", []string{"Japan, Peru", ""}[i])
				for bit, p := range regions {
					form["country-"+p.id] = map[bool]string{true: "yes"}[boxes&(1<<bit) > 0]
				}
				want, wrong := parseTerms(form, planned)
				if len(want.Countries) == 0 {
					continue
				}
				got, wrongAgain := parseTerms(with(termsOf(want, nil), "pledge", "yes"), planned)
				if len(wrong) > 0 || len(wrongAgain) > 0 || !reflect.DeepEqual(got, want) {
					t.Fatalf("%+v became %+v; wrong are %v, %v", want, got, wrong, wrongAgain)
				}
			}
		}
	}
}

func TestTermsOf(t *testing.T) {
	other := map[string]string{"use": "research"}
	if got := termsOf(planned, other); !reflect.DeepEqual(got, other) {
		t.Errorf("nothing was said, and the form says %v", got)
	}
	command := planned
	command.Purpose = "Invite them"
	got := termsOf(command, other)
	if got["purpose"] != "Invite them" || got["use"] != "" || got["pledge"] != "" {
		t.Errorf("a purpose without a use: got %v", got)
	}
	got = termsOf(prospect.Query{Purpose: "Research: x", Countries: []string{"Peru", regions[0].name}}, nil)
	if got["pledge"] != "" {
		t.Error("a pledge is made anew each time")
	}
}

// The command may know the countries without knowing a purpose.
func TestTermsOfCountriesAlone(t *testing.T) {
	if got := termsOf(prospect.Query{Countries: []string{regions[1].name, "Peru"}}, nil); got["country-uk"] == "" || got["elsewhere"] != "Peru" {
		t.Errorf("got %v", got)
	}
}

func TestCountriesCountOnce(t *testing.T) {
	q, _ := parseTerms(with(said, "elsewhere", "Japan, United States, Japan"), planned)
	if got := strings.Join(q.Countries, "; "); got != "United States; Japan" {
		t.Errorf("got %s", got)
	}
	if _, wrong := parseTerms(with(said, "elsewhere", "United Kingdom"), planned); fieldsIn(wrong) != "basis" {
		t.Errorf("the United Kingdom, written out, needs no basis: wrong are %v", wrong)
	}
}

// A complaint stands beside the field it is about.
func TestTooManyCountries(t *testing.T) {
	var many []string
	for i := range 61 {
		many = append(many, fmt.Sprint("Land ", i))
	}
	for _, names := range []string{strings.Join(many, ","), strings.Repeat("x", 81)} {
		if _, wrong := parseTerms(with(said, "elsewhere", names), planned); fieldsIn(wrong) != "elsewhere" {
			t.Errorf("%.20s…: wrong are %v", names, wrong)
		}
	}
}

func TestPurposeText(t *testing.T) {
	q, _ := parseTerms(with(said, "elsewhere", "Japan"), planned)
	if got := purposeText(q); got != "My own community, United States, Japan" {
		t.Errorf("got %q", got)
	}
}

// Saved runs name the lawful bases as they were called then.
func TestFormerBases(t *testing.T) {
	for _, c := range [][2]string{
		{"legitimate interests, weighed and written down", "Legitimate interests (assessed and documented)"},
		{"consent", "Consent"}, {"contract", "Contract"}, {"Consent", "Consent"}, {"public task", "public task"}, {"", ""},
	} {
		if got := termsOf(prospect.Query{Purpose: "x", LawfulBasis: c[0]}, nil)["basis"]; got != c[1] {
			t.Errorf("%q became %q, want %q", c[0], got, c[1])
		}
	}
}
