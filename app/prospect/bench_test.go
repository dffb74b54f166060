package prospect_test

import (
	"testing"
	"testing/synctest"
	"time"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/fakehost"
)

// The bound under pacing, on a clock that does not wait: 2,020 requests at
// 900 a minute take two minutes at least.
func TestPacedRunStaysNearTheBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := &fakehost.Host{People: fakehost.Crowd(2000), Latency: latency, PerMinute: 900}
		start := time.Now()
		report, err := job(t, client(t, host, nil), prospect.Query{Enrich: true}, prospect.Options{}).Run(t.Context(), nil)
		ratio := time.Since(start).Seconds() / (2 * time.Minute).Seconds()
		t.Logf("%d requests in %v: %.3f of the bound", report.Requests, time.Since(start), ratio)
		if err != nil || ratio > 1.05 || host.Count().OverPace != 0 || report.Requests != 2020 {
			t.Errorf("%v, %d over the pace", err, host.Count().OverPace)
		}
	})
}

// Unpaced, on the same clock: the structure of the run alone.
func TestUnpacedRunStaysNearTheIdeal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := &fakehost.Host{People: fakehost.Crowd(2000), Latency: latency}
		c := client(t, host, func(c *codehost.Config) { c.PointsPerMinute = -1 })
		start := time.Now()
		report, err := job(t, c, prospect.Query{Enrich: true}, prospect.Options{}).Run(t.Context(), nil)
		ideal := time.Duration(report.Requests) * latency / 10
		ratio := time.Since(start).Seconds() / ideal.Seconds()
		t.Logf("%d requests in %v: %.3f of the ideal", report.Requests, time.Since(start), ratio)
		if err != nil || ratio > 1.2 {
			t.Error(err)
		}
	})
}

func ratio(b *testing.B, config func(*codehost.Config), query prospect.Query, measure func(prospect.Report, time.Duration) (float64, string)) {
	for b.Loop() {
		host := &fakehost.Host{People: fakehost.Crowd(2000), Latency: latency}
		start := time.Now()
		report, err := job(b, client(b, host, config), query, prospect.Options{}).Run(b.Context(), nil)
		if err != nil {
			b.Fatal(err)
		}
		value, unit := measure(report, time.Since(start))
		b.ReportMetric(value, unit)
		b.ReportMetric(float64(report.Requests), "requests")
	}
}

// 2,000 people, 80 ms an answer, 10 at once, no pacing, in real time; the
// ideal is requests × latency ÷ 10.
func BenchmarkEnrich2000(b *testing.B) {
	ratio(b, func(c *codehost.Config) { c.PointsPerMinute = -1 }, prospect.Query{Enrich: true}, func(r prospect.Report, took time.Duration) (float64, string) {
		return took.Seconds() / (time.Duration(r.Requests) * latency / 10).Seconds(), "×ideal"
	})
}

// fast is a clock on which a second passes in a twentieth.
type fast struct{ start time.Time }

const speed = 20

func (f fast) Now() time.Time                         { return f.start.Add(time.Since(f.start) * speed) }
func (f fast) After(d time.Duration) <-chan time.Time { return time.After(d / speed) }

// The same at 900 points a minute, on a fast clock.
func BenchmarkEnrich2000Paced(b *testing.B) {
	for b.Loop() {
		clock := fast{time.Now()}
		host := &fakehost.Host{People: fakehost.Crowd(2000), Latency: latency / speed, PerMinute: 900, Now: clock.Now}
		c := client(b, host, func(c *codehost.Config) { c.Now, c.After = clock.Now, clock.After })
		report, err := job(b, c, prospect.Query{Enrich: true}, prospect.Options{}).Run(b.Context(), nil)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(clock.Now().Sub(clock.start).Seconds()/120, "×bound")
		b.ReportMetric(float64(report.Requests), "requests")
		b.ReportMetric(float64(host.Count().OverPace), "over")
	}
}

func BenchmarkTarget50(b *testing.B) {
	ratio(b, nil, prospect.Query{WithEmail: true, Target: 50}, func(r prospect.Report, _ time.Duration) (float64, string) {
		return float64(r.Requests - leastFor(fakehost.Crowd(2000), 50)), "over-least"
	})
}
