package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"marketingskills/app/verify"
	"marketingskills/app/verify/fakeverifier"
	"marketingskills/tools/internal/pace"
	"marketingskills/tools/internal/verifiers"
)

// scene is one verifier, some proxies, and a Redis that something happens to.
type scene struct {
	*testing.T
	redis, replica *server // the replica follows over the link
	road, link     *road   // the road leads from the proxies to Redis
	verifier       *fakeverifier.Verifier
	proxies        []*proxy
	refusals       atomic.Int64
}

func newScene(t *testing.T, proxies int, redisOptions ...string) *scene {
	s := &scene{T: t, redis: startRedis(t, redisOptions...), verifier: &fakeverifier.Verifier{Key: apiKey, Latency: 50 * time.Millisecond}}
	s.road = newRoad(t, s.redis)
	env := map[string]string{"REDIS_URL": "redis://127.0.0.1:" + s.road.port(), "VERIFY_URL": serve(t, s.verifier), "VERIFY_API_KEY": apiKey}
	for range proxies {
		s.proxies = append(s.proxies, start(t, env))
	}
	return s
}

// call verifies so many emails at once, each until it has its answer, and tells
// how many were answered from memory.
func (s *scene) call(name string, emails int) (remembered int64) {
	var calls sync.WaitGroup
	var known atomic.Int64
	for i := range emails {
		calls.Go(func() {
			address := fmt.Sprintf("%s%d@mail.example", name, i)
			for s.Context().Err() == nil {
				got := s.proxies[i%len(s.proxies)].send(s.T, "POST", inlineOf(address), "")
				switch {
				case got.status == http.StatusTooManyRequests: // the caller waits with a hundred others
					s.refusals.Add(1)
					time.Sleep(2 * time.Second)
				case got.status == http.StatusServiceUnavailable && strings.Contains(got.body, "nothing was sent; "):
					s.refusals.Add(1)
					time.Sleep(200 * time.Millisecond) // sooner than it is told to
				case got.status != http.StatusOK || resultOf(s.T, got).Address != address:
					s.Errorf("%s: %d %s", address, got.status, got.body)
					return
				default:
					if got.header.Get(verify.HeaderSource) == string(verify.FromMemory) {
						known.Add(1)
					}
					return
				}
			}
		})
	}
	calls.Wait()
	return known.Load()
}

// check complains of requests that came too fast, or twice.
func (s *scene) check(name string, emails int) {
	arrived := s.verifier.Arrivals(pathInline)
	asked := slices.Compact(slices.Sorted(slices.Values(s.verifier.Asked())))
	if most := fakeverifier.Densest(arrived); most > limit || len(asked) != emails || len(arrived) != emails {
		s.Errorf("%s: %d in a second, %d requests for %d emails of %d", name, most, len(arrived), len(asked), emails)
	}
}

func (s *scene) restart() {
	s.redis.kill()
	s.redis.start(s.T)
}

// follow starts a replica, and cuts its link once it knows all.
func (s *scene) follow() {
	s.replica = startRedis(s.T, "--replicaof", "127.0.0.1 "+s.link.port())
	for s.replica.info(s.T, "master_link_status") != "up" && s.Context().Err() == nil {
		time.Sleep(10 * time.Millisecond)
	}
	s.link.lead(nil)
}

// promote makes the replica that to which the proxies' address leads.
func (s *scene) promote() {
	s.replica.do(s.T, "REPLICAOF NO ONE")
	s.road.lead(s.replica)
}

// faults are what happens to a Redis before ten requests leave, and after.
var faults = []struct {
	name          string
	before, after func(*scene)
}{
	{name: "killed", after: (*scene).restart},
	{name: "restored from a snapshot", before: func(s *scene) { s.redis.do(s.T, "SAVE") }, after: (*scene).restart},
	{name: "evicting what expires first", after: func(s *scene) { s.redis.evict(s.T, "volatile-ttl") }},
	{name: "evicting anything", after: func(s *scene) { s.redis.evict(s.T, "allkeys-random") }},
	{name: "failing over to a replica that lags", before: (*scene).follow, after: func(s *scene) {
		s.redis.kill()
		s.promote()
	}},
	{name: "failing over, and back to one that missed all of it", before: (*scene).follow, after: func(s *scene) {
		s.promote()
		s.call("between", limit)
		s.road.lead(s.redis)
	}},
}

// TestRedisFaults: whatever Redis forgets, the ten that may leave in a second
// stay ten.
func TestRedisFaults(t *testing.T) {
	t.Parallel() // it waits
	var all sync.WaitGroup
	for _, fault := range faults {
		s := newScene(t, 1, "--save", "3600 1")
		s.link = newRoad(t, s.redis)
		all.Go(func() {
			s.call("first", 1)
			if fault.before != nil {
				fault.before(s)
			}
			time.Sleep(pace.Span) // the first does not count any more
			s.call("before", limit)
			fault.after(s)
			s.call("after", limit)
			s.check(fault.name, len(slices.Compact(slices.Sorted(slices.Values(s.verifier.Asked())))))
		})
	}
	all.Wait()
}

// TestTwoHundredAtOnce: while Redis is killed, restored from a snapshot, evicts
// and fails over, never more than ten arrive in a second, all are answered, and
// each is paid for once, also when all are asked for again.
func TestTwoHundredAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	t.Parallel() // it waits
	const emails = 200
	var all sync.WaitGroup
	for _, proxies := range []int{1, 3} {
		s := newScene(t, proxies, "--save", "3600 1")
		s.link = newRoad(t, s.redis)
		began := time.Now()
		all.Go(func() {
			arrived := func(n int) {
				for len(s.verifier.Arrivals(pathInline)) < n && t.Context().Err() == nil {
					time.Sleep(5 * time.Millisecond)
				}
			}
			arrived(15)
			s.redis.do(t, "SAVE")
			arrived(35)
			s.restart()
			arrived(65)
			s.redis.do(t, "CONFIG SET maxmemory-policy volatile-ttl")
			s.redis.do(t, "CONFIG SET maxmemory 1")
			for refused := s.refusals.Load(); s.refusals.Load() == refused && t.Context().Err() == nil; {
				time.Sleep(5 * time.Millisecond)
			}
			s.redis.keep(t)
			arrived(95)
			s.redis.evict(t, "allkeys-random")
			arrived(125)
			s.follow()
			arrived(155)
			s.redis.kill()
			s.promote()
		})
		all.Go(func() {
			s.call("a", emails)
			s.check(fmt.Sprintf("%d proxies", proxies), emails)
			arrivals := s.verifier.Arrivals(pathInline)
			t.Logf("%d proxies: %d arrivals in %.1f s, at most %d in a second, %d refusals of the proxies, all in %.1f s", proxies, len(arrivals),
				arrivals[len(arrivals)-1].Sub(arrivals[0]).Seconds(), fakeverifier.Densest(arrivals), s.refusals.Load(), time.Since(began).Seconds())
			if remembered := s.call("a", emails); remembered != emails {
				t.Errorf("%d proxies: asked again, %d of %d were remembered", proxies, remembered, emails)
			}
			s.check(fmt.Sprintf("%d proxies, asked again", proxies), emails)
		})
	}
	all.Wait()
}

// TestRedisThatEvicts: a proxy does not start with a Redis that may drop the
// limit; one that begins to while the proxy runs is refused until it has ended.
func TestRedisThatEvicts(t *testing.T) {
	t.Parallel() // it waits
	s := newScene(t, 1)
	s.call("a", 1)
	s.redis.do(t, "CONFIG SET maxmemory-policy allkeys-lru")
	s.call("b", 1) // its memory has no bound
	s.redis.do(t, "CONFIG SET maxmemory 1")
	const remedy = "this Redis drops keys when its memory is full: set its maxmemory-policy to noeviction, or name another Redis in REDIS_URL"
	got := s.proxies[0].send(t, "POST", inlineOf("c0@mail.example"), "")
	if got.status != http.StatusServiceUnavailable || !strings.Contains(got.body, "cannot be kept in Redis; nothing was sent; "+remedy) {
		t.Errorf("%d %s", got.status, got.body)
	}
	if log := s.proxies[0].log.String(); !strings.Contains(log, "allkeys-lru") {
		t.Errorf("the log does not say why: %s", log)
	}
	env := map[string]string{"REDIS_URL": s.redis.address, "VERIFY_URL": "https://v.example", "VERIFY_API_KEY": apiKey}
	var log record
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	err := run(ctx, []string{"--addr", "127.0.0.1:0", "--dir", ""}, surroundings{func(name string) string { return env[name] }, domains{}, &log, &log})
	if err == nil || !strings.Contains(err.Error(), remedy) {
		t.Errorf("it starts: %v, %s", err, &log)
	}
	s.redis.keep(t)
	s.call("c", 1)
	s.check("evicting", 3)
}

// TestRedisRemedies: what a Redis answers that cannot keep a limit becomes
// what to do about it.
func TestRedisRemedies(t *testing.T) {
	dir := t.TempDir()
	redis := startRedis(t, "--dir", dir, "--save", "3600 1")
	for _, test := range []struct{ before, user, next, after string }{
		{"REPLICAOF 127.0.0.1 1", "", "it is a replica: promote it", "REPLICAOF NO ONE"},
		{"CONFIG SET maxmemory 1", "", "", "CONFIG SET maxmemory 0"}, // full, and evicts nothing
		{"CONFIG SET min-replicas-to-write 1", "", "it has too few replicas", "CONFIG SET min-replicas-to-write 0"},
		{"ACL SETUSER ann on >secret ~* +@all", "ann:wrong@", "check the user and the password", "PING"},
		{"ACL SETUSER ann -info", "ann:secret@", "allow it INFO", "ACL SETUSER ann +info"},
		{"ACL SETUSER ann -evalsha", "ann:secret@", "allow it INFO", "ACL SETUSER ann +evalsha"},
		{"ACL SETUSER ann resetkeys ~other:*", "ann:secret@", "for verify-proxy:*", "ACL SETUSER ann ~verify-proxy:*"},
		{"PING", "ann:secret@", "", "PING"},
		{"ACL SETUSER default resetpass", "", "write its password into REDIS_URL", "ACL SETUSER default nopass"},
		{"PING", "", "", "PING"},
	} {
		redis.do(t, test.before)
		s, err := newShared(strings.Replace(redis.address, "://", "://"+test.user, 1), verifiers.Default, limit, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, failed := s.newWindow("/").ask("id")
		if (failed == nil) != (test.next == "") || failed != nil && !strings.Contains(failed.next, test.next) {
			t.Errorf("%s: %v", test.before, failed)
		}
		s.client.Close()
		redis.do(t, test.after)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	redis.do(t, "BGSAVE")
	for redis.info(t, "rdb_last_bgsave_status") != "err" && t.Context().Err() == nil {
		time.Sleep(10 * time.Millisecond)
	}
	s, err := newShared(redis.address, verifiers.Default, limit, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.client.Close()
	if _, failed := s.newWindow("/").ask("id"); failed == nil || !strings.Contains(failed.next, "make room on its disk") {
		t.Errorf("without a disk: %v", failed)
	}
}

// TestRedisChangeIsLogged: with what to do.
func TestRedisChangeIsLogged(t *testing.T) {
	t.Parallel() // it waits
	s := newScene(t, 1)
	s.call("a", 1)
	s.redis.do(t, "FLUSHALL")
	s.call("b", 1)
	s.restart()
	s.call("c", 1)
	log := s.proxies[0].log.String()
	for _, words := range []string{"Redis has lost the limit", "name a Redis in REDIS_URL that nothing else uses",
		"Redis was started anew, or another took its place", "its log says why", "pause=3.03s"} {
		if !strings.Contains(log, words) {
			t.Errorf("%q is not in the log: %s", words, log)
		}
	}
	if n := strings.Count(log, "level=WARN"); n != 2 {
		t.Errorf("%d warnings: %s", n, log)
	}
}
