package main

import (
	"container/list"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"marketingskills/app/verify"
)

// memory remembers the verifier's answers for a while, so that asking twice
// does not spend twice. Whoever reads the store learns nothing from it: an
// address is looked up by its HMAC (a plain digest of an address can be found
// by trying addresses), and its answer, which holds the address, is encrypted.
// Both keys come from the API key, so that an answer can be read by those who
// could have asked for it.
type memory struct {
	store store
	keep  time.Duration
	name  []byte // key of the HMAC
	aead  cipher.AEAD
}

// store keeps bytes. What it has lost was never there: it reports no errors.
type store interface {
	get(ctx context.Context, name string) (value []byte, ok bool)
	set(ctx context.Context, name string, value []byte, keep time.Duration)
}

// newMemory derives the keys. upstream is part of them, because another
// verifier may answer otherwise.
func newMemory(apiKey, upstream string, keep time.Duration, s store) (*memory, error) {
	const size = 32 // bytes of a key
	keys, err := hkdf.Key(sha256.New, []byte(apiKey), nil, "verify-proxy answers "+upstream, 2*size)
	if err != nil {
		return nil, fmt.Errorf("deriving keys: %w", err)
	}
	block, err := aes.NewCipher(keys[size:])
	if err != nil {
		return nil, fmt.Errorf("preparing the encryption: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("preparing the encryption: %w", err)
	}
	return &memory{store: s, keep: keep, name: keys[:size], aead: aead}, nil
}

func (m *memory) nameOf(address string) string {
	mac := hmac.New(sha256.New, m.name)
	mac.Write([]byte(verify.Key(address)))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// recall returns the answer about an address, if it is remembered.
func (m *memory) recall(ctx context.Context, address string) (r verify.Result, ok bool) {
	if m == nil {
		return r, false
	}
	name := m.nameOf(address)
	sealed, ok := m.store.get(ctx, name)
	if !ok {
		return r, false
	}
	plain, err := m.aead.Open(nil, nil, sealed, []byte(name))
	return r, err == nil && json.Unmarshal(plain, &r) == nil
}

// remember keeps an answer, unless a later one may be better.
func (m *memory) remember(ctx context.Context, address string, r verify.Result) {
	if m == nil || r.State == verify.Unknown {
		return
	}
	plain, err := json.Marshal(r)
	if err != nil || len(plain) > longestAnswer {
		return
	}
	name := m.nameOf(address)
	m.store.set(ctx, name, m.aead.Seal(nil, nil, plain, []byte(name)), m.keep)
}

const (
	// longestAnswer that is remembered, in bytes; usual ones have 300.
	longestAnswer = 2 << 10
	// mostRemembered is how many answers a process keeps.
	mostRemembered = 20_000
)

// localStore keeps what was used last.
type localStore struct {
	mu    sync.Mutex
	order list.List // of *kept, the last used first
	at    map[string]*list.Element
}

type kept struct {
	name  string
	value []byte
	until time.Time
}

func (s *localStore) get(_ context.Context, name string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.at[name]
	if !ok {
		return nil, false
	}
	k := e.Value.(*kept)
	if time.Now().After(k.until) {
		s.remove(e)
		return nil, false
	}
	s.order.MoveToFront(e)
	return k.value, true
}

func (s *localStore) set(_ context.Context, name string, value []byte, keep time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at == nil {
		s.at = map[string]*list.Element{}
	}
	if e, ok := s.at[name]; ok {
		s.remove(e)
	}
	s.at[name] = s.order.PushFront(&kept{name, value, time.Now().Add(keep)})
	if s.order.Len() > mostRemembered {
		s.remove(s.order.Back())
	}
}

func (s *localStore) remove(e *list.Element) {
	delete(s.at, s.order.Remove(e).(*kept).name)
}
