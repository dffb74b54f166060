package catalog

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"marketingskills/app/search"
)

var sampleCategories = []Category{{ID: "paid-measurement", Name: "Paid & measurement", Count: 2}, {ID: "conversion", Name: "Conversion", Count: 1}}

// sampleCatalog is in the order of the catalog: by category, then by name.
func sampleCatalog() *Data {
	return &Data{
		Noun: "skill", Below: "skills/", Dated: true,
		Categories: sampleCategories,
		Cards: []Card{
			{Name: "ads", Title: "Ads", Description: "Plan paid campaigns.", CategoryID: "paid-measurement", Day: "2026-05-26", Old: "paid-ads"},
			{Name: "analytics", Title: "Analytics", Description: "Measure what people do.", CategoryID: "paid-measurement", Day: "2026-05-05"},
			{Name: "cro", Title: "Conversion rate", Description: "Repair pages and forms.", CategoryID: "conversion", Day: "2026-05-26", Old: "page-cro form-cro", Words: "Thumb zones"},
		},
	}
}

func indexOf(documents []search.Document) *search.Index {
	data, err := search.Compile(documents)
	if err != nil {
		panic(err)
	}
	index, err := search.Decode(data)
	if err != nil {
		panic(err)
	}
	return index
}

func sampleIndex() *search.Index {
	return indexOf([]search.Document{
		{Name: "ads", Title: "Ads", Category: "Paid & measurement", Description: "Plan paid campaigns."},
		{Name: "analytics", Title: "Analytics", Category: "Paid & measurement", Description: "Measure what people do."},
		{Name: "cro", Title: "Conversion rate", Category: "Conversion", Description: "Repair pages and forms.",
			OldNames: []search.OldName{{Name: "page-cro", Kind: "merged", Release: "2.0.0"}}},
	})
}

func TestParseRequest(t *testing.T) {
	long := strings.Repeat("é", 10_000)
	for raw, want := range map[string]request{
		"":                                    {},
		"q=two+words&sort=name":               {Text: "two words", Sort: "name"},
		"q=a%20b&category=conversion":         {Text: "a b", Category: "conversion"},
		"category=Conversion":                 {},
		"category=nowhere&sort=updated":       {Sort: "updated"},
		"sort=price":                          {},
		"sort=":                               {},
		"q=1&q=2":                             {Text: "1"},
		"q=%F0%9F%8E%89&utm_source=x":         {Text: "🎉"},
		"q=%zz&sort=name":                     {Text: "%zz", Sort: "name"},
		"q=a;sort=name":                       {Text: "a;sort=name"},
		"%%%":                                 {},
		"q=" + url.QueryEscape(long):          {Text: long},
		"q=%00%ff&category=&&sort=name=":      {Text: "\x00\uFFFD"},
		"q=%22%3E%3Cscript%3E&category=%00":   {Text: `"><script>`},
		"category=conversion&category=a&q=+x": {Text: " x", Category: "conversion"},
	} {
		if got := parseRequest(raw, sampleCatalog()); got != want {
			t.Errorf("%.60q: got %+v, want %+v", raw, got, want)
		}
	}
	for raw, want := range map[string]request{
		"way=API&skill=ads":           {Way: "API", Skill: "ads"},
		"way=api&skill=Ads":           {},
		"way=all&skill=all":           {},
		"sort=updated":                {},
		"sort=name&way=MCP&way=API":   {Sort: "name", Way: "MCP"},
		"q=x&category=numbers&way=%5": {Text: "x", Category: "numbers"},
	} {
		if got := parseRequest(raw, sampleTools()); got != want {
			t.Errorf("%q: got %+v, want %+v", raw, got, want)
		}
	}
}

// sampleTools is a catalog of tools.
func sampleTools() *Data {
	return &Data{
		Noun: "tool", Below: "tools/", Ways: []string{"API", "MCP"}, Skills: []string{"ads", "cro"},
		Categories: []Category{{ID: "numbers", Name: "Numbers", Count: 1}, {ID: "words", Name: "Words", Count: 1}},
		Cards: []Card{
			{Name: "counter", Title: "Counter", Description: "Counts pages.", CategoryID: "numbers", Ways: []string{"API"}, Skills: []string{"ads", "cro"}},
			{Name: "talker", Title: "Talker", Description: "Talks about pages.", CategoryID: "words", Ways: []string{"API", "MCP"}, Skills: []string{"cro"}},
		},
	}
}

func toolIndex() *search.Index {
	return indexOf([]search.Document{
		{Name: "counter", Title: "Counter", Category: "Numbers", Description: "Counts pages."},
		{Name: "talker", Title: "Talker", Category: "Words", Description: "Talks about pages."},
	})
}

func TestToolFilters(t *testing.T) {
	for _, c := range []struct{ raw, want string }{
		{"", "2 tools; By category; Numbers: counter; Words: talker"},
		{"way=MCP", "1 tool; By category; Words: talker"},
		{"way=API&skill=ads", "1 tool; By category; Numbers: counter"},
		{"way=MCP&skill=ads", "No tools; By category; No tools with MCP for ads. Choose other filters."},
		{"q=pages&way=MCP", "1 tool; Best match first; : talker"},
		{"q=count&way=MCP&skill=ads&category=words", "No tools; Best match first; No tools match “count” in Words with MCP for ads. Try other words.;" +
			" 1 tool without filters ?q=count"},
		{"q=count&way=API&category=words&sort=name", "No tools; By name; No tools match “count” in Words with API. Try other words.;" +
			" 1 tool in other categories ?q=count&sort=name&way=API"},
		{"q=count&way=MCP", "No tools; Best match first; No tools match “count” with MCP. Try other words.; 1 tool without filters ?q=count"},
	} {
		if got := listing(catalogOf(sampleTools(), parseRequest(c.raw, sampleTools()), indexes{cards: toolIndex()})); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.raw, got, c.want)
		}
	}
}

// sampleTasks is a catalog of tools that begins with tasks.
func sampleTasks() *Data {
	d := sampleTools()
	d.Tasks = []TaskGroup{
		{ID: "measure", Name: "Measure", Tasks: []Task{
			{ID: "count-visits", Name: "Count visits", Tools: []string{"counter"}, Words: "Counter how many people came"},
			{ID: "read-a-log", Name: "Read a log", Words: "visits by hand"},
		}},
		{ID: "speak", Name: "Speak", Tasks: []Task{{ID: "call-people", Name: "Call people", Tools: []string{"talker", "counter"}, Words: "Talker to visit by phone"}}},
	}
	return d
}

func taskIndex() *search.Index {
	return indexOf([]search.Document{
		{Name: "task-count-visits", Title: "Count visits", Keywords: []string{"how many people came"}},
		{Name: "task-read-a-log", Title: "Read a log", Keywords: []string{"visits by hand"}},
		{Name: "task-call-people", Title: "Call people", Keywords: []string{"visit by phone"}},
	})
}

func TestTasks(t *testing.T) {
	unranked, ranked := indexes{}, indexes{cards: toolIndex(), tasks: taskIndex()}
	for _, c := range []struct {
		raw  string
		by   indexes
		want string
	}{
		{"", ranked, "3 tasks, 2 tools; By category; Measure: count-visits read-a-log; Speak: call-people; Numbers: counter; Words: talker"},
		{"way=MCP", unranked, "1 task, 1 tool; By category; Speak: call-people; Words: talker"},
		{"category=numbers", unranked, "2 tasks, 1 tool; By category; Measure: count-visits; Speak: call-people; Numbers: counter"},
		{"way=MCP&skill=ads", unranked, "No tools; By category; No tools with MCP for ads. Choose other filters."},
		{"sort=name", unranked, "3 tasks, 2 tools; By name; Measure: count-visits read-a-log; Speak: call-people; : counter talker"},

		{"q=VISITS", unranked, "2 tasks, 1 tool; By category; Measure: count-visits read-a-log; Numbers: counter"},
		{"q=how+many+visits+today", unranked, "1 task, 1 tool; By category; Measure: count-visits; Numbers: counter"},
		{"q=visits+to+a+log", unranked, "1 task; By category; Measure: read-a-log; No tools match “visits to a log”. Try other words."},
		{"q=isit", unranked, "No tools; By category; No tools match “isit”. Try other words."},
		{"q=to", unranked, "1 task, 2 tools; By category; Speak: call-people; Numbers: counter; Words: talker"},
		{"q=pages", unranked, "2 tools; By category; Numbers: counter; Words: talker"},
		{"q=people+visits&category=words", unranked, "1 task, 1 tool; By category; Speak: call-people; Words: talker"},
		{"q=%EF%BB%BF", unranked, "3 tasks, 2 tools; By category; Measure: count-visits read-a-log; Speak: call-people; Numbers: counter; Words: talker"},

		{"q=vissits", ranked, "3 tasks, 2 tools; By category; : count-visits call-people read-a-log; Numbers: counter; Words: talker"},
		{"q=phone+people", ranked, "1 task, 2 tools; By category; : call-people; Numbers: counter; Words: talker"},
		{"q=visits&way=MCP", ranked, "1 task, 1 tool; By category; : call-people; Words: talker"},
		{"q=pages", ranked, "2 tools; Best match first; : counter talker"},
	} {
		v := catalogOf(sampleTasks(), parseRequest(c.raw, sampleTasks()), c.by)
		if got := listing(v); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.raw, got, c.want)
		}
	}
	v := catalogOf(sampleTasks(), request{Text: "visits"}, ranked)
	if marks := v.tasks[0].names[0]; len(marks) != 1 || "Count visits"[marks[0].From:marks[0].To] != "visits" {
		t.Errorf("marked is %v", marks)
	}
}

// TestWeakTasks: of tasks that only share a word with the one that is meant, few
// are shown, and never more than can be looked at.
func TestWeakTasks(t *testing.T) {
	d := &Data{Noun: "tool", Tasks: []TaskGroup{{}}}
	names := strings.Fields("a b c d e f g h i j k l")
	for _, name := range names {
		d.Tasks[0].Tasks = append(d.Tasks[0].Tasks, Task{ID: name})
	}
	for _, c := range []struct {
		name  string
		score func(place int) float64
		want  int
	}{
		{"all alike", func(int) float64 { return 1 }, 8},
		{"one meant", func(place int) float64 { return 1 / (1 + 9*float64(place)) }, 3},
		{"five near", func(place int) float64 { return 1 - float64(place)*0.17 }, 5},
		{"nothing said", func(int) float64 { return 0 }, 8},
	} {
		var result search.Result
		for i, name := range names {
			result.Hits = append(result.Hits, search.Hit{Name: "task-" + name, Score: c.score(i)})
		}
		if got := d.rankedTasks(request{}, result); len(got) != 1 || len(got[0].group.Tasks) != c.want {
			t.Errorf("%s: got %+v, want %d tasks", c.name, got, c.want)
		}
	}
}

func TestOthers(t *testing.T) {
	documents := make([]search.Document, 5)
	for i, name := range []string{"a-mail", "b-mail", "c-mail", "d-mail", "e-phone"} {
		documents[i] = search.Document{Name: name, Title: strings.ToUpper(name), Category: "Tools", Description: "Sends."}
	}
	index := indexOf(documents)
	if got := othersOf("mail", index); len(got.links) != 3 || got.links[0] != (other{"a-mail", "A-MAIL"}) || got.more != 1 {
		t.Errorf("got %+v", got)
	}
	if got := othersOf("phone", index); len(got.links) != 1 || got.more != 0 {
		t.Errorf("got %+v", got)
	}
	for _, words := range []string{"", " ", "zzzz"} {
		if got := othersOf(words, index); len(got.links) != 0 || got.more != 0 {
			t.Errorf("%q: got %+v", words, got)
		}
	}
	if got := othersOf("mail", nil); got.links != nil {
		t.Errorf("without an index: %+v", got)
	}
}

func TestRequestsRoundTrip(t *testing.T) {
	for _, text := range []string{"", "a", "a b", "a&b=c;d#e?f", "50% + 1", "🎉 שלום", "\x00", strings.Repeat("é", 10_000)} {
		for _, category := range []string{"", "conversion"} {
			for _, order := range []string{sortDefault, sortName, sortUpdated} {
				want := request{Text: text, Category: category, Sort: order}
				raw := want.encode()
				if got := parseRequest(raw, sampleCatalog()); got != want {
					t.Errorf("%.60q: got %+v, want %+v", raw, got, want)
				}
			}
		}
	}
	if got := (request{Text: " \t a \n"}).encode(); got != "q=a" {
		t.Errorf("spaces around a query: got %q", got)
	}
	if got := (request{Text: "  "}).encode(); got != "" {
		t.Errorf("an empty query: got %q", got)
	}
}

// listing writes a view down: its count, its heading, the IDs of its tasks and
// the names of its rows under the titles of their groups.
func listing(v catalogView) string {
	parts := []string{v.count, v.heading}
	for _, g := range v.tasks {
		names := g.group.Name + ":"
		for _, task := range g.group.Tasks {
			names += " " + task.ID
		}
		parts = append(parts, names)
	}
	for _, g := range v.groups {
		names := g.category.Name + ":"
		for _, r := range g.rows {
			names += " " + r.card.Name
		}
		parts = append(parts, names)
	}
	if v.empty != nil {
		parts = append(parts, v.empty.sentence)
		for _, o := range v.empty.offers {
			target := "skills/" + o.card + "/"
			if o.request != nil {
				target = "?" + o.request.encode()
			}
			parts = append(parts, o.label+" "+target)
		}
	}
	return strings.Join(parts, "; ")
}

func TestCatalogOf(t *testing.T) {
	d := sampleCatalog()
	long := strings.Repeat("x", 10_000)
	for _, c := range []struct {
		name, raw string
		ranked    bool
		want      string
	}{
		{"all", "", false, "3 skills; By category; Paid & measurement: ads analytics; Conversion: cro"},
		{"all, with an index", "", true, "3 skills; By category; Paid & measurement: ads analytics; Conversion: cro"},
		{"spaces only", "q=+", true, "3 skills; By category; Paid & measurement: ads analytics; Conversion: cro"},
		{"a category", "category=conversion", false, "1 skill; By category; Conversion: cro"},
		{"by name", "sort=name", false, "3 skills; By name; : ads analytics cro"},
		{"by day, then name", "sort=updated", false, "3 skills; Recently updated first; : ads cro analytics"},
		{"a category by day", "sort=updated&category=paid-measurement", false, "2 skills; Recently updated first; : ads analytics"},

		{"filter", "q=a+PLAN", false, "1 skill; By category; Paid & measurement: ads"},
		{"filter by an old name", "q=form-cro", false, "1 skill; By category; Conversion: cro"},
		{"filter by a heading", "q=thumb", false, "1 skill; By category; Conversion: cro"},
		{"filter by name", "q=p&sort=name", false, "3 skills; By name; : ads analytics cro"},
		{"filter finds nothing", "q=zzz", false, "No skills; By category; No skills match “zzz”. Try other words."},
		{"filter finds nothing here", "q=ads&category=conversion", false, "No skills; By category; No skills match “ads” in Conversion. Try other words."},
		{"filter, 10,000 characters", "q=" + long, false, "No skills; By category; No skills match “" + long[:60] + "…”. Try other words."},
		{"filter, emoji", "q=🎉", false, "No skills; By category; No skills match “🎉”. Try other words."},

		{"ranked", "q=pages", true, "1 skill; Best match first; : cro"},
		{"ranked by a typo", "q=anlytics", true, "1 skill; Best match first; : analytics"},
		{"ranked, by name", "q=p&sort=name", true, "3 skills; By name; : ads analytics cro"},
		{"ranked, by day, then match", "q=p&sort=updated", true, "3 skills; Recently updated first; : cro ads analytics"},
		{"ranked in a category", "q=pages&category=conversion", true, "1 skill; Best match first; : cro"},
		{"elsewhere", "q=pages&category=paid-measurement&sort=name", true,
			"No skills; By name; No skills match “pages” in Paid & measurement. Try other words.; 1 skill in other categories ?q=pages&sort=name"},
		{"ranked, 10,000 characters", "q=" + long, true, "No skills; Best match first; No skills match “" + long[:60] + "…”. Try other words."},
		{"ranked, emoji", "q=🎉", true, "No skills; Best match first; No skills match “🎉”. Try other words."},
	} {
		var by indexes
		if c.ranked {
			by.cards = sampleIndex()
		}
		if got := listing(catalogOf(d, parseRequest(c.raw, d), by)); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestAnEmptyResultOffersTheNearest(t *testing.T) {
	v := catalogOf(sampleCatalog(), request{Text: "analitiqs kampains", Category: "conversion"}, indexes{cards: sampleIndex()})
	if v.empty == nil || len(v.empty.offers) == 0 {
		t.Fatalf("got %s", listing(v))
	}
	for _, o := range v.empty.offers {
		if (o.request == nil) == (o.card == "") || o.label == "" {
			t.Errorf("an offer must be a request or a card: %+v", o)
		}
		if o.request != nil && catalogOf(sampleCatalog(), *o.request, indexes{cards: sampleIndex()}).empty != nil {
			t.Errorf("%q is offered and finds nothing", o.label)
		}
	}
}

func TestRankedRowsSayWhy(t *testing.T) {
	v := catalogOf(sampleCatalog(), request{Text: "page-cro"}, indexes{cards: sampleIndex()})
	if got := v.groups[0].rows[0]; got.card.Name != "cro" || got.note != "page-cro was merged into cro in 2.0.0" {
		t.Errorf("got %+v", got)
	}
	v = catalogOf(sampleCatalog(), request{Text: "repair conversion"}, indexes{cards: sampleIndex()})
	row := v.groups[0].rows[0]
	marked := func(text string, at int) string { return text[row.description[at].From:row.description[at].To] }
	if len(row.title) != 1 || row.card.Title[row.title[0].From:row.title[0].To] != "Conversion" || marked(row.card.Description, 0) != "Repair" {
		t.Errorf("got %+v", row)
	}
}

// TestAnIndexAheadOfThePage: between two releases the index may know skills
// that the page at hand does not.
func TestAnIndexAheadOfThePage(t *testing.T) {
	d := sampleCatalog()
	d.Cards = slices.DeleteFunc(d.Cards, func(c Card) bool { return c.Name == "cro" })
	if got := listing(catalogOf(d, request{Text: "p"}, indexes{cards: sampleIndex()})); got != "2 skills; Best match first; : ads analytics" {
		t.Errorf("got %s", got)
	}
	if got := listing(catalogOf(d, request{Text: "page-cro"}, indexes{cards: sampleIndex()})); !strings.HasPrefix(got, "No skills; Best match first; No skills match “page-cro”. Try other words.") {
		t.Errorf("got %s", got)
	}
}

func TestAnEmptyCatalog(t *testing.T) {
	for _, raw := range []string{"", "q=a", "sort=name", "category=conversion"} {
		for _, index := range []*search.Index{nil, indexOf(nil)} {
			v := catalogOf(&Data{Noun: "skill"}, parseRequest(raw, &Data{}), indexes{cards: index})
			if v.count != "No skills" || len(v.groups) > 0 || v.empty == nil && raw == "q=a" {
				t.Errorf("%q: got %s", raw, listing(v))
			}
		}
	}
}

func FuzzCatalogOf(f *testing.F) {
	f.Add("q=anlytics&category=conversion&sort=name")
	f.Add("q=%F0%9F%8E%89%ff")
	d, index := sampleCatalog(), sampleIndex()
	f.Fuzz(func(t *testing.T, raw string) {
		r := parseRequest(raw, d)
		again := parseRequest(r.encode(), d)
		if again.Category != r.Category || again.Sort != r.Sort || again.Text != strings.TrimSpace(r.Text) {
			t.Fatalf("%+v became %+v", r, again)
		}
		for _, index := range []*search.Index{nil, index} {
			v := catalogOf(d, r, indexes{cards: index})
			rows := 0
			for _, g := range v.groups {
				rows += len(g.rows)
			}
			if v.count != d.count(rows) || (rows == 0) != (v.empty != nil) {
				t.Fatalf("%d rows in %s", rows, listing(v))
			}
			if v.empty != nil && utf8.RuneCountInString(v.empty.sentence) > 120 {
				t.Fatalf("long: %s", v.empty.sentence)
			}
		}
	})
}
