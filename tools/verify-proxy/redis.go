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

const redisPrefix = "verify-proxy:"

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

// allowScript gives a place in the window to a request, or says for how many
// microseconds all are taken. A place is a member of a sorted set; its score is
// when it stops counting. A Redis that was started anew has forgotten the places
// taken before: nothing leaves for the span, in which the requests that were
// written stop counting. Those that were not count again when they are.
var allowScript = redis.NewScript(`
local limit, lease, span, id = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4]
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
redis.call('SET', KEYS[2], now + span, 'NX')
local start = tonumber(redis.call('GET', KEYS[2]))
if start > now then
	return start - now
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) < limit then
	redis.call('ZADD', KEYS[1], now + lease + span, id)
	redis.call('EXPIRE', KEYS[1], 60)
	return 0
end
return tonumber(redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]) - now
`)

// writtenScript lets a request count for the span only, from now on.
var writtenScript = redis.NewScript(`
local time = redis.call('TIME')
redis.call('ZADD', KEYS[1], time[1] * 1000000 + time[2] + ARGV[1], ARGV[2])
redis.call('EXPIRE', KEYS[1], 60)
return 0
`)

// sharedWindow is the [pace.Window] of an endpoint, under a name in Redis.
type sharedWindow struct {
	*shared
	name string
}

func (s *shared) window(endpoint string) pace.Window {
	return sharedWindow{s, redisPrefix + "window:" + endpoint}
}

func (w sharedWindow) Allow() (pace.Place, time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*redisTimeout) // it dials several times
	defer cancel()
	p := sharedPlace{w, rand.Text()}
	wait, err := allowScript.Run(ctx, w.client, []string{w.name, redisPrefix + "start"},
		pace.Limit, pace.Lease.Microseconds(), pace.Span.Microseconds(), p.id).Int64()
	switch {
	case err != nil:
		return nil, 0, fmt.Errorf("asking Redis for a place: %w", err)
	case wait > 0: // those not written yet will end earlier
		return nil, min(time.Duration(wait)*time.Microsecond, pace.Span), nil
	}
	return p, 0, nil
}

type sharedPlace struct {
	sharedWindow
	id string
}

// Written tells Redis, for which the request does not wait. If Redis cannot be
// told, the place stays taken until the lease ends.
func (p sharedPlace) Written() {
	go func() {
		_ = writtenScript.Run(context.Background(), p.client, []string{p.name}, pace.Span.Microseconds(), p.id).Err()
	}()
}

// sharedStore is the [store] of several proxies.
type sharedStore struct {
	*shared
	keep time.Duration
}

func (s *shared) store(keep time.Duration) store { return sharedStore{s, keep} }

func (s sharedStore) get(ctx context.Context, name string) ([]byte, bool) {
	value, err := s.client.Get(ctx, redisPrefix+"answer:"+name).Bytes()
	return value, err == nil
}

func (s sharedStore) set(ctx context.Context, name string, value []byte) {
	// An answer that could not be remembered is asked for again.
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

// ping tells whether Redis answers.
func (s *shared) ping(ctx context.Context) error { return s.client.Ping(ctx).Err() }
