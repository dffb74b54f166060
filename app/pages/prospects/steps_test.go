package prospects

import (
	"errors"
	"strings"
	"testing"

	"marketingskills/app/prospect"
)

func TestSentence(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&prospect.QueryError{Problem: "a target of -3; give a number from 1 up"}, "A target of -3; give a number from 1 up."},
		{errors.New("That was all."), "That was all."},
		{errors.New(`"é" is no repository`), `"é" is no repository.`},
	} {
		if got := sentence(c.err); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// While a run goes on, what it was started with stands; what was not decided
// yet is not open.
func TestOpen(t *testing.T) {
	job := &prospect.Job{}
	planned, running, ended := planStep{job: job, plan: &prospect.Plan{}}, runStep{current: &run{work: atWork(nil)}}, runStep{current: &run{}}
	for _, c := range []struct {
		name string
		x    *extraction
		want string
	}{
		{"at first", &extraction{}, "source"},
		{"planned", &extraction{here: atPlan, plan: planned}, "source"},
		{"at the purpose", &extraction{here: atPurpose, plan: planned}, "source plan"},
		{"at the purpose of a finished run", &extraction{here: atPurpose, plan: planStep{job: job}}, "source"},
		{"back at the source", &extraction{here: atSource, plan: planned}, "source"},
		{"running", &extraction{here: atRun, plan: planned, run: running}, "run"},
		{"ended", &extraction{here: atRun, plan: planned, run: ended}, "run verify export"},
		{"exporting", &extraction{here: atExport, plan: planned, run: ended}, "run verify export"},
		{"resumed, from the export", &extraction{here: atExport, plan: planned, run: running}, "run"},
	} {
		var open []string
		for _, s := range c.x.steps() {
			if s.open {
				open = append(open, strings.ToLower(s.name))
			}
		}
		if got := strings.Join(open, " "); got != c.want {
			t.Errorf("%s: open are %q, want %q", c.name, got, c.want)
		}
	}
}
