package main

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"marketingskills/app/verify"
)

// seen is a store that keeps everything and can be looked into.
type seen map[string][]byte

func (s seen) get(_ context.Context, name string) ([]byte, bool) {
	value, ok := s[name]
	return value, ok
}

func (s seen) set(_ context.Context, name string, value []byte) { s[name] = value }

func (seen) claim(context.Context, string) bool { return true }

func (seen) release(context.Context, string) {}

func memoryOf(t *testing.T, key, upstream string, s store) *memory {
	t.Helper()
	m, err := newMemory(key, upstream, s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestStoreTellsNothing: what is kept holds no address and no state, and only
// the same key at the same verifier finds and reads it.
func TestStoreTellsNothing(t *testing.T) {
	s := seen{}
	r := verify.Result{Address: "ann@mail.example", Domain: "mail.example", State: verify.OK, FirstName: "Annabella"}
	m := memoryOf(t, apiKey, "https://v.example", s)
	m.remember(t.Context(), r.Address, r)
	if len(s) != 1 {
		t.Fatal(len(s))
	}
	for name, value := range s {
		for _, word := range []string{"ann@", "Annabella", "mail.example", `"ok"`} {
			if strings.Contains(name+string(value), word) {
				t.Errorf("%s stands in %s %q", word, name, value)
			}
		}
	}
	if got, ok := m.recall(t.Context(), " ann@MAIL.example"); !ok || got != r {
		t.Errorf("%+v, %v", got, ok)
	}
	for _, other := range []*memory{memoryOf(t, "another-key", "https://v.example", s), memoryOf(t, apiKey, "https://w.example", s)} {
		if got, ok := other.recall(t.Context(), r.Address); ok || other.nameOf(r.Address) == m.nameOf(r.Address) {
			t.Errorf("it found %+v", got)
		}
	}
	// An answer moved to another address's name is not taken for its own.
	for _, value := range s {
		s[m.nameOf("ben@mail.example")] = value
	}
	if got, ok := m.recall(t.Context(), "ben@mail.example"); ok {
		t.Errorf("it took %+v for the answer about ben", got)
	}
}

// TestLongAnswersAreNotKept: memory is bounded in bytes, too.
func TestLongAnswersAreNotKept(t *testing.T) {
	s := seen{}
	r := verify.Result{State: verify.OK, FirstName: strings.Repeat("x", longestAnswer)}
	if memoryOf(t, apiKey, "", s).remember(t.Context(), "ann@mail.example", r); len(s) > 0 {
		t.Error("it is kept")
	}
}

// TestLocalStoreIsBounded: what was used longest ago goes first, and all in time.
func TestLocalStoreIsBounded(t *testing.T) {
	s, ctx := newLocalStore(time.Hour), t.Context()
	for i := range mostRemembered {
		s.set(ctx, fmt.Sprint(i), nil)
	}
	s.get(ctx, "0")
	s.set(ctx, "one more", nil)
	s.set(ctx, "one more", nil)
	_, zero := s.get(ctx, "0")
	_, one := s.get(ctx, "1")
	if _, two := s.get(ctx, "2"); !zero || one || !two {
		t.Errorf("0: %v, 1: %v, 2: %v", zero, one, two)
	}
	s = newLocalStore(20 * time.Millisecond)
	s.set(ctx, "a", nil)
	for _, ok := s.get(ctx, "a"); ok; _, ok = s.get(ctx, "a") {
		time.Sleep(time.Millisecond)
	}
}
