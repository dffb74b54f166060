package facts

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"marketingskills/app/collection/finding/findingtest"
)

const (
	mail = Dir + "/email.json"
	// pixels and rules are sorted; each begins on a line of its own.
	pixels = `  {
    "id": "pixels-need-consent",
    "title": "France wants consent before an email records who opened it",
    "said": "Counting opens needs no consent",
    "holds": "Since 14 July 2026 it does.",
    "since": "2026-07-14",
    "where": ["France"],
    "for": "Consumers",
    "sources": [
      {"url": "https://www.authority.example/a", "read": "2026-10", "primary": true},
      {"url": "https://paper.example/b", "read": "2026-11", "primary": false}
    ],
    "skills": ["emails"]
  }`
	rules = `  {
    "id": "rules-for-senders",
    "title": "Mailboxes have rules",
    "said": "Anybody may send.",
    "holds": "Mailboxes refuse mail without a signature",
    "since": "",
    "where": ["Worldwide"],
    "for": "",
    "sources": [{"url": "https://mailbox.example/rules", "read": "2026-06", "primary": true}],
    "skills": ["emails", "sms"]
  }`
)

func sample() fstest.MapFS {
	return fstest.MapFS{
		mail: &fstest.MapFile{Data: []byte("[\n" + pixels + ",\n" + rules + "\n]\n")},
		FileOf("Search"): &fstest.MapFile{Data: []byte("[" + strings.NewReplacer("rules-for-senders", "index", `["emails", "sms"]`, `["sms"]`,
			`"since": ""`, `"since": "2026-09"`).Replace(rules) + "]")},
	}
}

func isSkill(name string) bool { return name == "emails" || name == "sms" }

func load(t *testing.T) Ledger {
	t.Helper()
	l, found := Load(sample(), isSkill)
	findingtest.Expect(t, found)
	return l
}

func ids(l Ledger) string {
	var all []string
	for _, f := range l {
		all = append(all, f.ID)
	}
	return strings.Join(all, " ")
}

func TestLedger(t *testing.T) {
	l := load(t)
	for _, c := range []struct{ name, got, want string }{
		{"all, by channel", ids(l), "index pixels-need-consent rules-for-senders"},
		{"latest first, then without a date", ids(l.Latest()), "index pixels-need-consent rules-for-senders"},
		{"of a skill", ids(l.For("emails")), "pixels-need-consent rules-for-senders"},
		{"of another", ids(l.For("sms")), "index rules-for-senders"},
		{"last read", l.LastRead(), "2026-11"},
		{"places", strings.Join(l.Places(), " "), "France"},
		{"channel", l[1].Channel, "Email"},
		{"host", l[1].Sources[0].Host(), "authority.example"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, c.got, c.want)
		}
	}
	if none, found := Load(fstest.MapFS{}, isSkill); len(none) != 0 || len(found) != 0 {
		t.Errorf("without a ledger: %v, %v", none, found)
	}
}

// TestText: what a skill's agent reads. Sentences end, and limits stand where
// there are some.
func TestText(t *testing.T) {
	l := load(t)
	head, lines, _ := strings.Cut(l.Text("emails"), "\n\n- ")
	want := "*Counting opens needs no consent.* Since 14 July 2026 it does. (Consumers; France; [authority.example](https://www.authority.example/a), October 2026)\n" +
		"- *Anybody may send.* Mailboxes refuse mail without a signature. ([mailbox.example](https://mailbox.example/rules), June 2026)\n"
	if !strings.HasPrefix(head, "# Facts\n\nOpen when ") || lines != want {
		t.Errorf("got %q\n%q", head, lines)
	}
	if got := l.Text("ads"); got != "" {
		t.Errorf("a skill without facts: %q", got)
	}
}

func TestHoldsIn(t *testing.T) {
	for _, c := range []struct {
		where string
		yes   []string
		no    []string
	}{
		{Worldwide, []string{"Germany", "Texas", "EU", "Japan"}, nil},
		{"EU", []string{"Germany", "EU", "EEA"}, []string{"Switzerland", "United States", "Texas"}},
		{"EEA", []string{"Germany", "EU"}, []string{"United Kingdom"}},
		{"Texas", []string{"Texas", "United States"}, []string{"California", "EU"}},
		{"United States", []string{"Texas"}, []string{"Canada"}},
	} {
		f := &Fact{Where: []string{c.where}}
		for _, place := range slices.Concat(c.yes, c.no) {
			if got := f.HoldsIn(place); got != slices.Contains(c.yes, place) {
				t.Errorf("a fact of %s holds in %s: %v", c.where, place, got)
			}
		}
	}
}

func TestDates(t *testing.T) {
	for date, want := range map[string]string{"2026-11-08": "8 November 2026", "2026-11": "November 2026", "": "", "2026-13": "2026-13", "soon": "soon"} {
		if got := FormatDate(date); got != want {
			t.Errorf("%q: got %q, want %q", date, got, want)
		}
	}
	for _, c := range []struct {
		month string
		n     int
		want  string
	}{{"2026-11", 3, "2026-08"}, {"2026-01", 1, "2025-12"}, {"2026-11", 0, "2026-11"}, {"2026-00", 1, ""}} {
		if got := MonthsBefore(c.month, c.n); got != c.want {
			t.Errorf("%d before %s: got %q, want %q", c.n, c.month, got, c.want)
		}
	}
}

// TestFindings: each defect is found, at its line, and alone.
func TestFindings(t *testing.T) {
	change := func(old, new string) findingtest.Change { return findingtest.Replace(mail, old, new) }
	const second = mail + ":16"
	for _, c := range []struct {
		name   string
		change findingtest.Change
		want   []string
	}{
		{"no channel", findingtest.Put(Dir+"/mail.json", "[]"), []string{Dir + "/mail.json fact-file"}},
		{"no JSON", findingtest.Put(mail, "[\n{]"), []string{mail + ":2 fact-file"}},
		{"no list", findingtest.Put(mail, `{}`), []string{mail + ":1 fact-file"}},
		{"null", findingtest.Put(mail, "[null]"), []string{mail + " fact-file"}},
		{"another kind", change(`"since": "",`, `"since": 2026,`), []string{mail + ":21 fact-file"}},
		{"an unknown field", change(`"since": "",`, `"since": "", "advice": "x",`), []string{mail + " fact-file"}},
		{"a field twice", change(`"since": "",`, `"since": "", "since": "",`), []string{mail + ":21 fact-file"}},
		{"capitals in an id", change("rules-for-senders", "rules-For-senders"), []string{second + " fact-id"}},
		{"an id of another file", change("rules-for-senders", "index"), []string{FileOf("Search") + ":1 fact-id", second + " fact-id"}},
		{"order", change("rules-for-senders", "a"), []string{second + " fact-id"}},
		{"no title", change(`"Mailboxes have rules"`, `" "`), []string{second + " fact-text"}},
		{"a long title", change("Mailboxes have rules", strings.Repeat("é", 91)), []string{second + " fact-text"}},
		{"advice", change("Mailboxes refuse", "Always sign, since mailboxes refuse"), []string{second + " fact-text"}},
		{"what is said may be advice", change("Anybody may send.", "Use any address."), nil},
		{"no date", change(`"since": ""`, `"since": "July 2026"`), []string{second + " fact-since"}},
		{"no place", change(`["Worldwide"]`, `[]`), []string{second + " fact-where"}},
		{"an unknown place", change(`["Worldwide"]`, `["UK"]`), []string{second + " fact-where"}},
		{"no source", change(`[{"url": "https://mailbox.example/rules", "read": "2026-06", "primary": true}]`, `[]`), []string{second + " fact-source"}},
		{"a source without https", change("https://mailbox", "http://mailbox"), []string{second + " fact-source"}},
		{"a source read on no month", change("2026-06", "2026"), []string{second + " fact-source"}},
		{"no skill", change(`["emails", "sms"]`, `[]`), []string{second + " fact-skill"}},
		{"an unknown skill", change(`["emails", "sms"]`, `["mail"]`), []string{second + " fact-skill"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := sample()
			c.change(t, files)
			_, found := Load(files, isSkill)
			findingtest.Expect(t, found, c.want...)
		})
	}
}

// FuzzLoad: no file makes reading fail, and what comes without findings can be
// written for an agent.
func FuzzLoad(f *testing.F) {
	f.Add([]byte("[" + pixels + "," + rules + "]"))
	f.Add([]byte(`[null, {"id": "a"}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, found := Load(fstest.MapFS{mail: &fstest.MapFile{Data: data}}, isSkill)
		if len(found) == 0 && len(l) > 0 && l.Text("emails")+l.Text("sms") == "" {
			t.Errorf("nothing is written of %q", data)
		}
	})
}
