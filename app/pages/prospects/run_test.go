package prospects

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/fakehost"
)

// counted are totals that add up, of three causes each.
var counted = prospect.Counts{Listed: 1_300, Matches: 1_001, Filtered: 200, Suppressed: 3, Failed: 96, Duplicates: 2, Unreached: 40,
	FilteredBy:   map[string]int{"with-email": 150, "starred-since": 49, "unheard-of": 1},
	SuppressedBy: map[string]int{"login": 2, "domain": 1},
	FailedBy:     map[string]int{"network": 40, "time-out": 1, "host": 50, "missing": 5},
}

func TestTotalsInWords(t *testing.T) {
	if err := counted.Check(); err != nil {
		t.Fatal(err)
	}
	left := "Left out: starred earlier 49, unheard-of 1, no address 150, suppressed by domain 1, suppressed by login 2."
	for _, c := range []struct {
		counts             prospect.Counts
		accounts, filtered string
		outcomes           string
	}{
		{prospect.Counts{}, "0 people considered: 0 kept, 0 filtered, 0 suppressed, 0 could not be had.", "", "[{Kept 0}]"},
		{prospect.Counts{Listed: 1, Matches: 1}, "1 person considered: 1 kept, 0 filtered, 0 suppressed, 0 could not be had.", "", "[{Kept 1}]"},
		{counted, "1,300 people considered: 1,001 kept, 200 filtered, 3 suppressed, 96 could not be had." +
			" Listed again by the host, and in the list once: 2. Not reached: 40. " + left, left,
			"[{Kept 1001} {Starred earlier 49} {Unheard-of 1} {No address 150} {Suppressed 3} {Failed 96}]"},
	} {
		if got := accounts(&run{counts: c.counts}); got != c.accounts {
			t.Errorf("got  %s\nwant %s", got, c.accounts)
		}
		if got := filteredText(c.counts); got != c.filtered {
			t.Errorf("got  %s\nwant %s", got, c.filtered)
		}
		if got := fmt.Sprint(outcomes(c.counts)); got != c.outcomes {
			t.Errorf("got  %s\nwant %s", got, c.outcomes)
		}
	}
}

func TestEveryFilterHasAName(t *testing.T) {
	for _, cause := range []string{"type", "starred-since", "with-email", "with-company", "with-blog"} {
		if causeNames[cause] == "" {
			t.Errorf("%s has none", cause)
		}
	}
}

func TestEndText(t *testing.T) {
	some := prospect.Counts{Listed: 40, Matches: 1, Failed: 2, FailedBy: map[string]int{"missing": 1, "gone": 1}}
	for _, c := range []struct {
		report prospect.Report
		counts prospect.Counts
		want   string
	}{
		{prospect.Report{Complete: true}, some, "Finished. 1 person kept of 40."},
		{prospect.Report{Complete: true}, counted, "Finished. 1,001 people kept of 1,300. 91 profiles could not be had for a passing reason."},
		{prospect.Report{Stop: &prospect.Stop{Reason: "interrupted"}}, some, "Stopped. 1 person kept of 40. Nothing is lost: the run can go on from here."},
		{prospect.Report{Stop: &prospect.Stop{Reason: "quota"}}, counted, "The run is incomplete. 1,001 people kept of 1,300. Nothing is lost."},
		{prospect.Report{}, prospect.Counts{}, "The run is incomplete. 0 people kept of 0. Nothing is lost."},
	} {
		if got := endText(c.report, c.counts); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestProgressBar(t *testing.T) {
	for _, c := range []struct {
		name                             string
		people, target                   int
		kept, filtered, suppressed, lost int
		want                             string
	}{
		{"nothing yet", 0, 0, 0, 0, 0, 0, "0.00% 0.00% 0.00%"},
		{"a quarter of all", 400, 0, 40, 30, 10, 20, "10.00% 10.00% 5.00%"},
		{"all", 100, 0, 20, 60, 10, 10, "20.00% 70.00% 10.00%"},
		{"more than the host said", 50, 0, 50, 25, 0, 25, "50.00% 25.00% 25.00%"},
		{"the target is nearer", 10_000, 50, 10, 80, 0, 10, "2.00% 16.00% 2.00%"},
		{"the target is out of reach", 200, 500, 10, 90, 0, 0, "5.00% 45.00% 0.00%"},
		{"a target, and nobody kept", 1_000, 5, 0, 100, 0, 0, "0.00% 10.00% 0.00%"},
		{"the target is reached", 10_000, 50, 50, 150, 0, 0, "25.00% 75.00% 0.00%"},
	} {
		r := &run{now: prospect.Progress{People: c.people, Target: c.target}, counts: prospect.Counts{
			Listed: c.kept + c.filtered + c.suppressed + c.lost, Matches: c.kept, Filtered: c.filtered, Suppressed: c.suppressed, Failed: c.lost}}
		if got := strings.Join(widths(t, progressBar(r)), " "); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// Whatever the numbers, what is drawn fits into the bar, and no part of
// nothing is drawn.
func TestProgressBarNeverOverflows(t *testing.T) {
	for people := 0; people < 400; people += 37 {
		for _, target := range []int{0, 1, 7, 50, 1_000} {
			for listed := 0; listed < 300; listed += 29 {
				for kept := 0; kept <= listed; kept += 1 + listed/5 {
					r := &run{now: prospect.Progress{People: people, Target: target}, counts: prospect.Counts{Listed: listed, Matches: kept, Filtered: listed - kept}}
					sum := 0.0
					for i, w := range widths(t, progressBar(r)) {
						n, err := strconv.ParseFloat(strings.TrimSuffix(w, "%"), 64)
						if sum += n; err != nil || !(n >= 0) || n > 0 && []int{kept, listed - kept, 0}[i] == 0 {
							t.Errorf("%+v: part %d is %s", r.counts, i, w)
						}
					}
					if sum > 100.011 || listed >= max(people, 1) && target == 0 && sum < 99.98 {
						t.Fatalf("%d people, target %d, %+v: %.2f%%", people, target, r.counts, sum)
					}
				}
			}
		}
	}
}

func TestPictureMarksOne(t *testing.T) {
	for _, c := range []struct {
		bars []bar
		most int
	}{{nil, 0}, {[]bar{{"a", 0}, {"b", 0}}, 0}, {[]bar{{"a", 2}, {"b", 3}, {"c", 3}}, 1}} {
		if drawn := app.HTMLString(picture("x", c.bars, 1, "")); strings.Count(drawn, "Bar-most") != c.most {
			t.Errorf("%v: got %s", c.bars, drawn)
		}
	}
}

// went runs a job to its end and takes over what it told.
func went(t *testing.T, host *fakehost.Host, q prospect.Query) *extraction {
	t.Helper()
	client, err := codehost.New(codehost.Config{Base: fakehost.Base, Token: codehost.NewToken(fakehost.Token), Doer: host})
	if err != nil {
		t.Fatal(err)
	}
	job, err := prospect.NewJob(client, q, prospect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x := &extraction{query: q, job: job}
	x.run = &run{job: job, found: &found{}, failed: map[int]failure{}}
	x.run.report, err = job.Run(t.Context(), func(e prospect.Event) error {
		if e.Outcome != nil {
			x.run.outcomes = append(x.run.outcomes, *e.Outcome)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	x.take(x.run)
	return x
}

var tool = prospect.Query{Repo: codehost.Repo{Owner: "octo", Name: "tool"}, Source: codehost.Forks, Enrich: true}

func TestTake(t *testing.T) {
	people := fakehost.Crowd(30)
	people[3].Deleted = true
	x := went(t, &fakehost.Host{People: people}, tool)
	r := x.run
	if len(r.found.all) != 29 || len(r.found.shown) != 29 || r.glance.People != 29 || r.counts.Matches != 29 || len(r.outcomes) > 0 || r.version == 0 {
		t.Errorf("%d found, %d shown, %d in pictures; %+v", len(r.found.all), len(r.found.shown), r.glance.People, r.counts)
	}
	if len(r.failed) != 1 || !strings.Contains(textOf(failures(r)...), "1 person could not be had") {
		t.Errorf("failed are %v", r.failed)
	}
	version := r.version
	if x.take(r); r.version != version {
		t.Error("the table is drawn anew for nothing")
	}
	// Who could be had at last is no failure any more.
	r.outcomes = []prospect.Outcome{{Number: 4, Login: people[3].Login, Verdict: prospect.Filtered, Cause: "type"}}
	if x.take(r); failures(r) != nil {
		t.Errorf("failed are %v", r.failed)
	}
}

func TestAccountsThatAreGoneAreAllCounted(t *testing.T) {
	people := fakehost.Crowd(10)
	people[2].Gone, people[5].Gone, people[7].Gone = true, true, true
	r := went(t, &fakehost.Host{People: people}, tool).run
	if got := textOf(failures(r)...); r.counts.Failed != 3 || !strings.Contains(got, "3 people could not be had") {
		t.Errorf("%d failed, and the page says %s", r.counts.Failed, got)
	}
}

// go-app mounts anew what changes its place, and with a table go what was
// searched, how far it was scrolled and the person shown.
func TestTheTableStaysInItsPlace(t *testing.T) {
	x := went(t, &fakehost.Host{People: fakehost.Crowd(5)}, tool)
	r := x.run
	place := func() int {
		return slices.IndexFunc(x.runStep(), func(u app.UI) bool { _, is := u.(*table); return is })
	}
	want := place()
	later := time.Now().Add(time.Hour)
	for _, state := range []struct {
		name   string
		change func()
	}{
		{"failures", func() { r.failed[1] = failure{"a", "b"} }},
		{"running", func() { r.active = true }},
		{"waiting", func() { r.waits = &codehost.Notice{Until: later} }},
		{"out of luck", func() {
			r.active, r.report = false, prospect.Report{Stop: &prospect.Stop{Reason: "quota", RetryAt: later}}
		}},
	} {
		if state.change(); place() != want {
			t.Errorf("%s: the table is number %d, was %d", state.name, place(), want)
		}
	}
}

// Nothing is lost without a question: neither a run nor what it found.
func TestUnsaved(t *testing.T) {
	for _, c := range []struct {
		name string
		x    extraction
		want bool
	}{
		{"no run", extraction{}, false},
		{"it goes on, and found nobody yet", extraction{run: &run{active: true, found: &found{}}}, true},
		{"it found nobody", extraction{run: &run{found: &found{}}}, false},
		{"it found some", extraction{run: &run{found: someFound()}}, true},
		{"they are in a file", extraction{run: &run{found: someFound(), kept: true}}, false},
		{"it goes on after that", extraction{run: &run{found: someFound(), kept: true, active: true}}, true},
		{"a sample", extraction{sample: true, run: &run{found: someFound(), active: true}}, false},
	} {
		if got := c.x.unsaved(); got != c.want {
			t.Errorf("%s: got %v", c.name, got)
		}
	}
}

func TestRate(t *testing.T) {
	start := time.Date(2026, 5, 31, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name  string
		notes int
		sent  func(i int) int
		want  float64
	}{
		{"nothing", 0, nil, 0},
		{"one note", 1, func(int) int { return 5 }, 0},
		{"steady", 20, func(i int) int { return 3 * i }, 15},
		{"still for the first of ten seconds", 230, func(i int) int { return max(0, i-200) }, 29 / 9.8},
		{"none of late", 230, func(i int) int { return min(i, 100) }, 0},
	} {
		var r rate
		for i := range c.notes {
			r.note(start.Add(time.Duration(i)*tellEvery), c.sent(i))
		}
		if got := r.aSecond(); got < c.want-0.01 || got > c.want+0.01 {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
