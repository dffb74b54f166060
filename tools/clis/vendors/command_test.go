package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"marketingskills/app/text"
	"marketingskills/tools/internal/depstest"
)

// TestDependencies keeps the promise of what the command is made of.
func TestDependencies(t *testing.T) { depstest.OwnOnly(t, "keys") }

// TestHelp keeps the help complete, and as wide as a terminal.
func TestHelp(t *testing.T) {
	for _, word := range append(new(options).syntax().Names(), "list", "describe", "@FILE", "_FILE") {
		if !strings.Contains(usage, word) {
			t.Errorf("the help does not say %s", word)
		}
	}
	for line := range strings.SplitSeq(usage, "\n") {
		if len(line) > 80 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
}

// sent keeps the last request, and answers with an empty object.
type sent struct{ request *http.Request }

func (s *sent) RoundTrip(r *http.Request) (*http.Response, error) {
	s.request = r
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("{}")), Request: r}, nil
}

// TestTables sends every operation of every table, with all its parameters: to the
// host of the table, with the key in one header and nowhere else.
func TestTables(t *testing.T) {
	tables, err := load("")
	if err != nil {
		t.Fatal(err)
	}
	const secret = "Key+0123/456789"
	samples := map[string]string{"": "a/b ?&é", "integer": "1", "number": "1.5", "boolean": "true", "list": "a,b", "json": `{"a":1}`}
	for id, table := range tables {
		if !text.IsSkillName(id) || slices.Contains([]string{"list", "describe", "help"}, id) {
			t.Errorf("a vendor cannot be called %s", id)
		}
		getenv := func(name string) string {
			switch name {
			case table.Auth.Env:
				return secret
			case table.Auth.Env + "_FILE":
				return ""
			}
			return "acct-1"
		}
		base := regexp.MustCompile(`\{[A-Z0-9_]+\}`).ReplaceAllString(table.Base, "acct-1")
		for _, o := range table.Operations {
			arguments := []string{id, o.Name, "--yes"}
			for _, p := range o.Params {
				arguments = append(arguments, p.Name+"="+samples[p.Kind])
			}
			var out, errs bytes.Buffer
			last := new(sent)
			c := &command{stdin: strings.NewReader(""), stdout: &out, stderr: &errs, client: &http.Client{Transport: last}, getenv: getenv}
			if err := c.run(context.Background(), arguments); err != nil {
				t.Errorf("%s %s: %v", id, o.Name, err)
				continue
			}
			r := last.request
			if !strings.HasPrefix(r.URL.String(), base+"/") || r.URL.Scheme != "https" {
				t.Errorf("%s %s goes to %s", id, o.Name, r.URL)
			}
			header, value := table.Auth.HeaderValue(secret, getenv)
			if r.Header.Get(header) != value {
				t.Errorf("%s %s does not have the key in %s", id, o.Name, header)
			}
			r.Header.Del(header)
			var rest bytes.Buffer
			if err := r.Write(&rest); err != nil || strings.Contains(rest.String(), "0123") {
				t.Errorf("%s %s has the key elsewhere: %v\n%s", id, o.Name, err, &rest)
			}
		}
	}
}

// TestArgument: what is written to be pasted is read as the value it stands for.
func TestArgument(t *testing.T) {
	for value, want := range map[string]string{"p4": "after=p4", "@abc": "after=='@abc'", "=abc": "after=='=abc'", "a b": "after='a b'"} {
		if got := argument("after", value); got != want {
			t.Errorf("%s is written %s, want %s", value, got, want)
		}
	}
	if got, want := argument("a[]", "@b"), "'a[]==@b'"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
