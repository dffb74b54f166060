package prospect_test

import (
	"testing"
	"testing/synctest"
	"time"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/fakehost"
)

// An estimate, held against what really was left.
type estimate struct {
	at     time.Duration // after the start
	left   time.Duration
	listed int
	paused bool
}

// estimates runs a job and returns what it said, without those of before
// anything is known, and how long it took.
func estimates(t *testing.T, j *prospect.Job) (all []estimate, took time.Duration) {
	t.Helper()
	start := time.Now()
	_, err := j.Run(t.Context(), func(e prospect.Event) error {
		if e.Progress.TimeLeft >= 0 {
			all = append(all, estimate{time.Since(start), e.Progress.TimeLeft, e.Progress.Listed, e.Progress.Paused})
		} else if len(all) > 0 {
			t.Errorf("after %v nothing is known any more", time.Since(start))
		}
		return nil
	})
	if err != nil || len(all) == 0 {
		t.Fatalf("%d estimates, %v", len(all), err)
	}
	return all, time.Since(start)
}

func TestTimeLeftIsNearFromTheFirst(t *testing.T) {
	for name, tt := range map[string]struct {
		people  int
		latency time.Duration
		points  int
		query   prospect.Query
		first   time.Duration // the latest time of the first estimate
	}{
		"paced":          {2000, latency, 900, prospect.Query{Enrich: true}, time.Second},
		"paced, long":    {6000, latency, 900, prospect.Query{Enrich: true, Limit: 4500}, time.Second},
		"slowly paced":   {200, latency, 60, prospect.Query{Enrich: true}, time.Second},
		"unpaced":        {2000, latency, -1, prospect.Query{Enrich: true}, time.Second},
		"slow host":      {300, 2 * time.Second, 900, prospect.Query{Enrich: true}, 7 * time.Second},
		"listing":        {20_000, latency, 900, prospect.Query{}, time.Second},
		"filter at once": {4000, latency, -1, prospect.Query{Enrich: true, Type: "Organization"}, time.Second},
		"target":         {4000, latency, -1, prospect.Query{WithEmail: true, Target: 300}, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				host := &fakehost.Host{People: fakehost.Crowd(tt.people), Latency: tt.latency}
				c := client(t, host, func(c *codehost.Config) { c.PointsPerMinute = tt.points })
				all, took := estimates(t, job(t, c, tt.query, prospect.Options{}))
				if all[0].at > tt.first {
					t.Errorf("nothing is known for %v", all[0].at)
				}
				for _, e := range all {
					really := took - e.at
					if off := (e.left - really).Abs(); off > really/4+4*time.Second {
						t.Fatalf("after %v of %v, %d people: %v are said to be left", e.at, took, e.listed, e.left)
					}
				}
			})
		})
	}
}

// A pause, a penalty and a saved run that is gone through again say nothing
// about the pace.
func TestTimeLeftForgetsPausesAndWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := &fakehost.Host{People: fakehost.Crowd(3000), Latency: latency,
			Faults: []*fakehost.Fault{{Kind: fakehost.Secondary, From: 600, Times: 1, Wait: 100 * time.Second}}}
		c := client(t, host, func(c *codehost.Config) { c.PointsPerMinute = -1 })
		j := job(t, c, prospect.Query{Enrich: true, Limit: 2500}, prospect.Options{})
		go func() {
			time.Sleep(2 * time.Second)
			j.Pause()
			time.Sleep(time.Hour)
			j.Resume()
		}()
		all, took := estimates(t, j)
		paused := time.Duration(-1)
		for _, e := range all {
			really := took - e.at
			switch {
			case e.paused && paused < 0:
				paused = e.left
			case e.paused && e.left != paused:
				t.Fatalf("while paused the time left went from %v to %v", paused, e.left)
			case e.at < time.Hour: // the pause and the penalty are still to come
				really = 2500 * latency / 10
				fallthrough
			default:
				if off := (e.left - really).Abs(); e.at > time.Hour+110*time.Second && off > really/4+4*time.Second || off > 110*time.Second {
					t.Fatalf("after %v of %v: %v are said to be left", e.at, took, e.left)
				}
			}
		}
		if paused < 10*time.Second || paused > 25*time.Second {
			t.Errorf("while paused %v were left", paused)
		}

		// half of it saved, the rest still to be fetched
		state := saved(t, j)
		for i := range state.People[:1500] {
			if e := &state.People[i]; i%3 != 0 {
				e.Verdict, e.Record = prospect.Waiting, nil
			}
		}
		all, took = estimates(t, job(t, c, prospect.Query{Enrich: true, Limit: 2500}, prospect.Options{State: state}))
		for _, e := range all {
			if really := took - e.at; (e.left - really).Abs() > really/4+2*time.Second {
				t.Fatalf("resumed, after %v of %v, %d people: %v are said to be left", e.at, took, e.listed, e.left)
			}
		}
	})
}

// A wait for the quota that will be taken is part of the time left.
func TestTimeLeftHasTheQuotaInIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := &fakehost.Host{People: fakehost.Crowd(190), Latency: latency, Quota: 60}
		c := client(t, host, func(c *codehost.Config) { c.Patience = 2 * time.Hour })
		all, took := estimates(t, job(t, c, prospect.Query{Enrich: true}, prospect.Options{}))
		for _, e := range all {
			if really := took - e.at; (e.left - really).Abs() > really/10+5*time.Second {
				t.Fatalf("after %v of %v, %d people: %v are said to be left", e.at, took, e.listed, e.left)
			}
		}
	})
}
