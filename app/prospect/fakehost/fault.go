package fakehost

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Fault is something that goes wrong.
type Fault struct {
	// Path is part of the paths it concerns; empty: all of them.
	Path string
	// From is the first request it concerns, counted over all requests from
	// 1; Times is how often it happens, 0 for always.
	From, Times int
	Kind        Kind
	// Status is for [Answer]; Wait for the secondary limits.
	Status int
	Wait   time.Duration

	done int
}

// Kind is what goes wrong.
type Kind int

// The kinds of faults.
const (
	Answer        Kind = iota // another status, with a message
	Drop                      // the connection ends before the answer
	Half                      // it ends in the middle of the answer
	Hang                      // the answer never ends
	Flood                     // an answer of many megabytes
	Garbage                   // an answer that is no JSON
	Secondary                 // 403, secondary limit, with Retry-After
	Secondary429              // 429, with Retry-After
	SecondaryBare             // 403, secondary limit, without Retry-After
	ForeignMove               // a redirect to another host
	LoopMove                  // a redirect to itself
)

func (h *Host) fault(r *http.Request, n int) *Fault {
	for _, f := range h.Faults {
		if n >= f.From && (f.Times == 0 || f.done < f.Times) && strings.Contains(r.URL.Path, f.Path) {
			f.done++
			return f
		}
	}
	return nil
}

func (f *Fault) apply(rep reply, now time.Time) reply {
	wait := cmp.Or(f.Wait, 30*time.Second)
	switch f.Kind {
	case Answer:
		return refusal(f.Status, http.StatusText(f.Status))
	case Drop, Half, Hang:
		rep.broken = f.Kind
	case Flood:
		rep.raw = []byte(`"` + strings.Repeat("x", 20<<20) + `"`)
	case Garbage:
		rep.raw = []byte("<html>it works</html>")
	case Secondary:
		return secondary(http.StatusForbidden, now, wait)
	case Secondary429:
		return secondary(http.StatusTooManyRequests, now, wait)
	case SecondaryBare:
		rep = secondary(http.StatusForbidden, now, time.Minute)
		rep.header = nil
	case ForeignMove:
		return reply{status: 302, header: map[string]string{"Location": "https://evil.codehost.example/"}}
	case LoopMove:
		return reply{status: 302, header: map[string]string{"Location": "?again"}}
	}
	return rep
}

// secondary is a secondary limit that the host announces.
func secondary(status int, now time.Time, wait time.Duration) reply {
	rep := refusal(status, "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.")
	rep.header = map[string]string{"Retry-After": strconv.Itoa(int(wait / time.Second))}
	rep.limit = &announcement{until: now.Add(wait), free: true}
	return rep
}
