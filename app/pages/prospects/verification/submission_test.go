package verification

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"marketingskills/app/rest"
	"marketingskills/app/verify/fakeverifier"
	"marketingskills/app/verify/truelist"
)

func manyEmails(n int) (emails []string) {
	for i := range n {
		emails = append(emails, fmt.Sprintf("a%05d@x.example", i))
	}
	return emails
}

func handTo(t *testing.T, v *fakeverifier.Verifier) *truelist.Client {
	t.Helper()
	server := httptest.NewServer(v)
	t.Cleanup(server.Close)
	client, err := truelist.New(rest.Config{Base: server.URL, Doer: http.DefaultClient})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// handed are the emails of all calls, in order.
func handed(t *testing.T, v *fakeverifier.Verifier) (emails []string) {
	t.Helper()
	for _, body := range v.Bodies() {
		var part struct{ Emails []string }
		if err := json.Unmarshal(body, &part); err != nil {
			t.Fatal(err)
		}
		emails = append(emails, part.Emails...)
	}
	return emails
}

// TestSubmission: whatever a later call fails with, what was sent before is not
// sent again.
func TestSubmission(t *testing.T) {
	const part, all = mostSubmitted, 2*mostSubmitted + 1
	for _, fault := range []fakeverifier.Fault{fakeverifier.Payment, fakeverifier.LongPause, fakeverifier.Broken, fakeverifier.Dropped} {
		v := &fakeverifier.Verifier{Fault: func(n int, _ *http.Request) fakeverifier.Fault {
			if n == 2 {
				return fault
			}
			return fakeverifier.None
		}}
		emails, client := manyEmails(all), handTo(t, v)
		entries := checked(t, nil, emails...)
		var s submission
		for try, want := range []int{part, all - part, 0} {
			if !s.begin() {
				t.Fatalf("%s, try %d: the one before goes on", fault, try)
			}
			unsent := s.unsent(entries)
			sent, err := s.send(t.Context(), client, unsent)
			if sent != want || (err != nil) != (try == 0) {
				t.Errorf("%s, try %d: %d sent, %v", fault, try, sent, err)
			}
			if err != nil {
				said := unsubmitted(trouble{what: "What.", next: "Next."}, err, sent, len(unsent))
				uncertain := fault == fakeverifier.Broken || fault == fakeverifier.Dropped
				if !strings.HasPrefix(said, "What. 10,000 of 20,001 emails were submitted. ") ||
					strings.Contains(said, "The next 10,000 emails may have arrived, too") != uncertain || strings.Contains(said, "Next.") == uncertain {
					t.Errorf("%s: the page says %q", fault, said)
				}
			}
		}
		if got := handed(t, v); !slices.Equal(got, emails) {
			t.Errorf("%s: the verifier got %d emails, want each of %d once", fault, len(got), all)
		}
		// Another spelling is the same email.
		if got := s.unsent(checked(t, nil, " a00000@X.example", "b@x.example")); !slices.Equal(got, []string{"b@x.example"}) {
			t.Errorf("%s: of another list, %q can be submitted", fault, got)
		}
	}
}

// TestLeavingASubmission: who leaves while a call is under way has it finished
// and remembered, and none is begun after it, nor another submission meanwhile.
func TestLeavingASubmission(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	v := &fakeverifier.Verifier{Latency: 100 * time.Millisecond}
	emails, client := manyEmails(mostSubmitted+1), handTo(t, v)
	var s submission
	if !s.begin() {
		t.Fatal("the first one did not begin")
	}
	v.Fault = func(int, *http.Request) fakeverifier.Fault {
		leave()
		if s.begin() {
			t.Error("a second one begins")
		}
		return fakeverifier.None
	}
	sent, err := s.send(ctx, client, emails)
	if sent != mostSubmitted || !errors.Is(err, context.Canceled) {
		t.Errorf("%d sent, %v", sent, err)
	}
	if got := s.unsent(checked(t, nil, emails...)); len(got) != 1 || len(handed(t, v)) != mostSubmitted {
		t.Errorf("%d are left, the verifier got %d", len(got), len(handed(t, v)))
	}
}
