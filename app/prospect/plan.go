package prospect

import (
	"context"
	"time"

	"marketingskills/app/prospect/codehost"
)

// Plan is what a run needs: requests and time.
type Plan struct {
	Query Query `json:"query"`
	// People is how many the listing has, at most: Exact tells whether that
	// is their number, or the last page was taken for a full one.
	People int  `json:"people"`
	Exact  bool `json:"exact"`
	// Pages and Requests are the most the run sends from here on; Least is
	// the least, when with a target everyone fits. What a saved run has is
	// not counted.
	Pages    int `json:"pages"`
	Requests int `json:"requests"`
	Least    int `json:"least_requests"`
	// Quota is what is left; Share is Requests ÷ Quota.Limit, 0 if unknown.
	// Fits tells whether Requests fit into what is left now, Resets how often
	// the run waits for the quota's hour.
	Quota  codehost.Quota `json:"rate_limit"`
	Share  float64        `json:"share_of_quota"`
	Fits   bool           `json:"fits"`
	Resets int            `json:"resets"`
	// PacedTime is the least time that Requests take by the pace and the limits
	// that will be waited for.
	PacedTime time.Duration `json:"-"`
	// Spent is how many requests making the plan took.
	Spent int `json:"spent"`
}

// Plan finds out what the run will cost. It costs the free look-up of the
// quota and the first page of the listing, which the run does not read again;
// only when that page is refused or empty, one more request finds out why.
func (j *Job) Plan(ctx context.Context) (Plan, error) {
	p := Plan{Query: j.query}
	quota, err := j.client.RateLimit(ctx)
	if err != nil {
		return p, err
	}
	p.Quota = quota
	j.mu.Lock()
	listing, fresh := j.listing, j.listing.Pages == 0 && !j.listedAll
	j.mu.Unlock()
	if fresh {
		page, err := j.client.Page(ctx, listing)
		if err != nil {
			return p, err
		}
		p.Spent = 1
		if quota := j.client.Quota(); quota.Known {
			p.Quota = quota
		}
		j.mu.Lock()
		j.take(page)
		j.mu.Unlock()
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.estimate(&p)
	return p, nil
}

// estimate fills in the numbers, under the lock.
func (j *Job) estimate(p *Plan) {
	q := j.query
	have := len(j.entries)
	p.People, p.Exact = j.extent()
	unread := max(p.People-have, 0)
	p.Pages = j.pagesFor(unread)
	profiles, matches, open := 0, 0, 0
	for i, e := range j.entries {
		if q.Limit > 0 && i >= q.Limit {
			break
		}
		if j.needs(e) {
			profiles++
		}
		switch {
		case e.Verdict == Matched:
			matches++
		case e.Verdict == Waiting || e.Again:
			open++
		}
	}
	if q.Enriches() {
		profiles += unread
	} else {
		profiles = 0
	}
	p.Requests = p.Pages + profiles
	p.Least = p.Requests
	if wanted := max(q.Target-matches, 0); q.Target > 0 && wanted < open+unread {
		p.Least = j.pagesFor(wanted-open) + min(wanted, profiles)
	}
	if p.Quota.Known && p.Quota.Limit > 0 {
		p.Share = float64(p.Requests) / float64(p.Quota.Limit)
		if over := p.Requests - p.Quota.Remaining; over > 0 {
			p.Resets = (over + p.Quota.Limit - 1) / p.Quota.Limit
		}
	}
	p.Fits = p.Resets == 0
	p.PacedTime = j.client.LeastTime(p.Requests).Round(time.Second)
}

// pagesFor is how many pages are to be read for so many people.
func (j *Job) pagesFor(people int) int {
	if people <= 0 {
		return 0
	}
	return (people+codehost.PageSize-1)/codehost.PageSize + boolean(j.listing.Again)
}
