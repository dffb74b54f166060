package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"marketingskills/app/verify"
	"marketingskills/app/verify/fakeverifier"
	"marketingskills/tools/internal/pace"
	"marketingskills/tools/internal/verifiers"
)

// three starts three proxies before one verifier and one Redis.
func three(t *testing.T, v *fakeverifier.Verifier, redis string, arguments ...string) (all [3]*proxy) {
	for i := range all {
		all[i] = withVerifier(t, v, map[string]string{"REDIS_URL": redis, "VERIFY_API_KEY": apiKey}, arguments...)
	}
	return all
}

// TestThreeKeepOneLimit: three proxies together stay below ten a second, one of
// them ends in between, and no caller of the others hears of it.
func TestThreeKeepOneLimit(t *testing.T) {
	t.Parallel() // it waits
	v := new(fakeverifier.Verifier)
	all := three(t, v, startRedis(t).address, "--remember", "0")
	var callers sync.WaitGroup
	for i := range 60 {
		callers.Go(func() {
			p := all[i%2]
			if i < 10 {
				p = all[2]
			}
			if got := p.send(t, "POST", inlineOf(fmt.Sprintf("a%d@mail.example", i)), ""); got.status != http.StatusOK {
				t.Errorf("call %d: %d %s", i, got.status, got.body)
			}
		})
	}
	time.Sleep(time.Second)
	if err := all[2].stop(); err != nil { // with calls under way
		t.Error(err)
	}
	callers.Wait()
	at := v.Arrivals(pathInline)
	if most := fakeverifier.Densest(at); most > limit || v.Refused() > 0 || len(v.Asked()) != 60 {
		t.Errorf("%d in a second, %d refused, %d asked", most, v.Refused(), len(v.Asked()))
	}
	// Slots whose requests were written do not count until their leases end.
	if took := at[len(at)-1].Sub(at[0]); took > 12*time.Second {
		t.Errorf("60 calls took %v", took)
	}
}

// TestProxyThatDies: slots that a killed proxy took are free again after their
// lease.
func TestProxyThatDies(t *testing.T) {
	t.Parallel() // it waits
	s, err := newShared(startRedis(t).address, verifiers.Default, limit, slog.Default())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.open(); err != nil {
		t.Fatal(err)
	}
	var first pace.Slot
	for range limit {
		slot, err := pace.Wait(t.Context(), s.window(pathInline))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = slot
		}
	}
	if slot, _, err := s.window(pathMe).Allow(); slot == nil || err != nil {
		t.Error("another endpoint has to wait, too: ", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*(sharedLease+pace.Span)) // a busy machine is slow
	defer cancel()
	if _, err := pace.Wait(ctx, s.window(pathInline)); err != nil {
		t.Fatal(err)
	}
	if early := time.Until(first.Deadline().Add(pace.Span)); early > 0 {
		t.Errorf("another slot was given %v before the first was free", early)
	}
}

// TestRedisAway: without Redis nothing is sent, and the caller hears why; once
// it is back, all goes on.
func TestRedisAway(t *testing.T) {
	t.Parallel() // it waits
	redis := startRedis(t)
	v := new(fakeverifier.Verifier)
	p := withVerifier(t, v, map[string]string{"REDIS_URL": redis.address})
	if got := p.send(t, "POST", inlineOf("ann@mail.example"), ""); got.status != http.StatusOK {
		t.Fatalf("%d %s", got.status, got.body)
	}
	redis.kill()
	var calls sync.WaitGroup
	for _, call := range []string{"POST " + inlineOf("ben@mail.example"), "POST /api/v1/verify", "GET /me"} {
		calls.Go(func() {
			method, target, _ := strings.Cut(call, " ")
			got := p.send(t, method, target, `{"emails":["ben@mail.example"]}`)
			if got.status != http.StatusServiceUnavailable || !strings.Contains(got.body, "cannot be kept in Redis; nothing was sent; start Redis, or check REDIS_URL") ||
				got.header.Get("Retry-After") == "" {
				t.Errorf("%s: %d %s", call, got.status, got.body)
			}
		})
	}
	calls.Wait()
	if log := p.log.String(); strings.Count(log, "connection refused") != 3 {
		t.Errorf("the log does not say why: %s", log)
	}
	if len(v.Asked()) != 1 || len(v.Bodies()) != 0 || len(v.Arrivals(pathMe)) != 0 {
		t.Error("something was sent")
	}
	// What needs no verifier still works.
	if got := p.send(t, "POST", inlineOf("no-at-sign"), ""); got.status != http.StatusOK {
		t.Errorf("%d %s", got.status, got.body)
	}
	redis.start(t)
	if got := p.send(t, "POST", inlineOf("ben@mail.example"), ""); got.status != http.StatusOK {
		t.Errorf("Redis is back, and still: %d %s", got.status, got.body)
	}
}

// TestRedisAwayForAMoment: those who wait do not hear of it.
func TestRedisAwayForAMoment(t *testing.T) {
	t.Parallel() // it waits
	s := newScene(t, 1)
	s.call("a", 1)
	var all sync.WaitGroup
	all.Go(func() { s.call("b", 3*limit) })
	for len(s.verifier.Asked()) < limit {
		time.Sleep(10 * time.Millisecond)
	}
	s.redis.kill()
	time.Sleep(time.Second)
	s.redis.start(t)
	all.Wait()
	if n := s.refusals.Load(); n > 0 {
		t.Errorf("%d were refused", n)
	}
	s.check("away for a moment", 1+3*limit)
}

// TestSlotOfAnEarlierRun: a slot that Redis has forgotten may still be used, so
// another one is given a second after that has ended.
func TestSlotOfAnEarlierRun(t *testing.T) {
	t.Parallel() // it waits
	redis := startRedis(t)
	var slots [2]pace.Slot
	for i := range slots {
		s, err := newShared(redis.address, verifiers.Default, limit, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		defer s.client.Close()
		if slots[i], err = pace.Wait(t.Context(), s.window(pathInline)); err != nil {
			t.Fatal(err)
		}
		redis.kill()
		redis.start(t)
	}
	if since := time.Until(slots[1].Deadline()) - sharedLease - time.Until(slots[0].Deadline()); since < time.Second {
		t.Errorf("the second was given %v after the deadline of the first", since)
	}
}

// TestSharedMemory: what one proxy asked, another knows, and Redis holds
// neither the address nor the key.
func TestSharedMemory(t *testing.T) {
	t.Parallel() // it waits
	redis := startRedis(t)
	one := withVerifier(t, new(fakeverifier.Verifier), map[string]string{"REDIS_URL": redis.address})
	one.send(t, "POST", inlineOf("ann.secret@mail.example"), "")
	one.send(t, "POST", inlineOf("unknown.secret@mail.example"), "")

	keys := redis.client.Keys(t.Context(), "*").Val()
	answers := 0
	for _, key := range keys {
		content := key
		if strings.Contains(key, ":answer:") {
			answers++
			content += redis.client.Get(t.Context(), key).Val()
			if ttl := redis.client.TTL(t.Context(), key).Val(); ttl <= 23*time.Hour || ttl > 24*time.Hour {
				t.Errorf("%s is kept for %v", key, ttl)
			}
		} else if ttl := redis.client.TTL(t.Context(), key).Val(); ttl != -1 {
			t.Errorf("%s is gone after %v, and then nothing leaves at first", key, ttl)
		}
		for _, word := range []string{"ann.", "secret", "mail.example", apiKey} {
			if strings.Contains(content, word) {
				t.Errorf("%s stands in Redis: %q", word, content)
			}
		}
	}
	if answers != 1 {
		t.Errorf("%d answers in %q", answers, keys)
	}
}

// TestSharedAnswers: proxies in front of the same verifier share what they know,
// also if only one of them names the usual one, and not always alike.
func TestSharedAnswers(t *testing.T) {
	t.Parallel() // it waits
	v := &fakeverifier.Verifier{Key: apiKey}
	upstream := serve(t, v)
	env := map[string]string{"REDIS_URL": startRedis(t).address, "VERIFY_URL": upstream, "VERIFY_API_KEY": apiKey}
	start(t, env).send(t, "POST", inlineOf("ann@mail.example"), "")
	env["VERIFY_SERVICE"], env["VERIFY_URL"] = " truelist", upstream+"/"
	got := start(t, env).send(t, "POST", inlineOf("ann@mail.example"), "")
	if got.header.Get(verify.HeaderSource) != "remembered" || len(v.Asked()) != 1 {
		t.Errorf("%s, asked %q", got.header.Get(verify.HeaderSource), v.Asked())
	}
}

// TestSharedLimits: those in front of one service share its limit, and no other's.
func TestSharedLimits(t *testing.T) {
	t.Parallel() // it waits
	redis := startRedis(t)
	window := func(service verifiers.Name) pace.Window {
		s, err := newShared(redis.address, service, 1, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.open(); err != nil { // from now on it is full for a while
			t.Fatal(err)
		}
		return s.window(pathMe)
	}
	one, same, other := window("truelist"), window("truelist"), window("madeup")
	if _, err := pace.Wait(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	if slot, _, err := same.Allow(); slot != nil || err != nil {
		t.Errorf("the same service has two slots: %v, %v", slot, err)
	}
	soon, cancel := context.WithTimeout(t.Context(), sharedLease) // a slot that is taken is free later
	defer cancel()
	if _, err := pace.Wait(soon, other); err != nil {
		t.Errorf("another service has to wait, too: %v", err)
	}
}

// TestRedisURLStaysInside: it may hold a password.
func TestRedisURLStaysInside(t *testing.T) {
	for _, address := range []string{"redis://:hunter2@127.0.0.1:1/x/y", "http://:hunter2@127.0.0.1", "redis://:hunter2@%zz", "redis://:hunter2@127.0.0.1:1"} {
		var log record
		env := map[string]string{"REDIS_URL": address, "VERIFY_URL": "https://v.example", "VERIFY_API_KEY": apiKey}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(200*time.Millisecond, cancel)
		err := run(ctx, []string{"--addr", "127.0.0.1:0", "--dir", ""}, surroundings{func(name string) string { return env[name] }, domains{}, &log, &log})
		if said := fmt.Sprint(err) + log.String(); strings.Contains(said, "hunter2") {
			t.Errorf("%s: %s", address, said)
		}
	}
}

// TestLoad: 50 callers with four addresses each. Nobody's is lost, the verifier
// sees at most ten arrive in any second, and hardly fewer.
func TestLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 20 s")
	}
	t.Parallel() // the others that are parallel wait
	v := &fakeverifier.Verifier{Latency: 300 * time.Millisecond}
	p := withVerifier(t, v, nil, "--remember", "0")
	var callers sync.WaitGroup
	for i := range 50 {
		callers.Go(func() {
			for j := range 4 {
				address := fmt.Sprintf("a%d.%d@mail.example", i, j)
				got := p.send(t, "POST", inlineOf(address), "")
				if r := resultOf(t, got); r.Address != address {
					t.Errorf("%s got the answer about %s", address, r.Address)
				}
			}
		})
	}
	callers.Wait()
	at := v.Arrivals(pathInline)
	if most := fakeverifier.Densest(at); most > limit || v.Refused() > 0 || len(v.Asked()) != 200 {
		t.Errorf("%d in a second, %d refused, %d answered", most, v.Refused(), len(v.Asked()))
	}
	// Once it is under way: without the first ten, which come at once.
	rate := float64(len(at)-limit) / at[len(at)-1].Sub(at[0]).Seconds()
	t.Logf("%.2f a second", rate)
	if rate < 9.5 {
		t.Errorf("%.2f a second; 9.5 were wanted", rate)
	}
}

// TestEqualCallsAtTwoProxies: an address is asked about once, whichever proxy a
// call comes to; after a failure it is free for the other.
func TestEqualCallsAtTwoProxies(t *testing.T) {
	redis := startRedis(t).address
	answer := make(chan struct{})
	v := &fakeverifier.Verifier{Hold: answer, Fault: func(n int, _ *http.Request) fakeverifier.Fault {
		return []fakeverifier.Fault{fakeverifier.Broken, fakeverifier.None}[min(n-1, 1)]
	}}
	env := map[string]string{"VERIFY_URL": serve(t, v), "VERIFY_API_KEY": apiKey, "REDIS_URL": redis}
	one, other := start(t, env), start(t, env)
	if got := one.send(t, "POST", inlineOf("ann@mail.example"), ""); got.status != http.StatusBadGateway {
		t.Errorf("%d %s", got.status, got.body)
	}
	var calls sync.WaitGroup
	for _, p := range []*proxy{one, other, one, other} {
		calls.Go(func() {
			if r := resultOf(t, p.send(t, "POST", inlineOf("ann@mail.example"), "")); r.State != verify.OK {
				t.Errorf("%+v", r)
			}
		})
	}
	for _, p := range []*proxy{one, other} {
		for !strings.Contains(p.send(t, "GET", "/debug/vars", "").body, `"calls under way":2`) && t.Context().Err() == nil {
			time.Sleep(time.Millisecond)
		}
	}
	time.Sleep(500 * time.Millisecond) // in which a second question would be written
	close(answer)
	calls.Wait()
	if n := len(v.Arrivals(pathInline)); n != 2 {
		t.Errorf("after the failure, the verifier was asked %d times", n-1)
	}
}
