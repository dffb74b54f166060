package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"marketingskills/tools/internal/pace"
)

// shared is the limit and the memory that several proxies have in common. All
// times are Redis's: the clocks of the machines need not agree.
type shared struct{ client *redis.Client }

const (
	redisPrefix  = "verify-proxy:"
	redisTimeout = time.Second
)

// quiet keeps the library from writing to standard error; what matters of it
// comes back as errors.
type quiet struct{}

func (quiet) Printf(context.Context, string, ...any) {}

func newShared(address string) (*shared, error) {
	options, err := redis.ParseURL(address)
	if err != nil { // it repeats the URL, which may hold a password
		return nil, errors.New("REDIS_URL is not the URL of a Redis; write it like redis://host:6379/0")
	}
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout = redisTimeout, redisTimeout, redisTimeout
	options.MaxRetries = -1 // a second try would take a second place
	redis.SetLogger(quiet{})
	return &shared{redis.NewClient(options)}, nil
}

// allow gives a place in the window to a request, or says for how many
// microseconds all are taken. A place is a member whose score is when it stops
// counting. A Redis that was started anew has forgotten the places that were
// taken before: nothing leaves until they would have stopped counting.
var allow = redis.NewScript(`
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local start = tonumber(redis.call('GET', KEYS[2]))
if not start then
	start = now + ARGV[4]
	redis.call('SET', KEYS[2], string.format('%.0f', start))
end
if start > now then
	return start - now
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
if redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[1]) then
	redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[2]), ARGV[3])
	redis.call('PEXPIRE', KEYS[1], 60000)
	return 0
end
return tonumber(redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]) - now
`)

// written says from when on a request counts for the span only.
var written = redis.NewScript(`
local time = redis.call('TIME')
redis.call('ZADD', KEYS[1], string.format('%.0f', time[1] * 1000000 + time[2] + ARGV[1]), ARGV[2])
redis.call('PEXPIRE', KEYS[1], 60000)
return 0
`)

// sharedTicket is a place in Redis.
type sharedTicket struct {
	shared *shared
	window string
	id     string
}

// Allow asks Redis.
func (s *shared) Allow(ctx context.Context, endpoint string) (pace.Ticket, time.Duration, error) {
	t := &sharedTicket{s, redisPrefix + "window:" + endpoint, rand.Text()}
	wait, err := allow.Run(ctx, s.client,
		[]string{t.window, redisPrefix + "start"},
		pace.Limit, (pace.Lease + pace.Span).Microseconds(), t.id, pace.Span.Microseconds()).Int64()
	switch {
	case err != nil:
		return nil, 0, fmt.Errorf("asking Redis for a place: %w", err)
	case wait > 0:
		// A place whose request is not written yet is free earlier than it says.
		return nil, min(time.Duration(wait)*time.Microsecond, pace.Span), nil
	}
	return t, 0, nil
}

// Written tells Redis, which the request does not wait for. If it cannot be
// told, the place stays taken until its lease ends.
func (t *sharedTicket) Written() {
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), redisTimeout)
		defer cancel()
		_ = written.Run(ctx, t.shared.client, []string{t.window}, pace.Span.Microseconds(), t.id).Err()
	}()
}

func (s *shared) get(ctx context.Context, name string) ([]byte, bool) {
	value, err := s.client.Get(ctx, redisPrefix+"answer:"+name).Bytes()
	return value, err == nil
}

func (s *shared) set(ctx context.Context, name string, value []byte, keep time.Duration) {
	// An answer that could not be remembered is asked for again.
	_ = s.client.Set(ctx, redisPrefix+"answer:"+name, value, keep).Err()
}

// here tells whether Redis answers.
func (s *shared) here(ctx context.Context) error { return s.client.Ping(ctx).Err() }
