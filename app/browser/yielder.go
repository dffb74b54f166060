package browser

import "time"

// A goroutine that computes lets the browser draw after a frame or so. Between
// two responses of a server, when longAgo has passed, the browser has had its
// turn anyway; yielding once more is slow in a background tab.
const (
	longEnough = 12 * time.Millisecond
	longAgo    = 3 * time.Millisecond
)

// Yielder knows how long a goroutine has kept the browser from drawing.
type Yielder struct{ since, last time.Time }

// Step is called after each small part of a computation.
func (y *Yielder) Step() {
	now := time.Now()
	if now.Sub(y.last) > longAgo {
		y.since = now
	}
	if y.last = now; now.Sub(y.since) > longEnough {
		Yield()
		y.since, y.last = time.Now(), time.Now()
	}
}
