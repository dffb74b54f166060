package main

import (
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// doors is a listener that keeps so many connections at most, and half of them
// for one client. Where there is no room for one more, the connection that has
// been quiet for longest makes it; if none is quiet, a client that has its half
// is turned away, and others wait. Package netutil only has the waiting.
type doors struct {
	net.Listener
	most int

	mu     sync.Mutex
	room   sync.Cond // there may be more than before, or the doors have closed
	inside map[*visitor]bool
	closed bool
}

// visitor is a connection.
type visitor struct {
	net.Conn
	doors  *doors
	client string
	quiet  time.Time // since when no request has come, with its whole header; zero: one has
}

func newDoors(l net.Listener, most int) *doors {
	d := &doors{Listener: l, most: most, inside: map[*visitor]bool{}}
	d.room.L = &d.mu
	return d
}

// clientOf is whose an address with a port is: in IPv6, a client has a network
// of them.
func clientOf(remote string) string {
	at, err := netip.ParseAddrPort(remote)
	if err != nil {
		return remote
	}
	ip := at.Addr().Unmap()
	if ip.Is4() {
		return ip.String()
	}
	return netip.PrefixFrom(ip.WithZone(""), 64).Masked().String()
}

// Accept returns the next connection that there is room for.
func (d *doors) Accept() (net.Conn, error) {
	for {
		conn, err := d.Listener.Accept()
		if err != nil {
			return nil, err
		}
		v := &visitor{Conn: conn, doors: d, client: clientOf(conn.RemoteAddr().String())}
		if d.admit(v) {
			return v, nil
		}
		conn.Close()
	}
}

// admit waits until there is room for a connection, and tells whether it may
// come in.
func (d *doors) admit(v *visitor) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.makeRoom(d.most/2, func(other *visitor) bool { return other.client == v.client }) {
		return false
	}
	for !d.makeRoom(d.most, func(*visitor) bool { return true }) && !d.closed {
		d.room.Wait()
	}
	v.quiet = time.Now()
	d.inside[v] = true
	return !d.closed
}

// makeRoom tells whether there are fewer connections of a kind than so many,
// once the quietest of them has left if need be. Callers hold the lock.
func (d *doors) makeRoom(most int, ofKind func(*visitor) bool) bool {
	n := 0
	var quietest *visitor
	for v := range d.inside {
		if !ofKind(v) {
			continue
		}
		n++
		if !v.quiet.IsZero() && (quietest == nil || v.quiet.Before(quietest.quiet)) {
			quietest = v
		}
	}
	if n >= most && quietest != nil {
		delete(d.inside, quietest)
		quietest.Conn.Close()
		n--
	}
	return n < most
}

// state is the server's ConnState.
func (d *doors) state(conn net.Conn, state http.ConnState) {
	v, ok := conn.(*visitor)
	if !ok {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	switch state {
	case http.StateActive:
		v.quiet = time.Time{}
	case http.StateIdle:
		v.quiet = time.Now()
		d.room.Signal()
	}
}

// Close ends the waiting, too.
func (d *doors) Close() error {
	d.mu.Lock()
	d.closed = true
	d.room.Signal()
	d.mu.Unlock()
	return d.Listener.Close()
}

func (v *visitor) Close() error {
	v.doors.mu.Lock()
	delete(v.doors.inside, v)
	v.doors.room.Signal()
	v.doors.mu.Unlock()
	return v.Conn.Close()
}
