package verify

import (
	"context"
	"slices"
	"sync"

	"marketingskills/app/job"
)

// checks is how many addresses the free checks are made of at once, most of
// which wait for the domain name system.
const checks = 20

// Entry is one address of a job.
type Entry struct {
	Address string // as it was first written
	Times   int    // how often it was given, in any spelling
	Local   Result // what the free checks say
	Result  Result // what is known: Local until the verifier has answered
	Asked   bool   // the verifier, or a proxy by its own checks, has answered
	Err     error  // the last request failed; another run asks again
}

// Open tells whether the verifier may know more than is known.
func (e Entry) Open() bool { return !e.Asked && e.Local.NeedsCredit() }

// Job takes a list of addresses through the free checks and the verifier. Its
// methods may be called from many goroutines. After Stop the run ends once the
// answers under way are there, which are paid for; to give those up as well, end
// the run's context.
type Job struct {
	job.Control
	mu      sync.Mutex
	entries []Entry
	indexes map[string]int // by Key
}

// NewJob makes a job of addresses, each once.
func NewJob(addresses []string) *Job {
	j := &Job{indexes: map[string]int{}}
	for _, address := range addresses {
		key := Key(address)
		if index, ok := j.indexes[key]; ok {
			j.entries[index].Times++
			continue
		}
		j.indexes[key] = len(j.entries)
		j.entries = append(j.entries, Entry{Address: address, Times: 1})
	}
	return j
}

// Check makes the free checks of all addresses that have not been checked, many
// at once, and calls each after every one, never twice at a time. It ends early
// with the context's error.
func (j *Job) Check(ctx context.Context, checker Checker, each func()) error {
	var unsteered job.Control
	next := 0
	return unsteered.Run(ctx, job.Plan{AtOnce: checks, Ahead: max(j.Len(), 1), Next: func() *job.Task {
		if next == j.Len() {
			return nil
		}
		index := next
		next++
		return &job.Task{Do: func(ctx context.Context) { j.check(ctx, checker, index) }, Done: each}
	}})
}

func (j *Job) check(ctx context.Context, checker Checker, index int) {
	e := j.at(index)
	if e.Local.State != "" {
		return
	}
	local := checker.Check(ctx, e.Address)
	if ctx.Err() != nil {
		return // it may have been found out in part only
	}
	j.change(index, func(e *Entry) {
		e.Local = local
		if !e.Asked { // the verifier has said more
			e.Result = local
		}
	})
}

// Know gives the job an answer of an earlier run, so that it is not asked for
// again. It tells whether the address is in the job.
func (j *Job) Know(address string, r Result) bool {
	index, ok := j.indexes[Key(address)]
	if ok {
		j.change(index, func(e *Entry) { e.Result, e.Asked = r, true })
	}
	return ok
}

// Len is the number of different addresses.
func (j *Job) Len() int { return len(j.indexes) }

// Entries are all addresses, in the order in which they were first given.
func (j *Job) Entries() []Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.entries)
}

// Entry returns what is known of an address, in any spelling.
func (j *Job) Entry(address string) (e Entry, ok bool) {
	index, ok := j.indexes[Key(address)]
	if !ok {
		return Entry{}, false
	}
	return j.at(index), true
}

func (j *Job) at(i int) Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.entries[i]
}

func (j *Job) change(i int, do func(*Entry)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	do(&j.entries[i])
}

// Credits is how many addresses the verifier is still to be asked about, at a
// credit each.
func (j *Job) Credits() int {
	n := 0
	for _, e := range j.Entries() {
		if e.Open() {
			n++
		}
	}
	return n
}
