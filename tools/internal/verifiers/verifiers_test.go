package verifiers

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"marketingskills/app/rest"
	"marketingskills/app/verify"
	"marketingskills/tools/internal/console"
)

var config = rest.Config{Base: "https://api.example", Doer: http.DefaultClient, Timeout: time.Second}

// know makes other services known, beside [Default] only, for the length of a test.
func know(t *testing.T, others map[string]verify.Verifier) {
	t.Helper()
	all := Known
	t.Cleanup(func() { Known = all })
	Known = map[string]func(rest.Config) (verify.Verifier, error){Default: all[Default]}
	for name, v := range others {
		Known[name] = func(rest.Config) (verify.Verifier, error) { return v, nil }
	}
}

// stub answers with one result.
type stub struct {
	limit  int
	result verify.Result
	err    error
}

func (s stub) Limit() int                                                { return s.limit }
func (s stub) Verify(context.Context, string) (verify.Result, error)     { return s.result, s.err }
func (s stub) Account(context.Context) (account verify.Account, _ error) { return account, s.err }

// lists takes lists, too.
type lists struct{ stub }

func (l lists) Submit(context.Context, []string) error { return l.err }

func TestFind(t *testing.T) {
	know(t, map[string]verify.Verifier{"second": stub{limit: 2}, "third": stub{limit: 3}})
	for name, want := range map[string]string{"": "truelist", " \n": "truelist", "truelist": "truelist", "second": "second"} {
		if got, err := Find(name); err != nil || string(got) != want {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	_, err := Find("tru\nlist")
	if err == nil || err.Error() != `VERIFY_SERVICE: unknown service "tru\nlist"; use second, third or truelist` || console.Status(err) != 2 {
		t.Errorf("%v", err)
	}
}

// TestNoState: a client that says nothing of an email has failed, whatever it
// says of itself, and who submits lists can still do so.
func TestNoState(t *testing.T) {
	failed := errors.New("it failed")
	for _, v := range []verify.Verifier{stub{limit: 1, result: verify.Result{Address: "a@x.example"}}, lists{stub{limit: 1}}} {
		know(t, map[string]verify.Verifier{"second": v})
		client, err := Name("second").New(config)
		if err != nil {
			t.Fatal(err)
		}
		_, takesLists := client.(verify.Submitter)
		if _, want := v.(verify.Submitter); takesLists != want {
			t.Errorf("%T takes lists: %v", v, takesLists)
		}
		_, err = client.Verify(t.Context(), "a@x.example")
		if !errors.Is(err, verify.ErrServer) || !verify.MayHaveCost(err) || strings.Contains(err.Error(), "a@x") ||
			err.Error() != "could not verify an email with second: server error (the answer holds no state)" {
			t.Errorf("%T: %v", v, err)
		}
	}
	for _, v := range []stub{{limit: 1, result: verify.Result{State: "odd"}}, {limit: 1, err: failed}} {
		know(t, map[string]verify.Verifier{"second": v})
		client, err := Name("second").New(config)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := client.Verify(t.Context(), "a@x.example"); got != v.result || !errors.Is(err, v.err) {
			t.Errorf("%+v, %v", got, err)
		}
	}
}

func TestLimit(t *testing.T) {
	know(t, map[string]verify.Verifier{"second": stub{limit: 2}, "none": stub{}})
	for name, want := range map[Name]int{"truelist": 10, "second": 2} {
		if got, err := name.Limit(); err != nil || got != want {
			t.Errorf("%s: %d, %v", name, got, err)
		}
	}
	if _, err := Name("none").New(config); err == nil || !strings.Contains(err.Error(), "Limit must be 1 or more") {
		t.Errorf("without a limit: %v", err)
	}
}

// TestWrongConfiguration: that is the caller's to mend.
func TestWrongConfiguration(t *testing.T) {
	c := config
	c.Base = "api.example"
	if v, err := Name(Default).New(c); v != nil || err == nil || console.Status(err) != 2 {
		t.Errorf("%v, %v", v, err)
	}
}
