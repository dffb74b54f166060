package prospects

import (
	"bytes"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/rest"
	"marketingskills/app/verify"
)

// TestSampleData: the sample is a finished run with a bit of everything, it needs
// no request, and nobody in it can be written to or mistaken for somebody:
// domains are reserved (RFC 2606, RFC 6761), and a login has an underscore, which
// GitHub gives only to accounts that a company manages.
func TestSampleData(t *testing.T) {
	data, err := os.ReadFile("../../../web/sample.run.json")
	if err != nil {
		t.Fatal(err)
	}
	state, err := prospect.ReadState(bytes.NewReader(data))
	if err != nil || !state.Finished() || state.Base != sampleBase {
		t.Fatalf("%v, finished %v, of %s", err, state.Finished(), state.Base)
	}
	var again bytes.Buffer
	if err := state.Write(&again); err != nil || !bytes.Equal(again.Bytes(), data) {
		t.Errorf("it is not as a run is saved: %v", err)
	}
	client, err := codehost.New(codehost.Config{Base: sampleBase, Doer: noRequests{t}})
	if err != nil {
		t.Fatal(err)
	}
	j, err := prospect.NewJob(client, state.Query, prospect.Options{State: state})
	if err != nil {
		t.Fatal(err)
	}
	report, err := j.Run(t.Context(), nil)
	if c := report.Counts; err != nil || c.Matches < 100 || c.Filtered < 100 || c.Failed == 0 || c.Duplicates == 0 {
		t.Errorf("%v, %+v", err, c)
	}
	if _, wrong := parseTerms(withPledge(termsOf(state.Query, nil)), state.Query); len(wrong) > 0 {
		t.Errorf("what it is for: %v", wrong)
	}
	found := map[verify.State]int{}
	for _, e := range state.People {
		if !strings.Contains(e.Login, "_") && e.Login != "acme" || !reserved(e.URL) || !reserved(e.Page) {
			t.Errorf("somebody may be called %s, at %s", e.Login, e.URL)
		}
		r := e.Record
		if r == nil {
			continue
		}
		_, domain, _ := strings.Cut(r.Email, "@")
		if r.Email != "" && !reserved("https://"+domain) || r.Blog != "" && !reserved("https://"+strings.TrimPrefix(r.Blog, "https://")) || !reserved(r.HTMLURL) {
			t.Errorf("%s may be reached: %s, %s, %s", e.Login, r.Email, r.Blog, r.HTMLURL)
		}
		if r.Email == "" {
			continue
		}
		if r.Verification == nil {
			t.Errorf("nothing is known of %s", r.Email)
			continue
		}
		found[r.Verification.State]++
	}
	for _, s := range verify.States {
		if found[s] == 0 {
			t.Errorf("no email is %s: %v", s, found)
		}
	}
}

func withPledge(fields map[string]string) map[string]string {
	fields["pledge"] = "yes"
	return fields
}

// reserved tells whether a URL can be of nobody.
func reserved(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	labels := strings.Split(u.Hostname(), ".")
	top := labels[len(labels)-1]
	return top == "example" || top == "invalid" || slices.Contains([]string{"example.com", "example.org"}, strings.Join(labels[max(len(labels)-2, 0):], "."))
}

// noRequests is for what must send none.
type noRequests struct{ testing.TB }

func (n noRequests) Do(r *http.Request) (*http.Response, error) {
	n.Errorf("%s was asked for", r.URL)
	return nil, rest.ErrUnsent
}
