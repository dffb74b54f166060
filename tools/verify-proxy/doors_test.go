package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"
)

// visit connects from an IP address of this machine and sends something.
func visit(t *testing.T, from, host, sent string) net.Conn {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	conn, err := dialer.DialContext(t.Context(), "tcp", host)
	if err != nil {
		t.Skipf("not tried: so many connections from %s cannot be made here: %v", from, err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := io.WriteString(conn, sent); err != nil {
		t.Fatal(err)
	}
	return conn
}

// answered reads the head of an answer, and gives up after a while.
func answered(t *testing.T, conn net.Conn, patience time.Duration) error {
	t.Helper()
	if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	_, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: http.MethodHead})
	return err
}

const wholeRequest = "HEAD /sub/ HTTP/1.1\r\nHost: a\r\n\r\n"

// TestQuietConnectionsMakeRoom: a client who keeps as many connections as there
// may be, and asks for nothing more, shuts nobody out.
func TestQuietConnectionsMakeRoom(t *testing.T) {
	for name, sent := range map[string]string{"after an answer": wholeRequest, "before a request": "", "in a header": "HEAD /sub/ HTTP/1.1\r\n"} {
		t.Run(name, func(t *testing.T) {
			host := strings.TrimPrefix(start(t, nil).url, "http://")
			for range mostConnections {
				conn := visit(t, "127.0.0.1", host, sent)
				if sent != wholeRequest {
					continue
				}
				if err := answered(t, conn, 5*time.Second); err != nil {
					t.Fatal(err)
				}
			}
			if err := answered(t, visit(t, "127.0.0.1", host, wholeRequest), 5*time.Second); err != nil {
				t.Errorf("one more than %d: %v", mostConnections, err)
			}
		})
	}
}

// TestOneClientLeavesRoom: a client whose requests never end has half of the
// connections at most.
func TestOneClientLeavesRoom(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("not tried: only Linux has more than one address of this machine without setting them up")
	}
	host := strings.TrimPrefix(start(t, nil).url, "http://")
	unfinished := "POST /api/v1/verify HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: 9\r\n\r\n{"
	for range mostConnections / 2 {
		visit(t, "127.0.0.1", host, unfinished)
	}
	// Some may not have been read yet, and make room for the next.
	more := 0
	for answered(t, visit(t, "127.0.0.1", host, wholeRequest), 5*time.Second) == nil {
		visit(t, "127.0.0.1", host, unfinished)
		if more++; more == mostConnections/4 {
			t.Fatal("it had more than half of the connections")
		}
	}
	if err := answered(t, visit(t, "127.0.0.2", host, wholeRequest), 5*time.Second); err != nil {
		t.Errorf("another client: %v", err)
	}
}

// TestFull: where all connections are busy, the next one waits until one of them
// is not, and the end of the server for nothing.
func TestFull(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("not tried: only Linux has more than one address of this machine without setting them up")
	}
	listener, err := listen("127.0.0.1:0", 4)
	if err != nil {
		t.Fatal(err)
	}
	arrived, answer := make(chan struct{}, 4), make(chan struct{})
	server := &http.Server{ConnState: listener.state, Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		arrived <- struct{}{}
		<-answer
	})}
	ended := make(chan error)
	go func() { ended <- server.Serve(listener) }()
	host := listener.Addr().String()
	var busy []net.Conn
	for i := range 4 {
		busy = append(busy, visit(t, fmt.Sprintf("127.0.0.%d", 2+i/2), host, wholeRequest))
		<-arrived
	}
	next := visit(t, "127.0.0.9", host, wholeRequest)
	if err := answered(t, next, 100*time.Millisecond); err == nil {
		t.Error("one more than 4 was served")
	}
	answer <- struct{}{} // one connection has its answer and makes room
	select {
	case <-arrived:
	case <-time.After(5 * time.Second):
		t.Error("it was not served when there was room")
	}
	close(answer)
	if err := answered(t, next, 5*time.Second); err != nil {
		t.Error(err)
	}
	for _, conn := range busy {
		_ = answered(t, conn, 5*time.Second) // one of them made room
		conn.Close()
	}
	if err := server.Shutdown(t.Context()); err != nil || <-ended != http.ErrServerClosed {
		t.Error(err)
	}
}

// TestClients: an IPv6 client has a network of addresses for itself.
func TestClients(t *testing.T) {
	for remote, want := range map[string]string{
		"192.0.2.1:80": "192.0.2.1", "[::ffff:192.0.2.1]:80": "192.0.2.1", "[2001:db8:1:2:3::4]:80": "2001:db8:1:2::/64",
		"[fe80::1%eth0]:80": "fe80::/64", "[::1]:80": "::/64", "odd": "odd",
	} {
		if got := clientOf(remote); got != want {
			t.Errorf("%s: %s, want %s", remote, got, want)
		}
	}
}

// TestLogIsBounded: a caller cannot fill it with what he calls a method.
func TestLogIsBounded(t *testing.T) {
	p := start(t, nil)
	for _, target := range []string{pathMe, "/api/" + strings.Repeat("x", 50_000)} {
		p.send(t, strings.Repeat("X", 5000), target, "")
	}
	if err := p.stop(); err != nil {
		t.Error(err)
	}
	if log := p.log.String(); len(log) > 1000 || !strings.Contains(log, "method=XXXX") {
		t.Errorf("the log has %d bytes: %.300s", len(log), log)
	}
}
