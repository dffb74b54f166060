package prospects

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"marketingskills/app/prospect"
)

func TestSentence(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("codehost: no such host"), "No such host."},
		{fmt.Errorf("%w: a target of -3; give a number from 1 up", prospect.ErrQuery), "A target of -3; give a number from 1 up."},
		{errors.New("That was all."), "That was all."},
		{errors.New(`"é" is no repository`), `"é" is no repository.`},
		{fmt.Errorf("listing: %w: no", prospect.ErrQuery), "Listing: invalid settings: no."}, // only what is in front is ours to drop
	} {
		if got := sentence(c.err); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestCapital(t *testing.T) {
	for s, want := range map[string]string{"": "", "a": "A", "no company": "No company", "1 b": "1 b", "A b": "A b"} {
		if got := capital(s); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}

// Causes come from saved files, too, and may begin with anything.
func TestCapitalOfOtherLetters(t *testing.T) {
	for s, want := range map[string]string{"élan": "Élan", "日本": "日本"} {
		if got := capital(s); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}

// While a run goes on, what it was started with stands; what was not decided
// yet is not open.
func TestOpen(t *testing.T) {
	job := &prospect.Job{}
	for _, c := range []struct {
		name string
		x    *extraction
		want string
	}{
		{"at first", &extraction{}, "source"},
		{"planned", &extraction{stage: atPlan, job: job}, "source"},
		{"at the purpose", &extraction{stage: atPurpose, job: job, planned: true}, "source plan"},
		{"at the purpose of a finished run", &extraction{stage: atPurpose, job: job}, "source"},
		{"back at the source", &extraction{stage: atSource, job: job}, "source"},
		{"running", &extraction{stage: atRun, job: job, run: &run{active: true}}, "run"},
		{"ended", &extraction{stage: atRun, job: job, run: &run{}}, "run export"},
		{"exporting", &extraction{stage: atExport, job: job, run: &run{}}, "run export"},
		{"going on, from the export", &extraction{stage: atExport, job: job, run: &run{active: true}}, "run"},
	} {
		var open []string
		for s, name := range []string{"source", "plan", "purpose", "run", "export"} {
			if c.x.open(stage(s)) {
				open = append(open, name)
			}
		}
		if got := strings.Join(open, " "); got != c.want {
			t.Errorf("%s: open are %q, want %q", c.name, got, c.want)
		}
	}
}
