package site

import (
	"strings"
	"testing"

	"marketingskills/app/tryout"
)

// TestIntervals: the picture says in words what it draws, and what it draws lies
// on its scale.
func TestIntervals(t *testing.T) {
	picture := intervals([]tryout.Comparison{
		{Condition: "skill", Against: "none", Tally: tryout.Tally{Share: 0.6, Low: 0.47, High: 0.73}},
		{Condition: "none-2", Against: "none-1", Control: true, Tally: tryout.Tally{Share: 0.5, Low: 0, High: 1}},
	})
	for _, want := range []string{
		`aria-label="with the skill against without: 60%, interval 47% to 73%; control: two plain answers: 50%, interval 0% to 100%"`,
		`<line x1="391.0" x2="469.0" y1="37" y2="37"/><circle cx="430.0" cy="37" r="4.5"/>`,
		`<line x1="250.0" x2="550.0" y1="63" y2="63"/><circle cx="400.0" cy="63" r="4.5"/>`,
		"Intervals-row--control", "Intervals-rule--even", ">60%</text>",
	} {
		if !strings.Contains(picture, want) {
			t.Errorf("%s is not in %s", want, picture)
		}
	}
	if intervals(nil) != "" {
		t.Error("nothing is drawn")
	}
}

// TestTriedSentence: it never says that a skill is better where too few requests
// were read to tell.
func TestTriedSentence(t *testing.T) {
	of := trial{Trial: &tryout.Trial{Date: "2026-11-28"}}
	tally := tryout.Tally{Won: 2, Lost: 1, Share: 0.667, Low: 0.19, High: 0.93, Verdicts: [3]int{8, 4, 0}, Result: tryout.TooFew}
	want := "28 November 2026: readers preferred the answer with this skill in 8 of 12 verdicts on 3 requests (67%, interval 19% to 93%). "
	for result, end := range map[string]string{tryout.TooFew: "That is too few to tell.", tryout.Better: "That is better than without.", tryout.Worse: "That is worse than without."} {
		tally.Result = result
		if got := trialSentence(of, tally); got != want+end {
			t.Errorf("%s: %s", result, got)
		}
	}
}

// TestTryoutsOfTheCollection: the page has every trial with its control, and each
// skill's page says how it was tried.
func TestTryoutsOfTheCollection(t *testing.T) {
	files := build(t, testConfig("/"))
	page := string(files["tryouts/index.html"])
	if n := strings.Count(page, "<figure class=\"Intervals\">"); n < 3 || strings.Count(page, "Intervals-row--control") < n {
		t.Errorf("the page has %d pictures", n)
	}
	for name, want := range map[string]string{"launch": "verdicts on 3 requests", "sms": "This skill was not tried in its present form."} {
		if !strings.Contains(string(files["skills/"+name+"/index.html"]), want) {
			t.Errorf("the page of %s does not say %q", name, want)
		}
	}
}
