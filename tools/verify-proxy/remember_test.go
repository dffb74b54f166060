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

// TestStoreTellsNothing: what is kept holds no address and no name, and only the
// same key at the same verifier finds it.
func TestStoreTellsNothing(t *testing.T) {
	s := seen{}
	r := verify.Result{Address: "ann@mail.example", Domain: "mail.example", Canonical: "ann@mail.example", FirstName: "Annabella", LastName: "Bell",
		DidYouMean: "anna@mail.example", State: verify.OK, SubState: verify.IsRole, VerifiedAt: "2026-11-03T10:00:00Z", MXRecord: "mx.mail.example"}
	m := memoryOf(t, apiKey, "https://v.example", s)
	m.remember(t.Context(), r.Address, r)
	if len(s) != 1 {
		t.Fatal(len(s))
	}
	for name, value := range s {
		for _, word := range []string{"ann@", "Annabella", "Bell", "mail.example"} {
			if strings.Contains(name+string(value), word) {
				t.Errorf("%s stands in %s %q", word, name, value)
			}
		}
	}
	local := verify.Result{Address: "ann@MAIL.example", Domain: "mail.example", State: verify.Unknown, Reason: "it looks right"}
	got, want := local, local
	want.State, want.SubState, want.VerifiedAt = r.State, r.SubState, r.VerifiedAt
	if !m.recall(t.Context(), " ann@MAIL.example", &got) || got != want {
		t.Errorf("%+v", got)
	}
	for _, other := range []*memory{memoryOf(t, "another-key", "https://v.example", s), memoryOf(t, apiKey, "https://w.example", s)} {
		if other.recall(t.Context(), r.Address, &got) || other.nameOf(r.Address) == m.nameOf(r.Address) {
			t.Errorf("it found %+v", got)
		}
	}
	// What is not an answer is not taken for one.
	for _, value := range []string{"", "{}", "null", "[]", "ok", `{"email_state":1}`} {
		s[m.nameOf("ben@mail.example")] = []byte(value)
		if got := local; m.recall(t.Context(), "ben@mail.example", &got) || got != local {
			t.Errorf("%q is %+v", value, got)
		}
	}
}

// TestLongAnswersAreNotKept: memory is bounded in bytes, too.
func TestLongAnswersAreNotKept(t *testing.T) {
	s := seen{}
	r := verify.Result{State: verify.OK, SubState: verify.SubState(strings.Repeat("x", longestAnswer))}
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
