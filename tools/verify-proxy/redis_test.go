package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"marketingskills/app/verify"
	"marketingskills/app/verify/fakeverifier"
	"marketingskills/tools/internal/pace"
)

// startRedis starts a real Redis on a port of its own, and returns its URL and
// what ends it.
func startRedis(t *testing.T) (address string, end func()) {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(free.Addr().String())
	free.Close()
	return startRedisAt(t, port)
}

func startRedisAt(t *testing.T, port string) (address string, end func()) {
	t.Helper()
	server, err := exec.LookPath("redis-server")
	if err != nil {
		t.Skip("not tried: redis-server (Debian's package of that name) is not in PATH")
	}
	cmd := exec.Command(server, "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", t.TempDir())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	end = sync.OnceFunc(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	t.Cleanup(end)
	address = "redis://127.0.0.1:" + port
	s, err := newShared(address)
	if err != nil {
		t.Fatal(err)
	}
	for s.ping(t.Context()) != nil {
		if t.Context().Err() != nil {
			t.Fatal("Redis does not start")
		}
		time.Sleep(10 * time.Millisecond)
	}
	return address, end
}

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
	redis, _ := startRedis(t)
	v := new(fakeverifier.Verifier)
	all := three(t, v, redis, "--remember", "0")
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
	if most := fakeverifier.Densest(at); most > pace.Limit || v.Refused() > 0 || len(v.Asked()) != 60 {
		t.Errorf("%d in a second, %d refused, %d asked", most, v.Refused(), len(v.Asked()))
	}
	// Places whose requests were written do not count until their leases end.
	if took := at[len(at)-1].Sub(at[0]); took > 12*time.Second {
		t.Errorf("60 calls took %v", took)
	}
}

// TestRedisForgets: a Redis that was started anew does not let ten more through
// in the same second.
func TestRedisForgets(t *testing.T) {
	address, end := startRedis(t)
	v := new(fakeverifier.Verifier)
	p := withVerifier(t, v, map[string]string{"REDIS_URL": address})
	round := func(name string) {
		var calls sync.WaitGroup
		for i := range pace.Limit {
			calls.Go(func() {
				for p.send(t, "POST", inlineOf(fmt.Sprint(name, i, "@mail.example")), "").status != http.StatusOK {
				}
			})
		}
		calls.Wait()
	}
	round("a")
	end()
	startRedisAt(t, address[strings.LastIndexByte(address, ':')+1:])
	round("b")
	if most := fakeverifier.Densest(v.Arrivals(pathInline)); most > pace.Limit || v.Refused() > 0 {
		t.Errorf("%d in a second, %d refused", most, v.Refused())
	}
}

// TestProxyThatDies: places that a killed proxy took are free again after their
// lease.
func TestProxyThatDies(t *testing.T) {
	t.Parallel() // it waits
	address, _ := startRedis(t)
	s, err := newShared(address)
	if err != nil {
		t.Fatal(err)
	}
	for range pace.Limit {
		if _, err := pace.Wait(t.Context(), s.window(pathInline)); err != nil {
			t.Fatal(err)
		}
	}
	if place, wait, err := s.window(pathInline).Allow(); place != nil || wait <= 0 || err != nil {
		t.Fatal(place != nil, wait, err)
	}
	if place, _, err := s.window(pathMe).Allow(); place == nil || err != nil {
		t.Error("another endpoint has to wait, too: ", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), pace.Lease+pace.Span+time.Second)
	defer cancel()
	if _, err := pace.Wait(ctx, s.window(pathInline)); err != nil {
		t.Error(err)
	}
}

// TestRedisAway: without Redis nothing is sent, and the caller hears why; once
// it is back, all goes on.
func TestRedisAway(t *testing.T) {
	address, end := startRedis(t)
	v := new(fakeverifier.Verifier)
	p := withVerifier(t, v, map[string]string{"REDIS_URL": address})
	if got := p.send(t, "POST", inlineOf("ann@mail.example"), ""); got.status != http.StatusOK {
		t.Fatalf("%d %s", got.status, got.body)
	}
	end()
	for _, call := range []string{"POST " + inlineOf("ben@mail.example"), "POST /api/v1/verify", "GET /me"} {
		method, target, _ := strings.Cut(call, " ")
		got := p.send(t, method, target, `{"emails":["ben@mail.example"]}`)
		if got.status != http.StatusServiceUnavailable || !strings.Contains(got.body, "cannot be read from Redis; nothing was sent") ||
			got.header.Get("Retry-After") == "" {
			t.Errorf("%s: %d %s", call, got.status, got.body)
		}
	}
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
	startRedisAt(t, address[strings.LastIndexByte(address, ':')+1:])
	if got := p.send(t, "POST", inlineOf("ben@mail.example"), ""); got.status != http.StatusOK {
		t.Errorf("Redis is back, and still: %d %s", got.status, got.body)
	}
}

// TestSharedMemory: what one proxy asked, another knows, and Redis holds
// neither the address nor the key.
func TestSharedMemory(t *testing.T) {
	address, _ := startRedis(t)
	server := new(fakeverifier.Verifier)
	one := withVerifier(t, server, map[string]string{"REDIS_URL": address})
	one.send(t, "POST", inlineOf("ann.secret@mail.example"), "")
	one.send(t, "POST", inlineOf("unknown.secret@mail.example"), "")

	options, err := redis.ParseURL(address)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	defer client.Close()
	keys := client.Keys(t.Context(), "*").Val()
	answers := 0
	for _, key := range keys {
		content := key
		if strings.Contains(key, ":answer:") {
			answers++
			content += client.Get(t.Context(), key).Val()
			if ttl := client.TTL(t.Context(), key).Val(); ttl <= 23*time.Hour || ttl > 24*time.Hour {
				t.Errorf("%s is kept for %v", key, ttl)
			}
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

// TestSharedAnswers: proxies in front of the same verifier share what they know.
func TestSharedAnswers(t *testing.T) {
	address, _ := startRedis(t)
	v := &fakeverifier.Verifier{Key: apiKey}
	upstream := serve(t, v)
	env := map[string]string{"REDIS_URL": address, "VERIFY_URL": upstream, "VERIFY_API_KEY": apiKey}
	start(t, env).send(t, "POST", inlineOf("ann@mail.example"), "")
	got := start(t, env).send(t, "POST", inlineOf("ann@mail.example"), "")
	if got.header.Get(verify.HeaderSource) != "remembered" || len(v.Asked()) != 1 {
		t.Errorf("%s, asked %q", got.header.Get(verify.HeaderSource), v.Asked())
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
	if most := fakeverifier.Densest(at); most > pace.Limit || v.Refused() > 0 || len(v.Asked()) != 200 {
		t.Errorf("%d in a second, %d refused, %d answered", most, v.Refused(), len(v.Asked()))
	}
	// Once it is under way: without the first ten, which come at once.
	rate := float64(len(at)-pace.Limit) / at[len(at)-1].Sub(at[0]).Seconds()
	t.Logf("%.2f a second", rate)
	if rate < 9.5 {
		t.Errorf("%.2f a second; 9.5 were wanted", rate)
	}
}

// TestEqualCallsAtTwoProxies: an address is asked about once, whichever proxy a
// call comes to; after a failure it is free for the other.
func TestEqualCallsAtTwoProxies(t *testing.T) {
	redis, _ := startRedis(t)
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
