package main

import (
	"context"
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
// does not spend twice. Whoever reads the store learns of nobody: an answer is
// kept without the address, names and domains, under an HMAC of the address (a
// plain digest of an address can be found by trying addresses), whose key comes
// from the API key.
type memory struct {
	store store
	key   []byte // of the HMAC
}

// remembered is what is kept of an answer.
type remembered struct {
	State      verify.State    `json:"email_state"`
	SubState   verify.SubState `json:"email_sub_state"`
	VerifiedAt string          `json:"verified_at"`
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

// newMemory derives the key. upstream is part of it, because another verifier may
// answer otherwise.
func newMemory(apiKey, upstream string, s store) (*memory, error) {
	key, err := hkdf.Key(sha256.New, []byte(apiKey), nil, "verify-proxy answers "+upstream, sha256.Size)
	if err != nil {
		return nil, fmt.Errorf("deriving a key: %w", err)
	}
	return &memory{s, key}, nil
}

func (m *memory) nameOf(address string) string {
	mac := hmac.New(sha256.New, m.key)
	mac.Write([]byte(verify.Key(address)))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// recall puts what is remembered of an address into a result, and reports whether
// there is anything.
func (m *memory) recall(ctx context.Context, address string, into *verify.Result) bool {
	if m == nil {
		return false
	}
	var r remembered
	value, ok := m.store.get(ctx, m.nameOf(address))
	if !ok || json.Unmarshal(value, &r) != nil || r.State == "" {
		return false
	}
	into.State, into.SubState, into.VerifiedAt = r.State, r.SubState, r.VerifiedAt
	return true
}

// remember keeps an answer, unless a later one may be better.
func (m *memory) remember(ctx context.Context, address string, r verify.Result) {
	if m == nil || r.State == verify.Unknown {
		return
	}
	value, err := json.Marshal(remembered{r.State, r.SubState, r.VerifiedAt})
	if err == nil && len(value) <= longestAnswer {
		m.store.set(ctx, m.nameOf(address), value)
	}
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
