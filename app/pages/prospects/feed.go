package prospects

import (
	"sync"

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
