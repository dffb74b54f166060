package prospect_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/fakehost"
	"marketingskills/app/rest"
)

// A run that is told to stop keeps the answers under way: going on asks for
// nobody twice.
func TestStopLosesNoAnswer(t *testing.T) { synctest.Test(t, testStop) }

func testStop(t *testing.T) {
	for _, at := range []int{1, 7, 99, 100, 101, 180} {
		h := &fakehost.Host{People: fakehost.Crowd(250), Latency: 80 * time.Millisecond}
		j := job(t, client(t, h, nil), prospect.Query{Source: codehost.Forks, Enrich: true}, prospect.Options{})
		var got collect
		report, err := j.Run(t.Context(), func(e prospect.Event) error {
			if e.Outcome != nil && e.Outcome.Number == at {
				j.Pause()
				j.Stop()
			}
			return got.each(e)
		})
		if err == nil || report.Complete || report.Stop == nil || report.Stop.Reason != "interrupted" || report.Counts.Failed > 0 {
			t.Fatalf("stopped at %d: %v, %+v", at, err, report)
		}
		if j.Paused() {
			t.Errorf("stopped at %d, and still paused", at)
		}
		if late := len(got.outcomes) - at; late > 30 {
			t.Errorf("stopped at %d, %d more were found", at, late)
		}
		before := len(got.outcomes)
		j.Resume()
		if report, err = j.Run(t.Context(), got.each); err != nil || !report.Complete {
			t.Fatalf("going on from %d: %v, %+v", at, err, report)
		}
		if len(got.kept()) != 250 || before == 250 {
			t.Errorf("stopped at %d: %d kept, %d of them before", at, len(got.kept()), before)
		}
		for path, times := range h.Count().ByPath {
			if strings.HasPrefix(path, "/users/") && times > 1 {
				t.Errorf("stopped at %d: %s was asked %d times", at, path, times)
			}
		}
	}
}

// What a run is for can be said after the plan, and goes where it belongs.
func TestDeclare(t *testing.T) {
	h := &fakehost.Host{People: fakehost.Crowd(3)}
	j := job(t, client(t, h, nil), prospect.Query{Source: codehost.Forks}, prospect.Options{})
	if _, err := j.Plan(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := j.Declare("See\x1b who builds on it.", "consent", []string{"Japan", " Japan "}); err != nil {
		t.Fatal(err)
	}
	if err := j.Declare(strings.Repeat("word ", 1000), "", nil); err == nil {
		t.Error("a purpose of 5,000 bytes was taken")
	}
	report, err := j.Run(t.Context(), nil)
	if q := report.Query; err != nil || q.Purpose != "See who builds on it." || q.LawfulBasis != "consent" || len(q.Countries) != 1 {
		t.Errorf("%v, %+v", err, q)
	}
	if q := j.State().Query; q.Purpose != "See who builds on it." {
		t.Errorf("the state says %+v", q)
	}
	if n := h.Count().Listing; n != 1 {
		t.Errorf("%d pages were read", n)
	}
}

// A finished run needs no token and no request; one with more to find does.
func TestFinishedRuns(t *testing.T) {
	h := &fakehost.Host{People: fakehost.Crowd(130)}
	for _, query := range []prospect.Query{{WithEmail: true}, {WithEmail: true, Target: 5}, {WithEmail: true, Limit: 20}} {
		query.Source = codehost.Forks
		j := job(t, client(t, h, nil), query, prospect.Options{})
		if j.State().Finished() {
			t.Error("finished before it began")
		}
		want, err := j.Run(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		state := j.State()
		if !state.Finished() {
			t.Errorf("%+v: not finished", query)
		}
		before := h.Count().Requests
		bare := client(t, h, func(config *codehost.Config) { config.Token = rest.Secret{} })
		again, err := job(t, bare, state.Query, prospect.Options{State: state}).Run(t.Context(), nil)
		if err != nil || again.Counts.Matches != want.Counts.Matches || h.Count().Requests != before {
			t.Errorf("%+v: opened again: %v, %d kept, %d requests", query, err, again.Counts.Matches, h.Count().Requests-before)
		}
		more := state.Query
		more.Target, more.Limit = 100, 0
		if _, err := prospect.NewJob(bare, more, prospect.Options{State: state}); query.Target+query.Limit > 0 && err == nil {
			t.Errorf("%+v: looking for more addresses without a token was not refused", query)
		}
	}
}

// As long as somebody is to be asked again, or waits in front of those who
// count, opening a run again sends requests: it is not finished, whatever is
// reached.
func TestRunsWithSomebodyToAskAreNotFinished(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, tt := range map[string]struct {
			fault fakehost.Fault
			query prospect.Query
		}{
			"target, one failed": {fakehost.Fault{Kind: fakehost.Answer, Status: 502, Path: "person-00002"}, prospect.Query{WithEmail: true, Target: 5}},
			"limit, one failed":  {fakehost.Fault{Kind: fakehost.Answer, Status: 502, Path: "person-00002"}, prospect.Query{WithEmail: true, Limit: 20}},
			"target, one waits":  {fakehost.Fault{Kind: fakehost.Secondary, Wait: time.Hour, Path: "person-00002"}, prospect.Query{WithCompany: true, Target: 2}},
		} {
			h := &fakehost.Host{People: fakehost.Crowd(130), Latency: latency, Faults: []*fakehost.Fault{&tt.fault}}
			j := job(t, client(t, h, nil), tt.query, prospect.Options{})
			report, _ := j.Run(t.Context(), nil)
			if c := report.Counts; c.Matches < tt.query.Target || c.Listed < tt.query.Limit {
				t.Fatalf("%s: %+v", name, c)
			}
			state := saved(t, j)
			if state.Finished() {
				t.Errorf("%s: finished", name)
			}
			bare := client(t, h, func(config *codehost.Config) { config.Token = rest.Secret{} })
			if _, err := prospect.NewJob(bare, state.Query, prospect.Options{State: state}); tt.query.WithEmail && err == nil {
				t.Errorf("%s: addresses would be asked for without a token", name)
			}
			tt.fault.Times = 1 // the host works again
			time.Sleep(2 * time.Hour)
			before := h.Count().Requests
			j = job(t, client(t, h, nil), state.Query, prospect.Options{State: state})
			if _, err := j.Run(t.Context(), nil); err != nil || h.Count().Requests == before || !saved(t, j).Finished() {
				t.Errorf("%s: gone on with: %v, %d requests, finished %v", name, err, h.Count().Requests-before, saved(t, j).Finished())
			}
		}
	})
}
