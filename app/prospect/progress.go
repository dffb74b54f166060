package prospect

import (
	"math"
	"time"

	"marketingskills/app/prospect/codehost"
)

// An estimate needs that many people emitted by this run, or that much time.
const (
	enoughPeople = 20
	enoughTime   = 3 * time.Second
)

// forecast is what the time left is estimated from.
type forecast struct {
	took      time.Duration // mean of the last requests; 0: none measured
	fresh     int           // people emitted who were not known without a request
	requested int           // of them, how many cost one
	free      int           // people not emitted yet who are known without a request
	left      time.Duration // the last estimate; negative: none
}

// measure takes in how long a request took, from leaving to being taken in:
// pauses and pacing come before a request leaves. The last ones count most.
func (f *forecast) measure(took time.Duration) {
	if f.took == 0 {
		f.took = took
	}
	f.took += (took - f.took) / 16
}

func (r *run) progress() Progress {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := Progress{Matches: r.counts.Matches, Target: r.query.Target, Listed: r.counts.Listed,
		Requests: int(r.requests.Load()), Quota: r.client.Quota(), Paused: r.Paused()}
	p.People, p.Exact = r.extent()
	if !p.Paused {
		r.forecast.left = r.timeLeft(p)
	}
	p.TimeLeft = r.forecast.left
	return p
}

// timeLeft estimates, under the lock, how long the requests still needed take:
// by the last requests, and at least as long as the host's limits ask for.
func (r *run) timeLeft(p Progress) time.Duration {
	f := &r.forecast
	if r.listing.Pages == 0 && !r.listedAll {
		return -1
	}
	pages, profiles := r.stillNeeded(p)
	if pages+profiles <= 0 {
		return 0
	}
	if f.took == 0 || f.fresh < enoughPeople && time.Since(r.started) < enoughTime {
		return -1
	}
	rounds := max((pages+profiles)/float64(r.concurrency), pages) // pages come one after the other
	return max(time.Duration(rounds*float64(f.took)), r.client.LeastTime(int(math.Ceil(pages+profiles)))).Round(time.Second)
}

// stillNeeded is the number of requests until the end, as far as can be told
// from those who were emitted.
func (r *run) stillNeeded(p Progress) (pages, profiles float64) {
	f := &r.forecast
	people := float64(p.People - p.Listed)
	if p.Target > 0 && p.Matches > 0 {
		people = min(people, float64(p.Target-p.Matches)*float64(p.Listed)/float64(p.Matches))
	}
	if unread := people - float64(len(r.entries)-p.Listed); unread > 0 && !r.listedAll {
		pages = math.Ceil(unread/codehost.PageSize) + float64(boolean(r.listing.Again))
	}
	if r.query.Enriches() {
		each := float64(f.requested+1) / float64(f.fresh+1) // never none because the first few needed none
		profiles = max(people-float64(f.free), 0) * each
	}
	return pages, profiles
}
