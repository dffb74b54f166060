package prospect

import (
	"time"

	"marketingskills/app/codehost"
)

// progress is where the run stands.
func (r *run) progress() Progress {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := Progress{Matches: r.counts.Kept, Target: r.query.Target, Listed: r.counts.Listed, People: len(r.entries),
		Requests: int(r.requests.Load()), Quota: r.client.Quota(), Paused: r.paused, TimeLeft: -1}
	if !r.listedAll {
		p.People = max(p.People, r.lastPage*codehost.PageSize)
	}
	if r.query.Limit > 0 {
		p.People = min(p.People, r.query.Limit)
	}
	elapsed := r.now().Sub(r.started)
	if p.Listed == 0 || p.Requests == 0 || elapsed <= 0 {
		return p
	}
	left := float64(p.People - p.Listed)
	if p.Target > 0 && p.Matches > 0 {
		left = min(left, float64(p.Target-p.Matches)*float64(p.Listed)/float64(p.Matches))
	}
	perPerson := float64(p.Requests) / float64(p.Listed)
	p.TimeLeft = time.Duration(left * float64(elapsed) / float64(p.Listed))
	if points := r.client.PointsPerMinute(); points > 0 {
		p.TimeLeft = max(p.TimeLeft, pacedTime(int(left*perPerson), points))
	}
	p.TimeLeft = p.TimeLeft.Round(time.Second)
	return p
}
