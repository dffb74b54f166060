package maildns

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// zone is what the name server of tests knows: the mail servers of a domain,
// and whether it has an address. It answers nothing about silent.example, and
// fails for those that begin with fail.
var zone = map[string]struct {
	mx       []string
	address  dnsmessage.Type // A or AAAA
	mxFailed bool
}{
	"mx.example.":       {mx: []string{"mail.example."}},
	"several.example.":  {mx: []string{".", "mail.example."}},
	"null.example.":     {mx: []string{"."}, address: dnsmessage.TypeA},
	"address.example.":  {address: dnsmessage.TypeA},
	"six.example.":      {address: dnsmessage.TypeAAAA},
	"nothing.example.":  {},
	"mxfailed.example.": {address: dnsmessage.TypeA, mxFailed: true},
}

// respond is the answer to a question, nil for none.
func respond(t *testing.T, question []byte, knowsNothing bool) []byte {
	var m dnsmessage.Message
	if err := m.Unpack(question); err != nil || len(m.Questions) != 1 {
		t.Errorf("the question is %+v, %v", m, err)
		return nil
	}
	q := m.Questions[0]
	name := strings.ToLower(q.Name.String())
	known, ok := zone[name]
	m.Header = dnsmessage.Header{ID: m.ID, Response: true, RecursionDesired: true, RecursionAvailable: true}
	m.Additionals = nil
	head := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: dnsmessage.ClassINET, TTL: 60}
	switch {
	case name == "silent.example.":
		return nil
	case strings.HasPrefix(name, "fail"), known.mxFailed && q.Type == dnsmessage.TypeMX:
		m.RCode = dnsmessage.RCodeServerFailure
	case name == "com." && q.Type == dnsmessage.TypeNS && !knowsNothing:
		m.Answers = append(m.Answers, dnsmessage.Resource{Header: head, Body: &dnsmessage.NSResource{NS: dnsmessage.MustNewName("ns.example.")}})
	case !ok:
		m.RCode = dnsmessage.RCodeNameError
	case q.Type == dnsmessage.TypeMX:
		for _, host := range known.mx {
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: head, Body: &dnsmessage.MXResource{MX: dnsmessage.MustNewName(host)}})
		}
	case q.Type == known.address && q.Type == dnsmessage.TypeA:
		m.Answers = append(m.Answers, dnsmessage.Resource{Header: head, Body: &dnsmessage.AResource{A: [4]byte{192, 0, 2, 1}}})
	case q.Type == known.address:
		m.Answers = append(m.Answers, dnsmessage.Resource{Header: head, Body: &dnsmessage.AAAAResource{AAAA: [16]byte{0x20, 1, 0xd, 0xb8}}})
	}
	answer, err := m.Pack()
	if err != nil {
		t.Error(err)
	}
	return answer
}

// nameServer answers on UDP; the resolver asks nobody else.
func nameServer(t *testing.T, knowsNothing bool) *net.Resolver {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var served sync.WaitGroup
	served.Go(func() {
		buffer := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buffer)
			if err != nil {
				return
			}
			if answer := respond(t, buffer[:n], knowsNothing); answer != nil {
				conn.WriteTo(answer, from)
			}
		}
	})
	t.Cleanup(func() { conn.Close(); served.Wait() })
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

func TestReceives(t *testing.T) {
	c := New(nameServer(t, false))
	const none = "the domain does not exist or has no mail server"
	for domain, want := range map[string]struct {
		ok   bool
		why  string
		fail string // part of the error
	}{
		"mx.example": {ok: true}, "several.example": {ok: true}, "address.example": {ok: true}, "six.example": {ok: true},
		"null.example": {why: "the domain takes no email"}, "nothing.example": {why: none}, "nowhere.example": {why: none},
		"fail.example":     {fail: "asking for the mail servers of fail.example: "},
		"mxfailed.example": {fail: "asking for the mail servers of mxfailed.example: "},
		"bücher.example":   {fail: "the domain is not written in ASCII"},
	} {
		ok, why, err := c.Receives(t.Context(), domain)
		if ok != want.ok || why != want.why || (err == nil) != (want.fail == "") || err != nil && !strings.HasPrefix(err.Error(), want.fail) {
			t.Errorf("%s: %v, %q, %v; want %+v", domain, ok, why, err, want)
		}
	}
	if c.Failed() != 3 {
		t.Errorf("%d domains failed", c.Failed())
	}
	c.timeout = 100 * time.Millisecond
	if ok, why, err := c.Receives(t.Context(), "silent.example"); ok || why != "" || err == nil || c.Failed() != 4 {
		t.Errorf("no answer: %v, %q, %v", ok, why, err)
	}
}

// TestResolverThatKnowsNothing: its word does not make emails invalid.
func TestResolverThatKnowsNothing(t *testing.T) {
	c := New(nameServer(t, true))
	if ok, why, err := c.Receives(t.Context(), "nowhere.example"); ok || why != "" || err == nil || !strings.Contains(err.Error(), "does not know .com") {
		t.Errorf("%v, %q, %v", ok, why, err)
	}
	if ok, _, err := c.Receives(t.Context(), "mx.example"); !ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
}

// roaming is a machine that moves at its n-th question: from the open network,
// where good.example has a mail server, to one that wants a login first, or the
// other way round. There, nothing exists, or, with a filter, nothing takes email.
type roaming struct {
	open, filter bool
	asked, moves int
}

// ask returns whether the network is open, and that there is nothing.
func (r *roaming) ask() (open bool, none error) {
	if r.asked++; r.asked == r.moves {
		r.open = !r.open
	}
	return r.open, &net.DNSError{Err: "no such host", IsNotFound: true}
}

func (r *roaming) LookupMX(_ context.Context, name string) ([]*net.MX, error) {
	open, none := r.ask()
	switch {
	case open && name == "good.example.":
		return []*net.MX{{Host: "mail.example."}}, nil
	case !open && r.filter:
		return []*net.MX{{Host: "."}}, nil
	}
	return nil, none
}

func (r *roaming) LookupIPAddr(context.Context, string) ([]net.IPAddr, error) {
	_, none := r.ask()
	return nil, none
}

func (r *roaming) LookupNS(context.Context, string) ([]*net.NS, error) {
	open, none := r.ask()
	switch {
	case open:
		return []*net.NS{{Host: "ns.example."}}, nil
	case r.filter:
		return nil, nil
	}
	return nil, none
}

// TestAnotherNetwork: whichever question a machine moves before, a good domain
// is never declared dead.
func TestAnotherNetwork(t *testing.T) {
	for variant := range 4 {
		for moves := range 16 {
			r := &roaming{open: variant&1 == 0, filter: variant&2 == 0, moves: moves}
			c := New(r)
			for _, domain := range []string{"bad.example", "good.example", "worse.example"} {
				delete(c.answers, "good.example") // as after an hour
				ok, why, err := c.Receives(t.Context(), domain)
				if domain == "good.example" && !ok && err == nil {
					t.Errorf("moved before question %d, variant %d: %s", moves, variant, why)
				}
			}
		}
	}
}

func TestNoNetwork(t *testing.T) {
	c := New(&net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("network is unreachable")
	}})
	if ok, why, err := c.Receives(t.Context(), "nowhere.example"); ok || why != "" || err == nil {
		t.Errorf("%v, %q, %v", ok, why, err)
	}
}

// slow answers after a second that a domain has a mail server.
type slow struct {
	mu    sync.Mutex
	asked map[string]int
}

func (s *slow) LookupMX(ctx context.Context, name string) ([]*net.MX, error) {
	s.mu.Lock()
	s.asked[name]++
	s.mu.Unlock()
	select {
	case <-time.After(time.Second):
		return []*net.MX{{Host: "mail.example."}}, nil
	case <-ctx.Done():
		return nil, &net.DNSError{Err: ctx.Err().Error(), IsTimeout: true}
	}
}

func (s *slow) LookupIPAddr(context.Context, string) ([]net.IPAddr, error) {
	return nil, errors.New("it was asked for an address")
}

func (s *slow) LookupNS(context.Context, string) ([]*net.NS, error) { return []*net.NS{{}}, nil }

func TestManyAskOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &slow{asked: map[string]int{}}
		c := New(r)
		var all sync.WaitGroup
		for i := range 100 {
			all.Go(func() {
				if ok, _, err := c.Receives(t.Context(), fmt.Sprintf("d%d.example", i%5)); !ok || err != nil {
					t.Errorf("%v, %v", ok, err)
				}
			})
		}
		all.Wait()
		if len(r.asked) != 5 || r.asked["d0.example."] != 1 {
			t.Errorf("it asked %v", r.asked)
		}
		c.most = 5 // full: one of them is forgotten
		for i := range 20 {
			c.Receives(t.Context(), fmt.Sprintf("e%d.example", i))
			if len(c.answers) > 5 {
				t.Fatalf("it keeps %d answers", len(c.answers))
			}
		}
	})
}

// TestInterrupted: what one caller gave up is asked for again.
func TestInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(&slow{asked: map[string]int{}})
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() {
				if ok, _, err := c.Receives(ctx, "d.example"); ok || err == nil {
					t.Errorf("interrupted: %v, %v", ok, err)
				}
			})
		}
		all.Wait()
		if ok, _, err := c.Receives(t.Context(), "d.example"); !ok || err != nil || c.Failed() != 0 {
			t.Errorf("asked again: %v, %v, %d failed", ok, err, c.Failed())
		}
	})
}

// changing answers as it is told at the time, at once.
type changing struct {
	mx    []*net.MX
	err   error
	asked int
}

func (c *changing) LookupMX(context.Context, string) ([]*net.MX, error) {
	c.asked++
	return c.mx, c.err
}

func (c *changing) LookupIPAddr(context.Context, string) ([]net.IPAddr, error) { return nil, c.err }

func (c *changing) LookupNS(context.Context, string) ([]*net.NS, error) { return []*net.NS{{}}, nil }

// TestAnswersExpire: a verdict holds for an hour, a failure for seconds.
func TestAnswersExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &changing{err: &net.DNSError{IsNotFound: true}}
		c := New(r)
		expect := func(wantOK, wantErr bool, wantAsked, wantFailed int) {
			t.Helper()
			ok, _, err := c.Receives(t.Context(), "new.example")
			if ok != wantOK || (err != nil) != wantErr || r.asked != wantAsked || c.Failed() != wantFailed {
				t.Errorf("%v, %v, asked %d times, %d failed", ok, err, r.asked, c.Failed())
			}
		}
		expect(false, false, 2, 0) // it asks again before it says no
		r.mx, r.err = []*net.MX{{Host: "mail.example."}}, nil
		time.Sleep(time.Hour - time.Second)
		expect(false, false, 2, 0)
		time.Sleep(time.Second)
		expect(true, false, 3, 0)
		r.mx, r.err = nil, errors.New("network is unreachable")
		time.Sleep(time.Hour)
		expect(false, true, 4, 1)
		expect(false, true, 4, 1)
		time.Sleep(10 * time.Second)
		expect(false, true, 5, 1) // the same domain
		r.mx, r.err = []*net.MX{{Host: "mail.example."}}, nil
		time.Sleep(10 * time.Second)
		expect(true, false, 6, 0)
	})
}

// TestAskerLeaves: who waits for the answer that another one asked for gets it,
// although that one gave up.
func TestAskerLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &slow{asked: map[string]int{}}
		c := New(r)
		leaving, leave := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer leave()
		var all sync.WaitGroup
		all.Go(func() {
			if _, _, err := c.Receives(leaving, "d.example"); err == nil {
				t.Error("an answer came after half the time")
			}
		})
		synctest.Wait()
		for range 10 {
			all.Go(func() {
				if ok, _, err := c.Receives(t.Context(), "d.example"); !ok || err != nil {
					t.Errorf("the other left: %v, %v", ok, err)
				}
			})
		}
		all.Wait()
		if r.asked["d.example."] != 2 || c.Failed() != 0 {
			t.Errorf("it asked %v, %d failed", r.asked, c.Failed())
		}
	})
}
