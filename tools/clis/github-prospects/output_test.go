package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"marketingskills/app/prospect"
	"marketingskills/app/prospect/export"
	"marketingskills/app/prospect/fakehost"
	"marketingskills/tools/internal/console"
)

// inProcess runs the command against a host in this process.
func inProcess(t *testing.T, host *fakehost.Host, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, progress bytes.Buffer
	c := &command{stdout: &out, stderr: &progress, now: time.Now, doer: host, base: fakehost.Base, token: fakehost.Token}
	err = c.run(t.Context(), args)
	if all := out.String() + progress.String(); strings.Contains(all, fakehost.Token) {
		t.Errorf("%q wrote the token", args)
	}
	return out.String(), progress.String(), err
}

// TestWhatIsWrittenReadsBack parses what hostile profiles become.
func TestWhatIsWrittenReadsBack(t *testing.T) {
	host := &fakehost.Host{People: fakehost.Hostile()}
	for _, preset := range []string{"", "--preset=hubspot", "--preset=salesforce"} {
		args := []string{"stargazers", "octo/tool", "--enrich", "--purpose==1+1"}
		if preset != "" {
			args = append(args, preset)
		}
		text, _, err := inProcess(t, host, args...)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(rows) != 13 {
			t.Fatalf("%s: %d rows, %v", preset, len(rows), err)
		}
		for _, row := range rows {
			for _, cell := range row {
				if strings.ContainsAny(cell, "\r\n\x1b\x00") || cell != "" && strings.ContainsRune("=+-@", rune(cell[0])) {
					t.Errorf("%s: a cell is %.40q", preset, cell)
				}
			}
		}
		if preset == "" && !slices.Equal(rows[0], export.Columns) {
			t.Errorf("the header is %q", rows[0])
		}
	}
	text, _, err := inProcess(t, host, "stargazers", "octo/tool", "--enrich", "--format=json")
	if err != nil {
		t.Fatal(err)
	}
	var object struct {
		Users    []prospect.Record
		Counts   prospect.Counts
		Complete bool
	}
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		t.Fatal(err)
	}
	if err := object.Counts.Check(); err != nil || object.Counts.Listed != 14 || len(object.Users) != 12 || !object.Complete {
		t.Errorf("%d users, complete %v, counts %+v, %v", len(object.Users), object.Complete, object.Counts, err)
	}
}

// TestStatus: every failure has the status that is promised.
func TestStatus(t *testing.T) {
	for _, test := range []struct {
		host *fakehost.Host
		args []string
		want int
	}{
		{&fakehost.Host{}, []string{"rate-limit"}, 0},
		{&fakehost.Host{}, []string{"forks", "octo/tool"}, 0},
		{&fakehost.Host{Missing: true}, []string{"forks", "octo/tool"}, 1},
		{&fakehost.Host{Restriction: fakehost.RestrictedEmpty, People: fakehost.Crowd(3)}, []string{"watchers", "octo/tool"}, 1},
		{&fakehost.Host{}, []string{"forks"}, 2},
		{&fakehost.Host{People: fakehost.Crowd(300), ForeignLink: true}, []string{"forks", "octo/tool"}, 3},
		{&fakehost.Host{People: fakehost.Crowd(300), LoopingLink: true}, []string{"forks", "octo/tool"}, 3},
	} {
		_, progress, err := inProcess(t, test.host, test.args...)
		if got := console.Status(err); got != test.want {
			t.Errorf("%q ends with %d (%v), want %d; it said %q", test.args, got, err, test.want, progress)
		}
		if c := test.host.Count(); c.Foreign+c.Leaks > 0 {
			t.Errorf("%q asked another host", test.args)
		}
		if test.want == 2 && test.host.Count().Requests > 0 {
			t.Errorf("%q was refused after a request", test.args)
		}
	}
}
