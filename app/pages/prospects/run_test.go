package prospects

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/pages"
	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/fakehost"
	"marketingskills/app/rest"
	"marketingskills/app/text"
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
	for _, c := range []struct {
		counts   prospect.Counts
		words    string
		outcomes string
	}{
		{prospect.Counts{}, "0 people checked: 0 matches, 0 filtered out, 0 suppressed, 0 failed.", "[{Matches 0}]"},
		{prospect.Counts{Listed: 1, Matches: 1}, "1 person checked: 1 match, 0 filtered out, 0 suppressed, 0 failed.", "[{Matches 1}]"},
		{counted, "1,300 people checked: 1,001 matches, 200 filtered out (starred before that date: 49, unheard-of: 1, no email: 150), " +
			"3 suppressed (domain: 1, username: 2), 96 failed (GitHub server error: 50, profile not found: 5, no connection: 40, timed out: 1)." +
			" Duplicates removed: 2. Not checked: 40.",
			"[{Matches 1001} {Starred before that date 49} {Unheard-of 1} {No email 150} {Suppressed 3} {Failed 96}]"},
	} {
		if got := c.counts.String(); got != c.words {
			t.Errorf("got  %s\nwant %s", got, c.words)
		}
		if got := fmt.Sprint(outcomes(c.counts)); got != c.outcomes {
			t.Errorf("got  %s\nwant %s", got, c.outcomes)
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
		{prospect.Report{Complete: true}, some, "Complete. 1 match of 40 people checked."},
		{prospect.Report{Complete: true}, counted, "Complete. 1,001 matches of 1,300 people checked. 91 profiles failed with a temporary error. Retry now or later."},
		{prospect.Report{Stop: &prospect.Stop{Reason: "interrupted", Err: rest.ErrInterrupted}}, some, "Stopped. 1 match of 40 people checked. Results are kept. You can resume the run."},
		{prospect.Report{Stop: &prospect.Stop{Reason: "quota"}}, counted, "The run stopped early. 1,001 matches of 1,300 people checked. Results are kept."},
		{prospect.Report{}, prospect.Counts{}, "The run stopped early. 0 matches of 0 people checked. Results are kept."},
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
		r := &run{progress: prospect.Progress{People: c.people, Target: c.target}, counts: prospect.Counts{
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
					r := &run{progress: prospect.Progress{People: people, Target: target}, counts: prospect.Counts{Listed: listed, Matches: kept, Filtered: listed - kept}}
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

// went runs a job to its end and takes over what it told.
func went(t *testing.T, host *fakehost.Host, q prospect.Query) *extraction {
	t.Helper()
	client, err := codehost.New(codehost.Config{Base: fakehost.Base, Token: rest.NewSecret(fakehost.Token), Doer: host})
	if err != nil {
		t.Fatal(err)
	}
	job, err := prospect.NewJob(client, q, prospect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x := newExtraction(&pages.Page{})
	x.here, x.plan.query, x.plan.job = atRun, q, job
	r := newRun(job)
	x.run.current = r
	r.report, err = job.Run(t.Context(), func(e prospect.Event) error { r.feed.put(e); return nil })
	if err != nil {
		t.Fatal(err)
	}
	r.take(time.Now())
	return x
}

var tool = prospect.Query{Repo: codehost.Repo{Owner: "octo", Name: "tool"}, Source: codehost.Forks, Enrich: true}

func TestTake(t *testing.T) {
	people := fakehost.Crowd(30)
	people[3].Deleted = true
	x := went(t, &fakehost.Host{People: people}, tool)
	r := x.run.current
	if len(r.found.all) != 29 || len(r.found.shown) != 29 || r.summary.People != 29 || r.counts.Matches != 29 || len(r.feed.events) > 0 || r.version == 0 {
		t.Errorf("%d found, %d shown, %d in pictures; %+v", len(r.found.all), len(r.found.shown), r.summary.People, r.counts)
	}
	if len(r.failed) != 1 || !strings.Contains(textOf(drawFailures(r.failed)...), "Failed: 1 person") {
		t.Errorf("failed are %v", r.failed)
	}
	version := r.version
	if r.take(time.Now()); r.version != version {
		t.Error("the table is drawn anew for nothing")
	}
	// Who could be had at last is no failure any more.
	r.feed.put(prospect.Event{Outcome: &prospect.Outcome{Number: 4, Entry: prospect.Entry{Person: codehost.Person{Login: people[3].Login}, Verdict: prospect.Filtered, Cause: "type"}}})
	if r.take(time.Now()); drawFailures(r.failed) != nil {
		t.Errorf("failed are %v", r.failed)
	}
}

func TestAccountsThatAreGoneAreAllCounted(t *testing.T) {
	people := fakehost.Crowd(10)
	people[2].Gone, people[5].Gone, people[7].Gone = true, true, true
	r := went(t, &fakehost.Host{People: people}, tool).run.current
	if got := textOf(drawFailures(r.failed)...); r.counts.Failed != 3 || !strings.Contains(got, "Failed: 3 people") {
		t.Errorf("%d failed, and the page says %s", r.counts.Failed, got)
	}
}

// go-app mounts anew what changes its place, and with a table go what was
// searched, how far it was scrolled and the person shown.
func TestTheTableStaysInItsPlace(t *testing.T) {
	x := went(t, &fakehost.Host{People: fakehost.Crowd(5)}, tool)
	r := x.run.current
	place := func() int {
		return slices.IndexFunc(x.run.draw(), func(u app.UI) bool { _, is := u.(*table); return is })
	}
	want := place()
	later := time.Now().Add(time.Hour)
	for _, state := range []struct {
		name   string
		change func()
	}{
		{"failures", func() { r.failed[1] = prospect.Entry{Person: codehost.Person{Login: "a"}, Detail: "b"} }},
		{"running", func() { r.work = atWork(r.job) }},
		{"waiting", func() { r.wait = &codehost.Notice{Until: later} }},
		{"out of luck", func() {
			r.work.On, r.report = false, prospect.Report{Stop: &prospect.Stop{Reason: "quota", RetryAt: later}}
		}},
	} {
		if state.change(); place() != want {
			t.Errorf("%s: the table is number %d, was %d", state.name, place(), want)
		}
	}
}

// Nothing is lost without a question: neither a run nor what it found.
func TestUnsaved(t *testing.T) {
	with := func(r *run) *extraction { return &extraction{run: runStep{current: r}} }
	for _, c := range []struct {
		name string
		x    *extraction
		want bool
	}{
		{"no run", &extraction{}, false},
		{"it runs, and found nobody yet", with(&run{work: atWork(nil), found: &found{}}), true},
		{"it found nobody", with(&run{found: &found{}}), false},
		{"it found some", with(&run{found: someFound()}), true},
		{"they are in a file", with(&run{found: someFound(), inFile: true}), false},
		{"it goes on after that", with(&run{found: someFound(), inFile: true, work: atWork(nil)}), true},
		{"a sample", &extraction{access: access{sample: true}, run: runStep{current: &run{found: someFound(), work: atWork(nil)}}}, false},
		{"results that go on with another token", &extraction{source: sourceStep{unsaved: true}}, true},
	} {
		if got := c.x.unsaved(); got != c.want {
			t.Errorf("%s: got %v", c.name, got)
		}
	}
}

// Until something is known of the time left, nothing is said of it.
func TestTimeLeftIsUnknownAtFirst(t *testing.T) {
	r := went(t, &fakehost.Host{People: fakehost.Crowd(1)}, tool).run.current
	r = newRun(r.job)
	r.work = atWork(r.job)
	r.take(time.Now())
	if list := numbers(r); list[len(list)-1].Value != "–" {
		t.Errorf("got %v", list)
	}
}

// What can be done with a run depends on how it ended.
func TestRunButtons(t *testing.T) {
	job := went(t, &fakehost.Host{People: fakehost.Crowd(1)}, tool).plan.job
	now := time.Now()
	stop := func(err error, resumable bool, retryAt time.Time) prospect.Report {
		return prospect.Report{Stop: &prospect.Stop{Err: err, Resumable: resumable, RetryAt: retryAt}}
	}
	quota := &codehost.LimitError{Kind: codehost.ErrQuota}
	for _, c := range []struct {
		name          string
		run           *run
		authenticated bool
		want          string
	}{
		{"interrupted", &run{report: stop(rest.ErrInterrupted, true, time.Time{})}, true, "Resume Export Save run"},
		{"no connection", &run{report: stop(rest.ErrUnreachable, true, time.Time{})}, true, "Resume Export Save run"},
		{"the token ended", &run{report: stop(codehost.ErrBadToken, true, time.Time{})}, true, "Enter a token to resume Export Save run"},
		{"the quota is used up", &run{report: stop(quota, true, now.Add(time.Hour))}, true, "Export Save run"},
		{"the quota without a token", &run{report: stop(quota, true, now.Add(time.Hour))}, false, "Enter a token to resume Export Save run"},
		{"the quota has been reset", &run{report: stop(quota, true, now.Add(-time.Second))}, true, "Resume Export Save run"},
		{"a long pause", &run{report: stop(&codehost.LimitError{Kind: codehost.ErrPause}, true, now.Add(time.Hour))}, false, "Export Save run"},
		{"the end of the list", &run{report: stop(codehost.ErrListEnd, false, time.Time{})}, true, "Export Save run"},
		{"complete", &run{report: prospect.Report{Complete: true}}, true, "Export Save run"},
		{"complete, some may be retried", &run{report: prospect.Report{Complete: true}, counts: counted}, true, "Export Retry failed profiles Save run"},
	} {
		c.run.job = job
		x := newExtraction(&pages.Page{})
		if x.run.current = c.run; c.authenticated {
			x.access.token = rest.NewSecret("t")
		}
		if got := textOf(x.run.buttons()...); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	x := newExtraction(&pages.Page{})
	x.run.current = &run{work: atWork(job), job: job}
	if got := textOf(x.run.buttons()...); got != "Pause Stop" {
		t.Errorf("at work: %s", got)
	}
	job.Pause()
	if got := textOf(x.run.buttons()...); got != "Resume Stop" {
		t.Errorf("paused: %s", got)
	}
}

func TestWaitOf(t *testing.T) {
	now := time.Now()
	soon, later := now.Add(90*time.Second), now.Add(time.Hour)
	stop := func(err error, at time.Time) prospect.Report {
		return prospect.Report{Stop: &prospect.Stop{Err: err, RetryAt: at}}
	}
	for _, c := range []struct {
		name string
		run  *run
		want waitView
	}{
		{"at work", &run{work: atWork(nil)}, waitView{}},
		{"a short pause", &run{work: atWork(nil), wait: &codehost.Notice{Until: soon}},
			waitView{"1:30", "GitHub asked for a pause. The run resumes automatically at " + text.Clock(soon) + ". No requests are sent until then.", false}},
		{"interrupted", &run{report: stop(rest.ErrInterrupted, time.Time{})}, waitView{}},
		{"the quota", &run{report: stop(&codehost.LimitError{Kind: codehost.ErrQuota}, later)},
			waitView{"1:00:00", "The API quota is used up. It resets at " + text.Clock(later) + ". No requests are sent until then.", true}},
		{"a long pause", &run{report: stop(&codehost.LimitError{Kind: codehost.ErrPause}, later)},
			waitView{"1:00:00", "GitHub asked for a long pause, until " + text.Clock(later) + ". No requests are sent until then.", true}},
		{"over", &run{report: stop(&codehost.LimitError{Kind: codehost.ErrQuota}, now)}, waitView{words: "You can resume the run now."}},
	} {
		if got := waitOf(c.run, now); got != c.want {
			t.Errorf("%s:\ngot  %+v\nwant %+v", c.name, got, c.want)
		}
	}
}

// A run without matches offers the way on.
func TestNoMatches(t *testing.T) {
	q := tool
	q.Type = "Organization"
	x := went(t, &fakehost.Host{People: fakehost.Crowd(3)}, q)
	if got := textOf(x.run.draw()...); !strings.Contains(got, "No matches. Start a new run with fewer filters. 3 people checked: 0 matches, 3 filtered out (other account type: 3), 0 suppressed, 0 failed. New run") {
		t.Errorf("the page says %s", got)
	}
}
