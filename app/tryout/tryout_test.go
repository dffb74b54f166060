package tryout

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// TestInterval compares the bootstrap with intervals that can be computed by
// hand: where all scores are 0 or 1 it is that of Beta(won+1, lost+1). With no
// request lost the lower limit is the root 0.025^(1/(n+1)); 1 won and 1 lost is
// Beta(2, 2), whose distribution function is 3x²−2x³.
func TestInterval(t *testing.T) {
	for _, test := range []struct {
		scores           []float64
		share, low, high float64
	}{
		{[]float64{1, 1, 1}, 1, math.Pow(0.025, 1.0/4), 1},
		{[]float64{0, 0, 0}, 0, 0, 1 - math.Pow(0.025, 1.0/4)},
		{slices.Repeat([]float64{1}, 12), 1, math.Pow(0.025, 1.0/13), 1},
		{[]float64{1, 0}, 0.5, 0.0943, 0.9057},
		{[]float64{1, 1, 1, 1, 1, 1, 1, 0, 0, 0}, 0.7, 0.3903, 0.8907}, // qbeta(c(.025, .975), 8, 4)
		{nil, 0.5, 0, 1},
	} {
		share, low, high := interval(test.scores)
		if math.Abs(share-test.share) > 1e-9 || math.Abs(low-test.low) > 0.008 || math.Abs(high-test.high) > 0.008 {
			t.Errorf("%v: %.4f, %.4f to %.4f; want %.4f, %.4f to %.4f", test.scores, share, low, high, test.share, test.low, test.high)
		}
	}
	// Scores that vary less are surer, and the same scores give the same figures.
	_, halfLow, halfHigh := interval(slices.Repeat([]float64{0.5}, 20))
	_, low, high := interval(slices.Repeat([]float64{0, 1}, 10))
	_, againLow, againHigh := interval(slices.Repeat([]float64{0, 1}, 10))
	if halfHigh-halfLow > (high-low)/2 || low != againLow || high != againHigh {
		t.Errorf("halves %.3f to %.3f, wins and losses %.3f to %.3f, again %.3f to %.3f", halfLow, halfHigh, low, high, againLow, againHigh)
	}
}

// simulated makes verdicts of two readers on n requests whose answer with the
// skill is the better one with a probability; readers agree on four of five.
func simulated(lot *rand.Rand, n int, better float64) *Trial {
	t := &Trial{Name: "x", Date: "2026-11-23"}
	for i := range n {
		id := fmt.Sprintf("x/p%d", i)
		t.Requests = append(t.Requests, Request{ID: id, Skill: "x"})
		won := lot.Float64() < better
		for r := range 2 {
			v := Verdict{Request: id, Condition: "skill", Against: "none-1", Reader: fmt.Sprint(r), Better: "none-1"}
			if won != (lot.Float64() < 0.1) {
				v.Better = "skill"
			}
			t.Verdicts = append(t.Verdicts, v)
		}
	}
	return t
}

// TestFalseAlarms: where there is no difference, about one trial in twenty says
// that there is one, however few the requests; where there is a large one, it is
// found. With all verdicts counted as if they were independent, or with the plain
// bootstrap, three requests give a false alarm in four or five trials of twenty.
func TestFalseAlarms(t *testing.T) {
	lot := rand.New(rand.NewPCG(1, 2))
	for _, test := range []struct {
		requests    int
		better      float64
		least, most float64 // share of trials that tell
	}{{3, 0.5, 0, 0.02}, {6, 0.5, 0, 0.08}, {15, 0.5, 0.01, 0.08}, {42, 0.5, 0.01, 0.08}, {42, 0.8, 0.85, 1}, {15, 0.05, 0.9, 1}} {
		const trials = 200
		told := 0.0
		for range trials {
			if c := tally("", simulated(lot, test.requests, test.better).Verdicts); c.Result != TooFew {
				told += 1.0 / trials
			}
		}
		if told < test.least || told > test.most {
			t.Errorf("%d requests, better in %.0f%%: %.3f of the trials tell, want %.2f to %.2f",
				test.requests, 100*test.better, told, test.least, test.most)
		}
	}
}

func verdicts(request, condition, against string, better ...string) (all []Verdict) {
	for i, b := range better {
		all = append(all, Verdict{Request: request, Condition: condition, Against: against, Reader: fmt.Sprint("r", i+1), Better: b})
	}
	return all
}

// TestCompare counts by hand: requests, ties as halves, samples together,
// control apart.
func TestCompare(t *testing.T) {
	trial := &Trial{Name: "x", Date: "2026-11-23", Requests: []Request{
		{ID: "a/p1", Skill: "a", Kind: "thin"}, {ID: "a/p2", Skill: "a"}, {ID: "b/p1", Skill: "b", Kind: "thin"},
	}, Answers: []Answer{
		{Request: "a/p1", Condition: "skill", Words: 300}, {Request: "a/p1", Condition: "none-1", Words: 200},
		{Request: "a/p1", Condition: "none-2", Words: 100},
	}}
	trial.Verdicts = slices.Concat(
		verdicts("a/p1", "skill", "none-1", "skill", "skill"), verdicts("a/p1", "skill", "none-2", "none-2", "skill"), // 3 of 4: won
		verdicts("a/p2", "skill", "none-1", "skill", "none-1"), // tied
		verdicts("b/p1", "skill", "none-1", "none-1", Tie),     // 1/4: lost
		verdicts("a/p1", "none-2", "none-1", "none-1", "none-1"))
	all := trial.Compare()
	if len(all) != 2 || all[0].Condition != "skill" || all[0].Against != "none" || all[0].Control || !all[1].Control {
		t.Fatalf("comparisons: %+v", all)
	}
	c := all[0]
	if c.Won != 1 || c.Lost != 1 || c.Tied != 1 || c.Verdicts != [3]int{4, 3, 1} || math.Abs(c.Share-0.5) > 1e-9 || c.Result != TooFew {
		t.Errorf("%+v", c.Tally)
	}
	if c.Agreed != 1 || c.Pairs != 4 || c.Longer != 2.25 { // 300/200 and 300/100
		t.Errorf("agreed %d of %d, longer %g", c.Agreed, c.Pairs, c.Longer)
	}
	if len(c.Kinds) != 2 || c.Kinds[0].Group != "thin" || c.Kinds[0].Requests() != 2 || c.Kinds[1].Group != unmarked || len(c.Skills) != 2 || c.Skills[1].Lost != 1 {
		t.Errorf("kinds %+v, skills %+v", c.Kinds, c.Skills)
	}
}

// TestNeeded: how many requests are needed is said from enough scores only, and
// never so few that they could not tell.
func TestNeeded(t *testing.T) {
	// Variance of 3/4 and 1/4, in equal numbers, is n/(n-1)/16; (1.96+0.84)² is 7.849.
	mixed := []Comparison{{Tally: Tally{Share: 0.5}, scores: slices.Repeat([]float64{0.75, 0.25}, 20)}}
	if n := Needed(mixed); n != int(math.Ceil(7.8489/16*40/39*100)) {
		t.Errorf("needed %d", n)
	}
	for n := range 20 {
		few := []Comparison{{Tally: Tally{Share: 0.5}, scores: slices.Repeat([]float64{0, 1}, n/2+1)[:n]}}
		if got := Needed(few); got != 0 {
			t.Errorf("from %d requests, %d are needed", n, got)
		}
	}
	if n := Needed([]Comparison{{Tally: Tally{Share: 0.5}, scores: slices.Repeat([]float64{0.5}, 40)}}); n != fewestNeeded {
		t.Errorf("with scores that do not vary, %d are needed", n)
	}
	_, enough, _ := interval(slices.Repeat([]float64{0.6}, fewestNeeded))
	_, fewer, _ := interval(slices.Repeat([]float64{0.6}, fewestNeeded-1))
	if enough <= 0.5 || fewer > 0.5 {
		t.Errorf("with %d requests the interval begins at %.3f, with one less at %.3f", fewestNeeded, enough, fewer)
	}
}

// TestNeverWon: no result says more than its interval.
func TestNeverWon(t *testing.T) {
	lot := rand.New(rand.NewPCG(3, 4))
	for n := range 30 {
		c := simulated(lot, n+1, lot.Float64()).Compare()[0]
		if holds := c.Low <= 0.5 && c.High >= 0.5; holds != (c.Result == TooFew) {
			t.Errorf("%+v", c.Tally)
		}
	}
}

func TestCheck(t *testing.T) {
	day := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	table := "| | a |\n|---|---|\n| x | €1,200 |\n| y | €34.50 |\n| **Total** | €%s |\n"
	for _, test := range []struct{ answer, want string }{
		{fmt.Sprintf(table, "1,234.50"), ""},
		{fmt.Sprintf(table, "1,235"), ""},
		{fmt.Sprintf(table, "1,243.50"), "sum: line 5: the rows add up to 1234.5, the total says €1,243.50"},
		{strings.ReplaceAll(fmt.Sprintf(table, "9"), "€34.50", "open"), ""},
		{strings.ReplaceAll(fmt.Sprintf(table, "9"), "€34.50", "$34"), ""},
		{"Friday 27 November, Tuesday, 12 January and Monday, November 30, 2026", ""},
		{"by Thursday 27 November", `weekday: "Thursday 27 November" is a Friday`},
		{"on Sunday, March 1, 2027", `weekday: "Sunday, March 1, 2027" is a Monday`},
		{"`Fresh bread by seven` (20 characters)", ""},
		{"“Fresh bread by seven” (28 characters)", `length: "Fresh bread by seven" has 20 characters, stated are 28`},
		{`"Café ` + strings.Repeat("x", 80) + ` ✓" (1 segment)`, "has 2 segments, stated are 1"},
		{"```json\n{\"a\": 1}\n```", ""},
		{"```html\n<script type=\"application/ld+json\">\n{\"@type\": \"Offer\",}\n</script>\n```", "json-syntax: "},
		{"```\n{\"@context\": \"https://schema.org\" \"@type\": \"Offer\"}\n```", "json-syntax: "},
		{"```ad-callouts\nFree delivery\n```", "search-ad-count: "},
		{"- Monthly budget: €900\n\nText.\n\n- **Monthly budget:** €950", "figure: line 5: monthly budget is 950 here and 900 above"},
		{"- Monthly budget: €900\n- Monthly budget: €900", ""},
	} {
		got := strings.Join(Check(test.answer, day), "\n")
		if got != test.want && (test.want == "" || !strings.Contains(got, test.want)) {
			t.Errorf("%s\n%s\nwant %s", test.answer, got, test.want)
		}
	}
}

func FuzzCheck(f *testing.F) {
	f.Add("| a | 1 |\n|--|--|\n| Total | 2 |\n\"x\" (3 characters) Monday 31 February")
	f.Fuzz(func(t *testing.T, answer string) {
		if found := Check(answer, time.Time{}); len(found) > mostFindings {
			t.Errorf("%d findings", len(found))
		}
	})
}

func TestReadRequests(t *testing.T) {
	requests, day, err := ReadRequests("\ufeffToday is 23 November 2026.\r\n\r\nP1: one\r\n\r\nNote: still one\r\n\r\nP2: two\r\n"+
		"P3 (rich; skill: sms; context: c.md; files: a.csv, b.csv; line: quiet hours; line: 3033): three\nP4: four\n", "ads")
	if err != nil || len(requests) != 4 || day.Format(Day) != "2026-11-23" {
		t.Fatalf("%v, %v, %v", requests, day, err)
	}
	r := requests[2]
	if requests[0].Text != "one\n\nNote: still one" || requests[0].Kind != "thin" || requests[0].ID != "ads/p1" || requests[3].Kind != "" ||
		r.Kind != "rich" || r.ID != "sms/p3" || r.Context != "c.md" || !slices.Equal(r.Files, []string{"a.csv", "b.csv"}) || len(r.Lines) != 2 {
		t.Errorf("%+v", requests)
	}
	for source, want := range map[string]string{
		"":                                      "there is no request",
		"hello\nP1: x":                          `"hello" stands above the first request`,
		"Today is 31 February 2026.\nP1: x":     "is not a day",
		"P1: x\nP1: y":                          "line 2: P1 stands there twice",
		"P1 (kind: thin): x":                    `"kind" is not a mark; use thin, rich, hard, or skill, `,
		"P1 (skill): x":                         `"skill" is not a mark; use thin, rich, hard, or skill, `,
		"P1 (thin: a): x":                       `"thin" is not a mark`,
		"P1 (weird): x":                         `"weird" is not a mark; use thin, rich, hard, or skill, `,
		"\x7fELF" + strings.Repeat("\x00", 999): `" stands above the first request`,
		"P1 (files:): x":                        "the mark files is empty",
		"P1:  \nP2: x":                          "the request a/p1 is empty",
	} {
		if _, _, err := ReadRequests(source, "a"); err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 500 {
			t.Errorf("%q: %v, want %s", source, err, want)
		}
	}
}

// FuzzReadRequests: what is accepted are requests with names of their own and
// words, and the same when they are written back.
func FuzzReadRequests(f *testing.F) {
	f.Add("Today is 23 November 2026.\nP1: one\n\nmore\nP2 (rich; skill: sms; line: x): two")
	f.Fuzz(func(t *testing.T, source string) {
		requests, _, err := ReadRequests(source, "a")
		if err != nil {
			return
		}
		seen := map[string]bool{}
		var back strings.Builder
		for _, r := range requests {
			if seen[r.ID] || r.Text == "" {
				t.Fatalf("%+v", requests)
			}
			seen[r.ID] = true
			_, number, _ := strings.Cut(r.ID[strings.LastIndex(r.ID, "/"):], "p")
			fmt.Fprintf(&back, "P%s: %s\n", number, r.Text)
		}
		again, _, err := ReadRequests(back.String(), "a")
		if err != nil && !strings.Contains(err.Error(), "twice") { // numbers may be those of another skill's
			t.Fatal(err)
		}
		for i := range again {
			if again[i].Text != requests[i].Text {
				t.Errorf("%q came back as %q", requests[i].Text, again[i].Text)
			}
		}
	})
}

func TestReadTable(t *testing.T) {
	files := fstest.MapFS{
		"requests/sms.md":              {Data: []byte("Today is 23 November 2026.\nP1: text")},
		"answers/sms/none-1/p1.md":     {Data: []byte("one two | three")},
		"answers/sms/skill-old/p1.md":  {Data: []byte("Thursday 27 November")},
		"answers/sms/none-1/notes.txt": {Data: []byte("x")},
		Table:                          {Data: []byte("subject\trequest\tcondition\tagainst\treader\tbetter\treason\nsms\tp1\tskill-old\tnone-1\tr1\ttie\t\"so\" said\n")},
	}
	trial, err := ReadTable(files, "old")
	if err != nil || len(trial.Answers) != 2 || trial.Answers[0].Words != 3 || len(trial.Answers[1].Findings) != 1 ||
		trial.Verdicts[0].Reason != `"so" said` || trial.Date != "2026-11-23" {
		t.Fatalf("%+v, %v", trial, err)
	}
	data, err := json.Marshal(trial)
	if again, readErr := Read(data); err != nil || readErr != nil || len(again.Verdicts) != 1 {
		t.Errorf("%v, %v", err, readErr)
	}
	undated := fstest.MapFS{"requests/sms.md": {Data: []byte("P1: text")}, Table: files[Table]}
	if trial, err := ReadTable(undated, "x"); err == nil || !strings.Contains(err.Error(), "have no day") {
		t.Errorf("without a day: %+v, %v", trial, err)
	}
	for change, want := range map[[2]string]string{
		{"sms\tp1", "sms\tp9"}: `verdict 1: there is no request "sms/p9"`, {"\ttie\t", "\tX\t"}: `verdict 1: "X" is not`,
		{"subject\t", "skill\t"}: "the first line must be", {"\tr1\t", "\t\t"}: "it needs two conditions and a reader",
		{"sms\tp1\tskill-old\tnone-1\tr1\ttie", "sms"}: "line 2 has 2 columns",
	} {
		broken := fstest.MapFS{"requests/sms.md": files["requests/sms.md"]}
		broken[Table] = &fstest.MapFile{Data: bytes.Replace(files[Table].Data, []byte(change[0]), []byte(change[1]), 1)}
		if _, err := ReadTable(broken, "x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", change, err, want)
		}
	}
}

// TestSections: what an answer or a reader wrote does not break a table or act
// on a terminal.
func TestSections(t *testing.T) {
	trial := &Trial{Name: "x", Date: "2026-11-23", Requests: []Request{{ID: "a/p1", Skill: "a", Kind: "thin"}},
		Verdicts: verdicts("a/p1", "skill", "none-1", "skill"), Quotes: []Quote{{Skill: "a", Line: "one | two\n\x1b[2J", Won: 1}},
		Answers: []Answer{{Request: "a/p1", Condition: "skill", Missing: "not answered"}}}
	var plain, markdown bytes.Buffer
	if err := Plain(&plain, trial.Sections(trial.Compare())); err != nil {
		t.Fatal(err)
	}
	if err := Markdown(&markdown, trial.Sections(trial.Compare()), 2); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| a | one \\| two [2J | 1–0 |", "### Answers that nobody could read", "There is no control"} {
		if !strings.Contains(markdown.String(), want) {
			t.Errorf("%s\nwants %s", markdown.String(), want)
		}
	}
	if strings.Contains(plain.String()+markdown.String(), "\x1b") || !strings.Contains(plain.String(), "too few to tell") {
		t.Error(plain.String())
	}
}
