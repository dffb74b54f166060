package main

import (
	"io"
	"net"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// server is a real Redis.
type server struct {
	address string // its URL
	port    string
	client  *redis.Client
	command []string
	process *exec.Cmd
}

// startRedis starts a Redis on a port of its own, without snapshots unless the
// options say otherwise.
func startRedis(t *testing.T, options ...string) *server {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		t.Skip("NOT CHECKED: a limit that proxies share, since redis-server (Debian's package of that name) is not in PATH")
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(free.Addr().String())
	free.Close()
	s := &server{address: "redis://127.0.0.1:" + port, port: port,
		client: redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + port, MaxRetries: -1}),
		command: append([]string{program, "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
			"--dir", t.TempDir()}, options...)}
	t.Cleanup(func() {
		s.client.Close()
		s.kill()
	})
	s.start(t)
	return s
}

// start starts it anew, with what it has saved.
func (s *server) start(t *testing.T) {
	t.Helper()
	s.process = exec.Command(s.command[0], s.command[1:]...)
	if err := s.process.Start(); err != nil {
		t.Error(err)
		return
	}
	for s.client.Ping(t.Context()).Err() != nil && t.Context().Err() == nil {
		time.Sleep(10 * time.Millisecond)
	}
}

func (s *server) kill() {
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
}

// do sends it a command of several words.
func (s *server) do(t *testing.T, command string) {
	t.Helper()
	words := []any{}
	for _, word := range strings.Fields(command) {
		words = append(words, word)
	}
	if err := s.client.Do(t.Context(), words...).Err(); err != nil {
		t.Errorf("%s: %v", command, err)
	}
}

// info returns a field of what it says about itself.
func (s *server) info(t *testing.T, field string) string {
	_, rest, _ := strings.Cut(s.client.Info(t.Context(), "everything").Val(), "\n"+field+":")
	value, _, _ := strings.Cut(rest, "\r")
	return value
}

// evict makes it drop what it may by a policy, until there is nothing left.
func (s *server) evict(t *testing.T, policy string) {
	t.Helper()
	s.do(t, "CONFIG SET maxmemory-policy "+policy)
	s.do(t, "CONFIG SET maxmemory 1")
	for before := ""; s.info(t, "evicted_keys") != before; {
		before = s.info(t, "evicted_keys")
		_ = s.client.Set(t.Context(), "more", 1, 0).Err() // there is no room
	}
	s.keep(t)
}

// keep makes it evict nothing more.
func (s *server) keep(t *testing.T) {
	t.Helper()
	s.do(t, "CONFIG SET maxmemory 0")
	s.do(t, "CONFIG SET maxmemory-policy noeviction")
}

// road is an address that leads to one Redis after the other, as the name or
// the virtual IP address of a primary does.
type road struct {
	listener net.Listener
	mu       sync.Mutex
	to       string // a port; "": connections are closed
	conns    []net.Conn
}

func newRoad(t *testing.T, to *server) *road {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &road{listener: listener, to: to.port}
	var all sync.WaitGroup
	t.Cleanup(func() {
		listener.Close()
		r.lead(nil)
		all.Wait()
	})
	all.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			all.Go(func() { r.join(conn) })
		}
	})
	return r
}

func (r *road) port() string {
	_, port, _ := net.SplitHostPort(r.listener.Addr().String())
	return port
}

func (r *road) join(conn net.Conn) {
	defer conn.Close()
	r.mu.Lock()
	server, err := net.Dial("tcp", "127.0.0.1:"+r.to)
	if err != nil {
		r.mu.Unlock()
		return
	}
	r.conns = append(r.conns, conn, server)
	r.mu.Unlock()
	go func() {
		_, _ = io.Copy(server, conn)
		server.Close()
	}()
	_, _ = io.Copy(conn, server)
}

// lead closes all connections; new ones lead to another Redis, or nowhere.
func (r *road) lead(to *server) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, conn := range r.conns {
		conn.Close()
	}
	r.to, r.conns = "", nil
	if to != nil {
		r.to = to.port
	}
}
