package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"marketingskills/tools/internal/pace"
	"marketingskills/tools/internal/verifiers"
)

// shared is the limit and the memory that several proxies have in common. All
// times are Redis's: the clocks of the machines need not agree.
//
// A Redis forgets: a restart brings back an old snapshot or nothing, a replica
// that is promoted lags behind, a full one evicts. So all that is known of a
// window is one key, which is lost as a whole and never expires, and it names
// the run of the Redis that keeps it. Two primaries at once, which a partition
// of the network leaves, cannot be told apart: min-replicas-to-write 1 keeps the
// old one from going on.
type shared struct {
	client  *redis.Client
	service verifiers.Name // whose limit it is
	limit   int            // requests a second
	log     *slog.Logger
}

const redisPrefix = "verify-proxy:"

// quiet keeps the library from writing to standard error; what matters of it
// comes back as errors.
type quiet struct{}

func (quiet) Printf(context.Context, string, ...any) {}

func newShared(address string, service verifiers.Name, limit int, log *slog.Logger) (*shared, error) {
	options, err := redis.ParseURL(address)
	if err != nil { // it repeats the URL, which may hold a password
		return nil, errors.New("REDIS_URL is not the URL of a Redis; write it like redis://host:6379/0")
	}
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout = redisTimeout, redisTimeout, redisTimeout
	options.MaxRetries = -1 // a second try would take a second slot
	redis.SetLogger(quiet{})
	return &shared{redis.NewClient(options), service, limit, log}, nil
}

// allowScript gives a slot in the window to a request, or says for how many
// microseconds all are taken, and whether the window is new. A slot is a member
// of a sorted set; its score is when it stops counting. One more member, which
// always counts, is named after the run of Redis.
//
// If this run is not there, or is not the one that the proxy asked last, slots
// may have been given that this Redis does not know. Then it begins with a full
// window, which is empty when all of those have stopped counting.
//
// Without an id it only makes sure that there is a window.
var allowScript = redis.NewScript(`
local function info(section, field)
	return string.match(redis.call('INFO', section), '\n' .. field .. ':([^\r\n]*)')
end
local run, policy = info('server', 'run_id'), info('memory', 'maxmemory_policy')
if not run or not policy then
	return redis.error_reply('` + saysNoRun + `')
end
if policy ~= 'noeviction' and info('memory', 'maxmemory') ~= '0' then
	return redis.error_reply('` + mayEvict + ` ' .. policy)
end
local window, limit, lease, span, id, last = KEYS[1], tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local new = not redis.call('ZSCORE', window, run) or last ~= '' and last ~= run
if new then
	redis.call('DEL', window)
	redis.call('ZADD', window, 'inf', run)
	for slot = 1, limit do
		redis.call('ZADD', window, now + lease + span, slot)
	end
end
redis.call('ZREMRANGEBYSCORE', window, '-inf', now)
local wait = 0
if redis.call('ZCARD', window) > limit then
	wait = redis.call('ZRANGE', window, 0, 0, 'WITHSCORES')[2] - now
elseif id ~= '' then
	redis.call('ZADD', window, now + lease + span, id)
end
return wait .. ' ' .. run .. ' ' .. tostring(new)
`)

// writtenScript lets a request count for the span only, from now on.
var writtenScript = redis.NewScript(`
local time = redis.call('TIME')
redis.call('ZADD', KEYS[1], time[1] * 1000000 + time[2] + ARGV[1], ARGV[2])
return 0
`)

// What the script reports of a Redis that cannot keep a limit.
const (
	mayEvict  = "MAYEVICT"
	saysNoRun = "NORUN it does not tell its run_id and maxmemory_policy"
)

// redisError says that Redis could not be asked, and what to do about it.
type redisError struct {
	cause error
	next  string
}

func (e *redisError) Error() string {
	return "asking Redis for a slot: " + e.cause.Error() + "; " + e.next
}

// says tells whether Redis answered with a word: scripts wrap what they meet.
func (e *redisError) says(word string) bool { return strings.Contains(e.cause.Error(), word) }

// remedies are what to do about what Redis answers.
var remedies = []struct{ word, next string }{
	{mayEvict, "this Redis drops keys when its memory is full: set its maxmemory-policy to noeviction, " +
		"or name another Redis in REDIS_URL"},
	{saysNoRun, "name a Redis or Valkey in REDIS_URL, without another program in between"},
	{"READONLY", "it is a replica: promote it, or name the primary in REDIS_URL"},
	{"LOADING", "it is starting: try again in a few seconds"},
	{"MISCONF", "it cannot save its data and takes no more: make room on its disk; its log says more"},
	{"NOREPLICAS", "it has too few replicas to go on: see to them, or name the present primary in REDIS_URL"},
	{"NOAUTH", "write its password into REDIS_URL, like redis://:PASSWORD@host:6379/0"},
	{"WRONGPASS", "check the user and the password in REDIS_URL"},
	{"NOPERM", aclRemedy}, {"ACL failure", aclRemedy}, {"can't run this command", aclRemedy}, // outside of a script, and inside
}

const aclRemedy = "its user may not do what is needed: allow it INFO, TIME, scripting, sorted sets, GET and SET for " + redisPrefix + "*"

func newRedisError(cause error) *redisError {
	e := &redisError{cause, "start Redis, or check REDIS_URL and the network"}
	for _, r := range remedies {
		if e.says(r.word) {
			e.next = r.next
		}
	}
	return e
}

// sharedWindow is the [pace.Window] of a service's endpoint, under a name in Redis.
type sharedWindow struct {
	*shared
	name string

	mu      sync.Mutex
	run     string    // of the Redis that was asked last, "" before
	failing time.Time // since when callers wait because it cannot be asked, or zero
}

func (s *shared) window(endpoint string) pace.Window { return s.newWindow(endpoint) }

func (s *shared) newWindow(endpoint string) *sharedWindow {
	return &sharedWindow{shared: s, name: redisPrefix + "window:" + string(s.service) + ":" + endpoint}
}

// open makes sure that Redis keeps all windows. New ones are full at first: the
// sooner they are there, the less the first calls wait.
func (s *shared) open() *redisError {
	for path, e := range endpoints {
		if !e.guarded {
			continue
		}
		if _, err := s.newWindow(path).ask(""); err != nil {
			return err
		}
	}
	return nil
}

// Allow lets callers wait for a Redis that is away for a moment, as one is that
// starts anew.
func (w *sharedWindow) Allow() (pace.Slot, time.Duration, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	asked := time.Now()
	slot := sharedSlot{w, rand.Text(), asked.Add(sharedLease)}
	wait, err := w.ask(slot.id)
	if err != nil {
		if w.failing.IsZero() {
			w.failing = asked
		}
		if !err.says(mayEvict) && time.Since(w.failing) < redisPatience {
			return nil, redisAgain, nil
		}
		w.failing = time.Time{}
		return nil, 0, err
	}
	w.failing = time.Time{}
	if wait > 0 {
		return nil, min(wait, pace.Span), nil // those not written yet will end earlier
	}
	return slot, 0, nil
}

// ask runs [allowScript]. One asks at a time.
func (w *sharedWindow) ask(id string) (wait time.Duration, failed *redisError) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*redisTimeout) // it dials several times
	defer cancel()
	answer, err := allowScript.Run(ctx, w.client, []string{w.name},
		w.limit, sharedLease.Microseconds(), pace.Span.Microseconds(), id, w.run).Text()
	var microseconds int64
	var run string
	var isNew bool
	if err == nil {
		_, err = fmt.Sscan(answer, &microseconds, &run, &isNew)
	}
	if err != nil {
		return 0, newRedisError(err)
	}
	wait = time.Duration(microseconds) * time.Microsecond
	switch {
	case !isNew || w.run == "":
	case run != w.run:
		w.log.Warn("Redis was started anew, or another took its place; if that happens often, its log says why", "pause", wait, "window", w.name)
	default:
		w.log.Warn("Redis has lost the limit, as FLUSHALL, DEL and eviction do; if that happens often, "+
			"name a Redis in REDIS_URL that nothing else uses", "pause", wait, "window", w.name)
	}
	w.run = run
	return wait, nil
}

type sharedSlot struct {
	window   *sharedWindow
	id       string
	deadline time.Time // from before Redis was asked: its own is not earlier
}

func (s sharedSlot) Deadline() time.Time { return s.deadline }

// Written tells Redis, for which the request does not wait. If Redis cannot be
// told, the slot stays taken until the lease ends.
func (s sharedSlot) Written() {
	go func() {
		_ = writtenScript.Run(context.Background(), s.window.client, []string{s.window.name}, pace.Span.Microseconds(), s.id).Err()
	}()
}

// sharedStore is the [store] of several proxies. What this one was answered, it
// also keeps for itself: Redis may lose it, and it would be paid for again.
type sharedStore struct {
	*shared
	own  store
	keep time.Duration
}

func (s *shared) store(keep time.Duration) store { return sharedStore{s, newLocalStore(keep), keep} }

func (s sharedStore) get(ctx context.Context, name string) ([]byte, bool) {
	if value, ok := s.own.get(ctx, name); ok {
		return value, true
	}
	value, err := s.client.Get(ctx, redisPrefix+"answer:"+name).Bytes()
	return value, err == nil
}

func (s sharedStore) set(ctx context.Context, name string, value []byte) {
	s.own.set(ctx, name, value)
	// Another proxy asks again for an answer that Redis did not take.
	_ = s.client.Set(ctx, redisPrefix+"answer:"+name, value, s.keep).Err()
}

// A proxy that died does not keep its claims for longer than a call takes. Without
// Redis nothing is sent, so that it does not matter who may.
func (s sharedStore) claim(ctx context.Context, name string) bool {
	ok, err := s.client.SetNX(ctx, redisPrefix+"asking:"+name, "", answerTimeout).Result()
	return ok || err != nil
}

func (s sharedStore) release(ctx context.Context, name string) {
	_ = s.client.Del(ctx, redisPrefix+"asking:"+name).Err()
}
