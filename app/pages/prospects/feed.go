package prospects

import (
	"sync"
	"time"

	"marketingskills/app/browser"
	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
)

// feed is what a running job shares with the page: the goroutine of the job
// puts in what happens, the UI goroutine takes it out a few times a second.
// Nothing else is shared.
type feed struct {
	mu sync.Mutex
	news
}

// news is what has happened since the page looked last.
type news struct {
	outcomes []prospect.Outcome
	wait     *codehost.Notice  // GitHub has the job wait; nil if it did not
	progress prospect.Progress // as it is now
}

func (f *feed) put(e prospect.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.progress = e.Progress
	if e.Outcome != nil {
		f.outcomes = append(f.outcomes, *e.Outcome)
	}
	if e.Notice != nil && e.Notice.Kind == codehost.NoticeWaiting {
		f.wait = e.Notice
	}
}

// take returns the news, and forgets them.
func (f *feed) take() news {
	f.mu.Lock()
	defer f.mu.Unlock()
	taken := f.news
	f.outcomes, f.wait = nil, nil
	return taken
}

// A goroutine that computes lets the browser draw after a frame or so. Between
// two responses of GitHub, when longAgo has passed, the browser has had its
// turn anyway; yielding once more is slow in a background tab.
const (
	longEnough = 12 * time.Millisecond
	longAgo    = 3 * time.Millisecond
)

// yielder knows how long a goroutine has kept the browser from drawing.
type yielder struct{ since, last time.Time }

// step is called after each small part of a computation.
func (y *yielder) step() {
	now := time.Now()
	if now.Sub(y.last) > longAgo {
		y.since = now
	}
	if y.last = now; now.Sub(y.since) > longEnough {
		browser.Yield()
		y.since, y.last = time.Now(), time.Now()
	}
}
