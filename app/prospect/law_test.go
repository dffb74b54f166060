package prospect_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/fakehost"
	"marketingskills/app/rest"
)

// faults are what can go wrong; each is made anew for every run.
var faults = map[string]func(*fakehost.Host){
	"nothing":            func(h *fakehost.Host) {},
	"quota gone":         func(h *fakehost.Host) { h.Quota = 111 },
	"quota gone at once": func(h *fakehost.Host) { h.Quota = 1 },
	"secondary 403":      fault(fakehost.Fault{Kind: fakehost.Secondary, From: 60, Times: 3}),
	"secondary 429":      fault(fakehost.Fault{Kind: fakehost.Secondary429, From: 60, Times: 3}),
	"secondary mum":      fault(fakehost.Fault{Kind: fakehost.SecondaryBare, From: 60, Times: 12}),
	"secondary long":     fault(fakehost.Fault{Kind: fakehost.Secondary, From: 60, Wait: time.Hour, Times: 1}),
	"secondary forever":  fault(fakehost.Fault{Kind: fakehost.Secondary, From: 60}),
	"502 now and then":   fault(fakehost.Fault{Kind: fakehost.Answer, Status: 502, From: 20, Times: 15}),
	"502 for one":        fault(fakehost.Fault{Kind: fakehost.Answer, Status: 502, Path: "person-00042"}),
	"drops":              fault(fakehost.Fault{Kind: fakehost.Drop, From: 10, Times: 8}),
	"network lost":       fault(fakehost.Fault{Kind: fakehost.Drop, From: 90}),
	"network lost first": fault(fakehost.Fault{Kind: fakehost.Drop}),
	"half answers":       fault(fakehost.Fault{Kind: fakehost.Half, From: 10, Times: 8}),
	"never-ending":       fault(fakehost.Fault{Kind: fakehost.Hang, From: 30, Times: 2}),
	"never-ending one":   fault(fakehost.Fault{Kind: fakehost.Hang, Path: "person-00042"}),
	"flood for one":      fault(fakehost.Fault{Kind: fakehost.Flood, Path: "person-00042"}),
	"garbage for one":    fault(fakehost.Fault{Kind: fakehost.Garbage, Path: "person-00042"}),
	"garbage page":       fault(fakehost.Fault{Kind: fakehost.Garbage, Path: "/stargazers", From: 50}),
	"451 for one":        fault(fakehost.Fault{Kind: fakehost.Answer, Status: 451, Path: "person-00042"}),
	"401 midway":         fault(fakehost.Fault{Kind: fakehost.Answer, Status: 401, From: 80}),
	"404 for some":       fault(fakehost.Fault{Kind: fakehost.Answer, Status: 404, Path: "person-0001"}),
	"page 2 fails":       fault(fakehost.Fault{Kind: fakehost.Answer, Status: 500, Path: "/stargazers", From: 50}),
	"page 2 moves away":  fault(fakehost.Fault{Kind: fakehost.ForeignMove, Path: "/stargazers", From: 50}),
	"422":                func(h *fakehost.Host) { h.PageLimit = 2 },
	"loop":               func(h *fakehost.Host) { h.LoopingLink = true },
	"foreign link":       func(h *fakehost.Host) { h.ForeignLink = true },
	"drift":              func(h *fakehost.Host) { h.Drift = 7 },
	"restricted":         func(h *fakehost.Host) { h.Restriction = fakehost.RestrictedEmpty },
	"hostile people":     func(h *fakehost.Host) { h.People = append(fakehost.Hostile(), h.People...) },
	"no quota headers":   func(h *fakehost.Host) { h.Unlimited = true },
}

func fault(f fakehost.Fault) func(*fakehost.Host) {
	return func(h *fakehost.Host) { h.Faults = []*fakehost.Fault{&f} }
}

var queries = map[string]prospect.Query{
	"list":    {},
	"enrich":  {Enrich: true},
	"filters": {WithCompany: true, WithBlog: true, Type: "User"},
	"target":  {WithEmail: true, Target: 20},
	"limit":   {Enrich: true, Limit: 130},
}

// The law: kept + filtered + suppressed + failed = listed under every fault;
// no request inside a penalty; nothing lost: what a fault kept from being
// found is found by going on, without asking again for what is there.
func TestLawUnderEveryFault(t *testing.T) {
	for name, spoil := range faults {
		for kind, query := range queries {
			t.Run(name+"/"+kind, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { law(t, spoil, query) })
			})
		}
	}
}

func law(t *testing.T, spoil func(*fakehost.Host), query prospect.Query) {
	host := &fakehost.Host{People: fakehost.Crowd(250), Latency: latency, PerMinute: 900}
	spoil(host)
	healthy := &fakehost.Host{People: host.People, Latency: latency, Drift: host.Drift}
	var want collect
	if _, err := job(t, client(t, healthy, nil), query, prospect.Options{}).Run(t.Context(), want.each); err != nil {
		t.Fatal(err)
	}

	j := job(t, client(t, host, nil), query, prospect.Options{})
	var got collect
	report, err := j.Run(t.Context(), got.each)
	got.lawful(t, report)
	count, atOnce := host.Count(), 10
	if len(host.Faults) > 0 {
		atOnce++ // an answer given up on ends a little later at the host
	}
	if (err == nil) != report.Complete {
		t.Errorf("complete %v with error %v", report.Complete, err)
	}
	if count.InPenalty != 0 || count.OverPace != 0 || count.Foreign != 0 || count.MostAtOnce > atOnce {
		t.Errorf("%d requests in a penalty, %d over the pace, %d to other hosts, %d at once", count.InPenalty, count.OverPace, count.Foreign, count.MostAtOnce)
	}
	if report.Requests < count.Requests { // one cancelled while it left need not arrive
		t.Errorf("reported %d requests of %d", report.Requests, count.Requests)
	}
	if !report.Complete && report.Stop.Message == "" {
		t.Error("does not say why it is incomplete")
	}
	if report.Stop != nil && !report.Stop.Resumable {
		return
	}

	// go on with the same people on a host that works
	asked := map[string]bool{}
	for _, o := range got.outcomes {
		if o.Verdict == prospect.Matched {
			asked["/users/"+o.Login] = true
		}
	}
	again := job(t, client(t, healthy, nil), query, prospect.Options{State: saved(t, j)})
	before := healthy.Count()
	var all collect
	report, err = again.Run(t.Context(), all.each)
	all.lawful(t, report)
	if err != nil {
		t.Fatalf("going on: %v", err)
	}
	for path, n := range healthy.Count().ByPath {
		if n > before.ByPath[path] && asked[path] {
			t.Errorf("going on asks again for %s", path)
		}
	}
	failed := map[string]bool{}
	for _, o := range all.outcomes {
		failed[o.Login] = o.Verdict == prospect.Failed
	}
	found := map[string]bool{}
	for _, login := range all.kept() {
		found[login] = true
	}
	for _, login := range want.kept() {
		if !found[login] && !failed[login] && query.Target == 0 {
			t.Errorf("%s is lost", login)
		}
	}
	if query.Target > 0 && len(all.kept()) != min(query.Target, len(want.kept())) {
		t.Errorf("%d kept of a target of %d", len(all.kept()), query.Target)
	}
}

func TestCancelledAnywhereKeepsEverything(t *testing.T) {
	for requests := range 25 {
		synctest.Test(t, func(t *testing.T) {
			host := &fakehost.Host{People: fakehost.Crowd(130), Latency: latency}
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(requests)*70*time.Millisecond)
			defer cancel()
			j := job(t, client(t, host, nil), prospect.Query{Enrich: true}, prospect.Options{})
			var got collect
			report, err := j.Run(ctx, got.each)
			got.lawful(t, report)
			if requests < 14 && (!errors.Is(err, rest.ErrInterrupted) || report.Stop.Reason != "interrupted") {
				t.Fatalf("%v", err)
			}
			// the same job goes on and tells only the rest
			report, err = j.Run(t.Context(), got.each)
			if err != nil || !report.Complete || report.Counts.Matches != 130 || len(got.outcomes) != 130 {
				t.Errorf("after %d: %v, %+v, %d outcomes", requests, err, report.Counts, len(got.outcomes))
			}
			if n := host.Count().Requests; n > 132+11 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

func TestPauseStartsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := &fakehost.Host{People: fakehost.Crowd(300), Latency: latency}
		j := job(t, client(t, host, nil), prospect.Query{Enrich: true}, prospect.Options{})
		var got collect
		done := make(chan error)
		go func() {
			_, err := j.Run(t.Context(), got.each)
			done <- err
		}()
		time.Sleep(time.Second)
		j.Pause()
		time.Sleep(time.Second)
		before := host.Count().Requests
		time.Sleep(time.Hour)
		if n := host.Count().Requests; n != before || before < 50 || before > 150 {
			t.Errorf("%d requests, %d after the pause", before, n)
		}
		if len(j.State().People) == 0 {
			t.Error("no state while paused")
		}
		j.Resume()
		if err := <-done; err != nil || len(got.kept()) != 300 {
			t.Errorf("%d kept, %v", len(got.kept()), err)
		}
		// a paused run can be stopped
		j = job(t, client(t, host, nil), prospect.Query{Enrich: true}, prospect.Options{})
		j.Pause()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if r, err := j.Run(ctx, nil); !errors.Is(err, context.DeadlineExceeded) || r.Requests != 0 {
			t.Errorf("%v, %d requests", err, r.Requests)
		}
	})
}

func TestOutputFailureEndsTheRun(t *testing.T) {
	host := &fakehost.Host{People: fakehost.Crowd(300)}
	j := job(t, client(t, host, nil), prospect.Query{}, prospect.Options{})
	report, err := j.Run(t.Context(), func(e prospect.Event) error {
		if e.Progress.Matches == 5 {
			return io.ErrShortWrite
		}
		return nil
	})
	if !errors.Is(err, prospect.ErrOutput) || !errors.Is(err, io.ErrShortWrite) || report.Stop.Reason != "output" || report.Counts.Check() != nil {
		t.Errorf("%v, %+v", err, report)
	}
}
