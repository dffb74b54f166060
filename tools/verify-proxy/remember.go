package main

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"

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
	name  []byte // key of the HMAC
	aead  cipher.AEAD
}

// store keeps bytes for a while. What it has lost was never there: it reports no
// errors.
type store interface {
	get(ctx context.Context, name string) (value []byte, ok bool)
	set(ctx context.Context, name string, value []byte)
	// claim tells whether nobody else has claimed a name and not released it since;
	// whoever has goes on to set its value.
	claim(ctx context.Context, name string) bool
	release(ctx context.Context, name string)
}

// newMemory derives the keys. upstream is part of them, because another
// verifier may answer otherwise.
func newMemory(apiKey, upstream string, s store) (*memory, error) {
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
	return &memory{store: s, name: keys[:size], aead: aead}, nil
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
	if err == nil {
		err = json.Unmarshal(plain, &r)
	}
	return r, err == nil
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
	m.store.set(ctx, name, m.aead.Seal(nil, nil, plain, []byte(name)))
}

// claim tells whether the verifier may be asked about an address: no other proxy
// is at it. release must be called when the answer is remembered, or there is
// none.
func (m *memory) claim(ctx context.Context, address string) (release func(), ok bool) {
	if m == nil {
		return func() {}, true
	}
	name := m.nameOf(address)
	return func() { m.store.release(context.WithoutCancel(ctx), name) }, m.store.claim(ctx, name)
}

// localStore is the [store] of one process. What was used longest ago makes
// room.
type localStore struct {
	answers *expirable.LRU[string, []byte]
}

func newLocalStore(keep time.Duration) store {
	return localStore{expirable.NewLRU[string, []byte](mostRemembered, nil, keep)}
}

func (s localStore) get(_ context.Context, name string) ([]byte, bool) { return s.answers.Get(name) }

func (s localStore) set(_ context.Context, name string, value []byte) { s.answers.Add(name, value) }

// Nobody else asks: equal questions of one process are one, see [questions].
func (localStore) claim(context.Context, string) bool { return true }

func (localStore) release(context.Context, string) {}
