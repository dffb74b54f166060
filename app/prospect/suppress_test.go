package prospect_test

import (
	"errors"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/fakehost"
)

// lateList is by login, address and website.
const lateList = "person-00004\nperson-00100\np19@mail.example\np39@mail.example\np7.example\n*.p47.example\nhostile-3\n"

func list(t *testing.T, text string) *prospect.Suppression {
	t.Helper()
	s, err := prospect.ParseSuppression(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// onList tells it from the data alone, apart from the code.
func onList(r prospect.Record) bool {
	for line := range strings.Lines(lateList) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "*.")
		if strings.EqualFold(r.Login, line) || r.Email == line || r.Blog == "https://"+line {
			return true
		}
	}
	return false
}

// suppressed checks everything that must hold after a list came late: got are
// the outcomes told so far, removed what [prospect.Job.Suppress] returned.
func suppressed(t *testing.T, j *prospect.Job, got *collect, removed []prospect.Record) {
	t.Helper()
	counts := j.Counts()
	if err := counts.Check(); err != nil {
		t.Error(err)
	}
	if counts.Listed != len(got.outcomes) || counts.Matches != len(got.kept())-len(removed) {
		t.Errorf("%d outcomes, %d kept, %d of them removed; the counts say %+v", len(got.outcomes), len(got.kept()), len(removed), counts)
	}
	if r := j.Report(); !reflect.DeepEqual(r.Counts, counts) {
		t.Errorf("the report says %+v, the counts %+v", r.Counts, counts)
	}
	gone := map[string]bool{}
	for _, r := range removed {
		gone[r.Login] = true
		if !onList(r) || !slices.Contains(got.kept(), r.Login) {
			t.Errorf("%s was removed", r.Login)
		}
	}
	for _, o := range got.outcomes {
		if o.Record != nil && onList(*o.Record) && !gone[o.Login] {
			t.Errorf("%s stays", o.Login)
		}
	}
	for _, e := range saved(t, j).People {
		if e.Record != nil && (e.Verdict == prospect.Suppressed || onList(*e.Record)) {
			t.Errorf("the saved run has a record of %s, %s", e.Login, e.Verdict)
		}
		if gone[e.Login] && (e.Verdict != prospect.Suppressed || e.Cause == "") {
			t.Errorf("the saved run has %s as %s, %q", e.Login, e.Verdict, e.Cause)
		}
	}
}

// The law holds after a list that comes late, under every fault, and nobody
// on it comes back when the run goes on.
func TestLawAfterSuppressing(t *testing.T) {
	for name, spoil := range faults {
		for kind, query := range queries {
			t.Run(name+"/"+kind, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					host := &fakehost.Host{People: fakehost.Crowd(250), Latency: latency, PerMinute: 900}
					spoil(host)
					healthy := &fakehost.Host{People: host.People, Latency: latency, Drift: host.Drift}
					j := job(t, client(t, host, nil), query, prospect.Options{})
					var got collect
					report, _ := j.Run(t.Context(), got.each)
					got.lawful(t, report)
					before := j.Report()
					if !reflect.DeepEqual(before, report) {
						t.Errorf("the report is %+v, then %+v", report, before)
					}
					late := list(t, lateList)
					suppressed(t, j, &got, j.Suppress(late))
					if again := j.Suppress(late); again != nil {
						t.Errorf("removed twice: %v", again)
					}
					if after := j.Report(); after.Complete != before.Complete || after.Stop != before.Stop || after.Requests != before.Requests || after.Counts.Unreached != before.Counts.Unreached {
						t.Errorf("the report was %+v and is %+v", before, after)
					}
					if report.Stop != nil && !report.Stop.Resumable {
						return
					}
					var all collect
					report, err := job(t, client(t, healthy, nil), query, prospect.Options{State: saved(t, j), Suppress: late}).Run(t.Context(), all.each)
					all.lawful(t, report)
					if err != nil && report.Stop.Resumable { // a listing cut short may not have enough others
						t.Fatalf("going on: %v", err)
					}
					for _, o := range all.outcomes {
						if o.Record != nil && onList(*o.Record) {
							t.Errorf("%s comes back", o.Login)
						}
					}
					if err == nil && query.Target > 0 && report.Counts.Matches != query.Target {
						t.Errorf("%d of a target of %d", report.Counts.Matches, query.Target)
					}
				})
			})
		}
	}
}

// A list that comes while the run goes on: at any moment everyone on it is
// either removed or never told as kept.
func TestSuppressingWhileItRuns(t *testing.T) {
	for kind, query := range queries {
		for moment := range 30 {
			synctest.Test(t, func(t *testing.T) {
				host := &fakehost.Host{People: fakehost.Crowd(250), Latency: latency}
				j := job(t, client(t, host, nil), query, prospect.Options{Suppress: list(t, "person-00009")})
				var got collect
				var removed []prospect.Record
				done := make(chan struct{})
				go func() {
					defer close(done)
					time.Sleep(time.Duration(moment) * 77 * time.Millisecond)
					removed = j.Suppress(list(t, lateList))
					if err := j.Counts().Check(); err != nil {
						t.Error(err)
					}
				}()
				report, err := j.Run(t.Context(), got.each)
				<-done
				if err != nil || report.Counts.Check() != nil {
					t.Errorf("%s, %d: %v, %+v", kind, moment, err, report.Counts)
				}
				suppressed(t, j, &got, removed)
				if slices.Contains(got.kept(), "person-00009") {
					t.Error("the first list is forgotten")
				}
				// what is missing of a target is looked for by running again
				if report, err = j.Run(t.Context(), got.each); err != nil || query.Target > 0 && report.Counts.Matches != query.Target {
					t.Errorf("%s, %d: again: %v, %+v", kind, moment, err, report.Counts)
				}
				suppressed(t, j, &got, removed)
			})
		}
	}
}

// Really at once, for the race detector.
func TestSuppressingAtOnce(t *testing.T) {
	host := &fakehost.Host{People: fakehost.Crowd(250)}
	j := job(t, client(t, host, nil), prospect.Query{Enrich: true}, prospect.Options{})
	var got collect
	var removed []prospect.Record
	done := make(chan struct{})
	go func() {
		defer close(done)
		for line := range strings.Lines(lateList) {
			removed = append(removed, j.Suppress(list(t, line))...)
			j.Report()
			j.State()
			time.Sleep(time.Millisecond)
		}
	}()
	if _, err := j.Run(t.Context(), got.each); err != nil {
		t.Error(err)
	}
	<-done
	suppressed(t, j, &got, removed)
}

// A saved run is suppressed before it is gone through again: nobody was told,
// nobody is returned, and nobody is kept.
func TestSuppressingASavedRun(t *testing.T) {
	host := &fakehost.Host{People: fakehost.Crowd(60)}
	query := prospect.Query{Enrich: true}
	first := job(t, client(t, host, nil), query, prospect.Options{})
	if _, err := first.Run(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	j := job(t, client(t, host, nil), query, prospect.Options{State: saved(t, first)})
	if c := j.Counts(); c.Unreached != 60 || c.Listed != 0 || j.Suppress(nil) != nil || j.Suppress(&prospect.Suppression{}) != nil {
		t.Errorf("%+v", c)
	}
	var got collect
	suppressed(t, j, &got, j.Suppress(list(t, lateList)))
	report, err := j.Run(t.Context(), got.each)
	got.lawful(t, report)
	suppressed(t, j, &got, nil)
	if c := report.Counts; err != nil || c.Suppressed != 5 || c.SuppressedBy["address"] != 2 || c.SuppressedBy["domain"] != 2 || c.Matches != 55 || report.Requests != 0 {
		t.Errorf("%v, %+v", err, c)
	}
}

// atEnd is a reader that calls a function when all was read.
type atEnd struct {
	io.Reader
	ended func()
}

func (r *atEnd) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		r.ended()
	}
	return n, err
}

// TestAListOfNothingButFaults: the first are named, and the others take no
// memory.
func TestAListOfNothingButFaults(t *testing.T) {
	held := func() int64 {
		var now runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&now)
		return int64(now.HeapAlloc)
	}
	const lines = 1_000_000
	text := strings.Repeat("§\n", lines)
	before, taken := held(), int64(0)
	_, err := prospect.ParseSuppression(&atEnd{strings.NewReader(text), func() { taken = held() - before }})
	if err == nil || taken > 10<<20 || !strings.Contains(err.Error(), `line 5: "§" and 999995 more; correct`) || strings.Contains(err.Error(), "line 6") {
		t.Errorf("%d MiB taken, %v", taken>>20, err)
	}
	if _, err := prospect.ParseSuppression(strings.NewReader("§\nann\n§\n")); err == nil || !strings.Contains(err.Error(), `: line 1: "§", line 3: "§"; correct`) {
		t.Error(err)
	}
}
